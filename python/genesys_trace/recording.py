# SPDX-License-Identifier: Apache-2.0
"""A recording of genesys, read in batches of sections: columns of numpy, with times in nanoseconds.

It needs memory for one batch, so a recording may be larger than the memory. A column costs only if it is asked for;
the join of the clocks, which needs a pass of its own, only if `published_ns`, `queue_ns` or `earlier_seen_ns` is.
"""

import numpy as np

from . import names
from .clocks import ClockJoin, HostClock
from .format import read_map
from .unpack import DEPENDENT, MALFORMED, Records

BATCH_BYTES = 8 << 20
_PADDING_WORDS = 16  # the longest record without data: gathers at the end of a batch stay in the buffer

_PLAIN = ("number", "by", "flags", "scope", "mode", "block", "warp", "run", "completion_slot")
_TIMES = {"taken_ns": 0, "started_ns": 1, "ended_ns": 2}
_JOINED = ("published_ns", "queue_ns", "earlier_seen_ns")
_EARLIER = ("earlier_completed_ticks", "earlier_completed_ns", "earlier_seen_ns", "earlier_number")
_ARGS = tuple(f"arg{which}" for which in range(6))
# What sections() gives. Of times 0 means not known, of durations -1. `earlier_`: of the call before at the same
# completion slot, since only the next call there says when the leader saw a completion; 0: not known.
DATA = "data"  # lists of unpack.Memory: for the calls of small recordings, and not among COLUMNS
COLUMNS = (*_PLAIN, "run_name", "worker", *_ARGS, "result", "published_ns", *_TIMES, "completed_ns", "queue_ns",
           "linux_ns", "completed_ticks", *_EARLIER)


class Recording:
    """Raises NotReadable if the file is no recording, and OSError. `machine`: that of the recording, as uname -m has
    it, if it is not this one; the names of the calls depend on it."""

    def __init__(self, path, machine=None):
        self.path = path
        self._map = read_map(path)
        self._clock = HostClock(self._map.clocks)
        self._join = None
        self._architecture = names.architecture(machine)
        named = (name for sections in self._map.run_names.values() for _, name in sections)
        self.run_names = list(dict.fromkeys(["", *named]))  # the column run_name has places in it

    header = property(lambda self: self._map.header)
    truncated = property(lambda self: self._map.truncated)  # whether calls may be missing at the end
    dropped = property(lambda self: self._map.dropped)  # calls that the recorder lost
    begin_ns = property(lambda self: self._clock.begin_ns)
    end_ns = property(lambda self: self._clock.end_ns)

    @property
    def count(self):
        """How many calls the sections say that they have."""
        return int(self._map.calls[:, 3].sum())

    @property
    def clock_error_ns(self):
        """The error of published and seen times; -1: published_ns counts the fastest call as not queued."""
        return self._joined().error_ns

    def name_of(self, number):
        return names.call_name(int(number), self._architecture)

    def sections(self, columns=COLUMNS):
        """Yields dictionaries of columns, one for each batch of sections, in the order of the file: of one worker in
        order, of several only nearly."""
        unknown = set(columns) - {*COLUMNS, DATA}
        if unknown:
            raise ValueError(f"no columns {sorted(unknown)}; there are {', '.join(COLUMNS)}")
        join = self._joined() if set(columns) & set(_JOINED) else None
        for records, offset in self._batches():
            given = _Batch(records, self._clock, join).columns([name for name in columns if name != "run_name"])
            if "run_name" in columns:
                given["run_name"] = self._run_names_of(records.field("run"), records.offsets(offset))
            yield {name: given[name] for name in columns}

    def _run_names_of(self, runs, offsets):
        """A number may be of one run after another: the last section before a call names its run."""
        codes = np.zeros(len(runs), np.int32)
        for run in set(np.unique(runs).tolist()) & self._map.run_names.keys():
            of, (at, texts) = runs == run, zip(*self._map.run_names[run])
            choice = np.array([0, *(self.run_names.index(text) for text in texts)])
            codes[of] = choice[np.searchsorted(at, offsets[of])]
        return codes

    def _joined(self):
        if self._join is None:
            join = ClockJoin()
            for records, _ in self._batches():
                batch = _Batch(records, self._clock, None)
                completed, seen, _ = records.earlier()
                join.add(records.field("published"), batch.ns(0), batch.has_published(), seen,
                         self._clock.ns_of(completed))
            join.settle()
            self._join = join
        return self._join

    def _batches(self):
        """The records of each batch, and where it begins in the file; valid until the next one is asked for."""
        of = self._map.calls
        if len(of) == 0:
            return
        ends = of[:, 0] + of[:, 1]
        buffer = np.empty(0, dtype=np.uint64)
        with open(self.path, "rb", buffering=0) as file:
            begin = 0
            while begin < len(of):
                end = max(begin + 1, int(np.searchsorted(ends, of[begin, 0] + BATCH_BYTES, side="right")))
                length = int(ends[end - 1] - of[begin, 0])
                if len(buffer) * 8 < length + 8 * _PADDING_WORDS:
                    buffer = np.zeros(length // 8 + _PADDING_WORDS, dtype=np.uint64)
                file.seek(int(of[begin, 0]))
                _read_fully(file, memoryview(buffer).cast("B")[:length])
                yield _records(buffer, of[begin:end]), int(of[begin, 0])
                begin = end


def _read_fully(file, into):
    while len(into):
        got = file.readinto(into)
        if not got:
            raise EOFError("the recording became shorter while it was read")
        into = into[got:]


def _records(buffer, sections):
    """The records of these sections, which begin at the start of the buffer."""
    places16 = buffer.view(np.uint16)
    base = (sections[:, 0] - sections[0, 0]) // 8
    record_words = np.minimum(sections[:, 4], sections[:, 1] // 8)
    counts = np.minimum(sections[:, 3], (sections[:, 1] // 8 - record_words) * 4)
    # A loop over sections, each of which has about a thousand calls.
    parts = [places16[4 * (first + words):4 * (first + words) + count]
             for first, words, count in zip(base.tolist(), record_words.tolist(), counts.tolist())]
    at = np.concatenate(parts).astype(np.int64)
    inside = at < np.repeat(record_words, counts)
    at += np.repeat(base, counts)
    limit = np.repeat(base + record_words, counts)
    worker = np.repeat(sections[:, 2].astype(np.uint16), counts)
    if not inside.all():
        at, limit, worker = at[inside], limit[inside], worker[inside]
    return Records(buffer, at, limit, worker)


class _Batch:
    """The columns of a batch; each is computed once."""

    def __init__(self, records, clock, join):
        self._records, self._clock, self._join = records, clock, join
        self._ns = {}

    def ns(self, which):
        """0 to 3: when the calls were taken, started, ended, completed."""
        if which not in self._ns:
            ticks = self._records.completed if which == 3 else self._records.time(which)
            self._ns[which] = self._clock.ns_of(ticks)
        return self._ns[which]

    def has_published(self):
        return (self.ns(0) != 0) & (self._records.field("flags") & (DEPENDENT | MALFORMED) == 0)

    def published_ns(self):
        has, took, _ = self._records.ring()
        return np.where(has, self._completed_ns() - took, self._request_published_ns())

    def _request_published_ns(self):
        """Of the request; of a call through a shared ring, that is the lane's report."""
        published = self._join.published_ns(self._records.field("published"), self.ns(0))
        return np.where(self.has_published(), published, 0)

    def _completed_ns(self):
        """Of a call through a shared ring, when the lane had the result, if that can be known."""
        completed = self.ns(3)
        if self._join is None or not self._join.is_known or not self._records.in_ring.any():
            return completed
        has, _, seen = self._records.ring()
        return np.where(has, np.minimum(completed, self._join.seen_ns(seen, completed)), completed)

    def columns(self, wanted):
        given, records = {}, self._records
        for name in wanted:
            if name in _PLAIN:
                given[name] = records.field(name)
            elif name in _TIMES:
                given[name] = np.where(records.in_ring, 0, self.ns(_TIMES[name]))
        fixed = {"worker": lambda: records.worker, "completed_ns": self._completed_ns,
                 "completed_ticks": lambda: records.completed, "published_ns": self.published_ns,
                 "queue_ns": self._queue_ns, "linux_ns": self._linux_ns, DATA: records.data}
        given.update((name, make()) for name, make in fixed.items() if name in wanted)
        if set(wanted) & set(_ARGS):
            args, result = records.args()
            given.update(zip(_ARGS, args))
            given["result"] = result
        elif "result" in wanted:
            given["result"] = records.result()
        if set(wanted) & set(_EARLIER):
            given.update(self._earlier("earlier_seen_ns" in wanted))
        return {name: given[name] for name in wanted}

    def _queue_ns(self):
        published, taken = self.published_ns(), self.ns(0)
        unknown = (published == 0) | (taken == 0) | self._records.in_ring
        return np.where(unknown, -1, np.maximum(taken - published, 0))

    def _linux_ns(self):
        started, ended = self.ns(1), self.ns(2)
        has, took, _ = self._records.ring()
        known = (started != 0) & (ended != 0) & ~self._records.in_ring
        return np.where(has, took, np.where(known, ended - started, -1))

    def _earlier(self, with_seen):
        """A stamp that cannot be of the call before is left out, as the command does (command/recording.cpp)."""
        ticks, stamp, number = self._records.earlier()
        completed = self._clock.ns_of(ticks)
        given = {"earlier_completed_ticks": ticks, "earlier_completed_ns": completed, "earlier_number": number}
        if not with_seen:
            return given
        if not self._join.is_known:
            return {name: np.zeros(len(ticks), np.int64) for name in (*given, "earlier_seen_ns")}
        seen, published, error = self._join.seen_ns(stamp, completed), self._request_published_ns(), self._join.error_ns
        valid = (ticks != 0) & (seen + error >= completed)
        valid &= (published == 0) | (seen <= published + 2 * error + 1024)
        given["earlier_seen_ns"] = np.maximum(seen, completed)
        return {name: np.where(valid, column, 0) for name, column in given.items()}
