// SPDX-License-Identifier: Apache-2.0
#include "schedule/rewrite/poll_text.h"

#include "schedule/rewrite/abort_words.h"

namespace genesys::schedule {
namespace {

// Registers, as they are named below: `~` stands for the prefix.
//   %~flag   what the last look at the flag gave: kept from one poll to the next one
//   %~last   the clock at that time: kept
//   %~left  iterations until the clock is read again: kept, if a poll counts
//   the others hold their values only within a poll
constexpr std::string_view registers =
    ".reg .b32 %~flag, %~last, %~left, %~epoch, %~a, %~b, %~c;\n"
    ".reg .b64 %~at, %~more;\n"
    ".reg .pred %~leaves, %~skips, %~all;\n";

constexpr std::string_view load_flag = "ld.relaxed.gpu.global.u32 %~flag, [%~at];\n";

}  // namespace

std::string poll_text::expanded(std::string_view text) const {
  std::string result;
  for (char c : text) {
    if (c == '~') {
      result += prefix_;
    } else {
      result += c;
    }
  }
  return result;
}

std::string poll_text::new_label() { return "$" + prefix_ + "on_" + std::to_string(labels_++); }

std::string poll_text::parameters() const {
  return expanded(
      ".param .u64 ~flags,\n.param .u64 ~counts,\n.param .u64 ~stopped,\n.param .u32 ~epoch,\n.param .u32 ~chain,\n"
      ".param .u32 ~ahead,\n.param .u32 ~replica_mask\n");
}

// The address is computed anew for each look: kept in registers it would cost two of them all the time.
std::string poll_text::address_of_flag() const {
  return expanded(
             "mov.u32 %~a, %ctaid.z;\nmov.u32 %~b, %nctaid.y;\nmov.u32 %~c, %ctaid.y;\n"
             "mad.lo.u32 %~a, %~a, %~b, %~c;\nmov.u32 %~b, %nctaid.x;\nmov.u32 %~c, %ctaid.x;\n"
             "mad.lo.u32 %~a, %~a, %~b, %~c;\nld.param.u32 %~b, [~replica_mask];\nand.b32 %~a, %~a, %~b;\n"
             "ld.param.u64 %~at, [~flags];\nmad.wide.u32 %~at, %~a, ") +
         std::to_string(replica_stride) + expanded(", %~at;\n");
}

std::string poll_text::entry() const {
  std::string text = "\n" + expanded(registers) + address_of_flag() + expanded(load_flag);
  text += expanded(
      "ld.param.u64 %~more, [~stopped];\nld.relaxed.gpu.global.u32 %~a, [%~more];\n"
      "ld.param.u32 %~b, [~chain];\nsetp.eq.u32 %~leaves, %~a, %~b;\n"
      "ld.param.u32 %~b, [~ahead];\nsetp.ne.and.u32 %~leaves, %~b, 0, %~leaves;\n"
      "ld.param.u32 %~epoch, [~epoch];\nsetp.eq.or.u32 %~leaves, %~flag, %~epoch, %~leaves;\n");
  if (plan_.votes_at_entry) text += expanded("bar.red.or.pred %~leaves, 0, %~leaves;\n");
  text += expanded("@%~leaves bra $~leave_at_entry;\n");
  if (!plan_.votes.empty() || !plan_.polls.empty()) text += expanded("mov.u32 %~last, %clock;\n");
  std::uint32_t first = 1;
  for (const planned_poll& one : plan_.polls) {
    if (first == 1) first = one.every;
  }
  if (first > 1) text += expanded("mov.u32 %~left, ") + std::to_string(first) + ";\n";
  return text;
}

std::string poll_text::vote(const planned_vote& one, const sync_point& barrier) {
  std::string text = expanded("ld.param.u32 %~epoch, [~epoch];\nsetp.eq.u32 %~leaves, %~flag, %~epoch;\n");
  if (one.looks) {
    const std::string on = new_label();
    text += expanded("mov.u32 %~a, %clock;\nsub.u32 %~b, %~a, %~last;\nsetp.lt.u32 %~skips, %~b, ") +
            std::to_string(settings_.gap_clocks) + expanded(";\n@%~skips bra ") + on +
            expanded(";\nmov.u32 %~last, %~a;\n") + address_of_flag() + expanded(load_flag) + on + ":\n";
  }
  // A thread that arrives from a loop may be in a warp whose other threads are at another barrier.
  const bool is_aligned = barrier.is_aligned && plan_.arrive_at < 0;
  text += std::string(is_aligned ? "bar" : "barrier") + expanded(".red.or.pred %~all, ") +
          std::to_string(barrier.barrier) + expanded(", %~leaves;\n@%~all bra $~leave;");
  return text;
}

std::string poll_text::poll(const planned_poll& one) {
  const std::string on = new_label();
  std::string text;
  if (one.every > 1) {
    text += expanded("sub.u32 %~left, %~left, 1;\nsetp.ne.u32 %~skips, %~left, 0;\n@%~skips bra ") + on +
            expanded(";\nmov.u32 %~left, ") + std::to_string(one.every) + ";\n";
  }
  text += expanded("mov.u32 %~a, %clock;\nsub.u32 %~b, %~a, %~last;\nsetp.lt.u32 %~skips, %~b, ") +
          std::to_string(settings_.gap_clocks) + expanded(";\n@%~skips bra ") + on +
          expanded(
              ";\nmov.u32 %~last, %~a;\nld.param.u32 %~epoch, [~epoch];\n"
              "setp.eq.u32 %~leaves, %~flag, %~epoch;\n@%~leaves bra ") +
          expanded(plan_.arrive_at >= 0 ? "$~arrive" : "$~leave") + ";\n" + address_of_flag() + expanded(load_flag) +
          on + ":\n";
  return text;
}

// First `ret`, for threads that come to the end of the kernel. A thread writes the counts and the stopped chain before
// it ends: the host reads them when the launch has ended.
std::string poll_text::leave() const {
  std::string text = "\nret;\n";
  if (plan_.arrive_at >= 0) {
    text += expanded("$~arrive:\nsetp.eq.u32 %~leaves, %~epoch, %~epoch;\nbarrier.red.or.pred %~all, ") +
            std::to_string(plan_.arrive_at) + expanded(", %~leaves;\nbra $~leave;\n");
  }
  text += expanded("$~leave_at_entry:\nld.param.u64 %~more, [~counts];\nred.relaxed.gpu.global.add.u32 [%~more+") +
          std::to_string(entry_count_offset) +
          expanded(
              "], 1;\n"
              "$~leave:\nld.param.u64 %~more, [~counts];\nred.relaxed.gpu.global.add.u32 [%~more], 1;\n"
              "ld.param.u64 %~more, [~stopped];\nld.param.u32 %~a, [~chain];\n"
              "st.relaxed.gpu.global.u32 [%~more], %~a;\n");
  if (plan_.waits_for_copies) text += "cp.async.wait_all;\n";
  text += "fence.acq_rel.gpu;\nexit;\n";
  return text;
}

}  // namespace genesys::schedule
