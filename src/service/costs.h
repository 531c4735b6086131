// SPDX-License-Identifier: Apache-2.0
// What a request of a service costs on the GPU and by its twin, by size: learnt from the requests, and kept on disk for
// the next server. It decides which of the two answers (docs/service-failures.md, "Which side answers"). Any thread.
//
// A size class has the requests that move from 2^n to 2^(n+1) - 1 bytes. For each class and path there is a mean, whose
// last samples count most. A sample is the time of a call over its load: how many other requests its path had.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace genesys::detail::services {

enum class path : std::uint32_t { gpu, cpu };
inline const char* name_of(path p) { return p == path::gpu ? "gpu" : "cpu"; }

constexpr std::uint32_t size_classes = 48;  // class 0: 0 and 1 byte
std::uint32_t class_of(std::uint64_t bytes);

// Of a service, as it stands in the file.
struct cost_record {
  std::string service;
  std::uint32_t size_class = 0;
  path by = path::gpu;
  std::uint64_t samples = 0;
  double mean_ns = 0;
};
// `device` has no tabs or line feeds. A file holds the records of several devices.
struct cost_file {
  // That of this user: GENESYS_SERVICE_COSTS, or else $XDG_CACHE_HOME/genesys/services, or else
  // ~/.cache/genesys/services. Empty: the variable is 0, or there is no home.
  static std::string path_of_process();
  struct entry {
    std::string device;
    cost_record record;
  };
  // Nothing if there is no such file; lines that are damaged are left out.
  static std::vector<entry> read(const std::string& path);
  // Replaces the records of this device, and keeps the others. False: it could not be written.
  static bool write(const std::string& path, const std::string& device, const std::vector<cost_record>& records);
};

class cost_table {
 public:
  // `services`: their names, by their codes.
  explicit cost_table(std::vector<std::string> services);

  // Which path a call takes, and whether its time is to be added.
  struct choice {
    path by = path::cpu;
    bool is_measured = false;
  };
  // `load`: 1 without other requests. The path that is expected to be faster; now and then the other one, so that the
  // table stays right. `turn`: counts the calls of a thread; one of some is measured.
  choice choose(std::uint32_t code, std::uint64_t bytes, double gpu_load, double cpu_load, std::uint32_t turn);
  // Without a look at the load, for most calls of a class one of whose paths is much faster. False: choose().
  bool is_settled(std::uint32_t code, std::uint64_t bytes, std::uint32_t turn, path& by) const;
  void add(std::uint32_t code, std::uint64_t bytes, path by, double ns, double load);

  // The expected time without load. 0: nothing is known of this class.
  double mean_ns(std::uint32_t code, std::uint32_t size_class, path by) const;
  bool has_learnt() const { return learnt_.load(std::memory_order_relaxed); }

  void take(const std::vector<cost_file::entry>& from, const std::string& device);
  std::vector<cost_record> records() const;

 private:
  struct cost {
    std::atomic<std::uint32_t> samples{0};
    std::atomic<float> mean_ns{0};
  };
  struct alignas(64) class_costs {
    cost of[2];
    std::atomic<float> spent_ns{0};         // on the path that is better, since the other one was tried
    std::atomic<std::uint32_t> settled{0};  // 1 + the path that is much faster; 0: none is
  };
  class_costs& at(std::uint32_t code, std::uint64_t bytes) const {
    return classes_[code * size_classes + class_of(bytes)];
  }

  std::vector<std::string> services_;
  std::unique_ptr<class_costs[]> classes_;
  std::atomic<bool> learnt_{false};
};

}  // namespace genesys::detail::services
