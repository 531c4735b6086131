# SPDX-License-Identifier: Apache-2.0
"""Reads how the decoder prints arguments: sets of constants, fields of structures, selections. Used by read_table.py.

docs/table-format.md explains these entries. An error names the line and what the reader expected.
"""

from dataclasses import replace

from table import (
    ARCHITECTURES,
    Condition,
    ConstantSet,
    FIELD_TYPES,
    Field,
    Fields,
    Selection,
    SetItem,
    Shape,
    STYLES,
)


def read_set(entry, table):
    kind = entry.take("word", "'flags' or 'choice'").value
    name = entry.take("word", "the name of a set")
    if name.value in table.sets or name.value in STYLES:
        entry.fail(f"set {name} is in the table twice; expected another name", name)
    unknown = entry.take("text", "").value[1:-1] if entry.peek().kind == "text" else None
    header = entry.take("header", "").value if entry.peek().kind == "header" else None
    octal_rest = entry.take_if("octal")
    items, mask = [], None
    while entry.peek().kind != "end":
        if kind == "flags" and entry.take_if("under"):
            mask = _number(entry, "the bits that together have a value")
        elif kind == "flags" and entry.take_if("bits"):
            mask = None
        else:
            items.append(_read_item(entry, mask))
    if not items:
        entry.fail(f"set {name} is empty; expected the names and values of its constants", name)
    table.sets[name.value] = ConstantSet(name.value, kind == "choice", unknown, header, tuple(items), octal_rest)


def _read_item(entry, mask):
    name = entry.take("word", "the name of a constant").value
    values = _read_by_architecture(entry, "its value")
    return SetItem(name, values, mask, entry.take_if("kernel"))


def _read_by_architecture(entry, what):
    """Reads `7`, or `x86-64:7 arm64:none`."""
    if entry.peek().kind == "number":
        return dict.fromkeys(ARCHITECTURES, _number(entry, what))
    values = {}
    for architecture in ARCHITECTURES:
        if not entry.take_if(architecture):
            expected = f"expected {what}, or '{architecture}:NUMBER'"
            entry.fail(f"unexpected {entry.peek()}; {expected}", entry.peek())
        entry.need(":")
        values[architecture] = None if entry.take_if("none") else _number(entry, what)
    return values


def read_style(entry, table):
    """Reads the `<set>` after a type; None: there is none."""
    if entry.peek().kind != "header":
        return None
    token = entry.take("header", "<a set>")
    style = token.value[1:-1]
    if style not in (*STYLES, *table.sets, *table.selections, *table.fields):
        expected = f"expected a set, a selection, a structure with fields, or one of {', '.join(STYLES)}"
        entry.fail(f"unknown set {token}; {expected}", token)
    return style


def read_condition(entry, table, styles):
    """Reads `if flags O_CREAT ...` or `unless ...`. `styles`: by argument or field, its set."""
    negative = entry.peek().value == "unless"
    if not entry.take_if("if") and not entry.take_if("unless"):
        return None
    on = entry.take("word", "an argument or field in front of it")
    known = table.sets.get(styles.get(on.value))
    if on.value in styles and entry.peek().kind == "number":
        value = _number(entry, "a value")
        return Condition(on.value, negative, (SetItem("", dict.fromkeys(ARCHITECTURES, value), -1),))
    if known is None:
        entry.fail(f"unexpected {on} in a condition; expected an argument or field in front of it with a set", on)
    items = []
    while not items or entry.peek().kind == "word" and _item(known, entry.peek().value):
        word = entry.take("word", f"a constant of the set '{known.name}'")
        item = _item(known, word.value)
        if item is None:
            entry.fail(f"unexpected {word}; expected a constant of the set '{known.name}'", word)
        items.append(item)
    return Condition(on.value, negative, tuple(items))


def _item(known, name):
    return next((item for item in known.items if item.name == name), None)


def read_fields(entry, table):
    entry.need("fields")
    name = entry.take("word", "the name of a structure")
    if name.value in (*STYLES, *table.sets, *table.fields):
        entry.fail(f"the fields of {name} are in the table twice; expected them once", name)
    struct = table.structs.get(name.value)
    header = entry.take("header", "").value if entry.peek().kind == "header" else struct.header if struct else None
    c_type = struct.c_type if struct else f"struct ::{name.value}"
    is_dated = entry.take_if("dated")
    entry.need("(")
    fields, ends = [], dict.fromkeys(ARCHITECTURES, 0)
    while not entry.take_if(")"):
        if fields:
            entry.need(",")
        fields.append(_read_field(entry, table, fields, ends))
    selector, cases, otherwise = None, [], None
    if entry.take_if("then"):
        token = entry.take("word", "the field that says which fields follow")
        selector = token.value
        by = next((field for field in fields if field.name == selector), None)
        known = table.sets.get(by.shape.style) if by else None
        if known is None:
            entry.fail(f"unexpected {token}; expected a field of this structure that has a set", token)
        while entry.peek().kind != "end":
            if entry.take_if("else"):
                otherwise = _name_of_fields(entry, table)
                break
            item = _need_item(entry, known)
            cases.append((item.values[ARCHITECTURES[0]], _name_of_fields(entry, table)))
    _need_end(entry)
    table.fields[name.value] = Fields(
        name.value, header, c_type, tuple(fields), is_dated, selector, tuple(cases), otherwise
    )


def _read_field(entry, table, fields, ends):
    name = entry.take("word", "a field: its name, its type")
    shape = _read_shape(entry, table)
    if entry.take_if("@"):
        offsets = _read_by_architecture(entry, "its offset")
    else:
        align = alignment(table, shape.type)
        offsets = {key: -(-end // align) * align for key, end in ends.items()}
    for key in ARCHITECTURES:
        ends[key] = offsets[key] + size(table, shape.type, key) * max(shape.count, 1)
    c_name = name.value
    if entry.take_if("as"):
        c_name = entry.take("word", "its name in C").value
        while entry.take_if("."):
            c_name += "." + entry.take("word", "a field").value
    if entry.take_if("unchecked"):
        c_name = None
    more = entry.take_if("more")
    styles = {field.name: field.shape.style for field in fields} | {name.value: shape.style}
    condition = read_condition(entry, table, styles)
    return Field(name.value, shape, offsets, c_name, more, condition)


def _read_shape(entry, table):
    token = entry.take("word", "the type of a field")
    if token.value not in FIELD_TYPES and token.value not in table.fields:
        expected = f"expected one of {', '.join([*FIELD_TYPES, *table.fields])}"
        entry.fail(f"unknown type {token} of a field; {expected}", token)
    style, count = read_style(entry, table), 1
    if entry.take_if("["):
        count = 0 if entry.peek().value == "]" else _number(entry, "how many there are")
        entry.need("]")
    return Shape(token.value, style, count)


def size(table, type_name, architecture):
    if type_name in FIELD_TYPES:
        return FIELD_TYPES[type_name]
    if type_name in table.structs:
        return table.structs[type_name].sizes[architecture]
    fields = table.fields[type_name].fields
    end = max(f.offsets[architecture] + size(table, f.shape.type, architecture) * f.shape.count for f in fields)
    align = alignment(table, type_name)
    return -(-end // align) * align


def alignment(table, type_name):
    if type_name in FIELD_TYPES:
        return FIELD_TYPES[type_name]
    return max((alignment(table, field.shape.type) for field in table.fields[type_name].fields), default=1)


def _name_of_fields(entry, table):
    token = entry.take("word", "a structure with fields")
    if token.value not in table.fields:
        entry.fail(f"unknown structure {token}; expected one whose fields are in the table", token)
    return token.value


def _need_item(entry, known):
    token = entry.take("word", f"a constant of the set '{known.name}', or 'else'")
    item = _item(known, token.value)
    if item is None:
        entry.fail(f"unexpected {token}; expected a constant of the set '{known.name}', or 'else'", token)
    return item


def read_selection(entry, table):
    """Reads `either NAME by ARGUMENT<set> CONSTANT SHAPE ... else SHAPE`."""
    entry.need("either")
    token = entry.take("word", "the name of a selection")
    name = token.value
    if name in (*STYLES, *table.sets, *table.fields, *table.selections):
        entry.fail(f"{token} is in the table twice; expected another name", token)
    entry.need("by")
    by = entry.take("word", "the argument that selects").value
    known = table.sets.get(read_style(entry, table))
    if known is None:
        entry.fail("a selection needs the set of its argument; expected '<set>'", entry.peek())
    cases = []
    while not entry.take_if("else"):
        item = _need_item(entry, known)
        cases.append((item if not known.is_choice else replace(item, mask=-1), _read_shape(entry, table)))
    otherwise = _read_shape(entry, table)
    _need_end(entry)
    table.selections[name] = Selection(name, by, tuple(cases), otherwise)


def _number(entry, what):
    token = entry.take("number", what)
    return int(token.value, 16 if token.value.startswith("0x") else 10)


def _need_end(entry):
    if entry.peek().kind != "end":
        entry.fail(f"unexpected {entry.peek()}; expected the end of the entry", entry.peek())
