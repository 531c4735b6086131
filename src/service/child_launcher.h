// SPDX-License-Identifier: Apache-2.0
// The server's side of a child process that is its GPU's side: asks it for launches and for registrations of memory
// (child_words.h). It is the third kernel_launcher, and the mapper of an isolated server. Any thread asks for memory;
// one at a time calls the rest.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "service/child.h"
#include "service/kernel_launcher.h"
#include "service/shared_memory.h"
#include "service/shared_window.h"
#include "service/zygote.h"

namespace genesys::detail::services {

class child_launcher final : public kernel_launcher, public mapper {
 public:
  // Throws error(no_pinned_memory).
  child_launcher(const program& what, const service_options& chosen);
  ~child_launcher() override;
  child_launcher(const child_launcher&) = delete;
  child_launcher& operator=(const child_launcher&) = delete;
  // The children have this memory, too, because it is mapped before open(). Only such memory is admitted.
  void knows(const shared_memory& memory);
  // Maps memory of another process, so that it can be admitted. `fd` is copied. Throws error.
  void* map_shared(int fd, std::size_t bytes);
  // After let_go().
  void unmap_shared(void* memory);
  // Forks the zygote. Throws error.
  void open(const serve_context& context);

  // Starts a child, with all memory that is admitted. Throws error: why it does not serve; it is dead then.
  void start();
  // start() gives up soon, now and later. Any thread.
  void cancel() { cancelled_.store(true); }
  // For the supervisor: poll(), kill, and collect the child. kill_and_reap() says in words how it ended; it waits until
  // the child is dead, and `waits_long` is called each ten seconds.
  int death_fd() const { return zygote_->death_fd(); }
  template <class F>
  std::string kill_and_reap(F waits_long) {
    zygote_->kill();
    while (!zygote_->is_dead(10'000)) waits_long();
    const std::lock_guard hold(memory_lock_);
    return how_it_ended();
  }
  pid_t child_pid() const { return zygote_->child_pid(); }
  pid_t zygote_pid() const { return zygote_->pid(); }
  bool is_dead() const { return zygote_->is_dead(0); }
  bool can_start() const { return zygote_->is_there() && !cancelled_.load(); }
  device_kind kind() const { return kind_; }
  const std::string& describe() const { return description_; }

  // kernel_launcher. The child has chosen.
  void choose(unsigned& blocks, unsigned& threads) override;
  void launch(const kernel_shape& shape, const serve_context& with) override;
  progress look() override;
  // The child launches it soon. If the child is dead, nobody does, and the request is lost with it.
  void launch_request(unsigned threads, const launch_context& with) override;
  progress look_at_requests() override { return progress::ended; }  // nobody waits: the child is killed in any case
  link_target target() override;
  void swap(const kernel_image& image, unsigned wait_ms) override;
  void swap_back() override;

  // mapper. Only memory that was shared before the zygote was forked.
  int admit(void* begin, std::size_t bytes, bool read_only) override;
  void let_go(void* begin) override;
  u64 reserve(std::size_t) override { return 0; }
  void unreserve(u64, std::size_t) override {}
  int populate(u64, std::size_t) override;
  int depopulate(u64, std::size_t) override;
  std::size_t free_bytes() override { return 0; }
  int store(u32*, u32) override;

 private:
  std::string how_it_ended();  // needs memory_lock_, as the next two
  void wait_until_ready(u32 number);
  int ask(u32 index);
  void ask_for_image(image_command what);
  template <class F>
  bool wait_for_reply(u32 timeout_ms, const F& is_there);
  std::string text() const;

  shared_memory link_;
  child_words& words_;
  child_setup setup_;
  unsigned start_ms_;
  std::unique_ptr<zygote> zygote_;
  struct known_memory {
    u64 begin, end;
    int fd;  // -1: mapped before the fork
  };
  shared_window window_;
  u32 number_ = 0;  // of the last child
  u32 launch_ = 0;
  device_kind kind_ = device_kind::any;
  std::string description_;
  unsigned blocks_ = 0, threads_ = 0;
  std::mutex memory_lock_;
  std::vector<known_memory> known_;  // needs memory_lock_
  bool serves_ = false;              // needs memory_lock_
  // What a child has, or must get. Need memory_lock_.
  struct image {
    shared_memory bytes;
    u64 count = 0;
    std::vector<std::shared_ptr<const void>> kept;
  };
  image now_, before_;
  std::atomic<bool> cancelled_{false};
};

}  // namespace genesys::detail::services
