// SPDX-License-Identifier: Apache-2.0
// What the executor `uring` is for, and what not: it beside `threads`, by turns, a runtime each, and beside native
// threads that do the same: as many as there are callers (`native`, at most 256), and as many as a runtime has workers
// (`native_workers`). Callers are blocks of one thread, each of which makes one call after another while a round lasts:
//
//   direct   random pages of 4 KiB of a file that was opened with O_DIRECT, into the arena
//   cold     the same of a file whose pages Linux has been told to drop from its cache
//   cached   the same of files in the page cache and in tmpfs: nothing waits
//   durable  records of --bytes bytes, to a file each: with O_DSYNC, or with fdatasync after each
//   waiting  what a short call takes, by another thread, while 64 callers read directly, or write and fdatasync
#include <fcntl.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <deque>
#include <string>
#include <type_traits>
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

using baseline::page_bytes;
using baseline::word;
using genesys::executor_kind;
using measure::bench;
using measure::numbers;
using measure::scaled;
using u64 = std::uint64_t;

constexpr unsigned page_words = page_bytes / sizeof(word), callers_max = 1024;
constexpr unsigned natives_max = 256;  // threads
constexpr unsigned beside = 64;        // callers, in part waiting

// --- What callers do. Each kind of work: its callers' i-th call on either side, whether the answer was right.

struct page_reads {
  int fd;
  unsigned pages;  // a power of two
  bool once;       // none twice
  unsigned callers;
  unsigned first = 0;      // where in their order to begin
  char* memory = nullptr;  // a page for each caller

  GENESYS_KERNEL unsigned calls_max() const { return once ? pages / callers : ~0u; }  // of a caller

  GENESYS_KERNEL bool call(genesys::os os, unsigned me, unsigned i) const {
    const u64 page = page_of(me, i);
    return os.pread64(fd, memory + me * page_bytes, page_bytes, static_cast<long>(page * page_bytes)) == page_bytes &&
           is_right(page, me, i);
  }
  bool natively(unsigned me, unsigned i) const {
    const u64 page = page_of(me, i);
    return ::pread(fd, memory + me * page_bytes, page_bytes, static_cast<off_t>(page * page_bytes)) == page_bytes &&
           is_right(page, me, i);
  }

 private:
  GENESYS_KERNEL unsigned page_of(unsigned me, unsigned i) const {
    return baseline::scattered(first + i * callers + me, pages);
  }
  GENESYS_KERNEL bool is_right(u64 page, unsigned me, unsigned i) const {
    const unsigned which = i % page_words;
    return reinterpret_cast<const word*>(memory + me * page_bytes)[which] ==
           baseline::word_of(page * page_words + which);
  }
};

struct record_writes {
  static constexpr unsigned writers_max = 64, file_bytes = 1u << 20;
  int fds[writers_max];
  unsigned bytes;  // of a record
  bool sync;       // fdatasync after it
  unsigned callers;
  unsigned first = 0;      // the first record's number
  char* memory = nullptr;  // a page for each caller

  GENESYS_KERNEL unsigned calls_max() const { return ~0u; }

  GENESYS_KERNEL bool call(genesys::os os, unsigned me, unsigned i) const {
    return os.pwrite64(fds[me], record(me, i), bytes, static_cast<long>(at(i))) == static_cast<long>(bytes) &&
           (!sync || os.fdatasync(fds[me]) == 0);
  }
  bool natively(unsigned me, unsigned i) const {
    return ::pwrite(fds[me], record(me, i), bytes, static_cast<off_t>(at(i))) == static_cast<ssize_t>(bytes) &&
           (!sync || ::fdatasync(fds[me]) == 0);
  }
  // Whether what the caller's i-th call wrote is in the file.
  bool is_there(unsigned me, unsigned i) const {
    std::vector<word> got(bytes / sizeof(word));
    return ::pread(fds[me], got.data(), bytes, static_cast<off_t>(at(i))) == static_cast<ssize_t>(bytes) &&
           got.front() == number(me, i) && got.back() == number(me, i);
  }

 private:
  GENESYS_KERNEL u64 at(unsigned i) const { return u64{i % (file_bytes / bytes)} * bytes; }
  GENESYS_KERNEL word number(unsigned me, unsigned i) const {
    return baseline::word_of(u64{first + i} * writers_max + me);
  }
  GENESYS_KERNEL const char* record(unsigned me, unsigned i) const {
    auto* words = reinterpret_cast<word*>(memory + me * page_bytes);
    words[0] = words[bytes / sizeof(word) - 1] = number(me, i);
    return memory + me * page_bytes;
  }
};

template <class Work>
struct work_on {
  GENESYS_KERNEL void operator()(genesys::os os, Work work, u64 ns, unsigned* made, unsigned* wrong) const {
    const u64 begin = genesys::clock_ns();
    const unsigned me = genesys::block_rank();
    unsigned i = 0;
    for (; i < work.calls_max() && (i == 0 || genesys::clock_ns() - begin < ns); ++i) {
      if (!work.call(os, me, i)) baseline::wrong(wrong);
    }
    made[me] = i;
  }
};

// Block 0 makes short calls; the others work until it has made them, or the time is over.
template <class Work>
struct call_beside {
  static constexpr u64 gap_ns = 100'000, late_ns = 20'000'000'000;
  GENESYS_KERNEL void operator()(genesys::os os, Work work, unsigned calls, u64 ns, long parent, u64* took,
                                 unsigned* over, unsigned* wrong) const {
    const u64 begin = genesys::clock_ns();
    if (genesys::block_rank() != 0) {
      for (unsigned i = 0; genesys::atomic<unsigned>(*over).load() == 0 && genesys::clock_ns() - begin < late_ns; ++i) {
        if (!work.call(os, genesys::block_rank() - 1, i)) baseline::wrong(wrong);
      }
      return;
    }
    const baseline::tick_length length;
    baseline::sleep_ns(100 * gap_ns);  // the others have begun
    for (unsigned i = 0; i < calls && (i == 0 || genesys::clock_ns() - begin < ns); ++i) {
      baseline::sleep_ns(gap_ns);
      const u64 asked = baseline::ticks();
      if (os.getppid() != parent) baseline::wrong(wrong);
      took[i] = baseline::ticks() - asked;
    }
    length.keep(took + calls);
    genesys::atomic<unsigned>(*over).store(1);
  }
};

// --- Who does it.

// Its memory is a page for each caller.
class executor : public baseline::executor_runtime {
 public:
  executor(const bench& all, executor_kind which)
      : executor_runtime(options(all, which), callers_max * page_bytes, callers_max) {}

  // How many calls each caller made.
  template <class Work>
  std::vector<unsigned> operator()(Work work, u64 ns) {
    work.memory = memory();
    genesys::launch(**this, {.blocks = {work.callers}}, work_on<Work>{}, work, ns, made(), wrong().on_device()).drain();
    return calls_made(work.callers);
  }

  // What each of some short calls took meanwhile, of as many as there was time for.
  template <class Work>
  numbers calls_beside_us(Work work, u64 ns) {
    constexpr unsigned calls = 2000;
    work.memory = memory();
    genesys::runtime& rt = **this;
    const baseline::times took(rt, calls);
    rt.fill_device(made(), 0, sizeof(unsigned));
    genesys::launch(rt, {.blocks = {work.callers + 1}}, call_beside<Work>{}, work, calls, ns,
                    static_cast<long>(::getppid()), took.on_device(), made(), wrong().on_device())
        .drain();
    wrong().none();
    numbers us = took.us();
    std::erase(us, 0.0);
    return us;
  }

 private:
  static genesys::options options(const bench& all, executor_kind which) {
    genesys::options chosen = all.runtime_options();
    chosen.executor = which;
    return chosen;
  }
};

template <class Work>
std::vector<unsigned> natively(baseline::native_threads& threads, const Work& work, u64 ns) {
  std::vector<unsigned> made(work.callers);
  threads([&](unsigned me) {
    const auto end = measure::clock::now() + std::chrono::nanoseconds(ns);
    bool right = true;
    unsigned i = 0;
    for (; i < work.calls_max() && (i == 0 || measure::clock::now() < end); ++i) right &= work.natively(me, i);
    made[me] = i;
    return right;
  });
  return made;
}

// --- What the parts share, made by the first of them.

std::string folder = "/tmp";  // --folder
unsigned record_bytes = 256;  // --bytes

void to_disk(int fd) {
  if (::fsync(fd) != 0) throw measure::failure("cannot fsync a file in " + folder);
}

struct shared {
  explicit shared(bench& all)
      : workers(baseline::workers(all)),
        threads(all, executor_kind::threads),
        uring(all, executor_kind::uring),
        bytes(u64{all.quick() ? 16u : 256u} << 20),
        file(folder, bytes),
        direct(file.fd(), O_RDWR | O_DIRECT),
        round_ns(all.quick() ? 20'000'000 : 100'000'000) {
    to_disk(file.fd());
  }
  bool is_measurable() {
    if (uring.is("uring")) return true;
    std::printf("not measured, without io_uring: %s\n", uring->describe().c_str());
    return false;
  }

  page_reads reads(int fd, bool once = false) const {
    return {.fd = fd, .pages = static_cast<unsigned>(bytes / page_bytes), .once = once, .callers = 1};
  }
  bool has_direct() const {
    errno = direct.why_not();
    if (errno == 0 && ::pread(direct.fd(), threads.memory(), page_bytes, 0) == page_bytes) return true;
    std::printf("not measured: no file in %s can be read with O_DIRECT: %s\n", folder.c_str(), std::strerror(errno));
    return false;
  }
  // With fdatasync after each, or of files opened with O_DSYNC.
  record_writes writes(bool sync) {
    if (record_bytes < sizeof(word) || record_bytes > page_bytes || record_bytes % sizeof(word) != 0)
      throw measure::failure("--bytes: a multiple of 8, of at most a page");
    for (unsigned i = static_cast<unsigned>(plain.size()); i < record_writes::writers_max; ++i) {
      to_disk(plain.emplace_back(folder, record_writes::file_bytes).fd());
      if (synced.emplace_back(plain.back().fd(), O_RDWR | O_DSYNC).why_not() != 0)
        throw measure::failure("no O_DSYNC in " + folder);
    }
    record_writes all{.fds = {}, .bytes = record_bytes, .sync = sync, .callers = 1};
    for (unsigned i = 0; i < record_writes::writers_max; ++i) all.fds[i] = sync ? plain[i].fd() : synced[i].fd();
    return all;
  }
  // Something else each time.
  unsigned next_first() { return first += 1'000'003; }

  const unsigned workers;  // of a runtime, before its first call
  executor threads, uring;
  const u64 bytes;
  const baseline::cached_file file;
  const baseline::opened_again direct;
  std::deque<baseline::cached_file> plain;
  std::deque<baseline::opened_again> synced;
  static constexpr unsigned rounds = 3;
  const u64 round_ns;
  unsigned first = 0;
};

// --- Side by side.

struct side {
  std::string name;
  executor* by;  // none: native threads
  unsigned callers;
  numbers calls_per_s = {}, user = {}, system = {};
  numbers queue_migrations = {}, together = {};  // a call; calls a submission
  double workers = 0;                            // at the end
};

void nothing_before() {}
template <class Work>
void nothing_after(const Work&, const std::vector<unsigned>&) {}

// `work` by `callers` on both executors, by as many native threads as a runtime has workers, and by as many as there
// are callers. Before each round before(), after it after(work, how many calls each caller made).
template <class Work, class Before = void (*)(), class After = void (*)(const Work&, const std::vector<unsigned>&)>
std::vector<side> compare(shared& in, const Work& work, unsigned callers, const Before& before = nothing_before,
                          const After& after = nothing_after<Work>) {
  const unsigned few = std::min(in.workers, natives_max), many = std::min(callers, natives_max);
  std::vector<side> sides = {
      {"threads", &in.threads, callers}, {"uring", &in.uring, callers}, {"native", nullptr, many}};
  if (few < many) sides.push_back({"native_workers", nullptr, few});
  std::deque<baseline::native_threads> natives;
  for (const side& one : sides) {
    if (one.by == nullptr) natives.emplace_back(one.callers);
  }
  for (unsigned round = 0; round <= in.rounds; ++round) {  // the first does not count
    auto native = natives.begin();
    for (side& one : sides) {
      Work mine = work;
      mine.callers = one.callers;
      mine.first = in.next_first();
      mine.memory = in.threads.memory();  // of natives
      before();
      const auto stats = [&] { return one.by != nullptr ? (*one.by)->stats() : genesys::statistics{}; };
      const genesys::statistics then = stats();
      std::vector<unsigned> made;
      const measure::cost cost = measure::timed(
          [&] { made = one.by != nullptr ? (*one.by)(mine, in.round_ns) : natively(*native++, mine, in.round_ns); });
      const genesys::statistics now = stats();
      after(mine, made);
      if (round == 0) continue;
      double calls = 0;
      for (const unsigned each : made) calls += each;
      one.calls_per_s.push_back(calls / cost.seconds);
      one.user.push_back(cost.user_s / cost.seconds);
      one.system.push_back(cost.system_s / cost.seconds);
      one.queue_migrations.push_back(double(now.queue_migrations - then.queue_migrations) / calls);
      if (const auto submissions = now.uring_submissions - then.uring_submissions; submissions != 0)
        one.together.push_back(double(now.uring_calls - then.uring_calls) / double(submissions));
      one.workers = now.workers;
    }
  }
  return sides;
}

void keep_ratios(bench& all, const std::string& name, const std::vector<side>& sides) {
  all.keep(name + "_uring_to_threads", "ratio", measure::ratios(sides[1].calls_per_s, sides[0].calls_per_s));
  all.keep(name + "_uring_to_native", "ratio", measure::ratios(sides[1].calls_per_s, sides[2].calls_per_s));
}

void keep_costs(bench& all, const std::string& name, const std::vector<side>& sides) {
  for (const side& one : sides) {
    const std::string it = name + "_" + one.name;
    all.keep(it + "_user", "cores", one.user);
    all.keep(it + "_system", "cores", one.system);
    if (one.by != nullptr) all.keep(it + "_hand_overs", "a call", one.queue_migrations);
    if (!one.together.empty()) all.keep(it + "_together", "calls a submission", one.together);
  }
}

void keep_rates(bench& all, const std::string& name, const std::vector<side>& sides) {
  for (const side& one : sides) all.keep(name + "_" + one.name, "GB/s", scaled(one.calls_per_s, page_bytes / 1e9));
}

// Plots by callers; what it costs, as figures.
template <class Work, class... F>
void by_callers(bench& all, shared& in, const std::string& name, const Work& work, const std::vector<unsigned>& callers,
                const F&... around) {
  for (const unsigned count : callers) {
    const std::vector<side> sides = compare(in, work, count, around...);
    for (const side& one : sides) {
      all.keep_at(name, one.name, "callers", count, "k/s", scaled(one.calls_per_s, 1e-3));
      if (one.by != nullptr) all.keep_at(name + "_threads", one.name, "callers", count, "threads", {one.workers});
    }
    const std::string here = name + "_" + std::to_string(count);
    if (std::is_same_v<Work, page_reads>) keep_rates(all, here, sides);
    keep_costs(all, here, sides);
    if (all.on_gpu()) keep_ratios(all, here, sides);  // else the disk's are nothing to compare with earlier ones
  }
}

std::vector<unsigned> readers(const bench& all) {
  return all.quick() ? std::vector<unsigned>{1, 64} : std::vector<unsigned>{1, 12, 64, 256, callers_max};
}

void direct(bench& all, shared& in) {
  if (in.has_direct()) by_callers(all, in, "direct", in.reads(in.direct.fd()), readers(all));
}

void cold(bench& all, shared& in) {
  const baseline::opened_again again(in.file.fd(), O_RDWR);
  const auto drop = [fd = again.fd()] { (void)::posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED); };
  drop();
  (void)::posix_fadvise(again.fd(), 0, 0, POSIX_FADV_RANDOM);
  const iovec page{in.threads.memory(), page_bytes};
  if (::preadv2(again.fd(), &page, 1, static_cast<off_t>(in.bytes / 2), RWF_NOWAIT) >= 0 || errno != EAGAIN) {
    std::printf("not measured: pages of files in %s cannot be dropped\n", folder.c_str());
    return;
  }
  by_callers(all, in, "cold", in.reads(again.fd(), true), readers(all), drop);
}

void cached(bench& all, shared& in) {
  constexpr unsigned callers = 256;
  const baseline::cached_file in_memory(in.bytes);
  std::vector<char> some(1u << 20);
  for (u64 at = 0; at < in.bytes; at += some.size()) {
    if (::pread(in.file.fd(), some.data(), some.size(), static_cast<off_t>(at)) <= 0) throw measure::failure("no read");
  }
  for (const auto& [name, fd] : {std::pair{"cached", in.file.fd()}, std::pair{"tmpfs", in_memory.fd()}}) {
    const std::vector<side> sides = compare(in, in.reads(fd), callers);
    keep_rates(all, name, sides);
    keep_costs(all, name, sides);
    keep_ratios(all, name, sides);
  }
}

void durable(bench& all, shared& in) {
  const auto check = [](const record_writes& what, const std::vector<unsigned>& made) {
    for (unsigned i = 0; i < made.size(); ++i) {
      if (!what.is_there(i, made[i] - 1)) throw measure::failure("a record is not in its file");
    }
  };
  const auto callers = all.quick() ? std::vector<unsigned>{1, 12} : std::vector<unsigned>{1, 12, 64};
  by_callers(all, in, "dsync", in.writes(false), callers, nothing_before, check);
  by_callers(all, in, "fdatasync", in.writes(true), callers, nothing_before, check);
}

template <class Work>
void wait_beside(bench& all, shared& in, const char* name, Work work, unsigned callers) {
  work.callers = callers;
  numbers each[2], medians[2], p99s[2];
  for (unsigned round = 0; round <= in.rounds; ++round) {  // the first does not count
    for (unsigned which = 0; which < 2; ++which) {
      work.first = in.next_first();
      const numbers us = (which == 0 ? in.threads : in.uring).calls_beside_us(work, 5 * in.round_ns);
      if (round == 0) continue;
      each[which].insert(each[which].end(), us.begin(), us.end());
      medians[which].push_back(measure::median(us));
      p99s[which].push_back(measure::quantile(us, 0.99));
    }
  }
  const std::string what = std::string("getppid_") + name;
  all.keep_each(what + "_threads", "us", each[0]);
  all.keep_each(what + "_uring", "us", each[1]);
  if (!all.on_gpu()) return;
  all.keep(what + "_median_uring_to_threads", "ratio", measure::ratios(medians[1], medians[0]));
  all.keep(what + "_p99_uring_to_threads", "ratio", measure::ratios(p99s[1], p99s[0]));
}

void waiting(bench& all, shared& in) {
  wait_beside(all, in, "alone", in.reads(in.file.fd()), 0);
  if (in.has_direct()) wait_beside(all, in, "beside_reads", in.reads(in.direct.fd()), beside);
  wait_beside(all, in, "beside_fdatasync", in.writes(true), beside);
}

}  // namespace

int main(int argc, char** argv) {
  bench all("executors", "The executors threads and uring side by side, and native threads that do the same.");
  baseline::shared_parts<shared> with(all);
  all.option("--folder", folder, "where the files are, on a disk");
  all.option("--bytes", record_bytes, "of a record, in part durable");
  with.part("direct", "random 4 KiB of a file opened with O_DIRECT, by callers", direct);
  with.part("cold", "the same of a file that is not in the page cache", cold);
  with.part("cached", "the same of files that are: the page cache's, and tmpfs's", cached);
  with.part("durable", "records to a file each, O_DSYNC or with fdatasync, by callers", durable);
  with.part("waiting", "a short call while 64 callers wait for the disk all the time", waiting);
  return baseline::run(all, argc, argv);
}
