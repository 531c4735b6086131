# SPDX-License-Identifier: Apache-2.0
"""One result of several processes of a bench. Imported by tools/dev/bench."""

import math
import statistics

from bench_result import measured

FIGURE = {"median", "low", "high", "rounds"}


def measured_by_processes(program, arguments, asked):
    """Runs the program asked.processes times, one after the other, and returns one result."""
    return together([measured(program, arguments, asked) for _ in range(asked.processes)])


def together(results):
    """Of each figure, and of each point of a plot, the median of the processes' medians, the lowest and the highest
    value of all, and the rounds of all. What cannot be put together, such as distributions, is of one process: the
    middle one by the geometric mean of its ratios."""
    by_ratios = sorted(results, key=mean_ratio)
    return combined(by_ratios, by_ratios[(len(by_ratios) - 1) // 2])


def mean_ratio(result):
    logs = [math.log(one["median"]) for one in result["figures"].values() if one.get("unit") == "ratio" and
            one["median"] > 0]
    return statistics.fmean(logs) if logs else 0


def combined(values, middle):
    if isinstance(middle, dict) and FIGURE <= middle.keys():
        return {**middle, "median": statistics.median(one["median"] for one in values),
                "low": min(one["low"] for one in values), "high": max(one["high"] for one in values),
                "rounds": sum(one["rounds"] for one in values)}
    if isinstance(middle, dict):
        return {key: combined([one[key] for one in values], item) if all(key in one for one in values) else item
                for key, item in middle.items()}
    if isinstance(middle, list) and all(len(one) == len(middle) for one in values):
        return [combined([one[i] for one in values], item) for i, item in enumerate(middle)]
    return middle
