# SPDX-License-Identifier: Apache-2.0
"""calls.h: each call as a typed method."""

import textwrap

import text
from table import BUFFER_TYPES, POINTED_VALUES, VALUE_TYPES

OUTPUT = "include/genesys/detail/table/generated/calls.h"

RESULTS = {
    "fd": "a descriptor",
    "size": "a number of bytes",
    "off": "the new position",
    "int": "a number",
    "zero": "0",
    "address": "an address",
}


def emit(table):
    used = {arg.struct.name: arg.struct for call in table.planned for arg in call.args if arg.struct}
    tagged = sorted(["sockaddr", *(name for name, struct in used.items() if struct.is_tagged)])
    headers = {struct.header for struct in used.values() if not struct.is_tagged}
    own = {f'"{header[1:-1]}"' for header in headers if header.startswith("<genesys/")}
    system = {"<sys/types.h>"} | {header for header in headers if not header.startswith("<genesys/")}
    includes = "".join(f"#include {header}\n" for header in sorted(system))
    own_includes = "".join(f"#include {header}\n" for header in sorted(own | _OWN_HEADERS))
    types = "".join(f"struct {name};\n" for name in tagged)
    methods = "\n".join(_methods(table.planned))
    purpose = (
        "The system calls as typed methods, in the words of the manual pages. They only turn arguments into 64-bit "
        "words, and call the scope they are part of."
    )
    return f"""{text.head(purpose)}#pragma once

{includes}
#include <cstddef>
#include <cstdint>
#include <type_traits>

{own_includes}
// The manual pages say in which headers they are.
{types}
namespace genesys::detail::table {{

// Chooses among the variants of a call.
template <std::uint32_t value>
struct variant {{}};

{_CLASS_COMMENT}template <class Self>
struct calls {{
{methods}
 private:
  template <plan_id id, class... Args>
  GENESYS_KERNEL auto call(Args... args) const {{
    return static_cast<const Self&>(*this).template invoke<id>(word(args)...);
  }}

  // As Linux finds it in a register: signed integers are extended by their sign.
  template <class T>
  GENESYS_KERNEL static std::uint64_t word(T value) {{
    if constexpr (std::is_pointer_v<T>) {{
      return reinterpret_cast<std::uint64_t>(value);
    }} else {{
      return static_cast<std::uint64_t>(value);
    }}
  }}
}};

}}  // namespace genesys::detail::table
"""


_OWN_HEADERS = {'"genesys/detail/table/generated/plans.h"', '"genesys/detail/target/target.h"'}

_CLASS_COMMENT = text.comment(
    "Base of everything that can be called upon; `Self` says on whose behalf, and has "
    "`template <plan_id id> auto invoke(std::uint64_t...) const`, which gets every argument as Linux would find it in "
    "a register. Each method is called by exactly the lanes of the scope that `Self` is bound to, with equal "
    "arguments, and gives all of them the same result, a long: Linux's, or -errno; with a ticket, that is what its "
    "wait() gives, and posted calls give nothing. Pointers are the kernel's own, to any memory that it may use; what "
    "they point to belongs to the call until it is finished."
)


def _methods(calls):
    """Each call; before the first variant of one, the method that chooses among them."""
    known = set()
    for call in calls:
        if call.is_variant and call.base not in known:
            known.add(call.base)
            yield _choice(call.base, [other for other in calls if other.base == call.base])
        yield _method(call)


def _choice(base, variants):
    names = ", ".join(call.selector.value.name for call in variants)
    example = variants[0]
    masked = is_masked(example)
    chosen = f"chosen & {example.selector.mask:#x}" if masked else "chosen"
    as_given = ", chosen" if masked else ""
    values = [f"{f'({chosen})' if masked else chosen} == {call.selector.value.value:#x}" for call in variants]
    known = text.filled("        ", [f"{value} || " for value in values[:-1]] + [values[-1]], 8)
    arguments = ", ".join(arg.name for arg in example.args if not arg.value)
    about = text.comment(
        f"{base}(2) by its {example.selector.name}, a constant, which tells what the arguments are: "
        f"`{base}<{example.selector.value.name}>({arguments})`. Known are {names}; the methods below say what each "
        f"takes.{_other_bits(example)} (In a template whose `os` depends on a parameter, C++ wants "
        f"`os.template {base}<...>(...)`.)",
        "  ",
    )
    return f"""{about}  template <std::uint32_t chosen, class... Args>
  GENESYS_KERNEL auto {base}(Args... args) const {{
    constexpr bool known =
{known};
    constexpr bool right =
        requires(const calls& c, Args... given) {{ c.{base}_as(variant<{chosen}>(){as_given}, given...); }};
    static_assert(known, "genesys does not know this {example.selector.name} of {base}; those that it knows are in "
                         "table/{example.domain}.sys (it passes no pointer without knowing what Linux does with it)");
    static_assert(right || !known, "these are not the arguments of this {example.selector.name} of {base}: "
                                   "see table/{example.domain}.sys");
    if constexpr (right) return {base}_as(variant<{chosen}>(){as_given}, args...);
  }}
  template <class... Args>
  GENESYS_KERNEL auto {base}(Args...) const {{
    static_assert(sizeof...(Args) > args_max,
                  "the {example.selector.name} of {base} is a template argument: "
                  "{base}<{example.selector.value.name}>({arguments})");
    return 0L;
  }}
"""


def _other_bits(call):
    if not is_masked(call):
        return ""
    return f" Bits outside {call.selector.mask:#x} may be added to it."


def _method(call):
    parts = [call.text] + [about(arg) for arg in call.args if arg.is_pointer]
    if call.reason:
        parts.append(f"Unlike on the CPU, {call.reason}.")
    parts.append(f"Lanes: the scope's. Result: {RESULTS[call.result]}, or -errno. {call.base}(2).")
    parameters = ", ".join(parameter(arg) for arg in call.args if not arg.value)
    name = call.base
    if call.is_variant:
        constant = call.selector.value
        parts.insert(0, f"{call.base}<{constant.name}>({', '.join(arg.name for arg in call.args if not arg.value)}):")
        name = f"{call.base}_as"
        as_given = [f"std::uint32_t {call.selector.name}"] if is_masked(call) else []
        parameters = ", ".join([f"variant<{constant.value:#x}>", *as_given, *([parameters] if parameters else [])])
    arguments = ", ".join(
        f"{arg.value.value:#x}u" if arg.value and not is_masked(call) else arg.name for arg in call.args
    )
    begin = f"  GENESYS_KERNEL auto {name}({parameters}) const {{"
    body = f"return call<plan_id::{call.id}>({arguments});"
    method = f"{begin} {body} }}\n"
    if len(method) > text.WIDTH + 1:
        method = f"{_wrapped(begin)}\n{_wrapped('    ' + body)}\n  }}\n"
    return text.comment(" ".join(parts), "  ") + method


def is_masked(call):
    """Of a variant: its constant is only a part of the argument."""
    return call.is_variant and call.selector.mask != 0xFFFFFFFF


def _wrapped(line):
    """The line, or several: the others begin behind its parenthesis."""
    at = line.index("(") + 1
    return "\n".join(textwrap.wrap(line, text.WIDTH, subsequent_indent=" " * at, drop_whitespace=True,
                                   break_long_words=False, break_on_hyphens=False))


def about(arg):
    """What the caller has to know of a pointer."""
    may = " (or null)" if arg.optional else ""
    if arg.is_string:
        return f"`{arg.name}`{may} ends with a NUL."
    does = {"in": "read", "out": "written", "inout": "read and written"}[arg.direction]
    if arg.shared and not arg.nested:
        return f"`{arg.name}`{may}: in memory that both sides address at the same time (arena), else -EFAULT."
    if arg.nested:
        return _about_nested(arg, may, does)
    if arg.size_pointed:
        return f"`{arg.name}`{may}: room for `*{arg.size_arg}` bytes, which becomes the true length, be it more."
    if arg.size_at is not None:
        return f"`{arg.name}`{may}: {does}; says itself how long it is."
    if arg.is_buffer:
        header = f"{arg.header_bytes} + " if arg.header_bytes else ""
        unit = _UNITS.get(arg.type, f"of `{arg.struct.name}`" if arg.struct else "numbers")
        if arg.by_result:
            room = f"room for {header}`{arg.size_arg}` {unit}"
            return f"`{arg.name}`{may}: {room}; the result says how many were written."
        return f"`{arg.name}`{may}: {header}`{arg.size_arg}` {unit}, {does}."
    return f"`{arg.name}`{may}: {does}" + (", only if the result is -EINTR." if arg.written_on == "EINTR" else ".")


def _about_nested(arg, may, does):
    number = f"`{arg.size_arg}` of `{arg.struct.name}`" if arg.is_buffer else f"a `{arg.struct.name}`"
    if arg.shared:
        return f"`{arg.name}`{may}: {number}, which lead to memory that both sides address (arena), else -EFAULT."
    if arg.nested == "messages" and arg.direction == "inout":
        does = "read, and how much of each was carried written"
    result = "; the result says how much, in their order" if arg.by_result else ""
    leads = "they lead to" if arg.is_buffer else "it leads to"
    return f"`{arg.name}`{may}: {number}; what {leads}, in any memory, is {does}{result}."


_UNITS = {
    "bytes": "bytes",
    "sockaddr": "bytes",
    "bits": "bits, in words of 64",
    "pages": "bytes, one byte here for each page of 4096",
}


def parameter(arg):
    if arg.is_pointer:
        is_read = arg.direction == "in" or arg.nested == "vector"
        declared = ("const " if is_read else "") + f"{_pointed_to(arg)}* {arg.name}"
    else:
        declared = f"{VALUE_TYPES[arg.type].c_type} {arg.name}"
    if arg.default is None:
        return declared
    return f"{declared} = {'nullptr' if arg.default == 'null' else arg.default}"


def _pointed_to(arg):
    if arg.type in POINTED_VALUES:
        return POINTED_VALUES[arg.type][0]
    if arg.type in BUFFER_TYPES:
        return BUFFER_TYPES[arg.type].c_type
    return "char" if arg.is_string else arg.struct.c_type
