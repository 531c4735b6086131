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
        "The system calls as typed methods, named as in the manual pages. Each converts its arguments to 64-bit words, "
        "and passes them to its scope."
    )
    return f"""{text.head(purpose)}#pragma once

{includes}
#include <cstddef>
#include <cstdint>
#include <type_traits>

{own_includes}
// The manual pages name the headers that define these.
{types}
namespace genesys::detail::table {{

// Selects one of the variants of a call.
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

  // The argument as Linux expects it in a register: a signed integer is sign-extended.
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
    "The base of genesys::os and of the call site facades. `Self` holds the scope, and has `template <plan_id id> auto "
    "invoke(std::uint64_t...) const`, which receives each argument as Linux expects it in a register. Exactly the "
    "lanes of the scope call a method, all with equal arguments. Each of them gets the same result, a long: Linux's, "
    "or -errno. With a ticket, its wait() returns that result; a posted call returns nothing. A pointer may lead to "
    "any memory that the kernel may use. That memory belongs to the call until the call has finished."
)


def _methods(calls):
    """The method of each call. Before the first variant of a call comes the method that selects a variant."""
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
        f"{base}(2). Its {example.selector.name}, a constant, is a template argument and selects the other arguments: "
        f"`{base}<{example.selector.value.name}>({arguments})`. There are {names}; the methods below describe the "
        f"arguments of each.{_other_bits(example)} (In a template whose `os` depends on a parameter, C++ requires "
        f"`os.template {base}<...>(...)`.)",
        "  ",
    )
    # nvcc 13.0 finds no `requires` of a function with one overload to hold, if its result type is deduced.
    second = f"  void {base}_as() const = delete;  // for nvcc, which has to see two\n" if len(variants) == 1 else ""
    return f"""{about}  template <std::uint32_t chosen, class... Args>
  GENESYS_KERNEL auto {base}(Args... args) const {{
    constexpr bool known =
{known};
    constexpr bool right =
        requires(const calls& c, Args... given) {{ c.{base}_as(variant<{chosen}>(){as_given}, given...); }};
    static_assert(known, "genesys does not support this {example.selector.name} of {base}: table/{example.domain}.sys "
                         "lists those that it does (genesys passes Linux no pointer that it cannot check)");
    static_assert(right || !known, "wrong arguments for this {example.selector.name} of {base}: "
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
{second}"""


def _other_bits(call):
    if not is_masked(call):
        return ""
    return f" It may have further bits outside {call.selector.mask:#x}."


def _method(call):
    parts = [call.text] + [about(arg) for arg in call.args if arg.is_pointer]
    if call.reason:
        parts.append(f"Unlike on the CPU, {call.reason}.")
    parts.append(f"Lanes: all of the scope. Result: {RESULTS[call.result]}, or -errno. {call.base}(2).")
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
    """Whether the constant of a variant is only a part of the argument."""
    return call.is_variant and call.selector.mask != 0xFFFFFFFF


def _wrapped(line):
    """Wraps a line; later lines are indented to its first parenthesis."""
    at = line.index("(") + 1
    return "\n".join(textwrap.wrap(line, text.WIDTH, subsequent_indent=" " * at, drop_whitespace=True,
                                   break_long_words=False, break_on_hyphens=False))


def about(arg):
    """Tells the kernel's author what a pointer must lead to."""
    name = f"`{arg.name}`" + (" (or null)" if arg.optional else "")
    if arg.is_string:
        return f"{name}: a string that ends with a NUL."
    if arg.nested:
        return _about_nested(arg, name)
    if arg.shared:
        return f"{name}: in memory that both sides address at the same time, such as the arena; otherwise -EFAULT."
    if arg.size_pointed:
        return f"{name}: a buffer of `*{arg.size_arg}` bytes; Linux sets `*{arg.size_arg}` to the full length."
    if arg.is_buffer:
        if arg.by_result:
            return f"{name}: a buffer for {_counted(arg)}; the result counts those that Linux wrote."
        return f"{name}: {_counted(arg)}, {_DONE[arg.direction]} by Linux."
    done = f"{name}: {_DONE[arg.direction]} by Linux"
    if arg.size_at is not None:
        return f"{done}; holds its own length."
    return done + (", only if the result is -EINTR." if arg.written_on == "EINTR" else ".")


def _about_nested(arg, name):
    structures = _counted(arg) if arg.is_buffer else f"a `{arg.struct.name}`"
    leads = "they lead to" if arg.is_buffer else "it leads to"
    if arg.shared:
        data = f"the memory that {leads} must be addressed by both sides, such as the arena; otherwise -EFAULT"
        return f"{name}: {structures}; {data}."
    does = {"in": "reads", "out": "writes", "inout": "reads and writes"}[arg.direction]
    if arg.nested == "messages" and arg.direction == "inout":
        return f"{name}: {structures}; Linux reads the data that {leads}, in any memory, and writes how much it sent."
    data = f"{name}: {structures}; Linux {does} the data that {leads}, in any memory"
    return data + ("; the result counts the bytes, in their order." if arg.by_result else ".")


def _counted(arg):
    """The elements of a buffer, with their number."""
    number = (f"{arg.header_bytes} + " if arg.header_bytes else "") + f"`{arg.size_arg}`"
    return f"{number} {_UNITS.get(arg.type, f'`{arg.struct.name}` structures' if arg.struct else 'numbers')}"


_DONE = {"in": "read", "out": "written", "inout": "read and written"}
_UNITS = {
    "bytes": "bytes",
    "sockaddr": "bytes",
    "bits": "bits, in words of 64",
    "nodes": "bits and one more, in words of 64",
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
