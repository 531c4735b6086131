// SPDX-License-Identifier: Apache-2.0
// Sets up the shared rings: their memory, their restrictions under the policy `strict`, and their table in device
// memory. It uses Linux's own interface, because liburing on most systems is older than rings in memory of the caller.
#include <linux/io_uring.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "execute/executor_choice.h"
#include "execute/generated/uring_checks.h"
#include "execute/shared_rings.h"
#include "execute/shared_rings_linux.h"
#include "execute/throw_errno.h"
#include "genesys/detail/table/generated/plans.h"
#include "genesys/error.h"

namespace genesys::detail {
namespace {

// Constants that older headers lack.
constexpr u32 no_mmap = 1u << 14;      // IORING_SETUP_NO_MMAP, Linux 6.5: the caller allocates the ring
constexpr u32 no_sq_array = 1u << 16;  // IORING_SETUP_NO_SQARRAY, Linux 6.6: SQEs are consumed in ring order
constexpr u32 register_files = 13, sparse = 1u << 0;  // Linux 5.19
struct files_table {                                  // struct io_uring_rsrc_register
  u32 count, flags;
  u64 none[3] = {};
};

static_assert(direct_fixed_file == u64{IOSQE_FIXED_FILE} << 8 * offsetof(io_uring_sqe, flags));

// Linux keeps heads, tails and flags in the page before the CQEs.
constexpr std::size_t page = 4096;

std::size_t sqes_bytes(u32 sq_entries) { return (sq_entries * sizeof(io_uring_sqe) + page - 1) / page * page; }
std::size_t cqes_bytes(u32 cq_entries) { return (page + cq_entries * sizeof(io_uring_cqe) + page - 1) / page * page; }

// Sets up a ring in `memory`, the CQEs first. Returns the descriptor, or -errno.
int set_up(unsigned char* memory, u32 sq_entries, u32 cq_entries, bool disabled, io_uring_params& how) {
  how = {};
  how.flags = IORING_SETUP_SQPOLL | IORING_SETUP_CQSIZE | no_mmap | no_sq_array;
  if (disabled) how.flags |= IORING_SETUP_R_DISABLED;
  how.cq_entries = cq_entries;
  how.sq_thread_idle = idle_ms;
  // user_addr is the last word of cq_off and of sq_off; older headers name it differently
  const u64 ring = reinterpret_cast<std::uintptr_t>(memory), queue = ring + cqes_bytes(cq_entries);
  constexpr std::size_t last = 32;
  static_assert(sizeof how.cq_off == last + 8 && sizeof how.sq_off == last + 8);
  std::memcpy(reinterpret_cast<unsigned char*>(&how.cq_off) + last, &ring, sizeof ring);
  std::memcpy(reinterpret_cast<unsigned char*>(&how.sq_off) + last, &queue, sizeof queue);
  const long fd = ::syscall(SYS_io_uring_setup, sq_entries, &how);
  return fd < 0 ? -errno : static_cast<int>(fd);
}

// One bit for each opcode that this Linux supports.
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

// The opcodes that strict rings may use. Every Linux that has NO_MMAP has them.
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

}  // namespace

std::string shared_rings::why_not() {
  constexpr u32 few = 8;
  const std::size_t bytes = cqes_bytes(2 * few) + sqes_bytes(few);
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
  return std::string("io_uring_setup failed: ") + std::strerror(-fd);
}

shared_rings::shared_rings(device& on, const shape& as)
    : on_(on),
      rings_(as.rings),
      as_{static_cast<std::uint8_t>(as.rings), static_cast<std::uint8_t>(std::countr_zero(as.sq_entries)),
          static_cast<std::uint8_t>(std::countr_zero(as.cq_entries)), as.strict != nullptr} {
  try {
    rlimit open_most{};
    if (as.strict != nullptr && ::getrlimit(RLIMIT_NOFILE, &open_most) == 0)
      files_max_ =
          static_cast<u32>(std::min(open_most.rlim_cur, rlim_t{4096}));  // Linux allows no more than may be open
    const std::size_t each = cqes_bytes(as.cq_entries) + sqes_bytes(as.sq_entries);
    bytes_ = each * as.rings;
    memory_ = map(bytes_);
    if (memory_ == nullptr) throw_errno("mmap, for rings", errno);
    for (u32 i = 0; i < as.rings; ++i) open(rings_[i], static_cast<unsigned char*>(memory_) + i * each, as);
    if (const int no = on.memory_mapper().admit(memory_, bytes_, false); no != 0 && no != -EADDRNOTAVAIL)
      throw_errno("the device cannot use the rings' memory", -no);
    else if (no != 0)
      throw_errno("the device has other addresses for the rings", -no);
    admitted_ = true;

    const std::size_t results = (sizeof(shared_ring_table) + 127) / 128 * 128,
                      written = results + sizeof(u64) * as.completion_slots;
    const std::size_t posted = (written + sizeof(u64) * as.rings * as.sq_entries + 31) / 32 * 32;
    const std::size_t submissions = (posted + sizeof(posted_counters) * runs_max + 63) / 64 * 64;
    const std::size_t all = submissions + sizeof(recorded_submission) * as.ticket_slots;
    table_ = static_cast<shared_ring_table*>(on.allocate(all));
    on.fill(table_, 0, all);
    const auto first = std::make_unique<shared_ring_table>();
    first->completion_slots = as.completion_slots;
    first->opcodes = as.strict != nullptr ? strict_opcodes(*as.strict) : opcodes_of(rings_.front().fd.get());
    auto* const begin = reinterpret_cast<unsigned char*>(table_);
    first->results = reinterpret_cast<u64*>(begin + results);
    first->filled = reinterpret_cast<u64*>(begin + written);
    first->posted = reinterpret_cast<posted_counters*>(begin + posted);
    first->submissions = reinterpret_cast<recorded_submission*>(begin + submissions);
    for (u32 i = 0; i < as.rings; ++i) first->ring[i] = rings_[i].shared;
    on.copy_to_device(table_, first.get(), sizeof(shared_ring_table));
    posted_ = first->posted;
    posted_known_.resize(runs_max);
    posted_returned_.resize(runs_max);
  } catch (...) {
    close();
    throw;
  }
}

void shared_rings::open(ring& one, unsigned char* memory, const shape& as) {
  io_uring_params how;
  const int fd = set_up(memory, as.sq_entries, as.cq_entries, as.strict != nullptr, how);
  if (fd == -ENOMEM)
    throw rings_refused(executor_kind::direct, "rings take more memory than RLIMIT_MEMLOCK (ulimit -l)");
  if (fd < 0) throw_errno("io_uring_setup", -fd);
  one.fd.take(fd);
  if (how.sq_entries != as.sq_entries || how.cq_entries != as.cq_entries || how.cq_off.cqes > page)
    throw error(error_code::system, "io_uring_setup gave a ring of another shape than was asked for");
  const auto word = [&](u32 offset) { return reinterpret_cast<u32*>(memory + offset); };
  one.shared = {word(how.sq_off.head),
                word(how.sq_off.tail),
                word(how.cq_off.head),
                word(how.cq_off.tail),
                reinterpret_cast<u64*>(memory + cqes_bytes(as.cq_entries)),
                reinterpret_cast<u64*>(memory + how.cq_off.cqes)};
  one.flags = word(how.sq_off.flags);
  one.overflow = word(how.cq_off.overflow);
  if (as.strict != nullptr) restrict_and_enable(one, as);
}

// Whatever a kernel writes into the ring, Linux only moves bytes between granted files and the arena.
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

}  // namespace genesys::detail
