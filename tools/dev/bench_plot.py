# SPDX-License-Identifier: Apache-2.0
"""Draws a result of bench/ as SVG: the same bytes for the same result and Matplotlib. Imported by tools/dev/bench."""

import math

import bench_by_workload
import matplotlib

matplotlib.use("svg")
import matplotlib.pyplot as plt
from matplotlib.ticker import FuncFormatter, LogLocator, MaxNLocator, NullFormatter

COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#7a5195", "#8c6d1f", "#56b4e9", "#444444")  # for all eyes
MARKS = "os^Dv<>P"
LOG_FROM = 50  # an axis with a larger ratio of highest to lowest is logarithmic
TICKS_MAX = 10
BINS_IN_ONE = 5  # bins of 2 % of bench/support/measure.h in one drawn bin
STYLE = {
    "svg.hashsalt": "genesys", "svg.fonttype": "none", "font.family": ["DejaVu Sans", "sans-serif"], "font.size": 11,
    "axes.spines.top": False, "axes.spines.right": False, "axes.grid": True, "grid.color": "#dddddd",
    "axes.axisbelow": True, "legend.frameon": False, "figure.facecolor": "white", "lines.markersize": 5,
}


def draw(result, device, into):
    """Draws all plots and distributions of a result; yields the files."""
    into.mkdir(parents=True, exist_ok=True)
    with matplotlib.rc_context(STYLE):
        for chart, *more in bench_by_workload.charts(result):
            of_plot = {"note": "parts of other runs: see context.parts"} if "parts" in result.get("context", {}) else {}
            yield save(by_workload(result, chart, *more), result,
                       into / f"{result['bench']}-{chart.name}.{device}.svg", of_plot)
        for name, plot in result.get("plots", {}).items():
            yield save(lines(result, name, plot), result, into / f"{result['bench']}-{name}.{device}.svg",
                       plot.get("context", {}))
        for number, some in enumerate(groups(result.get("distributions", {}))):
            end = f"-{number + 1}" if number else ""
            yield save(distributions(result, some), result, into / f"{result['bench']}-each{end}.{device}.svg")


def save(figure, result, path, of_plot=None):
    """`of_plot`: the context of the plot, where it differs from that of the result."""
    told = {**result.get("context", {}), **(of_plot or {})}
    machine = [told.get("gpu"), f"driver {told['driver']}" if "driver" in told else None,
               f"{told['cpu']}, {told['cpus']} CPUs" if "cpu" in told else None,
               f"commit {told['commit']}, {told['date']}" if "commit" in told else None, told.get("note")]
    figure.text(0.01, 0.01, " · ".join(part for part in machine if part), fontsize=8, color="#555555")
    figure.savefig(path, metadata={"Date": None, "Creator": None})
    plt.close(figure)
    # tidy allows no white space at the end of a line.
    path.write_text("\n".join(line.rstrip() for line in path.read_text(encoding="utf-8").splitlines()) + "\n",
                    encoding="utf-8")
    return path


def lines(result, name, plot):
    figure, axes = plt.subplots(figsize=(8, 5), layout="constrained")
    figure.get_layout_engine().set(rect=(0, 0.04, 1, 0.96))
    seen = set()
    for (line, points), style in zip(plot["lines"].items(), styles()):
        points = sorted(points, key=lambda point: point["x"])
        x = [point["x"] for point in points]
        seen.update(x)
        axes.plot(x, [point["median"] for point in points], label=line, **style)
        axes.fill_between(x, [point["low"] for point in points], [point["high"] for point in points],
                          color=style["color"], alpha=0.15, linewidth=0)
    medians = [point["median"] for points in plot["lines"].values() for point in points]
    scale_x(axes, sorted(seen), plot["x_unit"])
    scale_y(axes, medians, is_over_time=plot["x_unit"] == "s")
    axes.set_xlabel(plot["x_unit"])
    axes.set_ylabel(plot["unit"])
    title(figure, f"{result['bench']}: {name.replace('_', ' ')} ({plot['unit']})",
          "Medians, and the range of all rounds. " + result["about"])
    legend(axes)
    return figure


def by_workload(result, chart, workloads, stored):
    figure, axes, medians = bench_by_workload.draw(result, chart, workloads, stored, styles())
    unit = next(figure["unit"] for line in stored.values() for figure in line.values())
    scale_y(axes, medians)
    axes.set_ylabel(unit)
    title(figure, f"{result['bench']}: {chart.title} ({unit})", "Medians, and the range of all rounds.")
    legend(axes, -0.3)
    return figure


def distributions(result, some):
    """Above, the share of values in each bin; below, the share of larger values."""
    unit = next(iter(some.values()))["unit"]
    figure, (often, tail) = plt.subplots(2, 1, figsize=(8, 7), layout="constrained", sharex=True)
    figure.get_layout_engine().set(rect=(0, 0.03, 1, 0.97))
    for (name, one), style in zip(some.items(), styles(marks=False)):
        edges, shares = merged(one["bins"], one["count"])
        often.stairs(shares, edges, fill=True, alpha=0.15, color=style["color"])
        often.stairs(shares, edges, **style)
        longer, left = [(edges[0], 1)], one["count"]
        for upper, count in one["bins"]:
            left -= count
            longer.append((upper, left / one["count"]))
        tail.plot(*zip(*longer), drawstyle="steps-post", **style,
                  label=f"{name}: median {number(one['median'])}, p99 {number(one['p99'])}, "
                        f"p99.9 {number(one['p99.9'])}")
    tail.set_xscale("log")
    tail.set_yscale("log")
    tail.xaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
    tail.xaxis.set_major_formatter(FuncFormatter(lambda value, _: number(value)))
    tail.xaxis.set_minor_formatter(NullFormatter())
    often.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{100 * value:g} %"))
    tail.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{100 * value:g} %"))
    often.set_ylabel("share, by bins of 10 %")
    tail.set_ylabel("share that took longer")
    tail.set_xlabel(unit)
    title(figure, f"{result['bench']}: how long each took ({unit})", result["about"])
    legend(tail)
    return figure


def groups(all_of_them):
    """Groups the distributions by unit, and at most as many in one figure as there are colours."""
    for unit in dict.fromkeys(one["unit"] for one in all_of_them.values()):
        these = [item for item in all_of_them.items() if item[1]["unit"] == unit]
        for begin in range(0, len(these), len(COLOURS)):
            yield dict(these[begin:begin + len(COLOURS)])


def merged(bins, count):
    """Merges bins, so that they are wide enough to see: their edges, and the share of each."""
    shares = {}
    for upper, many in bins:
        power = math.ceil(round(math.log(upper) / math.log(1.02)) / BINS_IN_ONE)
        shares[power] = shares.get(power, 0) + many / count
    powers = range(min(shares), max(shares) + 1)
    edges = [1.02 ** (BINS_IN_ONE * power) for power in (powers[0] - 1, *powers)]
    return edges, [shares.get(power, 0) for power in powers]


def styles(marks=True):
    """The styles of the lines, each a different one."""
    for dash in ("-", "--", ":", "-."):
        for colour, mark in zip(COLOURS, MARKS):
            yield {"color": colour, "linestyle": dash, "linewidth": 1.6, **({"marker": mark} if marks else {})}


def wide(values):
    return min(values) > 0 and max(values) > LOG_FROM * min(values)


def scale_y(axes, values, is_over_time=False):
    if wide(values) and not is_over_time:
        axes.set_yscale("log")
    else:
        axes.set_ylim(bottom=min(0, *values))
    axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: number(value)))
    axes.yaxis.set_minor_formatter(NullFormatter())


def scale_x(axes, values, unit):
    """Scales the axis. The marks of a logarithmic axis are at measured values, as far as there is space. Time that
    passes (in seconds) is never logarithmic."""
    if not wide(values) or unit == "s":
        axes.xaxis.set_major_locator(MaxNLocator(integer=all(value == int(value) for value in values)))
        axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: number(value, unit)))
        return
    axes.set_xscale("log")
    apart, marks = (values[-1] / values[0]) ** (1 / TICKS_MAX), []
    for value in values:
        if not marks or value >= marks[-1] * apart:
            marks.append(value)
    axes.set_xticks(marks, [number(value, unit) for value in marks])
    axes.minorticks_off()


def number(value, unit=""):
    if unit == "bytes":
        for name, size in (("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10)):
            if value >= size:
                return f"{value / size:g} {name}"
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.3g}"


def title(figure, text, more):
    figure.suptitle(text, x=0.01, ha="left", fontsize=14)
    figure.axes[0].set_title(more, loc="left", fontsize=9, color="#555555", wrap=True)


def legend(axes, below=-0.14):
    """Puts the legend below the axes, where it hides no line."""
    labels = axes.get_legend_handles_labels()[1]
    columns = max(1, min(len(labels), 96 // (max(map(len, labels)) + 6)))
    axes.legend(loc="upper center", bbox_to_anchor=(0.5, below), ncols=columns, fontsize=10)
