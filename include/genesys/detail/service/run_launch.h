// SPDX-License-Identifier: Apache-2.0
// A request that is run by a launch of its own (L2 and L3, wire/service.h). All threads of the launch call it. The
// template's parameters are the services of the server.
#pragma once

#include <cerrno>

#include "genesys/detail/service/run_share.h"

namespace genesys::detail::services {

// L3, by thread 0 of a block whose threads have stored all their results.
GENESYS_KERNEL void end_block_of_launch(const launch_context& c, i64 result) {
  using device_word = global_atomic<u64>;
  launch_record& record = c.records[c.slot];
  if (result < 0) {
    device_word(record.greatest).fetch_max(0 - static_cast<u64>(result), order::relaxed);
  } else {
    const u64 value = static_cast<u64>(result > result_max ? result_max + 1 : result);  // gives -EOVERFLOW
    const u64 low = value & ((u64{1} << low_bits) - 1), high = value >> low_bits;
    if (low != 0) device_word(record.low).fetch_add(low, order::relaxed);
    if (high != 0) device_word(record.high).fetch_add(high, order::relaxed);
  }
  // Each block releases here what it wrote. The last one acquires it, and passes it on with the completion.
  fence_if_relaxed_device();
  if (device_word(record.ended).fetch_add(1, counting_order) + 1 != c.blocks) return;
  fence_if_relaxed_device();
  const u64 low = device_word(record.low).load(order::relaxed), high = device_word(record.high).load(order::relaxed);
  const u64 greatest = device_word(record.greatest).load(order::relaxed);
  for (u64* const word : {&record.ended, &record.low, &record.high, &record.greatest})
    device_word(*word).store(0, order::relaxed);
  constexpr u64 too_high = u64{1} << (result_bits - low_bits);
  const u64 all_high = high + (low >> low_bits);
  const i64 sum = all_high >= too_high ? result_max + 1 : static_cast<i64>((high << low_bits) + low);
  const i64 least = static_cast<i64>(0 - greatest);
  const i64 value = least < 0 ? least : sum;
  const global_atomic<u64, thread_scope::system> completion(c.completions[c.slot].word);
  GENESYS_ASSERT(use_of(completion.load(order::relaxed)) == ((c.use - 1) & 0xffffu),
                 "J4: each use of a completion slot has one completion");
  // Pairs with core::look (Q6).
  completion.store(pack_completion(c.use, fits_result(value) ? value : -EOVERFLOW), order::release);
}

template <class... S>
GENESYS_KERNEL void run_launch(const launch_context& c) {
  if (c.blocks == 0) return;
  const i64 result = run_service<S...>(c.code, c, {c.first + block_rank(), c.blocks});
  sync_block();
  if (thread_rank() == 0) end_block_of_launch(c, result);
}

}  // namespace genesys::detail::services
