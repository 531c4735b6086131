# SPDX-License-Identifier: Apache-2.0
"""What plots draw of a distribution: its histogram up to the 99th percentile, the tail beyond it, and its peaks.

plot_static.py and page.py draw the same curves, the one with matplotlib, the other with plotly.
"""

from dataclasses import dataclass

import numpy as np

from . import modes
from .names import CLASSES, KINDS, OTHER_CLASS

# The colours of the paper's figures 1 to 5.
KIND_COLOURS = dict(zip(KINDS, ("#c0392b", "#2469b3", "#2e8b3d")))
# Of calls in one plot (Okabe and Ito, which colour-blind readers can tell apart).
CALL_COLOURS = ("#0072b2", "#e69f00", "#009e73", "#cc79a7", "#d55e00", "#56b4e9", "#8c6d31", "#444444")
CASE_COLOURS = ("#2469b3", "#e08214", "#2e8b3d", "#8e44ad", "#7f8c8d")

_BINS = 24  # of a decade, as drawn
_MERGED = modes.BINS // _BINS
TAIL_POINTS_MAX = 300
DRAWN_CALLS_MIN = 30  # a histogram of fewer calls shows nothing but chance
TAIL_CALLS_MIN = 500  # with fewer, hardly any call is beyond the 99th percentile


@dataclass
class Curve:
    name: str
    edges_ns: np.ndarray  # one more than bins
    percent: np.ndarray  # of all calls, in each bin
    p99_ns: float
    tail_ns: np.ndarray  # times beyond the 99th percentile, and
    beyond: np.ndarray  # the percentage of calls that are longer; empty: there are too few calls
    peaks: list  # (ns, share, percent: the height of the histogram there)


def curve(of, whole=False):
    """`whole`: the histogram has the tail, too."""
    counts, p99 = of.counts, float(of.quantiles([0.99])[0])
    merged = counts.reshape(-1, _MERGED).sum(axis=1)
    used = np.flatnonzero(merged)
    begin = used[0]
    end = used[-1] + 1 if whole else min(used[-1], int(modes.bin_of(np.array([p99]))[0]) // _MERGED) + 1
    percent = 100 * merged[begin:end] / of.timed
    edges = modes.ns_of(np.arange(begin, end + 1) * _MERGED)
    peaks = []
    for ns, share in of.modes():
        at = int(modes.bin_of(np.array([ns]))[0]) // _MERGED - begin
        if 0 <= at < len(percent):
            peaks.append((ns, share, float(percent[at])))
    tail = _tail(counts, p99, of) if of.timed >= TAIL_CALLS_MIN else (np.zeros(0), np.zeros(0))
    return Curve(of.name, edges, percent, p99, *tail, peaks)


def _tail(counts, p99, of):
    left = of.timed - np.cumsum(counts)
    at = np.flatnonzero(counts)
    at = at[at >= modes.bin_of(np.array([p99]))[0]]
    if len(at) > TAIL_POINTS_MAX:
        at = at[np.unique(np.linspace(0, len(at) - 1, TAIL_POINTS_MAX).astype(int))]
    shown = left[at] > 0
    # The last call ends the curve: none is longer.
    times = np.append(np.minimum(modes.ns_of(at[shown] + 1), of.longest_ns), of.longest_ns)
    beyond = 100 * left[at[shown]] / of.timed
    return times, np.append(beyond, 100 / of.timed)


def by_class(by_name, calls_max=len(CALL_COLOURS)):
    """For each class of latency that has calls to draw: (class, its calls with the longest total time first, how many
    are left out)."""
    found = []
    for of_class in (*CLASSES, OTHER_CLASS):
        of = sorted((one for one in by_name.values() if one.latency_class == of_class and one.timed),
                    key=lambda one: -one.total_ns)
        drawn = [one for one in of if one.timed >= DRAWN_CALLS_MIN][:calls_max]
        if drawn:
            found.append((of_class, drawn, len(of) - len(drawn)))
    return found


def left_out_note(left_out):
    return f" ({left_out} more call{'s are' if left_out > 1 else ' is'} not shown)" if left_out > 0 else ""
