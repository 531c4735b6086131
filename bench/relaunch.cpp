// SPDX-License-Identifier: Apache-2.0
// A chain of calls, each of which depends on what the one before gave, made from inside one kernel, against the old way
// (that of a GPU without system calls; GENESYS, ISCA 2018, section I): the kernel writes down what it wants and ends,
// the host makes the call, and launches a kernel which goes on with the answer. Parts:
//
//   getppid   one thread goes on if the answer is right
//   pread     a block follows pointers through a file in tmpfs, 8 to 4,096 bytes a step, all of which it adds up, with
//             a thread for each 8 bytes, 128 at most; genesys reads to shared memory (staged), or to pinned memory
//   order     one thread writes 8 bytes to one place of a file in tmpfs eight times, in order: each call blocking, or
//             with tickets, each of which follows the one before, and are waited for at the end. Without an old way
//
// The old way has requests and answers in pinned memory, so that nothing is copied, and a stream of its own. It is
// launched, or is a CUDA graph of one kernel; and the host synchronises with the stream, or polls the word in which a
// kernel, last of all, says what it wants. On the CPU device it is genesys::launch and drain. Beside them, by turns, a
// native thread makes the same calls. Ratios are those of the best old way to the best new one: the mark is 2.5.
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <new>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "genesys/genesys.h"
#include "support/measure.h"

namespace {

using measure::clock;
using word = unsigned long long;

constexpr unsigned words_max = 512, threads_most = 128;
constexpr std::size_t sums_bytes = (threads_most + 1) * sizeof(word);

// What the host and the kernels of the old way tell each other, in pinned memory.
struct letters {
  // By the kernel, in one word, so that who sees it needs no other: {steps so far : 24 | what it wants : 40}, here the
  // first word of the last answer.
  alignas(64) word request;
  alignas(64) word answer[words_max];
};
constexpr unsigned wanted_bits = 40;
constexpr word wanted(word request) { return request & ((word{1} << wanted_bits) - 1); }

// This thread's part of an answer.
GENESYS_KERNEL word part_of(const word* answer, unsigned bytes) {
  word sum = 0;
  for (unsigned i = genesys::thread_rank(); i < bytes / sizeof(word); i += genesys::threads_in_block())
    sum += answer[i];
  return sum;
}

// --- The new way. What each thread has added up goes to `sums`, in device memory.

struct ask_parent {
  static constexpr unsigned threads_max = threads_most;
  GENESYS_KERNEL void operator()(genesys::os os, unsigned steps, word parent, word* sums) const {
    word mine = 0;
    for (unsigned i = 0; i < steps && mine == i * parent; ++i) mine += static_cast<word>(os.getppid());
    sums[0] = mine;
  }
};

struct follow {
  static constexpr unsigned threads_max = threads_most;
  GENESYS_KERNEL void operator()(genesys::os os, int fd, unsigned bytes, unsigned steps, word* pinned,
                                 word* sums) const {
    const auto io = os.on(genesys::block());
    word* const answer = pinned != nullptr ? pinned : genesys::shared<word[words_max]>();
    word mine = 0, next = 0;
    for (unsigned i = 0; i < steps; ++i) {
      if (io.pread64(fd, answer, bytes, static_cast<long>(next)) != static_cast<long>(bytes)) return;
      next = answer[0];
      mine += part_of(answer, bytes);
    }
    sums[genesys::thread_rank()] = mine;
  }
};

// --- The old way.

// `sums`: one for each thread, and behind them the steps so far.
struct one_step {
  GENESYS_KERNEL void step(letters* with, unsigned bytes, word* sums) const {
    const word next = with->answer[0], steps = sums[threads_most] + 1;  // under way together with the rest
    sums[genesys::thread_rank()] += part_of(with->answer, bytes);
    genesys::sync_block();  // all have their part: the host may write the next answer
    if (genesys::thread_rank() != 0) return;
    sums[threads_most] = steps;
    genesys::atomic<word, genesys::thread_scope::system>(with->request)
        .store(steps << wanted_bits | next, std::memory_order_relaxed);  // it needs nothing else that was written
  }
  GENESYS_KERNEL void operator()(genesys::os, letters* with, unsigned bytes, word* sums) const {
    step(with, bytes, sums);
  }
};

#if defined(__CUDACC__)
__global__ void one_step_entry(letters* with, unsigned bytes, word* sums) { one_step{}.step(with, bytes, sums); }

void check(cudaError_t returned) {
  if (returned != cudaSuccess) throw measure::failure(cudaGetErrorString(returned));
}

void until_asked(letters* with, unsigned steps) {
  const genesys::atomic<word, genesys::thread_scope::system> request(with->request);
  const auto begin = clock::now();
  for (unsigned looks = 1; request.load(std::memory_order_acquire) >> wanted_bits != steps; ++looks) {
    if (looks % 65536 == 0 && measure::seconds_since(begin) > 10) throw measure::failure("a kernel does not end");
  }
}

// A kernel on a stream of its own, as it is and as a graph.
class stepper {
 public:
  stepper(letters* with, unsigned bytes, unsigned threads, word* sums)
      : with_(with), bytes_(bytes), threads_(threads), sums_(sums) {
    check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
    cudaGraph_t graph;
    check(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeThreadLocal));
    launch();
    check(cudaStreamEndCapture(stream_, &graph));
    check(cudaGraphInstantiate(&graph_, graph, 0));
    check(cudaGraphDestroy(graph));
  }
  ~stepper() {
    (void)cudaStreamSynchronize(stream_);
    (void)cudaGraphExecDestroy(graph_);
    (void)cudaStreamDestroy(stream_);
  }
  stepper(const stepper&) = delete;
  stepper& operator=(const stepper&) = delete;

  void launch() {
    one_step_entry<<<1, threads_, 0, stream_>>>(with_, bytes_, sums_);
    check(cudaGetLastError());
  }
  void launch_graph() { check(cudaGraphLaunch(graph_, stream_)); }
  void synchronise() { check(cudaStreamSynchronize(stream_)); }

 private:
  letters* const with_;
  const unsigned bytes_, threads_;
  word* const sums_;
  cudaStream_t stream_ = nullptr;
  cudaGraphExec_t graph_ = nullptr;
};
#endif

// --- Both, and natively.

struct way {
  enum class kind { native, old, genesys } which;
  std::string name;
  std::function<void()> run;
};

// A chain of steps. call(answer, wanted) makes a call by the host; the first one wants 0.
class chain {
 public:
  chain(measure::bench& all, unsigned bytes, unsigned steps, std::function<void(word*, word)> call)
      : all_(all),
        rt_(all.runtime()),
        bytes_(bytes),
        steps_(steps),
        threads_(std::clamp(bytes / unsigned{sizeof(word)}, 1u, threads_most)),
        call_(std::move(call)) {
    sums_ = static_cast<word*>(rt_.allocate_device(sums_bytes));
    letters_ = new (rt_.allocate_arena(sizeof(letters))) letters{};
    expected_ = native();
    ways_.push_back({way::kind::native, "native", [this] {
                       if (native() != expected_) throw measure::failure("a native call went wrong");
                     }});
    if (!all.on_gpu()) {
      add_old("launch and drain", [this](unsigned) {
        genesys::launch(rt_, {.threads = {threads_}}, one_step{}, letters_, bytes_, sums_).drain();
      });
      return;
    }
#if defined(__CUDACC__)
    step_ = std::make_unique<stepper>(letters_, bytes_, threads_, sums_);
    add_old("launch, synchronise", [this](unsigned) { step_->launch(), step_->synchronise(); });
    add_old("graph, synchronise", [this](unsigned) { step_->launch_graph(), step_->synchronise(); });
    add_old("launch, poll", [this](unsigned steps) {
      step_->launch();
      until_asked(letters_, steps);
      if (steps == steps_) step_->synchronise();
    });
#endif
  }
  ~chain() {
#if defined(__CUDACC__)
    step_.reset();
#endif
    rt_.free_arena(letters_);
    rt_.free_device(sums_);
  }
  chain(const chain&) = delete;
  chain& operator=(const chain&) = delete;

  // Pinned memory for an answer; the sums of threads, in device memory; and the sum of all.
  word* answer() { return letters_->answer; }
  word* sums() { return sums_; }

  // Runs the whole chain.
  template <class Kernel, class... Args>
  void add_genesys(const std::string& name, Kernel kernel, Args... args) {
    const auto run = [=, this] { genesys::launch(rt_, {.threads = {threads_}}, kernel, args...).drain(); };
    ways_.push_back({way::kind::genesys, name, run});
  }

  // As figures, or as points of the plot `name`, by bytes.
  void measure_all(const std::string& name, bool plotted) {
    std::vector<measure::costs> each(ways_.size());
    for (unsigned round = 0; round <= (all_.quick() ? 5u : 9u); ++round) {  // the first does not count
      for (std::size_t i = 0; i < ways_.size(); ++i) {
        rt_.fill_device(sums_, 0, sums_bytes);
        const measure::cost took = measure::timed(ways_[i].run);
        if (round != 0) each[i].push_back(took);
        if (ways_[i].which != way::kind::native) check_sums(ways_[i].name);
      }
    }
    measure::numbers best_old, best_new;
    for (std::size_t i = 0; i < ways_.size(); ++i) {
      const measure::numbers us = measure::each_us(each[i], steps_);
      if (plotted) {
        all_.keep_at(name, ways_[i].name, "bytes", bytes_, "us", us);
      } else {
        all_.keep(name + ", " + ways_[i].name, "us", us);
      }
      if (ways_[i].which == way::kind::native) continue;
      measure::numbers& best = ways_[i].which == way::kind::old ? best_old : best_new;
      if (best.empty() || measure::median(us) < measure::median(best)) best = us;
    }
    const std::string which = plotted ? name + "_" + std::to_string(bytes_) : name;
    all_.keep(which + "_old_to_genesys", "ratio", measure::ratios(best_old, best_new));
  }

 private:
  word native() {
    word sum = 0, next = 0;
    for (unsigned i = 0; i < steps_; ++i) {
      call_(letters_->answer, next);
      next = letters_->answer[0];
      sum = std::accumulate(letters_->answer, letters_->answer + bytes_ / sizeof(word), sum);
    }
    return sum;
  }

  template <class Step>
  void add_old(const std::string& name, Step step) {
    ways_.push_back({way::kind::old, name, [this, step] {
                       letters_->request = 0;
                       for (unsigned i = 0; i < steps_; ++i) {
                         const word request =
                             genesys::atomic<word, genesys::thread_scope::system>(letters_->request).load();
                         call_(letters_->answer, wanted(request));
                         step(i + 1);
                       }
                     }});
  }

  void check_sums(const std::string& name) {
    word sums[threads_most];
    rt_.copy_to_host(sums, sums_, sizeof sums);
    if (std::accumulate(sums, sums + threads_most, word{0}) != expected_)
      throw measure::failure(name + ": wrong answers");
  }

  measure::bench& all_;
  genesys::runtime& rt_;
  const unsigned bytes_, steps_, threads_;
  const std::function<void(word*, word)> call_;
  word* sums_;
  letters* letters_;
  word expected_ = 0;
  std::vector<way> ways_;
#if defined(__CUDACC__)
  std::unique_ptr<stepper> step_;
#endif
};

unsigned steps_of(measure::bench& all) {
  if (!all.on_gpu()) return all.quick() ? 200 : 1000;
  return all.quick() ? 1000 : 4000;
}

void parent(measure::bench& all) {
  const unsigned steps = steps_of(all);
  chain one(all, sizeof(word), steps, [](word* answer, word) { answer[0] = static_cast<word>(syscall(SYS_getppid)); });
  one.add_genesys("genesys", ask_parent{}, steps, static_cast<word>(getppid()), one.sums());
  one.measure_all("getppid", false);
}

// As many pieces as fit, in a circle through all of them; each begins with where the next one lies.
int file_of_pointers(unsigned bytes, unsigned pieces) {
  const int fd = memfd_create("genesys-bench-relaunch", MFD_CLOEXEC);  // in the kernel's own tmpfs
  std::vector<unsigned> order(pieces);
  std::iota(order.begin(), order.end(), 0);
  std::shuffle(order.begin() + 1, order.end(), std::mt19937(1));
  std::vector<word> content(std::size_t{pieces} * bytes / sizeof(word));
  for (std::size_t i = 0; i < content.size(); ++i) content[i] = (i + 1) * 0x9e3779b97f4a7c15ull;
  for (unsigned i = 0; i < pieces; ++i)
    content[std::size_t{order[i]} * bytes / sizeof(word)] = word{order[(i + 1) % pieces]} * bytes;
  const std::size_t size = content.size() * sizeof(word);
  if (fd < 0 || write(fd, content.data(), size) != static_cast<ssize_t>(size))
    throw measure::failure("no file in tmpfs: it needs " + std::to_string(size) + " bytes");
  return fd;
}

void pointers(measure::bench& all) {
  const unsigned steps = steps_of(all);
  for (const unsigned bytes : {8u, 64u, 512u, 4096u}) {
    const int fd = file_of_pointers(bytes, 4096);
    all.runtime().grant(fd);
    chain one(all, bytes, steps, [=](word* answer, word at) {
      if (pread(fd, answer, bytes, static_cast<off_t>(at)) != static_cast<ssize_t>(bytes))
        throw measure::failure("a native read was short");
    });
    one.add_genesys("genesys, staged", follow{}, fd, bytes, steps, static_cast<word*>(nullptr), one.sums());
    one.add_genesys("genesys, pinned", follow{}, fd, bytes, steps, one.answer(), one.sums());
    one.measure_all("pread", true);
    all.runtime().revoke(fd);
    close(fd);
  }
}

// --- Calls in order, none of which needs the other's answer.

constexpr unsigned in_order = 8;

template <bool by_tickets>
struct write_in_order {
  GENESYS_KERNEL void operator()(genesys::os os, int fd, unsigned rounds, const word* from, word* written) const {
    using namespace genesys;
    word sum = 0;
    for (unsigned round = 0; round < rounds; ++round) {
      if constexpr (by_tickets) {
        ticket_of<call::pwrite64> calls[in_order];
        calls[0] = os.ticket().pwrite64(fd, from, sizeof(word), 0);
        for (unsigned i = 1; i < in_order; ++i)
          calls[i] = os.after(calls[i - 1]).ticket().pwrite64(fd, from + i, sizeof(word), 0);
        for (unsigned i = in_order; i-- > 0;) sum += static_cast<word>(calls[i].wait());
      } else {
        for (unsigned i = 0; i < in_order; ++i) sum += static_cast<word>(os.pwrite64(fd, from + i, sizeof(word), 0));
      }
    }
    *written = sum;
  }
};

void order(measure::bench& all) {
  genesys::runtime& rt = all.runtime();
  const unsigned rounds = steps_of(all) / in_order;
  const int fd = memfd_create("genesys-bench-order", MFD_CLOEXEC);
  rt.grant(fd);
  auto* from = static_cast<word*>(rt.allocate_arena(in_order * sizeof(word)));
  std::iota(from, from + in_order, 1);
  auto* written = static_cast<word*>(rt.allocate_device(sizeof(word)));
  const auto by = [&](auto kernel) {
    genesys::launch(rt, {}, kernel, fd, rounds, static_cast<const word*>(from), written).drain();
    word sum = 0, last = 0;
    rt.copy_to_host(&sum, written, sizeof sum);
    if (sum != word{rounds} * in_order * sizeof(word)) throw measure::failure("a write went wrong");
    if (pread(fd, &last, sizeof last, 0) != sizeof last || last != in_order)
      throw measure::failure("writes went out of order");
  };
  const auto [blocking, tickets] = all.by_turns(
      all.quick() ? 5u : 9u, [&] { by(write_in_order<false>{}); }, [&] { by(write_in_order<true>{}); });
  const auto blocking_us = measure::each_us(blocking, rounds * in_order),
             tickets_us = measure::each_us(tickets, rounds * in_order);
  all.keep("order, blocking", "us", blocking_us);
  all.keep("order, tickets", "us", tickets_us);
  all.keep("order_blocking_to_tickets", "ratio", measure::ratios(blocking_us, tickets_us));
  rt.revoke(fd);
  rt.free_arena(from);
  rt.free_device(written);
  close(fd);
}

}  // namespace

int main(int argc, char** argv) {
  measure::bench all("relaunch", "Chains of dependent calls from inside a kernel, against leaving it for each.");
  all.part("getppid", "a step is a call that Linux answers at once", parent);
  all.part("pread", "a step is a read of where the next one reads", pointers);
  all.part("order", "eight writes in order, each blocking, or by tickets that follow each other", order);
  return all.main(argc, argv);
}
