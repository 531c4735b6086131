# SPDX-License-Identifier: Apache-2.0
"""The parts of a recording that is made up, one tick a nanosecond (docs/recordings.md, The file)."""

import struct

REALTIME_NS = 10**18  # CLOCK_REALTIME less the ticks
_CALL_WORDS = 6


def header(pid=1, runtime=0):
    return struct.pack("<8s4IQ480s512x", b"genesyst", 3, 1024, pid, runtime, REALTIME_NS, b"made up")


def section(kind, content, worker=0, first=0, count=0, record_words=0):
    content += b"\0" * (-len(content) % 8)
    return struct.pack("<IHHQII", 24 + len(content), kind, worker, first, count, record_words) + content


def clocks(ticks, realtime_ns=None):
    return section(2, struct.pack("<4Q", ticks, ticks, realtime_ns or REALTIME_NS + ticks, 1), worker=0xffff)


def end():
    return section(5, b"", worker=0xffff)


def name(run, text):
    return section(4, text.encode() + b"\0", worker=0xffff, first=run)


def call(taken, linux_ns=100, number=110, run=0, head=0):
    """Taken then, in Linux 10 ns later, completed 10 ns after Linux returned."""
    completed = taken + 10 + linux_ns + 10
    head = (_CALL_WORDS | 1 << 8 | number << 47 | head, taken >> 10 & 0x7ffff | run << 19 | 1 << 62, completed)
    return struct.pack("<3Q4I8x", *head, completed - taken, completed - taken - 10, 10, 1)


def calls(records, worker=0):
    places = struct.pack(f"<{len(records)}H", *range(0, _CALL_WORDS * len(records), _CALL_WORDS))
    return section(1, b"".join(records) + places, worker, 0, len(records), _CALL_WORDS * len(records))
