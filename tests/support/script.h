// SPDX-License-Identifier: Apache-2.0
// Scripts: calls in a row, written as data. A kernel makes them through genesys and the host makes them natively, each
// in a folder of its own. Then book::check() reports every difference: in a value, in a byte of a buffer or of the
// guards around it, in a file. A book holds many scripts. Each thread, warp or block performs one of them; a grid
// performs all.
#pragma once

#include <map>
#include <memory>
#include <optional>

#include "contract.h"

namespace contract {

enum class call : u32 {
  openat,
  close,
  read,
  pread64,
  write,
  pwrite64,
  lseek,
  fstat,
  getdents64,
  ftruncate,
  fsync,
  fdatasync,
  dup,
  unlinkat,
  mkdirat,
  getcwd,
  getpid,
  getppid,
  getrusage,
  uname,
  getrandom,
  clock_gettime,
  nanosleep,
  pipe2,
  socket,
  socketpair,
  bind,
  listen,
  accept4,
  connect,
  getsockname,
  getpeername,
  shutdown,
  sendto,
  recvfrom,
  ioctl,  // args[1] is the request
  rt_sigqueueinfo,
  raw,  // os.syscall(number, ...)
};
const char* name_of(call what);

// Where a buffer lies.
enum class memory : u32 { none, arena, device, shared, private_, pinned, registered, managed };
constexpr u32 memory_kinds = 8;
const char* name_of(memory where);
// The kinds that this device has and that can hold a buffer of `largest` bytes.
std::vector<memory> memories(std::size_t largest = 0);

constexpr u32 private_bytes = 4608;  // for the buffers of one step
constexpr u32 guard_bytes = 64;      // before and behind each buffer
constexpr u32 region_alignment = 256;
constexpr u64 fits_private = 4096, fits_shared = 131073;

// A buffer of a step: a region of the book's image, with guards.
struct buffer {
  memory where = memory::none;
  u32 arg = 0;     // the argument that points to it
  u64 region = 0;  // offset in the image
  u64 bytes = 0;   // of the region
  u64 at = 0;      // offset in the region to which the argument points
  u64 asked = 0;   // bytes between the guards
  u64 local = 0;   // offset of the region in shared or private memory
};

constexpr long root = -77'000'001;  // an argument that stands for the script's folder

struct step {
  call what = call::getppid;
  u32 fd_from = ~0u;  // args[0] is the value of this step of the same script
  long number = 0;    // for call::raw
  long args[6] = {};
  buffer buffers[3] = {};
};

struct script {
  u32 first, count;
};

// What a kernel needs of a book.
struct stage {
  const step* steps;
  const script* scripts;
  u32 scripts_count;
  int folder;
  u8* base[memory_kinds];  // the image by kind of memory; for shared and private memory it lies in device memory
  long* values;            // one for each step
  u32* differing;          // for each step: how many threads differ from the first in value or private memory
  u64 shared_stride;       // thread scope: the bytes of shared memory that each thread has
  u32* arrived;            // grid scope: the counter of the test's own barrier
};

// How a script makes its calls: the scope, the order, and whether each call blocks or has a ticket.
enum class scope { thread, warp, block, grid };
enum class order { strong, producer, consumer };
enum class wait { blocking, ticket };
struct call_mode {
  scope at;
  contract::order order;
  contract::wait wait;
  constexpr bool operator==(const call_mode&) const = default;
};
constexpr call_mode in_threads{scope::thread, order::strong, wait::blocking};
constexpr call_mode in_blocks{scope::block, order::strong, wait::blocking};
const std::vector<call_mode>& call_modes();  // those that are built
std::string name_of(call_mode m);            // for the name of a test

// Launches a kernel that performs the scripts.
template <call_mode m>
launched start_scripts(runtime& rt, const genesys::launch_config& config, const stage& s);

// Whether the kernel of this call mode has all calls.
#if defined(GENESYS_TEST_FULL_PRODUCT)
constexpr bool full_product = true;
#else
constexpr bool full_product = false;
#endif
GENESYS_KERNEL constexpr bool has_all_calls(call_mode m) {
  return full_product ||
         ((m.at == scope::thread || m.at == scope::block) && m.order == order::strong && m.wait == wait::blocking);
}

class book {
 public:
  explicit book(runtime& rt = shared_runtime()) : rt_(&rt) {}

  // The steps that follow belong to a new script.
  void begin() { scripts_.push_back({static_cast<u32>(steps_.size()), 0}); }
  // Names the last script, for messages.
  void about(const std::string& text) { titles_[static_cast<u32>(scripts_.size()) - 1] = text; }

  struct content {
    u32 arg;
    memory where;
    u64 bytes;
    std::string data = {};  // its first bytes; a pattern follows
    u32 offset = 0;         // from an address aligned to 16 bytes
  };
  // Adds a call and returns its number in the script. `on` is the number of the step whose value is args[0].
  u32 add(call what, std::vector<long> args, std::vector<content> buffers = {}, std::optional<u32> on = {});
  u32 on(u32 earlier, call what, std::vector<long> args, std::vector<content> buffers = {}) {
    args.insert(args.begin(), 0);
    return add(what, std::move(args), std::move(buffers), earlier);
  }
  u32 raw(long number, std::vector<long> args) {
    const u32 at = add(call::raw, std::move(args));
    steps_.back().number = number;
    return at;
  }
  void number_of_last(long number) { steps_.back().number = number; }
  // The host does not make the last step: it has this value, and it changes no buffer.
  void must_give(long value) { expected_[steps_.size() - 1] = value; }
  // Adds a step that opens `name` in the script's folder, and returns its number.
  u32 open(const std::string& name, int flags, memory where) {
    return add(call::openat, {root, 0, flags, 0640}, {{1, where, name.size() + 1, name + '\0'}});
  }

  // Performs all scripts in the call mode and natively, in two folders that `prepare` fills alike, and compares
  // everything.
  template <class Prepare>
  void check(call_mode how, Prepare prepare, u32 block_threads = sanitized ? 33 : 96) {
    folder here, there;
    prepare(here);
    prepare(there);
    check_in(how, here, there, block_threads);
  }
  void check(call_mode how) {
    check(how, [](const folder&) {});
  }

 private:
  struct outcome {
    std::vector<long> values;
    std::vector<u8> image;
    std::vector<u32> differing;
  };
  void check_in(call_mode how, const folder& here, const folder& there, u32 block_threads);
  outcome perform(call_mode how, int folder_fd, u32 block_threads);
  void start_in(call_mode how, const genesys::launch_config& config, const stage& s);
  std::vector<step> steps_for(call_mode how) const;
  bool can_be_performed(call_mode how) const;
  bool uses_own_memory() const;
  outcome perform_natively(int folder_fd) const;
  void compare(const outcome& got, const outcome& native) const;
  void compare_buffer(const step& s, const buffer& b, long value, std::size_t index, const outcome& got,
                      const outcome& native, const std::string& what) const;
  std::string describe(std::size_t index) const;

  runtime* rt_;
  std::vector<step> steps_;
  std::vector<script> scripts_;
  std::vector<u8> image_;
  std::map<std::size_t, long> expected_;
  std::map<u32, std::string> titles_;
};

// Checks that the files of two folders differ in nothing but their inodes and times.
void compare_folders(const folder& here, const folder& there);

}  // namespace contract
