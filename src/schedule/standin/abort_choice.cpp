// SPDX-License-Identifier: Apache-2.0
#include "schedule/standin/abort_choice.h"

#include "schedule/standin/messages.h"

namespace genesys::schedule::standin {
namespace {

// A copy on the device takes at least a nanosecond for so many bytes. It may take half of what the kernel runs: for a
// longer one, to wait for the kernel costs a more important process less.
constexpr std::uint64_t copied_in_ns = 1'000, copy_share = 2;

bool is_worth_a_copy(const kernel& launched, std::uint64_t bytes) {
  return bytes / copied_in_ns * copy_share <= launched.learnt_run_ns();
}

}  // namespace

const kernel_variant* variant_with_polls(const observed_launch& one) {
  kernel& launched = *one.launched();
  const kernel_variant* const found = launched.variant_of(variant::loops);
  if (found == nullptr) {
    say_not_aborted(launched.name(), launched.why_no_variant());
    return nullptr;
  }
  const auto block = one.block();
  const std::uint64_t threads = std::uint64_t{block[0]} * block[1] * block[2];
  return threads <= static_cast<std::uint64_t>(found->threads_max) ? found : nullptr;
}

abort_choice choose_abort(const observed_launch& one, std::uint64_t short_run_ns) {
  abort_choice made;
  const kernel& launched = *one.launched();
  // The stream of a thread is another one on another thread, so nobody else could launch there again.
  if (!one.is_plain() || one.context() == nullptr || one.stream() == CU_STREAM_PER_THREAD) return made;
  const std::uint64_t run_ns = launched.learnt_run_ns();
  if (run_ns != 0 && run_ns < short_run_ns) return made;
  const kernel_verdict* const of_kernel = launched.verdict();
  if (of_kernel == nullptr) {
    say_not_aborted(launched.name(), launched.why_no_verdict());
    return made;
  }
  if (!of_kernel->symbols_read.empty() || !of_kernel->symbols_written.empty()) return made;
  launch_verdict verdict = verdict_on(one);
  if (!verdict.is_preemptible) return made;
  made.is_idempotent = verdict.is_idempotent;
  if (!verdict.is_idempotent) {
    if (!verdict.is_write_set_known || run_ns == 0 || !is_device_memory(verdict.write_set)) return made;
    made.write_set = std::move(verdict.write_set);
    for (const range& each : made.write_set) made.bytes += each.bytes;
    if (!is_worth_a_copy(launched, made.bytes)) return made;
  }
  made.with = variant_with_polls(one);
  return made;
}

}  // namespace genesys::schedule::standin
