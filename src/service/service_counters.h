// SPDX-License-Identifier: Apache-2.0
// What a server tells of each service in its report: requests, who had them, bytes, errors, and how long calls take.
// Any thread.
#pragma once

#include <array>
#include <atomic>
#include <memory>
#include <mutex>
#include <vector>

#include "service/costs.h"
#include "service/distribution.h"

namespace genesys::detail::services {

class service_counters {
 public:
  struct sums {
    std::array<std::uint64_t, paths> requests{};  // by path
    std::uint64_t bytes = 0, errors = 0;
  };
  // The stages of a call: until its request is published, or has been given to the twin; from then until its result.
  struct times {
    distribution published, completed;
  };

  // Services are numbered from 0.
  explicit service_counters(std::uint32_t services);

  void count(std::uint32_t service, path by, std::uint64_t bytes);
  void count_error(std::uint32_t service);
  // One call of some is measured. Whether this one of the calling thread is.
  static bool is_sample();
  void add(std::uint32_t service, std::uint64_t published_ns, std::uint64_t completed_ns);

  std::uint32_t services() const { return services_; }
  sums of(std::uint32_t service) const;
  times times_of(std::uint32_t service) const;

 private:
  // Threads count in different places, so that they do not wait for each other's cache lines.
  static constexpr std::uint32_t places = 16;
  struct alignas(64) place {
    std::array<std::atomic<std::uint64_t>, paths> requests{};
    std::atomic<std::uint64_t> bytes{0}, errors{0};
  };
  struct timed {
    mutable std::mutex lock;
    times all;  // needs lock
  };
  place& mine(std::uint32_t service);

  std::uint32_t services_;
  std::unique_ptr<place[]> counts_;  // by place, then by service
  std::unique_ptr<timed[]> times_;
};

}  // namespace genesys::detail::services
