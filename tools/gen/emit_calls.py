# SPDX-License-Identifier: Apache-2.0
"""calls.h: each call as a typed method."""

import text
from table import VALUE_TYPES

OUTPUT = "include/genesys/detail/generated/calls.h"

RESULTS = {
    "fd": "a descriptor",
    "size": "a number of bytes",
    "off": "the new position",
    "int": "a number",
    "zero": "0",
    "address": "an address",
}


def emit(table):
    headers = {"<sys/types.h>"} | {struct.header for struct in table.structs.values()}
    includes = "".join(f"#include {header}\n" for header in sorted(headers))
    checks = "".join(f"static_assert(sizeof({_struct(name)}) == object_bytes::{name});\n" for name in table.structs)
    methods = "\n".join(_method(call) for call in table.planned)
    purpose = (
        "The system calls as typed methods, in the words of the manual pages. They only turn arguments into 64-bit "
        "words, and call the scope they are part of."
    )
    return f"""{text.head(purpose)}#pragma once

{includes}
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "genesys/detail/generated/plans.h"
#include "genesys/detail/target.h"

namespace genesys::detail {{

// The header's structures are Linux's own.
{checks}
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

}}  // namespace genesys::detail
"""


_CLASS_COMMENT = text.comment(
    "Base of everything that can be called upon; `Self` says on whose behalf, and has "
    "`template <plan_id id> auto invoke(std::uint64_t...) const`, which gets every argument as Linux would find it in "
    "a register. Each method is called by exactly the lanes of the scope that `Self` is bound to, with equal "
    "arguments, and gives all of them the same result, a long: Linux's, or -errno; with a ticket, that is what its "
    "wait() gives, and posted calls give nothing. Pointers are the kernel's own, to any memory that it may use; what "
    "they point to belongs to the call until it is finished."
)


def _method(call):
    parts = [call.text] + [_about(arg) for arg in call.args if arg.is_pointer]
    if call.reason:
        parts.append(f"Unlike on the CPU, {call.reason}.")
    parts.append(f"Lanes: the scope's. Result: {RESULTS[call.result]}, or -errno. {call.name}(2).")
    parameters = ", ".join(_parameter(arg) for arg in call.args)
    arguments = ", ".join(arg.name for arg in call.args)
    begin = f"  GENESYS_KERNEL auto {call.name}({parameters}) const {{"
    body = f"return call<plan_id::{call.name}>({arguments});"
    method = f"{begin} {body} }}\n"
    if len(method) > text.WIDTH + 1:
        method = f"{begin}\n    {body}\n  }}\n"
    return text.comment(" ".join(parts), "  ") + method


def _about(arg):
    """What the caller has to know of a pointer."""
    may = " (or null)" if arg.optional else ""
    if arg.type == "str":
        return f"`{arg.name}`{may} ends with a NUL."
    does = {"in": "read", "out": "written", "inout": "read and written"}[arg.direction]
    if arg.by_result:
        return f"`{arg.name}`{may}: room for `{arg.size_arg}` bytes; the result says how many were written."
    if arg.type == "bytes":
        return f"`{arg.name}`{may}: `{arg.size_arg}` bytes, {does}."
    return f"`{arg.name}`{may}: {does}" + (", only if the result is -EINTR." if arg.on_eintr else ".")


def _parameter(arg):
    if arg.is_pointer:
        pointed_to = {"str": "char", "bytes": "void"}.get(arg.type) or _struct(arg.type)
        declared = ("const " if arg.direction == "in" else "") + f"{pointed_to}* {arg.name}"
    else:
        declared = f"{VALUE_TYPES[arg.type].c_type} {arg.name}"
    if arg.default is None:
        return declared
    return f"{declared} = {'nullptr' if arg.default == 'null' else arg.default}"


def _struct(name):
    return f"struct ::{name}"
