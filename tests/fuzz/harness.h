// SPDX-License-Identifier: Apache-2.0
// What the fuzzed programs share: a serving side without threads, of which the fuzzer is the worker, and inputs that
// are small programs: bytes for memory that both sides address, and requests as a GPU could write them. One thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>

#include "host/core.h"

namespace fuzz {

using namespace genesys::detail;

// The input from its beginning on, and zeros after its end.
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

class serving_side {
 public:
  static constexpr u64 window = 4096;  // of the arena; addresses lead there

  // `texts` are paths and other strings that an input can choose.
  serving_side(const char* policy, const std::string& rules, std::vector<std::string> texts)
      : all_(std::make_shared<core>(genesys::options{.device = genesys::device_kind::cpu,
                                                     .workers = 1,
                                                     .slots_per_queue = 64,
                                                     .arena_bytes = 1u << 20,
                                                     .bounce_bytes = 16u << 20,
                                                     .sigquit = false},
                                    read_rules(policy, rules), refusals{})),
        texts_(std::move(texts)) {}

  serving& all() { return all_->all; }
  u64 window_at() { return all().memory.where().arena_end - window; }
  void clear() { std::memset(pointer(window_at()), 0, window); }

  // Writes bytes, an address, or a text, somewhere in the window.
  void fill(input& from) {
    const u64 at = from.take<std::uint16_t>() % window;
    const auto how = from.take<std::uint8_t>();
    if (how < 96) {
      const u64 to = argument(from);
      put(at, &to, sizeof to);
    } else if (how < 128 && !texts_.empty()) {
      const std::string& text = texts_[how % texts_.size()];
      put(at, text.c_str(), text.size() + 1);
    } else {
      const std::size_t bytes = std::min<std::size_t>({how % 128u, from.left(), window - at});
      std::memcpy(pointer(window_at() + at), from.take_bytes(bytes), bytes);
    }
  }

  // A request as a caller would write it, or random words.
  request_slot request_of(input& from, bool anything) {
    request_slot slot{};
    if (anything) {
      for (u64& word : slot.words) word = from.take<u64>() & payload_mask;
      return slot;
    }
    const call_plan& plan = plans[from.take<std::uint16_t>() % plan_count];
    request call{};
    call.number = plan.number;
    for (u64& arg : call.args) arg = argument(from);
    if (plan.is_variant)
      call.args[plan.variant_arg] = (call.args[plan.variant_arg] & ~u64{plan.variant_mask}) | plan.variant_value;
    const auto rest = from.take<u32>();
    call.completion_slot = rest & 0x3f;
    call.phase = rest >> 6 & 1;
    call.scope = rest >> 7 & 7;
    call.mode = static_cast<wait_mode>(rest >> 10 & 3);
    call.run = rest >> 12 & 3;
    call.pairs = (rest >> 14 & pairs_all) ^ pairs_all;
    call.has_inline_data = (rest >> 17 & 1) != 0;
    for (int i = 0; i < 8; ++i) slot.words[i] = pack_word(call, i) & payload_mask;
    return slot;
  }

  // Serves a request as a worker does. `about_to` gets each call before it is made.
  template <class F>
  void serve(const request_slot& slot, F about_to) {
    const device_context& where = all().memory.where();
    u64* words = where.slots[head_ & ((u64{1} << where.slots_log2) - 1)].words;
    for (int i = 0; i < 8; ++i) words[i] = slot.words[i] | tag_of(head_, where.slots_log2) << tag_shift;
    submission_queue& own_queue = all().queues[0];
    request call;
    const submission_queue::dequeue_result outcome = own_queue.dequeue(own_queue.epoch(), call);
    if (outcome != submission_queue::dequeue_result::taken && outcome != submission_queue::dequeue_result::deferred)
      std::abort();
    ++head_;
    if (outcome == submission_queue::dequeue_result::taken) make(call, about_to);
    while (const auto one = all().ready.pop()) make(one.mapped().call, about_to);  // dependent calls
  }

 private:
  template <class F>
  void make(const request& call, F about_to) {
    if (!all().completions.is_sound(call)) return all().completions.complete(call, {.malformed = true});
    const call_plan* plan = plan_of_call(call.number, call.args);
    if (plan != nullptr && plan->own_thread) return;  // slow, and not different
    about_to(call);
    result made = all().to_linux.execute(call);
    if (made.what == result::kind::again && !is_waited_at_once(call.mode))
      made = all().to_linux.execute(call, nullptr, executor::not_ready::wait);
    all().completions.complete(call, {.value = made.value,
                                      .again = made.what == result::kind::again,
                                      .inline_data = made.inline_data,
                                      .inline_rest = made.inline_rest,
                                      .extra = made.has_extra ? &made.extra : nullptr});
  }

  static void* pointer(u64 address) { return reinterpret_cast<void*>(address); }
  void put(u64 at, const void* from, std::size_t bytes) {
    if (at + bytes <= window) std::memcpy(pointer(window_at() + at), from, bytes);
  }

  // An argument: a small number, an address in the window, or any number.
  u64 argument(input& from) {
    const auto kind = from.take<std::uint8_t>();
    if (kind < 96) return kind;
    if (kind < 192) return window_at() + from.take<std::uint16_t>() % window;
    if (kind < 208) return ~u64{0} - (kind & 15);
    if (kind < 224) return u64{1} << from.take<std::uint8_t>() % 64;
    return from.take<u64>();
  }

  std::shared_ptr<core> all_;
  std::vector<std::string> texts_;
  u64 head_ = 0;
};

// Plays one input. `mode` is its first byte.
template <class F>
void play(serving_side& side, input& from, std::uint8_t mode, F about_to) {
  side.clear();
  const unsigned fills = from.take<std::uint8_t>() % 16, requests = 1 + mode / 64;
  for (unsigned i = 0; i < fills; ++i) side.fill(from);
  for (unsigned i = 0; i < requests; ++i) {
    const request_slot slot = side.request_of(from, (mode & 2) != 0);
    side.serve(slot, about_to);
  }
}

}  // namespace fuzz
