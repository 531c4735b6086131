// SPDX-License-Identifier: Apache-2.0
#include "schedule/classify/written_before.h"

#include <algorithm>
#include <set>

#include "schedule/classify/address_keys.h"
#include "schedule/classify/opcodes.h"

namespace genesys::schedule {
namespace {

// Beyond these, no load counts as written before.
constexpr std::size_t stores_max = 2'000;
constexpr std::size_t work_max = 20'000'000;

// What a thread has written: an address, and how many bytes from there.
struct written {
  address_key at;
  unsigned bytes;
  auto operator<=>(const written&) const = default;
};

class solver {
 public:
  solver(const function& one, const flow_graph& graph, const module& all)
      : one_(one),
        graph_(graph),
        keys_(one, all),
        at_start_(graph.blocks.size()),
        is_reached_(graph.blocks.size(), 0) {}

  std::vector<char> solve() {
    std::vector<char> result(one_.body.size(), 0);
    if (!has_candidates()) return result;
    std::vector<int> open{0};
    is_reached_[0] = 1;
    while (!open.empty()) {
      const int block = open.back();
      open.pop_back();
      std::set<written> state = at_start_[block];
      walk(block, state, nullptr);
      work_ += state.size() + static_cast<std::size_t>(graph_.blocks[block].end - graph_.blocks[block].first);
      if (work_ > work_max) return result;
      for (int next : graph_.blocks[block].next) {
        if (meet(next, state)) open.push_back(next);
      }
    }
    for (std::size_t block = 0; block < graph_.blocks.size(); ++block) {
      if (!is_reached_[block]) continue;
      std::set<written> state = at_start_[block];
      walk(static_cast<int>(block), state, &result);
    }
    return result;
  }

 private:
  static bool is_in_memory(const instruction& one) {
    const space in = space_of(one);
    return in == space::global || in == space::generic;
  }

  static bool is_plain_load(const instruction& one) {
    // `ld.global.nc` may read a cache that does not see the thread's own stores.
    return one.opcode == "ld" && is_in_memory(one) && !one.has("nc") && !is_strong(one) && one.operands.size() >= 2;
  }

  static bool is_plain_store(const instruction& one) {
    return one.opcode == "st" && is_in_memory(one) && one.guard == no_variable && one.operands.size() >= 2;
  }

  bool has_candidates() const {
    const auto stores = std::count_if(one_.body.begin(), one_.body.end(), is_plain_store);
    return stores > 0 && static_cast<std::size_t>(stores) <= stores_max &&
           std::any_of(one_.body.begin(), one_.body.end(), is_plain_load);
  }

  void walk(int block, std::set<written>& state, std::vector<char>* result) {
    for (int i = graph_.blocks[block].first; i < graph_.blocks[block].end; ++i) {
      const instruction& one = one_.body[i];
      if (result && is_plain_load(one)) (*result)[i] = is_covered(state, keys_.of(one.operands[1]), access_bytes(one));
      for (int var : written_registers(one)) {
        std::erase_if(state, [var](const written& each) { return each.at.changing == var; });
      }
      if (!is_plain_store(one)) continue;
      const address_key key = keys_.of(one.operands[0]);
      if (key.root >= 0) state.insert({key, access_bytes(one)});
    }
  }

  static bool is_covered(const std::set<written>& state, const address_key& key, unsigned bytes) {
    return key.root >= 0 && std::any_of(state.begin(), state.end(), [&](const written& one) {
             return one.at.root == key.root && one.at.offset <= key.offset &&
                    key.offset + bytes <= one.at.offset + static_cast<std::int64_t>(one.bytes);
           });
  }

  // What holds at the start of a block holds on every way to it. True: it holds less than before.
  bool meet(int block, const std::set<written>& state) {
    if (!is_reached_[block]) {
      is_reached_[block] = 1;
      at_start_[block] = state;
      return true;
    }
    return std::erase_if(at_start_[block], [&](const written& one) { return !state.count(one); }) > 0;
  }

  const function& one_;
  const flow_graph& graph_;
  address_keys keys_;
  std::vector<std::set<written>> at_start_;
  std::vector<char> is_reached_;
  std::size_t work_ = 0;
};

}  // namespace

std::vector<char> written_before(const function& one, const flow_graph& graph, const module& all) {
  if (one.body.empty()) return {};
  return solver(one, graph, all).solve();
}

}  // namespace genesys::schedule
