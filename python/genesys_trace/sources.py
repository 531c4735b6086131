# SPDX-License-Identifier: Apache-2.0
"""Opens a file of calls, whatever made it: a recording of genesys, a log of strace, or one of perf trace.

Each source gives blocks of the same few columns, which distributions.py counts: call (a code, for name_of), started_ns,
linux_ns (-1: not known), failed.
"""

import itertools

import numpy as np

from . import format as recording_format
from . import names, perf_trace, strace
from .format import NotReadable
from .recording import Recording
from .text_log import TextLog
from .unpack import AGAIN, IN_RING, MALFORMED

_FIRST_LINES = 200
_NUMBER_MASK = 0xFFF  # a code beyond it: the call with this number, made by the kernel through a shared ring


class RecordedCalls:
    """A recording's calls of Linux: without requests to the runtime, and without attempts that are made again."""

    kind = "genesys"

    def __init__(self, path, machine=None):
        self.path = path
        self.recording = Recording(path, machine)
        self.counts = {}

    truncated = property(lambda self: self.recording.truncated)
    dropped = property(lambda self: self.recording.dropped)

    def name_of(self, code):
        name = self.recording.name_of(code & _NUMBER_MASK)
        return name + names.IN_RING if code > _NUMBER_MASK else name

    def blocks(self):
        columns = ("number", "by", "flags", "started_ns", "completed_ns", "linux_ns", "result")
        for section in self.recording.sections(columns):
            keep = ~names.is_internal(section["number"]) & (section["flags"] & (AGAIN | MALFORMED) == 0)
            some = {name: column[keep] for name, column in section.items()}
            started = np.where(some["started_ns"] != 0, some["started_ns"], some["completed_ns"])
            code = some["number"].astype(np.int32) + np.where(some["by"] == IN_RING, _NUMBER_MASK + 1, 0)
            yield {"call": code, "started_ns": started, "linux_ns": some["linux_ns"],
                   "failed": (some["result"] < 0) & (some["result"] >= -4095)}


def open_source(path, machine=None):
    """Raises NotReadable with what to do, and OSError."""
    if recording_format.is_recording(path):
        return RecordedCalls(path, machine)
    with open(path, encoding="utf-8", errors="replace") as file:
        lines = [line for line in itertools.islice(file, _FIRST_LINES) if line.strip()]
    for kind, reader in (("perf trace", perf_trace), ("strace", strace)):
        if reader.is_log(lines):
            return TextLog(path, kind, reader.parse)
    raise NotReadable(f"{path} is no recording of genesys ('genesys trace --record FILE -- PROGRAM'), and no log of "
                      f"'{strace.HOW}' or '{perf_trace.HOW}'")
