// SPDX-License-Identifier: Apache-2.0
#include "running_block.h"

#include <algorithm>
#include <array>

#include "arithmetic.h"

namespace genesys::schedule::interpreter {
namespace {
constexpr unsigned warp_size = 32;
}

running_block::running_block(machine& on, const kernel_code& code, const launch& one, unsigned number)
    : on_(on),
      code_(code),
      launch_(one),
      number_(number),
      shared_(0, code.shared_bytes + one.shared_bytes),
      threads_(one.block.count()) {
  shared_.allow_all();
  for (std::uint64_t i = 0; i < code.shared_bytes + one.shared_bytes; i += 4) shared_.store(i, 4, 0xdeadbeef);
  for (thread& each : threads_) each.registers.assign(code.registers, 0);
}

std::uint64_t running_block::turn(std::mt19937& random, std::uint64_t instructions, std::uint64_t clock) {
  clock_ = clock;
  const unsigned count = static_cast<unsigned>(threads_.size());
  const unsigned first = static_cast<unsigned>(random() % count);
  for (unsigned i = 0; i < count; ++i) {
    const unsigned who = (first + i) % count;
    if (threads_[who].is != state::runs) continue;
    std::uint64_t done = 0;
    ends_turn_ = false;
    for (; done < instructions && threads_[who].is == state::runs && !ends_turn_; ++done, ++clock_) step(who);
    return done;
  }
  hang();
}

void running_block::hang() const { throw fault("the threads of a block wait for ever"); }

void running_block::step(unsigned who) {
  thread& by = threads_[who];
  if (by.next == code_.body.size()) throw fault("a thread runs on behind the end of the body");
  const decoded& one = code_.body[by.next++];
  if (one.guard >= 0 && (by.registers[one.guard] != 0) == one.guard_is_negated) return;
  try {
    execute(who, one);
  } catch (const fault& wrong) {
    throw fault(std::string(wrong.what()) + ", line " + std::to_string(code_.of->body[one.index].at.line));
  }
}

std::uint64_t running_block::special(unsigned who, const std::string& name) const {
  const extent& b = launch_.block;
  const extent& g = launch_.grid;
  if (name == "%tid.x") return who % b.x;
  if (name == "%tid.y") return who / b.x % b.y;
  if (name == "%tid.z") return who / b.x / b.y;
  if (name == "%ctaid.x") return number_ % g.x;
  if (name == "%ctaid.y") return number_ / g.x % g.y;
  if (name == "%ctaid.z") return number_ / g.x / g.y;
  if (name == "%ntid.x") return b.x;
  if (name == "%ntid.y") return b.y;
  if (name == "%nctaid.x") return g.x;
  if (name == "%nctaid.y") return g.y;
  if (name == "%laneid") return who % warp_size;
  if (name == "%lanemask_eq") return std::uint64_t{1} << who % warp_size;
  if (name == "%lanemask_lt") return (std::uint64_t{1} << who % warp_size) - 1;
  if (name == "%clock") return clock_ & 0xffffffff;
  if (name == "%globaltimer") return clock_;
  throw std::logic_error("the interpreter does not know " + name);
}

std::uint64_t running_block::value(const thread& by, unsigned who, const source& from) const {
  if (from.what == source::kind::constant) return from.value;
  if (from.what == source::kind::special) return special(who, from.special);
  return from.is_negated ? by.registers[from.reg] == 0 : by.registers[from.reg];
}

std::uint64_t running_block::address(const thread& by, const decoded& one) const {
  const std::uint64_t sum = value(by, 0, one.address) + static_cast<std::uint64_t>(one.offset);
  return one.in == space::shared ? sum & 0xffffffff : sum;
}

void running_block::load(thread& by, const decoded& one) {
  const std::uint64_t at = address(by, one);
  for (std::size_t i = 0; i < one.results.size(); ++i) {
    std::uint64_t loaded = 0;
    if (one.in == space::param) {
      std::memcpy(&loaded, &launch_.parameters.at(at), one.type.bytes);
    } else {
      if (i == 0) memory_of(one).at(at, one.type.bytes * one.results.size());  // its alignment is that of the whole
      loaded = memory_of(one).load(at + i * one.type.bytes, one.type.bytes);
    }
    by.registers[one.results[i]] = loaded;
  }
}

void running_block::store(const thread& by, unsigned who, const decoded& one) {
  const std::uint64_t at = address(by, one);
  memory_of(one).at(at, one.type.bytes * one.sources.size());
  for (std::size_t i = 0; i < one.sources.size(); ++i) {
    memory_of(one).store(at + i * one.type.bytes, one.type.bytes, value(by, who, one.sources[i]));
  }
}

std::uint64_t running_block::reduce_to_memory(const thread& by, unsigned who, const decoded& one) {
  const std::uint64_t at = address(by, one), before = memory_of(one).load(at, one.type.bytes);
  const std::uint64_t more = value(by, who, one.sources[0]);
  memory_of(one).store(at, one.type.bytes, one.what == code::red_max ? std::max(before, more) : before + more);
  return before;
}

void running_block::finish_copies(thread& by, unsigned groups_left) {
  while (!by.copies.empty() && by.copies.front().group + groups_left < by.group) {
    const copy& one = by.copies.front();
    std::memcpy(shared_.at(one.to, one.bytes), on_.global().at(one.from, one.bytes), one.bytes);
    by.copies.pop_front();
  }
}

void running_block::object(thread& by, unsigned who, const decoded& one) {
  mbarrier& here = objects_[address(by, one)];
  if (one.what == code::mbarrier_init) {
    here = {value(by, who, one.sources[0]), value(by, who, one.sources[0]), 0};
  } else if (one.what == code::mbarrier_arrive) {
    if (here.missing == 0) throw fault("an mbarrier that is not initialised");
    if (--here.missing > 0) return;
    here.missing = here.expected;
    ++here.phase;
  } else {
    by.registers[one.results[0]] = (here.phase & 1) != (value(by, who, one.sources[0]) & 1);
  }
}

void running_block::execute(unsigned who, const decoded& one) {
  thread& by = threads_[who];
  switch (one.what) {
    case code::fence:
      return;
    case code::ld:
      return load(by, one);
    case code::st:
      return store(by, who, one);
    case code::red_add:
    case code::red_max:
      reduce_to_memory(by, who, one);
      return;
    case code::atom_add:
      by.registers[one.results[0]] = reduce_to_memory(by, who, one);
      return;
    case code::bra:
      by.next = static_cast<std::size_t>(one.target);
      return;
    case code::ret:
      return end(who, one);
    case code::barrier:
    case code::vote_barrier:
      by.is = state::at_barrier;
      by.waits_at = &one;
      by.barrier = value(by, who, one.sources[0]);
      by.votes = one.what == code::vote_barrier && value(by, who, one.sources[1]) != 0;
      return meet_at_barrier();
    case code::shfl_down:
    case code::shfl_up:
    case code::vote_any:
    case code::warp_barrier:
      by.is = state::at_shuffle;
      by.waits_at = &one;
      return meet_at_shuffle(who / warp_size);
    case code::active_mask:
      return form_group(who, one);
    case code::copy_async:
      by.copies.push_back({value(by, who, one.address) + static_cast<std::uint64_t>(one.offset),
                           value(by, who, one.sources[0]), by.group, value(by, who, one.sources[1])});
      return;
    case code::commit:
      ++by.group;
      return;
    case code::wait_group:
      return finish_copies(by, static_cast<unsigned>(value(by, who, one.sources[0])));
    case code::wait_all:
      ++by.group;
      return finish_copies(by, 0);
    case code::mbarrier_init:
    case code::mbarrier_arrive:
    case code::mbarrier_test:
      return object(by, who, one);
    default: {
      std::array<std::uint64_t, 4> values{};
      for (std::size_t i = 0; i < one.sources.size(); ++i) values.at(i) = value(by, who, one.sources[i]);
      by.registers[one.results[0]] = computed(one, values.data());
    }
  }
}

void running_block::end(unsigned who, const decoded& one) {
  threads_[who].is = state::ended;
  ++ended_;
  left_early_ += code_.of->body[one.index].opcode == "exit" && one.index > code_.last_return;
  meet_at_barrier();
  meet_at_shuffle(who / warp_size);
}

// A barrier waits for the threads that have not ended.
void running_block::meet_at_barrier() {
  const thread* first = nullptr;
  bool any = false;
  for (const thread& each : threads_) {
    if (each.is == state::ended) continue;
    if (each.is != state::at_barrier) return;
    if (first && each.barrier != first->barrier) return;
    if (!first) first = &each;
    any |= each.votes;
  }
  if (!first) return;
  const code what = first->waits_at->what;
  for (std::size_t i = 0; i < threads_.size(); ++i) {
    const thread& each = threads_[i];
    if (each.is == state::ended) continue;
    if (each.waits_at->what != what) throw fault("barriers of two kinds meet");
    const std::size_t warp = i / warp_size * warp_size;
    for (std::size_t k = warp; k < i && each.waits_at->is_aligned; ++k) {
      if (threads_[k].is != state::ended && threads_[k].waits_at != each.waits_at) {
        throw fault("a warp has parted at an aligned barrier");
      }
    }
  }
  for (thread& each : threads_) {
    if (each.is == state::ended) continue;
    each.is = state::runs;
    if (what == code::vote_barrier) each.registers[each.waits_at->results[0]] = any;
  }
}

// shfl.sync d, a, b, c, mask or vote.sync.any p, q, mask: the masks of the workloads name all lanes.
void running_block::meet_at_shuffle(unsigned warp) {
  const std::size_t first = std::size_t{warp} * warp_size, last = std::min(first + warp_size, threads_.size());
  const decoded* at = nullptr;
  bool is_missed = false;
  for (std::size_t i = first; i < last; ++i) {
    is_missed |= threads_[i].is == state::ended;
    if (threads_[i].is == state::ended) continue;
    if (threads_[i].is != state::at_shuffle) return;
    if (at && at != threads_[i].waits_at) throw fault("lanes meet at two shuffles");
    at = threads_[i].waits_at;
  }
  if (!at) return;
  const bool is_barrier = at->what == code::warp_barrier;
  // A barrier and a vote wait for those that have not ended; a shuffle might read from one that has.
  if (is_missed && !is_barrier && at->what != code::vote_any) throw fault("a shuffle names a lane that has ended");
  std::array<std::uint64_t, warp_size> before{};
  for (std::size_t i = first; i < last; ++i) {
    if (threads_[i].is != state::ended) before[i - first] = value(threads_[i], 0, at->sources[0]);
  }
  const bool any = std::any_of(before.begin(), before.end(), [](std::uint64_t one) { return one != 0; });
  for (std::size_t i = first; i < last; ++i) {
    thread& each = threads_[i];
    if (each.is == state::ended) continue;
    each.is = state::runs;
    if (is_barrier) continue;
    each.registers[at->results[0]] = any;
    if (at->what == code::vote_any) continue;
    const std::uint64_t by = value(each, 0, at->sources[1]), lane = i - first;
    std::uint64_t from = at->what == code::shfl_down ? lane + by : lane - by;
    if (from >= warp_size) from = lane;
    each.registers[at->results[0]] = before[from];
  }
}

// Which lanes are together is the hardware's choice. Here each waits for one turn, so that some lanes of a warp are.
void running_block::form_group(unsigned who, const decoded& one) {
  if (!threads_[who].has_waited) {
    threads_[who].has_waited = true;
    threads_[who].next = one.index;
    ends_turn_ = true;
    return;
  }
  const std::size_t first = who / warp_size * warp_size, last = std::min(first + warp_size, threads_.size());
  threads_[who].next = one.index;
  std::uint64_t mask = 0;
  const auto is_here = [&](const thread& each) {
    return each.is == state::runs && each.has_waited && each.next == one.index;
  };
  for (std::size_t i = first; i < last; ++i) mask |= std::uint64_t{is_here(threads_[i])} << (i - first);
  for (std::size_t i = first; i < last; ++i) {
    if (!(mask >> (i - first) & 1)) continue;
    threads_[i].has_waited = false;
    threads_[i].next = one.index + 1;
    threads_[i].registers[one.results[0]] = mask;
  }
}

}  // namespace genesys::schedule::interpreter
