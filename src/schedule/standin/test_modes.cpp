// SPDX-License-Identifier: Apache-2.0
#include "schedule/standin/test_modes.h"

#include <array>
#include <cstdlib>
#include <cstring>

#include "schedule/rewrite/abort_words.h"
#include "schedule/standin/abort_choice.h"
#include "schedule/standin/environment.h"
#include "schedule/standin/jump_table.h"
#include "schedule/standin/messages.h"
#include "schedule/standin/relaxed_capture.h"
#include "schedule/standin/verdict_on.h"

namespace genesys::schedule::standin {
namespace {

// The words of one context. All launches of a test share them: what an aborted launch adds is read before the next one.
constexpr std::uint32_t lowered_offset = 0, raised_offset = 256, latch_offset = 512, counts_offset = 1'024;
constexpr std::uint32_t words_bytes = counts_offset + count_replicas * count_stride;
constexpr std::uint32_t test_epoch = 1, test_chain = 1;
static_assert(raised_offset - lowered_offset >= flag_stride);

using context_image = std::array<std::byte, context_bytes>;

template <class number>
void put(context_image& into, std::uint32_t offset, number value) {
  std::memcpy(into.data() + offset, &value, sizeof value);
}

context_image launch_context(CUdeviceptr base, bool is_raised) {
  context_image result{};
  put(result, context_flags, std::uint64_t{base + (is_raised ? raised_offset : lowered_offset)});
  put(result, context_counts, std::uint64_t{base + counts_offset});
  put(result, context_latch, std::uint64_t{base + latch_offset});
  put(result, context_epoch, test_epoch);
  put(result, context_chain, test_chain);
  put(result, context_mask, std::uint32_t{0});
  put(result, context_ahead, std::uint32_t{0});
  return result;
}

struct counted {
  std::uint64_t left_at_entry = 0, left_later = 0;
};

// What the launches before in this stream have counted. False: the driver fails.
bool read_counts(CUdeviceptr base, CUstream stream, counted& into) {
  std::array<std::byte, count_replicas * count_stride> bytes{};
  if (GENESYS_REAL(cuMemcpyDtoHAsync_v2)(bytes.data(), base + counts_offset, bytes.size(), stream) != CUDA_SUCCESS ||
      GENESYS_REAL(cuStreamSynchronize)(stream) != CUDA_SUCCESS) {
    return false;
  }
  into = {};
  for (std::uint32_t i = 0; i < count_replicas; ++i) {
    counted one;
    std::memcpy(&one.left_later, bytes.data() + i * count_stride + count_left_later, sizeof one.left_later);
    std::memcpy(&one.left_at_entry, bytes.data() + i * count_stride + count_left_at_entry, sizeof one.left_at_entry);
    into.left_later += one.left_later;
    into.left_at_entry += one.left_at_entry;
  }
  return true;
}

test_observer* started = nullptr;  // written once, before it is attached

__attribute__((destructor)) void print_report() {
  if (started != nullptr) say("schedule test: " + started->report());
}

}  // namespace

void start_test_mode() {
  static std::once_flag once;
  std::call_once(once, [] {
    const char* asked = std::getenv(test_variable);
    if (asked == nullptr || *asked == '\0' || !has_real(driver_function::cuInit)) return;
    using enum test_observer::mode;
    const std::string mode = asked;
    static const std::map<std::string, test_observer::mode> modes{{"observe", observe_only},
                                                                  {"rewrite", rewrite},
                                                                  {"abort-at-entry", abort_at_entry},
                                                                  {"abort-at-random", abort_at_random}};
    const auto found = modes.find(mode);
    if (found == modes.end()) {
      say(std::string(test_variable) + " is '" + mode +
          "', but must be observe, rewrite, abort-at-entry or abort-at-random");
      return;
    }
    started = new test_observer(found->second);
    observe(started);
  });
}

CUresult test_observer::launch(const observed_launch& one) noexcept {
  launches_.fetch_add(1, std::memory_order_relaxed);
  if (mode_ == mode::observe_only) return one.issue();
  if (mode_ == mode::abort_at_random) return abort_at_random(one);
  kept_as_it_is why{};
  launch_verdict verdict;
  const kernel_variant* const with_polls = variant_for(one, why, verdict);
  const words in = with_polls != nullptr ? words_of(one.context()) : words{};
  if (in.base == 0) {
    if (with_polls != nullptr) why = kept_as_it_is::no_variant;
    as_they_are_[static_cast<int>(why)].fetch_add(1, std::memory_order_relaxed);
    return one.issue();
  }
  const std::uint64_t number = with_polls_.fetch_add(1, std::memory_order_relaxed);
  if (mode_ == mode::abort_at_entry && number % 2 == 0) return abort_at_entry(one, *with_polls, in);
  return one.issue(*with_polls, launch_context(in.base, false));
}

CUresult test_observer::abort_at_random(const observed_launch& one) {
  const std::lock_guard lock(changing_);  // another thread's launch waits until this one has ended
  kept_as_it_is why{};
  launch_verdict verdict;
  const kernel_variant* const with_polls = variant_for(one, why, verdict);
  if (with_polls != nullptr) {
    const relaxed_capture meanwhile;
    if (at_random_.launch(one, *with_polls, verdict)) {
      with_polls_.fetch_add(1, std::memory_order_relaxed);
      return CUDA_SUCCESS;
    }
    why = kept_as_it_is::no_copy;
  }
  as_they_are_[static_cast<int>(why)].fetch_add(1, std::memory_order_relaxed);
  return one.issue();
}

const kernel_variant* test_observer::variant_for(const observed_launch& one, kept_as_it_is& why,
                                                 launch_verdict& verdict) {
  using enum kept_as_it_is;
  kernel& launched = *one.launched();
  why = one.is_captured()                            ? captured
        : one.is_cooperative() || one.has_clusters() ? cooperative
        : one.has_ties()                             ? tied
        : !one.has_arguments()                       ? unknown_layout
                                                     : no_ptx;
  if (why != no_ptx) return nullptr;
  if (launched.verdict() == nullptr) {
    say_not_aborted(launched.name(), launched.why_no_verdict());
    return nullptr;
  }
  why = not_preemptible;
  verdict = verdict_on(one);
  if (!verdict.is_preemptible) return nullptr;
  why = no_variant;
  return variant_with_polls(one);
}

test_observer::words test_observer::words_of(CUcontext context) {
  if (context == nullptr) return {};
  const std::lock_guard lock(changing_);
  if (const auto found = words_.find(context); found != words_.end()) return found->second;
  words result;
  std::array<std::byte, words_bytes> initial{};
  std::memcpy(initial.data() + raised_offset, &test_epoch, sizeof test_epoch);
  const relaxed_capture meanwhile;
  CUstream own = nullptr;  // not the default stream, which another thread may not use while it captures
  if (GENESYS_REAL(cuMemAlloc_v2)(&result.base, words_bytes) != CUDA_SUCCESS ||
      GENESYS_REAL(cuStreamCreate)(&own, CU_STREAM_NON_BLOCKING) != CUDA_SUCCESS ||
      GENESYS_REAL(cuMemcpyHtoDAsync_v2)(result.base, initial.data(), initial.size(), own) != CUDA_SUCCESS ||
      GENESYS_REAL(cuStreamSynchronize)(own) != CUDA_SUCCESS) {
    say_once("memory", "the test mode has no memory on the device");
    result.base = 0;
  }
  if (own != nullptr) GENESYS_REAL(cuStreamDestroy_v2)(own);
  return words_[context] = result;
}

CUresult test_observer::abort_at_entry(const observed_launch& one, const kernel_variant& with_polls, words in) {
  const relaxed_capture meanwhile;
  const std::lock_guard lock(changing_);  // the counts are shared
  counted before, after;
  CUresult result = CUDA_ERROR_UNKNOWN;
  const bool is_read = read_counts(in.base, one.stream(), before);
  if (is_read) result = one.issue(with_polls, launch_context(in.base, true));
  if (!is_read || result != CUDA_SUCCESS || !read_counts(in.base, one.stream(), after)) {
    wrong_.fetch_add(1, std::memory_order_relaxed);
    say("schedule test: a launch of " + one.launched()->name() + " fails: error " + std::to_string(result));
    return result;
  }
  const std::uint64_t at_entry = after.left_at_entry - before.left_at_entry,
                      later = after.left_later - before.left_later;
  if (later != 0 || at_entry != one.threads()) {
    wrong_.fetch_add(1, std::memory_order_relaxed);
    say("schedule test: of " + std::to_string(one.threads()) + " threads of " + one.launched()->name() + " only " +
        std::to_string(at_entry) + " have left at their entry, and " + std::to_string(later) + " later");
  }
  aborted_.fetch_add(1, std::memory_order_relaxed);
  return one.issue(with_polls, launch_context(in.base, false));
}

std::string test_observer::report() const {
  static constexpr const char* names[] = {"captured",           "cooperative or with clusters",
                                          "tied to other work", "unknown layout",
                                          "without PTX",        "not preemptible",
                                          "without variant",    "without a copy"};
  static_assert(std::size(names) == static_cast<std::size_t>(kept_as_it_is::count_));
  const auto number = [](const auto& of) { return std::to_string(of.load(std::memory_order_relaxed)); };
  const std::lock_guard lock(changing_);
  const std::uint64_t aborted = aborted_.load(std::memory_order_relaxed);
  std::string result = number(launches_) + " launches, " + number(with_polls_) + " with polls, " +
                       std::to_string(aborted + at_random_.launches_aborted()) + " aborted and run again, " +
                       number(wrong_) + " wrong, " + number(settled_) + " ordered calls, " +
                       std::to_string(aborted + at_random_.aborts()) + " aborts, " +
                       std::to_string(at_random_.rolled_back()) + " rolled back; as they are:";
  for (std::size_t i = 0; i < std::size(names); ++i) {
    result += std::string(i > 0 ? ", " : " ") + number(as_they_are_[i]) + " " + names[i];
  }
  return result;
}

}  // namespace genesys::schedule::standin
