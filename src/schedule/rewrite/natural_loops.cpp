// SPDX-License-Identifier: Apache-2.0
#include "schedule/rewrite/natural_loops.h"

#include <algorithm>
#include <map>

namespace genesys::schedule {

bool natural_loop::has(int block) const { return std::binary_search(blocks.begin(), blocks.end(), block); }

loop_forest::loop_forest(const flow_graph& graph) {
  const std::size_t count = graph.blocks.size();
  before_.resize(count);
  order_.assign(count, -1);
  dominator_.assign(count, -1);
  depth_.assign(count, 0);
  innermost_.assign(count, -1);
  if (count == 0) return;
  number_blocks(graph);
  find_dominators();
  find_loops(graph);
  nest();
}

// Reverse post order by a search without recursion; edges to a block that is still open are retreating.
void loop_forest::number_blocks(const flow_graph& graph) {
  enum class state : char { new_block, open, done };
  std::vector<state> states(graph.blocks.size(), state::new_block);
  std::vector<std::pair<int, std::size_t>> path{{0, 0}};
  std::vector<int> post;
  states[0] = state::open;
  while (!path.empty()) {
    const int at = path.back().first;
    const std::vector<int>& next = graph.blocks[at].next;
    if (path.back().second == next.size()) {
      states[at] = state::done;
      post.push_back(at);
      path.pop_back();
      continue;
    }
    const int to = next[path.back().second++];
    before_[to].push_back(at);
    if (states[to] == state::open) backward_.push_back({at, to});
    if (states[to] == state::new_block) {
      states[to] = state::open;
      path.push_back({to, 0});
    }
  }
  by_order_.assign(post.rbegin(), post.rend());
  for (std::size_t i = 0; i < by_order_.size(); ++i) order_[by_order_[i]] = static_cast<int>(i);
}

// Cooper, Harvey and Kennedy, A Simple, Fast Dominance Algorithm. The number of rounds is bounded by the nesting of
// loops; a hostile graph that needs more is left without dominators, and then all its loops are irreducible.
void loop_forest::find_dominators() {
  constexpr int rounds_max = 64;
  dominator_[0] = 0;
  bool changed = true;
  for (int round = 0; changed && round < rounds_max; ++round) {
    changed = false;
    for (std::size_t i = 1; i < by_order_.size(); ++i) {
      int found = -1;
      for (int from : before_[by_order_[i]]) {
        if (dominator_[from] < 0) continue;
        int other = from;
        while (found >= 0 && found != other) {
          if (order_[found] > order_[other]) {
            found = dominator_[found];
          } else {
            other = dominator_[other];
          }
        }
        found = other;
      }
      if (dominator_[by_order_[i]] == found) continue;
      dominator_[by_order_[i]] = found;
      changed = true;
    }
  }
  if (changed) std::fill(dominator_.begin() + 1, dominator_.end(), -1);
  for (std::size_t i = 1; i < by_order_.size() && !changed; ++i) {
    depth_[by_order_[i]] = depth_[dominator_[by_order_[i]]] + 1;
  }
}

bool loop_forest::dominates(int above, int below) const {
  if (!is_reached(above) || !is_reached(below) || dominator_[below] < 0) return above == below;
  while (depth_[below] > depth_[above]) below = dominator_[below];
  return above == below;
}

void loop_forest::find_loops(const flow_graph& graph) {
  std::map<int, std::vector<int>> latches;
  for (const auto& [from, to] : backward_) {
    if (dominates(to, from)) {
      latches[to].push_back(from);
    } else {
      irreducible_.push_back(to);
    }
  }
  constexpr std::size_t members_max = 1'000'000;  // of all loops together
  std::size_t members = 0;
  std::vector<int> seen_by(graph.blocks.size(), -1);
  for (const auto& [header, from] : latches) {
    natural_loop one;
    one.header = header;
    one.latches = from;
    one.blocks = {header};
    seen_by[header] = header;
    std::vector<int> open = from;
    while (!open.empty() && members < members_max) {
      const int at = open.back();
      open.pop_back();
      if (seen_by[at] == header) continue;
      seen_by[at] = header;
      one.blocks.push_back(at);
      ++members;
      open.insert(open.end(), before_[at].begin(), before_[at].end());
    }
    if (members == members_max) {
      irreducible_.push_back(header);
      continue;
    }
    std::sort(one.blocks.begin(), one.blocks.end());
    loops_.push_back(std::move(one));
  }
}

void loop_forest::nest() {
  std::sort(loops_.begin(), loops_.end(),
            [](const natural_loop& a, const natural_loop& b) { return a.blocks.size() < b.blocks.size(); });
  std::vector<int> outermost(innermost_.size(), -1);  // so far
  for (std::size_t i = 0; i < loops_.size(); ++i) {
    for (int block : loops_[i].blocks) {
      const int inner = outermost[block];
      if (inner < 0) innermost_[block] = static_cast<int>(i);
      if (inner >= 0 && loops_[inner].parent < 0 && inner != static_cast<int>(i)) {
        loops_[inner].parent = static_cast<int>(i);
        loops_[i].is_innermost = false;
      }
      outermost[block] = static_cast<int>(i);
    }
  }
}

}  // namespace genesys::schedule
