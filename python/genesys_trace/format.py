# SPDX-License-Identifier: Apache-2.0
"""The file of a recording (src/trace/format.h): its header, and a map of its sections.

The map says where the calls are; it holds the small sections and no calls, so it takes a minute fraction of the
file. recording.py reads the calls through it.
"""

import os
import struct
from dataclasses import dataclass, field

import numpy as np

MAGIC = b"genesyst"
VERSION = 3
HEADER = struct.Struct("<8s4IQ480s512x")
SECTION = struct.Struct("<IHHQII")  # bytes, kind, worker, first, count, record_words
CLOCKS = struct.Struct("<4Q")  # ticks, monotonic_ns, realtime_ns, within_ticks
SECTION_BYTES_MAX = 1 << 24  # the recorder's are much shorter
CALLS, CLOCK_PAIR, DROPPED, RUN, END = 1, 2, 3, 4, 5
NO_WORKER = 0xFFFF


class NotReadable(Exception):
    """A file that is none of those that this package reads; the message says why, and what to do."""


@dataclass
class Header:
    pid: int
    runtime: int  # the number of the runtime in its process
    started_ns: int  # CLOCK_REALTIME
    describe: str  # runtime::describe()


@dataclass
class SectionMap:
    header: Header
    calls: np.ndarray  # of sections of calls: offset of the content, its bytes, worker, count, record_words
    clocks: np.ndarray  # of pairs of clocks: ticks, monotonic_ns, realtime_ns
    run_names: dict = field(default_factory=dict)  # by run: (offset, name) of each section that names it, in order
    dropped: int = 0  # calls that the recorder lost
    truncated: bool = False  # calls may be missing at the end: the recorder has not ended the file


def is_recording(path):
    with open(path, "rb") as file:
        return file.read(len(MAGIC)) == MAGIC


def read_map(path):
    """The map of a recording. Raises NotReadable, OSError."""
    with open(path, "rb") as file:
        header = _read_header(file, path)
        size = os.fstat(file.fileno()).st_size
        calls, clocks, names, dropped, whole = [], [], {}, 0, False
        at = HEADER.size
        while at < size:
            file.seek(at)
            head = file.read(SECTION.size)
            if len(head) < SECTION.size:
                break
            length, kind, worker, first, count, record_words = SECTION.unpack(head)
            if length < SECTION.size or length % 8 or length > SECTION_BYTES_MAX or at + length > size:
                break
            content = length - SECTION.size
            if kind == CALLS:
                calls.append((at + SECTION.size, content, worker, count, record_words))
            elif kind == CLOCK_PAIR and content >= CLOCKS.size:
                clocks.append(CLOCKS.unpack(file.read(CLOCKS.size))[:3])
            elif kind == DROPPED:
                dropped += count
            elif kind == RUN:
                names.setdefault(first, []).append((at, file.read(content).split(b"\0")[0].decode("utf-8", "replace")))
            whole = kind == END
            at += length
        whole = whole and at == size
    if not clocks:
        raise NotReadable(f"{path}: the recording has no pair of clocks, so its times mean nothing; record it again")
    pairs = np.array(sorted({pair[0]: pair for pair in reversed(clocks)}.values()), dtype=np.uint64)
    return SectionMap(header, np.array(calls, dtype=np.int64).reshape(-1, 5), pairs, names, dropped, not whole)


def _read_header(file, path):
    head = file.read(HEADER.size)
    if len(head) < HEADER.size or head[:8] != MAGIC:
        raise NotReadable(f"{path} is no recording of genesys; 'genesys trace --record FILE -- PROGRAM' makes one")
    _, version, header_bytes, pid, runtime, started_ns, describe = HEADER.unpack(head)
    if version != VERSION or header_bytes != HEADER.size:
        raise NotReadable(f"{path} has version {version} of the format; this package reads version {VERSION}: "
                          "install the genesys_trace of the same genesys")
    return Header(pid, runtime, started_ns, describe.split(b"\0")[0].decode("utf-8", "replace"))
