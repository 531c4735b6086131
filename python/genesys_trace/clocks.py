# SPDX-License-Identifier: Apache-2.0
"""Times of a recording in nanoseconds: the processor's counter by the pairs of clocks, and the device's clock by what
must be true.

clock_join is the class of this name in command/clock_join.cpp, for columns in place of calls: a request is published
before it is taken, and a completion is written before it is seen. In each bin of 10 ms these bound the shift between
the clocks from both sides; the middle is taken, and half the distance is the error. The device's times are known modulo
2^29 or 2^32 ns, so a bound is the one nearest to the shift of the bins before. Times are int64 in ns; 0: not known.
"""

import array

import numpy as np

_BIN_NS = 10_000_000
_CANDIDATES_MAX = 8  # a stamp that came late to the host gives too large a lower bound
_UNIT_NS = 1024  # of `published`, which has 19 bits of it
_MOST_NONE = np.iinfo(np.int64).max
_OPEN_BINS_MAX = 1024  # that may still get bounds
_BOUNDS_APART_MAX = 1 << 28  # more comes from a shift that was far from the one before


def _nearest(values):
    """The values nearest to 0 that are these modulo 2^29, of uint32."""
    return (values << np.uint32(3)).view(np.int32) >> np.int32(3)


def _by_bin(bins, values):
    """The values of each bin, by its number."""
    if not len(bins):
        return {}
    order = np.argsort(bins, kind="stable")
    numbers, first = np.unique(bins[order], return_index=True)
    return dict(zip(numbers.tolist(), np.split(values[order], first[1:])))


def _fitting_least(most, candidates):
    """The largest candidate that `most` allows. None: the bounds do not fit each other, or one is missing."""
    least = next((value for value in candidates if value <= most), None)
    return None if least is None or most - least >= _BOUNDS_APART_MAX else least


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
        self._bins = {}  # that may still get bounds, by number: [most, the largest of least]
        self._newest = self._finished = -1  # numbers of bins; of those up to _finished, _points has what is known
        self._near = 0  # the shift of the bins before
        self._points = [array.array("q"), array.array("d"), array.array("i")]  # when, shift, error
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
        leasts = _by_bin(earlier_completed_ns[has_least] // _BIN_NS, least)
        mosts = _by_bin(taken_ns[chosen] // _BIN_NS, most[chosen])
        for number in sorted({*leasts, *mosts}):
            if number > self._finished:
                self._add_bounds(number, leasts.get(number), mosts.get(number))
        for number in sorted(self._bins)[:-_OPEN_BINS_MAX]:
            self._finish_bin(number)

    def _add_bounds(self, number, least, most):
        of = self._bins.setdefault(number, [_MOST_NONE, []])
        relative_to = np.uint32((int(self._anchor) + self._near) & 0xFFFFFFFF)
        if least is not None:
            values = self._near + np.sort((least - relative_to).view(np.int32))[-_CANDIDATES_MAX:].astype(np.int64)
            of[1] = sorted(of[1] + values.tolist(), reverse=True)[:_CANDIDATES_MAX]
        if most is not None:
            of[0] = min(of[0], self._near + int(_nearest(most - relative_to).min()))
        if number < self._newest:
            return
        self._newest = number
        most, candidates = of
        if (fitting := _fitting_least(most, candidates)) is not None:
            self._near = fitting + (most - fitting) // 2
        elif candidates and most != _MOST_NONE:
            self._near = candidates[-1]  # has 32 bits, so it is right after a longer pause than `most` is

    def _finish_bin(self, number):
        self._finished = number
        most, candidates = self._bins.pop(number)
        if (least := _fitting_least(most, candidates)) is not None:
            for column, value in zip(self._points, (number * _BIN_NS + _BIN_NS // 2, (least + most) / 2,
                                                    (most - least) // 2)):
                column.append(value)

    def settle(self):
        for number in sorted(self._bins):
            self._finish_bin(number)
        self._at, self._shift, errors = map(np.array, self._points)
        if len(errors):
            self.error_ns = int(np.sort(errors)[len(errors) // 2])

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
