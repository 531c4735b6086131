// SPDX-License-Identifier: Apache-2.0
#include "schedule/rewrite/sync_points.h"

#include <algorithm>

#include "schedule/classify/opcodes.h"

namespace genesys::schedule {
namespace {

bool contains(std::initializer_list<std::string_view> names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

constexpr std::int64_t barriers_max = 16;  // of a block

// bar{.cta}.sync a{, b}; bar.red.op d, a{, b}, p; and so on.
sync_point of_barrier(const instruction& one) {
  if (one.modifiers.empty()) return {sync::other};
  if (one.has("warp")) return {sync::warp};
  if (one.has("cluster")) return {sync::other};
  if (one.has("arrive")) return {sync::counted};
  for (std::string_view each : one.modifiers) {
    if (!contains({"cta", "sync", "red", "aligned", "popc", "and", "or", "u32", "pred"}, each)) return {sync::other};
  }
  const bool reduces = one.has("red");
  if (reduces == one.has("sync")) return {sync::other};
  const std::size_t number = reduces ? 1 : 0, expected = reduces ? 3 : 1;
  if (one.operands.size() != expected || one.guard != no_variable) return {sync::counted};
  const operand& which = one.operands[number];
  if (which.what != operand::kind::immediate || !which.is_integer || which.value < 0 || which.value >= barriers_max) {
    return {sync::counted};
  }
  const bool is_aligned = one.opcode == "bar" || one.has("aligned");
  return {reduces ? sync::reducing : sync::barrier, static_cast<int>(which.value), is_aligned};
}

bool is_of_warp(const instruction& one) {
  return contains({"shfl", "vote", "match", "redux", "activemask", "elect", "mma", "wmma", "wgmma", "ldmatrix",
                   "stmatrix", "movmatrix"},
                  one.opcode);
}

// Programs that rely on lanes running in lockstep hand over values in volatile shared memory, without a step of the
// warp. PTX does not promise it; but a lane that left, or ran on apart from the others, would be missed.
bool is_lockstep(const instruction& one) {
  const effect does = effect_of(one);
  const space in = space_of(one);
  return (does == effect::load || does == effect::store) && one.has("volatile") &&
         (in == space::shared || in == space::generic);
}

}  // namespace

sync_point sync_of(const instruction& one) {
  if (one.opcode == "bar" || one.opcode == "barrier") return of_barrier(one);
  if (is_of_warp(one)) return {one.opcode == "wgmma" ? sync::other : sync::warp};
  if (one.opcode == "setmaxnreg") return {sync::other};  // the warps of a group wait for each other
  if (one.opcode == "mbarrier") return {sync::object};
  if (is_lockstep(one)) return {sync::warp};
  switch (effect_of(one)) {
    case effect::compute:
    case effect::load:
    case effect::store:
    case effect::atomic:
    case effect::reduction:
    case effect::async_copy:
    case effect::texture_load:
    case effect::branch:
    case effect::call:
    case effect::leave:
    case effect::nothing:
      return {sync::none};
    case effect::barrier:  // fences, and the groups of cp.async, concern one thread
      if (one.has("mbarrier")) return {sync::object};
      if (contains({"membar", "fence", "cp"}, one.opcode)) return {sync::none};
      return {sync::other};
    case effect::wait_result:
      return {sync::object};
    default:
      return {sync::other};
  }
}

callee_facts callees::of(const instruction& call) {
  if (call.operands.empty() || call.operands[0].what != operand::kind::symbol) return {true, true, true, true};
  return of(call.operands[0].text, 0);
}

callee_facts callees::of(std::string_view name, int depth) {
  if (const auto found = done_.find(name); found != done_.end()) return found->second;
  const function* one = all_.find(name);
  if (one && !one->has_body && about_external(name)) return {true, true, false, false};
  if (!one || !one->has_body || !one->problems.empty() || depth == depth_max) return {true, true, true, true};
  done_[name] = {true, true, true, true};  // what calls itself
  callee_facts facts;
  for (std::size_t i = 0; i < one->body.size(); ++i) {
    const instruction& each = one->body[i];
    for (int target : each.targets) facts.has_loop |= target <= static_cast<int>(i);
    facts.has_sync |= sync_of(each).what != sync::none;
    facts.has_copies |= effect_of(each) == effect::async_copy;
    facts.may_exit |= each.opcode == "exit" || effect_of(each) == effect::not_understood;
    if (effect_of(each) != effect::call) continue;
    const bool is_direct = !each.operands.empty() && each.operands[0].what == operand::kind::symbol;
    const callee_facts inner = is_direct ? of(each.operands[0].text, depth + 1) : callee_facts{true, true, true, true};
    facts.may_exit |= inner.may_exit;
    facts.has_loop |= inner.has_loop;
    facts.has_sync |= inner.has_sync;
    facts.has_copies |= inner.has_copies;
  }
  return done_[name] = facts;
}

const char* spelled(sync what) {
  switch (what) {
    case sync::none:
      return "nothing";
    case sync::barrier:
      return "a barrier";
    case sync::reducing:
      return "a barrier with a result";
    case sync::warp:
      return "a step of a warp (shuffle, vote, matrix, volatile shared memory)";
    case sync::object:
      return "an mbarrier";
    case sync::counted:
      return "a barrier for a number of threads";
    default:
      return "synchronisation that is not understood";
  }
}

}  // namespace genesys::schedule
