// SPDX-License-Identifier: Apache-2.0
// A chain of calls, each of which depends on the result of the one before: natively, in the old way, and by kernels
// that make the calls themselves. The bench's main thread runs all of it.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "genesys/runtime.h"
#include "relaunch/kernels.h"
#include "relaunch/letters.h"
#include "support/measure.h"

namespace relaunch {

// A way to make the chain's calls; run() makes all of them.
struct way {
  enum class kind { native, old, genesys } which;
  std::string name;
  std::function<void()> run;
};

// A chain of steps. call(answer, wanted) makes a call on the host; the first one wants 0.
class chain {
 public:
  chain(measure::bench& all, unsigned bytes, unsigned steps, std::function<void(word*, word)> call);
  ~chain();
  chain(const chain&) = delete;
  chain& operator=(const chain&) = delete;

  // answer(): pinned memory for a result. sums(): in device memory, the sums of the threads and the number of steps.
  word* answer() { return letters_->answer; }
  word* sums() { return sums_; }

  // run(threads) makes the whole chain by one kernel of so many threads.
  void add_genesys(const std::string& name, const std::function<void(unsigned)>& run) {
    ways_.push_back({way::kind::genesys, name, [this, run] { run(threads_); }});
  }

  // Keeps figures, or points of the plot `name`, by bytes.
  void measure_all(const std::string& name, bool plotted);

 private:
  word native();
  template <class Step>
  void add_old(const std::string& name, Step step);
  void check_sums(const std::string& name);

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

}  // namespace relaunch
