// SPDX-License-Identifier: Apache-2.0
// By Linux's own interface: what is needed of it, memory of one's own for a ring, is newer than the liburing of most
// systems.
#include "execute/shared_rings.h"

#include <linux/io_uring.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <memory>
#include <utility>

#include "execute/executor_choice.h"
#include "execute/generated/uring_checks.h"
#include "genesys/detail/table/generated/plans.h"
#include "genesys/error.h"
#include "trace/clock.h"

namespace genesys::detail {
namespace {

// Of headers that are newer than some systems'.
constexpr u32 no_mmap = 1u << 14;      // IORING_SETUP_NO_MMAP, Linux 6.5: the ring's memory is ours
constexpr u32 no_sq_array = 1u << 16;  // IORING_SETUP_NO_SQARRAY, Linux 6.6: entries are read in their own order
constexpr u32 register_files = 13, sparse = 1u << 0;  // Linux 5.19
struct files_table {                                  // struct io_uring_rsrc_register
  u32 count, flags;
  u64 none[3] = {};
};
struct files_update {  // struct io_uring_files_update
  u32 offset, none;
  u64 fds;
};
constexpr u32 register_sync_cancel = 24, cancel_all = 1u << 0, cancel_any = 1u << 2;
struct sync_cancel {  // struct io_uring_sync_cancel_reg
  u64 addr = 0;
  std::int32_t fd = -1;
  u32 flags = 0;
  std::int64_t timeout_s = 0, timeout_ns = 0;
  u64 pad[4] = {};
};

static_assert(direct_fixed_file == u64{IOSQE_FIXED_FILE} << 8 * offsetof(io_uring_sqe, flags));

// How long Linux's thread looks for entries before it sleeps. Then the watcher has to wake it.
constexpr u32 idle_ms = 2;
// In front of the completions: heads, tails and flags, wherever this Linux has them.
constexpr std::size_t page = 4096;

std::size_t entries_bytes(u32 entries) { return (entries * sizeof(io_uring_sqe) + page - 1) / page * page; }
std::size_t completions_bytes(u32 completions) {
  return (page + completions * sizeof(io_uring_cqe) + page - 1) / page * page;
}

// A ring in `memory`, the completions first. The descriptor, or -errno.
int set_up(unsigned char* memory, u32 entries, u32 completions, bool disabled, io_uring_params& how) {
  how = {};
  how.flags = IORING_SETUP_SQPOLL | IORING_SETUP_CQSIZE | no_mmap | no_sq_array;
  if (disabled) how.flags |= IORING_SETUP_R_DISABLED;
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

// A bit for each opcode that this Linux has.
u64 opcodes_of(int ring) {
  constexpr u32 known = 64;
  alignas(io_uring_probe) unsigned char memory[sizeof(io_uring_probe) + known * sizeof(io_uring_probe_op)] = {};
  if (::syscall(SYS_io_uring_register, ring, IORING_REGISTER_PROBE, memory, known) != 0) return 0;
  const auto& returned = *reinterpret_cast<const io_uring_probe*>(memory);
  u64 all = 0;
  for (u32 i = 0; i < known && i <= returned.last_op; ++i)
    all |= u64{(returned.ops[i].flags & IO_URING_OP_SUPPORTED) != 0} << i;
  return all;
}

// Those that a ring is held to, under these rules. They are older than the flags it is set up with.
u64 strict_opcodes(const policy& rules) {
  const auto allows = [&](plan_id call) { return rules.chosen().allowed[static_cast<std::size_t>(call)]; };
  u64 all = 0;
  if (allows(plan_id::pread64)) all |= u64{1} << uring_op::read_fixed;
  if (allows(plan_id::pwrite64)) all |= u64{1} << uring_op::write_fixed;
  if (allows(plan_id::fsync) && allows(plan_id::fdatasync)) all |= u64{1} << uring_op::fsync;
  return all;
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

std::string shared_rings::why_not() {
  constexpr u32 few = 8;
  const std::size_t bytes = completions_bytes(2 * few) + entries_bytes(few);
  void* const memory = map(bytes);
  if (memory == nullptr) return "there is no memory for a ring";
  io_uring_params how;
  const int fd = set_up(static_cast<unsigned char*>(memory), few, 2 * few, false, how);
  own_descriptor(fd).reset();
  ::munmap(memory, bytes);
  if (fd >= 0) return {};
  if (fd == -ENOSYS) return "this kernel has no io_uring";
  if (fd == -EPERM)
    return "io_uring or its SQPOLL is not allowed (/proc/sys/kernel/io_uring_disabled, or a seccomp filter)";
  if (fd == -EINVAL) return "this kernel's io_uring is older than Linux 6.6";
  return std::string("io_uring_setup says: ") + std::strerror(-fd);
}

shared_rings::shared_rings(device& on, const shape& as)
    : on_(on),
      rings_(as.rings),
      as_{static_cast<std::uint8_t>(as.rings), static_cast<std::uint8_t>(std::countr_zero(as.entries)),
          static_cast<std::uint8_t>(std::countr_zero(as.completions)), as.strict != nullptr} {
  try {
    rlimit open_most{};
    if (as.strict != nullptr && ::getrlimit(RLIMIT_NOFILE, &open_most) == 0)
      files_max_ =
          static_cast<u32>(std::min(open_most.rlim_cur, rlim_t{4096}));  // Linux allows no more than may be open
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

    const std::size_t results = (sizeof(shared_ring_table) + 127) / 128 * 128,
                      written = results + sizeof(u64) * as.completion_slots;
    const std::size_t posted = (written + sizeof(u64) * as.rings * as.entries + 31) / 32 * 32;
    const std::size_t all = posted + sizeof(posted_counters) * runs_max;
    table_ = static_cast<shared_ring_table*>(on.allocate(all));
    on.fill(table_, 0, all);
    const auto first = std::make_unique<shared_ring_table>();
    first->completion_slots = as.completion_slots;
    first->opcodes = as.strict != nullptr ? strict_opcodes(*as.strict) : opcodes_of(rings_.front().fd.get());
    first->results = reinterpret_cast<u64*>(reinterpret_cast<unsigned char*>(table_) + results);
    first->filled = reinterpret_cast<u64*>(reinterpret_cast<unsigned char*>(table_) + written);
    first->posted = reinterpret_cast<posted_counters*>(reinterpret_cast<unsigned char*>(table_) + posted);
    for (u32 i = 0; i < as.rings; ++i) first->ring[i] = rings_[i].shared;
    on.copy_to_device(table_, first.get(), sizeof(shared_ring_table));
    posted_ = first->posted;
    posted_known_.resize(runs_max);
    posted_told_.resize(runs_max);
  } catch (...) {
    close();
    throw;
  }
}

void shared_rings::open(ring& one, unsigned char* memory, const shape& as) {
  io_uring_params how;
  const int fd = set_up(memory, as.entries, as.completions, as.strict != nullptr, how);
  if (fd == -ENOMEM)
    throw rings_refused(executor_kind::direct, "rings take more memory than RLIMIT_MEMLOCK (ulimit -l)");
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
  one.overflow = word(how.cq_off.overflow);
  if (as.strict != nullptr) restrict_and_enable(one, as);
}

// So that whatever is written into the ring, Linux moves bytes between files that are lent and the arena, or nothing.
void shared_rings::restrict_and_enable(const ring& one, const shape& as) {
  const auto ask = [&](u32 what, const void* with, std::size_t count) {
    if (::syscall(SYS_io_uring_register, one.fd.get(), what, with, count) == 0) return;
    const int no = errno;
    if (no == ENOMEM) {
      const u64 mib = (as.arena_end - as.arena_begin) * as.rings >> 20;
      throw rings_refused(executor_kind::direct, "policy strict takes " + std::to_string(mib + 1) +
                                                     " MiB of locked memory, and RLIMIT_MEMLOCK (ulimit -l) is less");
    }
    throw error(error_code::system, std::string("io_uring_register: ") + std::strerror(no) + ", for policy strict");
  };
  const files_table files{files_max_, sparse};
  ask(register_files, &files, sizeof files);
  std::vector<iovec> pieces;
  for (u64 at = as.arena_begin; at < as.arena_end; at += registered_piece_bytes)
    pieces.push_back({reinterpret_cast<void*>(at), std::min(as.arena_end - at, registered_piece_bytes)});
  ask(IORING_REGISTER_BUFFERS, pieces.data(), pieces.size());

  std::vector<io_uring_restriction> held;
  const auto allow = [&](u32 kind, u32 value) {
    io_uring_restriction more{};
    more.opcode = static_cast<u16>(kind);
    more.sqe_op = static_cast<std::uint8_t>(value);
    held.push_back(more);
  };
  for (u32 opcode = 0; opcode < 64; ++opcode) {
    if ((strict_opcodes(*as.strict) >> opcode & 1) != 0) allow(IORING_RESTRICTION_SQE_OP, opcode);
  }
  allow(IORING_RESTRICTION_SQE_FLAGS_ALLOWED, IOSQE_FIXED_FILE);
  allow(IORING_RESTRICTION_SQE_FLAGS_REQUIRED, IOSQE_FIXED_FILE);
  allow(IORING_RESTRICTION_REGISTER_OP, register_sync_cancel);
  allow(IORING_RESTRICTION_REGISTER_OP, IORING_REGISTER_FILES_UPDATE);
  ask(IORING_REGISTER_RESTRICTIONS, held.data(), held.size());
  ask(IORING_REGISTER_ENABLE_RINGS, nullptr, 0);
}

bool shared_rings::set_file(int number, int fd) {
  bool all = true;
  for (const ring& one : rings_) {
    const files_update how{static_cast<u32>(number), 0, reinterpret_cast<u64>(&fd)};
    all &= ::syscall(SYS_io_uring_register, one.fd.get(), IORING_REGISTER_FILES_UPDATE, &how, 1) == 1;
  }
  return all;
}

bool shared_rings::grant(int fd) {
  if (static_cast<u32>(fd) >= files_max_) return false;
  (void)granted_.add(static_cast<u64>(fd));
  return set_file(fd, fd);
}

void shared_rings::revoke(u64 fd) {
  if (granted_.remove(fd)) (void)set_file(static_cast<int>(fd), -1);
}

shared_rings::~shared_rings() { close(); }

void shared_rings::close() {
  for (ring& one : rings_) one.fd.reset();
  if (leaked_) return;  // a kernel may still write there
  if (table_ != nullptr) on_.free(table_);
  if (admitted_) on_.memory_mapper().let_go(memory_);
  if (memory_ != nullptr) ::munmap(memory_, bytes_);
}

void shared_rings::wake() {
  woken_ns_.store(now_ns(), std::memory_order_relaxed);
  for (const ring& one : rings_) {
    if ((load(one.flags) & IORING_SQ_NEED_WAKEUP) != 0)
      (void)::syscall(SYS_io_uring_enter, one.fd.get(), 0, 0, IORING_ENTER_SQ_WAKEUP, nullptr, 0);
  }
}

namespace {
u64 lengthened(u64 before, u32 now) { return before + (now - static_cast<u32>(before)); }
}  // namespace

// Of words that kernels and Linux change meanwhile: what is read first is no more than it is later.
bool shared_rings::is_spoiled(const ring& one, u32 entries, u32 completions) {
  const auto dependents = [](u32 a, u32 b) { return static_cast<std::int32_t>(a - b); };
  const u32 tail = load(one.shared.tail), head = load(one.shared.head), later_tail = load(one.shared.tail);
  const u32 seen = load(one.shared.seen), completed = load(one.shared.completed), later_seen = load(one.shared.seen);
  return dependents(tail, head) > static_cast<std::int32_t>(entries) || dependents(later_tail, head) < 0 ||
         dependents(completed, later_seen) > static_cast<std::int32_t>(completions) ||
         dependents(completed, seen) < 0 || load(one.overflow) != 0;
}

u64 shared_rings::look(u64 now, const std::function<u64(u64)>& put_off) {
  u64 again_ns = ~u64{0};
  for (ring& one : rings_) {
    if (now >= one.awake_until_ns) look_at(one, now);
    const u64 quiet_since_ns = std::max(one.moved_ns, woken_ns_.load(std::memory_order_relaxed));
    const u64 quiet_ns = now > quiet_since_ns ? now - quiet_since_ns : 0;
    again_ns = std::min(again_ns, std::max(one.awake_until_ns, now) + put_off(quiet_ns));
  }
  return again_ns;
}

// (Linux's thread sleeps `idle_ms` after the last entry at the earliest, so as long as there are new ones, its words in
// the ring, for which a look would have to take them from its core, are left alone for that time.)
void shared_rings::look_at(ring& one, u64 now) {
  if (!closed_.load(std::memory_order_relaxed) &&
      is_spoiled(one, 1u << as_.sq_entries_log2, 1u << as_.cq_entries_log2)) {
    std::fprintf(stderr,
                 "genesys: a kernel has written over a ring of the executor direct: all of them are lost, and "
                 "calls go to threads; calls that were under way get EIO\n");
    lost_.store(true, std::memory_order_relaxed);
    if (closed_.exchange(true)) return;  // it ends
    (void)on_.memory_mapper().store(&table_->closed, rings_lost);
    cancel();
  }
  const u32 tail = load(one.shared.tail), head = load(one.shared.head);
  one.read.store(lengthened(one.read.load(std::memory_order_relaxed), head),
                 std::memory_order_release);  // pairs with calls_so_far
  if (tail != one.tail) {
    one.awake_until_ns = one.looked_ns + u64{idle_ms} * 1'000'000;
    one.moved_ns = now;
  }
  one.tail = tail;
  one.looked_ns = now;
  if (tail != head && (load(one.flags) & IORING_SQ_NEED_WAKEUP) != 0)
    (void)::syscall(SYS_io_uring_enter, one.fd.get(), 0, 0, IORING_ENTER_SQ_WAKEUP, nullptr, 0);
}

void shared_rings::end() {
  if (!closed_.exchange(true)) (void)on_.memory_mapper().store(&table_->closed, rings_ended);
  wake();  // entries that are there have to be read first
  cancel();
}

void shared_rings::cancel() const {
  for (const ring& one : rings_) {
    sync_cancel all;
    all.flags = cancel_all | cancel_any;
    all.timeout_s = 0;
    all.timeout_ns = 1;  // it is asked for again
    (void)::syscall(SYS_io_uring_register, one.fd.get(), register_sync_cancel, &all, 1);
  }
}

// What callers have counted, and the completions that lie there yet. Callers of other runs may hand these on meanwhile:
// who counts says first up to where (ring_state::counted), so what was counted is read before that. A completion that
// is counted later may be missed once, and none is seen twice.
posted_counters shared_rings::look_at_posted(u32 run) const {
  posted_counters sum;
  static_assert(offsetof(posted_counters, canceled) < 3 * sizeof(u64));
  on_.load_words(reinterpret_cast<u64*>(&sum), posted_ + run, 3, 1, sizeof sum);
  if (sum.begun == sum.finished) return sum;
  const u32 completions = 1u << as_.cq_entries_log2;
  for (std::size_t i = 0; i < rings_.size(); ++i) {
    u64 known[2];  // handed, counted
    static_assert(offsetof(ring_state, counted) == offsetof(ring_state, delivered) + sizeof(u64));
    on_.load_words(known, &table_->state[i].delivered, 2, 1, sizeof(ring_state));
    const shared_ring& there = rings_[i].shared;
    const u32 begin = static_cast<u32>(std::max(known[0] >> 1, known[1])), end = load(there.completed);
    if (end - begin > completions) continue;  // spoilt
    for (u32 k = begin; k != end; ++k) {
      const u64* const one = there.cqes + 2 * std::size_t{k & (completions - 1)};
      if (static_cast<u32>(load(one)) != slot_of_posted(run)) continue;
      const auto value = static_cast<std::int32_t>(load(one + 1));
      ++sum.finished;
      sum.failed += value < 0;
      sum.canceled += value == -ECANCELED;
    }
  }
  return sum;
}

bool shared_rings::are_finished(u32 run) {
  const posted_counters now = look_at_posted(run);
  if (now.begun == now.finished) posted_known_[run] = now;  // a later look may miss some again
  return now.begun == now.finished || lost_.load(std::memory_order_relaxed);
}

posted_calls shared_rings::posted_since(u32 run) {
  posted_counters now = look_at_posted(run);
  if (now.begun == posted_known_[run].finished) {
    now = posted_known_[run];
  } else {  // rings were lost, or the runtime ends
    const u64 missing = now.begun - now.finished;
    now.finished += missing;
    now.failed += static_cast<u32>(missing);
    now.canceled += static_cast<u32>(missing);
  }
  const posted_counters before = std::exchange(posted_told_[run], now);
  return {now.finished - before.finished, now.failed - before.failed, now.canceled - before.canceled};
}

u64 shared_rings::calls_so_far() const {
  u64 sum = 0;
  for (const ring& one : rings_) {
    // First, and pairs with look_at, which may store a later one meanwhile.
    const u64 before = one.read.load(std::memory_order_acquire);
    sum += lengthened(before, load(one.shared.head));
  }
  return sum;
}

u32 shared_rings::under_way() const {
  u32 sum = 0;
  if (lost_.load(std::memory_order_relaxed)) return 0;
  for (const ring& one : rings_) {
    const u32 completed = load(one.shared.completed);  // first, so that it is no more than the tail
    sum += load(one.shared.tail) - completed;
  }
  return sum;
}

}  // namespace genesys::detail
