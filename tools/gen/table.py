# SPDX-License-Identifier: Apache-2.0
"""The table of system calls, read from table/*.sys and checked. What a line may say is told in docs/table-format.md.

`read_table` is called by main.py; the emitters use the classes. Nothing here knows what is made of the table.
"""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Dict, List, Optional

from tokens import TableError, read_entries

ARCHITECTURES = ("x86-64", "arm64")
ARGS_MAX = 6  # plan.h: args_max
STRINGS_MAX = 4  # plan.h: strings_max
NUMBER_MAX = 0xEFE  # protocol.h: numbers from call_number_max on are no system calls
DIRECTIONS = ("in", "out", "inout")
ROLES = ("producer", "consumer")
FLAGS = ("timer", "quiet", "mappings", "mapped", "own_thread", "all_threads")  # attributes of one word
# Classes of the GENESYS papers; all but the first give a reason. The last two have a number, but no plan.
CLASSES = ("ready", "changed", "hardware", "unsupported")
REFUSED = CLASSES[2:]
WRITTEN_ON = ("EINTR", "any")  # errors with which Linux has written behind a pointer; any: with success, too
RESULTS = ("fd", "size", "off", "int", "zero", "address")


@dataclass(frozen=True)
class ValueType:
    kind: str  # plan.h: arg_kind
    c_type: str
    shown: str  # names.h: how a report prints it


VALUE_TYPES = {
    "fd": ValueType("fd", "int", "decimal32"),
    "dirfd": ValueType("fd", "int", "dirfd"),  # a descriptor or AT_FDCWD
    "int": ValueType("value", "int", "decimal32"),
    "u32": ValueType("value", "unsigned", "unsigned32"),
    "long": ValueType("value", "long", "decimal64"),
    "u64": ValueType("value", "std::uint64_t", "unsigned64"),
    "size": ValueType("value", "std::size_t", "unsigned64"),
    "off": ValueType("value", "off_t", "decimal64"),
    "flags": ValueType("value", "int", "hex32"),
    "flags64": ValueType("value", "std::uint64_t", "hex64"),
    "mode": ValueType("value", "unsigned", "octal32"),
    "address": ValueType("value", "const void*", "pointer"),  # of a mapping: nothing is read or written there
    "const": ValueType("value", "", "hex32"),  # always the same: tells one variant of a call from another
}
# What a pointer may lead to besides structs: the C type, and bytes, of one; there may be several, `int[2]`.
POINTED_VALUES = {
    "u8": ("unsigned char", 1),
    "int": ("int", 4),
    "u32": ("unsigned", 4),
    "long": ("long", 8),
    "u64": ("unsigned long long", 8),
}


@dataclass(frozen=True)
class BufferType:
    """What only another argument can measure: of that, `per` take `element_bytes`, and a part of that many as much."""

    c_type: str
    element_bytes: int = 1
    per: int = 1
    most: int = 0  # Linux looks at no more bytes; 0: no limit


BUFFER_TYPES = {
    "bytes": BufferType("void"),
    "sockaddr": BufferType("struct ::sockaddr", most=128),
    "bits": BufferType("void", element_bytes=8, per=64),  # one for each of so many: fd_set, a set of nodes
    "pages": BufferType("unsigned char", per=4096),  # one for each page of so many bytes
}
SIZE_TYPES = ("size", "u32", "int", "u64")  # of arguments that measure a buffer


@dataclass(frozen=True)
class StructType:
    name: str
    sizes: Dict[str, int]  # by architecture
    header: Optional[str]  # that declares it, with its angle brackets
    c_type: str

    @property
    def is_tagged(self):
        """Its type can be named without the header."""
        return self.c_type == f"struct ::{self.name}"


@dataclass(frozen=True)
class Constant:
    name: str
    value: int
    header: Optional[str]  # that defines it


@dataclass
class Arg:
    name: str
    line: int
    type: str  # a key of VALUE_TYPES or BUFFER_TYPES, "str", or the name of a struct
    direction: Optional[str] = None  # pointers: one of DIRECTIONS
    optional: bool = False  # may be null
    size_arg: Optional[str] = None  # buffers: the argument that says how many bytes, or elements
    size_pointed: bool = False  # and it is a pointer to their number
    size_at: Optional[int] = None  # structures that say themselves how long they are: where; a number of 4 bytes
    size_least: int = 0  # and how much Linux reads if they say less
    header_bytes: int = 0  # to be added to what was said
    elements: int = 1  # pointers to values: how many
    value: Optional[Constant] = None  # const: which
    struct: Optional[StructType] = None
    by_result: bool = False
    written_on: Optional[str] = None  # not if the call succeeds, but on an error, one of WRITTEN_ON
    default: Optional[str] = None  # a number, or null

    @property
    def is_pointer(self):
        return self.direction is not None

    @property
    def is_buffer(self):
        return self.size_arg is not None


@dataclass
class Call:
    name: str
    file: str
    line: int
    args: List[Arg] = field(default_factory=list)
    result: str = ""
    domain: str = ""
    role: Optional[str] = None
    split: Optional[str] = None  # the position argument
    waits: Optional[str] = None  # the descriptor argument
    waits_direction: Optional[str] = None
    unless: Optional[str] = None  # the flags argument that may say not to wait
    unless_flags: int = 0
    timer: bool = False
    quiet: bool = False
    mappings: bool = False
    mapped: bool = False
    own_thread: bool = False
    all_threads: bool = False
    call_class: Optional[str] = None
    reason: Optional[str] = None
    numbers: Dict[str, int] = field(default_factory=dict)
    text: str = ""

    def index(self, arg_name):
        return [arg.name for arg in self.args].index(arg_name)

    @property
    def base(self):
        """As Linux calls it: `ioctl` of `ioctl$FIONREAD`."""
        return self.name.split("$")[0]

    @property
    def id(self):
        return self.name.replace("$", "_")

    @property
    def selector(self):
        """Of a variant: the argument that tells it from others."""
        return next((arg for arg in self.args if arg.value), None)

    @property
    def buffers(self):
        return [arg for arg in self.args if arg.is_buffer]

    @property
    def strings(self):
        return [arg for arg in self.args if arg.type == "str"]


@dataclass
class Table:
    calls: List[Call] = field(default_factory=list)
    structs: Dict[str, StructType] = field(default_factory=dict)
    constants: Dict[str, Constant] = field(default_factory=dict)

    @property
    def planned(self):
        return [call for call in self.calls if call.call_class not in REFUSED]

    @property
    def refused(self):
        return [call for call in self.calls if call.call_class in REFUSED]


def read_table(folder, shown_as="table"):
    """The table, and a list of TableError: one for each wrong entry. `shown_as` is how messages name the folder."""
    table, errors, entries = Table(), [], []
    for path in sorted(Path(folder).glob("*.sys")):
        try:
            entries += read_entries(f"{shown_as}/{path.name}", path.read_text(encoding="utf-8"))
        except TableError as error:
            errors.append(error)
    # Structs and constants first: an entry may name one from any file.
    readers = {"struct": _read_struct, "const": _read_constant}
    first = [entry for entry in entries if entry.peek().value in readers]
    calls = [entry for entry in entries if entry.peek().value not in readers]
    for entry in first + calls:
        try:
            readers.get(entry.peek().value, _read_call)(entry, table)
        except TableError as error:
            errors.append(error)
    return table, errors


def _read_struct(entry, table):
    entry.need("struct")
    name = entry.take("word", "the name of a struct")
    if name.value in _known_types(table):
        entry.fail(f"type {name} stands in the table already; expected each type once", name)
    sizes = {}
    while entry.peek().kind == "word":
        key = entry.take("word", "an architecture")
        _read_number(entry, key, sizes, 0xFFFF, "a size in bytes")
    _need_all_architectures(entry, sizes, "size")
    header = entry.take("header", "").value if entry.peek().kind == "header" else None
    c_type = f"struct ::{name.value}"
    if header and entry.take_if("as"):
        c_type = "::" + entry.take("word", "the name of its C type").value
    _need_end(entry)
    table.structs[name.value] = StructType(name.value, sizes, header, c_type)


def _read_constant(entry, table):
    entry.need("const")
    name = entry.take("word", "the name of a constant")
    if name.value in table.constants:
        entry.fail(f"constant {name} stands in the table already; expected each constant once", name)
    value = _number(entry, "its value", 0xFFFFFFFF)
    header = entry.take("header", "").value if entry.peek().kind == "header" else None
    _need_end(entry)
    table.constants[name.value] = Constant(name.value, value, header)


def _known_types(table):
    return [*dict.fromkeys([*VALUE_TYPES, *POINTED_VALUES]), "str", *BUFFER_TYPES, *sorted(table.structs)]


def _read_call(entry, table):
    name = entry.take("word", "the name of a call, or 'struct'")
    call = Call(name.value, entry.file, entry.line)
    for known in table.calls:
        if known.name == call.name:
            entry.fail(f"call {name} stands in {known.file}:{known.line} already; expected each call once", name)
    entry.need("(")
    while not entry.take_if(")"):
        if call.args:
            if entry.peek().value != ",":
                entry.fail(f"unexpected {entry.peek()}; expected ',' or ')' after an argument", entry.peek())
            entry.need(",")
        call.args.append(_read_arg(entry, table, call))
    call.result = _one_of(entry, RESULTS, "result type")
    domain = entry.take("word", "a domain")
    call.domain = entry.file.rsplit("/", 1)[-1][: -len(".sys")]
    if domain.value != call.domain:
        entry.fail(f"domain {domain} stands in {entry.file}; expected '{call.domain}', as the file is called", domain)
    while entry.peek().kind == "word":
        _read_attribute(entry, call, table)
    call.text = entry.take("text", "an attribute, or a sentence in quotes that says what the call does").value[1:-1]
    if not call.text.endswith(".") or not call.text[0].isupper():
        entry.fail(f"unexpected text \"{call.text}\"; expected a sentence: a capital first, a full stop last")
    _need_end(entry)
    _check_call(entry, call, table)
    table.calls.append(call)


def _read_arg(entry, table, call):
    name = entry.take("word", "an argument: its name, a direction if it is a pointer, its type")
    if len(call.args) == ARGS_MAX:
        entry.fail(f"argument {name} is one too many; expected at most {ARGS_MAX}", name)
    if any(arg.name == name.value for arg in call.args):
        entry.fail(f"argument {name} is named twice; expected a name of its own", name)
    arg = Arg(name.value, name.line, "")
    for direction in DIRECTIONS:
        if entry.take_if(direction):
            arg.direction = direction
            arg.optional = entry.take_if("?")
            break
    arg.type = _one_of(entry, _known_types(table), "argument type")
    if not arg.direction and arg.type not in VALUE_TYPES:
        entry.fail(f"argument {name} has no direction; expected {_listed(DIRECTIONS)} before '{arg.type}'", name)
    if arg.direction and arg.type in VALUE_TYPES and arg.type not in POINTED_VALUES:
        entry.fail(f"argument {name} is a value; expected no direction before '{arg.type}'", name)
    arg.struct = table.structs.get(arg.type)
    if arg.type == "const":
        arg.value = _read_const(entry, table)
    if arg.type == "str" and arg.direction != "in":
        entry.fail(f"argument {name} is a string that Linux writes; expected 'in', or 'bytes' for a buffer", name)
    if arg.direction:
        _read_measure(entry, arg)
    if entry.take_if("->"):
        entry.need("ret")
        arg.by_result = True
        if not arg.is_buffer or arg.size_pointed or arg.direction == "in" or buffer_type(arg).per != 1:
            expected = "expected it only behind 'out' or 'inout bytes[...]', or so many structures"
            entry.fail(f"'-> ret' stands behind argument {name}; {expected}", name)
    if entry.take_if("on"):
        arg.written_on = _one_of(entry, WRITTEN_ON, "error")
        direction = {"EINTR": "out", "any": "inout"}[arg.written_on]
        if arg.is_buffer or arg.type == "str" or arg.direction != direction:
            expected = "expected 'on EINTR' only behind an 'out' structure, 'on any' behind an 'inout' one"
            entry.fail(f"'on {arg.written_on}' stands behind argument {name}; {expected}", name)
    if entry.take_if("="):
        arg.default = _read_default(entry, arg)
    elif call.args and call.args[-1].default is not None:
        entry.fail(f"argument {name} has no default but the one before has; expected '= ...'", name)
    return arg


def buffer_type(arg):
    """Of a buffer: how it is measured."""
    if arg.type in BUFFER_TYPES:
        return BUFFER_TYPES[arg.type]
    if arg.type in POINTED_VALUES:
        return BufferType(*POINTED_VALUES[arg.type])
    return BufferType(arg.struct.c_type, element_bytes=None)


def _read_measure(entry, arg):
    """What stands in brackets: `[2]`, `[count]`, `[*length]`, `[8 + count]`, `[@0 least 48]`, `[8 + @0]`."""
    must = arg.type in BUFFER_TYPES
    if must:
        entry.need("[")
    elif arg.type == "str" or not entry.take_if("["):
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
        entry.fail(f"unknown constant {token}; expected one that a line 'const NAME VALUE' declares", token)
    return known


def _read_default(entry, arg):
    if not arg.is_pointer:
        return entry.take("number", "a number as default").value
    if not arg.optional:
        token = entry.peek()
        entry.fail(f"argument '{arg.name}' has a default but may not be null; expected '{arg.direction}?'", token)
    entry.need("null")
    return "null"


def _read_attribute(entry, call, table):
    word = entry.take("word", "an attribute")

    def once(field_name, value):
        if getattr(call, field_name):
            entry.fail(f"unexpected {word}; expected one {field_name.replace('call_', '')} only", word)
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
    elif word.value in FLAGS:
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
                call.unless_flags |= table.constants[_one_of(entry, table.constants, "constant")].value
        entry.need(")")
    elif word.value in CLASSES:
        once("call_class", word.value)
        if word.value != "ready":
            entry.need("(")
            call.reason = entry.take("text", "the reason, in quotes").value[1:-1]
            entry.need(")")
    else:
        numbers = [f"{architecture}:NUMBER" for architecture in ARCHITECTURES]
        known = [*ROLES, "split(...)", "waits(...)", *FLAGS, *CLASSES, *numbers]
        entry.fail(f"unknown attribute {word}; expected one of {_listed(known)}", word)


def _check_call(entry, call, table):
    """What can be said only when the whole entry is known."""
    for arg in call.buffers:
        size = next((other for other in call.args if other.name == arg.size_arg), None)
        place = f"'{arg.name} {arg.type}[{'*' if arg.size_pointed else ''}...]'"
        if arg.size_pointed:
            after = size is not None and call.args.index(size) > call.args.index(arg)
            if not after or size.type != "u32" or size.direction != "inout":
                expected = "expected an argument 'inout u32' behind it"
                entry.fail(f"unexpected '{arg.size_arg}' in {place}; {expected}", arg)
        elif size is None or size.direction or size.type not in SIZE_TYPES:
            expected = f"expected an argument of type {_listed(SIZE_TYPES)}"
            entry.fail(f"unexpected '{arg.size_arg}' in {place}; {expected}", arg)
        if arg.by_result and call.result not in ("size", "int"):
            expected = "expected 'size' or 'int'"
            entry.fail(f"the result is '{call.result}', but '{arg.name}' is written '-> ret'; {expected}", arg)
    if call.split and (len(call.buffers) != 1 or call.result != "size"):
        entry.fail("'split' stands in a call that cannot be; expected one argument of type bytes, and 'size' as result")
    if call.quiet and any(arg.direction in ("in", "inout") for arg in call.args):
        entry.fail("'quiet' stands in a call for which Linux reads memory; expected 'out' pointers only")
    if call.mappings and any(arg.is_pointer for arg in call.args):
        entry.fail("'mappings' stands in a call for which Linux follows a pointer; expected arguments of type address")
    if call.mapped and [arg.type for arg in call.args[:2]] != ["address", "size"]:
        expected = "expected an address and a size as first arguments"
        entry.fail(f"'mapped' stands in a call that is about no memory; {expected}")
    if len(call.strings) > STRINGS_MAX:
        entry.fail(f"call '{call.name}' takes {len(call.strings)} strings; expected at most {STRINGS_MAX}")
    if sum(arg.size_at is not None for arg in call.args) > 1:
        entry.fail(f"call '{call.name}' has several structures that say how long they are; expected one")
    if not call.call_class:
        entry.fail(f"call '{call.name}' has no class; expected one of {_listed(CLASSES)}")
    if (call.base != call.name) != (call.selector is not None):
        entry.fail(f"call '{call.name}' is no variant; expected a name with '$' and one argument 'const<...>'")
    if sum(arg.value is not None for arg in call.args) > 1:
        entry.fail(f"call '{call.name}' has several constants; expected one that tells it from others")
    _need_all_architectures(entry, call.numbers, "number")
    for other in table.calls:
        if other.base == call.base:
            _check_variants(entry, call, other, table)
            continue
        for architecture in ARCHITECTURES:
            if call.numbers[architecture] == other.numbers[architecture] is not None:
                entry.fail(
                    f"number {architecture}:{call.numbers[architecture]} belongs to '{other.name}' "
                    f"({other.file}:{other.line}) already; expected a number of its own"
                )


def _check_variants(entry, call, other, table):
    """Two lines of one call of Linux: told apart by the same argument, with the same numbers, side by side."""
    where = f"'{other.name}' ({other.file}:{other.line})"
    if not call.selector or not other.selector or call.index(call.selector.name) != other.index(other.selector.name):
        entry.fail(f"'{call.name}' and {where} are told apart by nothing; expected 'const<...>' in the same place")
    if call.selector.value.value == other.selector.value.value:
        entry.fail(f"'{call.name}' has the constant of {where}; expected one of its own")
    if call.numbers != other.numbers or call.result != other.result:
        entry.fail(f"'{call.name}' is another call than {where}; expected the same numbers and the same result")
    if table.calls[-1].base != call.base:
        entry.fail(f"'{call.name}' stands apart from {where}; expected variants of a call behind one another")


def _number(entry, what, largest):
    token = entry.take("number", what)
    value = int(token.value, 16 if token.value.startswith("0x") else 10)
    if value > largest:
        entry.fail(f"{token} is too large; expected {what}, at most {largest}", token)
    return value


def _read_number(entry, key, into, largest, what, or_none=False):
    if key.value not in ARCHITECTURES:
        entry.fail(f"unknown architecture {key}; expected one of {_listed(ARCHITECTURES)}", key)
    if key.value in into:
        entry.fail(f"{key} stands here twice; expected one", key)
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
    words = list(words)
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} or {words[-1]}"
