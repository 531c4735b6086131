// SPDX-License-Identifier: Apache-2.0
// What is behind genesys::scheduler: tasks, kernels, allocations, and the driver. Any thread may call it.
#pragma once

#include <iosfwd>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <tuple>

#include "genesys/scheduler.h"
#include "schedule/api/code_source.h"
#include "schedule/api/process_member.h"
#include "schedule/api/timeline.h"
#include "schedule/cache/kernel_cache.h"
#include "schedule/classify/allocation_list.h"
#include "schedule/driver/driver.h"

namespace genesys::detail::scheduling {

class core {
 public:
  // `codes`: where kernels are found; null: as the device has them.
  explicit core(const scheduler_options& chosen, std::unique_ptr<code_source> codes = nullptr);
  // All tasks are gone. Keeps what was learnt.
  ~core();
  core(const core&) = delete;
  core& operator=(const core&) = delete;

  schedule::driver& driver() { return driver_; }

  schedule::task_id add_task(int nice);
  void set_nice(schedule::task_id task, int nice);
  void remove_task(schedule::task_id task);

  device& on() { return driver_.on(); }

  std::shared_ptr<const schedule::completion> launch(schedule::task_id task, const task_launch& how, request what);
  std::shared_ptr<const module_state> load(std::string_view code);

  void* allocate(std::size_t bytes);
  void free(void* memory);
  std::vector<kernel_counts> counts();
  void report(std::ostream& to);

 private:
  void judge(const schedule::kernel_code& code, const task_launch& how, schedule::instance_request& into);
  void number(schedule::kernel_code& code);
  void recall_times();
  void keep_times();
  void compare_occupancy(const schedule::kernel_code& code, const schedule::kernel_launch& what);

  bool is_as_dense(const schedule::kernel_code& code, const schedule::kernel_launch& what);
  bool add_variables(const schedule::kernel_code& code, schedule::instance_request& into);

  std::string name_of(schedule::kernel_id id);
  std::vector<schedule::processes::kernel_report> reports();

  std::optional<schedule::timeline> timeline_;  // outlives the driver, which calls it
  schedule::driver driver_;
  std::unique_ptr<schedule::process_member> member_;  // null: there is no daemon
  schedule::allocation_list memory_;
  std::unique_ptr<code_source> codes_;
  void tell_member();
  std::mutex nice_lock_;
  std::map<schedule::task_id, int> nice_;
  std::mutex names_lock_;  // of ids_: the timeline asks for names under the driver's lock
  std::map<std::string, schedule::kernel_id> ids_;
  std::optional<schedule::cache_folder> folder_;  // of what earlier processes learnt; none: nothing is kept
  std::multimap<std::pair<std::string, std::uint64_t>, schedule::kept_times> earlier_;  // by name and hash of the text
  std::map<schedule::kernel_id, std::uint64_t> text_hashes_;                            // under names_lock_, as ids_
  using shape = std::tuple<schedule::kernel_id, std::uint64_t, std::size_t>;  // kernel, threads, shared memory
  std::mutex shapes_lock_;  // of what follows; it comes before the driver's lock
  std::set<shape> compared_;
  std::map<shape, bool> dense_;
};

struct task_state {
  std::shared_ptr<core> of;
  schedule::task_id id = 0;
  std::mutex lock;
  std::shared_ptr<const schedule::completion> last;

  ~task_state() { of->remove_task(id); }
};

}  // namespace genesys::detail::scheduling
