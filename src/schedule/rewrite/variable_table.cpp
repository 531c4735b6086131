// SPDX-License-Identifier: Apache-2.0
#include "schedule/rewrite/variable_table.h"

#include <algorithm>
#include <map>
#include <set>

#include "schedule/ptx/ptx_module.h"
#include "schedule/rewrite/text_edit.h"
#include "schedule/rewrite/unnamed_variables.h"

namespace genesys::schedule {
namespace {

std::string at_line(const instruction& one) { return " (line " + std::to_string(one.at.line) + ")"; }

class converter {
 public:
  converter(std::string_view text, std::string_view kernel)
      : text_(text), kernel_(kernel), all_(parse_ptx(text)), edit_(text) {
    prefix_ = "genesys_v_";
    for (int i = 1; text.find(prefix_) != text.npos; ++i) prefix_ = "genesys" + std::to_string(i) + "_v_";
  }

  with_table run() {
    with_table result{std::string(text_), "", {}, ""};
    if (!all_.problems.empty()) return result.why_not = "the module: " + all_.problems[0].text, result;
    const std::vector<const function*> reached = reached_functions();
    for (const function* each : reached) find_variables(*each);
    if (slots_.empty() && why_not_.empty()) return result;
    check_declarations();
    for (const function* each : reached) {
      if (why_not_.empty()) convert(*each);
    }
    if (why_not_.empty()) declare_table(result);
    if (why_not_.empty()) {
      result.ptx = edit_.made();
      result.variables.resize(slots_.size());
      for (const auto& [var, slot] : slots_) result.variables[slot] = all_.variables[index(var)].name;
      check(result);
      result.ptx = without_unnamed(result.ptx, {result.variables.begin(), result.variables.end()});
      if (!parse_ptx(std::string_view(result.ptx)).problems.empty()) why_not_ = "the text is not as it must be";
    }
    if (!why_not_.empty()) result = {std::string(text_), "", {}, why_not_};
    return result;
  }

 private:
  static std::size_t index(int var) { return static_cast<std::size_t>(var); }

  void refuse(std::string why) {
    if (why_not_.empty()) why_not_ = std::move(why);
  }

  std::vector<const function*> reached_functions() {
    std::vector<const function*> result;
    const function* const first = all_.find(kernel_);
    if (first == nullptr || !first->has_body) {
      refuse("the text has no such kernel");
      return result;
    }
    result.push_back(first);
    for (std::size_t i = 0; i < result.size(); ++i) {
      for (const instruction& each : result[i]->body) {
        if (each.opcode != "call" || each.operands.empty()) continue;
        const function* const called = all_.find(each.operands[0].text);
        if (called == nullptr || !called->has_body) continue;  // of the driver
        if (std::find(result.begin(), result.end(), called) == result.end()) result.push_back(called);
      }
    }
    return result;
  }

  // Variables that exist once for a module. Shared memory belongs to a block.
  bool is_variable(int var) const {
    if (var == no_variable) return false;
    const variable& one = all_.variables[index(var)];
    return one.is_module_wide && one.in != space::shared && one.in != space::reg && one.in != space::param;
  }

  void find(const operand& one) {
    if (is_variable(one.var)) {
      slots_.try_emplace(one.var, slots_.size());
      has_constants_ |= all_.variables[index(one.var)].in == space::constant;
    }
    for (const operand& part : one.parts) find(part);
  }
  void find_variables(const function& one) {
    for (const instruction& each : one.body) {
      for (const auto* list : {&each.operands, &each.results, &each.inputs}) {
        for (const operand& part : *list) find(part);
      }
    }
  }

  // The text of the declaration, from the statement before it to the name, and what it holds at first.
  std::string_view before(const variable& one) const {
    const std::size_t end = one.at.offset, start = text_.find_last_of(";}", end);
    return text_.substr(start == text_.npos ? 0 : start, end - (start == text_.npos ? 0 : start));
  }
  std::string_view initializer(const variable& one) const {
    const std::size_t start = one.at.offset + one.name.size(), end = text_.find(';', start);
    return text_.substr(start, end == text_.npos ? end : end - start);
  }

  void check_declarations() {
    constexpr std::size_t table_max = 4'096;  // a table of 32 KiB; constant memory has 64 KiB
    if (slots_.size() > table_max) refuse("it uses too many variables");
    for (const auto& [var, slot] : slots_) {
      const variable& one = all_.variables[index(var)];
      const std::string name(one.name);
      if (one.in != space::global && one.in != space::constant) refuse("the variable " + name + " is not in memory");
      if (before(one).find("managed") != std::string_view::npos) refuse("the variable " + name + " is managed");
      for (const char* opaque : {".texref", ".surfref", ".samplerref"}) {
        if (before(one).find(opaque) != std::string_view::npos) refuse(name + " is a texture or a surface");
      }
    }
    if (!has_constants_) return;
    // An address of constant memory that a variable holds would be one of this window, which no kernel reads any more.
    for (const variable& holder : all_.variables) {
      if (!is_variable(static_cast<int>(&holder - all_.variables.data()))) continue;
      for (const token& each : tokens_of(initializer(holder))) {
        const int held = find_variable(each.text);
        if (held == no_variable || all_.variables[index(held)].in != space::constant) continue;
        refuse("a variable holds the address of " + std::string(each.text) + ", which is in constant memory");
      }
    }
  }

  int find_variable(std::string_view name) const {
    for (std::size_t i = 0; i < all_.variables.size(); ++i) {
      if (all_.variables[i].is_module_wide && all_.variables[i].name == name) return static_cast<int>(i);
    }
    return no_variable;
  }

  std::string address_of(int var, const std::string& into, std::string_view guard) const {
    const std::string start = guard.empty() ? "" : std::string(guard) + " ";
    return start + "ld.const.u64 " + into + ", [" + prefix_ + "table+" + std::to_string(8 * slots_.at(var)) + "];\n" +
           start + "cvta.to.global.u64 " + into + ", " + into + ";\n";
  }

  std::uint32_t offset_of(std::string_view part) const {
    return static_cast<std::uint32_t>(part.data() - text_.data());
  }

  void convert(const function& one) {
    bool has_temporary = false;
    for (const instruction& each : one.body) {
      const bool is_reached = names_variable(each) || is_of_constants(each);
      if (!is_reached) continue;
      if (!convert(each, has_temporary)) refuse("it uses a variable in a way that is not covered" + at_line(each));
    }
    if (has_temporary) edit_.insert(one.body_offset + 1, "\n.reg .b64 %" + prefix_ + "at;\n");
  }

  bool names_variable(const operand& one) const {
    return is_variable(one.var) || std::any_of(one.parts.begin(), one.parts.end(),
                                               [this](const operand& part) { return names_variable(part); });
  }
  bool names_variable(const instruction& one) const {
    for (const auto* list : {&one.operands, &one.results, &one.inputs}) {
      for (const operand& part : *list) {
        if (names_variable(part)) return true;
      }
    }
    return false;
  }
  // Constant memory is read from where the program's module has it: an address in a global window.
  bool is_of_constants(const instruction& one) const { return has_constants_ && one.has("const"); }

  bool convert(const instruction& one, bool& has_temporary) {
    if (one.opcode == "mov" || one.opcode == "cvta") return convert_address(one);
    if (one.opcode == "isspacep") return false;
    return convert_access(one, has_temporary);
  }

  // mov.u64 %rd1, x+4;   cvta.global.u64 %rd1, x;   cvta{.to}.const.u64 %rd1, %rd2;
  bool convert_address(const instruction& one) {
    if (one.operands.size() != 2 || one.operands[0].what != operand::kind::reg || one.modifiers.empty()) return false;
    const std::string_view type = one.modifiers.back();
    if (type != "u64" && type != "b64" && type != "s64") return false;
    const operand& from = one.operands[1];
    if (from.what == operand::kind::reg) return to_global(one, "global");
    if (from.what != operand::kind::symbol || !is_variable(from.var)) return false;
    if (one.opcode == "cvta" && (one.has("to") || (!one.has("global") && !one.has("const")))) return false;
    std::string_view guard;
    if (one.guard != no_variable) guard = text_.substr(one.at.offset, offset_of(one.opcode) - one.at.offset);
    const std::string into(one.operands[0].text);
    std::string made = address_of(from.var, into, guard);
    if (from.value != 0) {
      made += (guard.empty() ? "" : std::string(guard) + " ") + "add.s64 " + into + ", " + into + ", " +
              std::to_string(from.value) + ";";
    }
    edit_.replace(one.at.offset, one.end_offset, made);
    changed_.insert(&one);
    return true;
  }

  // `.const` becomes the other space; the rest stays.
  bool to_global(const instruction& one, const std::string& by) {
    unsigned found = 0;
    for (const std::string_view each : one.modifiers) {
      if (each != "const") continue;
      edit_.replace(offset_of(each), offset_of(each) + static_cast<std::uint32_t>(each.size()), by);
      ++found;
    }
    changed_.insert(&one);
    return found == 1;
  }

  // ld.const.u32 %r1, [x+4];   st.global.u32 [x], %r1;   ld.const.u32 %r1, [%rd1];
  bool convert_access(const instruction& one, bool& has_temporary) {
    const bool reads_constants = one.opcode == "ld" && one.has("const");
    if (!reads_constants && !one.has("global")) return false;
    if (reads_constants && (one.has("volatile") || !to_global(one, "global.nc"))) return false;
    unsigned named = 0;
    for (const operand& each : one.operands) {
      if (each.what == operand::kind::address && each.parts.empty() && is_variable(each.var)) {
        if (++named > 1) return false;
        edit_.insert(one.at.offset, address_of(each.var, "%" + prefix_ + "at", ""));
        edit_.replace(offset_of(each.text), offset_of(each.text) + static_cast<std::uint32_t>(each.text.size()),
                      "%" + prefix_ + "at");
        has_temporary = true;
      } else if (names_variable(each)) {
        return false;
      }
    }
    changed_.insert(&one);
    return named == 1 || reads_constants;
  }

  void declare_table(with_table& into) {
    // Behind the line with the size of addresses, which is the last of those that begin a module.
    if (all_.address_size != "64") return refuse("addresses do not have 64 bits");
    into.table = prefix_ + "table";
    const std::uint32_t at = offset_of(all_.address_size) + static_cast<std::uint32_t>(all_.address_size.size());
    edit_.insert(at, "\n.visible .const .align 8 .b64 " + into.table + "[" + std::to_string(slots_.size()) + "];\n");
  }

  // What was not to be changed must still be there, and no reached function may name a variable.
  void check(const with_table& made) {
    const module now = parse_ptx(std::string_view(made.ptx));
    if (!now.problems.empty() || now.functions.size() != all_.functions.size()) {
      return refuse("the text is not as it must be");
    }
    for (std::size_t i = 0; i < now.functions.size(); ++i) {
      std::size_t next = 0;
      const auto text_of = [](std::string_view text, const instruction& one) {
        return text.substr(one.at.offset, one.end_offset - one.at.offset);
      };
      for (const instruction& was : all_.functions[i].body) {
        const auto& body = now.functions[i].body;
        if (changed_.count(&was) != 0) continue;
        while (next < body.size() && text_of(made.ptx, body[next]) != text_of(text_, was)) ++next;
        if (next++ == body.size()) return refuse("the text is not as it must be");
      }
    }
  }

  std::string_view text_, kernel_;
  module all_;
  text_edit edit_;
  std::string prefix_;
  std::map<int, std::size_t> slots_;
  std::set<const instruction*> changed_;
  bool has_constants_ = false;
  std::string why_not_;
};

}  // namespace

with_table through_table(std::string_view ptx, std::string_view kernel) { return converter(ptx, kernel).run(); }

}  // namespace genesys::schedule
