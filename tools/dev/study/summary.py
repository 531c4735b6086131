# SPDX-License-Identifier: Apache-2.0
"""What is kept of a measured case: per call how often and how long, quantiles, peaks, tail, a histogram; and of
comparisons the effect sizes with their intervals. Times are in ns.
"""

import numpy as np

from genesys_trace import modes
from genesys_trace.compare import CALLS_MIN, TAIL_CALLS_MIN, compare

HISTOGRAM_BINS = 24  # of a decade, as plots draw them
CALLS_MOST = 8  # of a case are kept one by one: those that take the most time, and those that are made most often
OVERLAP_CALLS_MIN = 100
_MERGED = modes.BINS // HISTOGRAM_BINS
_SHARES = {"p50": 0.5, "p90": 0.9, "p99": 0.99, "p999": 0.999}


def of_case(case):
    """`case`: a genesys_trace.compare.Case, a file each run."""
    of_all = case.by_name.values()
    calls, total = sum(of.calls for of in of_all), sum(of.total_ns for of in of_all)
    chosen = sorted(of_all, key=lambda of: -of.total_ns)[:CALLS_MOST]
    chosen += [of for of in sorted(of_all, key=lambda of: -of.calls)[:CALLS_MOST] if of not in chosen]
    return {
        "runs": len(case.files),
        "calls": calls,
        "names": len(case.by_name),
        "linux_ns": total,
        "by_time": shares(of_all, lambda of: of.total_ns),
        "by_count": shares(of_all, lambda of: of.calls),
        "by_call": {of.name: _of_call(of, case, calls, total) for of in chosen if of.timed},
    }


def shares(of_all, value):
    """The shares of the calls that have the most, until 99 % are counted: [[name, share], ...], not too many."""
    total, found, counted = sum(map(value, of_all)) or 1, [], 0
    for of in sorted(of_all, key=value, reverse=True):
        if counted >= 0.99 * total or len(found) == CALLS_MOST:
            break
        counted += value(of)
        found.append([of.name, value(of) / total])
    return found


def _of_call(of, case, calls, total):
    quantiles = of.quantiles(list(_SHARES.values()))
    counts = of.counts
    merged = counts.reshape(-1, _MERGED).sum(axis=1)
    used = np.flatnonzero(merged)
    begin, end = int(used[0]), int(used[-1]) + 1
    runs = [file.by_name[of.name] for file in case.files if of.name in file.by_name and file.by_name[of.name].timed]
    return {
        "calls": of.calls, "failed": of.failed, "share_calls": of.calls / calls,
        "share_time": of.total_ns / total if total else 0, "mean": of.total_ns / of.timed,
        **dict(zip(_SHARES, map(float, quantiles))), "longest": of.longest_ns,
        "peaks": [[ns, share] for ns, share in of.modes()],
        "runs_p50": [float(one.quantiles([0.5])[0]) for one in runs],
        "runs_p99": [float(one.quantiles([0.99])[0]) for one in runs],
        "histogram": [begin, *map(int, merged[begin:end])],
        "self_overlap": _self_overlap(runs),
    }


def _self_overlap(runs):
    """How alike the histograms of two runs are, the mean of all pairs; None: too few calls."""
    rows = [one.counts.reshape(-1, _MERGED).sum(axis=1) for one in runs if one.timed >= OVERLAP_CALLS_MIN]
    pairs = [overlap(a, b) for number, a in enumerate(rows) for b in rows[number + 1:]]
    return float(np.mean(pairs)) if pairs else None


def overlap(a, b):
    """The common area of two histograms: 1 if they are the same, 0 if they have nothing in common."""
    return float(np.minimum(a / a.sum(), b / b.sum()).sum())


def counts_of(histogram):
    """The counts of a stored histogram, in all bins."""
    counts = np.zeros(modes.BINS_ALL // _MERGED, np.int64)
    counts[histogram[0]:histogram[0] + len(histogram) - 1] = histogram[1:]
    return counts


def of_comparison(a, b, calls):
    """Of each of these calls that both cases have often enough: the ratio of the medians and of the 99th percentiles, B
    by A, and Cliff's delta, each as [value, low, high]; and what has moved."""
    found = {}
    for one in compare(a, b, calls=calls):
        if not one.judged:
            continue
        found[one.name] = {
            "calls": [one.a.calls, one.b.calls],
            "p50": [float(of.quantiles([0.5])[0]) for of in (one.a, one.b)],
            "ratio": _measure(one.ratio), "delta": _measure(one.delta),
            "tail": _measure(one.tail) if one.tail else None,
            "centre_moved": one.centre_moved, "tail_moved": one.tail_moved,
            "peaks": [len([1 for _, share in of.modes() if share >= 0.05]) for of in (one.a, one.b)],
            "peaks_moved": [peak.change for peak in one.peaks if peak.change != "same"],
        }
    return found


def _measure(measure):
    return [measure.value, measure.low, measure.high]


__all__ = ["CALLS_MIN", "TAIL_CALLS_MIN", "counts_of", "of_case", "of_comparison", "overlap"]
