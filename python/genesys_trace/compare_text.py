# SPDX-License-Identifier: Apache-2.0
"""A comparison as text, at most 100 columns wide."""

from math import comb

from . import compare as of_compare

COLUMNS_MAX = 100
_ROW = "{:<16} {:>9} {:>9} {:>8} {:>8} {:>5} {:>11} {:>5} {:<6} {:<7} {}"
_DETAILS = "  {:<4} {:>8} {:>8} {:>8} {:>8} {:>8}  {}"


def shown(ns):
    """1.25 us"""
    for unit in ("ns", "us", "ms"):
        if ns < 999.5:
            return f"{ns:.3g} {unit}"
        ns /= 1000
    return f"{ns:.3g} s"


def ratio(value):
    return f"{value:.2f}" if 0.095 <= value < 99.5 else f"{value:.1g}" if value < 1 else f"{value:.2g}"


def interval(measure):
    return f"{ratio(measure.low)}-{ratio(measure.high)}"


def text(a, b, found, confidence):
    """Of case B against case A."""
    lines = [f"A: {_about(a)}", f"B: {_about(b)}", ""]
    lines.append(_ROW.format("call", "calls A", "calls B", "median A", "median B", "B / A", f"{confidence:.0%}",
                             "delta", "moved:", "tail", "peaks").rstrip())
    lines += [_row(one) for one in found]
    lines += ["", "Details: percentiles, and peaks with the share of the calls that are nearest to each.", ""]
    lines.append(_DETAILS.format("", "p50", "p90", "p99", "p99.9", "longest", "peaks"))
    for one in found:
        if one.judged:
            lines += _details(one)
    lines += ["", *_explained(a, b, confidence)]
    return "".join(f"{line[:COLUMNS_MAX].rstrip()}\n" for line in lines)


def _about(case):
    kinds = ", ".join(sorted({file.kind for file in case.files}))
    calls = sum(file.calls for file in case.files)
    dropped = sum(file.dropped for file in case.files)
    more = f"; {dropped:,} calls were lost" if dropped else ""
    more += "; cut off" if any(file.truncated for file in case.files) else ""
    return f"{case.name}: {kinds}, {len(case.files)} file{'s' if len(case.files) > 1 else ''}, {calls:,} calls{more}"


def _row(one):
    counts = [_count(of.calls) if of else "-" for of in (one.a, one.b)]
    medians = [shown(of.quantiles([0.5])[0]) if of and of.timed else "-" for of in (one.a, one.b)]
    if not one.judged:
        why = "only in A" if not one.b else "only in B" if not one.a else "too few calls"
        return _ROW.format(one.name[:16], *counts, *medians, "", "", "", why, "", "").rstrip()
    return _ROW.format(one.name[:16], *counts, *medians, ratio(one.ratio.value), interval(one.ratio),
                       f"{round(one.delta.value, 2) + 0.0:+.2f}", one.centre_moved or "-", one.tail_moved or "-",
                       one.peaks_moved or "-")


def _count(calls):
    return f"{calls:,}" if calls < 10**7 else f"{calls / 1e6:,.1f} M"


def _details(one):
    lines = [one.name]
    for case, of in (("A", one.a), ("B", one.b)):
        values = [shown(ns) for ns in of.quantiles([0.5, 0.9, 0.99, 0.999])]
        line = _DETAILS.format(case, *values, shown(of.longest_ns), "")
        lines.append(line + listed([f"{shown(ns)} ({share:.0%})" for ns, share in of.modes()], COLUMNS_MAX - len(line)))
    delta = one.delta
    line = f"  delta {delta.value:+.2f} ({delta.low:+.2f} to {delta.high:+.2f}), {_size(delta.value)}"
    if one.tail:
        line += f"; p99 B / A {ratio(one.tail.value)} ({interval(one.tail)})"
    lines.append(line)
    for peak in one.peaks:
        if peak.change == "moved":
            lines.append(f"  a peak moved: {shown(peak.a_ns)} to {shown(peak.b_ns)}, "
                         f"B / A {ratio(peak.ratio.value)} ({interval(peak.ratio)})")
        elif peak.change != "same":
            lines.append(f"  a peak is {peak.change}: {shown(peak.a_ns or peak.b_ns)}")
    return lines


def listed(words, columns):
    """As many as have room, with commas."""
    text = ""
    for number, word in enumerate(words):
        more = ", " if text else ""
        room = columns if number + 1 == len(words) else columns - len(", ...")
        if len(text) + len(more) + len(word) > room:
            return f"{text}, ..."
        text += more + word
    return text


def _size(delta):
    """The usual words for Cliff's delta (Romano et al., 2006)."""
    limits = ((of_compare.DELTA_LEAST, "negligible"), (0.33, "small"), (0.474, "medium"))
    return next((word for limit, word in limits if abs(delta) < limit), "large")


def _explained(a, b, confidence):
    return [
        f"Intervals ({confidence:.0%}) are of {of_compare.SAMPLES:,} bootstrap samples: of A {a.units},",
        f"of B {b.units} are drawn anew. Times are those in Linux.",
        "delta: Cliff's, the probability that a call of B is longer than one of A, less that it is shorter.",
        f"moved: delta is at least {of_compare.DELTA_LEAST} (centre), or the p99s or a peak differ by "
        f"{of_compare.RATIO_LEAST - 1:.0%} or more; and",
        "an interval for all calls together (Bonferroni) excludes no change.",
        *_too_few_runs(a, b, confidence),
    ]


def _too_few_runs(a, b, confidence):
    if not (a.by_runs and b.by_runs):
        return []
    runs = len(a.files), len(b.files)
    by_chance = 2 / comb(sum(runs), runs[0])  # that all runs of one case lie on one side of all of the other
    if by_chance <= 1 - confidence:
        return []
    return [f"With {runs[0]} and {runs[1]} runs, equal cases are taken for different ones by chance, 1 time in "
            f"{1 / by_chance:.0f}: make more."]
