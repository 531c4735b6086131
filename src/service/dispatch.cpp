// SPDX-License-Identifier: Apache-2.0
// Who answers a call: the non-stop kernel, a launch of its own, or the service's twin in the thread that calls
// (costs.h).
#include <cxxabi.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <memory>
#include <thread>

#include "service/child_launcher.h"
#include "service/core.h"
#include "trace/clock.h"

namespace genesys::detail::services {
namespace {

// The file's name of this machine's device. A name of the GPU, or of the CPU device, without what differs each time.
std::string short_name(const std::string& described) {
  std::string name = described.substr(0, described.find(','));
  std::replace_if(
      name.begin(), name.end(), [](char c) { return c == '\t' || c == '\n'; }, ' ');
  return name;
}

std::string readable(const char* mangled) {
  int failed = 0;
  const std::unique_ptr<char, void (*)(void*)> name(abi::__cxa_demangle(mangled, nullptr, nullptr, &failed),
                                                    &std::free);
  return name != nullptr ? name.get() : mangled;
}

}  // namespace

std::string core::name_of(u32 code) const {
  const char* const given = code < program_.twins.size() ? program_.twins[code].name : nullptr;
  return given != nullptr ? given : readable(program_.types[code].name());
}

// Costs are learnt and read only if a call is automatic.
cost_table& core::costs() {
  if (cost_table* const known = known_costs_.load(std::memory_order_acquire); known != nullptr) return *known;
  const std::lock_guard hold(costs_lock_);
  if (costs_ != nullptr) return *costs_;
  std::vector<std::string> names;
  for (u32 code = 0; code < program_.types.size(); ++code) names.push_back(name_of(code));
  costs_ = std::make_unique<cost_table>(std::move(names));
  cores_ = std::max(1u, std::thread::hardware_concurrency());
  costs_device_ = short_name(on_ != nullptr ? on_->describe() : child_->describe());
  costs_->take(cost_file::read(cost_file::path_of_process()), costs_device_);
  known_costs_.store(costs_.get(), std::memory_order_release);  // pairs with the load above
  return *costs_;
}

void core::keep_costs() const {
  if (costs_ == nullptr || !costs_->has_learnt()) return;
  const std::string file = cost_file::path_of_process();
  if (!file.empty()) (void)cost_file::write(file, costs_device_, costs_->records());
}

// 0, or why the call cannot go where it must. The caller holds the row.
long core::choose_path(const service_call& how, call_state& call) {
  const service_path wanted = how.where == service_path::by_server ? chosen_.where : how.where;
  if (wanted == service_path::gpu) return 0;
  const twin_entry* const twin = twin_of(call.row, call.may_use_twin);
  switch (wanted) {
    case service_path::cpu:
      call.by_choice = true;
      return twin != nullptr ? 0 : -EOPNOTSUPP;
    case service_path::launch:
      call.by_launch = true;
      return can_launch(call.code) ? 0 : -EOPNOTSUPP;
    case service_path::automatic:
      choose_by_cost(how, twin, call);
      return 0;
    default:
      return 0;
  }
}

void core::choose_by_cost(const service_call& how, const twin_entry* twin, call_state& call) {
  if (call.code >= loaded_codes) return;  // the table of costs has the services of the list
  const bool is_wide = how.blocks > chosen_.blocks && can_launch(call.code);
  const auto bytes_of = call.code < program_.twins.size() ? program_.twins[call.code].bytes : nullptr;
  const bool may_be_cpu = twin != nullptr && bytes_of != nullptr;
  if (!is_wide && !may_be_cpu) return;
  cost_table& table = costs();
  call.size_class = bytes_of != nullptr ? class_of(bytes_of(call.with->words), is_wide) : class_of_blocks(how.blocks);
  thread_local u32 call_number = 0;
  ++call_number;
  path by{};
  bool is_measured = false;
  cost_table::loads load;
  // A class is settled by calls that had all paths.
  if (!table.is_settled(call.code, call.size_class, call_number, by) || (by == path::cpu && !may_be_cpu)) {
    const u32 launched = launched_now_.load(std::memory_order_relaxed);
    const u32 taken = chosen_.slots - free_.count() - retired_.load(std::memory_order_relaxed);
    load.gpu = 1 + static_cast<double>(taken > launched ? taken - launched : 0) / chosen_.blocks;
    if (may_be_cpu)
      load.cpu = std::max(1.0, static_cast<double>(twins_running_.load(std::memory_order_relaxed) + 1) / cores_);
    if (is_wide) load.launch = 1 + launched;
    const auto choice = table.choose(call.code, call.size_class, load, call_number);
    by = choice.by;
    is_measured = choice.is_measured;
  }
  call.by_choice = by == path::cpu;
  call.by_launch = by == path::launch;
  // What a ticket takes is known only to the thread that waits for it.
  if (!is_measured || call.is_ticket) return;
  call.load = by == path::cpu ? load.cpu : by == path::launch ? load.launch : load.gpu;
  call.began_ns = now_ns();
}

// By the thread that has called and has the result. It does not hold the row any more.
void core::learn(const call_state& call) {
  if (call.load == 0 || call.result < 0 || call.by_twin != call.by_choice) return;
  costs().add(call.code, call.size_class,
              call.by_twin     ? path::cpu
              : call.by_launch ? path::launch
                               : path::gpu,
              static_cast<double>(now_ns() - call.began_ns), call.load);
}

}  // namespace genesys::detail::services
