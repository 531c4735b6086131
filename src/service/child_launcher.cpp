// SPDX-License-Identifier: Apache-2.0
#include "service/child_launcher.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "trace/clock.h"

namespace genesys::detail::services {
namespace {

constexpr u32 reply_timeout_ms = 10'000;
constexpr std::size_t window_bytes = std::size_t{64} << 30, page_bytes = 4096;

}  // namespace

child_launcher::child_launcher(const program& what, const service_options& chosen)
    : link_(shared_memory::make(sizeof(child_words))),
      words_(*static_cast<child_words*>(link_.data())),
      setup_{&what, chosen, &words_, {}},
      start_ms_(chosen.child_start_ms),
      window_(window_bytes) {
  words_.server = static_cast<u32>(::getpid());
}

child_launcher::~child_launcher() {
  for (const known_memory& each : known_) {
    if (each.fd >= 0) ::close(each.fd);
  }
}

void* child_launcher::map_shared(int fd, std::size_t bytes) {
  const int mine = ::fcntl(fd, F_DUPFD_CLOEXEC, 0);
  if (mine < 0)
    throw error(error_code::bad_option, std::string("the descriptor of shared memory: ") + std::strerror(errno));
  try {
    void* const memory = window_.map(mine, bytes);
    const auto begin = reinterpret_cast<u64>(memory);
    const std::lock_guard hold(memory_lock_);
    known_.push_back({begin, begin + (bytes + page_bytes - 1) / page_bytes * page_bytes, mine});
    return memory;
  } catch (...) {
    ::close(mine);
    throw;
  }
}

void child_launcher::unmap_shared(void* memory) {
  {
    const std::lock_guard hold(memory_lock_);
    const auto found = std::find_if(known_.begin(), known_.end(), [&](const known_memory& each) {
      return each.fd >= 0 && each.begin == reinterpret_cast<u64>(memory);
    });
    if (found == known_.end()) return;
    ::close(found->fd);
    known_.erase(found);
  }
  window_.unmap(memory);
}

void child_launcher::knows(const shared_memory& memory) {
  const auto begin = reinterpret_cast<u64>(memory.data());
  known_.push_back({begin, begin + memory.bytes(), -1});
}

void child_launcher::open(const serve_context& context) {
  setup_.context = context;
  // The child has a copy of this object's memory.
  const char* const named = std::getenv("GENESYS_DEVICE");
  const bool is_cpu =
      setup_.chosen.device.device == device_kind::cpu ||
      (setup_.chosen.device.device == device_kind::any && named != nullptr && std::strcmp(named, "cpu") == 0);
  zygote_ = std::make_unique<zygote>([this](u32 number) { be_gpu_side(setup_, number); }, !is_cpu);
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
    const u32 seen = child_word(words_.replies).load(std::memory_order_seq_cst);     // pairs with count_and_wake()
    if (child_word(words_.ready).load(std::memory_order_acquire) == number) return;  // pairs with gpu_side()
    const bool is_dead = zygote_->is_dead(0), is_cancelled = cancelled_.load();
    const u32 failed = child_word(words_.failed).load(std::memory_order_acquire);  // pairs with say_why()
    if (failed != 0 || is_dead || is_cancelled || now_ns() > deadline) {
      const std::string why = text();
      zygote_->kill();
      (void)zygote_->is_dead(reply_timeout_ms);
      const std::string how = how_it_ended();
      if (failed != 0) {
        constexpr std::size_t prefix = sizeof "genesys: " - 1;
        throw error(static_cast<error_code>(failed - 1),
                    "in the GPU's process: " + (why.starts_with("genesys: ") ? why.substr(prefix) : why));
      }
      throw error(error_code::system,
                  is_dead        ? "the GPU's process " + how + " before it served"
                  : is_cancelled ? "the server ends"
                                 : "the GPU's process did not serve within " + std::to_string(start_ms_) +
                                       " ms: make service_options.child_start_ms larger, or make the server before the "
                                       "program starts threads");
    }
    wait_for_change(words_.replies, seen, 20);
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

void child_launcher::launch_request(unsigned, const launch_context& with) {
  const u64 deadline = now_ns() + u64{reply_timeout_ms} * 1'000'000;
  const u32 asked = words_.requests_asked;
  for (;;) {
    const u32 seen = child_word(words_.replies).load(std::memory_order_seq_cst);  // pairs with count_and_wake()
    // Pairs with gpu_side::launch_requests: the child does not read the entry any more.
    if (asked - child_word(words_.requests_done).load(std::memory_order_acquire) < child_requests_max) break;
    if (zygote_->is_dead(0)) return;
    if (now_ns() > deadline) throw error(error_code::launch_failed, "the GPU's process launches no requests");
    wait_for_change(words_.replies, seen, 20);
  }
  words_.requests[asked % child_requests_max] = with;
  child_word(words_.requests_asked).store(asked + 1, std::memory_order_release);  // pairs with launch_requests()
  count_and_wake(words_.commands);
}

int child_launcher::admit(void* begin, std::size_t bytes, bool read_only) {
  const auto from = reinterpret_cast<u64>(begin);
  const std::lock_guard hold(memory_lock_);
  const auto known = std::find_if(known_.begin(), known_.end(), [&](const known_memory& range) {
    return from >= range.begin && from < range.end && bytes <= range.end - from;
  });
  if (known == known_.end() || read_only || bytes == 0) return -EOPNOTSUPP;
  // The child maps what it is told as a whole.
  if (known->fd >= 0 && (from != known->begin || bytes != known->end - known->begin)) return -EOPNOTSUPP;
  for (u32 index = 0; index < child_memory_max; ++index) {
    if (words_.memory[index].bytes != 0) continue;
    words_.memory[index] = {from, bytes, known->fd};
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
  // Pairs with gpu_side::change_memory.
  const auto is_done = [&] { return child_word(words_.memory_done).load(std::memory_order_acquire) == asked; };
  if (wait_for_reply(reply_timeout_ms, is_done)) return words_.memory_result;
  return zygote_->is_dead(0) ? 0 : -ETIMEDOUT;
}

// False: the child is dead, or the time is over.
template <class F>
bool child_launcher::wait_for_reply(u32 timeout_ms, const F& is_there) {
  const u64 deadline = now_ns() + u64{timeout_ms} * 1'000'000;
  for (;;) {
    const u32 seen = child_word(words_.replies).load(std::memory_order_seq_cst);  // pairs with count_and_wake()
    if (is_there()) return true;
    if (zygote_->is_dead(0) || now_ns() > deadline) return false;
    wait_for_change(words_.replies, seen, 20);
  }
}

// The first child has written it.
link_target child_launcher::target() {
  char name[kernel_name_bytes];
  std::memcpy(name, words_.kernel_name, sizeof name);
  name[sizeof name - 1] = 0;
  return {name, words_.architecture};
}

// Needs memory_lock_. Throws error.
void child_launcher::ask_for_image(image_command what) {
  if (!serves_) throw error(error_code::launch_failed, "the GPU's process is being replaced: load again");
  words_.image_command = static_cast<u32>(what);
  const u32 asked = words_.image_asked + 1;
  child_word(words_.image_asked).store(asked, std::memory_order_release);  // pairs with gpu_side::change_image
  count_and_wake(words_.commands);
  // Pairs with gpu_side::change_image.
  const auto is_done = [&] { return child_word(words_.image_done).load(std::memory_order_acquire) == asked; };
  const u32 most_ms = reply_timeout_ms + (what == image_command::swap ? words_.image_wait_ms : 0);
  if (!wait_for_reply(most_ms, is_done))
    throw error(error_code::launch_failed, "the GPU's process does not load the service: load again");
  if (words_.image_failed == 0) return;
  char why[child_text_bytes];
  std::memcpy(why, words_.image_text, sizeof why);
  why[sizeof why - 1] = 0;
  throw error(static_cast<error_code>(words_.image_failed - 1), std::string("in the GPU's process: ") + why);
}

// A child that starts later begins with this kernel.
void child_launcher::swap(const kernel_image& given, unsigned wait_ms) {
  const std::string bytes = to_bytes(given);
  image made{shared_memory::make(bytes.size()), bytes.size(), given.kept};
  if (const int failed = made.bytes.commit(0, bytes.size()); failed != 0)
    throw error(error_code::no_memory, std::string("no memory for the linked kernel: ") + std::strerror(-failed));
  std::memcpy(made.bytes.data(), bytes.data(), bytes.size());
  const std::lock_guard hold(memory_lock_);
  words_.image_next = {made.bytes.fd(), made.count};
  words_.image_wait_ms = wait_ms;
  ask_for_image(image_command::swap);
  before_ = std::exchange(now_, std::move(made));
  words_.image_now = {now_.bytes.fd(), now_.count};
}

void child_launcher::swap_back() {
  const std::lock_guard hold(memory_lock_);
  now_ = std::move(before_);
  words_.image_now = {now_.bytes.fd(), now_.count};
  ask_for_image(image_command::swap_back);
}

int child_launcher::populate(u64, std::size_t) { return -EOPNOTSUPP; }
int child_launcher::depopulate(u64, std::size_t) { return -EOPNOTSUPP; }
int child_launcher::store(u32*, u32) { return -EOPNOTSUPP; }

}  // namespace genesys::detail::services
