// SPDX-License-Identifier: Apache-2.0
#include "schedule/rewrite/poll_text.h"

#include "schedule/rewrite/abort_words.h"

namespace genesys::schedule {
namespace {

// Registers, as they are named below: `~` stands for the prefix.
//   %~flag   what the last look at the flag gave: kept from one poll to the next one
//   %~last   the clock at that time: kept
//   %~left   iterations until the clock is read again: kept, if a poll counts
//   %~limit  where a strip ends, or %~far; kept in the strip. %~strip: iterations until it ends
//   %~turn   passes until the next vote: kept, if a vote counts. Equal in all threads of the block
//   %~rests  whether the thread is not in the first warp: kept, if only that one looks
//   the others hold their values only within a poll
constexpr std::string_view registers =
    ".reg .b32 %~flag, %~last, %~left, %~limit, %~strip, %~turn, %~epoch, %~a, %~b, %~c;\n"
    ".reg .b64 %~at, %~more, %~far;\n"
    ".reg .pred %~leaves, %~skips, %~all, %~go, %~rests;\n";

constexpr std::string_view load_flag = "ld.relaxed.gpu.global.u32 %~flag, [%~at];\n";

}  // namespace

std::string poll_text::new_label() { return "$" + prefix_ + "on_" + std::to_string(labels_++); }

std::string poll_text::parameter(std::string_view prefix) {
  return ".param .align " + std::to_string(context_align) + schedule::expanded(" .b8 ~launch[", prefix) +
         std::to_string(context_bytes) + "]";
}

// `~at` and `~more` have 64 bits, the other registers 32.
std::string poll_text::load_context(std::string_view into, std::uint32_t offset) const {
  const std::string_view type = into == "%~at" || into == "%~more" ? "u64 " : "u32 ";
  return "ld.param." + std::string(type) + expanded(into) + expanded(", [~launch+") + std::to_string(offset) + "];\n";
}

// The address is computed anew for each look: kept in registers it would cost two of them all the time. All replicas
// hold the same flag in the end, so the replica need not be that of the block's linear number.
std::string poll_text::address_of_flag() const {
  return expanded("mov.u32 %~a, %ctaid.x;\nmov.u32 %~b, %ctaid.y;\nadd.u32 %~a, %~a, %~b;\n") +
         load_context("%~b", context_mask) + expanded("and.b32 %~a, %~a, %~b;\n") +
         load_context("%~at", context_flags) + expanded("mad.wide.u32 %~at, %~a, ") + std::to_string(flag_stride) +
         expanded(", %~at;\n");
}

// B1. All loads are issued before the first test. Later polls use what it has loaded. A launch that is not ahead does
// not load the latch: stores to a line that many blocks have loaded take 13 ns each (H100).
std::string poll_text::entry() const {
  std::string text =
      "\n" + expanded(registers) + address_of_flag() + expanded(load_flag) + load_context("%~b", context_ahead) +
      expanded("setp.ne.u32 %~leaves, %~b, 0;\nmov.u32 %~a, 0;\n") + load_context("%~more", context_latch) +
      expanded("@%~leaves ld.relaxed.gpu.global.u32 %~a, [%~more];\n") + load_context("%~b", context_chain) +
      expanded("setp.eq.and.u32 %~leaves, %~a, %~b, %~leaves;\n") + load_context("%~epoch", context_epoch) +
      expanded("setp.eq.or.u32 %~leaves, %~flag, %~epoch, %~leaves;\n");
  if (plan_.votes_at_entry) text += expanded("bar.red.or.pred %~leaves, 0, %~leaves;\n");
  text += expanded("@%~leaves bra $~leave_at_entry;\n");
  if (!plan_.votes.empty() || !plan_.polls.empty() || !plan_.warp_votes.empty())
    text += expanded("mov.u32 %~last, %clock;\n");
  if (one_warp_looks()) {
    text += expanded(
        "mov.u32 %~a, %tid.z;\nmov.u32 %~b, %ntid.y;\nmov.u32 %~c, %tid.y;\nmad.lo.u32 %~a, %~a, %~b, %~c;\n"
        "mov.u32 %~b, %ntid.x;\nmov.u32 %~c, %tid.x;\nmad.lo.u32 %~a, %~a, %~b, %~c;\nsetp.ge.u32 %~rests, %~a, 32;\n");
  }
  std::uint32_t first = 1;
  for (const planned_poll& one : plan_.polls) {
    if (first == 1 && !one.stripped) first = one.every;
  }
  if (first > 1) text += expanded("mov.u32 %~left, ") + std::to_string(first) + ";\n";
  for (const planned_vote& one : plan_.votes) {
    if (one.every == 1 || one.stripped) continue;
    text += expanded("mov.u32 %~turn, 1;\n");
    break;
  }
  return text;
}

// To the label, if the last look was not long ago; else now is the time of the last look.
std::string poll_text::skip_until_due(std::string_view label, std::uint32_t gap_clocks) const {
  return expanded("mov.u32 %~a, %clock;\nsub.u32 %~b, %~a, %~last;\nsetp.lt.u32 %~skips, %~b, ") +
         std::to_string(gap_clocks) + expanded(";\n@%~skips bra ") + std::string(label) +
         expanded(";\nmov.u32 %~last, %~a;\n");
}

// Tests what was loaded before, then loads for the next vote. `fresh`: where votes are rare, what was loaded is old by
// then; so if the last look was very long ago, the vote waits for the load, which costs little of such a time.
std::string poll_text::test_and_look(bool looks, bool fresh) {
  std::string text = load_context("%~epoch", context_epoch) + expanded("setp.eq.u32 %~leaves, %~flag, %~epoch;\n");
  if (!looks) return text;
  const std::string on = new_label();
  if (one_warp_looks()) text += expanded("@%~rests bra.uni ") + on + ";\n";
  const std::uint32_t gap_clocks = one_warp_looks() ? settings_.gap_clocks / 4 : settings_.gap_clocks;
  text += skip_until_due(on, gap_clocks);
  if (fresh) text += expanded("setp.lt.u32 %~skips, %~b, ") + std::to_string(settings_.rare_clocks) + ";\n";
  text += address_of_flag() + expanded(load_flag);
  if (fresh) text += expanded("@%~skips bra ") + on + expanded(";\nsetp.eq.u32 %~leaves, %~flag, %~epoch;\n");
  return text + on + ":\n";
}

// B4.
std::string poll_text::vote(const planned_vote& one, const sync_point& barrier) {
  std::string text = test_and_look(one.looks, false);
  // A thread that arrives from a loop may be in a warp whose other threads are at another barrier.
  const bool is_aligned = barrier.is_aligned && !has_arrivals();
  text += std::string(is_aligned ? "bar" : "barrier") + expanded(".red.or.pred %~all, ") +
          std::to_string(barrier.barrier) + expanded(", %~leaves;\n@%~all bra ") + way_out(false) + ";";
  // The lanes of the warp are together here, as behind the barrier of the original.
  if (barrier.is_aligned && !is_aligned) text += expanded("\nmov.b32 %~a, -1;\nbar.warp.sync %~a;");
  return text;
}

// In most passes the thread goes on to the barrier, which stands behind this text; `done` is behind the barrier.
std::string poll_text::stripped_vote(const planned_vote& one, const sync_point& barrier, const std::string& done) {
  const std::string plain = new_label();
  return expanded("sub.u32 %~turn, %~turn, 1;\nsetp.ne.u32 %~skips, %~turn, 0;\n@%~skips bra ") + plain +
         expanded(";\nmov.u32 %~turn, ") + std::to_string(one.every) + ";\n" + vote(one, barrier) + "\nbra " + done +
         ";\n" + plain + ":\n";
}

// B3, for a warp.
std::string poll_text::warp_vote(const planned_warp_vote& one) {
  return test_and_look(one.looks, true) + expanded("vote.sync.any.pred %~all, %~leaves, -1;\n@%~all bra ") +
         way_out(has_arrivals()) + ";\n";
}

// B3.
std::string poll_text::poll(const planned_poll& one) {
  const std::string on = new_label();
  std::string text;
  if (one.every > 1 && !one.stripped) {
    text += expanded("sub.u32 %~left, %~left, 1;\nsetp.ne.u32 %~skips, %~left, 0;\n@%~skips bra ") + on +
            expanded(";\nmov.u32 %~left, ") + std::to_string(one.every) + ";\n";
  }
  text += skip_until_due(on, settings_.gap_clocks) + load_context("%~epoch", context_epoch) +
          expanded("setp.eq.u32 %~leaves, %~flag, %~epoch;\n@%~leaves bra ") + way_out(has_arrivals()) + ";\n" +
          address_of_flag() + expanded(load_flag) + on + ":\n";
  return text;
}

// The label to go to. Lanes of a warp that have parted meet again where all their ways meet, and ptxas takes a way that
// ends in `exit` for none. So each poll has a way out of its own: lanes that leave a loop at different times then meet
// behind the loop, as in the original.
//
// Not so if a thread votes before it leaves: lanes that waited for it behind the loop would wait for ever, because it
// waits for them at the barrier. Its way must meet that of the others again, behind the barrier. Then no lane waits for
// it before; `bar.warp.sync` lets the lanes of a warp meet behind the vote.
std::string poll_text::way_out(bool arrives) {
  if (has_arrivals()) return expanded(arrives ? "$~arrive" : "$~leave");
  return expanded("$~leave_") + std::to_string(ways_out_++);
}

// B5. The lanes that leave together: the lowest one counts for all of them, the others go to the label `end`.
std::string poll_text::counted(bool at_entry, const std::string& end) const {
  std::string text =
      expanded(
          "activemask.b32 %~a;\nmov.u32 %~b, %lanemask_lt;\nand.b32 %~b, %~a, %~b;\nsetp.ne.u32 %~leaves, %~b, 0;\n"
          "@%~leaves bra ") +
      end + expanded(";\npopc.b32 %~c, %~a;\ncvt.u64.u32 %~more, %~c;\n") + block_number() +
      expanded("and.b32 %~a, %~a, ") + std::to_string(count_replicas - 1) + ";\n" +
      load_context("%~at", context_counts) + expanded("mad.wide.u32 %~at, %~a, ") + std::to_string(count_stride) +
      expanded(", %~at;\n");
  text += expanded("red.relaxed.gpu.global.add.u64 [%~at+") +
          std::to_string(at_entry ? count_left_at_entry : count_left_later) + expanded("], %~more;\n") +
          load_context("%~more", context_latch) + load_context("%~a", context_chain) +
          expanded(
              "ld.relaxed.gpu.global.u32 %~b, [%~more];\nsetp.ne.u32 %~leaves, %~b, %~a;\n"
              "@%~leaves st.relaxed.gpu.global.u32 [%~more], %~a;\n") +
          end + ":\n";
  if (plan_.waits_for_copies) text += "cp.async.wait_all;\n";
  return text + "exit;\n";
}

// First `ret`, for threads that come to the end of the kernel.
std::string poll_text::leave() const {
  std::string text = "\nret;\n";
  if (has_arrivals()) {
    text += expanded("$~arrive:\nsetp.eq.u32 %~leaves, %~epoch, %~epoch;\nbarrier.red.or.pred %~all, ") +
            std::to_string(plan_.arrive_at) + expanded(", %~leaves;\n$~leave:\n") + counted(false, expanded("$~end"));
  }
  for (int i = 0; i < ways_out_; ++i)
    text += expanded("$~leave_") + std::to_string(i) + ":\n" + counted(false, expanded("$~end_") + std::to_string(i));
  return text + expanded("$~leave_at_entry:\n") + counted(true, expanded("$~end_at_entry"));
}

}  // namespace genesys::schedule
