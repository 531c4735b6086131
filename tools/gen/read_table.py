# SPDX-License-Identifier: Apache-2.0
"""Reads table/*.sys into a Table (table.py), and checks it. An error names the line and what the reader expected."""

from pathlib import Path

from table import (
    ARCHITECTURES,
    ARGS_MAX,
    Arg,
    BUFFER_TYPES,
    CLASSES,
    Call,
    Constant,
    DESCRIPTOR_KINDS,
    DIRECTIONS,
    EXCEPTS_MAX,
    FLAGS,
    NESTED,
    NUMBER_MAX,
    OPCODE_MAX,
    Opcode,
    POINTED_VALUES,
    POLICY_FLAGS,
    RESULTS,
    ROLES,
    SHARED,
    SIZE_TYPES,
    STRINGS_MAX,
    STRING_TYPES,
    StructType,
    Table,
    URING_FIELDS,
    VALUE_TYPES,
    WRITTEN_ON,
    buffer_type,
)
from read_shapes import read_condition, read_fields, read_selection, read_set, read_style
from tokens import TableError, read_entries


def read_table(folder, shown_as="table"):
    """Returns the table, and a TableError for each wrong entry. `shown_as` is the name of the folder in messages."""
    table, errors, entries = Table(), [], []
    for path in sorted(Path(folder).glob("*.sys")):
        try:
            entries += read_entries(f"{shown_as}/{path.name}", path.read_text(encoding="utf-8"))
        except TableError as error:
            errors.append(error)
    # What a call may name from any file comes first, and a selection after the structures that it names.
    readers = {
        "struct": _read_struct,
        "const": _read_constant,
        "opcode": _read_opcode,
        "flags": read_set,
        "choice": read_set,
        "fields": read_fields,
        "either": read_selection,
    }
    order = {word: place for place, word in enumerate(readers)}
    entries.sort(key=lambda entry: order.get(entry.peek().value, len(order)))
    for entry in entries:
        try:
            readers.get(entry.peek().value, _read_call)(entry, table)
        except TableError as error:
            errors.append(error)
    return table, errors


def _read_struct(entry, table):
    entry.need("struct")
    name = entry.take("word", "the name of a struct")
    if name.value in _known_types(table):
        entry.fail(f"type {name} is in the table twice; expected each type once", name)
    sizes = {}
    while entry.peek().kind == "word" and entry.peek().value not in NESTED:
        key = entry.take("word", "an architecture")
        _read_number(entry, key, sizes, 0xFFFF, "a size in bytes")
    _need_all_architectures(entry, sizes, "size")
    header = entry.take("header", "").value if entry.peek().kind == "header" else None
    c_type = f"struct ::{name.value}"
    if header and entry.take_if("as"):
        c_type = "::" + entry.take("word", "the name of its C type").value
    nested, length_bytes = None, 8
    if entry.peek().kind != "end":
        nested = _one_of(entry, NESTED, "kind of structure with pointers")
        if nested == "vector" and entry.take_if("("):
            length_bytes = _number(entry, "the bytes of its length", 8)
            entry.need(")")
    _need_end(entry)
    table.structs[name.value] = StructType(name.value, sizes, header, c_type, nested, length_bytes)


def _read_constant(entry, table):
    entry.need("const")
    name = entry.take("word", "the name of a constant")
    if name.value in table.constants:
        entry.fail(f"constant {name} is in the table twice; expected each constant once", name)
    value = _number(entry, "its value", 0xFFFFFFFF)
    header = entry.take("header", "").value if entry.peek().kind == "header" else None
    _need_end(entry)
    table.constants[name.value] = Constant(name.value, value, header)


def _read_opcode(entry, table):
    entry.need("opcode")
    name = entry.take("word", "the name of an opcode, without IORING_OP_")
    if name.value in table.opcodes:
        entry.fail(f"opcode {name} is in the table twice; expected each opcode once", name)
    token = entry.peek()
    number = _number(entry, "its number", OPCODE_MAX)
    for other in table.opcodes.values():
        if other.number == number:
            entry.fail(f"number {token} belongs to opcode '{other.name}'; expected another number", token)
    entry.need("since")
    major = _number(entry, "the first version of Linux that has it", 255)
    entry.need(".")
    minor = _number(entry, "the second part of that version", 255)
    _need_end(entry)
    table.opcodes[name.value] = Opcode(name.value, number, (major, minor), entry.file)


def _known_types(table):
    return [*dict.fromkeys([*VALUE_TYPES, *POINTED_VALUES]), *STRING_TYPES, *BUFFER_TYPES, *sorted(table.structs)]


def _read_call(entry, table):
    name = entry.take("word", "the name of a call, or 'struct'")
    call = Call(name.value, entry.file, entry.line)
    for known in table.calls:
        if known.name == call.name:
            entry.fail(f"call {name} is also at {known.file}:{known.line}; expected each call once", name)
    entry.need("(")
    while not entry.take_if(")"):
        if call.args:
            if entry.peek().value != ",":
                entry.fail(f"unexpected {entry.peek()}; expected ',' or ')' after an argument", entry.peek())
            entry.need(",")
        call.args.append(_read_arg(entry, table, call))
    call.result = _one_of(entry, RESULTS, "result type")
    call.result_style = read_style(entry, table)
    domain = entry.take("word", "a domain")
    call.domain = entry.file.rsplit("/", 1)[-1][: -len(".sys")]
    if domain.value != call.domain:
        entry.fail(f"domain {domain} is in {entry.file}; expected '{call.domain}', the name of the file", domain)
    while entry.peek().kind == "word":
        _read_attribute(entry, call, table)
    call.text = entry.take("text", "an attribute, or a sentence in quotes that says what the call does").value[1:-1]
    if not call.text.endswith(".") or not call.text[0].isupper():
        entry.fail(f"unexpected text \"{call.text}\"; expected a sentence with a capital first and a full stop last")
    _need_end(entry)
    _check_call(entry, call, table)
    table.calls.append(call)


def _read_arg(entry, table, call):
    name = entry.take("word", "an argument: its name, a direction if it is a pointer, its type")
    if len(call.args) == ARGS_MAX:
        entry.fail(f"unexpected argument {name}; expected at most {ARGS_MAX}", name)
    if any(arg.name == name.value for arg in call.args):
        entry.fail(f"there are two arguments {name}; expected another name", name)
    arg = Arg(name.value, name.line, "")
    for direction in DIRECTIONS:
        if entry.take_if(direction):
            arg.direction = direction
            arg.optional = entry.take_if("?")
            break
    if not arg.direction and entry.take_if(SHARED):
        arg.direction, arg.shared = "inout", True
        arg.optional = entry.take_if("?")
    arg.type = _one_of(entry, _known_types(table), "argument type")
    if not arg.direction and arg.type not in VALUE_TYPES:
        expected = f"expected {_listed([*DIRECTIONS, SHARED])} before '{arg.type}'"
        entry.fail(f"argument {name} has no direction; {expected}", name)
    if arg.direction and arg.type in VALUE_TYPES and arg.type not in POINTED_VALUES:
        entry.fail(f"argument {name} is a value; expected no direction before '{arg.type}'", name)
    arg.struct = table.structs.get(arg.type)
    if arg.type == "const":
        arg.value = _read_const(entry, table)
    arg.style = read_style(entry, table)
    if arg.type == "const":
        if entry.take_if("under"):
            arg.mask = _number(entry, "a mask", 0xFFFFFFFF)
            if arg.value.value & ~arg.mask:
                expected = "expected a mask with all of its bits"
                entry.fail(f"constant {arg.value.name} has bits outside its mask; {expected}", name)
    if arg.is_string and arg.direction != "in":
        entry.fail(f"argument {name} is a string that Linux writes; expected 'in', or 'bytes' for a buffer", name)
    if arg.direction:
        _read_measure(entry, arg)
    if arg.type == "path":
        arg.nofollow = entry.take_if("nofollow")
        if entry.take_if("unless"):
            arg.unless = entry.take("word", "the argument that may say otherwise").value
            arg.unless_flag = _constant(entry, table)
    if arg.shared and not (arg.type in POINTED_VALUES or arg.nested == "vector"):
        entry.fail(f"argument {name} is shared; expected a pointer to a number or a vector", name)
    if entry.take_if("->"):
        entry.need("ret")
        arg.by_result = True
        measured = (arg.is_buffer and buffer_type(arg).per == 1) or arg.nested == "vector"
        if not measured or arg.size_pointed or arg.direction == "in":
            expected = "expected it only after a counted 'out' or 'inout' buffer, such as 'inout bytes[...]'"
            entry.fail(f"unexpected '-> ret' after argument {name}; {expected}", name)
    if entry.take_if("on"):
        arg.written_on = _one_of(entry, WRITTEN_ON, "error")
        direction = {"EINTR": "out", "any": "inout"}[arg.written_on]
        if arg.is_buffer or arg.is_string or arg.direction != direction:
            expected = "expected 'on EINTR' only after an 'out' structure, 'on any' only after an 'inout' structure"
            entry.fail(f"unexpected 'on {arg.written_on}' after argument {name}; {expected}", name)
    if entry.take_if("="):
        arg.default = _read_default(entry, arg)
    elif call.args and call.args[-1].default is not None:
        entry.fail(f"argument {name} has no default, but the argument before it has one; expected '= ...'", name)
    arg.hidden = entry.take_if("hidden")
    arg.before = entry.take_if("before")
    arg.both = entry.take_if("both")
    if entry.take_if("filled"):
        arg.filled = "positive" if entry.take_if("positive") else "success"
    arg.condition = read_condition(entry, table, {known.name: known.style for known in call.args})
    return arg


def _read_measure(entry, arg):
    """Reads the brackets after a type: `[2]`, `[count]`, `[*length]`, `[8 + count]`, `[@0 least 48]`, `[8 + @0]`."""
    must = arg.type in BUFFER_TYPES
    if must:
        entry.need("[")
    elif arg.is_string or not entry.take_if("["):
        return
    if entry.peek().kind == "number":
        count = _number(entry, "a number", 64)
        if entry.take_if("+"):
            arg.header_bytes = count
        else:
            arg.elements = count
            if must:
                expected = "expected the argument that counts them"
                entry.fail(f"argument '{arg.name}' is {count} '{arg.type}'; {expected}", arg)
            entry.need("]")
            return
    if arg.struct and entry.take_if("@"):
        arg.size_at = _number(entry, "where the structure says how long it is", 64)
        if entry.take_if("least"):
            arg.size_least = _number(entry, "how much Linux reads in any case", 4096)
    else:
        arg.size_pointed = entry.take_if("*")
        arg.size_arg = entry.take("word", "the argument that says how many bytes").value
    entry.need("]")


def _read_const(entry, table):
    token = entry.take("header", "<the name of a constant>")
    known = table.constants.get(token.value[1:-1])
    if known is None:
        entry.fail(f"unknown constant {token}; expected a constant of a line 'const NAME VALUE'", token)
    return known


def _read_default(entry, arg):
    if not arg.is_pointer:
        return entry.take("number", "a number as default").value
    if not arg.optional:
        token = entry.peek()
        entry.fail(f"argument '{arg.name}' has a default but must not be null; expected '{arg.direction}?'", token)
    entry.need("null")
    return "null"


def _read_attribute(entry, call, table):
    word = entry.take("word", "an attribute")

    def once(field_name, value):
        if getattr(call, field_name):
            entry.fail(f"unexpected {word}; expected only one {field_name.replace('call_', '')}", word)
        setattr(call, field_name, value)

    def arg_of_type(types):
        arg_name = entry.take("word", "the name of an argument")
        arg = next((arg for arg in call.args if arg.name == arg_name.value), None)
        if arg is None or arg.type not in types:
            expected = f"expected an argument of type {_listed(types)}"
            entry.fail(f"unexpected {arg_name} in '{word.value}(...)'; {expected}", arg_name)
        return arg.name

    if word.value in ARCHITECTURES:
        _read_number(entry, word, call.numbers, NUMBER_MAX, "a call number", or_none=True)
    elif word.value in ROLES:
        once("role", word.value)
    elif word.value in FLAGS + POLICY_FLAGS:
        once(word.value, True)
    elif word.value == "split":
        entry.need("(")
        once("split", arg_of_type(["off"]))
        entry.need(")")
    elif word.value == "waits":
        entry.need("(")
        once("waits", arg_of_type(["fd"]))
        call.waits_direction = _one_of(entry, ("in", "out"), "direction")
        if entry.take_if("unless"):
            call.unless = arg_of_type(["flags"])
            while not call.unless_flags or entry.peek().kind == "word":
                call.unless_flags |= _constant(entry, table)
        entry.need(")")
    elif word.value in ("uring", "direct"):
        entry.need("(")
        once("uring", table.opcodes[_one_of(entry, table.opcodes, "opcode")])
        call.uring_by_workers = word.value == "uring"
        call.uring_on = ["file"] if call.uring_by_workers else []
        while not entry.take_if(")"):
            if call.uring_by_workers or not _read_direct_condition(entry, call, table):
                _read_uring_field(entry, call)
    elif word.value == "except":
        entry.need("(")
        pair = [(arg_of_type(["int"]), _constant(entry, table)) for _ in range(2)]
        entry.need(")")
        names = [name for name, _ in pair]
        if call.except_args not in (None, names) or len(call.excepts) == EXCEPTS_MAX:
            entry.fail(f"unexpected {word}; expected up to {EXCEPTS_MAX}, all with the same arguments", word)
        call.except_args = names
        call.excepts.append([value for _, value in pair])
    elif word.value == "paper":
        entry.need("(")
        once("paper", entry.take("text", "the verdict, in quotes").value[1:-1])
        entry.need(")")
    elif word.value in CLASSES:
        once("call_class", word.value)
        if word.value != "ready":
            entry.need("(")
            call.reason = entry.take("text", "the reason, in quotes").value[1:-1]
            entry.need(")")
    else:
        numbers = [f"{architecture}:NUMBER" for architecture in ARCHITECTURES]
        flags = [*FLAGS, *POLICY_FLAGS]
        asked = [f"{name}(...)" for name in ("split", "waits", "uring", "direct", "except")]
        known = [*ROLES, *asked, *flags, *CLASSES, "paper(...)", *numbers]
        entry.fail(f"unknown attribute {word}; expected one of {_listed(known)}", word)


def _read_uring_field(entry, call):
    """Reads one of `off=pos`, `flags=1`, `fd=operation+2`."""
    name = _one_of(entry, URING_FIELDS, "field")
    if name in call.uring_fields:
        entry.fail(f"there are two fields '{name}'; expected one")
    entry.need("=")
    if entry.peek().kind == "number":
        call.uring_fields[name] = (None, _number(entry, "a number", 0xFFFFFFFF))
        return
    arg = entry.take("word", "the name of an argument, or a number")
    if arg.value not in [known.name for known in call.args]:
        entry.fail(f"unexpected {arg} in 'uring(...)'; expected an argument of the call, or a number", arg)
    call.uring_fields[name] = (arg.value, _number(entry, "a number", 0xFFFFFFFF) if entry.take_if("+") else 0)


def _read_direct_condition(entry, call, table):
    """Reads a condition, such as `on stream datagram` or `most count 4096`. Returns whether there was one."""

    def argument():
        arg = entry.take("word", "the name of an argument")
        if arg.value not in [known.name for known in call.args]:
            entry.fail(f"unexpected {arg} in 'direct(...)'; expected an argument of the call", arg)
        return arg.value

    def constants():
        flags = 0
        while entry.peek().kind == "word" and entry.peek().value in table.constants:
            flags |= _constant(entry, table)
        return flags

    if entry.take_if("on"):
        while entry.peek().kind == "word" and entry.peek().value in DESCRIPTOR_KINDS:
            call.uring_on.append(_one_of(entry, DESCRIPTOR_KINDS, "kind of descriptor"))
    elif entry.take_if("with"):
        call.uring_adds = constants()
    elif entry.take_if("unless"):
        call.uring_unless = argument()
    elif entry.take_if("only"):
        call.uring_only = (argument(), constants())
    elif entry.take_if("most"):
        call.uring_at_most = (argument(), _number(entry, "a number", 0xFFFFFFFF))
    elif entry.take_if("is"):
        call.uring_exactly = (argument(), _number(entry, "a number", 0xFFFFFFFF))
    elif entry.take_if("lasting"):
        call.uring_lasting = True
    else:
        return False
    return True


def _constant(entry, table):
    return table.constants[_one_of(entry, table.constants, "constant")].value


def _check_call(entry, call, table):
    """Checks that need the whole entry."""
    for arg in call.buffers:
        size = next((other for other in call.args if other.name == arg.size_arg), None)
        place = f"'{arg.name} {arg.type}[{'*' if arg.size_pointed else ''}...]'"
        if arg.size_pointed:
            after = size is not None and call.args.index(size) > call.args.index(arg)
            if not after or size.type != "u32" or size.direction != "inout":
                expected = "expected a later argument 'inout u32'"
                entry.fail(f"unexpected '{arg.size_arg}' in {place}; {expected}", arg)
        elif size is None or size.direction or size.type not in SIZE_TYPES:
            expected = f"expected an argument of type {_listed(SIZE_TYPES)}"
            entry.fail(f"unexpected '{arg.size_arg}' in {place}; {expected}", arg)
        if arg.by_result and call.result not in ("size", "int"):
            expected = "expected 'size' or 'int'"
            entry.fail(f"the result is '{call.result}', but '{arg.name}' has '-> ret'; {expected}", arg)
    if call.split and (len(call.buffers) != 1 or call.result != "size"):
        entry.fail("'split' needs a call that can be split; expected one argument of type bytes, and the result 'size'")
    if call.quiet and any(arg.direction in ("in", "inout") for arg in call.args):
        entry.fail("'quiet' needs a call for which Linux reads no memory; expected only 'out' pointers")
    if call.mappings and any(arg.is_pointer for arg in call.args):
        entry.fail("'mappings' needs a call without pointers; expected arguments of type address")
    if call.mapped and [arg.type for arg in call.args[:2]] != ["address", "size"]:
        expected = "expected an address and a size as the first arguments"
        entry.fail(f"'mapped' needs a call about memory; {expected}")
    for arg in call.paths:
        flags = next((other for other in call.args if other.name == arg.unless), None)
        if arg.unless and (flags is None or flags.type not in ("flags", "flags64")):
            expected = "expected an argument of type flags"
            entry.fail(f"unexpected '{arg.unless}' after '{arg.name} path'; {expected}", arg)
    by_workers = call.uring_by_workers
    if call.uring and (
        "fd" not in call.uring_fields
        or any(
            arg.is_string or arg.size_at is not None or (by_workers and (arg.nested or arg.size_pointed))
            for arg in call.args
            if arg.name != call.uring_unless
        )
        or call.result in (("fd", "address") if by_workers else ("address",))
        or call.new_fd
        or call.closes
        or call.custom
        or not call.uring_on
    ):
        expected = "expected a call with a descriptor, whose pointers lead to buffers or structures of fixed size"
        attribute = "uring" if call.uring_by_workers else "direct"
        entry.fail(f"'{attribute}' needs a call after which the host has nothing to do; {expected}")
    if call.closes and (not call.args or call.args[0].type != "fd"):
        entry.fail("'closes' needs a call about a descriptor; expected an fd as first argument")
    if call.new_fd and call.result != "int":
        entry.fail(f"unexpected 'new_fd' with the result '{call.result}'; expected 'int', or 'fd' without 'new_fd'")
    if len(call.strings) > STRINGS_MAX:
        entry.fail(f"call '{call.name}' takes {len(call.strings)} strings; expected at most {STRINGS_MAX}")
    if sum(arg.nested is not None for arg in call.args) > 1:
        entry.fail(f"call '{call.name}' has several arguments with nested pointers; expected one")
    for arg in call.args:
        if arg.nested == "vector" and arg.direction == "out" and not arg.by_result:
            entry.fail(f"'{arg.name} out {arg.type}' does not say how much Linux writes; expected '-> ret'", arg)
    if sum(arg.size_at is not None for arg in call.args) > 1:
        entry.fail(f"call '{call.name}' has several structures that hold their own length; expected one")
    if not call.call_class:
        entry.fail(f"call '{call.name}' has no class; expected one of {_listed(CLASSES)}")
    if call.is_variant and call.selector is None:
        entry.fail(f"call '{call.name}' has no argument that selects it; expected one argument 'const<...>'")
    if sum(arg.value is not None for arg in call.args) > 1:
        entry.fail(f"call '{call.name}' has several constants; expected one")
    _need_all_architectures(entry, call.numbers, "number")
    for other in table.calls:
        if other.base == call.base:
            _check_variants(entry, call, other, table)
            continue
        for architecture in ARCHITECTURES:
            if call.numbers[architecture] == other.numbers[architecture] is not None:
                entry.fail(
                    f"number {architecture}:{call.numbers[architecture]} belongs to '{other.name}' "
                    f"({other.file}:{other.line}); expected another number"
                )


def _check_variants(entry, call, other, table):
    """Two variants of a call must be adjacent lines with the same numbers, and the same argument must select them."""
    where = f"'{other.name}' ({other.file}:{other.line})"
    if not call.selector or not other.selector or call.index(call.selector.name) != other.index(other.selector.name):
        entry.fail(f"'{call.name}' and {where} have no common selector; expected 'const<...>' in the same place")
    if call.selector.mask != other.selector.mask:
        entry.fail(f"'{call.name}' and {where} have different masks; expected the same one for 'const<...>'")
    if call.selector.value.value == other.selector.value.value:
        entry.fail(f"'{call.name}' has the constant of {where}; expected another one")
    if call.numbers != other.numbers or call.result != other.result:
        entry.fail(f"'{call.name}' differs from {where}; expected the same numbers and the same result")
    if table.calls[-1].base != call.base:
        entry.fail(f"'{call.name}' is apart from {where}; expected adjacent variants")


def _number(entry, what, largest):
    token = entry.take("number", what)
    value = int(token.value, 16 if token.value.startswith("0x") else 10)
    if not 0 <= value <= largest:
        entry.fail(f"{token} is out of range; expected {what}, at most {largest}", token)
    return value


def _read_number(entry, key, into, largest, what, or_none=False):
    if key.value not in ARCHITECTURES:
        entry.fail(f"unknown architecture {key}; expected one of {_listed(ARCHITECTURES)}", key)
    if key.value in into:
        entry.fail(f"there are two values for {key}; expected one", key)
    entry.need(":")
    into[key.value] = None if or_none and entry.take_if("none") else _number(entry, what, largest)


def _need_all_architectures(entry, known, what):
    for architecture in ARCHITECTURES:
        if architecture not in known:
            entry.fail(f"no {what} for {architecture}; expected '{architecture}:NUMBER'")


def _need_end(entry):
    if entry.peek().kind != "end":
        entry.fail(f"unexpected {entry.peek()}; expected the end of the entry", entry.peek())


def _one_of(entry, words, what):
    token = entry.take("word", f"{_article(what)} {what}, one of {_listed(words)}")
    if token.value not in words:
        entry.fail(f"unknown {what} {token}; expected one of {_listed(words)}", token)
    return token.value


def _article(what):
    return "an" if what[0] in "aeiou" else "a"


def _listed(words):
    words = list(words) or ["none"]
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} or {words[-1]}"
