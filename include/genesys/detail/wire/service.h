// SPDX-License-Identifier: Apache-2.0
// The service protocol: how a request crosses from the CPU to a kernel that stays, and its completion back.
// Freestanding, used by both sides on both devices. The kernel's side is detail/service/, the host's side src/service/.
// models/service.pml checks it, and docs/service.md explains it.
//
// Memory.
//   pinned   requests[slots]      256 bytes each; written by threads of the host, read by the dispatcher
//            completions[slots]   8 bytes each, in a line of their own; written by a block, read by the host
//            words                asked: written by the host. gone: the number of the last launch that has left;
//                                 written by the dispatcher
//            rows[row]            the loaded services: written by the host while no request holds the row
//   device   state                head, left, ready[block], mailboxes[block], took[row], shares[completion slot]: only
//                                 kernels
//            launch_records[completion slot]: only launches of requests
//   private  the host's: tail, which completion slots are free, the use of each, who holds a row, the current launch
//
// The *non-stop kernel* has one block that dispatches, and others that run requests. It leaves, and a launch brings it
// back. `head` and the counts in `ready` outlive a launch, because launches of one stream follow each other.
//
// A request. (Q: the host, K: the dispatcher, B: a block.)
//   Q1 Hold the service's row, if it is open and has the version.   Q2 Take a free completion slot, and count its uses.
//   Q3 Reserve a sequence number.   Q4 Store the words of the slot, in any order, each with the number's tag.
//   Q5 Attend: look at the completion slot and at `gone`, again and again. If `gone` is the current launch, launch the
//   next one.   Q6 The slot has the tag of this use: collect it, once.   Q7 Release the row, then the slot.
//   K1 Read the slot at `head`; all words that word 0 names must have the tag of `head`.   K2 Find ready blocks.
//   K3 Assign shares to them, at most one to each: store the words into their mailboxes, each with the mailbox's tag.
//   Then head -> head + 1.   K4 Leave, only while all blocks are ready: store `head` and `left`, then `gone`.
//   K5 In place of K2 and K3: the dispatcher's block runs a request that is short, B2 to B4, while no other one waits.
//   B1 Read the mailbox until all words have the next tag, or `left` is this launch.   B2 Compare the row's version.
//   B3 Run the share.   B4 The block that ends the last share stores the completion.   B5 Be ready again.
// A request is run by a launch of its own, in place of Q3, Q4 and all of K and B. L1 The host launches a kernel that
// has the request as its parameter.   L2 Each of its blocks runs its block of the request.   L3 The block that ends
// last makes the launch record zero, and stores the completion.
//
// Code is loaded: another kernel, which has one function more, takes the place of the one that runs.
//   X1 Reserve a row. Link the new kernel.   X2 Hold launches back, and set `stop`.   X3 Wait until the old kernel has
//   left.   X4 Launches are of the new kernel from here on: clear `stop`, launch.   X5 Open the row.
//   Requests are published meanwhile as always; they wait in their slots (J5).
//
// The dispatcher may be the resident raiser of a scheduler, too (N3 to N5, wire/abort.h). Raisers are counted. G1 The
// host stores the raiser's context, then its number. It attends the raiser as it attends a request: if `gone` is the
// current launch, it launches the next one.   G2 A launch gets the number of the last raiser that has left. A
// dispatcher that sees a later one begins as that.   G3 It ends to be one when the raiser's `stop` is set, and before
// K4. Then the host may store another context (models/service_raiser.pml).
//
// A service is unloaded. U1 Close the row.   U2 Wait until no request holds it.   U3 Give it a new version.
//
// Invariants.
//   J1 Each request holds a completion slot from before Q3 until it is collected. So of the requests t - slots to t two
//      have the same completion slot. The earlier of them was collected before t was reserved, and number t - slots was
//      taken no later than it, because the dispatcher takes them in order. (A completion slot whose request has failed
//      without a completion is not used again.) So the slot of t is free at Q4, and the host needs to know nothing of
//      `head`.
//   J2 8 bytes arrive whole or not at all; words arrive in any order. A request or a share is complete when all words
//      that it names have the tag. Words that a request does not need are left out, but in each 128th generation of the
//      slot they are written. So a word is less than 128 generations old, and tags tell 256 apart.
//   J3 A block that is ready has read its mailbox, and no share is on its way to it. Only the dispatcher assigns, and
//      it counts what it has assigned. So a mailbox is overwritten only after it was read.
//   J4 A completion slot has one owner from Q2 to Q7. In between, one completion is stored, with the tag of this use.
//      Any other tag but the one before is malformed: the request then fails, and the slot is not used again.
//      In an isolated server (src/service/isolate.cpp) the device's side can be killed. A dead side stores nothing, so
//      all slots are used again, when the host holds all of them and has begun the memory again.
//   J5 `gone` of a launch is stored once, after its last look. Until the next launch it stays, and each request in
//      flight is attended by its own thread or by the monitor. So a request that the dispatcher has not seen brings the
//      kernel back, whenever it was published: no fence is needed between leaving and publishing.
//   J6 `left` is stored only when all shares are done, so a block that sees it has no share. A block that begins late
//      sees it at once.
//   J7 The row of a request keeps its version while the request holds it.
//   A launch of its own keeps them, too. It has no sequence number, so J1 counts fewer requests. Its parameter is there
//   before it begins, so there are no tags (J2). It has its completion slot and row as others do (J4, J7), and the
//   launch record goes with the completion slot. It is attended only for its completion: no `gone` concerns it (J5).
//   J8 A kernel that sees a request of a loaded service has its function. The row opens behind X4, and all later
//      kernels have the functions of all rows that are not unloaded. A row is reserved again only after U3.
#pragma once

#include "genesys/detail/wire/types.h"

namespace genesys::detail::services {

constexpr u32 slots_min = 16, slots_max = 4096;  // requests in flight: a power of two
constexpr u32 blocks_max = 128;                  // that run requests
constexpr u32 rows_max = 64;                     // services that are loaded at a time
constexpr u32 request_blocks_max = (1u << 24) - 1;

// --- A request's words. Bits 63 to 56 are the tag.

constexpr u32 slot_words = 32;  // one for each lane of the dispatcher
constexpr u32 tag_shift = 56;
constexpr u64 payload_mask = (u64{1} << tag_shift) - 1;
constexpr u32 whole_generations = 128;  // each so many generations all words are written

constexpr u32 header_words = 2;         // then the arguments
constexpr u32 argument_words_max = 24;  // of 64 bits
constexpr u32 argument_bytes_max = 8 * argument_words_max;
constexpr u32 share_word = 30;  // in a mailbox alone

struct alignas(256) request_slot {
  u64 words[slot_words];
};
static_assert(sizeof(request_slot) == 256);

// The tag of sequence number `t`. Memory starts as zeros, and generation 0 has tag 1.
GENESYS_KERNEL constexpr u64 tag_of(u64 t, u32 slots_log2) { return ((t >> slots_log2) + 1) & 255u; }
GENESYS_KERNEL constexpr bool is_whole(u64 t, u32 slots_log2) {
  return ((t >> slots_log2) & (whole_generations - 1)) == 0;
}

struct request_header {
  u32 row;              // 8 bits
  u32 version;          // 24 bits: of the row
  u32 words;            // 6 bits: how many words of the slot are needed
  u32 quiet;            // 1 bit: the service uses no memory that the host or another request uses
  u32 blocks;           // 24 bits: that the request wants, at least 1
  u32 completion_slot;  // 16 bits
  u32 use;              // 16 bits: of the completion slot
};

constexpr u32 version_mask = (1u << 24) - 1;

GENESYS_KERNEL constexpr u64 pack_word_0(const request_header& h) {
  return u64{h.row & 255u} | u64{h.version & version_mask} << 8 | u64{h.words & 63u} << 32 | u64{h.quiet & 1u} << 38;
}
GENESYS_KERNEL constexpr u64 pack_word_1(const request_header& h) {
  return u64{h.blocks & request_blocks_max} | u64{h.completion_slot & 0xffffu} << 24 | u64{h.use & 0xffffu} << 40;
}
GENESYS_KERNEL constexpr u32 words_of(u64 word_0) { return static_cast<u32>(word_0 >> 32) & 63u; }
GENESYS_KERNEL constexpr bool is_quiet(u64 word_0) { return (word_0 >> 38 & 1u) != 0; }
GENESYS_KERNEL constexpr request_header unpack_header(u64 word_0, u64 word_1) {
  return {static_cast<u32>(word_0) & 255u,
          static_cast<u32>(word_0 >> 8) & version_mask,
          words_of(word_0),
          u32{is_quiet(word_0)},
          static_cast<u32>(word_1) & request_blocks_max,
          static_cast<u32>(word_1 >> 24) & 0xffffu,
          static_cast<u32>(word_1 >> 40) & 0xffffu};
}

// Arguments of 64 bits are a string of bits, of which each word has 56.
constexpr u32 words_for(u32 argument_words) { return header_words + (argument_words * 64 + tag_shift - 1) / tag_shift; }
static_assert(words_for(argument_words_max) <= share_word);

// Word `header_words + i`, of `count` arguments.
constexpr u64 pack_arguments(const u64* arguments, u32 count, u32 i) {
  const u32 first = i * tag_shift / 64, shift = i * tag_shift % 64;
  u64 bits = arguments[first] >> shift;
  if (shift > 64 - tag_shift && first + 1 < count) bits |= arguments[first + 1] << (64 - shift);
  return bits & payload_mask;
}
// Argument `i`, from the words of a slot or mailbox.
GENESYS_KERNEL constexpr u64 unpack_argument(const u64* words, u32 i) {
  const u32 first = header_words + i * 64 / tag_shift, shift = i * 64 % tag_shift;
  return (words[first] & payload_mask) >> shift | (words[first + 1] & payload_mask) << (tag_shift - shift);
}

// --- A share: a request as one block gets it. Share s of n runs the blocks s, s + n, s + 2n, ... of the request.

GENESYS_KERNEL constexpr u64 pack_share(u32 share, u32 shares) { return u64{share} | u64{shares} << 16; }
GENESYS_KERNEL constexpr u32 share_of(u64 word) { return static_cast<u32>(word) & 0xffffu; }
GENESYS_KERNEL constexpr u32 shares_of(u64 word) { return static_cast<u32>(word >> 16) & 0xffffu; }

// What the blocks of a request with several shares add up. The dispatcher sets it before it assigns them.
// Large shares have a negative result, or a sum from 2^40 on.
struct alignas(32) share_record {
  u64 word;      // {shares that have not ended : 8 | large shares that have : 8 | sum of the others' results : 48}
  u64 sum;       // of the large shares
  u64 greatest;  // of the negated negative results; 0: none
  u64 unused;
};
static_assert(sizeof(share_record) == 32);

constexpr u32 shares_shift = 56;
constexpr u64 one_share = u64{1} << shares_shift, large_share = u64{1} << 48;
constexpr i64 small_sum = i64{1} << 40;  // blocks_max smaller ones fit 48 bits

// --- A request that is run by a launch of its own.

// What its blocks add up. Zero while no block of it has ended.
struct alignas(32) launch_record {
  u64 ended;     // blocks
  u64 low;       // of the results that are not negative: the sum of their bits 0 to 39
  u64 high;      // and of the others
  u64 greatest;  // of the negated negative results; 0: none
};
static_assert(sizeof(launch_record) == 32);
constexpr u32 low_bits = 40;
static_assert(u64{request_blocks_max} << low_bits >> low_bits == request_blocks_max);

// --- Completions: {use : 16 | result : 48}

constexpr u32 result_bits = 48;
constexpr i64 result_max = (i64{1} << (result_bits - 1)) - 1;

struct alignas(64) completion_slot {
  u64 word;
  u64 unused[7];
};
static_assert(sizeof(completion_slot) == 64);

GENESYS_KERNEL constexpr bool fits_result(i64 value) { return value <= result_max && value >= -result_max - 1; }
GENESYS_KERNEL constexpr u64 pack_completion(u32 use, i64 result) {
  return u64{use & 0xffffu} << result_bits | (static_cast<u64>(result) & ((u64{1} << result_bits) - 1));
}
GENESYS_KERNEL constexpr u32 use_of(u64 word) { return static_cast<u32>(word >> result_bits); }
constexpr i64 result_of(u64 word) { return static_cast<i64>(word << (64 - result_bits)) >> (64 - result_bits); }

// --- Services.

constexpr u32 row_words = 16;
constexpr u32 object_bytes_max = 8 * (row_words - 1);  // of a service's functor

// Codes count the services of the kernel's list. That of a loaded service, in row r, is loaded_codes + r.
constexpr u32 loaded_codes = 1u << 16;

struct alignas(128) service_row {
  u64 head;                   // {version : 32 | code : 32}
  u64 object[row_words - 1];  // the functor
};
static_assert(sizeof(service_row) == 128);

GENESYS_KERNEL constexpr u64 pack_row_head(u32 version, u32 code) { return u64{version} << 32 | code; }

// --- Words of the kernel.

constexpr u64 asked_to_stop = 1, one_raiser = u64{1} << 32;
GENESYS_KERNEL constexpr u32 raiser_in(u64 asked) { return static_cast<u32>(asked >> 32); }

struct pinned_words {
  // Written by the host: {number of the raiser : 32 | stop : 32}. stop: leave when all blocks are ready. One word,
  // because each further load makes a look longer.
  alignas(128) u64 asked;
  u64 raiser_is[3];       // an aborts::raiser_context: its words, flags, replicas
  alignas(128) u32 gone;  // written by the dispatcher: the last launch that has left
  // Written by the dispatcher of a kernel that runs loaded services: the last launch that has begun. Only for reports.
  alignas(128) u32 began;
};

struct device_state {
  alignas(128) u64 head;               // sequence number of the next request, while no launch runs
  alignas(128) u32 left;               // the launch whose blocks leave
  alignas(256) u64 ready[blocks_max];  // {launch : 32 | shares that the block has ended : 32}
  u64 took[rows_max];  // {version : 32 | nanoseconds : 32}: how long a block of the service takes, at most
  request_slot mailboxes[blocks_max];
};

constexpr u64 took_max = 0xffffffff;
GENESYS_KERNEL constexpr u64 pack_took(u32 version, u64 ns) { return u64{version} << 32 | ns; }

GENESYS_KERNEL constexpr u64 pack_ready(u32 launch, u32 ended) { return u64{launch} << 32 | ended; }

// What a launch gets, by value.
struct serve_context {
  const request_slot* requests;
  completion_slot* completions;
  pinned_words* words;
  device_state* state;
  share_record* shares;  // for each completion slot
  const service_row* rows;
  const u64* loaded = nullptr;  // for each row: the address of its loaded function, or 0. Null: there are none
  u64 idle_ns;                  // it leaves when it has had nothing to do for so long
  u64 stay_ns;                  // and after this time even if it has; 0: no limit
  u64 short_ns;                 // the dispatcher's block runs a request that takes no longer
  u32 launch;                   // never 0
  u32 raisers_ended = 0;        // contexts that are no longer there
  u32 slots_log2;
};

// What a launch of a request gets, by value. A large request has several launches.
struct launch_context {
  alignas(16) unsigned char arguments[argument_bytes_max];
  alignas(16) unsigned char object[object_bytes_max];  // the functor
  completion_slot* completions;
  launch_record* records;  // for each completion slot
  u32 code;
  u32 first, blocks;  // the number of the launch's first block; how many the request has. 0: it does nothing
  u32 slot, use;      // of the completion
};
static_assert(sizeof(launch_context) <= 4096);  // CUDA's limit for parameters

}  // namespace genesys::detail::services
