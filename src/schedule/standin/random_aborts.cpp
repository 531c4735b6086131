// SPDX-License-Identifier: Apache-2.0
#include "schedule/standin/random_aborts.h"

#include <sched.h>

#include <cstdlib>

#include "schedule/daemon/clock.h"
#include "schedule/standin/environment.h"
#include "schedule/standin/stream_list.h"

namespace genesys::schedule::standin {
namespace {

constexpr std::uint64_t never = ~std::uint64_t{0};
// Of a kernel that was not seen yet.
constexpr std::uint64_t first_run_ns = 50'000;
constexpr unsigned aborts_max = 3;            // of one launch
constexpr std::uint64_t one_in_at_entry = 4;  // so many launches are aborted before they begin
constexpr processes::time_ns wait_max_ns = 1'000'000'000;

std::uint64_t seed() {
  const char* const asked = std::getenv(seed_variable);
  return asked == nullptr || *asked == '\0' ? 1 : std::strtoull(asked, nullptr, 10);
}

}  // namespace

random_aborts::random_aborts(planted_faults faults) : current_(faults), random_(seed()) {}

bool random_aborts::launch(const observed_launch& one, const kernel_variant& with_polls,
                           const launch_verdict& verdict) {
  abort_choice how{&with_polls, verdict.is_idempotent, verdict.write_set, 0};
  for (const range& each : how.write_set) how.bytes += each.bytes;
  if (!how.is_idempotent) {
    const kernel_verdict* const of_kernel = one.launched()->verdict();
    if (!verdict.is_write_set_known || !is_device_memory(how.write_set) || !of_kernel->symbols_written.empty()) {
      return false;
    }
    if (!others_become_idle(one.stream())) return false;
  }
  const bool is_at_entry = below(one_in_at_entry) == 0;
  if (!current_.take(one, std::move(how), is_at_entry)) return false;
  for (unsigned times = 0, times_max = 1 + static_cast<unsigned>(below(aborts_max));; ++times) {
    const std::uint64_t learnt = one.launched()->learnt_run_ns();
    const std::uint64_t expected = learnt == 0 ? first_run_ns : learnt + learnt / 4;
    look_until_it_has_ended(times < times_max ? below(expected) : never);
    if (!current_.is_there()) return true;
    ++aborts_;
    launches_aborted_ += times == 0;
    const bool runs = current_.run_again();
    rolled_back_ += current_.has_rolled_back();
    if (!runs) return true;
  }
}

// Restoring the write set would undo what other streams write there meanwhile.
bool random_aborts::others_become_idle(CUstream stream) {
  const processes::time_ns since = processes::now_ns();
  while (!stream_list::only().others_are_idle(stream)) {
    if (processes::now_ns() - since > wait_max_ns) return false;
    ::sched_yield();
  }
  return true;
}

// The launch is then aborted, or it is not there any more.
void random_aborts::look_until_it_has_ended(std::uint64_t raise_after_ns) {
  using enum abortable_launch::state;
  while (current_.now() == runs || current_.now() == raised) {
    if (current_.now() == runs && current_.run_ns() >= raise_after_ns) {
      raise_after_ns = never;
      current_.raise();
    }
    current_.look();
    ::sched_yield();
  }
}

}  // namespace genesys::schedule::standin
