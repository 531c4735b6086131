# SPDX-License-Identifier: Apache-2.0
"""Compares the latencies of each call in two cases: which calls have become slower or faster, whose tail and whose
peaks have moved, and how far that may be chance.

Each measure has an interval from a bootstrap: the statistic of many samples that are drawn anew, with replacement, from
the case's units. What is said to have moved has a wider interval that excludes no change: wide enough that all
verdicts together hold with the confidence asked for (Bonferroni), since a comparison has many calls.

Units are whole runs if the case has at least RUNS_MIN of them, otherwise stretches of time of its runs
(distributions.py), since calls that follow one another are not independent. With fewer than UNITS_MIN stretches that
have a call, its calls are drawn as if they were independent.
"""

from dataclasses import dataclass, field

import numpy as np

from . import modes
from .distributions import FileDistributions, joined

RUNS_MIN = 3
UNITS_MIN = 5
SAMPLES = 1000
PEAK_SAMPLES = 200
CALLS_MIN = 30  # with fewer timed calls in a case nothing is judged
TAIL_CALLS_MIN = 500  # with fewer, the 99th percentile is one of the few longest calls
DELTA_LEAST = 0.147  # Cliff's delta; below it the difference is usually called negligible (Romano et al., 2006)
RATIO_LEAST = 1.1  # of the 99th percentiles, and of peaks
SAME_PEAK = 2.0  # peaks further apart than by this factor are not the same
PEAK_SHARE_LEAST = 0.05
_AROUND = 1.25  # a peak's surroundings, as a factor
_BIN_WIDTH = 10 ** (1 / modes.MODE_BINS)


@dataclass
class Measure:
    value: float
    low: float
    high: float
    least: float  # of the wider interval
    most: float

    def excludes(self, value):
        return self.least > value or self.most < value


@dataclass
class Peak:
    change: str  # same, moved, new, gone
    a_ns: float = 0
    b_ns: float = 0
    ratio: Measure = None


@dataclass
class Comparison:
    """Of one call, case B against case A. A distribution is None if the case has no such call."""

    name: str
    a: object
    b: object
    ratio: Measure = None  # of the medians, B by A
    delta: Measure = None  # Cliff's delta: P(B > A) - P(B < A) of a call of each
    tail: Measure = None  # the ratio of the 99th percentiles
    peaks: list = field(default_factory=list)

    @property
    def total_ns(self):
        return sum(of.total_ns for of in (self.a, self.b) if of)

    @property
    def judged(self):
        return self.ratio is not None

    @property
    def centre_moved(self):
        """slower, faster, or nothing."""
        if not self.judged or abs(self.delta.value) < DELTA_LEAST or not self.delta.excludes(0):
            return ""
        return "slower" if self.delta.value > 0 else "faster"

    @property
    def tail_moved(self):
        """longer, shorter, or nothing."""
        if self.tail is None or not self.tail.excludes(1) or 1 / RATIO_LEAST < self.tail.value < RATIO_LEAST:
            return ""
        return "longer" if self.tail.value > 1 else "shorter"

    @property
    def peaks_moved(self):
        return "moved" if any(peak.change != "same" for peak in self.peaks) else ""

    @property
    def moved(self):
        return bool(self.centre_moved or self.tail_moved or self.peaks_moved)


@dataclass
class Confidence:
    of_one: float
    verdicts: int  # that hold together

    def interval(self, value, samples):
        known = samples[np.isfinite(samples)]
        if len(known) == 0:
            return Measure(float(value), *[float("-inf"), float("inf")] * 2)
        outside = (1 - self.of_one) / 2
        shares = np.array([outside, 1 - outside, outside / self.verdicts, 1 - outside / self.verdicts])
        low, high, least, most = np.quantile(known, shares)
        return Measure(float(value), *(float(of) for of in (min(low, value), max(high, value), min(least, value),
                                                            max(most, value))))


class Case:
    """One or more runs of the same thing, a file each."""

    def __init__(self, name, paths, machine=None):
        self.name = name
        self.files = [FileDistributions(path, machine) for path in paths]
        self.by_name = joined(self.files)

    @property
    def by_runs(self):
        return len(self.files) >= RUNS_MIN

    @property
    def units(self):
        """What the bootstrap draws, for a reader."""
        if self.by_runs:
            return f"{len(self.files)} runs"
        parts = sum(file.parts_used for file in self.files)
        return f"{parts} stretches of time of {len(self.files)} run{'s' if len(self.files) > 1 else ''}"

    def counts_of_units(self, name):
        rows = []
        for file in self.files:
            of = file.by_name.get(name)
            if of is None:
                rows.append(np.zeros((1 if self.by_runs else file.parts_used, modes.BINS_ALL), np.uint32))
            else:
                rows.append(of.counts[None, :] if self.by_runs else of.parts)
        return np.concatenate(rows)


def compare(a, b, seed=1, confidence=0.95, calls=None):
    """The Comparison of each call of either case, those with the longest total time first. `calls`: only these."""
    found = [Comparison(name, a.by_name.get(name), b.by_name.get(name))
             for name in sorted(set(a.by_name) | set(b.by_name)) if not calls or name in calls]
    often = [one for one in found if one.a and one.b and min(one.a.timed, one.b.timed) >= CALLS_MIN]
    for one in often:
        # A generator of its own, so that other calls have no effect on a call's samples.
        _judge(one, a, b, np.random.default_rng([seed, *one.name.encode()]), Confidence(confidence, len(often)))
    return sorted(found, key=lambda one: -one.total_ns)


def _judge(one, a, b, random, confidence):
    units = [a.counts_of_units(one.name), b.counts_of_units(one.name)]
    used = np.flatnonzero(units[0].any(axis=0) | units[1].any(axis=0))
    begin = used[0] // modes.FINE * modes.FINE
    end = (used[-1] // modes.FINE + 1) * modes.FINE
    by_runs = [a.by_runs, b.by_runs]
    units = [of[:, begin:end].astype(np.float64) for of in units]
    sums = [of.sum(axis=0) for of in units]
    samples = [_samples(of, runs, random) for of, runs in zip(units, by_runs)]

    def measure(function):
        return confidence.interval(function(*(of[None, :] for of in sums))[0], function(*samples))

    one.ratio = measure(lambda x, y: _ratio_of_quantiles(x, y, 0.5))
    one.delta = measure(cliffs_delta)
    if min(one.a.timed, one.b.timed) >= TAIL_CALLS_MIN:
        one.tail = measure(lambda x, y: _ratio_of_quantiles(x, y, 0.99))
    one.peaks = _Peaks(begin, samples, sums, confidence).compared(one.a.modes(), one.b.modes())


def _samples(units, by_runs, random):
    """Counts of SAMPLES samples, a row each."""
    units = units[units.any(axis=1)] if not by_runs else units
    if not by_runs and len(units) < UNITS_MIN:
        counts = units.sum(axis=0)
        used = np.flatnonzero(counts)
        samples = np.zeros((SAMPLES, len(counts)))
        samples[:, used] = random.multinomial(int(counts.sum()), counts[used] / counts.sum(), size=SAMPLES)
        return samples
    return random.multinomial(len(units), np.full(len(units), 1 / len(units)), size=SAMPLES) @ units


def _ratio_of_quantiles(a, b, share):
    return modes.quantiles(b, [share])[:, 0] / modes.quantiles(a, [share])[:, 0]


def cliffs_delta(a, b):
    """Of counts in bins, a row each. Calls in the same bin count as equal."""
    with np.errstate(invalid="ignore"):
        a, b = (of / of.sum(axis=1, keepdims=True) for of in (a, b))
    up_to = np.cumsum(a, axis=1)
    return (b * (2 * up_to - a - 1)).sum(axis=1)


def _modes_of(samples, begin):
    """The modes of each sample, in ns."""
    all_of = []
    for counts in modes.coarse(samples):
        # Room on both sides for the kernel.
        padded = np.concatenate([np.zeros(modes.MODE_BINS), counts, np.zeros(modes.MODE_BINS)])
        shift = 10 ** (begin / modes.BINS - 1)
        all_of.append(np.array([ns * shift for ns, _ in modes.modes(padded)]))
    return all_of


def _nearest(of, ns):
    """The mode of each sample that is nearest, on the logarithmic axis."""
    return np.array([some[np.argmin(np.abs(np.log(some / ns)))] if len(some) else np.nan for some in of])


class _Peaks:
    """Judges peaks by the samples of both cases, whose bins begin at `begin`."""

    def __init__(self, begin, samples, sums, confidence):
        self._begin, self._confidence = begin, confidence
        self._samples, self._sums = samples, sums
        self._modes = [_modes_of(of[:PEAK_SAMPLES], begin) for of in samples]

    def compared(self, a, b):
        """Peaks are the same if each is the nearest to the other, within a factor."""
        peaks, left = [], [ns for ns, share in b if share >= PEAK_SHARE_LEAST]
        for ns, share in a:
            if share < PEAK_SHARE_LEAST:
                continue
            other = min((ns_b for ns_b, _ in b), key=lambda ns_b: abs(np.log(ns_b / ns)), default=None)
            back = min((ns_a for ns_a, _ in a), key=lambda ns_a: abs(np.log(ns_a / other))) if other else None
            if other is None or back != ns or not 1 / SAME_PEAK < other / ns < SAME_PEAK:
                if self._is_only_in(0, ns):
                    peaks.append(Peak("gone", a_ns=ns))
                continue
            left = [ns_b for ns_b in left if ns_b != other]
            ratio = self._ratio(ns, other, len(a))
            is_same = not ratio.excludes(1) or 1 / RATIO_LEAST < ratio.value < RATIO_LEAST
            peaks.append(Peak("same" if is_same else "moved", ns, other, ratio))
        return peaks + [Peak("new", b_ns=ns) for ns in left if self._is_only_in(1, ns)]

    def _ratio(self, a_ns, b_ns, of_call):
        confidence = Confidence(self._confidence.of_one, self._confidence.verdicts * of_call)
        ratio = confidence.interval(b_ns / a_ns, _nearest(self._modes[1], b_ns) / _nearest(self._modes[0], a_ns))
        # Each of the two has the resolution of a bin, half to either side.
        ratio.low, ratio.high = ratio.low / _BIN_WIDTH, ratio.high * _BIN_WIDTH
        ratio.least, ratio.most = ratio.least / _BIN_WIDTH, ratio.most * _BIN_WIDTH
        return ratio

    def _is_only_in(self, which, ns):
        """Whether nearly all samples of one case have the peak, nearly none of the other, and the other has less than
        half as many calls there. A peak may also cease to be one because it has become a little flatter."""
        apart = [np.abs(np.log(_nearest(of, ns) / ns)) for of in self._modes]
        has = [np.mean(of < np.log(_AROUND)) for of in apart]
        if has[which] < self._confidence.of_one or has[1 - which] > 1 - self._confidence.of_one:
            return False
        value = self._share_around(self._sums[1 - which][None, :], ns) / self._share_around(
            self._sums[which][None, :], ns)
        with np.errstate(divide="ignore", invalid="ignore"):
            samples = (self._share_around(self._samples[1 - which], ns) /
                       self._share_around(self._samples[which], ns))
        return self._confidence.interval(value[0], samples).most < 0.5

    def _share_around(self, counts, ns):
        middle = np.log10(ns) * modes.BINS - self._begin
        apart = np.log10(_AROUND) * modes.BINS
        begin, end = (int(np.clip(middle + sign * apart, 0, counts.shape[1])) for sign in (-1, 1))
        return counts[:, begin:end].sum(axis=1) / np.maximum(counts.sum(axis=1), 1)
