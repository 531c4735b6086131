# SPDX-License-Identifier: Apache-2.0
"""The table of system calls: what a line of table/*.sys may say, and what it is then. docs/table-format.md tells it.

Made by read_table.py, used by the emitters. Nothing here knows what is made of the table.
"""

from dataclasses import dataclass, field
from typing import Dict, List, Optional, Tuple

ARCHITECTURES = ("x86-64", "arm64")
ARGS_MAX = 6  # plan.h: args_max
STRINGS_MAX = 4  # plan.h: strings_max
EXCEPTS_MAX = 12  # plan.h: excepts_max
NUMBER_MAX = 0xEFE  # protocol.h: numbers from call_number_max on are no system calls
DIRECTIONS = ("in", "out", "inout")
SHARED = "shared"  # instead of a direction: memory that both sides use at the same time, never staged
ROLES = ("producer", "consumer")
FLAGS = ("timer", "quiet", "mappings", "mapped", "own_thread", "all_threads", "custom")  # attributes of one word
POLICY_FLAGS = ("io", "new_fd", "closes")  # more of them, about which only the policy has to know
# Classes of the GENESYS papers; all but the first give a reason. The last two have a number, but no plan.
CLASSES = ("ready", "changed", "hardware", "unsupported")
REFUSED = CLASSES[2:]
WRITTEN_ON = ("EINTR", "any")  # errors with which Linux has written behind a pointer; any: with success, too
OPCODE_MAX = 63  # shared_ring_table.h: opcodes has a bit for each
URING_FIELDS = ("fd", "addr", "len", "off", "flags", "addr_len", "addr3")  # detail/plan.h, uring_call
DESCRIPTOR_KINDS = ("file", "stream", "datagram", "pipe", "counter", "epoll", "any")  # detail/plan.h, descriptor_kind
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
    "signal": ValueType("signal", "int", "decimal32"),
    "address": ValueType("value", "const void*", "pointer"),  # of a mapping: nothing is read or written there
    "const": ValueType("value", "", "hex32"),  # always the same: tells one variant of a call from another
}
# What a pointer may lead to besides structs: the C type, and bytes, of one; there may be several, `int[2]`.
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
STRING_TYPES = ("str", "path")  # the second names a file
NESTED = ("vector", "messages")  # plan.h: arg_kind; an address and a length, as in an iovec; a msghdr or mmsghdr
SIZE_TYPES = ("size", "u32", "int", "u64")  # of arguments that measure a buffer


@dataclass(frozen=True)
class StructType:
    name: str
    sizes: Dict[str, int]  # by architecture
    header: Optional[str]  # that declares it, with its angle brackets
    c_type: str
    nested: Optional[str] = None  # one of NESTED: it has pointers of its own
    length_bytes: int = 8  # of a vector's entry

    @property
    def is_tagged(self):
        """Its type can be named without the header."""
        return self.c_type == f"struct ::{self.name}"


@dataclass(frozen=True)
class Constant:
    name: str
    value: int
    header: Optional[str]  # that defines it


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
    size_arg: Optional[str] = None  # buffers: the argument that says how many bytes, or elements
    size_pointed: bool = False  # and it is a pointer to their number
    size_at: Optional[int] = None  # structures that say themselves how long they are: where; a number of 4 bytes
    size_least: int = 0  # and how much Linux reads if they say less
    header_bytes: int = 0  # to be added to what was said
    elements: int = 1  # pointers to values: how many
    nofollow: bool = False  # path: if its last component is a link, that is meant and not where it leads
    unless: Optional[str] = None  # path: it is the other way round if this argument
    unless_flag: int = 0  # has this bit
    value: Optional[Constant] = None  # const: which
    mask: int = 0xFFFFFFFF  # const: of the argument's bits, those that are compared with it
    struct: Optional[StructType] = None
    by_result: bool = False
    written_on: Optional[str] = None  # not if the call succeeds, but on an error, one of WRITTEN_ON
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
    except_args: Optional[List[str]] = None  # two of them, which must not have
    excepts: List[List[int]] = field(default_factory=list)  # one of these pairs of values
    all_threads: bool = False
    custom: bool = False
    uring: Optional[Opcode] = None
    uring_by_workers: bool = False  # and not by kernels only
    # of URING_FIELDS: a number, or an argument's name and a number that is or'ed to it
    uring_fields: Dict[str, object] = field(default_factory=dict)
    uring_on: List[str] = field(default_factory=list)  # of DESCRIPTOR_KINDS
    uring_adds: int = 0  # to the field `flags`
    uring_unless: Optional[str] = None  # the argument that has to be 0
    uring_at_most: Optional[tuple] = None  # an argument, and a number
    uring_lasting: bool = False  # on any descriptor: it may wait for what others do
    uring_exactly: Optional[tuple] = None  # an argument, and what its low 32 bits are
    uring_only: Optional[tuple] = None  # an argument, and the bits that it may have
    io: bool = False  # in the profile of that name
    new_fd: bool = False  # its result is a new descriptor
    closes: bool = False  # its first argument is a descriptor that it ends
    call_class: Optional[str] = None
    reason: Optional[str] = None
    paper: Optional[str] = None  # what the GENESYS papers say of it, where that is another class than ours
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
    def is_variant(self):
        """One of several lines of a call."""
        return self.base != self.name

    @property
    def selector(self):
        """The argument that is always the same: of a variant, what tells it from others."""
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
        """The argument that says from where a relative path leads, if there is one."""
        place = self.args.index(path)
        return self.args[place - 1] if place > 0 and self.args[place - 1].type == "dirfd" else None


@dataclass
class Table:
    calls: List[Call] = field(default_factory=list)
    structs: Dict[str, StructType] = field(default_factory=dict)
    constants: Dict[str, Constant] = field(default_factory=dict)
    opcodes: Dict[str, Opcode] = field(default_factory=dict)

    @property
    def planned(self):
        return [call for call in self.calls if call.call_class not in REFUSED]

    @property
    def refused(self):
        return [call for call in self.calls if call.call_class in REFUSED]


def buffer_type(arg):
    """Of a buffer: how it is measured."""
    if arg.type in BUFFER_TYPES:
        return BUFFER_TYPES[arg.type]
    if arg.type in POINTED_VALUES:
        return BufferType(*POINTED_VALUES[arg.type])
    return BufferType(arg.struct.c_type, element_bytes=None)
