// SPDX-License-Identifier: Apache-2.0
// What a block of the non-stop kernel does with a share (B2 to B4, wire/service.h). The first warp prepares it, and all
// threads of the block run it. The template's parameters are the services that the kernel has; a service_row says which
// of them a request wants, and holds the functor.
#pragma once

#include <cerrno>
#include <cstring>
#include <type_traits>

#include "genesys/detail/service/loadable.h"
#include "genesys/detail/service/orders.h"
#include "genesys/detail/target/assert.h"

namespace genesys::detail::services {

// In shared memory.
struct alignas(16) block_memory {
  u64 words[slot_words];  // of the share
  alignas(16) unsigned char arguments[argument_bytes_max];
  alignas(16) unsigned char object[object_bytes_max];  // the functor
  u64 row_head;                                        // of the row that `object` is of
  u64 function;                                        // of a loaded service; 0: there is none
  u32 row;
  u32 leaves;
};

// Calls service number `code` of the list, or a loaded one. All threads of the block have the same code. `m` has its
// functor and arguments.
template <class S, class M>
GENESYS_KERNEL void run_if(u32 code, u32 number, const M& m, const service_block& here, i64& result) {
  if constexpr (std::is_same_v<S, loadable_services>) {
    if constexpr (requires { m.function; }) {
      if (code >= loaded_codes && m.function != 0)
        result = reinterpret_cast<loaded_function>(m.function)(here.block, here.blocks, m.arguments, m.object);
    }
  } else {
    if (code == number) result = run_object<S>(here, m.arguments, m.object);
  }
}
template <class... S, class M>
GENESYS_KERNEL i64 run_service(u32 code, const M& m, const service_block& here) {
  i64 result = -ENOSYS;
  u32 number = 0;
  (run_if<S>(code, number++, m, here, result), ...);
  return result;
}

template <class... S>
class share_runner {
 public:
  GENESYS_KERNEL explicit share_runner(const serve_context& c) : context_(c), mine_(shared<block_memory>()) {
    if (thread_rank() == 0) mine_.row = rows_max;  // none
  }

  // By all lanes of the first warp: the share that the block runs next. `payload`: this lane's word of it. Behind it
  // comes a barrier.
  GENESYS_KERNEL void prepare(u64 payload) const {
    if (lane() == 0) mine_.leaves = 0;
    mine_.words[lane()] = payload;
    sync_warp(whole_warp);
    if (lane() < argument_words_max) {
      const u64 argument = unpack_argument(mine_.words, lane());
      std::memcpy(mine_.arguments + 8 * lane(), &argument, 8);
    }
    fetch_row(static_cast<u32>(mine_.words[0]) & 255u, static_cast<u32>(mine_.words[0] >> 8) & version_mask);
  }
  // By all lanes of the first warp: no share comes any more.
  GENESYS_KERNEL void prepare_to_leave() const {
    if (lane() == 0) mine_.leaves = 1;
  }
  GENESYS_KERNEL bool leaves() const { return mine_.leaves != 0; }  // behind the barrier

  // B2 to B4, by all threads of the block. At the end nobody reads the share any more, but thread 0.
  GENESYS_KERNEL void run() const {
    const request_header request = unpack_header(mine_.words[0], mine_.words[1]);
    const u32 share = share_of(mine_.words[share_word]), shares = shares_of(mine_.words[share_word]);
    const bool stale = request.row >= rows_max || request.blocks == 0 ||
                       (static_cast<u32>(mine_.row_head >> 32) & version_mask) != request.version;
    const u64 began = thread_rank() == 0 ? clock_ns() : 0;
    i64 sum = 0, least = 0;
    if (stale) {
      least = -ESTALE;
      sync_block();
    } else {
      for (u32 b = share; b < request.blocks; b += shares) {
        const i64 result = run_service<S...>(static_cast<u32>(mine_.row_head), mine_, {b, request.blocks});
        if (result < 0) {
          least = result < least ? result : least;
        } else {
          sum = result > result_max || sum > result_max ? result_max + 1 : sum + result;  // both give -EOVERFLOW
        }
        sync_block();  // the service's shared memory is free again; at the end all its results are stored
      }
    }
    if (thread_rank() != 0) return;
    complete(request, shares, sum, least);
    if (!stale) learn(request, clock_ns() - began, shares);
  }

 private:
  using device_word = global_atomic<u64>;

  // The row is kept from one request to the next: a row changes only together with its version.
  GENESYS_KERNEL void fetch_row(u32 row, u32 version) const {
    const bool known = mine_.row == row && static_cast<u32>(mine_.row_head >> 32) == version;
    sync_warp(whole_warp);
    if (known) return;
    if (row < rows_max && lane() < row_words) {
      // Pinned memory. The host wrote it before it submitted the request, and the words of that are here.
      fence<thread_scope::system>();
      const u64 word =
          global_atomic<const u64, thread_scope::system>(reinterpret_cast<const u64*>(&context_.rows[row])[lane()])
              .load(order::relaxed);
      if (lane() == 0) {
        mine_.row_head = word;
        if constexpr (has_loadable<S...>) mine_.function = function_of(static_cast<u32>(word));
      } else {
        std::memcpy(mine_.object + 8 * (lane() - 1), &word, 8);
      }
    }
    if (lane() == 0) mine_.row = row;
  }

  // J8: the row is open only if the table of this launch has its function.
  GENESYS_KERNEL u64 function_of(u32 code) const {
    const u32 row = code - loaded_codes;
    return code >= loaded_codes && row < rows_max && context_.loaded != nullptr ? context_.loaded[row] : 0;
  }

  // B4, by thread 0.
  GENESYS_KERNEL void complete(const request_header& request, u32 shares, i64 sum, i64 least) const {
    const u32 slot = request.completion_slot & ((1u << context_.slots_log2) - 1);
    if (shares > 1 && !add_up(context_.shares[slot], request.quiet != 0, sum, least)) return;
    const i64 result = least < 0 ? least : fits_result(sum) ? sum : -EOVERFLOW;
    const global_atomic<u64, thread_scope::system> completion(context_.completions[slot].word);
    GENESYS_ASSERT(use_of(completion.load(order::relaxed)) == ((request.use - 1) & 0xffffu),
                   "J4: each use of a completion slot has one completion");
    // Pairs with core::look (Q6).
    const u64 word = pack_completion(request.use, fits_result(result) ? result : -EOVERFLOW);
    completion.store(word, request.quiet != 0 ? store_order : order::release);
  }

  // Whether this is the last share; `sum` and `least` are then those of all.
  GENESYS_KERNEL static bool add_up(share_record& record, bool quiet, i64& sum, i64& least) {
    u64 add = static_cast<u64>(sum);
    if (least < 0 || sum >= small_sum) {
      device_word(record.sum).fetch_add(add, order::relaxed);
      device_word(record.greatest).fetch_max(static_cast<u64>(-least), order::relaxed);
      add = large_share;
    }
    // What this block wrote goes before the completion, which another block may store.
    if (quiet) {
      fence_if_relaxed_device();
    } else {
      fence_if_relaxed_system();
    }
    const u64 before = device_word(record.word).fetch_add(add - one_share, counting_order);
    if (before >> shares_shift != 1) return false;
    const u64 now = before + add - one_share;
    sum = static_cast<i64>(now & (large_share - 1));
    least = 0;
    if (now >= large_share) {
      fence_if_relaxed_device();
      const u64 large = device_word(record.sum).load(order::relaxed);
      sum = large > static_cast<u64>(result_max) ? result_max + 1 : sum + static_cast<i64>(large);
      least = -static_cast<i64>(device_word(record.greatest).load(order::relaxed));
    }
    return true;
  }

  // How long a block of the service takes, at most; dispatcher::is_short reads it, and halves it now and then. Neither
  // waits for the other: a store that overwrites a maximum only makes the estimate older.
  GENESYS_KERNEL void learn(const request_header& request, u64 ns, u32 shares) const {
    const u64 each = request.blocks <= shares ? ns : ns / ((request.blocks + shares - 1) / shares);
    device_word(context_.state->took[request.row])
        .fetch_max(pack_took(request.version, each < took_max ? each : took_max), order::relaxed);
  }

  const serve_context& context_;
  block_memory& mine_;
};

}  // namespace genesys::detail::services
