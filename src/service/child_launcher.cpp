// SPDX-License-Identifier: Apache-2.0
#include "service/child_launcher.h"

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "trace/clock.h"

namespace genesys::detail::services {
namespace {

constexpr u32 answer_timeout_ms = 10'000;

}  // namespace

child_launcher::child_launcher(const program& what, const service_options& chosen)
    : link_(shared_memory::make(sizeof(child_words))),
      words_(*static_cast<child_words*>(link_.data())),
      setup_{&what, chosen, &words_, {}},
      start_ms_(chosen.child_start_ms) {}

void child_launcher::knows(const shared_memory& memory) {
  const auto begin = reinterpret_cast<u64>(memory.data());
  known_.emplace_back(begin, begin + memory.bytes());
}

void child_launcher::open(const serve_context& context) {
  setup_.context = context;
  // The child has a copy of this object's memory.
  zygote_ = std::make_unique<zygote>([this](u32 number) { be_gpu_side(setup_, number); });
}

void child_launcher::start() {
  const std::lock_guard hold(memory_lock_);
  serves_ = false;
  launch_ = 0;
  words_.launch = words_.ended = words_.failed = words_.ready = 0;
  if (!zygote_->start(++number_)) throw error(error_code::system, "the GPU's side does not start: " + zygote_->why());
  wait_until_ready(number_);
  if (blocks_ == 0) {  // of the first child; the others get the same shape
    const unsigned blocks = words_.blocks, threads = words_.threads;
    if (blocks == 0 || blocks > blocks_max || threads == 0 || threads > 1024)
      throw error(error_code::system, "the GPU's side has written nonsense");
    words_.chosen_blocks = blocks_ = blocks;
    words_.chosen_threads = threads_ = threads;
    kind_ = words_.kind == static_cast<u32>(device_kind::cuda) ? device_kind::cuda : device_kind::cpu;
    words_.chosen_kind = static_cast<u32>(kind_);
    description_ = text();
  }
  serves_ = true;
}

// Throws error. The child is dead then.
void child_launcher::wait_until_ready(u32 number) {
  const u64 deadline = now_ns() + u64{start_ms_} * 1'000'000;
  for (;;) {
    const u32 seen = child_word(words_.answers).load(std::memory_order_seq_cst);     // pairs with count_and_wake()
    if (child_word(words_.ready).load(std::memory_order_acquire) == number) return;  // pairs with gpu_side()
    const bool is_dead = zygote_->is_dead(0), is_cancelled = cancelled_.load();
    const u32 failed = child_word(words_.failed).load(std::memory_order_acquire);  // pairs with say_why()
    if (failed != 0 || is_dead || is_cancelled || now_ns() > deadline) {
      const std::string why = text();
      zygote_->kill();
      (void)zygote_->is_dead(answer_timeout_ms);
      const std::string how = how_it_ended();
      if (failed != 0) {
        constexpr std::size_t prefix = sizeof "genesys: " - 1;
        throw error(static_cast<error_code>(failed - 1),
                    "in the GPU's process: " + (why.starts_with("genesys: ") ? why.substr(prefix) : why));
      }
      throw error(error_code::system,
                  is_dead        ? "the GPU's process ended before it served: " + how
                  : is_cancelled ? "the server ends"
                                 : "the GPU's process did not serve within " + std::to_string(start_ms_) +
                                       " ms: make service_options.child_start_ms larger, or make the server before the "
                                       "program starts threads");
    }
    wait_for_change(words_.answers, seen, 20);
  }
}

std::string child_launcher::how_it_ended() {
  std::string how = zygote_->reap();
  if (child_word(words_.failed).load(std::memory_order_acquire) != 0) how += ": " + text();
  serves_ = false;
  return how;
}

// The child may be broken, so its text may have no end.
std::string child_launcher::text() const {
  char copy[child_text_bytes];
  std::memcpy(copy, words_.text, sizeof copy);
  copy[sizeof copy - 1] = 0;
  return copy;
}

void child_launcher::choose(unsigned& blocks, unsigned& threads) {
  blocks = blocks_;
  threads = threads_;
}

void child_launcher::launch(const kernel_shape&, const serve_context& with) {
  launch_ = with.launch;
  child_word(words_.launch).store(launch_, std::memory_order_release);  // pairs with gpu_side::launch
  count_and_wake(words_.commands);
}

progress child_launcher::look() {
  // Pairs with gpu_side::serve: what the kernel wrote before its end is visible.
  return child_word(words_.ended).load(std::memory_order_acquire) == launch_ ? progress::ended : progress::under_way;
}

int child_launcher::admit(void* begin, std::size_t bytes, bool read_only) {
  const auto from = reinterpret_cast<u64>(begin);
  const bool is_known = std::any_of(known_.begin(), known_.end(), [&](const auto& range) {
    return from >= range.first && from < range.second && bytes <= range.second - from;
  });
  if (!is_known || read_only || bytes == 0) return -EOPNOTSUPP;
  const std::lock_guard hold(memory_lock_);
  for (u32 index = 0; index < child_memory_max; ++index) {
    if (words_.memory[index].bytes != 0) continue;
    words_.memory[index] = {from, bytes};
    const int failed = ask(index);
    if (failed != 0) words_.memory[index].bytes = 0;
    return failed;
  }
  return -ENOMEM;
}

void child_launcher::let_go(void* begin) {
  const std::lock_guard hold(memory_lock_);
  for (u32 index = 0; index < child_memory_max; ++index) {
    if (words_.memory[index].bytes == 0 || words_.memory[index].begin != reinterpret_cast<u64>(begin)) continue;
    words_.memory[index].bytes = 0;
    (void)ask(index);
    return;
  }
}

// Needs memory_lock_. A child that starts later, after the death of this one, does what entry `index` says, too.
int child_launcher::ask(u32 index) {
  if (!serves_) return 0;
  words_.memory_index = index;
  const u32 asked = words_.memory_asked + 1;
  child_word(words_.memory_asked).store(asked, std::memory_order_release);  // pairs with gpu_side::change_memory
  count_and_wake(words_.commands);
  const u64 deadline = now_ns() + u64{answer_timeout_ms} * 1'000'000;
  for (;;) {
    const u32 seen = child_word(words_.answers).load(std::memory_order_seq_cst);  // pairs with count_and_wake()
    // Pairs with gpu_side::change_memory.
    if (child_word(words_.memory_answered).load(std::memory_order_acquire) == asked) return words_.memory_result;
    if (zygote_->is_dead(0)) return 0;
    if (now_ns() > deadline) return -ETIMEDOUT;
    wait_for_change(words_.answers, seen, 20);
  }
}

int child_launcher::populate(u64, std::size_t) { return -EOPNOTSUPP; }
int child_launcher::depopulate(u64, std::size_t) { return -EOPNOTSUPP; }
int child_launcher::store(u32*, u32) { return -EOPNOTSUPP; }

}  // namespace genesys::detail::services
