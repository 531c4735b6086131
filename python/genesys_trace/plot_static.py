# SPDX-License-Identifier: Apache-2.0
"""Draws a case as SVG or PNG, with matplotlib: how often each call is made and how long it takes, as bars; and how long
the calls of each class of latency take, as histograms.
"""

from itertools import cycle
from math import floor, log10

import matplotlib

matplotlib.use("Agg")

import matplotlib.pyplot as plt
from matplotlib.patches import Patch
from matplotlib.ticker import FuncFormatter, LogLocator, MaxNLocator, NullFormatter

from .compare_text import shown
from .curves import CALL_COLOURS, CASE_COLOURS, KIND_COLOURS, by_class, curve, left_out_note

BARS_MAX = 20
_LABELLED_CALLS = 3  # of a plot: more labels would overlap
_STYLE = {"font.size": 9, "axes.spines.top": False, "axes.spines.right": False, "axes.titlesize": 10,
          "axes.titleweight": "bold", "svg.fonttype": "none", "svg.hashsalt": "genesys", "legend.frameon": False,
          "axes.grid": True, "grid.color": "#e6e6e6", "axes.axisbelow": True, "xtick.minor.size": 0}
_TIME = FuncFormatter(lambda ns, _: shown(ns))


def draw(case, path):
    classes = by_class(case.by_name)
    bars = min(BARS_MAX, len(case.by_name))
    rows = (len(classes) + 1) // 2
    heights = [0.9 + 0.21 * bars, *[2.9] * rows]
    with plt.rc_context(_STYLE):
        figure = plt.figure(figsize=(14, 1.1 + sum(heights)), layout="constrained")
        parts = figure.subfigures(len(heights), 1, height_ratios=heights, squeeze=False)[:, 0]
        _draw_bars(parts[0], case)
        for row, part in enumerate(parts[1:]):
            for half, of in zip(part.subfigures(1, 2), classes[2 * row:2 * row + 2]):
                _draw_class(half, *of)
        figure.suptitle(f"{case.name}: {sum(of.calls for of in case.by_name.values()):,} calls", fontsize=12)
        _save(figure, path)


def _save(figure, path):
    with_date = {"metadata": {"Date": None}} if str(path).endswith(".svg") else {}
    figure.savefig(path, dpi=130, **with_date)
    plt.close(figure)


def _draw_bars(part, case):
    measures = (("Calls", lambda of: of.calls, lambda value: f"{value:,}"),
                ("Time in Linux", lambda of: of.total_ns, shown))
    for axes, (title, value, text) in zip(part.subplots(1, 2), measures):
        all_of = sorted((of for of in case.by_name.values() if value(of)), key=value, reverse=True)
        if not all_of:
            axes.set_title(f"{title}: not known", loc="left")
            continue
        total = sum(value(of) for of in all_of)
        for place, of in enumerate(all_of[:BARS_MAX]):
            axes.barh(place, value(of), color=KIND_COLOURS[of.kind], height=0.75)
            axes.text(value(of), place, f" {text(value(of))}  {100 * value(of) / total:.1f} %", va="center", fontsize=8)
        axes.set_yticks(range(len(all_of[:BARS_MAX])), [of.name for of in all_of[:BARS_MAX]])
        axes.invert_yaxis()
        axes.margins(x=0.22, y=0.01)
        axes.grid(axis="y", visible=False)
        axes.xaxis.set_major_formatter(FuncFormatter(lambda x, _, text=text: text(round(x))))
        axes.set_title(title + left_out_note(len(all_of) - BARS_MAX), loc="left")
    part.legend(handles=[Patch(color=colour, label=kind) for kind, colour in KIND_COLOURS.items()],
                loc="outside upper right", ncols=len(KIND_COLOURS))


def _draw_class(part, of_class, calls, left_out):
    body, tail = part.subplots(1, 2, width_ratios=(2.6, 1))
    for place, (colour, of) in enumerate(zip(CALL_COLOURS, calls)):
        one = curve(of)
        body.stairs(one.percent, one.edges_ns, color=colour, linewidth=1.3, label=f"{of.name} ({of.calls:,})")
        for ns, _, height in one.peaks:
            body.plot(ns, height, marker="v", color=colour, markersize=6, markeredgecolor="white", clip_on=False)
        main = max(one.peaks, key=lambda peak: peak[1], default=None)
        if main and place < _LABELLED_CALLS:
            body.annotate(shown(main[0]), (main[0], main[2]), xytext=(0, 5), textcoords="offset points", ha="center",
                          fontsize=7.5, color=colour)
        if len(one.tail_ns):
            tail.plot(one.tail_ns, one.beyond, color=colour, linewidth=1.3, drawstyle="steps-post", marker=".",
                      markevery=[-1])
    body.set_title(of_class + left_out_note(left_out), loc="left")
    body.set_ylabel("% of the calls")
    body.set_ylim(bottom=0)
    body.margins(y=0.15)
    body.legend(fontsize=7.5, loc="best")
    tail.set_title("beyond the 99th percentile", loc="left", fontsize=8.5, fontweight="normal")
    tail.set_ylabel("% longer")
    _time_axis(body)
    if not tail.lines:
        tail.text(0.5, 0.5, "too few calls", transform=tail.transAxes, ha="center", fontsize=8)
        tail.set(xticks=[], yticks=[])
        return
    tail.set_yscale("log")
    tail.set_ylim(0.8 * 10 ** floor(log10(min(line.get_ydata().min() for line in tail.lines)) + 0.1), 1.3)
    tail.yaxis.set_major_formatter(lambda value, _: f"{value:g}")
    tail.yaxis.set_minor_formatter(NullFormatter())
    _time_axis(tail)


def _time_axis(axes):
    axes.set_xscale("log")
    low, high = axes.get_xlim()
    if high < 6 * low:
        axes.xaxis.set_major_locator(MaxNLocator(3))
    else:
        axes.xaxis.set_major_locator(LogLocator(subs=(1, 2, 5) if high < 30 * low else (1,)))
    axes.xaxis.set_major_formatter(_TIME)
    axes.xaxis.set_minor_formatter(NullFormatter())
    axes.tick_params(axis="x", labelsize=8)


def draw_comparison(cases, found, path):
    """The distributions of each call above each other, a row a case. `found`: names of calls, each with its heading."""
    with plt.rc_context(_STYLE):
        figure = plt.figure(figsize=(11, 0.8 + len(found) * (0.7 + 0.95 * len(cases))), layout="constrained")
        for part, (name, heading) in zip(figure.subfigures(len(found), 1, squeeze=False)[:, 0], found.items()):
            part.suptitle(heading, x=0.01, ha="left", fontsize=10, fontweight="bold")
            all_axes = part.subplots(len(cases), 1, sharex=True, squeeze=False)[:, 0]
            for axes, case, colour in zip(all_axes, cases, cycle(CASE_COLOURS)):
                _draw_case(axes, case, case.by_name.get(name), colour)
        _save(figure, path)


def _draw_case(axes, case, of, colour):
    axes.set_title(case.name, loc="right", fontsize=8.5, fontweight="normal", y=0.8)
    axes.set_xscale("log")
    if of is None or not of.timed:
        axes.text(0.5, 0.5, "no calls", transform=axes.transAxes, ha="center")
        return
    one = curve(of, whole=True)
    body = one.edges_ns[1:] <= one.p99_ns
    axes.stairs(one.percent, one.edges_ns, fill=True, color=colour, alpha=0.3)
    axes.stairs(one.percent[body], one.edges_ns[:body.sum() + 1], fill=True, color=colour)
    for ns, share, height in one.peaks:
        axes.plot(ns, height, marker="v", color=colour, markeredgecolor="black", clip_on=False)
        axes.annotate(shown(ns), (ns, height), xytext=(0, 6), textcoords="offset points", ha="center", fontsize=7.5)
    axes.axvline(one.p99_ns, color="#444444", linewidth=0.9, linestyle=":")
    axes.annotate("p99 " + shown(one.p99_ns), (one.p99_ns, 1), xycoords=("data", "axes fraction"), xytext=(3, -8),
                  textcoords="offset points", fontsize=7.5)
    axes.margins(y=0.25)
    axes.set_ylim(bottom=0)
    _time_axis(axes)
