// SPDX-License-Identifier: Apache-2.0
#include "memory/layout.h"

#include <algorithm>
#include <array>
#include <bit>
#include <random>
#include <vector>

#include "memory/cannot_pin.h"

namespace genesys::detail {
namespace {

// Lays pieces out one after another, each at its own alignment.
class ruler {
 public:
  std::size_t add(std::size_t bytes, std::size_t alignment = 128) {
    at_ = (at_ + alignment - 1) / alignment * alignment;
    const std::size_t here = at_;
    at_ += bytes;
    return here;
  }
  std::size_t length() const { return at_; }

 private:
  std::size_t at_ = 0;
};

constexpr std::size_t bounce_option_min = std::size_t{16} << 20;  // the largest are half of it
constexpr std::size_t bounce_option_max = std::size_t{64} << 30, arena_option_max = std::size_t{64} << 40;

// The largest buffers get two sevenths of the pool, and at least the few that hold_time needs. The other classes share
// the rest.
std::array<u32, bounce_classes> buffers_of(std::size_t bounce_bytes) {
  constexpr u32 largest = bounce_classes - 1;
  constexpr std::array<u32, largest> fifths{2, 1, 2};
  std::array<u32, bounce_classes> buffers{};
  const auto set = [&](u32 size, std::size_t bytes) {
    const u32 in_page = 4096u >> buffer_bytes_log2(size);  // the next class begins at a page
    const u32 multiple = std::max(in_page, buffers_multiple);
    buffers[size] = std::max(static_cast<u32>(bytes >> buffer_bytes_log2(size)) / multiple, 1u) * multiple;
    return std::size_t{buffers[size]} << buffer_bytes_log2(size);
  };
  const std::size_t rest = bounce_bytes - set(largest, bounce_bytes / 7 * 2);
  for (u32 size = 0; size < largest; ++size) set(size, rest / 5 * fifths[size]);
  return buffers;
}

void check_options(const options& o) {
  const auto fail = [](const std::string& what) { throw error(error_code::bad_option, what); };
  if (!std::has_single_bit(o.slots_per_queue) || o.slots_per_queue < slots_min || o.slots_per_queue > 1u << 20) {
    fail("slots_per_queue is " + std::to_string(o.slots_per_queue) +
         "; it has to be a power of two from 64 to 1,048,576");
  }
  if (o.queues == 0 || o.queues > 1024)
    fail("queues is " + std::to_string(o.queues) + "; it has to be from 1 to 1,024");
  if (!std::has_single_bit(o.grid_calls_max) || o.grid_calls_max < 2 || o.grid_calls_max > 4096)
    fail("grid_calls_max is " + std::to_string(o.grid_calls_max) + "; it has to be a power of two from 2 to 4,096");
  if (o.bounce_bytes > bounce_option_max)
    fail("bounce_bytes is " + std::to_string(o.bounce_bytes) + "; it has to be 64 GiB or less");
  if (o.bounce_bytes < bounce_option_min)
    fail("bounce_bytes is " + std::to_string(o.bounce_bytes) + "; it has to be 16 MiB or more");
  if (o.arena_bytes > arena_option_max)
    fail("arena_bytes is " + std::to_string(o.arena_bytes) + "; it has to be 64 TiB or less");
}

// Measured (docs/performance.md, How to wait): spinning shows the end of long calls sooner. But where blocks spin, each
// read of 4 KiB takes a sixth longer, and threads are too many to spin.
constexpr u16 waits_by_scope = in_each_scope(backing_off);

u16 waits_of(wait_strategy chosen) {
  switch (chosen) {
    case wait_strategy::by_scope:
      return waits_by_scope;
    case wait_strategy::back_off:
      return in_each_scope(backing_off);
    case wait_strategy::spin:
      return in_each_scope(spinning);
  }
  throw error(error_code::bad_option, "wait is none of by_scope, back_off, spin");
}

}  // namespace

layout::memory::~memory() {
  if (device_block != nullptr) of.free(device_block);
  if (host != nullptr) of.free_both(host);
}

layout::layout(device& on, const options& o) : owned_{on} {
  check_options(o);
  const u32 queues = o.queues;
  context_.version = layout_version;
  context_.nonce = (u64{std::random_device{}()} << 32 | std::random_device{}()) & ~u64{1};
  context_.slots_log2 = static_cast<u32>(std::countr_zero(o.slots_per_queue));
  context_.queues = queues;
  context_.waits = waits_of(o.wait);
  context_.groups = on.warps_resident_max();
  context_.inline_data = o.executor == executor_kind::threads;
  context_.ticket_groups = 2;
  while (completion_slots() > completion_slots_max && context_.ticket_groups > 1) --context_.ticket_groups;
  if (completion_slots() > completion_slots_max)
    throw error(error_code::bad_option, "the device has more resident threads than a request can name");

  ruler host;
  const std::size_t slots = host.add(sizeof(request_slot) * queues * o.slots_per_queue);
  const std::size_t published = host.add(sizeof(published_head_line) * queues);
  const std::size_t completions = host.add(sizeof(completion_slot) * completion_slots());
  const std::size_t extra = host.add(sizeof(completion_extra) * completion_slots());
  const std::size_t line_count = std::size_t{context_.groups} * slots_in_group;
  const std::size_t lines = host.add(context_.inline_data ? sizeof(completion_line) * line_count : 0);
  const std::size_t seen = host.add(sizeof(u64) * completion_slots());
  const std::size_t interrupt = host.add(sizeof(interrupt_words));
  const auto counts = buffers_of(o.bounce_bytes);
  bounce_pool pool{};
  std::vector<u64> bitmap;  // at the start: the bits of buffers that are not usable yet are set
  for (u32 i = 0; i < bounce_classes; ++i) {
    const u32 usable = buffers_at_start(i, context_.bounce_buffers[i] = counts[i]);
    pool.classes[i].growth = as_word({usable, 0, false});
    const std::size_t first = bitmap.size();
    bitmap.resize(first + words_for(counts[i]), ~u64{0});
    std::fill_n(bitmap.begin() + static_cast<std::ptrdiff_t>(first), usable / 64, 0);
    if (usable % 64 != 0) bitmap[first + usable / 64] = ~u64{0} << usable % 64;
  }
  const std::size_t returned = host.add(sizeof(u64) * (bitmap.size() + bounce_classes));
  const std::size_t buffers = host.add(0, 4096);
  for (u32 i = 0; i < bounce_classes; ++i) host.add(std::size_t{counts[i]} << buffer_bytes_log2(i), 1);
  const std::size_t arena_at = host.add(0, 4096);
  host.add(user_arena::bytes_to_reserve(o.arena_bytes), 1);

  ruler dev;
  const std::size_t producers = dev.add(sizeof(producer_state) * queues);
  const std::size_t claims = dev.add(sizeof(u64) * context_.groups * (1 + context_.ticket_groups));
  const std::size_t first_looks = dev.add(sizeof(u32) * context_.groups * first_look_kinds);
  const std::size_t ended = dev.add(sizeof(u32));
  const std::size_t bounce = dev.add(sizeof(bounce_pool) + 2 * sizeof(u64) * bitmap.size());
  const std::size_t copy = dev.add(sizeof(device_context));
  const std::size_t ranges = dev.add(sizeof(range_table));
  const std::size_t grids = dev.add(sizeof(grid_table) + sizeof(grid_call_record) * grids_max * o.grid_calls_max);
  const std::size_t heap = dev.add(sizeof(heap_state));

  owned_.host = on.reserve_both(host.length());
  owned_.device_block = on.allocate(dev.length());
  on.fill(owned_.device_block, 0, dev.length());
  auto* h = static_cast<unsigned char*>(owned_.host);
  auto* d = static_cast<unsigned char*>(owned_.device_block);
  if (!on.provide(h, buffers)) throw cannot_pin(buffers, "requests", "slots_per_queue");
  pinned_bytes_ = buffers;
  context_.slots = reinterpret_cast<request_slot*>(h + slots);
  context_.published_heads = reinterpret_cast<published_head_line*>(h + published);
  context_.completion_slots = reinterpret_cast<completion_slot*>(h + completions);
  context_.extras = reinterpret_cast<completion_extra*>(h + extra);
  if (context_.inline_data) context_.lines = reinterpret_cast<completion_line*>(h + lines);
  context_.seen = reinterpret_cast<u64*>(h + seen);
  interrupt_ = reinterpret_cast<interrupt_words*>(h + interrupt);
  context_.interrupt = &interrupt_->raised;
  context_.producers = reinterpret_cast<producer_state*>(d + producers);
  context_.claims = reinterpret_cast<u64*>(d + claims);
  context_.first_looks = reinterpret_cast<u32*>(d + first_looks);
  context_.ended = reinterpret_cast<u32*>(d + ended);
  context_.bounce = reinterpret_cast<bounce_pool*>(d + bounce);
  context_.copy = reinterpret_cast<const device_context*>(d + copy);
  context_.ranges = reinterpret_cast<range_table*>(d + ranges);
  context_.grids = reinterpret_cast<grid_table*>(d + grids);
  context_.heap = reinterpret_cast<heap_state*>(d + heap);
  const u32 calls_log2 = static_cast<u32>(std::countr_zero(o.grid_calls_max));
  on.copy_to_device(&context_.grids->calls_log2, &calls_log2, sizeof calls_log2);
  const auto base = reinterpret_cast<std::uintptr_t>(h);
  context_.arena_begin = base + buffers;
  context_.arena_end = base + host.length();
  arena_.reset(on, base + arena_at, o.arena_bytes);

  pool.returned = reinterpret_cast<u64*>(h + returned);
  returns_ = bounce_returns(context_, reinterpret_cast<u64*>(h + returned));
  growth_ = std::make_unique<bounce_growth>(on, context_, returns_);
  growth_->begin();
  on.copy_to_device(context_.bounce, &pool, sizeof pool);
  on.copy_to_device(taken_words(context_), bitmap.data(), bitmap.size() * sizeof(u64));
  on.copy_to_device(d + copy, &context_, sizeof context_);
}

void layout::tell(shared_ring_table* rings, shared_ring_shape as) {
  context_.rings = rings;
  context_.rings_shape = as;
  owned_.of.copy_to_device(const_cast<device_context*>(context_.copy), &context_, sizeof context_);
}

}  // namespace genesys::detail
