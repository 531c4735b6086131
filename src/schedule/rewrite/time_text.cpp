// SPDX-License-Identifier: Apache-2.0
#include "schedule/rewrite/time_text.h"

#include "schedule/rewrite/inserted_text.h"
#include "schedule/rewrite/time_words.h"

namespace genesys::schedule {
namespace {

// %~start is kept for as long as the thread runs, with 64 bits: 32 bits of nanoseconds are 4 seconds.
constexpr std::string_view time_registers =
    ".reg .b64 %~start, %~end, %~record, %~threads;\n"
    ".reg .b32 %~a, %~b, %~c;\n"
    ".reg .pred %~skips;\n";

std::string word_at(std::string_view address, std::uint32_t offset) {
  return "[" + std::string(address) + "+" + std::to_string(offset) + "]";
}

}  // namespace

std::string time_text::text(std::string_view of) const { return expanded(of, prefix_); }

std::string time_text::parameter() const {
  return ".param .align " + std::to_string(times_align) + text(" .b8 ~times[") + std::to_string(times_bytes) + "]";
}

std::string time_text::entry() const {
  return text("\n" + std::string(time_registers) + "mov.u64 %~start, %globaltimer;\n");
}

// Lanes that end together: the first of them adds for all. A lane is in one such group, whichever the hardware forms,
// so each thread is counted once.
std::string time_text::end(std::string_view unless) {
  const std::string on = "$" + prefix_ + "on_" + std::to_string(labels_++);
  const std::string skip = text("@%~skips bra ") + on + ";\n";
  std::string made;
  if (!unless.empty()) made += std::string(unless) + " bra " + on + ";\n";
  made += text(block_number_text);
  made += text("ld.param.u32 %~b, ") + word_at(text("~times"), times_mask) + text(";\nand.b32 %~a, %~a, %~b;\n");
  made +=
      text("ld.param.u32 %~b, ") + word_at(text("~times"), times_sample) + text(";\nsetp.ne.u32 %~skips, %~a, %~b;\n");
  made += skip;
  made +=
      text("activemask.b32 %~a;\nmov.u32 %~c, %lanemask_lt;\nand.b32 %~c, %~c, %~a;\nsetp.ne.u32 %~skips, %~c, 0;\n");
  made += skip;
  made += text("mov.u64 %~end, %globaltimer;\nsub.u64 %~end, %~end, %~start;\nld.param.u64 %~record, ") +
          word_at(text("~times"), times_record) + ";\n";
  const auto reduce = [&](std::string_view operation, std::uint32_t offset, std::string_view value) {
    made += "red.relaxed.gpu.global." + std::string(operation) + ".u64 " + word_at(text("%~record"), offset) + ", " +
            text(value) + ";\n";
  };
  reduce("max", record_longest, "%~end");
  made += text("popc.b32 %~a, %~a;\ncvt.u64.u32 %~threads, %~a;\n");
  reduce("add", record_threads, "%~threads");
  made += text("mul.lo.u64 %~end, %~end, %~threads;\n");
  reduce("add", record_sum, "%~end");
  return made + on + ":\n";
}

}  // namespace genesys::schedule
