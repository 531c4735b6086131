# SPDX-License-Identifier: Apache-2.0
"""checks.h: compares structures and constants of the table with the headers of the machine."""

import text
from read_shapes import size
from table import ARCHITECTURES

OUTPUT = "src/trace/generated/checks.h"


def emit(table):
    checked = [struct for struct in table.structs.values() if struct.header]
    headers = {struct.header for struct in checked}
    headers |= {constant.header for constant in table.constants.values() if constant.header}
    headers |= {known.header for known in (*table.sets.values(), *table.fields.values()) if known.header}
    includes = "".join(_include(header) for header in sorted(headers))
    sizes = "".join(_size(struct) for struct in checked)
    constants = "".join(_constant(constant) for constant in table.constants.values())
    sets = text.merged({key: _sets(table, key) for key in ARCHITECTURES})
    fields = text.merged({key: _fields(table, key) for key in ARCHITECTURES})
    purpose = (
        "Compares the table's structures and constants with the headers of the machine. Included by "
        "src/trace/checks.cpp only."
    )
    return f"""{text.head(purpose)}#pragma once

{includes}
#include <cstddef>
#include <cstdint>

#include "genesys/detail/table/generated/plans.h"

namespace genesys::detail {{

{sizes}
{constants}
// The sets by which the decoder prints. A constant may have the sign of an int.
{sets}
// The fields that the decoder prints.
{fields}
}}  // namespace genesys::detail
"""


def _include(header):
    if header.startswith("<genesys/"):
        return f'#include "{header[1:-1]}"\n'
    return f"#include {header}\n"


def _size(struct):
    return f"static_assert(sizeof({struct.c_type}) == object_bytes::{struct.name});\n"


# Headers differ in which constants they have: those that the preprocessor sees are compared.
def _constant(constant):
    name = constant.name
    return f"#if defined({name})\nstatic_assert(static_cast<std::uint32_t>({name}) == {constant.value:#x}u);\n#endif\n"


def _sets(table, key):
    values = {}
    for known in table.sets.values():
        for item in known.items:
            if known.header and not item.is_kernels and item.name not in table.constants:
                values[item.name] = item.values[key]
    return [_value(name, value) for name, value in values.items()]


def _value(name, value):
    if value is None:  # the architecture lacks it
        return ""
    value &= 0xFFFFFFFF
    return f"#if defined({name})\nstatic_assert(static_cast<std::uint32_t>({name}) == {value:#x}u);\n#endif\n"


def _fields(table, key):
    return [
        _field(table, known.c_type, field, key)
        for known in table.fields.values()
        if known.header
        for field in known.fields
        if field.c_name and field.shape.count
    ]


def _field(table, c_type, field, key):
    name, of = field.c_name, field.shape
    check = f"static_assert(offsetof({c_type}, {name}) == {field.offsets[key]});\n"
    if of.type in table.fields and of.type not in table.structs:
        return check  # the table has only some of its fields
    member = f"static_cast<{c_type}*>(nullptr)->{name}"
    return check + f"static_assert(sizeof({member}) == {size(table, of.type, key) * of.count});\n"
