// SPDX-License-Identifier: Apache-2.0
#include "decoded.h"

#include <algorithm>
#include <stdexcept>

#include "schedule/classify/opcodes.h"
#include "schedule/rewrite/sync_points.h"

namespace genesys::schedule::interpreter {
namespace {

[[noreturn]] void unknown(const instruction& one) {
  std::string text(one.opcode);
  for (std::string_view each : one.modifiers) text += "." + std::string(each);
  throw std::logic_error("the interpreter does not know " + text + ", line " + std::to_string(one.at.line));
}

number_type type_of(std::string_view name, const instruction& one) {
  if (name == "pred") return {number_kind::predicate, 1};
  const number_kind kind = name[0] == 'u'   ? number_kind::is_unsigned
                           : name[0] == 's' ? number_kind::is_signed
                           : name[0] == 'f' ? number_kind::is_float
                                            : number_kind::bits;
  for (unsigned bytes : {1U, 2U, 4U, 8U}) {
    if (name.substr(1) == std::to_string(8 * bytes)) return {kind, bytes};
  }
  unknown(one);
}

class decoder {
 public:
  decoder(const module& all, const function& kernel, const std::map<int, std::uint64_t>& globals)
      : all_(all), kernel_(kernel), globals_(globals) {}

  kernel_code all() {
    result_.of = &kernel_;
    for (std::size_t i = 0; i < kernel_.body.size(); ++i) {
      if (kernel_.body[i].opcode == "ret") result_.last_return = i;
    }
    result_.registers = static_cast<std::size_t>(kernel_.end_variable - kernel_.first_variable);
    lay_out();
    for (std::size_t i = 0; i < kernel_.body.size(); ++i) {
      result_.body.push_back(one(kernel_.body[i]));
      result_.body.back().index = i;
    }
    return std::move(result_);
  }

 private:
  static std::uint64_t place(std::uint64_t& at, const variable& one) {
    at = (at + one.align - 1) / one.align * one.align;
    const std::uint64_t start = at;
    at += one.bytes;
    return start;
  }

  void lay_out() {
    std::uint64_t at = 0;
    for (int each : kernel_.parameters) symbols_[each] = place(at, all_.variables[each]);
    result_.parameter_bytes = at;
    at = 16;  // so that a null address is a fault
    for (int i = kernel_.first_variable; i < kernel_.end_variable; ++i) {
      if (all_.variables[i].in == space::shared) symbols_[i] = place(at, all_.variables[i]);
    }
    at = (at + 15) / 16 * 16;
    for (std::size_t i = 0; i < all_.variables.size(); ++i) {
      const variable& each = all_.variables[i];
      if (each.is_module_wide && each.in == space::shared) symbols_[static_cast<int>(i)] = at;
    }
    result_.shared_bytes = at;
    symbols_.insert(globals_.begin(), globals_.end());
  }

  int reg(const operand& from) const { return from.var - kernel_.first_variable; }

  source source_of(const operand& from, const instruction& by) const {
    source result;
    result.is_negated = from.is_negated;
    if (from.var != no_variable && all_.variables[from.var].in == space::reg) {
      result.what = source::kind::reg;
      result.reg = reg(from);
    } else if (from.var != no_variable) {
      const auto found = symbols_.find(from.var);
      if (found == symbols_.end()) unknown(by);
      result.value = found->second;
    } else if (from.what == operand::kind::special) {
      result.what = source::kind::special;
      result.special = from.text;
    } else if (from.is_integer) {
      result.value = static_cast<std::uint64_t>(from.value);
    } else if (from.text.starts_with("0f") || from.text.starts_with("0d")) {
      result.value = std::stoull(std::string(from.text.substr(2)), nullptr, 16);
    } else {
      unknown(by);
    }
    return result;
  }

  static code code_of(const instruction& one) {
    static const std::map<std::string_view, code> table = {
        {"mov", code::mov},     {"cvta", code::mov},    {"add", code::add},     {"sub", code::sub},
        {"fma", code::fma},     {"div", code::div},     {"rem", code::rem},     {"min", code::min},
        {"max", code::max},     {"neg", code::neg},     {"and", code::bit_and}, {"or", code::bit_or},
        {"xor", code::bit_xor}, {"not", code::bit_not}, {"shl", code::shl},     {"shr", code::shr},
        {"popc", code::popc},   {"setp", code::setp},   {"selp", code::selp},   {"cvt", code::cvt},
        {"ld", code::ld},       {"st", code::st},       {"bra", code::bra},     {"ret", code::ret},
        {"exit", code::ret},    {"fence", code::fence}, {"membar", code::fence}};
    if (const auto found = table.find(one.opcode); found != table.end()) return found->second;
    const bool is_float = !one.modifiers.empty() && one.modifiers.back()[0] == 'f';
    if (one.opcode == "mul") return one.has("wide") ? code::mul_wide : code::mul_lo;
    if (one.opcode == "mad") return is_float ? code::fma : one.has("wide") ? code::mad_wide : code::mad_lo;
    if (one.opcode == "atom" && one.has("add")) return code::atom_add;
    if (one.opcode == "red" && one.has("add")) return code::red_add;
    if (one.opcode == "red" && one.has("max")) return code::red_max;
    if (one.opcode == "activemask") return code::active_mask;
    if (one.opcode == "shfl")
      return one.has("down") ? code::shfl_down : one.has("up") ? code::shfl_up : (unknown(one), code::fence);
    if (one.opcode == "vote" && one.has("any")) return code::vote_any;
    if (one.opcode == "cp" && one.has("commit_group")) return code::commit;
    if (one.opcode == "cp" && one.has("wait_group")) return code::wait_group;
    if (one.opcode == "cp" && one.has("wait_all")) return code::wait_all;
    if (effect_of(one) == effect::async_copy) return code::copy_async;
    if (one.opcode == "mbarrier" && one.has("init")) return code::mbarrier_init;
    if (one.opcode == "mbarrier" && one.has("arrive")) return code::mbarrier_arrive;
    if (one.opcode == "mbarrier" && one.has("test_wait")) return code::mbarrier_test;
    const sync_point point = sync_of(one);
    if (point.what == sync::barrier) return code::barrier;
    if (point.what == sync::warp && one.has("warp")) return code::warp_barrier;
    if (point.what == sync::reducing && one.has("or")) return code::vote_barrier;
    unknown(one);
  }

  void read_modifiers(const instruction& from, decoded& into) const {
    static const std::map<std::string_view, comparison> tests = {
        {"eq", comparison::eq}, {"ne", comparison::ne}, {"lt", comparison::lt}, {"lo", comparison::lt},
        {"le", comparison::le}, {"gt", comparison::gt}, {"ge", comparison::ge}};
    if (into.what == code::setp) {
      const auto found = tests.find(from.modifiers[0]);
      if (found == tests.end()) unknown(from);
      into.test = found->second;
      into.combined = from.has("and")  ? combination::with_and
                      : from.has("or") ? combination::with_or
                                       : combination::none;
    }
    into.in = space_of(from);
    into.is_aligned = sync_of(from).is_aligned || into.what == code::vote_barrier;
    if (into.what == code::vote_barrier) into.is_aligned = from.opcode == "bar" || from.has("aligned");
    const bool has_type = !from.modifiers.empty() && size_like(from.modifiers.back());
    if (has_type) into.type = type_of(from.modifiers.back(), from);
    if (into.what == code::cvt) {
      into.from = into.type;
      into.type = type_of(from.modifiers[from.modifiers.size() - 2], from);
    }
  }

  static bool size_like(std::string_view name) {
    return name == "pred" || (name.size() > 1 && std::string_view("usfb").find(name[0]) != std::string_view::npos &&
                              name.find_first_not_of("0123456789", 1) == std::string_view::npos);
  }

  // Reads from the first operand, or writes to it.
  void read_operands(const instruction& from, decoded& into) const {
    const bool has_result = into.what != code::st && into.what != code::red_add && into.what != code::red_max &&
                            into.what != code::bra && into.what != code::barrier && into.what != code::warp_barrier &&
                            into.what != code::copy_async && into.what != code::wait_group &&
                            into.what != code::mbarrier_init;
    for (std::size_t i = 0; i < from.operands.size(); ++i) {
      const operand& each = from.operands[i];
      if (i == 1 && from.has_two_results) continue;  // nobody reads it
      if (i == 0 && has_result) {
        for (const operand& part : each.parts) into.results.push_back(reg(part));
        if (each.parts.empty()) into.results.push_back(reg(each));
      } else if (each.what == operand::kind::address && into.address.what == source::kind::constant && !has_address_) {
        into.address = source_of(each, from);
        into.offset = each.value;
        has_address_ = true;
      } else if (each.what == operand::kind::vector) {
        for (const operand& part : each.parts) into.sources.push_back(source_of(part, from));
      } else if (into.what != code::bra) {
        into.sources.push_back(source_of(each, from));
      }
    }
  }

  decoded one(const instruction& from) const {
    decoded result;
    result.what = code_of(from);
    if (from.guard != no_variable) result.guard = from.guard - kernel_.first_variable;
    result.guard_is_negated = from.guard_is_negated;
    read_modifiers(from, result);
    has_address_ = false;
    read_operands(from, result);
    if (result.what == code::bra) result.target = from.targets.at(0);
    return result;
  }

  const module& all_;
  const function& kernel_;
  const std::map<int, std::uint64_t>& globals_;
  std::map<int, std::uint64_t> symbols_;
  kernel_code result_;
  mutable bool has_address_ = false;
};

}  // namespace

kernel_code decode(const module& all, const function& kernel, const std::map<int, std::uint64_t>& globals) {
  return decoder(all, kernel, globals).all();
}

}  // namespace genesys::schedule::interpreter
