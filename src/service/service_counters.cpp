// SPDX-License-Identifier: Apache-2.0
#include "service/service_counters.h"

#include "service/thread_number.h"

namespace genesys::detail::services {
namespace {

constexpr std::uint32_t sampled_calls = 32;  // one of so many is measured

}  // namespace

service_counters::service_counters(std::uint32_t services)
    : services_(services),
      counts_(std::make_unique<place[]>(std::size_t{places} * services)),
      times_(std::make_unique<timed[]>(services)) {}

service_counters::place& service_counters::mine(std::uint32_t service) {
  return counts_[std::size_t{number_of_thread() % places} * services_ + service];
}

void service_counters::count(std::uint32_t service, path by, std::uint64_t bytes) {
  place& at = mine(service);
  at.requests[static_cast<std::size_t>(by)].fetch_add(1, std::memory_order_relaxed);
  if (bytes != 0) at.bytes.fetch_add(bytes, std::memory_order_relaxed);
}

void service_counters::count_error(std::uint32_t service) {
  mine(service).errors.fetch_add(1, std::memory_order_relaxed);
}

bool service_counters::is_sample() {
  thread_local std::uint32_t calls = 0;
  return calls++ % sampled_calls == 0;
}

void service_counters::add(std::uint32_t service, std::uint64_t published_ns, std::uint64_t completed_ns) {
  timed& of = times_[service];
  const std::lock_guard hold(of.lock);
  of.all.published.add(published_ns);
  of.all.completed.add(completed_ns);
}

service_counters::sums service_counters::of(std::uint32_t service) const {
  sums all;
  for (std::uint32_t p = 0; p < places; ++p) {
    const place& at = counts_[std::size_t{p} * services_ + service];
    for (std::size_t i = 0; i < paths; ++i) all.requests[i] += at.requests[i].load(std::memory_order_relaxed);
    all.bytes += at.bytes.load(std::memory_order_relaxed);
    all.errors += at.errors.load(std::memory_order_relaxed);
  }
  return all;
}

service_counters::times service_counters::times_of(std::uint32_t service) const {
  const timed& of = times_[service];
  const std::lock_guard hold(of.lock);
  return of.all;
}

}  // namespace genesys::detail::services
