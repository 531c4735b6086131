// SPDX-License-Identifier: Apache-2.0
// One block of a kernel that the interpreter runs.
#pragma once

#include <deque>

#include "machine.h"

namespace genesys::schedule::interpreter {

class running_block {
 public:
  running_block(machine& on, const kernel_code& code, const launch& one, unsigned number);

  bool has_ended() const { return ended_ == threads_.size(); }
  std::uint64_t left_early() const { return left_early_; }
  // Lets one thread run for up to this many instructions, and returns how many it ran. `clock`: of the machine.
  std::uint64_t turn(std::mt19937& random, std::uint64_t instructions, std::uint64_t clock);

 private:
  enum class state { runs, at_barrier, at_shuffle, ended };
  struct copy {
    std::uint64_t to, from;
    unsigned group;
    std::size_t bytes;
  };
  struct thread {
    state is = state::runs;
    std::size_t next = 0;
    std::vector<std::uint64_t> registers;
    std::uint64_t barrier = 0;
    bool votes = false;
    const decoded* waits_at = nullptr;
    unsigned group = 0;
    std::deque<copy> copies;
    bool has_waited = false;  // at an activemask
  };
  struct mbarrier {
    std::uint64_t expected = 0, missing = 0, phase = 0;
  };

  void step(unsigned who);
  void execute(unsigned who, const decoded& one);
  void end(unsigned who, const decoded& one);
  std::uint64_t value(const thread& by, unsigned who, const source& from) const;
  std::uint64_t special(unsigned who, const std::string& name) const;
  std::uint64_t address(const thread& by, const decoded& one) const;
  memory& memory_of(const decoded& one) { return one.in == space::shared ? shared_ : on_.global(); }
  void load(thread& by, const decoded& one);
  void store(const thread& by, unsigned who, const decoded& one);
  // Gives the old value.
  std::uint64_t reduce_to_memory(const thread& by, unsigned who, const decoded& one);
  void finish_copies(thread& by, unsigned groups_left);
  void object(thread& by, unsigned who, const decoded& one);
  // Release those who wait, if all have come.
  void meet_at_barrier();
  void meet_at_shuffle(unsigned warp);
  void form_group(unsigned who, const decoded& one);
  [[noreturn]] void hang() const;

  machine& on_;
  const kernel_code& code_;
  const launch& launch_;
  unsigned number_;
  memory shared_;
  std::vector<thread> threads_;
  std::map<std::uint64_t, mbarrier> objects_;
  std::size_t ended_ = 0;
  std::uint64_t left_early_ = 0, clock_ = 0;
  bool ends_turn_ = false;
};

}  // namespace genesys::schedule::interpreter
