# SPDX-License-Identifier: Apache-2.0
"""plans.h: one plan for each call. Code finds it by plan_id at compile time, by number and arguments at run time."""

import text
from table import ARCHITECTURES, FLAGS, POINTED_VALUES, URING_FIELDS, VALUE_TYPES, buffer_type

OUTPUT = "include/genesys/detail/table/generated/plans.h"


def emit(table):
    calls = table.planned
    ids = "".join(f"  {call.id},\n" for call in calls)
    sizes = text.by_architecture({architecture: _sizes(table, architecture) for architecture in ARCHITECTURES})
    plans = "".join(f"    // {text.signature(call)}\n{_plan(call)}" for call in calls)
    purpose = (
        "The plan of each system call. The arrays are in host memory: a kernel uses them in constant expressions only, "
        "or copies a plan first: `constexpr call_plan plan = plan_of<plan_id::read>;`."
    )
    return f"""{text.head(purpose)}#pragma once

#include <cstddef>
#include <cstdint>

#include "genesys/detail/table/generated/numbers.h"
#include "genesys/detail/table/call_plan.h"

namespace genesys::detail::table {{

enum class plan_id : std::uint16_t {{
{ids}}};

inline constexpr std::uint16_t plan_count = {len(calls)};

// The bytes that Linux reads or writes of each structure.
namespace object_bytes {{
{sizes}}}  // namespace object_bytes

// In the order of plan_id.
inline constexpr call_plan plans[plan_count] = {{
{plans}}};

// The plan of a call. Host and device.
template <plan_id id>
inline constexpr call_plan plan_of = plans[static_cast<std::size_t>(id)];

// The index in `plans` of each number, for variants that of the first; plan_count: the number has no plan.
struct places_by_number {{
  std::uint16_t place[number::limit];
  constexpr places_by_number() : place{{}} {{
    for (std::uint16_t& none : place) none = plan_count;
    for (std::uint16_t i = plan_count; i-- > 0;) {{
      if (plans[i].number < number::limit) place[plans[i].number] = i;
    }}
  }}
}};
inline constexpr places_by_number by_number;

// Whether a call or a variant of a call has this number. Host, any thread.
constexpr bool is_planned(std::uint64_t number) {{
  return number < number::limit && by_number.place[number] != plan_count;
}}

// The plan for this number and these arguments; null: there is none. Host, any thread.
constexpr const call_plan* plan_of_call(std::uint64_t number, const std::uint64_t* args) {{
  if (!is_planned(number)) return nullptr;
  for (std::size_t i = by_number.place[number]; i < plan_count; ++i) {{
    const call_plan& plan = plans[i];
    if (plan.number != number) break;  // the variants of a call are adjacent
    const auto value = static_cast<std::uint32_t>(args[plan.variant_arg]);
    if (!plan.is_variant || (value & plan.variant_mask) == plan.variant_value) return &plan;
  }}
  return nullptr;
}}

}}  // namespace genesys::detail::table

namespace genesys::detail {{
using namespace table;
}}
"""


def _sizes(table, architecture):
    return "".join(
        f"inline constexpr std::uint16_t {struct.name} = {struct.sizes[architecture]};\n"
        for struct in table.structs.values()
    )


def _plan(call):
    fields = [f".number = number::{call.base}"]
    if call.args:
        fields.append(f".args_count = {len(call.args)}")
        fields.append(".args = {" + ",\n              ".join(_arg(call, arg) for arg in call.args) + "}")
    if call.role:
        fields.append(f".role = role::{call.role}")
    if call.split:
        size = call.index(call.buffers[0].size_arg)
        fields.append(f".split = true,\n     .position_arg = {call.index(call.split)},\n     .size_arg = {size}")
    if call.result == "size":
        fields.append(".moves_bytes = true")
    if call.waits:
        ready = {"in": "input", "out": "output"}[call.waits_direction]
        fields.append(f".waits = readiness::{ready},\n     .waits_arg = {call.index(call.waits)}")
    if call.unless:
        fields.append(f".unless_arg = {call.index(call.unless)},\n     .unless_flags = {call.unless_flags:#x}")
    fields += [f".{name} = true" for name in FLAGS if getattr(call, name)]
    if call.excepts:
        places = ", ".join(str(call.index(name)) for name in call.except_args)
        pairs = [f"{{{first:#x}, {second:#x}}}" for first, second in call.excepts]
        listed = text.filled(".excepts = {", [f"{pair}, " for pair in pairs[:-1]] + [pairs[-1] + "}"], 17)
        fields += [f".except_args = {{{places}}}", f".excepts_count = {len(pairs)}", listed]
    if call.selector:
        value = call.selector.value.value
        fields.append(f".is_variant = true,\n     .variant_arg = {call.index(call.selector.name)}")
        fields.append(f".variant_value = {value:#x}")
        if call.selector.mask != 0xFFFFFFFF:
            fields.append(f".variant_mask = {call.selector.mask:#x}")
    if call.uring:
        fields.append(f".uring = {_uring_call(call)}")
    return "    {" + ",\n     ".join(fields) + "},\n"


def _uring_call(call):
    fields = [f".opcode = uring_op::{call.uring.id}"]
    fields += [".by_workers = true"] if call.uring_by_workers else []
    fields.append(f".on = {' | '.join(f'on_{kind}' for kind in call.uring_on)}")
    others = [kind for kind in call.uring_on if kind not in ("file", "any")]
    fields += [".waits = true"] if others or call.uring_lasting else []
    fields += [".opens = true"] if call.result == "fd" else []
    for name in URING_FIELDS:
        if name in call.uring_fields:
            arg, number = call.uring_fields[name]
            number |= call.uring_adds if name == "flags" else 0
            place = [f".arg = {call.index(arg)}"] if arg else []
            place += [f".number = {number:#x}"] if number or not arg else []
            fields.append(f".{name} = {{{', '.join(place)}}}")
    if call.uring_unless:
        fields.append(f".unless_arg = {call.index(call.uring_unless)}")
    if call.uring_at_most:
        fields.append(f".limited_arg = {call.index(call.uring_at_most[0])}, .at_most = {call.uring_at_most[1]}")
    if call.uring_only:
        fields.append(f".flags_arg = {call.index(call.uring_only[0])}, .only = {call.uring_only[1]:#x}")
    if call.uring_exactly:
        fields.append(f".exact_arg = {call.index(call.uring_exactly[0])}, .exactly = {call.uring_exactly[1]:#x}")
    return text.filled("{", [f"{field}, " for field in fields[:-1]] + [fields[-1] + "}"], 14)


def _arg(call, arg):
    if not arg.is_pointer:
        return f"{{.kind = arg_kind::{VALUE_TYPES[arg.type].kind}}}"
    kind = arg.nested or ("string" if arg.is_string else "bytes" if arg.is_buffer else "object")
    fields = {"kind": f"arg_kind::{kind}", "dir": f"direction::{arg.direction}"}
    if arg.nested:
        if arg.is_buffer:
            fields |= {"size": "size_from::argument", "size_arg": call.index(arg.size_arg)}
        fields["element_bytes"] = f"object_bytes::{arg.type}"
        if arg.struct.length_bytes == 4:
            fields["short_lengths"] = "true"
    elif kind == "bytes":
        measure = buffer_type(arg)
        fields["size"] = f"size_from::{'pointed' if arg.size_pointed else 'argument'}"
        fields["size_arg"] = call.index(arg.size_arg)
        fields["header_bytes"] = arg.header_bytes
        fields["bytes_most"] = measure.most
        if measure.element_bytes != 1:
            fields["element_bytes"] = measure.element_bytes or f"object_bytes::{arg.type}"
        if measure.per != 1:
            fields["per"] = measure.per
        if measure.less != 0:
            fields["less"] = measure.less
    elif arg.size_at is not None:
        fields |= {"size": "size_from::itself", "size_at": arg.size_at, "header_bytes": arg.header_bytes}
        fields["fixed_bytes"] = arg.size_least
    elif kind == "object":
        fields |= {"size": "size_from::fixed", "fixed_bytes": _object_bytes(arg)}
    if arg.shared:
        fields["shared"] = "true"
    if arg.by_result:
        fields["by_result"] = "true"
    if arg.written_on:
        fields["written"] = f"written_on::{arg.written_on.lower()}"
    written = [f".{name} = {value}" for name, value in fields.items() if value != 0 or name == "size_arg"]
    return text.filled("{", [f"{part}, " for part in written[:-1]] + [written[-1] + "}"], 15)


def _object_bytes(arg):
    if arg.type in POINTED_VALUES:
        return POINTED_VALUES[arg.type][1] * arg.elements
    return f"object_bytes::{arg.type}" if arg.elements == 1 else f"{arg.elements} * object_bytes::{arg.type}"
