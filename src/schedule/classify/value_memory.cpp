// SPDX-License-Identifier: Apache-2.0
// The part of the data flow that goes through memory. What a block keeps in shared and local memory is one value each:
// the join of all that is stored there.
#include <algorithm>

#include "schedule/classify/value_flow.h"

namespace genesys::schedule {
namespace {

// What a load of so many bytes makes of values that were stored in pieces of any size.
value as_loaded(const value& stored, unsigned bytes) { return bytes >= 8 ? wholes(stored) : halves(stored); }

// Whether an address is that of a kernel's parameters, whatever path it came on.
bool is_only_parameters(const value& address) {
  return !address.terms.empty() && std::all_of(address.terms.begin(), address.terms.end(), [](const term& one) {
    bool is_parameter = false, is_other = may_be_difference(one);
    for (const part& each : one) {
      if (each.how != strength::full || each.of.what == base::kind::negated) continue;
      (each.of.what == base::kind::parameter_address ? is_parameter : is_other) = true;
    }
    return is_parameter && !is_other;
  });
}

}  // namespace

int value_flow::position_of_parameter(int var) const {
  const auto found = std::find(one_.parameters.begin(), one_.parameters.end(), var);
  return found == one_.parameters.end() ? -1 : static_cast<int>(found - one_.parameters.begin());
}

value value_flow::word_of_parameter(int position, std::uint64_t offset, unsigned bytes) const {
  if (bytes > 8) return sum(word_of_parameter(position, offset, 8), word_of_parameter(position, offset + 8, bytes - 8));
  const base from{one_.is_entry ? base::kind::parameter : base::kind::formal, position,
                  static_cast<std::uint32_t>(offset & ~std::uint64_t{7})};
  return of_base(from, bytes >= 8 && offset % 8 == 0 ? strength::full : strength::half);
}

// A load with a computed offset, as from an array in a struct that is passed by value.
value value_flow::any_word_of_parameter(int position, unsigned bytes) const {
  if (position < 0 || position >= static_cast<int>(one_.parameters.size())) return unknown();
  const std::uint64_t size = all_.variables[one_.parameters[position]].bytes;
  constexpr std::uint64_t words_max = 12;
  if (size == 0 || size > words_max * 8) {
    value some = bytes >= 8 ? unknown() : loaded(bytes);
    some.is_nondeterministic = false;
    return some;
  }
  value result;
  for (std::uint64_t offset = 0; offset < size; offset += 8) join(result, word_of_parameter(position, offset, bytes));
  return result;
}

void value_flow::load_param(const instruction& one, const operand& into, const operand& address, std::uint64_t offset,
                            unsigned bytes) {
  const bool is_named = address.var != no_variable && all_.variables[address.var].in == space::param;
  if (!is_named) return assign(into, loaded_from(one, address_of(address), bytes), one);
  if (const int position = position_of_parameter(address.var); position >= 0) {
    return assign(into, word_of_parameter(position, offset, bytes), one);
  }
  // What a call gave back: the pieces that overlap.
  value result;
  const pieces& all = params_[address.var];
  for (const auto& [at, each] : all) {
    if (at == offset && each.bytes == bytes) {
      join(result, each.what);
    } else if (at < offset + bytes && offset < at + each.bytes) {
      join(result, wholes(each.what));
    }
  }
  assign(into, result, one);
}

value value_flow::loaded_from(const instruction& one, const value& address, unsigned bytes) const {
  const space in = space_of(one);
  value result;
  // A .func does not see what its callers keep in shared and local memory.
  const value outside = one_.is_entry ? value{} : loaded(bytes);
  const bool may_be_shared = in == space::shared || (in == space::generic && may_be(address, base::kind::shared));
  const bool may_be_local = in == space::local || (in == space::generic && may_be(address, base::kind::local));
  if (may_be_shared) join(result, as_loaded(in_shared_, bytes));
  if (may_be_local) join(result, as_loaded(in_local_, bytes));
  if (may_be_shared || may_be_local) join(result, outside);
  bool is_param = in == space::param;
  for (const term& each : address.terms) {
    for (const part& it : each) {
      if (it.of.what != base::kind::parameter_address) continue;
      is_param = true;
      join(result, any_word_of_parameter(it.of.index, bytes));
    }
  }
  if (is_param && result.terms.empty()) result = unknown();
  const bool may_be_elsewhere = in == space::generic && may_be_global(address) && !is_only_parameters(address);
  if (in == space::constant || in == space::global || may_be_elsewhere) {
    value from_memory = loaded(bytes);
    // Another thread may write the same location at any time, so what is read back may differ.
    const bool is_read_back = before_[static_cast<std::size_t>(&one - one_.body.data())] != 0;
    from_memory.is_nondeterministic = is_read_back || (global_is_nondeterministic_ && in != space::constant);
    join(result, from_memory);
  }
  if (result.terms.empty()) result.terms = loaded(bytes).terms;  // nothing was stored there yet: any bits
  result.is_nondeterministic |= address.is_nondeterministic || is_strong(one);
  return result;
}

void value_flow::load(const instruction& one) {
  if (one.operands.size() < 2) return;
  if (effect_of(one) == effect::texture_load) return assign(one.operands[0], loaded(element_bytes(one)), one);
  const operand& address = one.operands[1];
  const unsigned bytes = element_bytes(one);
  if (bytes == 0) return assign(one.operands[0], unknown(), one);
  if (space_of(one) != space::param) {
    return assign(one.operands[0], loaded_from(one, address_of(address), bytes), one);
  }
  if (one.operands[0].what != operand::kind::vector) {
    return load_param(one, one.operands[0], address, static_cast<std::uint64_t>(address.value), bytes);
  }
  std::uint64_t offset = static_cast<std::uint64_t>(address.value);
  for (const operand& each : one.operands[0].parts) {
    load_param(one, each, address, offset, bytes);
    offset += bytes;
  }
}

value value_flow::stored_by(const instruction& one) const {
  value result;
  if (effect_of(one) == effect::async_copy) {
    result = loaded(8);
    result.is_nondeterministic = global_is_nondeterministic_;
    return result;
  }
  const std::size_t first = effect_of(one) == effect::atomic ? 2 : 1;
  for (std::size_t i = first; i < one.operands.size(); ++i) {
    const operand& each = one.operands[i];
    if (each.what != operand::kind::vector) {
      join(result, of(each));
    } else {
      for (const operand& part : each.parts) join(result, of(part));
    }
  }
  return result;
}

// Which of two threads writes last has no effect: reductions that commute, and stores of one and the same number. (CUDA
// leaves races of plain stores undefined, but programs have them, to elect a thread of a block.)
bool value_flow::is_ordered_store(const instruction& one) {
  const effect does = effect_of(one);
  if (does == effect::atomic || does == effect::reduction) return commutes(one);
  if (does != effect::store || one.opcode != "st" || one.operands.size() < 2) return false;
  operand from = one.operands[1];
  if (from.what == operand::kind::reg) {
    const instruction* by = only_definition_[from.var - one_.first_variable];
    const bool is_copy = by && by->opcode == "mov" && by->guard == no_variable && by->operands.size() == 2;
    if (!is_copy) return false;
    from = by->operands[1];
  }
  if (from.what != operand::kind::immediate || !from.is_integer) return false;
  const std::pair stored{from.value, element_bytes(one)};
  if (!stored_in_shared_) stored_in_shared_ = stored;
  return *stored_in_shared_ == stored;
}

void value_flow::keep(const value& address, space in, const value& stored, bool is_ordered) {
  const bool to_shared = in == space::shared || (in == space::generic && may_be(address, base::kind::shared));
  const bool to_local = in == space::local || (in == space::generic && may_be(address, base::kind::local));
  value kept = stored;
  kept.is_nondeterministic |= address.is_nondeterministic;
  if (to_shared) {
    value shared = kept;
    shared.is_nondeterministic |= !is_ordered;
    changed_ |= join(in_shared_, shared);
  }
  if (to_local) changed_ |= join(in_local_, kept);
  const bool to_global = in == space::global || (in == space::generic && may_be_global(address));
  if (to_global && kept.is_nondeterministic && !global_is_nondeterministic_) {
    global_is_nondeterministic_ = changed_ = true;
  }
}

void value_flow::store(const instruction& one) {
  const effect does = effect_of(one);
  const std::size_t at = does == effect::atomic ? 1 : 0;
  if (one.operands.size() <= at + 1) return;
  const space in = does == effect::async_copy ? space::shared : space_of(one);
  if (in == space::param) return store_param(one);
  const value address = address_of(one.operands[at]);
  value stored = stored_by(one);
  stored.is_nondeterministic |= guard_of(one).is_nondeterministic;
  const bool is_atomic = does == effect::atomic || does == effect::reduction;
  if (is_atomic && !commutes(one)) stored.is_nondeterministic = true;
  const bool may_be_shared = in == space::shared || (in == space::generic && may_be(address, base::kind::shared));
  keep(address, in, stored, may_be_shared && is_ordered_store(one));
  if (does != effect::atomic) return;
  value old = loaded(element_bytes(one));
  if (in == space::shared || may_be(address, base::kind::shared)) join(old, as_loaded(in_shared_, element_bytes(one)));
  old.is_nondeterministic = true;
  assign(one.operands[0], old, one);
}

void value_flow::store_param(const instruction& one) {
  const operand& address = one.operands[0];
  if (address.var == no_variable || all_.variables[address.var].in != space::param) return;
  std::uint64_t offset = static_cast<std::uint64_t>(address.value);
  const unsigned bytes = element_bytes(one);
  const auto put = [&](const operand& from) {
    piece& into = params_[address.var][offset];
    value stored = of(from);
    stored.is_nondeterministic |= guard_of(one).is_nondeterministic;
    changed_ |= join(into.what, stored);
    if (bytes > into.bytes) changed_ = true;
    into.bytes = std::max(into.bytes, bytes);
    offset += bytes;
  };
  const operand& from = one.operands[1];
  if (from.what == operand::kind::vector) {
    for (const operand& each : from.parts) put(each);
  } else {
    put(from);
  }
}

}  // namespace genesys::schedule
