// SPDX-License-Identifier: Apache-2.0
#include "target/cpu/team_calls.h"

#include <cstdio>
#include <cstdlib>
#include <map>

#include "target/cpu/launches.h"
#include "trace/decode.h"

namespace genesys::detail::cpu {
namespace {

// In the order of scope_kind, ordering and wait_mode.
constexpr const char* scopes[] = {"thread", "warp", "block", "grid"};
constexpr const char* orders[] = {"", ", relaxed as a producer", ", relaxed as a consumer"};
constexpr const char* waits[] = {"", ", with a ticket", ", posted"};

struct group {
  unsigned count = 0;
  const fiber* first = nullptr;
};

std::string what_it_does(const fiber& f, bool one) {
  const std::string call = call_of(f);
  const char* const s = one ? "s" : "";
  if (call.empty()) return std::string("wait") + s + " in " + name_of(f.asked) + " outside of any call";
  const kernel_thread& at = *f.identity;
  return at.resumes ? std::string("wait") + s + " for the ticket of " + call : std::string("make") + s + " " + call;
}

}  // namespace

std::string call_of(const fiber& f) {
  if (f.call_mark == 0) return {};
  const kernel_thread& at = *f.identity;
  std::uint64_t args[6];
  for (unsigned i = 0; i < 6; ++i) args[i] = at.args[i];
  return trace::decode(at.number, args) + " at " + scopes[at.scope] + " scope" + orders[at.order] +
         (at.resumes ? "" : waits[at.mode]);
}

void report_different_calls(const resident_block& block, fiber* const* threads, std::size_t count, bool of_one_warp) {
  std::map<std::uint32_t, group> groups;
  unsigned all = 0, warp = 0;
  for (std::size_t i = 0; i < count; ++i) {
    if (threads[i] == nullptr) continue;
    group& in = groups[threads[i]->call_mark];
    if (in.count++ == 0) in.first = threads[i];
    warp = threads[i]->rank / warp_lanes;
    ++all;
  }
  const launch_state& of = *block.launch;
  const std::string where =
      "block " + std::string(place_in(block.rank, of.grid).text) + ", launch " + std::to_string(of.number);
  std::string text =
      of_one_warp ? "genesys: lanes of warp " + std::to_string(warp) + " of " + where : "genesys: threads of " + where;
  text += " make different calls, where all have to make the same one with equal arguments\n";
  for (const auto& [mark, in] : groups) {
    text += "genesys:   " + std::to_string(in.count) + " of " + std::to_string(all) + " " +
            what_it_does(*in.first, in.count == 1) + (in.count == 1 ? ": thread " : "; the first is thread ") +
            place_in(in.first->rank, of.block).text + "\n";
  }
  std::fputs(text.c_str(), stderr);
  std::abort();
}

}  // namespace genesys::detail::cpu
