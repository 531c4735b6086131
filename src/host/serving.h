// SPDX-License-Identifier: Apache-2.0
// What all serving threads of a runtime share. Owned by the core, which outlives them.
#pragma once

#include <atomic>
#include <memory>

#include "execute/direct_rings.h"
#include "execute/executor.h"
#include "host/answers.h"
#include "host/flights.h"
#include "host/followers.h"
#include "host/parking.h"
#include "host/ready.h"
#include "host/shard.h"
#include "memory/layout.h"
#include "memory/mappings.h"
#include "policy/policy.h"
#include "target/device.h"

namespace genesys::detail {

struct serving {
  serving(const options& o, const detail::rules& allowed, std::unique_ptr<device> d)
      : chosen(o),
        on(std::move(d)),
        memory(*on, chosen),
        maps(*on, memory, chosen),
        rules(allowed, {chosen.descriptors_max, chosen.calls_per_second}),
        to_linux(memory, *on, rules, maps),
        to_callers(memory.where(), &memory.returns(), &under_way, &behind),
        behind(memory.where(), to_callers, ready, chosen.parked_max),
        lot(to_callers, ready, rules, chosen.parked_max),
        shards(std::make_unique<shard[]>(memory.shards())) {
    for (u32 i = 0; i < memory.shards(); ++i) shards[i].lay_out(memory.where(), i, &under_way, &behind);
    if (chosen.executor == executor_kind::direct) {
      const area& a = memory.where();
      direct = std::make_unique<direct_rings>(
          *on, direct_rings::shape{chosen.rings, chosen.ring_entries, chosen.ring_entries * 4, memory.cells(),
                                   a.arena_begin, a.arena_end, allowed.strict_rings ? &rules : nullptr});
      memory.tell(direct->pool(), direct->as());
      to_linux.lend_files_to(*direct);
    }
  }

  const options chosen;
  std::unique_ptr<device> on;
  layout memory;
  mappings maps;
  policy rules;
  executor to_linux;
  flights under_way;
  answers to_callers;
  ready_calls ready;
  followers behind;  // what follows calls that are under way
  parking lot;
  std::unique_ptr<shard[]> shards;
  std::unique_ptr<direct_rings> direct;  // executor direct
  std::atomic<u64> coalescing{0};        // {microseconds : 32 | calls : 32}; calls 0: none
  std::atomic<bool> ending{false};       // every call is answered -ECANCELED
  std::atomic<bool> stopping{false};     // serving threads leave
  std::atomic<u64> awake_until_ns{0};    // workers do not fall asleep before: a launch is on its way
};

}  // namespace genesys::detail
