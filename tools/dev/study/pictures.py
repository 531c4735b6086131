# SPDX-License-Identifier: Apache-2.0
"""The pictures of docs/study.md, from the stored histograms: shares of the calls, and distributions above each other,
which genesys_trace draws.
"""

import findings
import matplotlib.pyplot as plt
import numpy as np
import summary
import tracers
from genesys_trace import modes, plot_static
from genesys_trace.curves import CALL_COLOURS

_MERGED = modes.BINS // summary.HISTOGRAM_BINS
_NAMED = 0.04  # a smaller share has no name in the bar


class Stored:
    """What genesys_trace draws of a call, from what is stored of it."""

    def __init__(self, name, of):
        self.name, self._of = name, of
        self.calls = self.timed = sum(of["histogram"][1:])
        self.longest_ns = of["longest"]
        self.counts = np.zeros(modes.BINS_ALL, np.int64)
        self.counts[_MERGED // 2::_MERGED] = summary.counts_of(of["histogram"])

    def quantiles(self, _):
        return [self._of["p99"]]  # the only one that is drawn

    def modes(self):
        return self._of["peaks"]


class Drawn:
    """A case for genesys_trace's pictures."""

    def __init__(self, name, measurement):
        self.name = name
        self.by_name = {call: Stored(call, of) for call, of in measurement["by_call"].items()}


def draw(results, folder):
    """Yields the files that it has written."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, result in results.items():
        for what, function in (("shares", _shares), ("tracers", _tracers), ("storages", _storages)):
            path = folder / f"study-{name}-{what}.svg"
            if function(result, path):
                yield path


def _shares(result, path):
    cases = findings.use_cases(result)
    if not cases:
        return False
    with plt.rc_context(plot_static._STYLE):
        figure, all_axes = plt.subplots(1, 2, figsize=(11, 0.8 + 0.5 * len(cases)), layout="constrained", sharey=True)
        for axes, what, title in zip(all_axes, ("by_count", "by_time"), ("% of the calls", "% of the time in Linux")):
            for row, case in enumerate(cases):
                left = 0
                for number, (name, share) in enumerate(case[what]):
                    if share < _NAMED:
                        break
                    axes.barh(row, 100 * share, left=left, height=0.8, color=CALL_COLOURS[number % len(CALL_COLOURS)],
                              alpha=0.6, edgecolor="white")
                    axes.text(left + 50 * share, row, name, ha="center", va="center", fontsize=6.5,
                              rotation=0 if share > 0.012 * len(name) else 90)
                    left += 100 * share
                axes.barh(row, 100 - left, left=left, height=0.8, color="#dddddd")
            axes.set_title(title, loc="left")
            axes.set_xlim(0, 100)
            axes.grid(visible=False)
        all_axes[0].set_yticks(range(len(cases)), [case["case"] for case in cases])
        all_axes[0].invert_yaxis()
        plot_static._save(figure, path)
    return True


def _compared(cases, calls, path):
    if len(cases) < 2:
        return False
    chosen = {call: call for call in calls if all(call in case.by_name for case in cases)}
    if chosen:
        plot_static.draw_comparison(cases, chosen, path)
    return bool(chosen)


def _tracers(result, path):
    cases = [Drawn(tracer, one) for tracer in (tracers.PERF, tracers.STRACE)
             for one in findings.use_cases(result, tracer) if one["case"] == "browser"]
    both = [call for call in (cases[0].by_name if cases else ())
            if all(call in case.by_name and case.by_name[call].calls >= findings.SOME_CALLS for case in cases)]
    return _compared(cases, both[:3], path)


def _storages(result, path):
    cases = [Drawn(one["place"], one) for place in ("ext4", "ext4-ram", "tmpfs") for one in result["measurements"]
             if one["case"] == "files-1" and one["place"] == place and one["tracer"] == tracers.PERF]
    return _compared(cases, ("fsync", "read", "openat"), path)
