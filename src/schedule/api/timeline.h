// SPDX-License-Identifier: Apache-2.0
// A timeline of launches for the Perfetto viewer: a track for each task with its launches and aborts, and one with its
// snapshots and roll-backs. The driver calls it under its lock (driver::observe).
#pragma once

#include <fstream>
#include <functional>
#include <map>
#include <string>
#include <unordered_map>

#include "schedule/policy/action.h"
#include "schedule/policy/event.h"
#include "trace/perfetto_writer.h"

namespace genesys::schedule {

class timeline {
 public:
  // Throws error(system) if the file cannot be written. `name_of`: of a kernel.
  timeline(const std::string& path, std::function<std::string(kernel_id)> name_of);
  // Ends the file; prints a message if it could not be written.
  ~timeline();

  void add(time_ns now, const event& what, const actions& decided);

 private:
  struct task_tracks {
    trace::track_id launches, snapshots;
  };
  struct shown {
    task_id task = 0;
    std::string name;
    time_ns started = 0, copies = 0;  // 0: not
  };
  task_tracks& tracks_of(task_id task, int nice);
  void close(const shown& one, trace::track_id track, time_ns begin, time_ns end, const std::string& name);

  const std::string path_;
  const std::function<std::string(kernel_id)> name_of_;
  std::ofstream file_;
  trace::perfetto_writer writer_;
  trace::track_id process_;
  std::map<task_id, task_tracks> tasks_;
  std::unordered_map<instance_id, shown> instances_;
};

}  // namespace genesys::schedule
