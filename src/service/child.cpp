// SPDX-License-Identifier: Apache-2.0
#include "service/child.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <exception>
#include <fstream>
#include <map>
#include <memory>
#include <string_view>

#include "service/kernel_launcher.h"
#include "target/device.h"

namespace genesys::detail::services {
namespace {

constexpr u32 look_ms = 2;  // how often it looks whether the launches have ended, while one is under way

void copy_text(char (&to)[child_text_bytes], std::string_view text) {
  const std::size_t length = std::min<std::size_t>(text.size(), child_text_bytes - 1);
  std::memcpy(to, text.data(), length);
  to[length] = 0;
}

class gpu_side {
 public:
  gpu_side(const child_setup& setup, u32 number) : words_(*setup.words), chosen_(setup.chosen), with_(setup.context) {
    words_.child = number;
    if (words_.chosen_blocks != 0) {
      chosen_.device.device = static_cast<device_kind>(words_.chosen_kind);
      chosen_.blocks = words_.chosen_blocks;
      chosen_.threads = words_.chosen_threads;
    }
    on_ = open_device(chosen_.device);
    launcher_ = launcher_for(*on_, *setup.what);
    launcher_->choose(chosen_.blocks, chosen_.threads);
    if (setup.what->has_loadable) name_target();
    images_made_ = child_word(words_.image_asked).load(std::memory_order_acquire);
    if (words_.image_now.bytes != 0) {
      launcher_->swap(image_of(bytes_of(words_.image_now)), 1'000);
    }
    memory_made_ = child_word(words_.memory_asked).load(std::memory_order_acquire);  // pairs with child_launcher::ask
    requests_made_ = words_.requests_asked;  // what the last child has not launched is lost with it
    for (const child_memory& range : words_.memory) {
      if (range.bytes != 0 && admit(range) != 0) {
        throw error(error_code::no_pinned_memory, "the device refuses " + std::to_string(range.bytes >> 20) +
                                                      " MiB of the server's memory: make service_options smaller");
      }
    }
    with_.state = device_memory<device_state>(1);
    with_.shares = device_memory<share_record>(u64{1} << with_.slots_log2);
    records_ = device_memory<launch_record>(u64{1} << with_.slots_log2);
    words_.kind = static_cast<u32>(on_->kind());
    words_.blocks = chosen_.blocks;
    words_.threads = chosen_.threads;
    say(on_->describe());
    child_word(words_.memory_done).store(memory_made_, std::memory_order_relaxed);
    child_word(words_.requests_done).store(requests_made_, std::memory_order_relaxed);
    child_word(words_.ready).store(number, std::memory_order_release);  // pairs with child_launcher::wait_until_ready
    count_and_wake(words_.replies);
  }

  // No bound: it lives with the server, whose end is its own.
  void serve() {
    for (;;) {
      const u32 seen = child_word(words_.commands).load(std::memory_order_seq_cst);  // pairs with count_and_wake()
      change_memory();
      change_image();
      launch();
      launch_requests();
      const progress is = launched_ == 0 ? progress::ended : launcher_->look(),
                     requests = launcher_->look_at_requests();
      if (is == progress::unknown) throw error(error_code::launch_failed, "the non-stop kernel failed");
      if (requests == progress::unknown) throw error(error_code::launch_failed, "a launched request failed");
      if (is == progress::ended) child_word(words_.ended).store(launched_, std::memory_order_release);
      const bool all_ended = is == progress::ended && requests == progress::ended;
      wait_for_change(words_.commands, seen, all_ended ? 0 : look_ms);
    }
  }

  void say(const std::string& text) { copy_text(words_.text, text); }

 private:
  template <class T>
  T* device_memory(u64 count) {
    void* const made = on_->allocate(count * sizeof(T));
    on_->fill(made, 0, count * sizeof(T));
    return static_cast<T*>(made);
  }
  int admit(const child_memory& range) {
    if (range.fd >= 0) {
      if (const int failed = map(range); failed != 0) return failed;
    }
    return on_->memory_mapper().admit(reinterpret_cast<void*>(range.begin), range.bytes, false);
  }
  // Memory that the server has mapped after the fork. The addresses are reserved (shared_window.h).
  int map(const child_memory& range) {
    const std::string name = "/proc/" + std::to_string(words_.server) + "/fd/" + std::to_string(range.fd);
    const int fd = ::open(name.c_str(), O_RDWR | O_CLOEXEC);
    if (fd < 0) return -errno;
    void* const got = ::mmap(reinterpret_cast<void*>(range.begin), range.bytes, PROT_READ | PROT_WRITE,
                             MAP_SHARED | MAP_FIXED, fd, 0);
    const int failed = got == MAP_FAILED ? -errno : 0;
    ::close(fd);
    mapped_[range.begin] = range.bytes;
    return failed;
  }
  void let_go(u64 begin) {
    on_->memory_mapper().let_go(reinterpret_cast<void*>(begin));
    const auto found = mapped_.find(begin);
    if (found == mapped_.end()) return;
    (void)::mmap(reinterpret_cast<void*>(begin), found->second, PROT_NONE,
                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
    mapped_.erase(found);
  }

  void name_target() {
    const link_target target = launcher_->target();
    if (target.kernel.size() >= kernel_name_bytes)
      throw error(error_code::bad_option, "the kernel's name is too long: put fewer services into the service_list");
    words_.architecture = target.architecture;
    std::memcpy(words_.kernel_name, target.kernel.c_str(), target.kernel.size() + 1);
  }
  std::string bytes_of(const child_image& image) const {
    std::string bytes(image.bytes, '\0');
    std::ifstream from("/proc/" + std::to_string(words_.server) + "/fd/" + std::to_string(image.fd), std::ios::binary);
    if (!from.read(bytes.data(), static_cast<std::streamsize>(bytes.size())))
      throw error(error_code::system, "the GPU's process cannot read the linked kernel");
    return bytes;
  }
  // What fails leaves the kernel as it is.
  void change_image() {
    const u32 asked = child_word(words_.image_asked).load(std::memory_order_acquire);  // pairs with ask_for_image()
    if (asked == images_made_) return;
    words_.image_failed = 0;
    try {
      switch (static_cast<image_command>(words_.image_command)) {
        case image_command::swap:
          launcher_->swap(image_of(bytes_of(words_.image_next)), words_.image_wait_ms);
          break;
        case image_command::swap_back:
          launcher_->swap_back();
          break;
      }
    } catch (const error& thrown) {
      copy_text(words_.image_text, thrown.what());
      words_.image_failed = 1 + static_cast<u32>(thrown.code());
    }
    images_made_ = asked;
    child_word(words_.image_done).store(asked, std::memory_order_release);  // pairs with ask_for_image()
    count_and_wake(words_.replies);
  }

  void change_memory() {
    const u32 asked =
        child_word(words_.memory_asked).load(std::memory_order_acquire);  // pairs with child_launcher::ask
    if (asked == memory_made_) return;
    const child_memory range = words_.memory[words_.memory_index % child_memory_max];
    int result = 0;
    if (range.bytes != 0) {
      result = admit(range);
    } else {
      let_go(range.begin);
    }
    words_.memory_result = result;
    memory_made_ = asked;
    child_word(words_.memory_done).store(asked, std::memory_order_release);  // pairs with child_launcher::ask
    count_and_wake(words_.replies);
  }

  void launch() {
    const u32 wanted = child_word(words_.launch).load(std::memory_order_acquire);  // pairs with child_launcher::launch
    if (wanted == launched_) return;
    with_.launch = wanted;
    launcher_->launch({chosen_.blocks + 1, chosen_.threads}, with_);
    launched_ = wanted;
  }

  void launch_requests() {
    // Pairs with child_launcher::launch_request.
    const u32 asked = child_word(words_.requests_asked).load(std::memory_order_acquire);
    if (asked == requests_made_) return;
    while (requests_made_ != asked) {
      launch_context one = words_.requests[requests_made_ % child_requests_max];
      one.completions = with_.completions;
      one.records = records_;
      launcher_->launch_request(chosen_.threads, one);
      // Pairs with child_launcher::launch_request.
      child_word(words_.requests_done).store(++requests_made_, std::memory_order_release);
    }
    count_and_wake(words_.replies);
  }

  child_words& words_;
  service_options chosen_;
  serve_context with_;
  std::unique_ptr<device> on_;
  std::unique_ptr<kernel_launcher> launcher_;
  launch_record* records_ = nullptr;
  u32 launched_ = 0, memory_made_ = 0, requests_made_ = 0, images_made_ = 0;
  std::map<u64, u64> mapped_;  // bytes by address
};

void say_why(child_words& words, u32 number, error_code code, const char* why) {
  words.child = number;
  copy_text(words.text, why);
  child_word(words.failed).store(1 + static_cast<u32>(code), std::memory_order_release);
  count_and_wake(words.replies);
}

}  // namespace

// The objects are not destroyed: a kernel may still run, and the end of the process takes all.
void be_gpu_side(const child_setup& setup, u32 number) {
  try {
    auto* const side = new gpu_side(setup, number);
    side->serve();
  } catch (const error& thrown) {
    say_why(*setup.words, number, thrown.code(), thrown.what());
  } catch (const std::exception& thrown) {
    say_why(*setup.words, number, error_code::system, thrown.what());
  }
}

}  // namespace genesys::detail::services
