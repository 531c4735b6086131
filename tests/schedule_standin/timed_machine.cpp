// SPDX-License-Identifier: Apache-2.0
#include "timed_machine.h"

#include <unistd.h>

#include <algorithm>
#include <utility>

#include "schedule/rewrite/abort_words.h"

namespace genesys::schedule::standin::tests {

const char timed_ptx[] = R"(
.version 8.0
.target sm_80
.address_size 64
.global .align 4 .u32 bias;

.visible .entry twice(.param .u64 out, .param .u64 in, .param .u32 n)
{
  .reg .b32 %r<7>;
  .reg .b64 %rd<8>;
  ld.param.u64 %rd1, [out];
  ld.param.u64 %rd2, [in];
  mov.u32 %r2, %ctaid.x;
  mov.u32 %r3, %ntid.x;
  mov.u32 %r4, %tid.x;
  mad.lo.s32 %r5, %r2, %r3, %r4;
  cvta.to.global.u64 %rd3, %rd2;
  mul.wide.s32 %rd4, %r5, 4;
  add.s64 %rd5, %rd3, %rd4;
  ld.global.u32 %r1, [%rd5];
  add.s32 %r6, %r1, %r1;
  cvta.to.global.u64 %rd6, %rd1;
  add.s64 %rd7, %rd6, %rd4;
  st.global.u32 [%rd7], %r6;
  ret;
}

.visible .entry mix(.param .u64 all, .param .u32 n)
{
  .reg .b32 %r<7>;
  .reg .b64 %rd<8>;
  ld.param.u64 %rd1, [all];
  mov.u32 %r2, %ctaid.x;
  mov.u32 %r3, %ntid.x;
  mov.u32 %r4, %tid.x;
  mad.lo.s32 %r5, %r2, %r3, %r4;
  cvta.to.global.u64 %rd3, %rd1;
  mul.wide.s32 %rd4, %r5, 4;
  add.s64 %rd5, %rd3, %rd4;
  ld.global.u32 %r1, [%rd5];
  add.s32 %r6, %r1, %r1;
  st.global.u32 [%rd5], %r6;
  ret;
}

.visible .entry biased(.param .u64 out, .param .u64 in, .param .u32 n)
{
  .reg .b32 %r<9>;
  .reg .b64 %rd<8>;
  ld.param.u64 %rd1, [out];
  ld.param.u64 %rd2, [in];
  mov.u32 %r2, %ctaid.x;
  mov.u32 %r3, %ntid.x;
  mov.u32 %r4, %tid.x;
  mad.lo.s32 %r5, %r2, %r3, %r4;
  cvta.to.global.u64 %rd3, %rd2;
  mul.wide.s32 %rd4, %r5, 4;
  add.s64 %rd5, %rd3, %rd4;
  ld.global.u32 %r1, [%rd5];
  ld.global.u32 %r7, [bias];
  add.s32 %r6, %r1, %r7;
  cvta.to.global.u64 %rd6, %rd1;
  add.s64 %rd7, %rd6, %rd4;
  st.global.u32 [%rd7], %r6;
  ret;
}
)";

namespace {

constexpr unsigned resident_max = 4, parts = 4;  // blocks at a time; a block computes in so many parts
constexpr unsigned turns_of_poll = 4;            // a block polls at its start, and then about so rarely
constexpr std::size_t rows_of_step = 32;
constexpr unsigned rest_us_max = 30, steps_per_rest = 6;

template <class type>
type word_at(const std::vector<std::byte>& from, std::size_t offset) {
  type value;
  std::memcpy(&value, from.data() + offset, sizeof value);
  return value;
}

std::uint32_t* words(std::uint64_t address) { return reinterpret_cast<std::uint32_t*>(address); }
template <class type>
type* at(std::uint64_t address) {
  return reinterpret_cast<type*>(address);
}

CUstream stream_of(std::uint64_t word) { return word == 0 ? CU_STREAM_LEGACY : reinterpret_cast<CUstream>(word); }

void compute(const std::string& kernel, const std::vector<std::byte>& given, unsigned first, unsigned end) {
  std::uint32_t* const out = words(word_at<std::uint64_t>(given, 0));
  if (kernel == "mix") {
    for (unsigned i = first; i < end; ++i) out[i] = 2 * out[i] + 1;
    return;
  }
  const std::uint32_t* const in = words(word_at<std::uint64_t>(given, 8));
  for (unsigned i = first; i < end; ++i) out[i] = kernel == "twice" ? 2 * in[i] : in[i] + 7;
}

}  // namespace

// One launch while it runs. Called by the GPU's thread.
struct timed_machine::running_kernel {
  machine_launch what;
  bool has_polls;
  std::uint32_t context_offset;
  struct block {
    unsigned number, part;
  };
  std::deque<unsigned> later = {};
  std::vector<block> resident = {};

  bool must_leave() const {
    if (!has_polls) return false;
    const auto flags = word_at<std::uint64_t>(what.arguments, context_offset + context_flags);
    const auto mask = word_at<std::uint32_t>(what.arguments, context_offset + context_mask);
    const std::uint32_t replica = resident.empty() ? 0 : resident.back().number & mask;
    return *words(flags + std::uint64_t{replica} * flag_stride) ==
           word_at<std::uint32_t>(what.arguments, context_offset + context_epoch);
  }
  void leave(const block& one) const {
    const auto counts = word_at<std::uint64_t>(what.arguments, context_offset + context_counts) +
                        std::uint64_t{one.number % count_replicas} * count_stride;
    *words(word_at<std::uint64_t>(what.arguments, context_offset + context_latch)) =
        word_at<std::uint32_t>(what.arguments, context_offset + context_chain);
    *at<std::uint64_t>(counts + (one.part == 0 ? count_left_at_entry : count_left_later)) += what.block;
  }
};

timed_machine::timed_machine(std::uint32_t seed) : random_(seed) {
  on_streams();
  on_events();
  on_copies();
  on(driver_function::cuLaunchKernel, [this](const arguments& given) { return launch_over_time(given); });
  gpu_ = std::thread([this] { run(); });
}

timed_machine::~timed_machine() {
  {
    const std::lock_guard lock(changing_);
    ends_ = true;
  }
  gpu_.join();
  reset();
}

// Work runs behind the last one of its stream; the default stream and those that do not refuse wait for each other.
timed_machine::pointer timed_machine::give(CUstream stream, std::function<bool()> step, const pointer& before) {
  auto made = std::make_shared<work>();
  made->step = std::move(step);
  const std::lock_guard lock(changing_);
  if (before != nullptr) made->after.push_back(before);
  for (const auto& [other, last] : last_) {
    const bool is_ordered = other == stream || (stream == CU_STREAM_LEGACY && is_blocking_[other]) ||
                            (other == CU_STREAM_LEGACY && is_blocking_[stream]);
    if (is_ordered && last != nullptr && !last->has_ended) made->after.push_back(last);
  }
  last_[stream] = made;
  waiting_.push_back(made);
  return made;
}

timed_machine::pointer timed_machine::last_in(CUstream stream) {
  const std::lock_guard lock(changing_);
  return last_[stream] != nullptr ? last_[stream] : std::make_shared<work>(work{nullptr, {}, true});
}

void timed_machine::wait_for(const pointer& what) {
  std::unique_lock lock(changing_);
  ended_.wait(lock, [&] { return what->has_ended; });
}

bool timed_machine::is_idle(CUstream stream) {
  const pointer last = last_in(stream);
  const std::lock_guard lock(changing_);
  return last->has_ended;
}

void timed_machine::run() {
  for (;;) {
    unsigned rest = 0;
    {
      const std::lock_guard lock(changing_);
      if (ends_) return;
      std::vector<pointer> ready;
      for (const pointer& each : waiting_) {
        std::erase_if(each->after, [](const pointer& before) { return before->has_ended; });
        if (each->after.empty()) ready.push_back(each);
      }
      if (ready.empty()) {
        rest = rest_us_max;
      } else {
        const pointer one = ready[random(ready.size())];
        if (one->step()) {
          one->has_ended = true;
          std::erase(waiting_, one);
          ended_.notify_all();
        }
        if (random(steps_per_rest) == 0) rest = static_cast<unsigned>(random(rest_us_max));
      }
    }
    if (rest > 0) ::usleep(rest);
  }
}

unsigned timed_machine::launch_over_time(const arguments& given) {
  const function& what = *at<const function>(given[0] & ~std::uint64_t{1});
  if (what.has_polls && polls_accepted_ == 0) return CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES;
  if (what.has_polls) --polls_accepted_;
  auto running = std::make_shared<running_kernel>(
      running_kernel{launch_of(given, what), what.has_polls, what.bytes - (what.has_polls ? context_bytes : 0)});
  for (unsigned i = 0; i < running->what.grid; ++i) running->later.push_back(i);
  give(stream_of(given[8]), [this, running] {
    running_kernel& all = *running;
    while (all.resident.size() < resident_max && !all.later.empty()) {
      all.resident.push_back({all.later.front(), 0});
      all.later.pop_front();
    }
    if (all.resident.empty()) return true;
    std::swap(all.resident[random(all.resident.size())], all.resident.back());
    running_kernel::block& one = all.resident.back();
    if ((one.part == 0 || random(turns_of_poll) == 0) && all.must_leave()) {
      all.leave(one);
      all.resident.pop_back();
      ++blocks_left_;
    } else {
      const unsigned first = one.number * all.what.block, part = all.what.block / parts;
      compute(all.what.kernel, all.what.arguments, first + one.part * part, first + (one.part + 1) * part);
      if (++one.part == parts) all.resident.pop_back();
    }
    return all.resident.empty() && all.later.empty();
  });
  return CUDA_SUCCESS;
}

void timed_machine::on_streams() {
  using enum driver_function;
  is_blocking_[CU_STREAM_LEGACY] = false;
  const auto create = [this](const arguments& given) {
    const std::lock_guard lock(changing_);
    const auto made = reinterpret_cast<CUstream>(next_handle_ += 16);
    is_blocking_[made] = (given[1] & CU_STREAM_NON_BLOCKING) == 0;
    *at<CUstream>(given[0]) = made;
    return 0U;
  };
  on(cuStreamCreate, create), on(cuStreamCreateWithPriority, create);
  on(cuStreamQuery, [this](const arguments& given) {
    return is_idle(stream_of(given[0])) ? 0U : static_cast<unsigned>(CUDA_ERROR_NOT_READY);
  });
  on(cuStreamSynchronize,
     [this](const arguments& given) { return wait_for(give(stream_of(given[0]), [] { return true; })), 0U; });
  on(cuCtxSynchronize, [this](const arguments&) {
    std::unique_lock lock(changing_);
    return ended_.wait(lock, [&] { return waiting_.empty(); }), 0U;
  });
}

void timed_machine::on_events() {
  using enum driver_function;
  on(cuEventCreate, [this](const arguments& given) {
    const std::lock_guard lock(changing_);
    return *at<std::uint64_t>(given[0]) = next_handle_ += 16, 0U;
  });
  on(cuEventRecord, [this](const arguments& given) {
    const pointer made = give(stream_of(given[1]), [] { return true; });
    const std::lock_guard lock(changing_);
    return events_[given[0]] = made, 0U;
  });
  const auto recorded = [this](std::uint64_t event) {
    const std::lock_guard lock(changing_);
    return events_[event] != nullptr ? events_[event] : std::make_shared<work>(work{nullptr, {}, true});
  };
  on(cuEventQuery, [this, recorded](const arguments& given) {
    const pointer what = recorded(given[0]);
    const std::lock_guard lock(changing_);
    return what->has_ended ? 0U : static_cast<unsigned>(CUDA_ERROR_NOT_READY);
  });
  on(cuEventSynchronize, [this, recorded](const arguments& given) { return wait_for(recorded(given[0])), 0U; });
  on(cuStreamWaitEvent, [this, recorded](const arguments& given) {
    return give(
               stream_of(given[0]), [] { return true; }, recorded(given[1])),
           0U;
  });
}

void timed_machine::on_copies() {
  using enum driver_function;
  on(cuMemGetInfo_v2, [](const arguments& given) {
    *at<std::uint64_t>(given[0]) = *at<std::uint64_t>(given[1]) = std::uint64_t{8} << 30;
    return 0U;
  });
  const auto copy_in = [this](CUstream stream, const arguments& given) {
    return give(stream, [given] { return std::memcpy(at<void>(given[0]), at<const void>(given[1]), given[2]), true; });
  };
  for (const driver_function each : {cuMemcpyHtoDAsync_v2, cuMemcpyDtoHAsync_v2, cuMemcpyDtoDAsync_v2}) {
    on(each, [copy_in](const arguments& given) { return copy_in(stream_of(given[3]), given), 0U; });
  }
  for (const driver_function each : {cuMemcpyHtoD_v2, cuMemcpyDtoH_v2}) {
    on(each, [this, copy_in](const arguments& given) { return wait_for(copy_in(CU_STREAM_LEGACY, given)), 0U; });
  }
  on(cuMemsetD8Async, [this](const arguments& given) {
    give(stream_of(given[3]),
         [given] { return std::memset(at<void>(given[0]), static_cast<int>(given[1] & 255), given[2]), true; });
    return 0U;
  });
  on(cuMemcpy2DAsync_v2, [this](const arguments& given) {  // some rows at a step
    const CUDA_MEMCPY2D how = *at<const CUDA_MEMCPY2D>(given[0]);
    give(stream_of(given[1]), [how, row = std::size_t{0}]() mutable {
      for (const std::size_t end = std::min(row + rows_of_step, how.Height); row < end; ++row) {
        std::memcpy(at<std::byte>(how.dstDevice) + row * how.dstPitch,
                    static_cast<const std::byte*>(how.srcHost) + row * how.srcPitch, how.WidthInBytes);
      }
      return row == how.Height;
    });
    return 0U;
  });
  on(cuMemHostAlloc, [](const arguments& given) {  // it is never freed
    return *at<void*>(given[0]) = new std::byte[given[1]], 0U;
  });
}

}  // namespace genesys::schedule::standin::tests
