// SPDX-License-Identifier: Apache-2.0
// The rewriter's view of the words that instrumented kernels share with the host must be the host's. The library
// genesys_schedule uses no other header of the project, so they are compared here, when this file compiles.
#include <gtest/gtest.h>

#include <cstddef>
#include <type_traits>

#include "genesys/detail/wire/abort.h"
#include "genesys/detail/wire/block_times.h"
#include "schedule/rewrite/abort_words.h"
#include "schedule/rewrite/time_words.h"

namespace genesys::schedule {
namespace {

using detail::aborts::flag_line;
using detail::aborts::latch_line;
using detail::aborts::launch_context;
using detail::aborts::leave_counts;
using detail::times::block_time_record;
using detail::times::block_times;

static_assert(context_flags == offsetof(launch_context, flags) && sizeof(launch_context::flags) == 8);
static_assert(context_counts == offsetof(launch_context, counts) && sizeof(launch_context::counts) == 8);
static_assert(context_latch == offsetof(launch_context, latch) && sizeof(launch_context::latch) == 8);
static_assert(context_epoch == offsetof(launch_context, epoch) && sizeof(launch_context::epoch) == 4);
static_assert(context_chain == offsetof(launch_context, chain) && sizeof(launch_context::chain) == 4);
static_assert(context_mask == offsetof(launch_context, replicas_mask) && sizeof(launch_context::replicas_mask) == 4);
static_assert(context_ahead == offsetof(launch_context, ahead) && sizeof(launch_context::ahead) == 4);
static_assert(context_bytes == sizeof(launch_context) && context_align == alignof(launch_context));

// A block's flag is one word of a line for each replica. launch_context has the address of the one in replica 0.
static_assert(flag_stride == sizeof(flag_line) && sizeof(flag_line::epoch) == 4);
static_assert(std::is_same_v<decltype(launch_context::flags), detail::u32*>);
static_assert(std::is_same_v<decltype(launch_context::latch), detail::u32*> && offsetof(latch_line, chain) == 0);

static_assert(count_replicas == detail::aborts::count_replicas && count_stride == sizeof(leave_counts));
static_assert(count_left_later == offsetof(leave_counts, left_later) && sizeof(leave_counts::left_later) == 8);
static_assert(count_left_at_entry == offsetof(leave_counts, left_at_entry) && sizeof(leave_counts::left_at_entry) == 8);

static_assert(times_record == offsetof(block_times, record) && sizeof(block_times::record) == 8);
static_assert(times_mask == offsetof(block_times, sample_mask) && sizeof(block_times::sample_mask) == 4);
static_assert(times_sample == offsetof(block_times, sample) && sizeof(block_times::sample) == 4);
static_assert(times_bytes == sizeof(block_times) && times_align == alignof(block_times));
static_assert(record_longest == offsetof(block_time_record, longest_ns) && sizeof(block_time_record::longest_ns) == 8);
static_assert(record_sum == offsetof(block_time_record, sum_ns) && sizeof(block_time_record::sum_ns) == 8);
static_assert(record_threads == offsetof(block_time_record, threads) && sizeof(block_time_record::threads) == 8);
static_assert(record_bytes == sizeof(block_time_record));

// PTX finds its replica with a mask.
static_assert((count_replicas & (count_replicas - 1)) == 0);
static_assert((detail::aborts::flag_replicas_max & (detail::aborts::flag_replicas_max - 1)) == 0);

}  // namespace
}  // namespace genesys::schedule
