# SPDX-License-Identifier: Apache-2.0
"""names.h: the names of calls and arguments, and how the decoder prints each argument."""

import text
from emit_shapes import condition, shape, size_of
from table import ARCHITECTURES, BUFFER_TYPES, Shape

OUTPUT = "src/trace/generated/names.h"

# How results are printed: the type of a field.
_RESULTS = {"fd": "fd", "size": "off", "off": "off", "int": "long", "zero": "int", "address": "address"}
# What buffers hold whose argument says nothing of it.
_BUFFERS = {"bytes": Shape("bytes", None, 0), "sockaddr": Shape("sockaddr"), "bits": Shape("bytes", "words", 0),
            "nodes": Shape("bytes", "words", 0),
            "pages": Shape("u8", None, 0)}

def emit(table):
    names = text.merged({key: [_names(table, call, key) for call in table.planned] for key in ARCHITECTURES})
    purpose = "Names of calls and arguments, and how to print them. Included by src/trace/decode.cpp only."
    return f"""{text.head(purpose)}#pragma once

#include "genesys/detail/table/generated/plans.h"
#include "trace/generated/shapes.h"
#include "trace/shown.h"

namespace genesys::trace {{

// In the order of plan_id.
inline constexpr call_names names[detail::plan_count] = {{
{names}}};

}}  // namespace genesys::trace
"""


def _names(table, call, key):
    args = [_arg(table, call, arg, key) for arg in call.args]
    result = shape(table, Shape(_RESULTS[call.result], call.result_style), key)
    return text.wrapped(f'    {{"{call.base}", {result}, {{{", ".join(args)}}}}},', 5) + "\n"


def _arg(table, call, arg, key):
    fields = [f'"{arg.name}"', shape(table, shape_of(table, arg), key)]
    extra = {
        "is_hidden": "true" if arg.hidden else None,
        "when": _when(arg),
        "only": condition(arg.condition, call.index, lambda name: size_of(table, _type_of(call, name), key), key),
        "constant": f'"{arg.value.name}"' if arg.value and not arg.style else None,
    }
    fields += [f".{name} = {value}" for name, value in extra.items() if value]
    if len(fields) > 2:
        fields[:2] = [f".name = {fields[0]}", f".as = {fields[1]}"]
    return f"{{{', '.join(fields)}}}"


def _when(arg):
    if arg.filled:
        return f"printed_when::{arg.filled}"
    return "printed_when::before" if arg.before else "printed_when::both" if arg.both else None


def _type_of(call, name):
    return next(arg.type for arg in call.args if arg.name == name)


def shape_of(table, arg):
    """The shape of a value, or of what a pointer leads to."""
    if not arg.is_pointer:
        return Shape(arg.type, arg.style)
    if arg.type == "path":
        return Shape("bytes", "path", 0)
    if arg.is_string or arg.nested:
        return Shape("bytes", None, 0)
    if arg.type in BUFFER_TYPES:
        return _buffer(table, arg)
    if arg.struct and arg.type not in table.fields:
        return Shape("int", arg.style) if arg.style else Shape("bytes", None, 0)
    of = arg.type
    # A single number is printed as an array of one.
    count = 0 if arg.is_buffer or of not in table.fields else arg.elements
    return Shape(of, arg.style, count)


def _buffer(table, arg):
    if arg.style in table.fields:
        return Shape(arg.style)
    return Shape(_BUFFERS[arg.type].type, arg.style, _BUFFERS[arg.type].count)
