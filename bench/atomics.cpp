// SPDX-License-Identifier: Apache-2.0
// The cost of each atomic operation (GENESYS, ISCA 2018, Table IV: compare-and-swap, swap, atomic load and load). One
// lane makes one operation after another, each at an address that depends on the result of the one before, so that none
// overlap. A store has no result: its time is that in which the lane can issue stores. By thread scope and order, in
//
//   device   device memory: 4,096 words in a line each, more than the first cache holds, all in the second
//   shared   the block's shared memory
//   pinned   host memory, as many words, across the link
//
// in cycles of the GPU's clock (nanoseconds on the CPU device, where all of these are CPU memory), and as a ratio to a
// plain load in the same memory. The bench fails if a load or an exchange returns a wrong value.
#include <cstring>
#include <functional>
#include <string>
#include <vector>

#include "genesys/genesys.h"
#include "support/measure.h"

namespace {

using word = unsigned;
using genesys::thread_scope;
using order = std::memory_order;

enum class op { plain_load, load, store, exchange, compare_exchange, fetch_add, fetch_or };

GENESYS_KERNEL constexpr bool writes(op what) { return what != op::plain_load && what != op::load; }

struct places {
  word* memory;           // null: shared memory
  unsigned mask, stride;  // in words: the steps 0 to `steps` visit this many words
  unsigned steps;
};
constexpr unsigned shared_words = 2048;

struct outcome {
  long long cycles;
  unsigned wrong;
};

GENESYS_KERNEL long long cycles() {
#if GENESYS_ON_CUDA
  return clock64();
#else
  return static_cast<long long>(genesys::clock_ns());
#endif
}

// Visits all words once. Each word is `seen`, and becomes `seen` + 1 if the operation writes. Returns the last index.
template <op what, thread_scope r, order o>
GENESYS_KERNEL unsigned once_over(word* memory, const places& in, word seen) {
  unsigned at = 0;
  for (unsigned i = 0; i < in.steps; ++i) {
    word got = seen;
    if constexpr (what == op::plain_load) {
      got = memory[at];
    } else {
      const genesys::atomic<word, r> here(memory[at]);
      if constexpr (what == op::load) got = here.load(o);
      if constexpr (what == op::store) here.store(seen + 1, o);
      if constexpr (what == op::exchange) got = here.exchange(seen + 1, o);
      if constexpr (what == op::compare_exchange) here.compare_exchange(got, seen + 1, o);
      if constexpr (what == op::fetch_add) got = here.fetch_add(1, o);
      if constexpr (what == op::fetch_or) got = here.fetch_or(1u << seen, o);  // 0, 1, 3
    }
    at = (at + in.stride + (got - seen)) & in.mask;
  }
  asm volatile("" : "+r"(at)::"memory");
  return at;
}

template <op what, thread_scope r, order o>
struct chain {
  GENESYS_KERNEL void operator()(genesys::os, places in, outcome* returned) const {
    word* memory = in.memory;
    if (memory == nullptr) {
      memory = genesys::shared<word[shared_words]>();
      for (unsigned i = 0; i < shared_words; ++i) memory[i] = 0;
    }
    unsigned wrong = once_over<what, r, o>(memory, in, 0);  // loads the words into the cache
    const long long begin = cycles();
    wrong += once_over<what, r, o>(memory, in, writes(what) ? 1 : 0);
    returned->cycles = cycles() - begin;
    constexpr word left = what == op::fetch_or ? 3 : writes(what) ? 2 : 0;
    for (unsigned i = 0; i < in.steps; ++i) wrong += memory[i * in.stride & in.mask] != left;
    returned->wrong = wrong;
  }
};

struct operation {
  std::string name;
  std::function<void(const places&, outcome*)> launch;
};

class list {
 public:
  explicit list(genesys::runtime& rt) : rt_(rt) {
    add<op::plain_load, thread_scope::block, order::relaxed>("plain_load");
  }

  template <thread_scope r>
  list& with(const std::string& by) {
    add<op::load, r, order::relaxed>("load" + by + "_relaxed");
    add<op::load, r, order::acquire>("load" + by + "_acquire");
    add<op::store, r, order::relaxed>("store" + by + "_relaxed");
    add<op::store, r, order::release>("store" + by + "_release");
    add<op::exchange, r, order::relaxed>("exchange" + by + "_relaxed");
    add<op::exchange, r, order::acq_rel>("exchange" + by + "_acq_rel");
    add<op::compare_exchange, r, order::relaxed>("compare_exchange" + by + "_relaxed");
    add<op::compare_exchange, r, order::acq_rel>("compare_exchange" + by + "_acq_rel");
    add<op::fetch_add, r, order::relaxed>("fetch_add" + by + "_relaxed");
    add<op::fetch_add, r, order::acq_rel>("fetch_add" + by + "_acq_rel");
    add<op::fetch_or, r, order::relaxed>("fetch_or" + by + "_relaxed");
    add<op::fetch_or, r, order::acq_rel>("fetch_or" + by + "_acq_rel");
    return *this;
  }
  const std::vector<operation>& all() const { return all_; }

 private:
  template <op what, thread_scope r, order o>
  void add(const std::string& name) {
    all_.push_back({name, [&rt = rt_](const places& in, outcome* returned) {
                      genesys::launch(rt, {}, chain<what, r, o>{}, in, returned).drain();
                    }});
  }
  genesys::runtime& rt_;
  std::vector<operation> all_;
};

// Measures each operation in turn, the plain load first; `zero` makes all words 0.
void measure_all(measure::bench& all, const std::string& memory, const list& operations, const places& in,
                 const std::function<void()>& zero) {
  auto* returned = static_cast<outcome*>(all.runtime().allocate_arena(sizeof(outcome)));
  std::vector<measure::numbers> each(operations.all().size());
  const unsigned rounds = all.quick() && all.on_gpu() ? 5 : 15;
  for (unsigned round = 0; round <= rounds; ++round) {  // the first round does not count
    for (std::size_t i = 0; i < each.size(); ++i) {
      zero();
      const operation& one = operations.all()[i];
      one.launch(in, returned);
      if (returned->wrong != 0) throw measure::failure(memory + ", " + one.name + ": a wrong value");
      if (round != 0) each[i].push_back(static_cast<double>(returned->cycles) / in.steps);
    }
  }
  all.runtime().free_arena(returned);
  for (std::size_t i = 0; i < each.size(); ++i) {
    const std::string name = memory + "_" + operations.all()[i].name;
    all.keep(name, all.on_gpu() ? "cycles" : "ns", each[i]);
    if (i != 0) all.keep(name + "_to_plain_load", "ratio", measure::ratios(each[i], each[0]));
  }
}

constexpr unsigned line_words = 32, lines = 4096;
// Each step is an odd number of lines, so that the steps visit every line.
places in_lines(word* memory, unsigned count) { return {memory, count * line_words - 1, 37 * line_words, count}; }

// On the CPU device an operation is the same for every thread scope.
void device(measure::bench& all) {
  genesys::runtime& rt = all.runtime();
  constexpr std::size_t bytes = std::size_t{lines} * line_words * sizeof(word);
  auto* memory = static_cast<word*>(rt.allocate_device(bytes));
  list operations(rt);
  if (all.on_gpu()) operations.with<thread_scope::block>("_block");
  operations.with<thread_scope::device>("_device");
  if (all.on_gpu()) operations.with<thread_scope::system>("_system");
  const auto zero = [&] { rt.fill_device(memory, 0, bytes); };
  measure_all(all, "device", operations, in_lines(memory, lines), zero);
  measure_all(all, "near", list(rt), in_lines(memory, 32), zero);  // the plain load alone, from the first cache
  rt.free_device(memory);
}

void shared(measure::bench& all) {
  const list operations = list(all.runtime()).with<thread_scope::block>("_block");
  measure_all(all, "shared", operations, {nullptr, shared_words - 1, 33, shared_words}, [] {});
}

void pinned(measure::bench& all) {
  constexpr std::size_t bytes = std::size_t{lines} * line_words * sizeof(word);
  auto* memory = static_cast<word*>(all.runtime().allocate_arena(bytes));
  const list operations = list(all.runtime()).with<thread_scope::system>("_system");
  measure_all(all, "pinned", operations, in_lines(memory, lines), [&] { std::memset(memory, 0, bytes); });
  all.runtime().free_arena(memory);
}

struct run_for {
  GENESYS_KERNEL void operator()(genesys::os, unsigned long long ns, double* ns_a_cycle) const {
    const unsigned long long begin_ns = genesys::clock_ns();
    const long long begin = cycles();
    unsigned long long took;
    do {
      took = genesys::clock_ns() - begin_ns;
    } while (took < ns);
    *ns_a_cycle = static_cast<double>(took) / static_cast<double>(cycles() - begin);
  }
};

void clock_rate(measure::bench& all) {
  auto* returned = static_cast<double*>(all.runtime().allocate_arena(sizeof(double)));
  measure::numbers rounds;
  for (int i = 0; i < 3; ++i) {
    genesys::launch(all.runtime(), {}, run_for{}, 10'000'000ull, returned).drain();
    rounds.push_back(*returned);
  }
  all.runtime().free_arena(returned);
  all.keep("a_cycle", "ns", rounds);
}

}  // namespace

int main(int argc, char** argv) {
  measure::bench all("atomics", "The cost of each atomic operation of a lane (GENESYS, Table IV).");
  all.part("clock", "the length of a cycle", clock_rate);
  all.part("device", "device memory in the second cache, by thread scope and order", device);
  all.part("shared", "shared memory, at thread scope block", shared);
  all.part("pinned", "pinned host memory, at thread scope system", pinned);
  return all.main(argc, argv);
}
