// SPDX-License-Identifier: Apache-2.0
// The host's side of scripts: it stores them, launches the kernels, and makes the calls natively. No kernel here.
#include "script.h"

#include <algorithm>

namespace contract {
namespace {

struct call_about {
  const char* name;
  long number;
  bool pointers = false;
  bool in_all_modes = false;  // make_call has it in every call mode
};

constexpr call_about calls_about[] = {
    {"openat", SYS_openat, true, true},
    {"close", SYS_close, false, true},
    {"read", SYS_read, true, true},
    {"pread64", SYS_pread64, true, true},
    {"write", SYS_write, true, true},
    {"pwrite64", SYS_pwrite64, true, true},
    {"lseek", SYS_lseek, false, false},
    {"fstat", SYS_fstat, true, true},
    {"getdents64", SYS_getdents64, true, true},
    {"ftruncate", SYS_ftruncate, false, false},
    {"fsync", SYS_fsync, false, false},
    {"fdatasync", SYS_fdatasync, false, false},
    {"dup", SYS_dup, false, false},
    {"unlinkat", SYS_unlinkat, true, false},
    {"mkdirat", SYS_mkdirat, true, false},
    {"getcwd", SYS_getcwd, true, true},
    {"getpid", SYS_getpid, false, false},
    {"getppid", SYS_getppid, false, true},
    {"getrusage", SYS_getrusage, true, false},
    {"uname", SYS_uname, true, false},
    {"getrandom", SYS_getrandom, true, false},
    {"clock_gettime", SYS_clock_gettime, true, false},
    {"nanosleep", SYS_nanosleep, true, true},
    {"pipe2", SYS_pipe2, true, false},
    {"socket", SYS_socket, false, false},
    {"socketpair", SYS_socketpair, true, false},
    {"bind", SYS_bind, true, true},
    {"listen", SYS_listen, false, false},
    {"accept4", SYS_accept4, true, false},
    {"connect", SYS_connect, true, false},
    {"getsockname", SYS_getsockname, true, false},
    {"getpeername", SYS_getpeername, true, false},
    {"shutdown", SYS_shutdown, false, false},
    {"sendto", SYS_sendto, true, true},
    {"recvfrom", SYS_recvfrom, true, true},
    {"ioctl", SYS_ioctl, true, false},
    {"rt_sigqueueinfo", SYS_rt_sigqueueinfo, true, false},
    {"syscall", 0, false, true},
};

constexpr const char* memory_names[memory_kinds] = {"none",    "arena",  "device",     "shared",
                                                    "private", "pinned", "registered", "managed"};

bool is_kept_on_device(memory where) {
  return where == memory::device || where == memory::shared || where == memory::private_;
}

// Memory of one kind that holds a whole image.
class image_copy {
 public:
  image_copy(runtime& rt, memory where, const std::vector<u8>& image) : rt_(rt), where_(where), bytes_(image.size()) {
    allocate();
    if (is_kept_on_device(where_)) {
      rt_.copy_to_device(at_, image.data(), bytes_);
    } else {
      std::memcpy(at_, image.data(), bytes_);
    }
  }
  ~image_copy() {
    switch (where_) {
      case memory::arena:
        rt_.free_arena(at_);
        break;
#if defined(__CUDACC__)
      case memory::pinned:
        (void)cudaFreeHost(at_);
        break;
      case memory::registered:
        (void)cudaHostUnregister(at_);
        std::free(at_);
        break;
      case memory::managed:
        (void)cudaFree(at_);
        break;
#endif
      default:
        rt_.free_device(at_);
    }
  }
  image_copy(const image_copy&) = delete;
  image_copy& operator=(const image_copy&) = delete;

  u8* get() const { return at_; }
  void take(std::vector<u8>& into) const {
    into.resize(bytes_);
    if (is_kept_on_device(where_)) {
      rt_.copy_to_host(into.data(), at_, bytes_);
    } else {
      std::memcpy(into.data(), at_, bytes_);
    }
  }

 private:
  void allocate() {
    void* got = nullptr;
    switch (where_) {
      case memory::arena:
        got = rt_.allocate_arena(bytes_);
        break;
#if defined(__CUDACC__)
      case memory::pinned:
        (void)cudaHostAlloc(&got, bytes_, cudaHostAllocMapped);
        break;
      case memory::registered:
        got = std::aligned_alloc(4096, (bytes_ + 4095) / 4096 * 4096);
        (void)cudaHostRegister(got, bytes_, cudaHostRegisterMapped);
        break;
      case memory::managed:
        (void)cudaMallocManaged(&got, bytes_);
        break;
#endif
      default:
        got = rt_.allocate_device(bytes_);
    }
    if (got == nullptr) throw std::runtime_error("no memory for a test's image");
    at_ = static_cast<u8*>(got);
  }

  runtime& rt_;
  memory where_;
  std::size_t bytes_;
  u8* at_ = nullptr;
};

}  // namespace

const char* name_of(call what) { return calls_about[static_cast<u32>(what)].name; }
const char* name_of(memory where) { return memory_names[static_cast<u32>(where)]; }

const std::vector<call_mode>& call_modes() {
#define CALL_MODE(s, o, w) call_mode{scope::s, order::o, wait::w},
  static const std::vector<call_mode> all{
#include "script_call_modes.inc"
  };
#undef CALL_MODE
  return all;
}

std::string name_of(call_mode m) {
  static constexpr const char *scopes[] = {"Thread", "Warp", "Block", "Grid"}, *orders[] = {"", "Producer", "Consumer"},
                              *waits[] = {"", "Ticket"};
  return std::string(scopes[static_cast<u32>(m.at)]) + orders[static_cast<u32>(m.order)] +
         waits[static_cast<u32>(m.wait)];
}

std::vector<memory> memories(std::size_t largest) {
  std::vector<memory> all{memory::arena, memory::device};
  if (largest <= fits_shared) all.push_back(memory::shared);
  if (largest <= fits_private) all.push_back(memory::private_);
#if defined(__CUDACC__)
  if (on_cuda()) all.insert(all.end(), {memory::pinned, memory::registered, memory::managed});
#endif
  return all;
}

u32 book::add(call what, std::vector<long> args, std::vector<content> buffers, std::optional<u32> on) {
  step fresh{};
  fresh.what = what;
  std::copy(args.begin(), args.end(), fresh.args);
  if (on) fresh.fd_from = *on;
  u64 local = 0;
  for (std::size_t k = 0; k < buffers.size(); ++k) {
    const content& from = buffers[k];
    buffer& b = fresh.buffers[k];
    b = {from.where,
         from.arg,
         image_.size(),
         guard_bytes + from.offset + from.bytes + guard_bytes,
         guard_bytes + from.offset,
         from.bytes,
         local};
    const u64 room = (b.bytes + region_alignment - 1) / region_alignment * region_alignment;
    local += room;
    image_.resize(image_.size() + room);
    for (u64 i = 0; i < room; ++i) image_[b.region + i] = pattern(b.region + i, 77);
    std::copy_n(from.data.begin(), std::min<std::size_t>(from.data.size(), from.bytes),
                image_.begin() + static_cast<long>(b.region + b.at));
    if (from.where == memory::private_ && b.local + b.bytes > private_bytes)
      throw std::logic_error("too large a buffer for private memory");
  }
  steps_.push_back(fresh);
  return scripts_.back().count++;
}

void book::start_in(call_mode how, const genesys::launch_config& config, const stage& s) {
#define CALL_MODE(a, o, w)                           \
  if (how == call_mode{scope::a, order::o, wait::w}) \
    return start_scripts<call_mode{scope::a, order::o, wait::w}>(*rt_, config, s).finish();
#include "script_call_modes.inc"
#undef CALL_MODE
  throw std::logic_error("a call mode that was not built");
}

const call_about& facts_of(const step& one) { return calls_about[static_cast<u32>(one.what)]; }

// A call mode that lacks a call makes it by its number.
std::vector<step> book::steps_for(call_mode how) const {
  std::vector<step> steps = steps_;
  for (step& one : steps) {
    if (has_all_calls(how) || facts_of(one).in_all_modes) continue;
    one.number = facts_of(one).number;
    one.what = call::raw;
  }
  return steps;
}

bool book::can_be_performed(call_mode how) const {
  return has_all_calls(how) || std::all_of(steps_.begin(), steps_.end(), [](const step& one) {
           return facts_of(one).in_all_modes || !facts_of(one).pointers;
         });
}

bool book::uses_own_memory() const {
  return std::any_of(steps_.begin(), steps_.end(), [](const step& one) {
    return std::any_of(std::begin(one.buffers), std::end(one.buffers),
                       [](const buffer& b) { return b.where == memory::shared || b.where == memory::private_; });
  });
}

book::outcome book::perform(call_mode how, int folder_fd, u32 block_threads) {
  const std::size_t steps = steps_.size(), count = scripts_.size();
  on_device<step> device_steps(*rt_, steps_for(how));
  on_device<script> device_scripts(*rt_, scripts_);
  on_device<long> values(*rt_, steps);
  on_device<u32> differing(*rt_, steps);
  differing.fill(0);
  on_device<u32> arrived(*rt_, 1);
  arrived.fill(0);
  stage s{device_steps.get(),
          device_scripts.get(),
          static_cast<u32>(count),
          folder_fd,
          {},
          values.get(),
          differing.get(),
          0,
          arrived.get()};

  std::map<memory, std::unique_ptr<image_copy>> copies;
  u64 shared_bytes = 0;
  for (const step& one : steps_) {
    for (const buffer& b : one.buffers) {
      if (b.where == memory::none) continue;
      const memory kept = is_kept_on_device(b.where) ? memory::device : b.where;
      auto& copy = copies[kept];
      if (!copy) copy = std::make_unique<image_copy>(*rt_, kept, image_);
      s.base[static_cast<u32>(b.where)] = copy->get();
      if (b.where == memory::shared) shared_bytes = std::max(shared_bytes, b.local + b.bytes);
    }
  }
  s.shared_stride = (shared_bytes + region_alignment - 1) / region_alignment * region_alignment;
  constexpr u32 grid_blocks = 3;
  constexpr u64 shared_bytes_wanted = 96 * 1024;
  const u32 unit_threads = how.at == scope::thread ? 1 : how.at == scope::warp ? 32 : block_threads;
  u32 units = how.at == scope::thread ? 32 : 1;  // units that share a block
  if (how.at == scope::warp) units = 4;
  while (units > 1 && units * s.shared_stride > shared_bytes_wanted) units /= 2;
  start_in(how,
           {.blocks = {how.at == scope::grid ? grid_blocks : (static_cast<u32>(count) + units - 1) / units},
            .threads = {units * unit_threads},
            .shared_bytes = units * s.shared_stride},
           s);

  outcome got{values.take(), image_, differing.take()};
  std::vector<u8> image;
  for (const auto& [kept, copy] : copies) {
    copy->take(image);
    for (const step& one : steps_) {
      for (const buffer& b : one.buffers) {
        if ((is_kept_on_device(b.where) ? memory::device : b.where) != kept) continue;
        std::copy_n(image.begin() + static_cast<long>(b.region), b.bytes,
                    got.image.begin() + static_cast<long>(b.region));
      }
    }
  }
  return got;
}

book::outcome book::perform_natively(int folder_fd) const {
  outcome native{std::vector<long>(steps_.size()), image_, std::vector<u32>(steps_.size())};
  for (const script& range : scripts_) {
    for (u32 i = 0; i < range.count; ++i) {
      const std::size_t index = range.first + i;
      if (const auto found = expected_.find(index); found != expected_.end()) {
        native.values[index] = found->second;
        continue;
      }
      const step& now = steps_[index];
      long a[6];
      for (int k = 0; k < 6; ++k) a[k] = now.args[k] == root ? folder_fd : now.args[k];
      if (now.fd_from != ~0u) a[0] = native.values[range.first + now.fd_from];
      for (const buffer& b : now.buffers) {
        if (b.where != memory::none) a[b.arg] = reinterpret_cast<long>(native.image.data() + b.region + b.at);
      }
      const long number = now.what == call::raw ? now.number : calls_about[static_cast<u32>(now.what)].number;
      const long said = ::syscall(number, a[0], a[1], a[2], a[3], a[4], a[5]);
      native.values[index] = said == -1 ? -errno : said;
    }
  }
  return native;
}

void book::check_in(call_mode how, const folder& here, const folder& there, u32 block_threads) {
  if (how.at == scope::grid && uses_own_memory()) GTEST_SKIP() << "memory of a block or a thread is not a grid's";
  if (!can_be_performed(how)) GTEST_SKIP() << "in this call mode only with the full product";
  SCOPED_TRACE(name_of(how));
  const outcome native = perform_natively(there.fd());
  const outcome got = perform(how, here.fd(), block_threads);
  compare(got, native);
  compare_folders(here, there);
}

}  // namespace contract
