// SPDX-License-Identifier: Apache-2.0
#include "schedule/api/core.h"

#include <cxxabi.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <iomanip>
#include <ostream>

#include "schedule/driver/chosen_options.h"

namespace genesys::detail::scheduling {

using schedule::allocation;
using schedule::instance_request;
using schedule::kernel_code;

namespace {

std::unique_ptr<schedule::execution> open_execution(const scheduler_options& chosen) {
  // The device decides for both, so that the environment counts here as it does for a runtime.
  const device_kind kind = open_device(chosen.device)->kind();
#if GENESYS_WITH_CUDA
  if (kind == device_kind::cuda) return schedule::cuda_execution(chosen.resident);
#endif
#if GENESYS_WITH_CPU
  if (kind == device_kind::cpu) return schedule::cpu_execution(chosen.device);
#endif
  throw error(error_code::not_built, "this build has no such device");
}

std::string demangled(const std::string& name) {
  int failed = 0;
  char* const text = abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &failed);
  std::string made = failed == 0 ? text : name;
  std::free(text);
  // Of a functor its own name: the first argument of the template.
  constexpr std::string_view entry = "scheduling::scheduled_entry<";
  const std::size_t begin = made.find(entry);
  if (begin == std::string::npos) return made;
  made.erase(0, begin + entry.size());
  int depth = 0;
  for (std::size_t i = 0; i < made.size(); ++i) {
    if (depth == 0 && (made[i] == ',' || made[i] == '>')) return made.substr(0, i);
    depth += (made[i] == '<' || made[i] == '(') - (made[i] == '>' || made[i] == ')');
  }
  return made;
}

}  // namespace

core::core(const scheduler_options& chosen, std::unique_ptr<code_source> codes)
    : driver_(open_execution(chosen), schedule::options_of(chosen)),
      codes_(codes != nullptr ? std::move(codes) : code_source_of(on().kind())) {
  recall_times();
  if (schedule::process_member::is_wanted()) {
    member_ = std::make_unique<schedule::process_member>(driver_, on().number(), [this] { return reports(); });
  }
  std::string path = chosen.timeline;
  const char* const wanted = std::getenv("GENESYS_SCHEDULE_TIMELINE");
  if (path.empty() && wanted != nullptr) path = wanted;
  if (path.empty()) return;
  timeline_.emplace(path, [this](schedule::kernel_id id) { return name_of(id); });
  driver_.observe([this](schedule::time_ns now, const schedule::event& what, const schedule::actions& decided) {
    timeline_->add(now, what, decided);
  });
}

schedule::task_id core::add_task(int nice) {
  const schedule::task_id made = driver_.add_task(nice);
  const std::lock_guard hold(nice_lock_);
  nice_[made] = nice;
  tell_member();
  return made;
}

void core::set_nice(schedule::task_id task, int nice) {
  driver_.set_nice(task, nice);
  const std::lock_guard hold(nice_lock_);
  nice_[task] = nice;
  tell_member();
}

void core::remove_task(schedule::task_id task) {
  driver_.remove_task(task);
  const std::lock_guard hold(nice_lock_);
  nice_.erase(task);
  tell_member();
}

// To other processes this one is as important as its most important task.
void core::tell_member() {
  if (member_ == nullptr || nice_.empty()) return;
  const auto least =
      std::min_element(nice_.begin(), nice_.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  member_->set_nice(least->second);
}

// No lock is held while the code is found: at a kernel's first launch it is rewritten and compiled.
std::shared_ptr<const schedule::completion> core::launch(schedule::task_id task, const task_launch& how, request what) {
  const kernel_code& code = codes_->find(what, [this](kernel_code& made) { number(made); });
  instance_request made;
  made.kernel = code.id;
  made.what.plain = code.plain;
  made.what.instrumented = code.instrumented;
  made.what.arguments = std::move(what.arguments);
  made.what.offsets = std::move(what.offsets);
  made.what.sizes = std::move(what.sizes);
  made.what.blocks = how.blocks;
  made.what.threads = how.threads;
  made.what.shared_bytes = how.shared_bytes;
  made.what.body = std::move(what.body);
  made.what.timed = code.timed;
  made.what.timed_code = code.timed_code;
  judge(code, how, made);
  if (made.abortable && code.instrumented != nullptr) compare_occupancy(code, made.what);
  if (!made.abortable && code.timed != nullptr && !is_as_dense(code, made.what)) {
    made.what.timed_code = schedule::kernel_launch::timing::none;
  }
  return driver_.submit(task, std::move(made));
}

// Numbers a kernel at its first launch. What is known of it from earlier processes is known to the driver then.
void core::number(kernel_code& code) {
  {
    const std::lock_guard hold(names_lock_);
    code.id = ids_.try_emplace(code.name, static_cast<schedule::kernel_id>(ids_.size() + 1)).first->second;
    text_hashes_[code.id] = code.text_hash;
  }
  const auto [first, end] = earlier_.equal_range({code.name, code.text_hash});
  for (auto each = first; each != end; ++each) {
    const schedule::kept_times& one = each->second;
    driver_.recall({code.id, one.blocks, one.threads, one.magnitudes}, one.times);
  }
}

// Of a GPU only: kernels of the CPU device take as long as the machine is busy.
void core::recall_times() {
  if (on().kind() != device_kind::cuda) return;
  folder_ = schedule::cache_folder::of_process();
  if (!folder_) return;
  for (schedule::kept_times& each : schedule::recall_times(*folder_, on().describe())) {
    std::pair key(each.kernel, each.text_hash);
    earlier_.emplace(std::move(key), std::move(each));
  }
}

void core::keep_times() {
  if (!folder_) return;
  std::vector<schedule::kept_times> all;
  std::map<schedule::kernel_id, const std::string*> names;
  for (const auto& [name, id] : ids_) names[id] = &name;
  for (const auto& [of, times] : driver_.learnt()) {
    if (names.count(of.kernel) == 0) continue;
    all.push_back({*names[of.kernel], text_hashes_[of.kernel], of.blocks, of.threads, of.magnitudes, times});
  }
  if (!all.empty()) (void)schedule::keep_times(*folder_, on().describe(), all);
}

core::~core() {
  member_.reset();  // its thread asks for counts()
  try {
    keep_times();
  } catch (const std::exception& failed) {
    std::fprintf(stderr, "genesys: what was learnt of kernels is not kept: %s\n", failed.what());
  }
}

// Polls need registers. If fewer blocks then run at a time, the program is told, once.
void core::compare_occupancy(const kernel_code& code, const schedule::kernel_launch& what) {
  const std::uint64_t threads = std::uint64_t{what.threads.x} * what.threads.y * what.threads.z;
  const std::lock_guard hold(shapes_lock_);
  if (!compared_.emplace(code.id, threads, what.shared_bytes).second) return;
  const auto plain = driver_.blocks_at_a_time(what, schedule::execution::code::plain),
             instrumented = driver_.blocks_at_a_time(what, schedule::execution::code::instrumented);
  if (instrumented >= plain) return;
  std::fprintf(stderr,
               "genesys: with polls %llu instead of %llu blocks of %s run at a time: declare it rerun::never if that "
               "costs too much\n",
               static_cast<unsigned long long>(instrumented), static_cast<unsigned long long>(plain),
               demangled(code.name).c_str());
}

// A kernel that cannot be aborted may wait for blocks that are to run at the same time. Then as many must do so while
// they are measured.
bool core::is_as_dense(const kernel_code& code, const schedule::kernel_launch& what) {
  const std::uint64_t threads = std::uint64_t{what.threads.x} * what.threads.y * what.threads.z;
  const std::lock_guard hold(shapes_lock_);
  const auto [known, is_new] = dense_.try_emplace({code.id, threads, what.shared_bytes}, false);
  if (is_new) {
    known->second = driver_.blocks_at_a_time(what, schedule::execution::code::timed) >=
                    driver_.blocks_at_a_time(what, schedule::execution::code::plain);
  }
  return known->second;
}

// The variables that the kernel writes. False: it is not known where they are.
bool core::add_variables(const kernel_code& code, instance_request& into) {
  for (const std::string& name : code.verdict->symbols_written) {
    const auto found = code.variables.find(name);
    if (found == code.variables.end()) return false;
    into.write_set.push_back(found->second);
  }
  return true;
}

// Whether the launch may be aborted, and what an abort has to restore.
void core::judge(const kernel_code& code, const task_launch& how, instance_request& into) {
  const bool has_polls = on().kind() == device_kind::cpu || code.instrumented != nullptr;
  if (!has_polls || how.again == rerun::never) return;
  switch (how.again) {
    case rerun::idempotent:
      into.idempotent = into.abortable = true;
      return;
    case rerun::after_restoring:
      into.abortable = true;
      for (const memory_range& each : how.writes) {
        into.write_set.push_back({reinterpret_cast<std::uint64_t>(each.begin), each.bytes});
      }
      if (code.verdict) into.abortable = add_variables(code, into);
      return;
    case rerun::as_classified:
    case rerun::never:
      break;
  }
  if (!code.verdict) return;
  std::vector<allocation> all = memory_.copy();
  for (const auto& [name, one] : code.variables) all.push_back({one.base, one.bytes, allocation::kind::variable});
  const auto is_variable = [&](std::uint64_t address) {
    return std::any_of(code.variables.begin(), code.variables.end(),
                       [&](const auto& each) { return address - each.second.base <= each.second.bytes; });
  };
  for (const schedule::pointer_use& use : code.verdict->uses) {
    const std::uint64_t at = code.verdict->parameters[static_cast<std::size_t>(use.parameter)].offset + use.offset;
    std::uint64_t address = 0;
    if (at + sizeof address > into.what.arguments.size()) continue;
    __builtin_memcpy(&address, into.what.arguments.data() + at, sizeof address);
    if (address == 0 || memory_.holds(address) || is_variable(address)) continue;
    const address_info found = on().ask(address);
    if (found.bytes == 0) continue;
    const auto kind = found.kind == pointer_kind::pass ? allocation::kind::host : allocation::kind::device;
    const auto is_known = [&](const allocation& each) { return each.base == found.begin; };
    if (std::none_of(all.begin(), all.end(), is_known)) all.push_back({found.begin, found.bytes, kind});
  }
  std::sort(all.begin(), all.end(), [](const allocation& a, const allocation& b) { return a.base < b.base; });
  const schedule::launch_verdict verdict =
      schedule::complete(*code.verdict, {.arguments = into.what.arguments, .allocations = all});
  into.idempotent = verdict.is_idempotent;
  into.abortable = verdict.is_preemptible && (verdict.is_idempotent || verdict.is_write_set_known);
  into.write_set = verdict.write_set;
  if (!add_variables(code, into)) into.abortable = false;
}

std::shared_ptr<const module_state> core::load([[maybe_unused]] std::string_view code) {
#if GENESYS_WITH_CUDA
  if (on().kind() == device_kind::cuda) return std::make_shared<module_state>(code);
#endif
  throw error(error_code::not_built, "modules need a GPU: the CPU device runs functors");
}

// One byte is free between two allocations: a pointer to the end of one is not the start of the next one.
void* core::allocate(std::size_t bytes) {
  void* const memory = driver_.allocate(bytes + 1);
  memory_.add(reinterpret_cast<std::uint64_t>(memory), std::max<std::size_t>(1, bytes), allocation::kind::device);
  return memory;
}

void core::free(void* memory) {
  if (memory == nullptr) return;
  if (!memory_.remove(reinterpret_cast<std::uint64_t>(memory))) {
    throw error(error_code::bad_option, "free() of an address that allocate() did not return");
  }
  driver_.free(memory);
}

std::string core::name_of(schedule::kernel_id wanted) {
  const std::lock_guard hold(names_lock_);
  for (const auto& [name, id] : ids_) {
    if (id == wanted) return demangled(name);
  }
  return "kernel " + std::to_string(wanted);
}

std::vector<kernel_counts> core::counts() {
  const schedule::statistics all = driver_.counted();
  std::map<schedule::kernel_id, schedule::time_ns> blocks;  // the longest, of all shapes
  for (const auto& [of, times] : driver_.learnt()) blocks[of.kernel] = std::max(blocks[of.kernel], times.block);
  const auto us = [](schedule::time_ns ns) { return static_cast<double>(ns) / 1e3; };
  std::vector<kernel_counts> made;
  for (const auto& [id, k] : all) {
    if (id == 0) continue;  // stands for other processes
    made.push_back({name_of(id), k.launches, k.completed, k.aborts, k.drains, k.waits, k.snapshots, k.snapshot_bytes,
                    us(k.wasted_ns), us(k.snapshot_ns), us(k.roll_back_ns), us(blocks[id])});
  }
  return made;
}

std::vector<schedule::processes::kernel_report> core::reports() {
  std::vector<schedule::processes::kernel_report> made;
  for (const kernel_counts& k : counts()) {
    made.push_back(
        {k.kernel,
         {k.launches, k.aborts, static_cast<std::uint64_t>(k.wasted_us), static_cast<std::uint64_t>(k.snapshot_us)}});
  }
  return made;
}

void core::report(std::ostream& to) {
  to << "launches complete  aborts  drains   waits  wasted ms snapshots snap ms  back ms  block us  kernel\n"
     << std::fixed;
  for (const kernel_counts& k : counts()) {
    to << std::setw(8) << k.launches << std::setw(9) << k.completed << std::setw(8) << k.aborts << std::setw(8)
       << k.drains << std::setw(8) << k.waits << std::setprecision(3) << std::setw(11) << k.wasted_us / 1e3
       << std::setw(10) << k.snapshots << std::setw(8) << k.snapshot_us / 1e3 << std::setw(9) << k.roll_back_us / 1e3
       << std::setw(10) << std::setprecision(1) << k.block_us << "  " << k.kernel << "\n";
  }
}

}  // namespace genesys::detail::scheduling
