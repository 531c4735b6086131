// SPDX-License-Identifier: Apache-2.0
// What a request of a service costs on the GPU and by its twin, by size: learnt from the requests, and kept on disk for
// the next server. It decides which of them answers (docs/service-failures.md, "Which side answers"). Any thread.
//
// A size class has the requests that move from 2^n to 2^(n+1) - 1 bytes. *Wide* requests, which want more blocks than
// are resident, have classes of their own; if their bytes are unknown, by their blocks. For each class and path there
// is a mean, whose last samples count most. A sample is the time of a call over its load: how many other requests its
// path had.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace genesys::detail::services {

// gpu: the non-stop kernel.
enum class path : std::uint32_t { gpu, cpu, launch };
constexpr path all_paths[] = {path::gpu, path::cpu, path::launch};
constexpr std::uint32_t paths = 3;
inline const char* name_of(path p) { return p == path::gpu ? "gpu" : p == path::cpu ? "cpu" : "launch"; }

// By bytes; the same of wide requests; wide requests by blocks. In each part class n begins at 2^n, and class 0 at 0.
constexpr std::uint32_t byte_classes = 48, block_classes = 24;
constexpr std::uint32_t first_wide_class = byte_classes, first_block_class = 2 * byte_classes;
constexpr std::uint32_t size_classes = first_block_class + block_classes;
std::uint32_t class_of(std::uint64_t bytes, bool is_wide = false);
std::uint32_t class_of_blocks(std::uint32_t blocks);

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
  // Of each path: 1 without other requests; 0: it is not possible.
  struct loads {
    double gpu = 1, cpu = 0, launch = 0;
  };
  // The path that is expected to be faster; now and then another one, so that the table stays right. `call_number`:
  // counts the calls of a thread; one of some is measured.
  choice choose(std::uint32_t code, std::uint32_t size_class, const loads& load, std::uint32_t call_number);
  // Without a look at the load, for most calls of a class one of whose paths is much faster. False: choose().
  bool is_settled(std::uint32_t code, std::uint32_t size_class, std::uint32_t call_number, path& by) const {
    const std::uint32_t settled = at(code, size_class).settled.load(std::memory_order_relaxed);
    if (settled == 0 || call_number % settled_calls == 0) return false;
    by = static_cast<path>(settled - 1);
    return true;
  }
  void add(std::uint32_t code, std::uint32_t size_class, path by, double ns, double load);

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
    cost of[paths];
    std::atomic<float> spent_ns[paths]{};   // on the path that is better, since this one was tried
    std::atomic<std::uint32_t> settled{0};  // 1 + the path that is much faster; 0: none is
  };
  // Of the calls of a settled class one of so many looks closer.
  static constexpr std::uint32_t settled_calls = 64;

  class_costs& at(std::uint32_t code, std::uint32_t size_class) const {
    return classes_[code * size_classes + size_class];
  }

  std::vector<std::string> services_;
  std::unique_ptr<class_costs[]> classes_;
  std::atomic<bool> learnt_{false};
};

}  // namespace genesys::detail::services
