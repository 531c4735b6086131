// SPDX-License-Identifier: Apache-2.0
// A fake GPU whose work takes time: launches, copies and events run in the order of their streams on a thread of its
// own, step by step, several streams by turns. Kernels of timed_ptx compute, block by block; those with polls leave
// when their flag is raised, wherever they are, and what they have written stays.
#pragma once

#include <atomic>
#include <condition_variable>
#include <deque>
#include <functional>
#include <map>
#include <random>
#include <thread>

#include "fake_machine.h"

namespace genesys::schedule::standin::tests {

// `twice(out, in, n)`: out[i] = 2 in[i]. `mix(all, n)`: all[i] = 2 all[i]; the machine adds 1, so that a second run
// shows. `biased(out, in, n)`: uses a variable of its module, and cannot be aborted; out[i] = in[i] + 7.
extern const char timed_ptx[];

class timed_machine : public fake_machine {
 public:
  explicit timed_machine(std::uint32_t seed);
  ~timed_machine() override;

  // Whether all work that was given to the stream has ended. No call of the driver.
  bool is_idle(CUstream stream);
  unsigned blocks_left() const { return blocks_left_; }  // because of a raised flag
  // So many launches with polls are accepted from now on.
  void accept_polls(unsigned count) { polls_accepted_ = count; }

 private:
  struct work {
    std::function<bool()> step;  // true: it has ended
    std::vector<std::shared_ptr<work>> after;
    bool has_ended = false;
  };
  using pointer = std::shared_ptr<work>;
  struct running_kernel;

  void on_streams();
  void on_events();
  void on_copies();
  pointer give(CUstream stream, std::function<bool()> step, const pointer& before = nullptr);
  void wait_for(const pointer& what);
  pointer last_in(CUstream stream);
  void run();
  unsigned launch_over_time(const arguments& given);
  std::size_t random(std::size_t below) { return random_() % below; }

  std::mutex changing_;
  std::condition_variable ended_;
  std::vector<pointer> waiting_;
  std::map<CUstream, pointer> last_;         // of each stream
  std::map<CUstream, bool> is_blocking_;     // it waits for the default stream, and that for it
  std::map<std::uint64_t, pointer> events_;  // what each recorded
  std::uint64_t next_handle_ = 0x5000;
  std::mt19937 random_;
  unsigned blocks_left_ = 0;
  std::atomic<unsigned> polls_accepted_{~0U};
  bool ends_ = false;
  std::thread gpu_;
};

}  // namespace genesys::schedule::standin::tests
