# SPDX-License-Identifier: Apache-2.0
"""shapes.h: sets of constants, fields of structures and selections, by which the decoder prints arguments."""

import text
from read_shapes import size
from table import ARCHITECTURES, FIELD_TYPES, POINTED_VALUES, VALUE_TYPES

OUTPUT = "src/trace/generated/shapes.h"

# How types that only fields have are printed without a style.
_PLAIN = {"i8": "decimal", "i16": "decimal", "u8": "plain", "u16": "plain", "bytes": "text"}


def emit(table):
    tables = text.merged({key: _tables(table, key) for key in ARCHITECTURES})
    purpose = "How the decoder prints arguments, see trace/shown.h. Included by src/trace/ only."
    return f"""{text.head(purpose)}#pragma once

#include "trace/shown.h"

namespace genesys::trace {{

{tables}
// The indexes of sets and structures.
namespace set_of {{
{_indexes(table.sets)}}}  // namespace set_of
namespace structure_of {{
{_indexes(table.fields)}}}  // namespace structure_of

}}  // namespace genesys::trace
"""


def _tables(table, key):
    parts = [_set_items(known, key) for known in table.sets.values()]
    parts.append(_array("constant_set sets", [_set(known, key) for known in table.sets.values()]))
    for known in table.fields.values():
        parts.append(_fields(table, known, key))
    parts.append(_array("structure structures", [_structure(table, known, key) for known in table.fields.values()]))
    for known in table.selections.values():
        cases = [
            f"{{{item.values[key]}, {mask_of(item, key):#x}, {shape(table, of, key)}}}" for item, of in known.cases
        ]
        parts.append(_array(f"selection_case cases_of_{known.name}", cases))
    parts.append(_array("selection selections", [_selection(table, known, key) for known in table.selections.values()]))
    return parts


def _indexes(names):
    return "".join(f"inline constexpr std::int16_t {name} = {place};\n" for place, name in enumerate(names))


def _array(begin, items):
    lines = "".join(text.wrapped(f"    {item},", 5) + "\n" for item in items)
    one_line = f"inline constexpr {begin}[] = {{{', '.join(items)}}};\n"
    if len(one_line) <= text.WIDTH:
        return one_line
    return f"inline constexpr {begin}[] = {{\n{lines}}};\n"


def _set_items(known, key):
    items = []
    for item in known.items:
        value = item.values[key]
        if value is not None:
            items.append(f'{{"{item.name}", {value}, {mask_of(item, key):#x}}}')
    return _array(f"set_item items_of_{known.name}", items)


def mask_of(item, key):
    """The bits that the item gives a value to."""
    return (item.values[key] if item.mask is None else item.mask) & 0xFFFFFFFFFFFFFFFF


def _set(known, key):
    count = sum(item.values[key] is not None for item in known.items)
    unknown = f'"{known.unknown}"' if known.unknown else "nullptr"
    flags = f"{str(known.is_choice).lower()}, {str(known.octal_rest).lower()}"
    return f"{{{unknown}, items_of_{known.name}, {count}, {flags}}}"


def shape(table, of, key):
    """The C++ of a Shape."""
    bytes_of_one = size_of(table, of.type, key)
    style = of.style or ("signal" if of.type == "signal" and "signal" in table.sets else None)
    if style is None and of.type in table.fields:
        style = of.type
    if style in table.fields:
        as_, index = "object", list(table.fields).index(style)
        bytes_of_one = size(table, style, key)
    elif style in table.sets:
        as_, index = "set", list(table.sets).index(style)
    elif style in table.selections:
        as_, index = "selected", list(table.selections).index(style)
    else:
        as_, index = style or (VALUE_TYPES[of.type].shown if of.type in VALUE_TYPES else _PLAIN[of.type]), -1
    fields = [f"shown::{as_}", str(bytes_of_one)]
    fields += [str(index)] if index >= 0 or of.count != 1 else []
    fields += [str(of.count)] if of.count != 1 else []
    return f"{{{', '.join(fields)}}}"


def size_of(table, type_name, key):
    if type_name in FIELD_TYPES:
        return FIELD_TYPES[type_name]
    if type_name in POINTED_VALUES:
        return POINTED_VALUES[type_name][1]
    if type_name in VALUE_TYPES:
        return 4
    return size(table, type_name, key) if type_name in table.structs or type_name in table.fields else 1


def condition(known, index_of, bytes_of, key):
    """The C++ of a Condition. `index_of` and `bytes_of` give the place and the size of what it depends on."""
    if known is None:
        return None
    bits = (1 << 8 * bytes_of(known.on)) - 1
    pairs = [f"{{{mask_of(item, key) & bits:#x}, {item.values[key] & bits:#x}}}" for item in known.items]
    return f"{{{index_of(known.on)}, {str(known.is_negative).lower()}, {len(pairs)}, {{{', '.join(pairs)}}}}}"


def _fields(table, known, key):
    names = [field.name for field in known.fields]
    items = []
    for field in known.fields:
        bytes_of = {other.name: size(table, other.shape.type, key) for other in known.fields}
        only = condition(field.condition, names.index, bytes_of.get, key)
        parts = [f'"{field.name}"', str(field.offsets[key]), str(field.more).lower(), shape(table, field.shape, key)]
        items.append(f"{{{', '.join(parts + ([only] if only else []))}}}")
    cases = [f"{{{value}, {list(table.fields).index(of)}}}" for value, of in known.cases]
    more = _array(f"structure_case cases_of_{known.name}", cases) if cases else ""
    return _array(f"field fields_of_{known.name}", items) + more


def _structure(table, known, key):
    parts = [f"fields_of_{known.name}", str(len(known.fields)), str(size(table, known.name, key))]
    if known.selector:
        names = [field.name for field in known.fields]
        other = list(table.fields).index(known.otherwise) if known.otherwise else -1
        parts += [str(names.index(known.selector)), f"cases_of_{known.name}", str(len(known.cases)), str(other)]
    elif known.is_dated:
        parts += ["-1", "nullptr", "0", "-1", "true"]
    return f"{{{', '.join(parts)}}}"


def _selection(table, known, key):
    places = {
        [arg.name for arg in call.args].index(known.by)
        for call in table.planned
        if any(arg.style and _leads_to(table, arg.style, known.name) for arg in call.args)
    }
    place = places.pop() if len(places) == 1 else 0
    other = shape(table, known.otherwise, key)
    return f"{{{place}, cases_of_{known.name}, {len(known.cases)}, {other}}}"


def _leads_to(table, style, name):
    """Whether a style is the selection, or a selection that may choose it."""
    if style == name or style not in table.selections:
        return style == name
    selection = table.selections[style]
    shapes = [of for _, of in selection.cases] + [selection.otherwise]
    return any(_leads_to(table, of.style, name) for of in shapes if of.style)
