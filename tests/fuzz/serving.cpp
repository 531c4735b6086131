// SPDX-License-Identifier: Apache-2.0
// Fuzzes the serving side: whatever the GPU writes into requests, and into memory that both sides address, the host
// reads it once, checks it, and gives Linux nothing that it did not check (linux_stub.h). One input is a small program:
// bytes for memory, and requests, each of which goes through a shard, the executor and the answer, as with a worker.
// While Linux "makes" a call, the rest of the input changes that memory.
//
//   serving [CORPUS...] [-runs=N] [-max_total_time=S]     libFuzzer's options
#include <sys/mman.h>

#include <cstdio>
#include <cstring>
#include <memory>

#include "host/core.h"
#include "linux_stub.h"

namespace {

using namespace genesys::detail;

// A serving side without its threads: the fuzzer is the worker.
struct served {
  explicit served(const char* policy)
      : all(std::make_shared<core>(genesys::options{.device = genesys::device_kind::cpu,
                                                    .workers = 1,
                                                    .slots_per_shard = 64,
                                                    .arena_bytes = 1u << 20,
                                                    .bounce_bytes = 16u << 20,
                                                    .sigquit = false},
                                   read_rules(policy, "deny call mmap munmap madvise shmat shmdt"))) {}
  std::shared_ptr<core> all;
  u64 head = 0;
};

served& serving_side(bool confined) {
  static served open("all"), closed("io");
  return confined ? closed : open;
}

// The input, from its beginning on; zeros behind its end.
class input {
 public:
  input(const std::uint8_t* data, std::size_t size) : data_(data), left_(size) {}
  template <class T>
  T take() {
    T value{};
    const std::size_t n = std::min(sizeof(T), left_);
    std::memcpy(&value, data_, n);
    data_ += n;
    left_ -= n;
    return value;
  }
  const std::uint8_t* data() const { return data_; }
  std::size_t left() const { return left_; }
  const std::uint8_t* take_bytes(std::size_t n) {
    const std::uint8_t* from = data_;
    data_ += n;
    left_ -= n;
    return from;
  }

 private:
  const std::uint8_t* data_;
  std::size_t left_;
};

constexpr u64 window = 4096;  // of the arena, to which addresses lead

u64 window_at(served& s) { return s.all->all.memory.where().arena_end - window; }

// An argument: a small number, a place in the window, or anything.
u64 argument(input& from, served& s) {
  const auto kind = from.take<std::uint8_t>();
  if (kind < 96) return kind;
  if (kind < 192) return window_at(s) + from.take<std::uint16_t>() % window;
  if (kind < 208) return ~u64{0} - (kind & 15);
  if (kind < 224) return u64{1} << from.take<std::uint8_t>() % 64;
  return from.take<u64>();
}

void fill_window(input& from, served& s) {
  const u64 at = from.take<std::uint16_t>() % window;
  const auto how = from.take<std::uint8_t>();
  if (how < 128) {  // an address there
    const u64 to = argument(from, s);
    if (at + 8 <= window) std::memcpy(reinterpret_cast<void*>(window_at(s) + at), &to, 8);
    return;
  }
  const std::size_t bytes = std::min<std::size_t>({how - 128u, from.left(), window - at});
  std::memcpy(reinterpret_cast<void*>(window_at(s) + at), from.take_bytes(bytes), bytes);
}

// A request as a caller would write it, or anything at all.
request_slot made_request(input& from, served& s, bool anything) {
  request_slot slot{};
  if (anything) {
    for (u64& word : slot.words) word = from.take<u64>() & payload_mask;
    return slot;
  }
  const call_plan& plan = plans[from.take<std::uint16_t>() % plan_count];
  request call{};
  call.number = plan.number;
  for (u64& arg : call.args) arg = argument(from, s);
  if (plan.is_variant)
    call.args[plan.variant_arg] = (call.args[plan.variant_arg] & ~u64{plan.variant_mask}) | plan.variant_value;
  const auto rest = from.take<u32>();
  call.cell = rest & 0x3f;
  call.phase = rest >> 6 & 1;
  call.scope = rest >> 7 & 7;
  call.waits = static_cast<waiting>(rest >> 10 & 3);
  call.run = rest >> 12 & 3;
  for (int i = 0; i < 8; ++i) slot.words[i] = pack_word(call, i) & payload_mask;
  return slot;
}

void serve(served& s, const request_slot& slot) {
  const area& where = s.all->all.memory.where();
  const u32 slots_log2 = where.slots_log2;
  u64* words = where.ring[s.head & ((u64{1} << slots_log2) - 1)].words;
  for (int i = 0; i < 8; ++i) words[i] = slot.words[i] | tag_of(s.head, slots_log2) << tag_shift;
  shard& ring = s.all->all.shards[0];
  request call;
  if (ring.take(ring.epoch(), call) != shard::outcome::taken) std::abort();
  ++s.head;
  if (!s.all->all.to_callers.is_sound(call)) return s.all->all.to_callers.end_flight(call);
  const call_plan* plan = plan_of_call(call.number, call.args);
  if (plan != nullptr && plan->own_thread) return;  // slow, and no different
  fuzz::world.raw.assign(std::begin(call.args), std::end(call.args));
  const result said = s.all->all.to_linux.execute(call);
  s.all->all.to_callers.write(call, said.value, said.what == result::kind::again,
                              said.has_extra ? &said.extra : nullptr);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  input from(data, size);
  const auto mode = from.take<std::uint8_t>();
  served& s = serving_side((mode & 1) != 0);
  fuzz::world.arena_begin = s.all->all.memory.where().arena_begin;
  fuzz::world.arena_end = s.all->all.memory.where().arena_end;
  fuzz::world.nowhere = s.all->all.to_linux.memory().nowhere();
  std::memset(reinterpret_cast<void*>(window_at(s)), 0, window);
  const unsigned fills = from.take<std::uint8_t>() % 16, requests = 1 + mode / 64;
  for (unsigned i = 0; i < fills; ++i) fill_window(from, s);
  for (unsigned i = 0; i < requests; ++i) {
    const request_slot slot = made_request(from, s, (mode & 2) != 0);
    fuzz::world.answers = from.data();
    fuzz::world.answers_left = from.left();
    serve(s, slot);
  }
  return 0;
}
