// SPDX-License-Identifier: Apache-2.0
// The old way, and the code that all ways share.
#include "relaunch/chain.h"

#include <algorithm>
#include <new>
#include <numeric>
#include <utility>

#include "genesys/genesys.h"

namespace relaunch {

template <class Step>
void chain::add_old(const std::string& name, Step step) {
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

chain::chain(measure::bench& all, unsigned bytes, unsigned steps, std::function<void(word*, word)> call)
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
    add_old("launch and drain", [this](unsigned) { run_one_step(rt_, threads_, letters_, bytes_, sums_); });
    return;
  }
#if defined(__CUDACC__)
  step_ = std::make_unique<stepper>(letters_, bytes_, threads_, sums_);
  add_old("launch, synchronise", [this](unsigned) { step_->launch(), step_->synchronise(); });
  add_old("graph, synchronise", [this](unsigned) { step_->launch_graph(), step_->synchronise(); });
  add_old("launch, poll", [this](unsigned steps) {
    step_->launch();
    step_->poll(steps);
    if (steps == steps_) step_->synchronise();
  });
#endif
}

chain::~chain() {
#if defined(__CUDACC__)
  step_.reset();
#endif
  rt_.free_arena(letters_);
  rt_.free_device(sums_);
}

void chain::measure_all(const std::string& name, bool plotted) {
  std::vector<measure::costs> each(ways_.size());
  for (unsigned round = 0; round <= (all_.quick() ? 5u : 9u); ++round) {  // the first round does not count
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

word chain::native() {
  word sum = 0, next = 0;
  for (unsigned i = 0; i < steps_; ++i) {
    call_(letters_->answer, next);
    next = letters_->answer[0];
    sum = std::accumulate(letters_->answer, letters_->answer + bytes_ / sizeof(word), sum);
  }
  return sum;
}

void chain::check_sums(const std::string& name) {
  word sums[threads_most];
  rt_.copy_to_host(sums, sums_, sizeof sums);
  if (std::accumulate(sums, sums + threads_most, word{0}) != expected_)
    throw measure::failure(name + ": wrong results");
}

}  // namespace relaunch
