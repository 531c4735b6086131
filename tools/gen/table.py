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
NUMBER_MAX = 0xEFE  # protocol.h: numbers from call_number_max on are no system calls
DIRECTIONS = ("in", "out", "inout")
ROLES = ("producer", "consumer")
FLAGS = ("timer", "quiet", "mappings")  # attributes of one word
# Classes of the GENESYS papers; all but the first give a reason. The last two have a number, but no plan.
CLASSES = ("ready", "changed", "hardware", "unsupported")
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
    "size": ValueType("value", "std::size_t", "unsigned64"),
    "off": ValueType("value", "off_t", "decimal64"),
    "flags": ValueType("value", "int", "hex32"),
    "mode": ValueType("value", "unsigned", "octal32"),
    "address": ValueType("value", "const void*", "pointer"),  # of a mapping: nothing is read or written there
}


@dataclass(frozen=True)
class StructType:
    name: str
    sizes: Dict[str, int]  # by architecture
    header: str  # with its angle brackets


@dataclass
class Arg:
    name: str
    line: int
    type: str  # a key of VALUE_TYPES, "str", "bytes", or the name of a struct
    direction: Optional[str] = None  # pointers: one of DIRECTIONS
    optional: bool = False  # may be null
    size_arg: Optional[str] = None  # bytes: the argument that says how many
    by_result: bool = False
    on_eintr: bool = False
    default: Optional[str] = None  # a number, or null

    @property
    def is_pointer(self):
        return self.type not in VALUE_TYPES


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
    timer: bool = False
    quiet: bool = False
    mappings: bool = False
    call_class: Optional[str] = None
    reason: Optional[str] = None
    numbers: Dict[str, int] = field(default_factory=dict)
    text: str = ""

    def index(self, arg_name):
        return [arg.name for arg in self.args].index(arg_name)

    @property
    def bytes_args(self):
        return [arg for arg in self.args if arg.type == "bytes"]


@dataclass
class Table:
    calls: List[Call] = field(default_factory=list)
    structs: Dict[str, StructType] = field(default_factory=dict)

    @property
    def planned(self):
        return [call for call in self.calls if call.call_class in ("ready", "changed")]


def read_table(folder, shown_as="table"):
    """The table, and a list of TableError: one for each wrong entry. `shown_as` is how messages name the folder."""
    table, errors, entries = Table(), [], []
    for path in sorted(Path(folder).glob("*.sys")):
        try:
            entries += read_entries(f"{shown_as}/{path.name}", path.read_text(encoding="utf-8"))
        except TableError as error:
            errors.append(error)
    # Structs first: an entry may name one from any file.
    structs = [entry for entry in entries if entry.peek().value == "struct"]
    calls = [entry for entry in entries if entry.peek().value != "struct"]
    for read, chosen in ((_read_struct, structs), (_read_call, calls)):
        for entry in chosen:
            try:
                read(entry, table)
            except TableError as error:
                errors.append(error)
    return table, errors


def _read_struct(entry, table):
    entry.need("struct")
    name = entry.take("word", "the name of a struct")
    if name.value in table.structs or name.value in VALUE_TYPES or name.value in ("str", "bytes"):
        entry.fail(f"type {name} stands in the table already; expected each type once", name)
    sizes = {}
    while entry.peek().kind == "word":
        key = entry.take("word", "an architecture")
        _read_number(entry, key, sizes, 0xFFFF, "a size in bytes")
    _need_all_architectures(entry, sizes, "size")
    header = entry.take("header", "<the header that declares it>").value
    _need_end(entry)
    table.structs[name.value] = StructType(name.value, sizes, header)


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
        _read_attribute(entry, call)
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
    arg.type = _one_of(entry, [*VALUE_TYPES, "str", "bytes", *sorted(table.structs)], "argument type")
    if arg.is_pointer and not arg.direction:
        entry.fail(f"argument {name} has no direction; expected {_listed(DIRECTIONS)} before '{arg.type}'", name)
    if arg.direction and not arg.is_pointer:
        entry.fail(f"argument {name} is a value; expected no direction before '{arg.type}'", name)
    if arg.type == "str" and arg.direction != "in":
        entry.fail(f"argument {name} is a string that Linux writes; expected 'in', or 'bytes' for a buffer", name)
    if arg.type == "bytes":
        entry.need("[")
        arg.size_arg = entry.take("word", "the argument that says how many bytes").value
        entry.need("]")
    if entry.take_if("->"):
        entry.need("ret")
        arg.by_result = True
        if arg.type != "bytes" or arg.direction == "in":
            expected = "expected it only behind 'out' or 'inout bytes[...]'"
            entry.fail(f"'-> ret' stands behind argument {name}; {expected}", name)
    if entry.take_if("on"):
        entry.need("EINTR")
        arg.on_eintr = True
        if arg.direction != "out" or arg.type not in table.structs:
            entry.fail(f"'on EINTR' stands behind argument {name}; expected it only behind an 'out' struct", name)
    if entry.take_if("="):
        arg.default = _read_default(entry, arg)
    elif call.args and call.args[-1].default is not None:
        entry.fail(f"argument {name} has no default but the one before has; expected '= ...'", name)
    return arg


def _read_default(entry, arg):
    if not arg.is_pointer:
        return entry.take("number", "a number as default").value
    if not arg.optional:
        token = entry.peek()
        entry.fail(f"argument '{arg.name}' has a default but may not be null; expected '{arg.direction}?'", token)
    entry.need("null")
    return "null"


def _read_attribute(entry, call):
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
        _read_number(entry, word, call.numbers, NUMBER_MAX, "a call number")
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
    for arg in call.bytes_args:
        size = next((other for other in call.args if other.name == arg.size_arg), None)
        if size is None or size.type not in ("size", "u32"):
            place = f"'{arg.name} bytes[...]'"
            entry.fail(f"unexpected '{arg.size_arg}' in {place}; expected an argument of type size or u32", arg)
        if arg.by_result and call.result != "size":
            entry.fail(f"the result is '{call.result}', but '{arg.name}' is written '-> ret'; expected 'size'", arg)
    if call.split and (len(call.bytes_args) != 1 or call.result != "size"):
        entry.fail("'split' stands in a call that cannot be; expected one argument of type bytes, and 'size' as result")
    if call.quiet and any(arg.direction in ("in", "inout") for arg in call.args):
        entry.fail("'quiet' stands in a call for which Linux reads memory; expected 'out' pointers only")
    if call.mappings and any(arg.is_pointer for arg in call.args):
        entry.fail("'mappings' stands in a call for which Linux follows a pointer; expected arguments of type address")
    if not call.call_class:
        entry.fail(f"call '{call.name}' has no class; expected one of {_listed(CLASSES)}")
    _need_all_architectures(entry, call.numbers, "number")
    for other in table.calls:
        for architecture in ARCHITECTURES:
            if call.numbers[architecture] == other.numbers[architecture]:
                entry.fail(
                    f"number {architecture}:{call.numbers[architecture]} belongs to '{other.name}' "
                    f"({other.file}:{other.line}) already; expected a number of its own"
                )


def _read_number(entry, key, into, largest, what):
    if key.value not in ARCHITECTURES:
        entry.fail(f"unknown architecture {key}; expected one of {_listed(ARCHITECTURES)}", key)
    if key.value in into:
        entry.fail(f"{key} stands here twice; expected one", key)
    entry.need(":")
    number = entry.take("number", what)
    if int(number.value) > largest:
        entry.fail(f"{number} is too large; expected {what}, at most {largest}", number)
    into[key.value] = int(number.value)


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
