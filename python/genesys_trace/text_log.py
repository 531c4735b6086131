# SPDX-License-Identifier: Apache-2.0
"""What logs in text have in common: calls, found line by line, become columns of numpy and a table of pandas.

strace.py and perf_trace.py read the lines. A log is read from its beginning each time, in blocks, so that its length is
not limited by the memory.
"""

import errno
import re
from typing import NamedTuple, Optional

import numpy as np
import pandas as pd

from . import names

BLOCK_CALLS = 200_000
_ERRORS = {name: number for number, name in errno.errorcode.items()} | {"ENOTSUPP": 524}
_RESULT = re.compile(r"(0x[0-9a-fA-F]+|-?\d+|\?)?(?:\S*\s+(E[A-Z0-9]+)\b)?")


class Call(NamedTuple):
    name: str
    thread: int  # -1: the log does not say
    started_ns: int  # 0: not known
    linux_ns: int  # -1: not known
    result: Optional[int]  # -errno, as Linux returns it; None: it did not return, or is made again
    error: Optional[str]
    arguments: str


def result_of(text):
    """A result in the style of strace, as (number or None, name of the error or None)."""
    number, error = _RESULT.match(text.strip()).groups()
    if error is not None and number in ("-1", None):
        return (-_ERRORS[error] if error in _ERRORS else None), error
    if number in (None, "?"):
        return None, error
    value = int(number, 0) if number.startswith("0x") else int(number)
    return (value if value < 1 << 63 else value - (1 << 64)), None


class TextLog:
    """A log whose calls `parse(lines, counts)` yields; `counts` has what it could not use, by reason."""

    truncated = False

    def __init__(self, path, kind, parse):
        self.path, self.kind = path, kind
        self._parse = parse
        self._names = {}
        self.counts = {}

    @property
    def dropped(self):
        """Calls that the tracer says that it lost."""
        return self.counts.get("lost", 0)

    def name_of(self, code):
        return list(self._names)[code]

    def calls(self):
        """Yields each Call."""
        self.counts = {}
        with open(self.path, encoding="utf-8", errors="replace") as file:
            yield from self._parse(file, self.counts)

    def blocks(self):
        """Yields columns: call (a code, for name_of), started_ns, linux_ns, failed."""
        rows = []
        for call in self.calls():
            code = self._names.setdefault(names.own_name(call.name), len(self._names))
            rows.append((code, call.started_ns, call.linux_ns, call.error is not None))
            if len(rows) == BLOCK_CALLS:
                yield _columns(rows)
                rows = []
        if rows:
            yield _columns(rows)

    def table(self):
        """A table, a row a call, with the columns of a recording's table that the log has."""
        calls = list(self.calls())
        of = {name: index for index, name in enumerate(Call._fields)}
        columns = list(zip(*calls)) if calls else [()] * len(of)
        named = [names.own_name(name) for name in columns[of["name"]]]
        numbers = {name: names.number_of(name) for name in set(named)}
        started = _int64(columns[of["started_ns"]], 0)
        took = _int64(columns[of["linux_ns"]], -1)
        table = pd.DataFrame({
            "number": pd.array([numbers[name] for name in named], dtype="Int64"),
            "name": pd.Categorical(named),
            "thread": _int64(columns[of["thread"]], -1),
            "arguments": list(columns[of["arguments"]]),
            "result": pd.array(list(columns[of["result"]]), dtype="Int64"),
            "error": pd.Categorical(list(columns[of["error"]])),
            "started_ns": started,
            "ended_ns": started + took,
            "linux_ns": took,
        })
        table.attrs = {"source": str(self.path), "kind": self.kind, "truncated": False, "dropped": self.dropped,
                       "not_used": dict(self.counts)}
        return table


def _columns(rows):
    call, started, took, failed = zip(*rows)
    return {"call": np.array(call, np.int32), "started_ns": np.array(started, np.int64),
            "linux_ns": np.array(took, np.int64), "failed": np.array(failed, bool)}


def _int64(values, unknown):
    column = np.array(values, dtype=np.int64)
    return pd.arrays.IntegerArray(column, column == unknown)
