// SPDX-License-Identifier: Apache-2.0
// The public classes: each call goes to the core.
#include "genesys/scheduler.h"

#include "schedule/api/core.h"

namespace genesys {

void launched::wait() const { end_->wait(); }
bool launched::is_done() const { return end_->is_done(); }

bool task::runs_on_cpu() const { return state_->of->on().kind() == device_kind::cpu; }

launched task::start(const task_launch& how, detail::scheduling::request what) const {
  launched made;
  const std::lock_guard hold(state_->lock);  // the order of calls is the order of launches
  made.end_ = state_->of->launch(state_->id, how, std::move(what));
  state_->last = made.end_;
  return made;
}

void task::wait() const {
  std::shared_ptr<const schedule::completion> last;
  {
    const std::lock_guard hold(state_->lock);
    last = state_->last;
  }
  if (last != nullptr) last->wait();
}

void task::set_nice(int nice) const { state_->of->set_nice(state_->id, nice); }

scheduler::scheduler(const scheduler_options& chosen) : core_(std::make_shared<detail::scheduling::core>(chosen)) {}
scheduler::~scheduler() = default;

device_kind scheduler::kind() const { return core_->on().kind(); }
std::string scheduler::describe() const { return core_->on().describe(); }

task scheduler::add_task(int nice) {
  task made;
  const schedule::task_id id = core_->add_task(nice);
  made.state_ = std::make_shared<detail::scheduling::task_state>();
  made.state_->of = core_;
  made.state_->id = id;
  return made;
}

kernel_module scheduler::load(std::string_view code) {
  kernel_module made;
  made.state_ = core_->load(code);
  return made;
}

void* scheduler::allocate(std::size_t bytes) { return core_->allocate(bytes); }
void scheduler::free(void* memory) { core_->free(memory); }
void scheduler::copy_to_device(void* device, const void* host, std::size_t bytes) {
  core_->on().copy_to_device(device, host, bytes);
}
void scheduler::copy_to_host(void* host, const void* device, std::size_t bytes) {
  core_->on().copy_to_host(host, device, bytes);
}
std::vector<kernel_counts> scheduler::counts() const { return core_->counts(); }
void scheduler::report(std::ostream& to) const { core_->report(to); }

}  // namespace genesys
