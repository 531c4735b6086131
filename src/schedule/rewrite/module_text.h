// SPDX-License-Identifier: Apache-2.0
// A text in PTX whose kernels are launched as they are or with polls: its verdicts, and the text with polls that is
// loaded beside it as a second module. The stand-in uses it, under a lock, and loads the text. genesys::scheduler has
// one text for each kernel instead (prepared_kernel.h).
#pragma once

#include <map>
#include <set>
#include <string>
#include <utility>

#include "schedule/rewrite/rewrite.h"

namespace genesys::schedule {

class module_text {
 public:
  // The text is read at the first question.
  explicit module_text(std::string ptx) : ptx_(std::move(ptx)) {}

  const std::string& ptx() const { return ptx_; }
  // Null: the text has no such kernel.
  const kernel_verdict* verdict_of(const std::string& kernel);
  // Kernels that use variables of the module (module_variables.h). A second module has copies of those, so the text
  // with polls is not for these kernels.
  const std::set<std::string>& with_variables();

  struct polled {
    std::string ptx;
    std::map<std::string, kernel_rewrite> kernels;
  };
  // With polls in all kernels that may have them.
  polled with_polls(variant wanted);
  // Why a kernel has no polls in it. Empty: it has.
  std::string why_no_polls(const polled& in, const std::string& kernel);

 private:
  void read();

  std::string ptx_;
  bool is_read_ = false;
  std::map<std::string, kernel_verdict> verdicts_;
  std::set<std::string> with_variables_;
};

}  // namespace genesys::schedule
