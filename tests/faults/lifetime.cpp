// SPDX-License-Identifier: Apache-2.0
#include "lifetime.h"

#include <poll.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/uio.h>

#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>

#include "contract.h"

namespace faults {
namespace {

using namespace contract;

constexpr u32 bytes = 64, threads = 32;

// The result of each call of the kernel. `nothing` stands for a call that was not made.
constexpr long nothing = 0x7eee;
enum step : u32 {
  opened,
  wrote,
  wrote_pieces,
  read_back,
  read_later,
  closed,
  slept,
  mapped,
  unmapped,
  mapped_device,
  gave_back,
  filled,
  unmapped_device,
  own_thread,
  paired,
  sent,
  received,
  posted,
  polled,
  read_pipe,
  read_pipe_later,
  asked,
  steps
};

struct lines {
  u32 wrong;  // bytes that differ from the pattern
  int ends[4];
  long gave[8][steps];  // by block
};

struct use_everything {
  GENESYS_KERNEL void operator()(genesys::os os, const char* path, lines* all) const {
    using namespace genesys;
    long* gave = all->gave[block_rank()];
    switch (block_rank()) {
      case 0:
        if (thread_rank() == 0) work_with_files(os, path, gave, all);
        break;
      case 1:
        if (thread_rank() == 0) work_with_memory(os, gave, all);
        break;
      case 2:
        if (thread_rank() == 0) work_with_sockets(os, gave, all);
        break;
      case 3: {  // the whole block, with device or shared memory
        char c = 0;
        gave[read_pipe] = os.on(block()).read(all->ends[0], &c, 1);
        break;
      }
      case 4: {
        char c = 0;
        auto later = os.on(warp()).ticket().read(all->ends[2], &c, 1);
        gave[read_pipe_later] = later.wait();
        break;
      }
      default:  // each of these keeps a worker busy
        if (thread_rank() == 0) gave[polled] = os.poll(nullptr, 0, 5);
        gave[asked] = os.getpid();
    }
  }

  GENESYS_KERNEL static void work_with_files(const genesys::os& os, const char* path, long* gave, lines* all) {
    char text[bytes], back[bytes];
    for (u32 i = 0; i < bytes; ++i) text[i] = static_cast<char>(pattern(i));
    const long fd = gave[opened] = os.openat(AT_FDCWD, path, O_RDWR | O_CREAT | O_TRUNC, 0600);
    gave[wrote] = os.pwrite64(fd, text, bytes, 0);
    const ::iovec pieces[2] = {{text, bytes / 2}, {text + bytes / 2, bytes / 2}};
    gave[wrote_pieces] = os.pwritev(fd, pieces, 2, bytes);
    gave[read_back] = os.pread64(fd, back, bytes, 0);
    check(gave[wrote] == bytes && gave[read_back] == bytes, back, all);
    auto later = os.ticket().pread64(fd, back, bytes, bytes);
    os.posted().pwrite64(fd, text, bytes, 2 * bytes);
    gave[read_later] = later.wait();
    check(gave[wrote_pieces] == bytes && gave[read_later] == bytes, back, all);
    const timespec length{0, 1'000'000};
    gave[slept] = os.nanosleep(&length, nullptr);
    gave[closed] = os.close(fd);
  }

  GENESYS_KERNEL static void work_with_memory(const genesys::os& os, long* gave, lines* all) {
    constexpr long size = 64 << 10, piece = 2 << 20;
    gave[mapped] = os.mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (gave[mapped] > 0) {
      auto* memory = reinterpret_cast<u8*>(gave[mapped]);
      for (u32 i = 0; i < size; i += 4096) all->wrong += memory[i] != 0, memory[i] = 1;
      gave[unmapped] = os.munmap(memory, size);
    }
    gave[mapped_device] =
        os.mmap(nullptr, 2 * piece, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | genesys::map_device, -1, 0);
    if (gave[mapped_device] > 0) {
      auto* memory = reinterpret_cast<u8*>(gave[mapped_device]);
      for (u32 i = 0; i < piece; i += 65536) all->wrong += memory[i] != 0, memory[i] = 1;
      gave[gave_back] = os.madvise(memory, piece, MADV_DONTNEED);
      if (gave[gave_back] == 0) gave[filled] = os.madvise(memory, piece, MADV_POPULATE_WRITE);
      if (gave[filled] == 0) all->wrong += memory[0] != 0;
      gave[unmapped_device] = os.munmap(memory, 2 * piece);
    }
    gave[own_thread] = os.setpriority(PRIO_PROCESS, 0, 0);
  }

  GENESYS_KERNEL static void work_with_sockets(const genesys::os& os, long* gave, lines* all) {
    int ends[2] = {-1, -1};
    gave[paired] = os.socketpair(AF_UNIX, SOCK_DGRAM, 0, ends);
    if (gave[paired] != 0) return;
    char text[bytes], back[bytes], control[CMSG_SPACE(sizeof(int))] = {};
    for (u32 i = 0; i < bytes; ++i) text[i] = static_cast<char>(pattern(i));
    ::iovec out{text, bytes}, in{back, bytes};
    cmsghdr head{CMSG_LEN(sizeof(int)), SOL_SOCKET, SCM_RIGHTS};
    memcpy(control, &head, sizeof head);
    memcpy(control + sizeof head, &ends[0], sizeof(int));
    const ::msghdr letter{nullptr, 0, &out, 1, control, sizeof control, 0};
    gave[sent] = os.sendmsg(ends[0], &letter, 0);
    if (gave[sent] == bytes) {
      char came[CMSG_SPACE(sizeof(int))] = {};
      ::msghdr letter_box{nullptr, 0, &in, 1, came, sizeof came, 0};
      gave[received] = os.recvmsg(ends[1], &letter_box, MSG_DONTWAIT);
      check(gave[received] == bytes, back, all);
      int fd = -1;
      if (gave[received] == bytes && letter_box.msg_controllen >= CMSG_LEN(sizeof(int))) {
        memcpy(&fd, came + sizeof head, sizeof fd);
        os.close(fd);
      }
    }
    os.close(ends[0]);
    os.close(ends[1]);
  }

  GENESYS_KERNEL static void check(bool came, const char* back, lines* all) {
    for (u32 i = 0; came && i < bytes; ++i) all->wrong += static_cast<u8>(back[i]) != pattern(i);
  }
};

std::size_t descriptors_open() {
  const auto all = std::filesystem::directory_iterator("/proc/self/fd");
  return static_cast<std::size_t>(std::distance(begin(all), end(all)));
}
std::size_t threads_there() {
  const auto all = std::filesystem::directory_iterator("/proc/self/task");
  return static_cast<std::size_t>(std::distance(begin(all), end(all)));
}

// (It uses a call that never fails.)
void say(const descriptor& into) {
  char x = 'x';
  const ::iovec piece{&x, 1};
  if (::writev(into.get(), &piece, 1) != 1) std::abort();
}

// Calls a function unless its destructor runs within some seconds.
class late_call {
 public:
  explicit late_call(std::function<void()> what)
      : thread_([this, what = std::move(what)] {
          std::unique_lock hold(lock_);
          if (!wake_.wait_for(hold, std::chrono::seconds(12), [this] { return over_; })) what();
        }) {}
  ~late_call() {
    {
      const std::lock_guard hold(lock_);
      over_ = true;
    }
    wake_.notify_one();
    thread_.join();
  }

 private:
  std::mutex lock_;
  std::condition_variable wake_;
  bool over_ = false;
  std::thread thread_;
};

// One lifetime, with faults in one of its parts.
class lifetime {
 public:
  lifetime(const std::string& policy, part when, const fault& what) : when_(when), what_(what) {
    options_.workers = 1;
    options_.workers_max = 4;
    options_.arena_bytes = 1 << 20;
    options_.bounce_bytes = 16 << 20;
    options_.resident_threads_max = 512;
    options_.shutdown_timeout_ms = 1000;
    options_.sigquit = policy == "io";  // its descriptor stays
    options_.policy = policy;
    const char* device = std::getenv("GENESYS_DEVICE");  // threads and descriptors of CUDA stay
    on_cuda_ = device != nullptr && std::string(device) == "cuda";
    if (policy == "io") options_.policy_rules = "allow path " + place_.path();
  }

  lifetime_report run() {
    const std::size_t descriptors = descriptors_open();
    if (!started()) {
      must(on_cuda_ || descriptors_open() <= descriptors + stay(),
           "a runtime that could not be made left descriptors behind");
      must(on_cuda_ ||
               eventually([] { return threads_there() <= 1; }, 1),  // Linux may still count a thread after pthread_join
           "a runtime that could not be made left threads behind");
      return report_;
    }
    make_calls();
    in_part(part::end, [&] { rt_.reset(); });
    // (Descriptors that the kernel could not close stay open.)
    if (what_.which.name != std::string("syscall"))
      must(on_cuda_ || descriptors_open() <= descriptors + stay(), "the runtime left descriptors behind");
    return report_;
  }

 private:
  // The handler of SIGQUIT writes to a descriptor that the process keeps.
  std::size_t stay() const { return options_.sigquit ? 1 : 0; }

  void must(bool holds, const std::string& what) {
    if (holds) return;
    report_.held = false;
    report_.words += what + "\n";
  }

  template <class F>
  void in_part(part now, F what) {
    if (now != when_) return what();
    arm(what_.which, what_.nth, what_.times);
    try {
      what();
    } catch (...) {
      report_.made = disarm();
      throw;
    }
    report_.made = disarm();
  }

  // Whether it succeeds. A program may see a genesys::error with its reason, or std::bad_alloc.
  template <class F>
  bool is_done(F what) {
    try {
      what();
      return true;
    } catch (const genesys::error& said) {
      report_.words += std::string(said.what()) + "\n";
    } catch (const std::bad_alloc&) {
      report_.words += "no memory\n";
    } catch (const std::exception& other) {
      must(false, std::string("not an error of genesys's: ") + other.what());
    }
    return false;
  }

  // Prints what is known of a lifetime that hangs.
  void show(const lines& all) {
    rt_->report(std::cerr);
    for (u32 b = 0; b < 8; ++b) {
      std::cerr << "  block " << b << ":";
      for (const long value : all.gave[b]) {
        if (value != nothing) std::cerr << " " << value;
      }
      std::cerr << "\n";
    }
  }

  bool started() {
    const bool is_there = is_done([&] { in_part(part::start, [&] { rt_.emplace(options_); }); });
    report_.refused = !is_there;
    return is_there;
  }

  void make_calls() {
    const pipe_ends one = made_pipe(), other = made_pipe();
    auto* all = static_cast<lines*>(rt_->allocate_arena(sizeof(lines)));
    *all = {};
    for (auto& block : all->gave) std::fill(std::begin(block), std::end(block), nothing);
    const int ends[4] = {one.out.get(), one.in.get(), other.out.get(), other.in.get()};
    std::copy(std::begin(ends), std::end(ends), all->ends);
    for (const int end : ends) rt_->grant(end);
    const std::string name = place_ / "file";
    auto* path = static_cast<char*>(rt_->allocate_arena(name.size() + 1));
    std::memcpy(path, name.c_str(), name.size() + 1);
    const auto launched = [&] {
      const genesys::run run = genesys::launch(*rt_, {.blocks = 8, .threads = threads}, use_everything{}, path, all);
      std::this_thread::sleep_for(std::chrono::milliseconds(3));
      say(one.in);
      say(other.in);
      std::ostringstream words;
      rt_->report(words);
      while (!run.finished()) std::this_thread::sleep_for(std::chrono::microseconds(200));
      run.drain();
    };
    const late_call shown([&] { show(*all); });
    if (!is_done([&] { in_part(part::calls, launched); })) return;
    look_at(*all, name);
  }

  void look_at(const lines& all, const std::string& name) {
    report_.called = true;
    must(all.wrong == 0, std::to_string(all.wrong) + " bytes are wrong");
    for (const auto& block : all.gave) {
      for (const long value : block) {
        must(value == nothing || value >= -4095, "a call gave " + std::to_string(value));
        report_.errors += value < 0;
      }
    }
    if (options_.policy == "io") {  // the policy's result, with or without faults
      must(all.gave[1][own_thread] == -EPERM, "a call that is denied was made");
      --report_.errors;
    }
    const long* of_files = all.gave[0];
    for (const step one : {opened, wrote, wrote_pieces, read_back, read_later, closed, slept})
      must(of_files[one] != nothing, "a call has no result");
    must(all.gave[3][read_pipe] != nothing && all.gave[4][read_pipe_later] != nothing, "a read has no result");
    for (u32 b = 5; b < 8; ++b)
      must(all.gave[b][asked] == ::getpid() || all.gave[b][asked] < 0, "a block has no result, or a wrong one");
    if (of_files[wrote] == bytes) {
      const descriptor file(::open(name.c_str(), O_RDONLY | O_CLOEXEC));
      must(content_of(file.get()).substr(0, bytes) == patterned(bytes), "what was written is not there");
    }
    if (when_ != part::calls) must(report_.errors == 0, "calls failed though nothing was made to");
  }

  const part when_;
  const fault what_;
  folder place_;
  genesys::options options_;
  std::optional<runtime> rt_;
  bool on_cuda_ = false;
  lifetime_report report_;
};

}  // namespace

lifetime_report run_lifetime(const std::string& policy, part when, const fault& what) {
  return lifetime(policy, when, what).run();
}

}  // namespace faults
