// SPDX-License-Identifier: Apache-2.0
#include "schedule/classify/flow_graph.h"

#include <algorithm>

#include "schedule/classify/opcodes.h"

namespace genesys::schedule {
namespace {

bool ends_block(effect does) { return does == effect::branch || does == effect::leave || does == effect::trap; }

void split(const function& one, flow_graph& into) {
  const int count = static_cast<int>(one.body.size());
  std::vector<char> is_first(one.body.size() + 1, 0);
  is_first[0] = 1;
  for (int i = 0; i < count; ++i) {
    for (int target : one.body[i].targets) is_first[target] = 1;
    if (ends_block(effect_of(one.body[i]))) is_first[i + 1] = 1;
  }
  into.block_of.resize(one.body.size());
  for (int i = 0; i < count; ++i) {
    if (is_first[i]) into.blocks.push_back({i, i, {}, -1});
    into.blocks.back().end = i + 1;
    into.block_of[i] = static_cast<int>(into.blocks.size()) - 1;
  }
}

void connect(const function& one, flow_graph& into) {
  const int count = static_cast<int>(one.body.size());
  for (flow_graph::block& block : into.blocks) {
    const instruction& last = one.body[block.end - 1];
    const effect does = effect_of(last);
    for (int target : last.targets) {
      if (target < count) block.next.push_back(into.block_of[target]);
    }
    const bool goes_on = !ends_block(does) || last.guard != no_variable;
    if (goes_on && block.end < count) block.next.push_back(into.block_of[block.end]);
    std::sort(block.next.begin(), block.next.end());
    block.next.erase(std::unique(block.next.begin(), block.next.end()), block.next.end());
  }
}

// Tarjan's strongly connected components, without recursion: a hostile function may have any number of blocks.
class components {
 public:
  explicit components(flow_graph& graph) : blocks_(graph.blocks), state_(graph.blocks.size()) {}

  void find() {
    for (int root = 0; root < static_cast<int>(blocks_.size()); ++root) {
      if (state_[root].number == 0) visit(root);
    }
  }

 private:
  struct node {
    int number = 0, low = 0;
    std::size_t next = 0;
    bool on_stack = false;
  };

  void enter(int block) {
    state_[block].number = state_[block].low = ++numbers_;
    state_[block].on_stack = true;
    stack_.push_back(block);
    path_.push_back(block);
  }

  void visit(int root) {
    enter(root);
    while (!path_.empty()) {
      const int at = path_.back();
      node& here = state_[at];
      if (here.next < blocks_[at].next.size()) {
        const int to = blocks_[at].next[here.next++];
        if (state_[to].number == 0) {
          enter(to);
        } else if (state_[to].on_stack) {
          here.low = std::min(here.low, state_[to].number);
        }
        continue;
      }
      path_.pop_back();
      if (!path_.empty()) state_[path_.back()].low = std::min(state_[path_.back()].low, here.low);
      if (here.low == here.number) close(at);
    }
  }

  void close(int root) {
    const auto& next = blocks_[root].next;
    const bool is_cycle = stack_.back() != root || std::find(next.begin(), next.end(), root) != next.end();
    int member;
    do {
      member = stack_.back();
      stack_.pop_back();
      state_[member].on_stack = false;
      if (is_cycle) blocks_[member].loop = loops_;
    } while (member != root);
    loops_ += is_cycle;
  }

  std::vector<flow_graph::block>& blocks_;
  std::vector<node> state_;
  std::vector<int> stack_, path_;
  int numbers_ = 0, loops_ = 0;
};

}  // namespace

flow_graph graph_of(const function& one) {
  flow_graph result;
  split(one, result);
  connect(one, result);
  components(result).find();
  return result;
}

}  // namespace genesys::schedule
