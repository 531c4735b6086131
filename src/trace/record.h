// SPDX-License-Identifier: Apache-2.0
// A recorded call, and how it is packed into words of 8 bytes. Serving threads pack; readers of recordings unpack. A
// call without pointers takes 40 to 80 bytes.
//
//   word 0   bits 0-7 words of the record, 8-9 record_kind, 10-11 made_by, 12-17 record_flags, 18-19 scope, 20-21 wait
//            mode, 22-26 warp, 27-46 block, 47-58 number, 59 one more bit of made_by
//   word 1   bits 0-18 published, 19-29 run, 30-49 completion slot, 50-61 the form of each argument, 62-63 of the
//   result word 2   when the completion was written, in ticks then, without gaps:
//     3 x 4 bytes  so many ticks before that, the call was taken, started, ended; ~0: not known. With flag_long, 3 x 8
//                  bytes: these times themselves; 0: not known
//     12 bytes     with flag_seen: seen_earlier, as 4 bytes (so many ticks before this completion), 4, and 4
//     8 bytes      with made_by::kernel, unless the call was posted: ring_times
//     the arguments, the result; by their forms no bytes (a zero), 4 bytes without a sign, 8 bytes, 4 bytes with a sign
//   then zeros up to a word; with flag_data, up to the end, what was recorded of memory: packed_data
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>

#include "trace/format.h"

namespace genesys::trace {

static_assert(std::endian::native == std::endian::little, "the packed form is little-endian");

enum class record_kind : std::uint8_t { call = 1 };

// How a call was made.
enum class made_by : std::uint8_t {
  worker = 0,       // by a worker, at once
  worker_ring = 1,  // by io_uring, for a worker
  later = 2,        // by a worker, after the call was parked or held
  other = 3,        // by none of them: the parking thread completed it, or the end of the runtime canceled it
  kernel = 4,       // by the kernel through a shared ring. The times of the host are those of the lane's report
};

enum record_flags : std::uint8_t {
  flag_again = 1,      // Linux was not asked: the leader waits for the descriptor, and makes the call again
  flag_malformed = 2,  // the request was invalid
  flag_dependent = 4,  // it followed an earlier call; its `published` is not known
  flag_long = 8,       // these three say what the packed form holds
  flag_seen = 16,
  flag_data = 32,
};

// Times are in ticks (ticks.h); 0: not known.
struct call_times {
  std::uint64_t taken;      // a worker dequeued the request
  std::uint64_t started;    // a thread began to make the call
  std::uint64_t ended;      // Linux returned
  std::uint64_t completed;  // the completion is written
};

// When the leader of the call before, at the same completion slot, saw its completion. It is known only when the next
// call at the slot completes.
struct seen_earlier {
  std::uint64_t completed;  // of that call, in ticks; 0: nothing is known
  std::uint32_t seen;       // the device's clock, in ns, its low 32 bits
  std::uint32_t number;     // of that call
};

// Of a call through a shared ring, on the device's clock in ns. Both are 0 for a posted call, whose `published` is when
// it was submitted, and whose result is not known.
struct ring_times {
  std::uint32_t took;  // from submitting until the lane had the result; ~0: that or longer
  std::uint32_t seen;  // when the lane had the result, the low 32 bits
};

struct call_record {
  made_by by;
  std::uint8_t flags;             // record_flags
  std::uint8_t scope;             // wire::scope_kind
  std::uint8_t mode;              // wire::wait_mode
  std::uint8_t warp;              // in its block, the low 5 bits
  std::uint16_t run;              // the number of the run
  std::uint16_t number;           // of the call in Linux, or a wire::internal_number
  std::uint32_t block;            // its low 19 bits
  std::uint32_t published;        // the device's clock at publishing, its low 19 bits, in units of 1,024 ns
  std::uint32_t completion_slot;  // 20 bits; of a posted call 0
  std::uint64_t args[6];          // as the host got them: a staged pointer is the address of a bounce buffer
  std::int64_t result;            // Linux's result, or -errno
  call_times at;
  seen_earlier earlier;
  ring_times ring;
  // Whether `result` is Linux's.
  bool has_result() const;
  bool has_ring_times() const;
};

constexpr std::uint8_t mode_posted = 2;  // wire::wait_mode
inline bool call_record::has_ring_times() const { return by == made_by::kernel && mode != mode_posted; }
inline bool call_record::has_result() const {
  return (flags & (flag_again | flag_malformed)) == 0 && !(by == made_by::kernel && mode == mode_posted);
}

// What was recorded of the memory behind an argument: this, then `bytes` bytes, then zeros up to a word.
struct packed_data {
  std::uint32_t key;  // data_key()
  std::uint16_t bytes;
  std::uint16_t total;  // so many bytes are there; 0xffff: that or more, or not known
};
static_assert(sizeof(packed_data) == 8);
// `part`: 0 for what the argument points to; others: argument_bytes.h, or part_path.
constexpr std::uint32_t data_key(unsigned arg, unsigned part) { return arg | part << 3; }
constexpr unsigned part_path = (1u << 29) - 2;  // the path of the descriptor that the argument is, as in /proc/self/fd
constexpr unsigned arg_result = 7;              // ... that the result is

constexpr unsigned record_words_max = 255;
constexpr unsigned fixed_words_max = 16;  // of a record without data
constexpr unsigned data_words_max = record_words_max - fixed_words_max;

namespace packed {

enum form : unsigned { zero = 0, low = 1, full = 2, negative = 3 };

// Puts together values of 4 and 8 bytes in registers, so that each word is stored once.
class word_writer {
 public:
  explicit word_writer(std::uint64_t* to) : to_(to) {}
  void put_low(std::uint32_t value) {
    if (is_half_) {
      *to_++ = half_ | std::uint64_t{value} << 32;
    } else {
      half_ = value;
    }
    is_half_ = !is_half_;
  }
  void put_full(std::uint64_t value) {
    if (is_half_) {
      *to_++ = half_ | value << 32;
      half_ = value >> 32;
    } else {
      *to_++ = value;
    }
  }
  form put(std::uint64_t value) {
    if (value == 0) return zero;
    if (value >> 32 == 0) return put_low(static_cast<std::uint32_t>(value)), low;
    if (static_cast<std::int64_t>(value) == static_cast<std::int32_t>(value))
      return put_low(static_cast<std::uint32_t>(value)), negative;
    return put_full(value), full;
  }
  std::uint64_t* end() {
    if (is_half_) *to_++ = half_;
    return to_;
  }

 private:
  std::uint64_t* to_;
  std::uint64_t half_ = 0;
  bool is_half_ = false;
};

inline bool take(unsigned how, const unsigned char*& from, const unsigned char* end, std::uint64_t& value) {
  value = 0;
  const unsigned bytes = how == zero ? 0 : how == full ? 8 : 4;
  if (end - from < static_cast<std::ptrdiff_t>(bytes)) return false;
  std::memcpy(&value, from, bytes);
  if (how == negative) value = static_cast<std::uint64_t>(std::int64_t{static_cast<std::int32_t>(value)});
  from += bytes;
  return true;
}

constexpr std::uint32_t not_known = ~std::uint32_t{0};

}  // namespace packed

// Packs the call, and `data_words` words of packed_data, into `words`, which has room for record_words_max + 1. Returns
// how many words the record has.
[[gnu::always_inline]] inline unsigned pack(const call_record& call, const std::uint64_t* data, unsigned data_words,
                                            std::uint64_t* words) {
  const std::uint64_t completed = call.at.completed;
  unsigned flags = call.flags & (flag_again | flag_malformed | flag_dependent);
  packed::word_writer to(words + 3);
  const std::uint64_t times[3] = {call.at.taken, call.at.started, call.at.ended};
  for (const std::uint64_t time : times) {
    if (time != 0 && completed - time >= packed::not_known) [[unlikely]]
      flags |= flag_long;
  }
  if ((flags & flag_long) == 0) [[likely]] {
    for (const std::uint64_t time : times)
      to.put_low(time == 0 ? packed::not_known : static_cast<std::uint32_t>(completed - time));
  } else {
    for (const std::uint64_t time : times) to.put_full(time);
  }
  if (const std::uint64_t since = completed - call.earlier.completed;
      call.earlier.completed != 0 && since < packed::not_known) {
    flags |= flag_seen;
    to.put_low(static_cast<std::uint32_t>(since));
    to.put_low(call.earlier.seen);
    to.put_low(call.earlier.number);
  }
  if (call.has_ring_times()) [[unlikely]] {
    to.put_low(call.ring.took);
    to.put_low(call.ring.seen);
  }
  std::uint64_t forms = 0;
  for (int i = 0; i < 6; ++i) forms |= std::uint64_t{to.put(call.args[i])} << (50 + 2 * i);
  forms |= std::uint64_t{to.put(static_cast<std::uint64_t>(call.result))} << 62;
  auto count = static_cast<unsigned>(to.end() - words);
  if (data_words != 0) {
    flags |= flag_data;
    std::memcpy(words + count, data, data_words * sizeof *data);
    count += data_words;
  }
  words[0] = count | std::uint64_t{static_cast<unsigned>(record_kind::call)} << 8 |
             std::uint64_t{static_cast<unsigned>(call.by) & 3u} << 10 |
             std::uint64_t{static_cast<unsigned>(call.by) >> 2} << 59 | std::uint64_t{flags} << 12 |
             std::uint64_t{call.scope & 3u} << 18 | std::uint64_t{call.mode & 3u} << 20 |
             std::uint64_t{call.warp & 31u} << 22 | std::uint64_t{call.block & 0xfffffu} << 27 |
             std::uint64_t{call.number & 0xfffu} << 47;
  words[1] = (call.published & 0x7ffffu) | std::uint64_t{call.run & 0x7ffu} << 19 |
             std::uint64_t{call.completion_slot & 0xfffffu} << 30 | forms;
  words[2] = completed;
  return count;
}

// Unpacks the record in `count` words, and says where its data begins: `data_at` is `count` if there is none. False: it
// is no call, or invalid.
inline bool unpack(const std::uint64_t* words, unsigned count, call_record& call, unsigned& data_at) {
  if (count < 3 || (words[0] & 255) > count || (words[0] & 255) < 3) return false;
  count = words[0] & 255;
  const auto field = [](std::uint64_t word, int at, std::uint64_t mask) {
    return static_cast<std::uint32_t>(word >> at & mask);
  };
  if (field(words[0], 8, 3) != static_cast<unsigned>(record_kind::call)) return false;
  call.by = static_cast<made_by>(field(words[0], 10, 3) | field(words[0], 59, 1) << 2);
  const unsigned flags = field(words[0], 12, 63);
  call.flags = static_cast<std::uint8_t>(flags & (flag_again | flag_malformed | flag_dependent));
  call.scope = static_cast<std::uint8_t>(field(words[0], 18, 3));
  call.mode = static_cast<std::uint8_t>(field(words[0], 20, 3));
  call.warp = static_cast<std::uint8_t>(field(words[0], 22, 31));
  call.block = field(words[0], 27, 0xfffff);
  call.number = static_cast<std::uint16_t>(field(words[0], 47, 0xfff));
  call.published = field(words[1], 0, 0x7ffff);
  call.run = static_cast<std::uint16_t>(field(words[1], 19, 0x7ff));
  call.completion_slot = field(words[1], 30, 0xfffff);
  call.at.completed = words[2];
  const auto* const begin = reinterpret_cast<const unsigned char*>(words);
  const unsigned char *from = begin + 24, *const end = begin + count * std::size_t{8};
  std::uint64_t* const times[3] = {&call.at.taken, &call.at.started, &call.at.ended};
  for (std::uint64_t* time : times) {
    if (!packed::take((flags & flag_long) != 0 ? packed::full : packed::low, from, end, *time)) return false;
    if ((flags & flag_long) == 0) *time = *time == packed::not_known ? 0 : call.at.completed - *time;
  }
  call.earlier = {};
  if ((flags & flag_seen) != 0) {
    std::uint64_t since, seen, number;
    if (!packed::take(packed::low, from, end, since) || !packed::take(packed::low, from, end, seen) ||
        !packed::take(packed::low, from, end, number))
      return false;
    call.earlier = {call.at.completed - since, static_cast<std::uint32_t>(seen), static_cast<std::uint32_t>(number)};
  }
  call.ring = {};
  if (call.has_ring_times()) {
    std::uint64_t took, seen;
    if (!packed::take(packed::low, from, end, took) || !packed::take(packed::low, from, end, seen)) return false;
    call.ring = {static_cast<std::uint32_t>(took), static_cast<std::uint32_t>(seen)};
  }
  for (int i = 0; i < 6; ++i) {
    if (!packed::take(field(words[1], 50 + 2 * i, 3), from, end, call.args[i])) return false;
  }
  std::uint64_t result;
  if (!packed::take(field(words[1], 62, 3), from, end, result)) return false;
  call.result = static_cast<std::int64_t>(result);
  data_at = (flags & flag_data) != 0 ? static_cast<unsigned>((from - begin + 7) / 8) : count;
  return true;
}

}  // namespace genesys::trace
