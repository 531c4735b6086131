// SPDX-License-Identifier: Apache-2.0
#include "schedule/rewrite/poll_plan.h"

#include <algorithm>
#include <set>

#include "schedule/classify/opcodes.h"
#include "schedule/rewrite/fused_pairs.h"
#include "schedule/rewrite/loop_sizes.h"
#include "schedule/rewrite/natural_loops.h"
#include "schedule/rewrite/trip_count.h"
#include "schedule/rewrite/uniform_control.h"
#include "schedule/rewrite/warp_votes.h"

namespace genesys::schedule {
namespace {

class planner {
 public:
  planner(const module& all, const function& one, std::string_view text, callees& called,
          const rewrite_settings& settings, poll_plan& into)
      : all_(all),
        one_(one),
        text_(text),
        settings_(settings),
        into_(into),
        graph_(graph_of(one)),
        forest_(graph_),
        sizes_(one, graph_, forest_, syncs_, settings),
        pairs_(one, graph_, forest_) {
    for (const instruction& each : one.body) {
      syncs_.push_back(sync_of(each));
      into_.waits_for_copies |= effect_of(each) == effect::async_copy;
      if (effect_of(each) != effect::call) continue;
      const callee_facts facts = called.of(each);
      if (facts.has_sync) syncs_.back() = {sync::other};
      if (facts.has_loop) calls_with_loops_.push_back(&each);
      into_.waits_for_copies |= facts.has_copies;
    }
    separates_.assign(one.body.size(), 0);
    for (std::size_t i = 0; i < syncs_.size(); ++i) {
      if (syncs_[i].what == sync::barrier) separates_[i] = pairs_.separated_at(static_cast<int>(i));
    }
    branches_to_.assign(one.body.size() + 1, 0);
    for (const instruction& each : one.body) {
      for (int target : each.targets) ++branches_to_[target];
    }
    into_.loops = static_cast<std::uint32_t>(forest_.loops().size());
  }

  void plan_entry() {
    into_.votes_at_entry =
        std::any_of(syncs_.begin(), syncs_.end(), [](const sync_point& each) { return each.what != sync::none; });
  }

  void plan_loops() {
    for (int block : forest_.irreducible()) refuse(block, "an irreducible loop");
    for (const instruction* each : calls_with_loops_) {
      into_.refused.push_back({each->at.line, "a loop in a function that is called"});
    }
    if (const int at = first_of(sync::other); at >= 0) return refuse_all(at);
    if (const int at = first_of(sync::counted); at >= 0) return refuse_all(at);
    for (const natural_loop& loop : forest_.loops()) {
      if (has_barrier(loop)) wants_votes_ = true;
    }
    pick_barriers();
    pick_warp_votes();
    for (const natural_loop& loop : forest_.loops()) plan_loop(loop);
    if (!warp_looks_.empty()) {
      for (int each : warp_votes_.before) into_.warp_votes.push_back({each, warp_looks_.count(each) > 0});
    }
    if ((!into_.polls.empty() || !warp_looks_.empty()) &&
        has_barriers_) {  // every barrier must be a vote: a thread that leaves may meet any
      into_.arrive_at = *votable_.begin();
      vote_at(all_barriers());
    } else if (wants_votes_) {
      vote_at(chosen_);
      if (same_order_) strip_votes();
    }
    std::sort(into_.polls.begin(), into_.polls.end(),
              [](const planned_poll& a, const planned_poll& b) { return a.instruction < b.instruction; });
  }

 private:
  int first_of(sync what) const {
    for (std::size_t i = 0; i < syncs_.size(); ++i) {
      if (syncs_[i].what == what && forest_.is_reached(graph_.block_of[i])) return static_cast<int>(i);
    }
    return -1;
  }

  const instruction& first_instruction(int block) const { return one_.body[graph_.blocks[block].first]; }
  void refuse(int block, std::string why) {
    into_.refused.push_back({first_instruction(block).at.line, std::move(why)});
  }

  void refuse_all(int because) {
    const std::string why = std::string(effect_of(one_.body[because]) == effect::call
                                            ? "the kernel calls a function in which threads may wait for each other"
                                            : "the kernel has " + std::string(spelled(syncs_[because].what))) +
                            " (line " + std::to_string(one_.body[because].at.line) + ")";
    for (const natural_loop& loop : forest_.loops()) refuse(loop.header, why);
  }

  template <class visitor>
  void each_instruction(const natural_loop& loop, visitor visit) const {
    for (int block : loop.blocks) {
      for (int i = graph_.blocks[block].first; i < graph_.blocks[block].end; ++i) visit(block, i);
    }
  }

  bool has_barrier(const natural_loop& loop) const {
    bool found = false;
    each_instruction(loop, [&](int, int i) { found |= syncs_[i].what == sync::barrier; });
    return found;
  }

  std::vector<int> all_barriers() const {
    std::vector<int> all;
    for (std::size_t i = 0; i < syncs_.size(); ++i) {
      if (syncs_[i].what == sync::barrier && forest_.is_reached(graph_.block_of[i])) all.push_back(static_cast<int>(i));
    }
    return all;
  }

  // Which barriers become votes. If all threads meet the same barriers in the same order, any of them may: one for each
  // loop. Else two different barriers of one number may meet each other, so all of a number become votes, or none.
  void pick_barriers() {
    std::set<int> reducing;
    for (const sync_point& each : syncs_) {
      has_barriers_ |= each.what == sync::barrier || each.what == sync::reducing;
      if (each.what == sync::barrier) votable_.insert(each.barrier);
      if (each.what == sync::reducing) reducing.insert(each.barrier);
    }
    has_only_votes_ = votable_.size() == 1 && reducing.empty() &&
                      std::none_of(separates_.begin(), separates_.end(), [](char one) { return one != 0; });
    std::vector<int> meets;
    for (std::size_t i = 0; i < syncs_.size(); ++i) {
      if (syncs_[i].what == sync::barrier || syncs_[i].what == sync::reducing) meets.push_back(static_cast<int>(i));
    }
    same_order_ = !meets.empty() && meet_in_one_order(one_, graph_, meets);
    for (const natural_loop& loop : forest_.loops()) {
      int first = first_barrier(loop, true);
      if (first < 0) first = first_barrier(loop, false);
      if (first >= 0 && same_order_) chosen_.push_back(first);
      if (first >= 0) looks_.insert(first);
    }
    if (same_order_) {
      std::sort(chosen_.begin(), chosen_.end());
      chosen_.erase(std::unique(chosen_.begin(), chosen_.end()), chosen_.end());
      return;
    }
    for (int barrier : all_barriers()) {
      if (separates_[barrier]) reducing.insert(syncs_[barrier].barrier);
    }
    for (int barrier : all_barriers()) {
      if (!reducing.count(syncs_[barrier].barrier)) chosen_.push_back(barrier);
    }
  }

  // The first barrier that stands in the loop, but in no inner one. -1: none.
  int first_barrier(const natural_loop& loop, bool in_every_iteration) const {
    int found = -1;
    each_instruction(loop, [&](int block, int i) {
      if (found >= 0 || syncs_[i].what != sync::barrier || separates_[i]) return;
      if (&forest_.loops()[forest_.innermost(block)] != &loop) return;
      for (int latch : loop.latches) {
        if (in_every_iteration && !forest_.dominates(block, latch)) return;
      }
      found = i;
    });
    return found;
  }

  void plan_loop(const natural_loop& loop) {
    bool is_voted = false;
    each_instruction(loop,
                     [&](int, int i) { is_voted |= std::find(chosen_.begin(), chosen_.end(), i) != chosen_.end(); });
    if (is_voted) return;
    if (has_barrier(loop)) {
      return refuse(loop.header, "its barriers have results, or stand between operations that are fused");
    }
    const std::uint64_t size = sizes_.of(loop);
    const std::uint64_t iterations = trip_count(one_, graph_, forest_, loop);
    if (loop.is_innermost && iterations > 0 &&
        iterations <= settings_.short_instructions / std::max<std::uint64_t>(size, 1)) {
      return refuse(loop.header, "short: " + std::to_string(iterations) + " iterations of " + std::to_string(size) +
                                     " instructions");
    }
    if (!settings_.polls_within_votes && is_within_votes(loop)) {
      return refuse(loop.header, "a loop around it votes");
    }
    if (has_barriers_ && !has_only_votes_) {
      return refuse(loop.header,
                    "the kernel has several barriers, barriers with results, or between operations that are fused");
    }
    if (pairs_.separated_at(graph_.blocks[loop.header].first)) {
      return refuse(loop.header, "it stands between operations that are fused if ptxas unrolls it");
    }
    int step = -1;
    each_instruction(loop, [&](int, int i) {
      if (step < 0 && syncs_[i].what == sync::warp) step = i;
    });
    if (step >= 0) return vote_in_warps(loop, step);
    if (const int meets = first_sync_from(graph_.blocks[loop.header].first, false); meets >= 0) {
      return refuse(loop.header, std::string("a thread that leaves would be missed at ") + spelled(syncs_[meets].what) +
                                     " (line " + std::to_string(one_.body[meets].at.line) + ")");
    }
    if (polls_in_each_iteration(loop)) return refuse(loop.header, "a poll stands before a loop in it");
    add_poll(loop, size);
  }

  void vote_in_warps(const natural_loop& loop, int step) {
    if (!warp_votes_.why_not.empty()) return refuse(loop.header, warp_votes_.why_not);
    // The first vote in the loop: the step itself, or one before it in its block.
    for (int each : warp_votes_.before) {
      if (loop.has(graph_.block_of[each]) && graph_.block_of[each] == graph_.block_of[step]) {
        warp_looks_.insert(each);
        return;
      }
    }
  }

  // A warp that leaves as a whole is missed only by what other warps wait for before the next barrier.
  void pick_warp_votes() {
    warp_votes_ = warp_votes_of(one_, graph_, forest_, pairs_, syncs_);
    for (int each : warp_votes_.before) {
      const int meets = first_sync_from(each, true);
      if (meets < 0) continue;
      warp_votes_.why_not = std::string("a warp that leaves would be missed at ") + spelled(syncs_[meets].what) +
                            " (line " + std::to_string(one_.body[meets].at.line) + ")";
      return;
    }
  }

  // `size`: of an iteration, in instructions.
  void add_poll(const natural_loop& loop, std::uint64_t size) {
    planned_poll made;
    made.instruction = graph_.blocks[loop.header].first;
    if (loop.is_innermost) made.every = sizes_.passes_for(size);
    if (made.every > 1 && branches_to_[made.instruction] == 1) {
      made.stripped = strip_of(all_, text_, one_, graph_, loop);
    }
    into_.polls.push_back(std::move(made));
  }

  // Whether each iteration passes a poll that stands before a loop.
  bool polls_in_each_iteration(const natural_loop& loop) const {
    return std::any_of(into_.polls.begin(), into_.polls.end(), [&](const planned_poll& each) {
      if (!each.stripped) return false;
      const int above = graph_.block_of[each.instruction - 1];
      return loop.has(above) && std::all_of(loop.latches.begin(), loop.latches.end(),
                                            [&](int latch) { return forest_.dominates(above, latch); });
    });
  }

  bool is_within_votes(const natural_loop& loop) const {
    for (int around = loop.parent; around >= 0; around = forest_.loops()[around].parent) {
      const int first = first_barrier(forest_.loops()[around], true);
      if (std::find(chosen_.begin(), chosen_.end(), first) != chosen_.end()) return true;
    }
    return false;
  }

  // The first point, from here on, at which other threads wait for this one, other than a barrier that becomes a vote.
  // Paths end at such a barrier: the thread that leaves arrives there. -1: none. `in_warps`: the whole warp leaves.
  int first_sync_from(int start, bool in_warps) const {
    const int first = graph_.block_of[start];
    std::vector<char> seen(graph_.blocks.size(), 0);
    std::vector<int> open{first};
    for (bool is_first = true; !open.empty(); is_first = false) {
      const flow_graph::block& at = graph_.blocks[open.back()];
      open.pop_back();
      bool ends = false;
      for (int i = is_first ? start : at.first; i < at.end && !ends; ++i) {
        const sync what = syncs_[i].what;
        ends = what == sync::barrier;
        if (!ends && what != sync::none && !(in_warps && what == sync::warp)) return i;
      }
      for (int next : ends ? std::vector<int>{} : at.next) {
        if (!seen[next]) open.push_back(next);
        seen[next] = 1;
      }
    }
    return -1;
  }

  void vote_at(const std::vector<int>& barriers) {
    for (int each : barriers) {
      planned_vote& made = into_.votes.emplace_back();
      made.instruction = each;
      made.looks = looks_.count(each) > 0;
    }
  }

  // All threads of a block pass the votes equally often, so they count alike.
  void strip_votes() {
    const std::vector<std::uint64_t> sizes = sizes_.with_inner_loops();
    for (planned_vote& each : into_.votes) {
      const int at = forest_.innermost(graph_.block_of[each.instruction]);
      if (at >= 0) each.every = sizes_.passes_for(sizes[at]);
    }
    move_votes_out();
  }

  // A vote moves into a loop around its loop, if all threads of the block begin that loop's iterations together. The
  // first strip begins without a vote; so a loop in another one, which may do no more than a strip, keeps its vote.
  void move_votes_out() {
    std::vector<int> meets;
    for (std::size_t i = 0; i < syncs_.size(); ++i) {
      if (syncs_[i].what == sync::barrier || syncs_[i].what == sync::reducing) meets.push_back(static_cast<int>(i));
    }
    std::vector<planned_vote*> movable;
    for (planned_vote& each : into_.votes) {
      const int at = forest_.innermost(graph_.block_of[each.instruction]);
      if (each.every == 1 || forest_.loops()[at].parent >= 0) continue;
      each.header = graph_.blocks[forest_.loops()[at].header].first;
      if (branches_to_[each.header] != 1) continue;
      meets.push_back(each.header);
      movable.push_back(&each);
    }
    std::unordered_set<int> divergent;
    if (movable.empty() || !meet_in_one_order(one_, graph_, meets, &divergent)) return;
    for (planned_vote* each : movable) {
      const natural_loop& loop = forest_.loops()[forest_.innermost(graph_.block_of[each->instruction])];
      each->stripped = strip_of(all_, text_, one_, graph_, loop, &divergent);
    }
  }

  const module& all_;
  const function& one_;
  std::string_view text_;
  const rewrite_settings& settings_;
  poll_plan& into_;
  flow_graph graph_;
  loop_forest forest_;
  loop_sizes sizes_;
  fused_pairs pairs_;
  std::vector<sync_point> syncs_;  // of each instruction
  std::vector<const instruction*> calls_with_loops_;
  std::vector<int> branches_to_;  // how often each instruction is a target
  std::vector<char> separates_;   // barriers between operations that ptxas may fuse
  std::set<int> votable_;         // numbers of barriers
  std::vector<int> chosen_;       // barriers that become votes
  std::set<int> looks_;           // those of them that load the flag
  warp_votes warp_votes_;         // where warps vote, if they do
  std::set<int> warp_looks_;
  bool wants_votes_ = false, has_barriers_ = false, has_only_votes_ = false, same_order_ = false;
};

}  // namespace

poll_plan plan_of(const module& all, const function& one, std::string_view text, callees& called, variant wanted,
                  const rewrite_settings& settings) {
  poll_plan result;
  if (wanted == variant::none || one.body.empty()) return result;
  planner plan(all, one, text, called, settings, result);
  plan.plan_entry();
  if (wanted == variant::loops) plan.plan_loops();
  return result;
}

}  // namespace genesys::schedule
