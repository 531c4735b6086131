// SPDX-License-Identifier: Apache-2.0
// Parts of a bench that share an object which takes long to construct. The first part that runs constructs it.
#pragma once

#include <optional>

#include "support/measure.h"

namespace baseline {

// `Shared` is constructed from the bench. Its is_measurable() returns whether the parts can run, and prints the reason
// if they cannot.
template <class Shared>
class shared_parts {
 public:
  explicit shared_parts(measure::bench& all) : all_(all) {}  // both live until all.main() returns
  shared_parts(const shared_parts&) = delete;
  shared_parts& operator=(const shared_parts&) = delete;

  void part(const char* name, const char* what, void (*run)(measure::bench&, Shared&)) {
    all_.part(name, what, [this, run](measure::bench& here) {
      if (!in_) in_.emplace(here);
      if (in_->is_measurable()) run(here, *in_);
    });
  }

 private:
  measure::bench& all_;
  std::optional<Shared> in_;
};

}  // namespace baseline
