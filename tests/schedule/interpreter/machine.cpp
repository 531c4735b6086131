// SPDX-License-Identifier: Apache-2.0
#include "machine.h"

#include <algorithm>
#include <memory>

#include "running_block.h"

namespace genesys::schedule::interpreter {

void machine::load(const module& all) {
  for (const variable& each : all.variables) {
    const bool is_in_memory = each.in == space::global || each.in == space::constant;
    if (each.is_module_wide && is_in_memory) named_[std::string(each.name)] = global_.allocate(each.bytes);
  }
  use(all);
}

void machine::use(const module& all) {
  all_ = &all;
  globals_.clear();
  for (std::size_t i = 0; i < all.variables.size(); ++i) {
    const auto found = named_.find(std::string(all.variables[i].name));
    if (found != named_.end()) globals_[static_cast<int>(i)] = found->second;
  }
}

ended machine::run(const launch& one) {
  const function* kernel = all_->find(one.kernel);
  if (!kernel) throw std::logic_error("no kernel " + one.kernel);
  const kernel_code code = decode(*all_, *kernel, globals_);
  if (one.parameters.size() < code.parameter_bytes) throw std::logic_error("too few parameters of " + one.kernel);
  constexpr std::size_t resident_max = 3;
  constexpr std::uint64_t turn_max = 120, steps_max = 200'000'000;
  std::vector<unsigned> waiting(one.grid.count());
  for (unsigned i = 0; i < waiting.size(); ++i) waiting[i] = i;
  std::shuffle(waiting.begin(), waiting.end(), random_);
  std::vector<std::unique_ptr<running_block>> resident;
  ended result;
  result.threads = std::uint64_t{one.grid.count()} * one.block.count();
  while (!waiting.empty() || !resident.empty()) {
    if (!waiting.empty() && resident.size() < resident_max) {
      resident.push_back(std::make_unique<running_block>(*this, code, one, waiting.back()));
      waiting.pop_back();
    }
    if (meanwhile) meanwhile(result.steps);
    const std::size_t which = random_() % resident.size();
    result.steps += resident[which]->turn(random_, 1 + random_() % turn_max, result.steps);
    if (result.steps > steps_max) throw fault("the kernel does not end");
    if (!resident[which]->has_ended()) continue;
    result.left_early += resident[which]->left_early();
    resident.erase(resident.begin() + static_cast<std::ptrdiff_t>(which));
  }
  return result;
}

}  // namespace genesys::schedule::interpreter
