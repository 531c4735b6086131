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
    shown: str  # names.h: how reports print it


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
    "address": ValueType("value", "const void*", "pointer"),  # of a mapping: Linux reads and writes nothing there
    "const": ValueType("value", "", "hex32"),  # a constant, which distinguishes the variants of a call
}
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
    most: int = 0  # Linux reads or writes at most so many bytes; 0: no limit


BUFFER_TYPES = {
    "bytes": BufferType("void"),
    "sockaddr": BufferType("struct ::sockaddr", most=128),
    "bits": BufferType("void", element_bytes=8, per=64),  # a bit for each: fd_set, a set of NUMA nodes
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
