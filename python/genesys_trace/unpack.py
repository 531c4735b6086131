# SPDX-License-Identifier: Apache-2.0
"""Unpacks records of calls (src/trace/record.h) into columns: numpy works on all calls of a batch at once.

Records have different lengths, so each field is gathered by its place: the sections' lists of places give the first
word of each record, and the forms of the arguments how far the next one is away. recording.py calls this.
"""

import struct
from typing import NamedTuple

import numpy as np

AGAIN, MALFORMED, DEPENDENT = 1, 2, 4  # record_flags
IN_RING = 4  # made_by::kernel
_POSTED = 2  # wait_mode::posted
_LONG, _SEEN, _DATA = 8, 16, 32
_KEPT_FLAGS = AGAIN | MALFORMED | DEPENDENT
_NOT_KNOWN = np.uint64(0xFFFFFFFF)
_FORM_HALVES = np.array([0, 1, 2, 1], dtype=np.int64)  # words of 4 bytes: zero, low, full, negative
_NEGATIVE = 3

# Field of the first two words: word, first bit, bits, type of the column.
_FIELDS = {
    "by": (0, 10, 2, np.uint8),
    "flags": (0, 12, 6, np.uint8),
    "scope": (0, 18, 2, np.uint8),
    "mode": (0, 20, 2, np.uint8),
    "warp": (0, 22, 5, np.uint8),
    "block": (0, 27, 20, np.uint32),
    "number": (0, 47, 12, np.uint16),
    "published": (1, 0, 19, np.uint32),
    "run": (1, 19, 11, np.uint16),
    "completion_slot": (1, 30, 20, np.uint32),
}


class Memory(NamedTuple):
    """What was recorded of the memory behind an argument (src/trace/record.h, packed_data)."""

    arg: int  # which argument; 7: the result
    part: int  # 0: what it points to; PART_PATH: the path of the descriptor; others: src/trace/argument_bytes.h
    total: int  # so many bytes are there; None: more than that, or not known
    content: bytes


PART_PATH = (1 << 29) - 2
_TOTAL_NOT_KNOWN = 0xFFFF


class Records:
    """The records of a batch. `words` has at least 16 words after the last record; `at` is each record's first word,
    `limit` the first word beyond its section's records. Invalid records are left out."""

    def __init__(self, words, at, limit, worker):
        heads = words[at]
        length = (heads & np.uint64(255)).astype(np.int64)
        valid = (length >= 3) & (at + length <= limit) & ((heads >> np.uint64(8)) & np.uint64(3) == 1)
        if not valid.all():
            at, heads, length, worker = at[valid], heads[valid], length[valid], worker[valid]
        self._at, self._end, self.worker = at, 2 * (at + length), worker
        self._words = (heads, words[at + 1])
        self.completed = words[at + 2]
        self._halves = words.view(np.uint32)
        flags = self.field("flags", keep_all=True)
        self._long = (flags & _LONG) != 0
        self._seen = (flags & _SEEN) != 0
        self._times_at = 2 * at + 6
        self._earlier_at = self._times_at + np.where(self._long, 6, 3)
        self.in_ring = self.field("by") == IN_RING
        self._ring_at = self._earlier_at + np.where(self._seen, 3, 0)
        self._ring = self.in_ring & (self.field("mode") != _POSTED)
        self._args_at = self._ring_at + np.where(self._ring, 2, 0)
        self._check_lengths()

    def __len__(self):
        return len(self._at)

    def offsets(self, first):
        """Where each record is in the file; `first`: where the batch begins."""
        return first + 8 * self._at

    def field(self, name, keep_all=False):
        word, bit, bits, dtype = _FIELDS[name]
        values = ((self._words[word] >> np.uint64(bit)) & np.uint64((1 << bits) - 1)).astype(dtype)
        if name == "by":
            values |= (((self._words[0] >> np.uint64(59)) & np.uint64(1)) << np.uint64(2)).astype(dtype)
        return values & np.uint8(_KEPT_FLAGS) if name == "flags" and not keep_all else values

    def time(self, which):
        """0, 1, 2: when the call was taken, started, ended, in ticks; 0: not known."""
        before = self._halves[self._times_at + which].astype(np.uint64)
        times = np.where(before == _NOT_KNOWN, np.uint64(0), self.completed - before)
        if self._long.any():
            times[self._long] = self._full(self._times_at[self._long] + 2 * which)
        return times

    def earlier(self):
        """Of the call before at the same completion slot: completed (ticks; 0: not known), seen (32 bits of the
        device's clock), number."""
        completed, seen, number = (np.zeros(len(self), dtype) for dtype in (np.uint64, np.uint32, np.uint32))
        has, at = self._seen, self._earlier_at[self._seen]
        completed[has] = self.completed[has] - self._halves[at]
        seen[has], number[has] = self._halves[at + 1], self._halves[at + 2]
        return completed, seen, number

    def ring(self):
        """Of calls through shared rings: whether these times are known; the ns from submitting until the lane had the
        result; and the device's clock then (32 bits, in ns)."""
        took, seen = np.zeros(len(self), np.int64), np.zeros(len(self), np.uint32)
        has, at = self._ring, self._ring_at[self._ring]
        took[has], seen[has] = self._halves[at], self._halves[at + 1]
        return has, took, seen

    def args(self):
        """The six arguments, and the result."""
        at, values = self._args_at.copy(), []
        for which in range(7):
            form = self._form(which)
            low = self._halves[at].astype(np.uint64)
            low[form == 0] = 0
            full = form == 2
            if full.any():
                low[full] = self._full(at[full])
            negative = form == _NEGATIVE
            if negative.any():
                low[negative] |= np.uint64(0xFFFFFFFF00000000)
            values.append(low)
            at += _FORM_HALVES[form]
        return values[:6], values[6].view(np.int64)

    def result(self):
        """The result alone."""
        at = self._args_at.copy()
        for which in range(6):
            at += _FORM_HALVES[self._form(which)]
        form = self._form(6)
        values = self._halves[at].astype(np.uint64)
        values[form == 0] = 0
        full = form == 2
        values[full] = self._full(at[full])
        values[form == _NEGATIVE] |= np.uint64(0xFFFFFFFF00000000)
        return values.view(np.int64)

    def data(self):
        """For each call a list of Memory, as objects: a loop over the calls that have any."""
        lists = np.empty(len(self), dtype=object)
        lists[:] = [[] for _ in range(len(self))]
        begin = (self._args_at + self._halves_of_args() + 1) // 2
        content = memoryview(self._halves).cast("B")
        for which in np.flatnonzero(self.field("flags", keep_all=True) & _DATA).tolist():
            at, end = 8 * int(begin[which]), 4 * int(self._end[which])
            while at + 8 <= end:
                key, length, total = _DATA_HEAD.unpack_from(content, at)
                at += 8
                some = bytes(content[at:min(at + length, end)])
                lists[which].append(Memory(key & 7, key >> 3, None if total == _TOTAL_NOT_KNOWN else total, some))
                at += (length + 7) // 8 * 8
        return lists

    def _halves_of_args(self):
        return _HALVES_OF_FORMS[(self._words[1] >> np.uint64(50)).astype(np.int64)]

    def _form(self, which):
        return ((self._words[1] >> np.uint64(50 + 2 * which)) & np.uint64(3)).astype(np.int8)

    def _full(self, at):
        return self._halves[at].astype(np.uint64) | (self._halves[at + 1].astype(np.uint64) << np.uint64(32))

    def _check_lengths(self):
        """Leaves out records whose fields go beyond their end."""
        fits = self._args_at + self._halves_of_args() <= self._end
        if fits.all():
            return
        for name in ("_at", "_end", "worker", "completed", "_long", "_seen", "_times_at", "_earlier_at", "_args_at",
                     "in_ring", "_ring", "_ring_at"):
            setattr(self, name, getattr(self, name)[fits])
        self._words = tuple(word[fits] for word in self._words)


def _halves_of_forms():
    forms = np.arange(1 << 14)
    return sum(_FORM_HALVES[forms >> 2 * which & 3] for which in range(7))


_HALVES_OF_FORMS = _halves_of_forms()  # of each of the 2^14 combinations of forms
_DATA_HEAD = struct.Struct("<IHH")
