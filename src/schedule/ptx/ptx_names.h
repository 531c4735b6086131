// SPDX-License-Identifier: Apache-2.0
// The names of a module of PTX while it is parsed: variables by nested scope, ranges of registers (`%r<100>`), labels.
// Registers of a range get a variable when they are first named, so a range of any size costs nothing.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "schedule/ptx/ptx_module.h"

namespace genesys::schedule {

class names {
 public:
  explicit names(module& all) : all_(all) { open(); }

  // Scopes. A function's scopes stay known until forget_scopes(), for the labels.
  bool open();   // false: nested deeper than scopes_max
  bool close();  // false: no scope is open in the function
  void forget_scopes();
  int scope() const { return open_.back(); }
  std::size_t depth() const { return open_.size() - 1; }

  int declare(variable one);
  bool declare_range(const variable& first, std::uint64_t count);  // false: too many ranges in this scope
  // The variable of this name, or no_variable.
  int find(std::string_view name);

  // Labels: a label names an instruction, or a list of labels (.branchtargets).
  // False: the scope has a label of this name.
  bool label(std::string_view name, int instruction) {
    return scopes_[scope()].labels.emplace(name, instruction).second;
  }
  void label_list(std::string_view name, std::vector<std::string_view> labels) {
    scopes_[scope()].lists[name] = std::move(labels);
  }
  int find_label(std::string_view name, int scope) const;  // -1: none
  const std::vector<std::string_view>* find_list(std::string_view name, int scope) const;

 private:
  struct range {
    variable first;
    std::uint64_t count;
  };
  struct one_scope {
    int parent = -1;
    std::unordered_map<std::string_view, int> variables, labels;
    std::unordered_map<std::string_view, std::vector<std::string_view>> lists;
    std::vector<range> ranges;
  };

  static constexpr std::size_t scopes_max = 64;  // nested
  static constexpr std::size_t ranges_max = 64;  // in one scope

  module& all_;
  std::vector<one_scope> scopes_;  // the first is the module's
  std::vector<int> open_;
};

}  // namespace genesys::schedule
