# SPDX-License-Identifier: Apache-2.0
"""The results of a study: a file of JSON a machine, in a folder that may hold those of several machines."""

import json
import os

import summary
import tracers
from bench_result import rounded
from bench_run import Failure, shown
from genesys_trace.compare import RUNS_MIN, Case
from genesys_trace.distributions import FileDistributions, joined

_DEPTH_MOST = 6
COMPARED_MOST = 8  # calls of a comparison, those with the longest total time


def case_of(one):
    """The measured distributions of a measurement. With enough runs only whole runs are drawn anew, so that the
    stretches of time of each run need no memory."""
    case = Case.__new__(Case)
    case.name, case.files = one.name, []
    for log in one.logs:
        file = FileDistributions(log)
        if len(one.logs) >= RUNS_MIN:
            for of in file.by_name.values():
                of.parts = of.parts.sum(axis=0, dtype=of.parts.dtype, keepdims=True)
        case.files.append(file)
    case.by_name = joined(case.files)
    return case


def of_measurement(one, case):
    summed = summary.of_case(case)
    if not one.case.of_paper and one.tracer != tracers.PERF:  # nothing draws or compares these
        for of in summed["by_call"].values():
            del of["histogram"]
    return {"key": one.name, "case": one.case.name, "about": one.case.about, "of_paper": one.case.of_paper,
            "place": one.place, "tracer": one.tracer, "cold": one.cold, "busy_most": max(one.busy, default=0),
            "walls_s": one.walls_s, **summed}


def of_pair(a, b, what, case_a, case_b):
    both = [name for name in case_a.by_name if name in case_b.by_name]
    both.sort(key=lambda name: -(case_a.by_name[name].total_ns + case_b.by_name[name].total_ns))
    calls = set(both[:COMPARED_MOST]) | {name for name in both if name in ("futex", "poll", "read", "write")}
    return {"a": a.name, "b": b.name, "what": what, "calls": summary.of_comparison(case_a, case_b, calls)}


def joined_with(old, new):
    """The old results of a machine, in which those of a study of some of the cases are put in place of the old ones."""
    made = {one["key"] for one in new["measurements"]}
    pairs = {(one["a"], one["b"]) for one in new["comparisons"]}
    what = {**old["context"]["left_out"], **new["context"]["left_out"]}
    left_out = {name: why for name, why in what.items() if name not in made}
    return {
        "context": {**new["context"], "left_out": left_out, "command": old["context"]["command"]},
        "measurements": [one for one in old["measurements"] if one["key"] not in made] + new["measurements"],
        "comparisons": [one for one in old["comparisons"] if (one["a"], one["b"]) not in pairs] + new["comparisons"],
        "cost": new["cost"] if new["cost"]["factors"] else old["cost"],
    }


def store(folder, result, some_cases):
    """`some_cases`: what is stored of other cases stays."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{result['context']['machine']}.json"
    if some_cases and path.exists():
        result = joined_with(json.loads(path.read_text(encoding="utf-8")), result)
    new = path.with_suffix(".new")
    new.write_text(_text(rounded(result)) + "\n", encoding="utf-8")
    os.replace(new, path)
    return path


def _text(value, depth=0):
    """JSON with a line for each object that has only numbers and texts and lists in it, such as a call."""
    if depth > _DEPTH_MOST or not isinstance(value, (dict, list)) or not _has_objects(value):
        return json.dumps(value, separators=(",", ":"))
    if isinstance(value, dict):
        lines = [f"{json.dumps(key)}: {_text(item, depth + 1)}" for key, item in value.items()]
    else:
        lines = [_text(item, depth + 1) for item in value]
    first, last = "{}" if isinstance(value, dict) else "[]"
    return first + "\n" + ",\n".join(" " * (depth + 1) + line for line in lines) + "\n" + " " * depth + last


def _has_objects(value):
    return any(isinstance(item, (dict, list)) for item in (value.values() if isinstance(value, dict) else value)) and (
        isinstance(value, list) or any(isinstance(item, dict) or _is_long(item) for item in value.values()))


def _is_long(value):
    return isinstance(value, list) and any(isinstance(item, dict) for item in value)


def machines(folder):
    """The results of each machine, by name."""
    found = {}
    for path in sorted(folder.glob("*.json")):
        try:
            result = json.loads(path.read_text(encoding="utf-8"))
            found[result["context"]["machine"]] = result
        except (OSError, ValueError, KeyError, TypeError) as wrong:
            raise Failure(f"{shown(path)} is no result of a study: {wrong}") from None
    return found


__all__ = ["case_of", "machines", "of_measurement", "of_pair", "rounded", "store"]
