# SPDX-License-Identifier: Apache-2.0
"""The table of system calls in memory: a class for each kind of entry, and the words that entries may use.

read_table.py fills it, the emitters read it. docs/table-format.md explains the format. No class here depends on an
emitter.
"""

from dataclasses import dataclass, field
from typing import Dict, List, Optional, Tuple

ARCHITECTURES = ("x86-64", "arm64")
ARGS_MAX = 6  # call_plan.h: args_max
STRINGS_MAX = 4  # call_plan.h: strings_max
EXCEPTS_MAX = 12  # call_plan.h: excepts_max
NUMBER_MAX = 0xEFE  # wire/types.h: call_number_max and larger numbers are no system calls
DIRECTIONS = ("in", "out", "inout")
SHARED = "shared"  # in place of a direction: both sides use the memory at the same time, so it is never staged
ROLES = ("producer", "consumer")
FLAGS = ("timer", "quiet", "mappings", "mapped", "own_thread", "all_threads", "custom")  # one word each
POLICY_FLAGS = ("io", "new_fd", "closes")  # attributes of one word that only the policy reads
# The classes of the GENESYS papers. All but the first need a reason; calls of the last two have no plan.
CLASSES = ("ready", "changed", "hardware", "unsupported")
REFUSED = CLASSES[2:]
WRITTEN_ON = ("EINTR", "any")  # results with which Linux writes to a pointer: -EINTR only, or any result
OPCODE_MAX = 63  # wire/shared_rings.h: the word `opcodes` has a bit for each opcode
URING_FIELDS = ("fd", "addr", "len", "off", "flags", "addr_len", "addr3")  # call_plan.h: uring_call
DESCRIPTOR_KINDS = ("file", "stream", "datagram", "pipe", "counter", "epoll", "any")  # call_plan.h: descriptor_kind
RESULTS = ("fd", "size", "off", "int", "zero", "address")


@dataclass(frozen=True)
class ValueType:
    kind: str  # call_plan.h: arg_kind
    c_type: str
    shown: str  # trace/shown.h: how the decoder prints it without a style


VALUE_TYPES = {
    "fd": ValueType("fd", "int", "fd"),
    "dirfd": ValueType("fd", "int", "dirfd"),  # a descriptor or AT_FDCWD
    "int": ValueType("value", "int", "decimal"),
    "u32": ValueType("value", "unsigned", "plain"),
    "long": ValueType("value", "long", "decimal"),
    "u64": ValueType("value", "std::uint64_t", "plain"),
    "size": ValueType("value", "std::size_t", "plain"),
    "off": ValueType("value", "off_t", "decimal"),
    "flags": ValueType("value", "int", "hex"),
    "flags64": ValueType("value", "std::uint64_t", "hex"),
    "mode": ValueType("value", "unsigned", "octal"),
    "signal": ValueType("signal", "int", "decimal"),
    "address": ValueType("value", "const void*", "address"),  # of a mapping: Linux reads and writes nothing there
    "const": ValueType("value", "", "hex"),  # a constant, which distinguishes the variants of a call
}
# The ways to show a value that are no sets, in `TYPE<STYLE>`. src/trace/shown.h explains them.
STYLES = ("decimal", "plain", "hex", "wide_hex", "octal", "address", "id", "device", "port", "flow", "inet", "inet6",
          "text", "path", "nul_text", "escaped", "time", "ticks", "limit", "wait_status", "sigset", "fds", "cpus",
          "words")
# Types of fields: their bytes.
FIELD_TYPES = {"i8": 1, "u8": 1, "i16": 2, "u16": 2, "int": 4, "u32": 4, "fd": 4, "signal": 4, "mode": 4, "flags": 4,
               "long": 8, "u64": 8, "size": 8, "off": 8, "address": 8, "flags64": 8, "bytes": 1}
# What a pointer may point to, other than structures: the C type and the bytes of one value. `int[2]` is an array.
POINTED_VALUES = {
    "fd": ("int", 4),  # descriptors
    "u8": ("unsigned char", 1),
    "int": ("int", 4),
    "u32": ("unsigned", 4),
    "long": ("long", 8),
    "u64": ("unsigned long long", 8),
}


@dataclass(frozen=True)
class BufferType:
    """A buffer that another argument measures: each `per` of that argument, or part of them, take `element_bytes`."""

    c_type: str
    element_bytes: int = 1
    per: int = 1
    less: int = 0  # the argument counts so many too many
    most: int = 0  # Linux reads or writes at most so many bytes; 0: no limit


BUFFER_TYPES = {
    "bytes": BufferType("void"),
    "sockaddr": BufferType("struct ::sockaddr", most=128),
    "bits": BufferType("void", element_bytes=8, per=64),  # a bit for each: fd_set
    "nodes": BufferType("void", element_bytes=8, per=64, less=1),  # a set of NUMA nodes: Linux uses a bit less
    "pages": BufferType("unsigned char", per=4096),  # a byte for each page of so many bytes
}
STRING_TYPES = ("str", "path")  # a path names a file
NESTED = ("vector", "messages")  # call_plan.h: arg_kind. An address and a length, as in an iovec; a msghdr or mmsghdr
SIZE_TYPES = ("size", "u32", "int", "u64")  # types of arguments that measure a buffer


@dataclass(frozen=True)
class StructType:
    name: str
    sizes: Dict[str, int]  # by architecture
    header: Optional[str]  # the header that declares it, with its angle brackets
    c_type: str
    nested: Optional[str] = None  # one of NESTED if the structure holds pointers
    length_bytes: int = 8  # vector: the bytes of an entry's length

    @property
    def is_tagged(self):
        """Whether a declaration `struct NAME;` suffices to name its type."""
        return self.c_type == f"struct ::{self.name}"


@dataclass(frozen=True)
class Constant:
    name: str
    value: int
    header: Optional[str]  # the header that defines it


@dataclass(frozen=True)
class SetItem:
    name: str
    values: Dict[str, Optional[int]]  # by architecture; None: the architecture lacks it
    mask: Optional[int]  # the bits that it gives a value to, together; None: its own, or all of a choice
    is_kernels: bool = False  # the C library has another value


@dataclass(frozen=True)
class ConstantSet:
    """Constants by whose names an argument or a field is printed."""

    name: str
    is_choice: bool
    unknown: Optional[str]  # what follows a value without a name, in a comment
    header: Optional[str]
    items: Tuple[SetItem, ...]
    octal_rest: bool = False  # the bits without a name are printed in octal: permissions


@dataclass(frozen=True)
class Condition:
    """Whether an argument or a field is printed: another one has (or lacks) one of these constants of its set."""

    on: str
    is_negative: bool
    items: Tuple[SetItem, ...]  # one whose name is empty is only a value


@dataclass(frozen=True)
class Shape:
    """How the decoder prints a value, or what a pointer leads to: a type of it, and how it is shown."""

    type: str
    style: Optional[str] = None  # a set, one of STYLES, or a selection
    count: int = 1  # 0: an array of as many as there are


@dataclass(frozen=True)
class Field:
    name: str
    shape: Shape
    offsets: Dict[str, int]
    c_name: Optional[str]  # to compare with the header; None: not compared
    more: bool = False  # printed only in full
    condition: Optional[Condition] = None


@dataclass(frozen=True)
class Fields:
    """The fields of a structure, in the order in which they are printed."""

    name: str
    header: Optional[str]
    c_type: str
    fields: Tuple[Field, ...]
    is_dated: bool = False  # a time, whose date follows as a comment
    selector: Optional[str] = None  # a field that says which structure's fields follow
    cases: Tuple[Tuple[int, str], ...] = ()
    otherwise: Optional[str] = None


@dataclass(frozen=True)
class Selection:
    """A shape that depends on the value of an argument of the call."""

    name: str
    by: str
    cases: Tuple[Tuple[SetItem, Shape], ...]
    otherwise: Shape


@dataclass(frozen=True)
class Opcode:
    name: str  # without IORING_OP_
    number: int
    since: Tuple[int, int]  # the first Linux that has it
    file: str

    @property
    def id(self):
        return self.name.lower()


@dataclass
class Arg:
    name: str
    line: int
    type: str  # a key of VALUE_TYPES or BUFFER_TYPES, one of STRING_TYPES, or the name of a struct
    direction: Optional[str] = None  # pointers: one of DIRECTIONS
    optional: bool = False  # may be null
    shared: bool = False  # never staged
    size_arg: Optional[str] = None  # buffers: the argument that holds the number of bytes or elements
    size_pointed: bool = False  # buffers: size_arg points to that number
    size_at: Optional[int] = None  # structures that hold their own length: the offset of those 4 bytes
    size_least: int = 0  # structures that hold their own length: Linux reads at least so many bytes
    header_bytes: int = 0  # bytes in front of the measured ones
    elements: int = 1  # pointers to values: the length of the array
    nofollow: bool = False  # path: if its last component is a link, the call is about the link and not its target
    unless: Optional[str] = None  # path: the argument that may invert nofollow
    unless_flag: int = 0  # path: the bit of that argument that inverts it
    value: Optional[Constant] = None  # const: the constant
    mask: int = 0xFFFFFFFF  # const: the bits of the argument that the host compares with the constant
    struct: Optional[StructType] = None
    style: Optional[str] = None  # how the decoder prints it: a set, one of STYLES, a selection, a structure
    hidden: bool = False  # the decoder leaves it out, as strace does
    before: bool = False  # the decoder prints what was there before the call
    both: bool = False  # the decoder prints what was there before and after the call
    filled: Optional[str] = None  # the decoder prints its memory only if the result is no error, or "positive"
    condition: Optional[Condition] = None  # the decoder prints it only then
    by_result: bool = False  # the result is the number of bytes or elements that Linux wrote
    written_on: Optional[str] = None  # one of WRITTEN_ON; None: Linux writes if the call succeeds
    default: Optional[str] = None  # a number, or null

    @property
    def is_pointer(self):
        return self.direction is not None

    @property
    def is_string(self):
        return self.type in STRING_TYPES

    @property
    def is_buffer(self):
        return self.size_arg is not None

    @property
    def nested(self):
        return self.struct.nested if self.struct else None


@dataclass
class Call:
    name: str
    file: str
    line: int
    args: List[Arg] = field(default_factory=list)
    result: str = ""
    result_style: Optional[str] = None
    domain: str = ""
    role: Optional[str] = None
    split: Optional[str] = None  # the position argument
    waits: Optional[str] = None  # the descriptor argument
    waits_direction: Optional[str] = None
    unless: Optional[str] = None  # the flags argument that may forbid waiting
    unless_flags: int = 0  # by one of these bits
    timer: bool = False
    quiet: bool = False
    mappings: bool = False
    mapped: bool = False
    own_thread: bool = False
    except_args: Optional[List[str]] = None  # two arguments; the host refuses the call if their values are
    excepts: List[List[int]] = field(default_factory=list)  # one of these pairs
    all_threads: bool = False
    custom: bool = False
    uring: Optional[Opcode] = None
    uring_by_workers: bool = False  # also through worker rings, not only through shared rings
    # by name, one of URING_FIELDS: (the argument or None, a number that is or'ed to it)
    uring_fields: Dict[str, object] = field(default_factory=dict)
    uring_on: List[str] = field(default_factory=list)  # of DESCRIPTOR_KINDS
    uring_adds: int = 0  # or'ed to the field `flags`
    uring_unless: Optional[str] = None  # the argument that must be 0
    uring_at_most: Optional[tuple] = None  # an argument, and its largest value
    uring_lasting: bool = False  # the call may wait for an event outside, whatever its descriptor
    uring_exactly: Optional[tuple] = None  # an argument, and the value that its low 32 bits must have
    uring_only: Optional[tuple] = None  # an argument, and the bits that may be set in it
    io: bool = False  # in the policy's profile `io`
    new_fd: bool = False  # its result, of type int, is a new descriptor
    closes: bool = False  # it closes the descriptor that is its first argument
    call_class: Optional[str] = None
    reason: Optional[str] = None
    paper: Optional[str] = None  # the judgement of the GENESYS papers, where it differs from call_class
    numbers: Dict[str, int] = field(default_factory=dict)
    text: str = ""

    def index(self, arg_name):
        return [arg.name for arg in self.args].index(arg_name)

    @property
    def base(self):
        """Its name in Linux: `ioctl` for `ioctl$FIONREAD`."""
        return self.name.split("$")[0]

    @property
    def id(self):
        return self.name.replace("$", "_")

    @property
    def is_variant(self):
        """Whether it is one of several lines of a call."""
        return self.base != self.name

    @property
    def selector(self):
        """The constant argument, which distinguishes a variant from the others; None: there is none."""
        return next((arg for arg in self.args if arg.value), None)

    @property
    def buffers(self):
        return [arg for arg in self.args if arg.is_buffer]

    @property
    def strings(self):
        return [arg for arg in self.args if arg.is_string]

    @property
    def paths(self):
        return [arg for arg in self.args if arg.type == "path"]

    def directory_of(self, path):
        """The argument that holds the directory in which a relative path begins; None: there is none."""
        place = self.args.index(path)
        return self.args[place - 1] if place > 0 and self.args[place - 1].type == "dirfd" else None


@dataclass
class Table:
    calls: List[Call] = field(default_factory=list)
    structs: Dict[str, StructType] = field(default_factory=dict)
    constants: Dict[str, Constant] = field(default_factory=dict)
    opcodes: Dict[str, Opcode] = field(default_factory=dict)
    sets: Dict[str, ConstantSet] = field(default_factory=dict)
    fields: Dict[str, Fields] = field(default_factory=dict)
    selections: Dict[str, Selection] = field(default_factory=dict)

    @property
    def planned(self):
        return [call for call in self.calls if call.call_class not in REFUSED]

    @property
    def refused(self):
        return [call for call in self.calls if call.call_class in REFUSED]


def buffer_type(arg):
    """How the size of a buffer is measured."""
    if arg.type in BUFFER_TYPES:
        return BUFFER_TYPES[arg.type]
    if arg.type in POINTED_VALUES:
        return BufferType(*POINTED_VALUES[arg.type])
    return BufferType(arg.struct.c_type, element_bytes=None)
