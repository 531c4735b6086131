// SPDX-License-Identifier: Apache-2.0
// By Linux's own interface: what is needed of it, memory of one's own for a ring, is newer than the liburing of most
// systems.
#include "execute/direct_rings.h"

#include <linux/io_uring.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <bit>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <memory>

#include "genesys/error.h"

namespace genesys::detail {
namespace {

// Of headers that are newer than some systems'.
constexpr u32 no_mmap = 1u << 14;      // IORING_SETUP_NO_MMAP, Linux 6.5: the ring's memory is ours
constexpr u32 no_sq_array = 1u << 16;  // IORING_SETUP_NO_SQARRAY, Linux 6.6: entries are read in their own order
constexpr u32 register_sync_cancel = 24, cancel_all = 1u << 0, cancel_any = 1u << 2;
struct sync_cancel {  // struct io_uring_sync_cancel_reg
  u64 addr = 0;
  std::int32_t fd = -1;
  u32 flags = 0;
  std::int64_t timeout_s = 0, timeout_ns = 0;
  u64 pad[4] = {};
};

// How long Linux's thread looks for entries before it sleeps. Then the watcher has to wake it.
constexpr u32 idle_ms = 2;
// In front of the completions: heads, tails and flags, wherever this Linux has them.
constexpr std::size_t page = 4096;

std::size_t entries_bytes(u32 entries) { return (entries * sizeof(io_uring_sqe) + page - 1) / page * page; }
std::size_t completions_bytes(u32 completions) {
  return (page + completions * sizeof(io_uring_cqe) + page - 1) / page * page;
}

// A ring in `memory`, the completions first. The descriptor, or -errno.
int set_up(unsigned char* memory, u32 entries, u32 completions, io_uring_params& how) {
  how = {};
  how.flags = IORING_SETUP_SQPOLL | IORING_SETUP_CQSIZE | no_mmap | no_sq_array;
  how.cq_entries = completions;
  how.sq_thread_idle = idle_ms;
  // user_addr: the last word of either, by whatever name this system's header knows it
  const u64 ring = reinterpret_cast<std::uintptr_t>(memory), queue = ring + completions_bytes(completions);
  constexpr std::size_t last = 32;
  static_assert(sizeof how.cq_off == last + 8 && sizeof how.sq_off == last + 8);
  std::memcpy(reinterpret_cast<unsigned char*>(&how.cq_off) + last, &ring, sizeof ring);
  std::memcpy(reinterpret_cast<unsigned char*>(&how.sq_off) + last, &queue, sizeof queue);
  const long fd = ::syscall(SYS_io_uring_setup, entries, &how);
  return fd < 0 ? -errno : static_cast<int>(fd);
}

void* map(std::size_t bytes) {
  void* const at = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
  return at == MAP_FAILED ? nullptr : at;
}

template <class T>
T load(const T* at) {
  return std::atomic_ref<T>(*const_cast<T*>(at)).load(std::memory_order_acquire);
}

[[noreturn]] void fail(const char* what, int number) {
  throw error(error_code::system, std::string(what) + ": " + std::strerror(number));
}

}  // namespace

std::string direct_rings::why_not() {
  constexpr u32 few = 8;
  const std::size_t bytes = completions_bytes(2 * few) + entries_bytes(few);
  void* const memory = map(bytes);
  if (memory == nullptr) return "there is no memory for a ring";
  io_uring_params how;
  const int fd = set_up(static_cast<unsigned char*>(memory), few, 2 * few, how);
  if (fd >= 0) ::close(fd);
  ::munmap(memory, bytes);
  if (fd >= 0) return {};
  if (fd == -ENOSYS) return "this kernel has no io_uring";
  if (fd == -EPERM)
    return "io_uring or its SQPOLL is not allowed (/proc/sys/kernel/io_uring_disabled, or a seccomp filter)";
  if (fd == -EINVAL) return "this kernel's io_uring is older than Linux 6.6";
  return std::string("io_uring_setup says: ") + std::strerror(-fd);
}

direct_rings::direct_rings(device& on, const shape& as)
    : on_(on),
      rings_(as.rings),
      as_{static_cast<std::uint8_t>(as.rings), static_cast<std::uint8_t>(std::countr_zero(as.entries)),
          static_cast<std::uint8_t>(std::countr_zero(as.completions))} {
  try {
    const std::size_t each = completions_bytes(as.completions) + entries_bytes(as.entries);
    bytes_ = each * as.rings;
    memory_ = map(bytes_);
    if (memory_ == nullptr) fail("mmap, for rings", errno);
    for (u32 i = 0; i < as.rings; ++i) open(rings_[i], static_cast<unsigned char*>(memory_) + i * each, as);
    if (const int no = on.memory_mapper().admit(memory_, bytes_, false); no != 0 && no != -EADDRNOTAVAIL)
      fail("the device cannot use the rings' memory", -no);
    else if (no != 0)
      fail("the device would know the rings by other addresses", -no);
    admitted_ = true;

    const std::size_t answers = (sizeof(direct_pool) + 127) / 128 * 128, written = answers + sizeof(u64) * as.cells;
    const std::size_t all = written + sizeof(u64) * as.rings * as.entries;
    pool_ = static_cast<direct_pool*>(on.allocate(all));
    on.fill(pool_, 0, all);
    const auto first = std::make_unique<direct_pool>();
    first->cells = as.cells;
    first->answer = reinterpret_cast<u64*>(reinterpret_cast<unsigned char*>(pool_) + answers);
    first->written = reinterpret_cast<u64*>(reinterpret_cast<unsigned char*>(pool_) + written);
    for (u32 i = 0; i < as.rings; ++i) first->ring[i] = rings_[i].shared;
    on.copy_to_device(pool_, first.get(), sizeof(direct_pool));
  } catch (...) {
    close();
    throw;
  }
}

void direct_rings::open(ring& one, unsigned char* memory, const shape& as) {
  io_uring_params how;
  const int fd = set_up(memory, as.entries, as.completions, how);
  if (fd < 0) fail("io_uring_setup", -fd);
  one.fd.take(fd);
  if (how.sq_entries != as.entries || how.cq_entries != as.completions || how.cq_off.cqes > page)
    throw error(error_code::system, "io_uring_setup gave a ring of another shape than was asked for");
  const auto word = [&](u32 offset) { return reinterpret_cast<u32*>(memory + offset); };
  one.shared = {word(how.sq_off.head),
                word(how.sq_off.tail),
                word(how.cq_off.head),
                word(how.cq_off.tail),
                reinterpret_cast<u64*>(memory + completions_bytes(as.completions)),
                reinterpret_cast<u64*>(memory + how.cq_off.cqes)};
  one.flags = word(how.sq_off.flags);
}

direct_rings::~direct_rings() { close(); }

void direct_rings::close() {
  for (ring& one : rings_) one.fd.reset();
  if (leaked_) return;  // a kernel may still write there
  if (pool_ != nullptr) on_.free(pool_);
  if (admitted_) on_.memory_mapper().let_go(memory_);
  if (memory_ != nullptr) ::munmap(memory_, bytes_);
}

void direct_rings::wake() const {
  for (const ring& one : rings_) {
    if ((load(one.flags) & IORING_SQ_NEED_WAKEUP) != 0)
      (void)::syscall(SYS_io_uring_enter, one.fd.get(), 0, 0, IORING_ENTER_SQ_WAKEUP, nullptr, 0);
  }
}

namespace {
u64 lengthened(u64 before, u32 now) { return before + (now - static_cast<u32>(before)); }
}  // namespace

bool direct_rings::look() {
  bool any = false;
  for (ring& one : rings_) {
    const u32 head = load(one.shared.head);
    one.read.store(lengthened(one.read.load(std::memory_order_relaxed), head), std::memory_order_relaxed);
    if ((load(one.flags) & IORING_SQ_NEED_WAKEUP) == 0 || load(one.shared.tail) == head) continue;
    (void)::syscall(SYS_io_uring_enter, one.fd.get(), 0, 0, IORING_ENTER_SQ_WAKEUP, nullptr, 0);
    any = true;
  }
  return any;
}

void direct_rings::end() {
  if (!closed_) (void)on_.memory_mapper().store(&pool_->closed, 1);
  closed_ = true;
  wake();  // entries that are there have to be read first
  for (const ring& one : rings_) {
    sync_cancel all;
    all.flags = cancel_all | cancel_any;
    all.timeout_s = 0;
    all.timeout_ns = 1;  // it is asked for again
    (void)::syscall(SYS_io_uring_register, one.fd.get(), register_sync_cancel, &all, 1);
  }
}

u64 direct_rings::calls_so_far() const {
  u64 sum = 0;
  for (const ring& one : rings_) sum += lengthened(one.read.load(std::memory_order_relaxed), load(one.shared.head));
  return sum;
}

u32 direct_rings::under_way() const {
  u32 sum = 0;
  for (const ring& one : rings_) sum += load(one.shared.tail) - load(one.shared.completed);
  return sum;
}

}  // namespace genesys::detail
