# SPDX-License-Identifier: Apache-2.0
"""Times of a recording in nanoseconds: the processor's counter by the pairs of clocks, and the device's clock by what
must be true.

clock_join is the class of this name in command/clock_join.cpp, for columns in place of calls: a request is published
before it is taken, and a completion is written before it is seen. In each bin of 10 ms these bound the shift between
the clocks from both sides; the middle is taken, and half the distance is the error. Times are int64 in ns; 0: not
known.
"""

import numpy as np

_BIN_NS = 10_000_000
_CANDIDATES_MAX = 8  # a stamp that came late to the host gives too large a lower bound
_UNIT_NS = 1024  # of `published`, which has 19 bits of it
_MOST_NONE = np.iinfo(np.int32).max


def _nearest(values):
    """The values nearest to 0 that are these modulo 2^29, of uint32."""
    return (values << np.uint32(3)).view(np.int32) >> np.int32(3)


class HostClock:
    """Readings of the processor's counter as times of CLOCK_REALTIME."""

    def __init__(self, pairs):
        self._ticks, self._real = pairs[:, 0], pairs[:, 2].astype(np.int64)
        if len(pairs) > 1:
            self._rate = np.diff(pairs[:, 1]).astype(np.float64) / np.diff(self._ticks).astype(np.float64)

    @property
    def begin_ns(self):
        return int(self._real[0])

    @property
    def end_ns(self):
        return int(self._real[-1])

    def ns_of(self, ticks):
        """Between the two pairs around each, or by the two nearest."""
        if len(self._ticks) == 1:  # a recording that was cut off
            return np.where(ticks == 0, 0, self._real[0])
        before = np.searchsorted(self._ticks[1:-1], ticks, side="right")
        since = (ticks - self._ticks[before]).view(np.int64)
        ns = self._real[before] + (self._rate[before] * since).astype(np.int64)
        return np.where(ticks == 0, 0, ns)


class ClockJoin:
    """The shift between the clocks of device and host. First add() of each batch in the order of the file, then
    settle()."""

    def __init__(self):
        self._bins = {}  # by number: [most, the largest of least]
        self._anchor = None  # shifts are relative to it
        self._fastest = None
        self._at, self._shift = np.zeros(0), np.zeros(0)
        self.error_ns = -1  # the median of the bins' errors; -1: no call says when its completion was seen

    @property
    def is_known(self):
        return len(self._at) > 0

    def add(self, published, taken_ns, has_published, earlier_seen, earlier_completed_ns):
        has_least = earlier_completed_ns != 0
        least = earlier_completed_ns[has_least].astype(np.uint32) - earlier_seen[has_least]
        anchored_from = 0  # bounds from above count only once there is an anchor
        if len(least) and self._anchor is None:
            self._anchor, anchored_from = least[0], int(np.argmax(has_least))
        if len(least):
            self._add_least(earlier_completed_ns[has_least] // _BIN_NS, (least - self._anchor).view(np.int32))
        most = taken_ns.astype(np.uint32) - published * np.uint32(_UNIT_NS)
        some = most[has_published]
        if len(some):
            if self._fastest is None:
                self._fastest = some[0]
            earlier = min(0, int(_nearest(some - self._fastest).min()))
            self._fastest = np.uint32((int(self._fastest) + earlier) & 0xFFFFFFFF)
        if self._anchor is None:
            return
        chosen = has_published.copy()
        chosen[:anchored_from] = False
        if chosen.any():
            self._add_most(taken_ns[chosen] // _BIN_NS, _nearest(most[chosen] - self._anchor))

    def _add_least(self, bins, values):
        order = np.lexsort((-values.astype(np.int64), bins))
        bins, values = bins[order], values[order]
        numbers, first = np.unique(bins, return_index=True)
        for number, begin, end in zip(numbers.tolist(), first, [*first[1:], len(bins)]):
            of = self._bins.setdefault(number, [_MOST_NONE, []])
            of[1] = sorted(of[1] + values[begin:min(end, begin + _CANDIDATES_MAX)].tolist(),
                           reverse=True)[:_CANDIDATES_MAX]

    def _add_most(self, bins, values):
        order = np.argsort(bins, kind="stable")
        numbers, first = np.unique(bins[order], return_index=True)
        for number, most in zip(numbers.tolist(), np.minimum.reduceat(values[order], first).tolist()):
            of = self._bins.setdefault(number, [_MOST_NONE, []])
            of[0] = min(of[0], most)

    def settle(self):
        at, shift, errors = [], [], []
        for number in sorted(self._bins):
            most, candidates = self._bins[number]
            least = next((value for value in candidates if value <= most), None)
            if most == _MOST_NONE or least is None:
                continue
            at.append(number * _BIN_NS + _BIN_NS // 2)
            shift.append((least + most) / 2)
            errors.append((most - least) // 2)
        self._at, self._shift = np.array(at, dtype=np.int64), np.array(shift)
        if errors:
            self.error_ns = sorted(errors)[len(errors) // 2]

    def _shift_at(self, host_ns):
        if not self.is_known:
            return np.full(len(host_ns), self._fastest, dtype=np.uint32)
        # Differences, because a float has no room for nanoseconds since 1970.
        shift = np.interp(host_ns - self._at[0], self._at - self._at[0], self._shift)
        return shift.astype(np.int64).astype(np.uint32) + np.uint32(self._anchor)

    def published_ns(self, published, near_ns):
        if self._fastest is None:
            return np.zeros(len(near_ns), dtype=np.int64)
        there = near_ns.astype(np.uint32) - self._shift_at(near_ns)
        stamp = published * np.uint32(_UNIT_NS) + np.uint32(_UNIT_NS // 2 if self.is_known else 0)
        return near_ns - _nearest(there - stamp)

    def seen_ns(self, seen, near_ns):
        there = near_ns.astype(np.uint32) - self._shift_at(near_ns)
        return near_ns + (seen - there).view(np.int32)
