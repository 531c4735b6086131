# SPDX-License-Identifier: Apache-2.0
"""Draws figures of a bench side by side for each workload: Figures 12 to 14 and 18 to 20 of the paper on scheduling by
idempotence, and Figures 12, 13 and 15 of GENESYS. The names of the figures say the workload. What is not stored is not
drawn, and said. Imported by bench_plot.py."""

import re
from dataclasses import dataclass

import matplotlib.pyplot as plt
from bench_run import say

BETWEEN = 0.8  # of the distance of two workloads, for the marks of one


@dataclass
class Chart:
    name: str
    title: str
    lines: dict  # what a mark stands for: the name of its figure, with {} for the workload
    one: float | None = None  # a value that means no difference

    def figures(self, result):
        """The stored figures of each line, by workload."""
        return {line: {found[1]: figure for name, figure in result["figures"].items()
                       if (found := re.fullmatch(re.escape(pattern).replace(r"\{\}", r"(\w+)"), name))}
                for line, pattern in self.lines.items()}


def beside(others):
    return {f"{told}, {how}": f"beside_{kind}_{{}}_{other}" for other, how in others
            for kind, told in (("unmodified", "without the scheduler"), ("common", "nice 0"),
                               ("emergency", "nice -20"))}


CHARTS = {"schedule": (
    Chart("figure12", "turnaround beside M-Bench over alone, by tasks",
          beside((("1x70", "1 task"), ("2x70", "2 tasks"))), 1),
    Chart("figure13", "turnaround beside M-Bench over alone, by kernels",
          beside((("1x70", "70 ms"), ("1x609", "609 ms"))), 1),
    Chart("figure14", "turnaround of three instances over alone",
          {"nice -10": "three_high_{}", "nice 0": "three_middle_{}", "nice 10": "three_low_{}",
           "without the scheduler": "three_unmodified_{}"}, 1),
    Chart("figure18", "an urgent launch beside a workload",
          {"the call": "call_{}", "from there to the first store": "after_call_{}"}),
    Chart("figure19", "turnaround alone, over without the scheduler",
          {"all restored": "alone_restoring_{}", "as classified": "alone_common_{}",
           "nice -20": "alone_emergency_{}"}, 1),
    Chart("figure20", "time to store a snapshot", {"without the classifier": "snapshot_time_{}"}),
), "applications": (
    Chart("figure12", "digests of what is found, by inputs",
          {"signals": "signal_search_{}, signals, counting", "two phases": "signal_search_{}, phases, counting",
           "threads": "signal_search_{}, cpu, counting", "AVX2": "signal_search_{}, vectors, counting"}),
    Chart("figure13_grep", "grep, by inputs",
          {"kernel": "grep_{}, kernel, whole program", "OpenMP": "grep_{}, openmp, whole program",
           "ripgrep": "grep_{}, ripgrep, whole program", "GNU grep": "grep_{}, gnu, whole program"}),
    Chart("figure13_wordcount", "wordcount, by inputs",
          {"kernel": "wordcount_{}, kernel, counting", "OpenMP": "wordcount_{}, openmp, counting",
           "AVX2": "wordcount_{}, vectors, counting",
           "launches of a kernel without calls": "wordcount_{}, launches, counting"}),
    Chart("figure15_throughput", "memcached, GETs a second",
          {"kernel": "memcached_{}, kernel", "OpenMP": "memcached_{}, openmp", "AVX2": "memcached_{}, vectors",
           "launches of a kernel without calls": "memcached_{}, without_calls", "Debian's": "memcached_{}, debian"}),
    Chart("figure15_latency", "memcached, latency of 8 requests",
          {"kernel": "memcached_{}, kernel, latency of 8 requests",
           "OpenMP": "memcached_{}, openmp, latency of 8 requests",
           "AVX2": "memcached_{}, vectors, latency of 8 requests",
           "launches of a kernel without calls": "memcached_{}, without_calls, latency of 8 requests",
           "Debian's": "memcached_{}, debian, latency of 8 requests"}),
)}


def charts(result):
    """The charts of a result that have a stored figure. Says what the others lack."""
    for chart in CHARTS.get(result["bench"], ()):
        stored = chart.figures(result)
        workloads = list(dict.fromkeys(name for each in stored.values() for name in each))
        if not workloads:
            say(f"{result['bench']}: no {chart.name}: nothing is stored as {next(iter(chart.lines.values()))}")
            continue
        for line, pattern in chart.lines.items():
            lacks = [name for name in workloads if name not in stored[line]]
            if lacks:
                say(f"{result['bench']}: {chart.name} lacks {', '.join(pattern.format(name) for name in lacks)}")
        yield chart, workloads, stored


def draw(result, chart, workloads, stored, styles):
    """A mark for each figure, and its range."""
    figure, axes = plt.subplots(figsize=(8, 5), layout="constrained")
    figure.get_layout_engine().set(rect=(0, 0.04, 1, 0.96))
    step = BETWEEN / len(chart.lines)
    for number, (line, style) in enumerate(zip(chart.lines, styles)):
        there = [(at, stored[line][name]) for at, name in enumerate(workloads) if name in stored[line]]
        if not there:
            continue
        x = [at + step * (number + 0.5) - BETWEEN / 2 for at, _ in there]
        median = [each["median"] for _, each in there]
        below = [each["median"] - each["low"] for _, each in there]
        above = [each["high"] - each["median"] for _, each in there]
        axes.errorbar(x, median, yerr=(below, above), label=line, **{**style, "linestyle": "none"})
    if chart.one is not None:
        axes.axhline(chart.one, color="#888888", linewidth=0.8)
    axes.set_xticks(range(len(workloads)), [name.replace("_", " ") for name in workloads], rotation=60, ha="right",
                    rotation_mode="anchor", fontsize=9)
    axes.grid(axis="x", visible=False)
    return figure, axes, [each["median"] for line in stored.values() for each in line.values()]
