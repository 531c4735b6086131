// SPDX-License-Identifier: Apache-2.0
// Which side answers a call: the GPU, or the service's twin in the thread that calls (costs.h).
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

// Costs are learnt and read only if a call is automatic.
void core::open_costs() {
  std::vector<std::string> names;
  for (u32 code = 0; code < program_.types.size(); ++code) {
    const char* const given = code < program_.twins.size() ? program_.twins[code].name : nullptr;
    names.push_back(given != nullptr ? given : readable(program_.types[code].name()));
  }
  costs_ = std::make_unique<cost_table>(std::move(names));
  cores_ = std::max(1u, std::thread::hardware_concurrency());
  costs_device_ = short_name(on_ != nullptr ? on_->describe() : child_->describe());
  costs_->take(cost_file::read(cost_file::path_of_process()), costs_device_);
}

void core::keep_costs() const {
  if (costs_ == nullptr || !costs_->has_learnt()) return;
  const std::string file = cost_file::path_of_process();
  if (!file.empty()) (void)cost_file::write(file, costs_device_, costs_->records());
}

// 0, or why the call cannot go where it must. The caller holds the row.
long core::choose_path(const service_call& how, call_state& call) {
  const twin_entry* const twin = twin_of_row(call.row);
  const service_path wanted = how.where == service_path::by_server ? chosen_.where : how.where;
  call.by_choice = false;
  if (wanted == service_path::cpu) {
    if (twin == nullptr) return -EOPNOTSUPP;
    call.by_choice = true;
    return 0;
  }
  if (wanted != service_path::automatic || twin == nullptr || twin->bytes == nullptr) return 0;
  std::call_once(costs_once_, [this] { open_costs(); });
  call.bytes = twin->bytes(call.with->words);
  thread_local u32 turn = 0;
  ++turn;
  path chosen{};
  const u32 code = rows_->code(call.row);
  if (costs_->is_settled(code, call.bytes, turn, chosen)) {
    call.by_choice = chosen == path::cpu;
    return 0;
  }
  const u32 under_way = chosen_.slots - free_.count() - retired_.load(std::memory_order_relaxed);
  const double gpu_load = 1 + static_cast<double>(under_way) / chosen_.blocks;
  const double cpu_load =
      std::max(1.0, static_cast<double>(twins_running_.load(std::memory_order_relaxed) + 1) / cores_);
  const auto [by, is_measured] = costs_->choose(code, call.bytes, gpu_load, cpu_load, turn);
  call.by_choice = by == path::cpu;
  // What a ticket takes is known only to the thread that waits for it.
  if (!is_measured || call.is_ticket) return 0;
  call.load = by == path::cpu ? cpu_load : gpu_load;
  call.began_ns = now_ns();
  return 0;
}

// By the thread that has called and has the result. `code`: of the service, whose row it does not hold any more.
void core::learn(const call_state& call, u32 code) {
  if (call.load == 0 || call.result < 0 || call.by_twin != call.by_choice) return;
  costs_->add(code, call.bytes, call.by_twin ? path::cpu : path::gpu, static_cast<double>(now_ns() - call.began_ns),
              call.load);
}

}  // namespace genesys::detail::services
