// SPDX-License-Identifier: Apache-2.0
// Barriers, votes and shuffles, and the detection of deadlocked blocks. The scheduler of the block's carrier calls it.
#include "target/cpu/block.h"

#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>

#include "target/cpu/abort.h"
#include "target/cpu/launches.h"
#include "target/cpu/team_calls.h"

namespace genesys::detail::cpu {
namespace {

constexpr std::uint64_t no_value = 0xA5A5'A5A5'A5A5'A5A5u;  // what an absent source lane gives

std::uint32_t bit_of(unsigned lane) { return std::uint32_t{1} << lane; }

// Calls visit(lane) for each lane of a mask.
template <class Visit>
void each_lane(std::uint32_t lanes, Visit visit) {
  for (; lanes != 0; lanes &= lanes - 1) visit(static_cast<unsigned>(__builtin_ctz(lanes)));
}

}  // namespace

void resident_block::wait(fiber& f, std::vector<fiber*>& woken) {
  const request what = f.asked;
  --running;
  if (is_of_block(what)) {
    unsigned& arrived = what == request::sync_block ? arrived_sync : arrived_count;
    ++arrived;
    look_at_block(what, arrived, woken);
  } else {
    const unsigned warp = f.rank / warp_lanes;
    const std::uint32_t lanes = f.lanes, mine = bit_of(f.rank % warp_lanes);
    auto& meetings = warps[warp].meetings;
    bool found = false;
    for (lane_meeting& each : meetings) {
      if (each.what != what || each.lanes != lanes) continue;
      each.arrived |= mine;
      found = true;
    }
    if (!found) meetings.push_back({what, lanes, mine});
    look_at_lanes(warp, woken);
  }
  check_deadlock();
}

void resident_block::leave(fiber& f, std::vector<fiber*>& woken) {
  --running;
  --alive;
  threads[f.rank] = nullptr;
  warps[f.rank / warp_lanes].alive &= ~bit_of(f.rank % warp_lanes);
  look_at_lanes(f.rank / warp_lanes, woken);
  look_at_block(request::sync_block, arrived_sync, woken);
  look_at_block(request::count_block, arrived_count, woken);
  check_deadlock();
}

void resident_block::abort(std::vector<fiber*>& woken) {
  const launch_state& of = *launch;
  aborted = true;
  for (fiber* each : threads) {
    const bool waits = each != nullptr && each->context != nullptr && each->asked > request::pause;
    if (waits) wake(*each, 0, woken);
  }
  for (resident_warp& each : warps) each.meetings.clear();
  arrived_sync = arrived_count = 0;
  count_leaving(*of.abort, rank, alive, !had_turn);
}

void resident_block::look_at_lanes(unsigned warp, std::vector<fiber*>& woken) {
  auto& meetings = warps[warp].meetings;
  for (std::size_t i = 0; i < meetings.size();) {
    const lane_meeting each = meetings[i];
    if (each.arrived != (each.lanes & warps[warp].alive)) {
      ++i;
      continue;
    }
    meetings[i] = meetings.back();
    meetings.pop_back();
    reply(warp, each, woken);
  }
}

void resident_block::reply(unsigned warp, const lane_meeting& meeting, std::vector<fiber*>& woken) {
  fiber* const* const lanes = threads.data() + warp * warp_lanes;
  fiber* present[warp_lanes] = {};
  std::uint64_t values[warp_lanes];
  unsigned count = 0;
  std::uint64_t votes = 0;
  bool differ = false;
  each_lane(meeting.arrived, [&](unsigned lane) {
    present[count++] = lanes[lane];
    differ |= lanes[lane]->call_mark != present[0]->call_mark;
    values[lane] = lanes[lane]->value;
    if (values[lane]) votes |= bit_of(lane);
  });
  if (differ) report_different_calls(*this, present, count, true);
  if (meeting.what == request::sync_warp) order(present, count);
  for (unsigned i = 0; i < count; ++i) {
    const unsigned source = present[i]->source_lane;
    const bool has_source = meeting.what == request::shuffle && (meeting.arrived & bit_of(source));
    wake(*present[i], meeting.what == request::ballot ? votes : has_source ? values[source] : no_value, woken);
  }
}

void resident_block::look_at_block(request what, unsigned& arrived, std::vector<fiber*>& woken) {
  if (arrived == 0 || arrived != alive) return;
  arrived = 0;
  std::uint64_t sum = 0;
  const fiber* first = nullptr;
  bool differ = false;
  std::vector<fiber*> present;
  if constexpr (sanitizers::thread) present.reserve(alive);
  for (fiber* each : threads) {
    if (each == nullptr) continue;
    sum += each->value;
    if (first == nullptr) first = each;
    differ |= each->call_mark != first->call_mark;
    if constexpr (sanitizers::thread) present.push_back(each);
  }
  if (differ) report_different_calls(*this, threads.data(), threads.size(), false);
  order(present.data(), present.size());
  for (fiber* each : threads) {
    if (each != nullptr) wake(*each, what == request::count_block ? sum : 0, woken);
  }
}

void resident_block::wake(fiber& f, std::uint64_t reply, std::vector<fiber*>& woken) {
  f.value = reply;
  f.asked = request::pause;
  ++running;
  woken.push_back(&f);
}

// Orders the fibers for ThreadSanitizer. On the machine their common OS thread orders them, but ThreadSanitizer does
// not see that.
void resident_block::order([[maybe_unused]] fiber* const* fibers, [[maybe_unused]] std::size_t count) const {
#if defined(GENESYS_CPU_TSAN)
  std::vector<void*> contexts;
  for (std::size_t i = 0; i < count; ++i) contexts.push_back(fibers[i]->ground->note.context);
  sanitizers::meet(*carrier_stack, contexts.data(), contexts.size());
#endif
}

// A block in which every thread waits is deadlocked: only a thread of the same block can complete a rendezvous.
void resident_block::check_deadlock() const {
  if (running != 0 || alive == 0) return;
  struct group {
    unsigned count = 0;
    const fiber* first = nullptr;
  };
  std::map<std::string, group> groups;
  for (const fiber* each : threads) {
    if (each == nullptr) continue;
    std::string place = name_of(each->asked);
    if (!is_of_block(each->asked)) {
      char lanes[48];
      std::snprintf(lanes, sizeof lanes, "(lanes 0x%08x) in warp %u", unsigned{each->lanes}, each->rank / warp_lanes);
      place += lanes;
    }
    if (const std::string call = call_of(*each); !call.empty()) place += " of " + call;
    group& in = groups[place];
    if (in.count++ == 0) in.first = each;
  }
  const launch_state& of = *launch;
  std::string text = "genesys: deadlock in block " + std::string(place_in(rank, of.grid).text) + ", launch " +
                     std::to_string(of.number) + ": none of its " + std::to_string(alive) +
                     " threads that have not left can go on\n";
  for (const auto& [place, in] : groups) {
    text += "genesys:   " + std::to_string(in.count) + (in.count == 1 ? " waits in " : " wait in ") + place +
            (in.count == 1 ? ": thread " : ", the first is thread ") + place_in(in.first->rank, of.block).text + "\n";
  }
  std::fputs(text.c_str(), stderr);
  std::abort();
}

place_name place_in(unsigned rank, const dims& extents) {
  place_name name;
  std::snprintf(name.text, sizeof name.text, "(%u,%u,%u)", rank % extents.x, rank / extents.x % extents.y,
                rank / extents.x / extents.y);
  return name;
}

thread_name describe(const fiber& f) {
  const resident_block* const block = f.home;
  if (block == nullptr) return {"the fiber that destroys a kernel"};
  const launch_state& launch = *block->launch;
  thread_name name;
  std::snprintf(name.text, sizeof name.text, "thread %s of block %s, launch %llu", place_in(f.rank, launch.block).text,
                place_in(block->rank, launch.grid).text, static_cast<unsigned long long>(launch.number));
  return name;
}

}  // namespace genesys::detail::cpu
