// SPDX-License-Identifier: Apache-2.0
// The executor `direct`, whose kernels fill rings of io_uring themselves, beside the same rings filled by a thread of
// the process each (`fed`), and beside the executors `threads` and `uring`. By turns, a runtime each, with as many
// calls under way and as many buffers on all sides:
//
//   one     one thread's read of 4 KiB, by its own clock; and with up to 32 of them under way, by tickets
//   nop     entries that ask for nothing: what rings can carry
//   reads   random 4 KiB and 64 KiB of files in the page cache and in tmpfs, and of one opened with O_DIRECT; by rings
//   cpu     what of the CPU reads take over two seconds, by 4 rings
//   udp     datagrams on loopback, received from and sent to a thread each for a ring with recvmmsg(2) and sendmmsg(2),
//           beside as many threads that do the same in the kernels' place
//   waiting ten thousand receives while nothing arrives: the CPU that the process takes, in the first seconds and
//           after nine of them
//   unused  what io_uring has and kernels do not use, by a ring that a thread fills: registered files and memory,
//           calls by path (beside a thread that makes them), zero-copy sends
#include <arpa/inet.h>
#include <fcntl.h>
#include <linux/io_uring.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <stop_token>
#include <string>
#include <thread>
#include <tuple>
#include <utility>
#include <vector>

#include "genesys/genesys.h"
#include "support/cached_file.h"
#include "support/executor_runtime.h"
#include "support/measure.h"
#include "support/native_threads.h"
#include "support/run.h"
#include "support/shared_parts.h"
#include "support/times.h"
#include "support/wrongs.h"

namespace {

namespace uring_op = genesys::detail::uring_op;
using baseline::page_bytes;
using baseline::word;
using genesys::executor_kind;
using measure::bench;
using measure::numbers;
using measure::scaled;
using u64 = std::uint64_t;

constexpr unsigned warp = 32;
constexpr unsigned entries = 4096;  // of a ring
constexpr unsigned rings_tried[] = {1, 2, 4, 8};

// --- What is asked for: caller `me`'s i-th entry, and whether its answer was right.

struct reads {
  int fd;
  unsigned bytes;   // of each
  unsigned pieces;  // of the file, a power of two
  unsigned callers;
  char* memory = nullptr;   // `bytes` for each caller
  bool registered = false;  // the file and the memory are, with the ring

  GENESYS_KERNEL u64 piece(unsigned me, unsigned i) const { return baseline::scattered(i * callers + me, pieces); }
  GENESYS_KERNEL bool call(genesys::os os, unsigned me, unsigned i) const {
    return is_right(os.pread64(fd, memory + u64{me} * bytes, bytes, static_cast<long>(piece(me, i) * bytes)), me, i);
  }
  void say(io_uring_sqe& entry, unsigned me, unsigned i) const {
    entry.opcode = registered ? uring_op::read_fixed : uring_op::read;
    entry.flags = registered ? IOSQE_FIXED_FILE : 0;
    entry.fd = registered ? 0 : fd;
    entry.addr = reinterpret_cast<u64>(memory + u64{me} * bytes);
    entry.len = bytes;
    entry.off = piece(me, i) * bytes;
  }
  GENESYS_KERNEL bool is_right(long returned, unsigned me, unsigned i) const {
    const u64 which = i % (bytes / sizeof(word));
    return returned == static_cast<long>(bytes) && reinterpret_cast<const word*>(memory + u64{me} * bytes)[which] ==
                                                       baseline::word_of(piece(me, i) * (bytes / sizeof(word)) + which);
  }
};

struct nops {
  int fd;  // any file: kernels look at what it is
  unsigned callers;
  char* memory = nullptr;

  GENESYS_KERNEL bool call(genesys::os os, unsigned, unsigned) const {
    const genesys::detail::device_context& a = os.context();
    genesys::detail::uring::sqe_fields nothing{};
    nothing.words[0] = static_cast<u64>(fd) << 32;
    nothing.on = genesys::detail::on_file;
    return genesys::detail::uring::submit_and_wait_by_ring(a, a.rings, a.rings_shape, a.generation, nothing) == 0;
  }
  void say(io_uring_sqe&, unsigned, unsigned) const {}
  GENESYS_KERNEL bool is_right(long returned, unsigned, unsigned) const { return returned == 0; }
};

// What is there at a path.
struct looks_at_path {
  unsigned callers;
  char* memory = nullptr;
  static constexpr const char* path = "/etc/passwd";

  struct statx* into(unsigned me) const {
    return reinterpret_cast<struct statx*>(memory) + me;
  }
  void say(io_uring_sqe& entry, unsigned me, unsigned) const {
    entry.opcode = uring_op::statx;
    entry.fd = AT_FDCWD;
    entry.addr = reinterpret_cast<u64>(path);
    entry.len = STATX_BASIC_STATS;
    entry.off = reinterpret_cast<u64>(into(me));
  }
  bool is_right(long returned, unsigned, unsigned) const { return returned == 0; }
};

// Sends by a stream, whole.
struct sends {
  int fd;
  unsigned bytes, callers;
  bool copies;
  char* memory = nullptr;

  void say(io_uring_sqe& entry, unsigned, unsigned) const {
    entry.opcode = copies ? uring_op::send : uring_op::send_zc;
    entry.fd = fd;
    entry.addr = reinterpret_cast<u64>(memory);
    entry.len = bytes;
    entry.msg_flags = MSG_WAITALL | MSG_NOSIGNAL;
  }
  bool is_right(long returned, unsigned, unsigned) const { return returned == static_cast<long>(bytes); }
};

// --- Who asks.

template <class Work>
struct ask_on {
  GENESYS_KERNEL void operator()(genesys::os os, Work work, u64 ns, unsigned* made, unsigned* wrong) const {
    const u64 begin = genesys::clock_ns();
    const unsigned me = genesys::block_rank() * genesys::threads_in_block() + genesys::thread_rank();
    unsigned i = 0;
    for (; i == 0 || genesys::clock_ns() - begin < ns; ++i) {
      if (!work.call(os, me, i)) baseline::wrong(wrong);
    }
    made[me] = i;
  }
};

struct time_reads {
  GENESYS_KERNEL void operator()(genesys::os os, reads work, unsigned count, u64* took, unsigned* wrong) const {
    baseline::time_each(took, count, [&](unsigned i) {
      if (!work.call(os, 0, i)) baseline::wrong(wrong);
      return true;
    });
  }
};

// One thread, with `ahead` reads under way.
constexpr unsigned ahead_max = 32;
struct read_ahead {
  GENESYS_KERNEL void operator()(genesys::os os, reads work, unsigned ahead, u64 ns, unsigned* made,
                                 unsigned* wrong) const {
    const u64 begin = genesys::clock_ns();
    genesys::ticket_of<genesys::call::pread64> under_way[ahead_max];
    const auto begin_one = [&](unsigned i) {
      const unsigned me = i % ahead;
      under_way[me] = os.ticket().pread64(work.fd, work.memory + u64{me} * work.bytes, work.bytes,
                                          static_cast<long>(work.piece(me, i / ahead) * work.bytes));
    };
    for (unsigned i = 0; i < ahead; ++i) begin_one(i);
    unsigned i = 0;
    for (bool goes_on = true; goes_on || i % ahead != 0; ++i) {
      if (!work.is_right(under_way[i % ahead].wait(), i % ahead, i / ahead)) baseline::wrong(wrong);
      goes_on = goes_on && genesys::clock_ns() - begin < ns;
      begin_one(i + ahead);
    }
    for (unsigned k = i; k < i + ahead; ++k) {
      if (!work.is_right(under_way[k % ahead].wait(), k % ahead, k / ahead)) baseline::wrong(wrong);
    }
    *made = i + ahead;
  }
};

constexpr unsigned callers_max = 4096;
constexpr std::size_t memory_bytes = 64u << 20;

class runtime : public baseline::executor_runtime {
 public:
  runtime(const bench& all, executor_kind which, unsigned rings = 0)
      : executor_runtime(options(all, which, rings), memory_bytes, callers_max) {}

  template <class Work>
  double calls(Work work, u64 ns) {
    work.memory = memory();
    genesys::launch(**this, {.blocks = {(work.callers + warp - 1) / warp}, .threads = {std::min(work.callers, warp)}},
                    ask_on<Work>{}, work, ns, made(), wrong().on_device())
        .drain();
    double sum = 0;
    for (const unsigned one : calls_made(work.callers)) sum += one;
    return sum;
  }
  double calls_ahead(reads work, unsigned ahead, u64 ns) {
    work.memory = memory();
    work.callers = ahead;
    genesys::launch(**this, {}, read_ahead{}, work, ahead, ns, made(), wrong().on_device()).drain();
    return calls_made(1).front();
  }
  numbers times_of(reads work, unsigned count) {
    work.memory = memory();
    const baseline::times took(**this, count);
    genesys::launch(**this, {}, time_reads{}, work, count, took.on_device(), wrong().on_device()).drain();
    wrong().none();
    return took.us();
  }

 private:
  static genesys::options options(const bench& all, executor_kind which, unsigned rings) {
    genesys::options chosen = all.runtime_options();
    chosen.executor = which;
    chosen.rings = rings;
    chosen.ring_entries = entries;
    chosen.arena_bytes = memory_bytes + (2u << 20);
    chosen.bounce_bytes = 16u << 20;
    return chosen;
  }
};

// A ring as kernels have it (IORING_SETUP_SQPOLL), that one thread of the process fills and empties.
class fed_ring {
 public:
  fed_ring() {
    io_uring_params how{};
    how.flags = IORING_SETUP_SQPOLL | IORING_SETUP_CQSIZE;
    how.cq_entries = 4 * entries;
    how.sq_thread_idle = 2;
    fd_ = static_cast<int>(::syscall(SYS_io_uring_setup, entries, &how));
    if (fd_ < 0) throw measure::failure(std::string("io_uring_setup: ") + std::strerror(errno));
    ring_bytes_ = std::max(how.sq_off.array + entries * sizeof(unsigned),
                           how.cq_off.cqes + how.cq_entries * sizeof(io_uring_cqe));
    ring_ = static_cast<char*>(map(ring_bytes_, IORING_OFF_SQ_RING));
    queue_ = static_cast<io_uring_sqe*>(map(entries * sizeof(io_uring_sqe), IORING_OFF_SQES));
    const auto word = [&](unsigned offset) { return reinterpret_cast<unsigned*>(ring_ + offset); };
    tail_ = word(how.sq_off.tail);
    flags_ = word(how.sq_off.flags);
    seen_ = word(how.cq_off.head);
    completed_ = word(how.cq_off.tail);
    completions_ = reinterpret_cast<io_uring_cqe*>(ring_ + how.cq_off.cqes);
    mask_ = how.cq_entries - 1;
    for (unsigned i = 0; i < entries; ++i) word(how.sq_off.array)[i] = i;
  }
  ~fed_ring() {
    ::munmap(ring_, ring_bytes_);
    ::munmap(queue_, entries * sizeof(io_uring_sqe));
    ::close(fd_);
  }
  fed_ring(const fed_ring&) = delete;
  fed_ring& operator=(const fed_ring&) = delete;

  // Whether Linux lets the process lock the memory.
  bool registers(int file, void* memory, std::size_t bytes) const {
    const iovec all{memory, bytes};
    return ::syscall(SYS_io_uring_register, fd_, IORING_REGISTER_FILES, &file, 1) == 0 &&
           ::syscall(SYS_io_uring_register, fd_, IORING_REGISTER_BUFFERS, &all, 1) == 0;
  }

  // `count` of the work's callers, from `first` on: each asks again when it has its answer. How many were made.
  template <class Work>
  double calls(const Work& work, unsigned first, unsigned count, u64 ns, bool& right) {
    const auto end = measure::clock::now() + std::chrono::nanoseconds(ns);
    std::vector<unsigned> asked(count);
    unsigned tail = *tail_, seen = *seen_, under_way = 0, filled = 0;
    double made = 0;
    bool goes_on = true;
    const auto ask = [&](unsigned who) {
      io_uring_sqe& entry = queue_[tail++ & (entries - 1)];
      std::memset(&entry, 0, sizeof entry);
      entry.user_data = who;
      work.say(entry, first + who, asked[who]++);
      ++under_way;
      if (++filled == 32) tell(tail, filled);
    };
    for (unsigned who = 0; who < count; ++who) ask(who);
    tell(tail, filled);
    while (under_way != 0) {
      const unsigned completed = std::atomic_ref(*completed_).load(std::memory_order_acquire);
      if (completed == seen) wake();
      for (; seen != completed; ++seen) {
        const io_uring_cqe& one = completions_[seen & mask_];
        const auto who = static_cast<unsigned>(one.user_data);
        if ((one.flags & IORING_CQE_F_NOTIF) == 0) right &= work.is_right(one.res, first + who, asked[who] - 1);
        if ((one.flags & IORING_CQE_F_MORE) != 0) continue;  // the memory is in use yet
        --under_way;
        ++made;
        if (goes_on) ask(who);
        if (seen % 32 == 31) std::atomic_ref(*seen_).store(seen + 1, std::memory_order_release);
      }
      std::atomic_ref(*seen_).store(seen, std::memory_order_release);
      tell(tail, filled);
      goes_on = goes_on && measure::clock::now() < end;
    }
    return made;
  }

 private:
  void* map(std::size_t bytes, off_t what) const {
    void* const at = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, fd_, what);
    if (at == MAP_FAILED) throw measure::failure("a ring cannot be mapped");
    return at;
  }
  void tell(unsigned tail, unsigned& filled) {
    if (filled == 0) return;
    std::atomic_ref(*tail_).store(tail, std::memory_order_release);
    filled = 0;
    wake();
  }
  void wake() {
    std::atomic_thread_fence(std::memory_order_seq_cst);
    if ((std::atomic_ref(*flags_).load(std::memory_order_relaxed) & IORING_SQ_NEED_WAKEUP) != 0)
      (void)::syscall(SYS_io_uring_enter, fd_, 0, 0, IORING_ENTER_SQ_WAKEUP, nullptr, 0);
  }

  int fd_ = -1;
  std::size_t ring_bytes_ = 0;
  char* ring_ = nullptr;
  io_uring_sqe* queue_ = nullptr;
  unsigned *tail_ = nullptr, *flags_ = nullptr, *seen_ = nullptr, *completed_ = nullptr, mask_ = 0;
  io_uring_cqe* completions_ = nullptr;
};

// As many of them as the runtime beside them has.
class fed_rings {
 public:
  explicit fed_rings(unsigned count) : rings_(count), threads_(count) {}
  bool registers(int file, void* memory, std::size_t bytes) const {
    return std::all_of(rings_.begin(), rings_.end(),
                       [&](const fed_ring& one) { return one.registers(file, memory, bytes); });
  }
  template <class Work>
  double calls(Work work, char* memory, u64 ns) {
    work.memory = memory;
    const unsigned each = work.callers / static_cast<unsigned>(rings_.size());
    std::vector<double> made(rings_.size());
    threads_([&](unsigned rank) {
      bool right = true;
      made[rank] = rings_[rank].calls(work, rank * each, each, ns, right);
      return right;
    });
    double sum = 0;
    for (const double one : made) sum += one;
    return sum;
  }

 private:
  std::deque<fed_ring> rings_;
  baseline::native_threads threads_;
};

// --- Datagrams. A sink of threads that take them, or a source that gives them, with recvmmsg and sendmmsg.

class sockets {
 public:
  explicit sockets(unsigned count) {
    for (unsigned i = 0; i < count; ++i) {
      const int one = ::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0),
                other = ::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
      if (one < 0 || other < 0) throw measure::failure("no sockets");
      ours_.push_back(one);
      theirs_.push_back(other);
      bind_one(one);
      bind_one(other);
      connect_to(one, other);
      connect_to(other, one);
    }
  }
  ~sockets() {
    for (const int fd : ours_) ::close(fd);
    for (const int fd : theirs_) ::close(fd);
  }
  sockets(const sockets&) = delete;
  sockets& operator=(const sockets&) = delete;
  const std::vector<int>& ours() const { return ours_; }
  const std::vector<int>& theirs() const { return theirs_; }

 private:
  static sockaddr* as_address(sockaddr_in& at) { return reinterpret_cast<sockaddr*>(&at); }
  static void bind_one(int fd) {
    constexpr int room = 4 << 20;
    (void)::setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &room, sizeof room);
    sockaddr_in any{};
    any.sin_family = AF_INET;
    any.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (::bind(fd, as_address(any), sizeof any) != 0) throw measure::failure("no port on loopback");
  }
  static void connect_to(int fd, int other) {
    sockaddr_in at{};
    socklen_t length = sizeof at;
    if (::getsockname(other, as_address(at), &length) != 0 || ::connect(fd, as_address(at), length) != 0)
      throw measure::failure("no connection on loopback");
  }
  std::vector<int> ours_, theirs_;
};

// `batch` messages of `bytes` each, for one thread.
class messages {
 public:
  static constexpr unsigned batch = 64;
  explicit messages(unsigned bytes) : data_(std::size_t{batch} * bytes) {
    for (unsigned i = 0; i < batch; ++i) {
      pieces_[i] = {data_.data() + std::size_t{i} * bytes, bytes};
      all_[i].msg_hdr.msg_iov = &pieces_[i];
      all_[i].msg_hdr.msg_iovlen = 1;
    }
  }
  // How many, waiting no longer than a few milliseconds.
  unsigned receive(int fd) {
    pollfd ready{fd, POLLIN, 0};
    int got = ::recvmmsg(fd, all_, batch, MSG_DONTWAIT, nullptr);
    if (got < 0 && ::poll(&ready, 1, 5) > 0) got = ::recvmmsg(fd, all_, batch, MSG_DONTWAIT, nullptr);
    return got < 0 ? 0 : static_cast<unsigned>(got);
  }
  unsigned send(int fd) {
    const int sent = ::sendmmsg(fd, all_, batch, 0);
    return sent < 0 ? 0 : static_cast<unsigned>(sent);
  }

 private:
  std::vector<char> data_;
  iovec pieces_[batch] = {};
  mmsghdr all_[batch] = {};
};

struct datagrams {
  const int* fds;  // in device memory
  unsigned sockets, bytes, callers;
  bool receives;
  char* memory = nullptr;

  GENESYS_KERNEL bool call(genesys::os os, unsigned me, unsigned) const {
    char* const mine = memory + u64{me} * page_bytes;
    const int fd = fds[me / warp % sockets];
    const long returned = receives ? os.recvfrom(fd, mine, bytes, 0) : os.sendto(fd, mine, bytes, MSG_NOSIGNAL);
    return receives ? returned >= 0
                    : returned == static_cast<long>(bytes);  // some are left from earlier, or end the round
  }
};

// --- Side by side.

std::string folder = "/tmp";    // --folder
unsigned callers_asked = 1024;  // --callers

struct shared {
  explicit shared(bench& all)
      : callers(checked(callers_asked)),
        threads(all, executor_kind::threads),
        uring(all, executor_kind::uring),
        bytes(u64{all.quick() ? 16u : 256u} << 20),
        cached(folder, bytes),
        tmpfs(bytes),
        round_ns(all.quick() ? 10'000'000 : 100'000'000) {
    for (const unsigned rings : rings_tried) {
      direct.emplace(std::piecewise_construct, std::forward_as_tuple(rings),
                     std::forward_as_tuple(all, executor_kind::direct, rings));
      fed.emplace(rings, rings);
    }
    (void)::fsync(cached.fd());
  }
  bool is_measurable() {
    if (direct.at(1).is("direct")) return true;
    std::printf("not measured: %s\n", direct.at(1)->describe().c_str());
    return false;
  }
  bool reads_past_cache() const {
    return past_cache.why_not() == 0 && ::pread(past_cache.fd(), threads.memory(), page_bytes, 0) == page_bytes;
  }
  reads of(int fd, unsigned each, unsigned callers) const {
    return {.fd = fd, .bytes = each, .pieces = static_cast<unsigned>(bytes / each), .callers = callers};
  }

  static unsigned checked(unsigned callers) {
    if (callers < 256 || callers > callers_max || callers % 256 != 0)
      throw measure::failure("--callers: a multiple of 256, at most 4096");
    return callers;
  }

  const unsigned callers;
  runtime threads, uring;
  std::map<unsigned, runtime> direct;  // by rings
  std::map<unsigned, fed_rings> fed;
  const u64 bytes;
  const baseline::cached_file cached, tmpfs;
  const baseline::opened_again past_cache{cached.fd(), O_RDONLY | O_DIRECT};
  static constexpr unsigned rounds = 3;
  const u64 round_ns;
};

struct side {
  std::string name;
  unsigned rings;
  std::function<double()> calls;
  numbers rate = {}, user = {}, system = {}, user_us = {}, system_us = {};  // calls a second; cores; us a call
};

// Each in turn, after a round that does not count.
void by_turns(std::vector<side>& sides, unsigned rounds) {
  for (unsigned round = 0; round <= rounds; ++round) {
    for (side& one : sides) {
      double calls = 0;
      const measure::cost cost = measure::timed([&] { calls = one.calls(); });
      if (round == 0) continue;
      one.rate.push_back(calls / cost.seconds);
      one.user.push_back(cost.user_s / cost.seconds);
      one.system.push_back(cost.system_s / cost.seconds);
      one.user_us.push_back(cost.user_s / calls * 1e6);
      one.system_us.push_back(cost.system_s / calls * 1e6);
    }
  }
}

numbers sums(const numbers& a, const numbers& b) {
  numbers all;
  for (std::size_t i = 0; i < a.size(); ++i) all.push_back(a[i] + b[i]);
  return all;
}

// Plots by rings: the rate, what of the CPU a call takes, and how it compares.
template <class Work>
void compare(bench& all, shared& in, const std::string& name, const Work& work, bool others) {
  std::vector<side> sides;
  for (const unsigned rings : rings_tried) {
    runtime& direct = in.direct.at(rings);
    fed_rings& fed = in.fed.at(rings);
    sides.push_back({"direct", rings, [&, work] { return direct.calls(work, in.round_ns); }});
    sides.push_back({"fed", rings, [&, work] { return fed.calls(work, in.threads.memory(), in.round_ns); }});
  }
  if (others) {
    sides.push_back({"threads", 0, [&, work] { return in.threads.calls(work, in.round_ns); }});
    sides.push_back({"uring", 0, [&, work] { return in.uring.calls(work, in.round_ns); }});
  }
  by_turns(sides, in.rounds);
  for (const side& one : sides) {
    const std::string it = name + "_" + one.name + (one.rings != 0 ? "_" + std::to_string(one.rings) : "");
    all.keep(it, "M/s", scaled(one.rate, 1e-6));
    all.keep(it + "_user", "cores", one.user);
    all.keep(it + "_system", "cores", one.system);
    all.keep(it + "_cpu", "us a call", sums(one.user_us, one.system_us));
  }
  for (std::size_t i = 0; i + 1 < sides.size() && sides[i].rings != 0; i += 2) {
    const side &direct = sides[i], &fed = sides[i + 1];
    for (const side* one : {&direct, &fed}) {
      all.keep_at(name, one->name, "rings", one->rings, "M/s", scaled(one->rate, 1e-6));
      if (others) {
        all.keep_at(name, "threads", "rings", one->rings, "M/s", scaled(sides[sides.size() - 2].rate, 1e-6));
        all.keep_at(name, "uring", "rings", one->rings, "M/s", scaled(sides.back().rate, 1e-6));
      }
    }
    if (!all.on_gpu()) continue;
    const std::string it = name + "_" + std::to_string(direct.rings);
    all.keep(it + "_direct_to_fed", "ratio", measure::ratios(direct.rate, fed.rate));
    all.keep(it + "_direct_to_fed_cpu", "ratio",
             measure::ratios(sums(direct.user_us, direct.system_us), sums(fed.user_us, fed.system_us)));
  }
}

// One thread that has up to 32 tickets.
void ahead(bench& all, shared& in) {
  for (const unsigned under_way : {1u, 8u, ahead_max}) {
    std::vector<side> sides;
    const reads work = in.of(in.cached.fd(), page_bytes, 1);
    for (const unsigned rings : {1u, 4u})
      sides.push_back({"direct_" + std::to_string(rings), rings,
                       [&, work, rings] { return in.direct.at(rings).calls_ahead(work, under_way, in.round_ns); }});
    sides.push_back({"threads", 0, [&, work] { return in.threads.calls_ahead(work, under_way, in.round_ns); }});
    by_turns(sides, in.rounds);
    for (const side& one : sides)
      all.keep_at("tickets", one.name, "reads under way", under_way, "M/s", scaled(one.rate, 1e-6));
  }
}

void one(bench& all, shared& in) {
  const unsigned count = all.quick() ? 200 : 4000;
  const reads work = in.of(in.cached.fd(), page_bytes, 1);
  std::vector<numbers> each(3), medians(3);
  for (unsigned round = 0; round <= in.rounds; ++round) {
    for (unsigned which = 0; which < 3; ++which) {
      runtime& by = which == 0 ? in.direct.at(1) : which == 1 ? in.direct.at(4) : in.threads;
      const numbers us = by.times_of(work, count);
      if (round == 0) continue;
      each[which].insert(each[which].end(), us.begin(), us.end());
      medians[which].push_back(measure::median(us));
    }
  }
  all.keep_each("one_read_direct_1", "us", each[0]);
  all.keep_each("one_read_direct_4", "us", each[1]);
  all.keep_each("one_read_threads", "us", each[2]);
  if (all.on_gpu()) all.keep("one_read_direct_to_threads", "ratio", measure::ratios(medians[0], medians[2]));
  ahead(all, in);
}

// By four times the callers, since that is how many it takes.
void nop(bench& all, shared& in) {
  compare(all, in, "nop", nops{.fd = in.cached.fd(), .callers = std::min(4 * in.callers, callers_max)}, false);
}

void read_files(bench& all, shared& in) {
  for (const unsigned bytes : {page_bytes, 65536u}) {
    const unsigned callers = bytes == page_bytes ? in.callers : in.callers / 4;
    const std::string size = bytes == page_bytes ? "_4KiB" : "_64KiB";
    compare(all, in, "cached" + size, in.of(in.cached.fd(), bytes, callers), true);
    compare(all, in, "tmpfs" + size, in.of(in.tmpfs.fd(), bytes, callers), true);
    if (in.reads_past_cache()) compare(all, in, "o_direct" + size, in.of(in.past_cache.fd(), bytes, callers), true);
  }
}

// What of the CPU calls take, over longer than it takes to begin and to end.
void cpu(bench& all, shared& in) {
  const u64 ns = all.quick() ? 50'000'000 : 2'000'000'000;
  const reads work = in.of(in.cached.fd(), page_bytes, in.callers);
  std::vector<side> sides;
  sides.push_back({"direct", 4, [&] { return in.direct.at(4).calls(work, ns); }});
  sides.push_back({"fed", 4, [&] { return in.fed.at(4).calls(work, in.threads.memory(), ns); }});
  sides.push_back({"threads", 0, [&] { return in.threads.calls(work, ns); }});
  by_turns(sides, in.rounds);
  for (const side& one : sides) {
    all.keep("cpu_" + one.name, "M/s", scaled(one.rate, 1e-6));
    all.keep("cpu_" + one.name + "_user", "cores", one.user);
    all.keep("cpu_" + one.name + "_system", "cores", one.system);
    all.keep("cpu_" + one.name + "_call", "us a call", sums(one.user_us, one.system_us));
  }
}

// One direction of datagrams: `move(ns)` in the kernels' place or by threads there; on the other side threads that give
// or take them as fast as they can. Datagrams that were received, a second.
double datagrams_a_second(const sockets& over, baseline::native_threads& others, unsigned bytes, bool we_receive,
                          u64 ns, const std::function<double()>& move) {
  std::atomic<bool> over_now{false};
  std::vector<double> took(others.count());
  double moved = 0;
  const auto begin = measure::clock::now();
  std::jthread mover([&] {
    moved = move();
    over_now.store(true);
  });
  others([&](unsigned rank) {
    messages some(bytes);
    const int fd = over.theirs()[rank];
    while (!over_now.load(std::memory_order_relaxed)) took[rank] += we_receive ? some.send(fd) : some.receive(fd);
    return true;
  });
  mover.join();
  const double seconds = std::min(measure::seconds_since(begin), double(ns) / 1e9);
  double sum = 0;
  for (const double one : took) sum += one;
  return (we_receive ? moved : sum) / seconds;
}

void udp(bench& all, shared& in) {
  constexpr unsigned rings = 4;
  const sockets over(rings);
  runtime& direct = in.direct.at(rings);
  genesys::runtime& rt = *direct;
  int* const fds = static_cast<int*>(rt.allocate_device(rings * sizeof(int)));
  rt.copy_to_device(fds, over.ours().data(), rings * sizeof(int));
  baseline::native_threads natives(rings), others(rings);
  for (const unsigned bytes : {64u, 1024u}) {
    for (const bool receives : {true, false}) {
      const std::string name = std::string(receives ? "received" : "sent") + "_" + std::to_string(bytes) + "B";
      const auto kernels = [&] {
        // Whoever waits at the end of the round gets an empty datagram.
        std::jthread ends([&](const std::stop_token& stop) {
          const auto end = measure::clock::now() + std::chrono::nanoseconds(in.round_ns);
          while (!stop.stop_requested()) {
            if (receives && measure::clock::now() > end) {
              for (const int fd : over.theirs()) (void)::send(fd, nullptr, 0, MSG_DONTWAIT);
            } else {
              std::this_thread::sleep_for(std::chrono::milliseconds(1));
            }
          }
        });
        return direct.calls(
            datagrams{.fds = fds, .sockets = rings, .bytes = bytes, .callers = in.callers, .receives = receives},
            in.round_ns);
      };
      const auto threads = [&] {
        std::vector<double> moved(rings);
        natives([&](unsigned rank) {
          messages some(bytes);
          const auto end = measure::clock::now() + std::chrono::nanoseconds(in.round_ns);
          while (measure::clock::now() < end)
            moved[rank] += receives ? some.receive(over.ours()[rank]) : some.send(over.ours()[rank]);
          return true;
        });
        double sum = 0;
        for (const double one : moved) sum += one;
        return sum;
      };
      numbers by_kernels, by_threads;
      for (unsigned round = 0; round <= in.rounds; ++round) {
        const double mine = datagrams_a_second(over, others, bytes, receives, in.round_ns, kernels);
        const double theirs = datagrams_a_second(over, others, bytes, receives, in.round_ns, threads);
        if (round == 0) continue;
        by_kernels.push_back(mine);
        by_threads.push_back(theirs);
      }
      all.keep("udp_" + name + "_direct", "M/s", scaled(by_kernels, 1e-6));
      all.keep("udp_" + name + "_threads", "M/s", scaled(by_threads, 1e-6));
      if (all.on_gpu())
        all.keep("udp_" + name + "_direct_to_threads", "ratio", measure::ratios(by_kernels, by_threads));
    }
  }
  rt.free_device(fds);
}

struct receive_once {
  GENESYS_KERNEL void operator()(genesys::os os, int fd, unsigned count, char* memory, unsigned* wrong) const {
    const unsigned me = genesys::block_rank() * genesys::threads_in_block() + genesys::thread_rank();
    if (me < count && os.recvfrom(fd, memory + u64{me} * 64, 64, 0) != 1) baseline::wrong(wrong);
  }
};

void waiting(bench& all, shared& in) {
  runtime& direct = in.direct.at(4);
  const unsigned count = all.quick() ? 500 : 10'000;
  const auto begin_ms = std::chrono::milliseconds(all.quick() ? 50 : 500);
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0, ends) != 0) throw measure::failure("no sockets");
  const baseline::wrongs wrong(*direct);
  const std::uint64_t before = direct->stats().direct_calls;
  const genesys::run run = genesys::launch(*direct, {.blocks = {(count + warp - 1) / warp}, .threads = {warp}},
                                           receive_once{}, ends[0], count, direct.memory(), wrong.on_device());
  std::this_thread::sleep_for(begin_ms);
  const auto wait = static_cast<unsigned>(direct->stats().direct_calls - before);
  const auto measure_as = [&](const std::string& name) {
    numbers user, system;
    for (unsigned round = 0; round < shared::rounds; ++round) {
      const measure::cost cost = measure::timed([&] { std::this_thread::sleep_for(3 * begin_ms); });
      user.push_back(cost.user_s / cost.seconds * 100);
      system.push_back(cost.system_s / cost.seconds * 100);
    }
    all.keep(name + "_user", "% of a core", user);
    all.keep(name + "_system", "% of a core", system);
  };
  measure_as("waiting");
  std::this_thread::sleep_for(8 * begin_ms);
  measure_as("waiting_later");
  for (unsigned i = 0; i < count; ++i) {
    if (::send(ends[1], "x", 1, 0) != 1) throw measure::failure("cannot send");
  }
  run.drain();
  wrong.none();
  for (const int fd : ends) ::close(fd);
  if (wait != count) throw measure::failure("not all receives waited in rings");
}

// A connection on loopback, whose other end a thread empties.
class emptied_stream {
 public:
  emptied_stream() {
    const int listens = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    ours_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in at{};
    at.sin_family = AF_INET;
    at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    auto* const address = reinterpret_cast<sockaddr*>(&at);
    socklen_t length = sizeof at;
    const bool works = ::bind(listens, address, length) == 0 && ::listen(listens, 1) == 0 &&
                       ::getsockname(listens, address, &length) == 0 && ::connect(ours_, address, length) == 0;
    const int theirs = works ? ::accept(listens, nullptr, nullptr) : -1;
    ::close(listens);
    if (theirs < 0) throw measure::failure("no connection on loopback");
    empties_ = std::jthread([theirs] {
      std::vector<char> into(1u << 20);
      while (::read(theirs, into.data(), into.size()) > 0) {
      }
      ::close(theirs);
    });
  }
  ~emptied_stream() { ::close(ours_); }
  emptied_stream(const emptied_stream&) = delete;
  emptied_stream& operator=(const emptied_stream&) = delete;
  int fd() const { return ours_; }

 private:
  int ours_ = -1;
  std::jthread empties_;
};

void unused(bench& all, shared& in) {
  fed_rings& fed = in.fed.at(1);
  const looks_at_path looks{.callers = 64};
  std::vector<side> sides;
  const bool registered = fed.registers(in.cached.fd(), in.threads.memory(), memory_bytes);
  for (const bool fixed : {true, false}) {
    if (fixed && !registered) continue;
    for (const unsigned bytes : {page_bytes, 65536u}) {
      reads work = in.of(in.cached.fd(), bytes, 256);
      work.registered = fixed;
      sides.push_back({(fixed ? "read_fixed_" : "read_") + std::to_string(bytes / 1024) + "KiB", 1,
                       [&, work] { return fed.calls(work, in.threads.memory(), in.round_ns); }});
    }
  }
  sides.push_back({"path_ring", 1, [&] { return fed.calls(looks, in.threads.memory(), in.round_ns); }});
  sides.push_back({"path_thread", 0, [&] {
                     const auto end = measure::clock::now() + std::chrono::nanoseconds(in.round_ns);
                     struct statx into;
                     double made = 0;
                     for (; measure::clock::now() < end; ++made)
                       if (::statx(AT_FDCWD, looks.path, 0, STATX_BASIC_STATS, &into) != 0) return 0.;
                     return made;
                   }});
  const emptied_stream over;
  for (const unsigned bytes : {page_bytes, 65536u, 1u << 20}) {
    for (const bool copies : {true, false}) {
      const sends work{.fd = over.fd(), .bytes = bytes, .callers = 8, .copies = copies};
      sides.push_back({(copies ? "send_" : "send_zc_") + std::to_string(bytes / 1024) + "KiB", 1,
                       [&, work] { return fed.calls(work, in.threads.memory(), in.round_ns); }});
    }
  }
  by_turns(sides, in.rounds);
  for (const side& one : sides) {
    all.keep("unused_" + one.name, "M/s", scaled(one.rate, 1e-6));
    all.keep("unused_" + one.name + "_cpu", "us a call", sums(one.user_us, one.system_us));
  }
}

}  // namespace

int main(int argc, char** argv) {
  bench all("direct", "The executor direct beside the same rings filled by threads, and beside the other executors.");
  baseline::shared_parts<shared> with(all);
  all.option("--folder", folder, "where the files are, on a disk");
  all.option("--callers", callers_asked, "reads of 4 KiB under way; of 64 KiB a fourth of it");
  with.part("one", "one thread's read of 4 KiB from the page cache", one);
  with.part("nop", "entries that ask for nothing, by rings", nop);
  with.part("reads", "random 4 KiB and 64 KiB of three kinds of files, by rings", read_files);
  with.part("cpu", "what of the CPU reads of 4 KiB take, by 4 rings", cpu);
  with.part("udp", "datagrams of 64 B and 1 KiB on loopback, by 4 rings", udp);
  with.part("waiting", "10,000 receives while nothing arrives", waiting);
  with.part("unused", "registered memory, calls by path and zero-copy sends, by a ring that a thread fills", unused);
  return baseline::run(all, argc, argv);
}
