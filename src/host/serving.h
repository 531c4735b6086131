// SPDX-License-Identifier: Apache-2.0
// What all serving threads of a runtime share. Owned by the core, which outlives them.
#pragma once

#include <atomic>
#include <memory>

#include "execute/executor.h"
#include "execute/shared_rings.h"
#include "host/completion_writer.h"
#include "host/dependent_calls.h"
#include "host/in_flight_counters.h"
#include "host/parking.h"
#include "host/ready_calls.h"
#include "host/submission_queue.h"
#include "memory/layout.h"
#include "memory/mappings.h"
#include "policy/policy.h"
#include "target/device.h"
#include "target/profiler_ranges.h"

namespace genesys::detail {

struct serving {
  serving(const options& o, const detail::rules& allowed, std::unique_ptr<device> d)
      : chosen(o),
        on(std::move(d)),
        memory(*on, chosen),
        maps(*on, memory, chosen),
        rules(allowed, {chosen.descriptors_max, chosen.calls_per_second}),
        to_linux(memory, *on, rules, maps),
        in_flight(chosen.workers_max),
        recorder(chosen.workers_max, memory.completion_slots()),
        recorded(recorder, to_linux.memory(), memory.where()),
        completions(memory.where(), &memory.returns(), &in_flight, &dependents, &others_counted, &recorded),
        dependents(memory.where(), completions, ready, chosen.parked_max),
        parked(completions, ready, rules, chosen.parked_max),
        queues(std::make_unique<submission_queue[]>(memory.queues())) {
    for (u32 i = 0; i < memory.queues(); ++i) queues[i].lay_out(memory.where(), i, &in_flight, &dependents);
    if (chosen.executor == executor_kind::direct) {
      const device_context& a = memory.where();
      direct = std::make_unique<shared_rings>(
          *on, shared_rings::shape{chosen.rings, chosen.ring_entries, chosen.ring_entries * 4,
                                   memory.completion_slots(), a.groups * a.ticket_groups * slots_in_group,
                                   a.arena_begin, a.arena_end, allowed.strict_rings ? &rules : nullptr});
      memory.tell(direct->table(), direct->as());
      to_linux.grant_files_to(*direct);
    }
  }

  const options chosen;
  std::unique_ptr<device> on;
  layout memory;
  mappings maps;
  policy rules;
  executor to_linux;
  in_flight_counters in_flight;
  completion_counters others_counted;             // of threads that are no workers
  const bool profiled = profiler::is_attached();  // a CUDA profiler sees each call
  trace::recorder recorder;
  call_recorder recorded;
  completion_writer completions;
  ready_calls ready;
  dependent_calls dependents;  // calls that wait for an earlier one
  parking parked;
  std::unique_ptr<submission_queue[]> queues;
  std::unique_ptr<shared_rings> direct;  // executor direct
  std::atomic<u64> coalescing{0};        // {microseconds : 32 | calls : 32}; calls 0: none
  std::atomic<bool> ending{false};       // every call completes with -ECANCELED
  std::atomic<bool> stopping{false};     // serving threads leave
  std::atomic<u64> awake_until_ns{0};    // workers do not sleep before: a kernel is being launched
};

}  // namespace genesys::detail
