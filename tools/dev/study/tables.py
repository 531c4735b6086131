# SPDX-License-Identifier: Apache-2.0
"""The tables of docs/study.md, in Markdown. `results`: of each machine, by name; with several machines each has a row
of its own, one below the other.
"""

import findings
import tracers
from collect import RECORD
from findings import interval, percent
from genesys_trace.compare_text import shown

_SHOWN_CALLS = 3  # of a use case
_FILE_CALLS = ("openat", "stat", "newfstatat", "read", "write", "fsync", "close", "unlink")
_PLACES = ("ext4", "ext4-ram", "tmpfs", "xfs", "ext2")


def table(heading, rows):
    lines = [f"| {' | '.join(heading)} |", f"|{'---|' * len(heading)}"]
    return "\n".join([*lines, *(f"| {' | '.join(row)} |" for row in rows)]) if rows else "Nothing of it is measured.\n"


def time_of(ns):
    return f"`{shown(ns)}`"


def _label(name, results):
    return [name] if len(results) > 1 else []


def machines(results):
    rows = []
    for name, result in results.items():
        told = result["context"]
        virtual = "" if told["virtual"] in ("no", "none") else f", virtual ({told['virtual']})"
        rows.append([f"[{name}](../bench/results/study/{name}.json)", f"{told['cpu']}{virtual}", f"`{told['cpus']}`",
                     f"`{told['memory_gib']} GiB`", told["system"], f"`{told['linux']}`",
                     f"`{told['strace'] or 'none'}` / `{told['perf'] or 'none'}`", told["date"], f"`{told['commit']}`"])
    return table(["machine", "processor", "CPUs", "memory", "system", "Linux", "strace / perf", "date", "commit"], rows)


def _cases_in_order(results, chosen):
    """(case's name, machine's name, measurement) of the chosen measurements; a case's machines stand together."""
    order = []
    for result in results.values():
        order += [one["case"] for one in chosen(result) if one["case"] not in order]
    return [(case, name, one) for case in order for name, result in results.items() for one in chosen(result)
            if one["case"] == case]


def use_cases(results):
    rows = []
    for case, name, one in _cases_in_order(results, findings.use_cases):
        rows.append([case, *_label(name, results), f"`{one['calls'] // one['runs']:,}`", f"`{one['names']}`",
                     time_of(one["linux_ns"] / one["runs"]), _shares(one["by_count"]), _shares(one["by_time"])])
    return table(["case", *_label("machine", results), "calls of a run", "names", "time in Linux", "most calls",
                  "most time"], rows)


def _shares(shares, most=4):
    return ", ".join(f"{name} {percent(share)}" for name, share in shares[:most])


def latencies(results):
    rows = []
    for case, name, one in _cases_in_order(results, findings.use_cases):
        by_perf = {of["case"]: of for of in findings.use_cases(results[name], tracers.PERF)}.get(case)
        often = [(call, of) for call, of in one["by_call"].items() if of["calls"] >= findings.SOME_CALLS]
        for call, of in often[:_SHOWN_CALLS]:
            other = by_perf["by_call"].get(call) if by_perf else None
            rows.append([case, *_label(name, results), call, *_quantiles(of),
                         *(_quantiles(other) if other else ["", "", "", ""])])
    return table(["case", *_label("machine", results), "call", "p50", "p99", "p99.9", "peaks", "perf: p50", "p99",
                  "p99.9", "peaks"], rows)


def _quantiles(of):
    peaks = [shown(ns) for ns, share in of["peaks"] if share >= findings.PEAK_SHARE]
    more = ", ..." if len(peaks) > 4 else ""
    return [time_of(of["p50"]), time_of(of["p99"]), time_of(of["p999"]), f"`{', '.join(peaks[:4])}{more}`"]


def cost(results):
    rows = []
    for name, result in results.items():
        costs = result["cost"]
        walls = {(one["case"], one["tracer"]): one["walls_s"] for one in costs["factors"]}
        cases = list(dict.fromkeys(case for case, _ in walls if case != "nothing"))
        for tracer in (tracers.BARE, tracers.PERF, tracers.SECCOMP, tracers.STRACE):
            of = costs["getppid"].get(tracer)
            if not of and not any((case, tracer) in walls for case in cases):
                continue
            rows.append([tracer, *_label(name, results), time_of(of["seen"]) if of else "",
                         time_of(of["logged"]) if of and of["logged"] else "",
                         time_of(1e9 * _median(walls[("nothing", tracer)])) if ("nothing", tracer) in walls else "",
                         "; ".join(_factor(case, tracer, walls) for case in cases if (case, tracer) in walls)])
    return table(["tracer", *_label("machine", results), "getppid, as the program sees it", "as the log has it",
                  "run of `true`", "run time of a case, less that of `true`: bare, then times that"], rows)


def _median(values):
    return sorted(values)[len(values) // 2]


def _factor(case, tracer, walls):
    own, bare = (_median(walls[(case, of)]) - _median(walls.get(("nothing", of), [0])) for of in (tracer, tracers.BARE))
    if tracer == tracers.BARE or bare <= 0:
        return f"{case} {time_of(1e9 * own)}"
    return f"{case} {findings.times(max(own, 0) / bare)}"


def distortion(results):
    """strace against perf, of the workload of files and of compilation."""
    rows = []
    for case in ("files-1", "compile", "browser"):
        for name, result in results.items():
            found = [calls for a, b, calls in findings.pairs(result, "strace") if a["case"] == case
                     and a["place"] in ("ext4", "disk")][:1]
            for call, of in list(found[0].items())[:4] if found else []:
                rows.append([case, *_label(name, results), call, time_of(of["p50"][0]), time_of(of["p50"][1]),
                             interval(of["ratio"]), interval(of["delta"]), f"`{of['peaks'][0]}`, `{of['peaks'][1]}`"])
    return table(["case", *_label("machine", results), "call", "median, perf", "median, strace", "ratio", "delta",
                  "peaks: perf, strace"], rows)


def storage(results):
    rows = []
    for call in _FILE_CALLS:
        for name, result in results.items():
            at = {one["place"]: one["by_call"].get(call) for one in result["measurements"]
                  if one["case"] == "files-1" and one["tracer"] == _best(result)}
            if any(at.values()):
                rows.append([call, *_label(name, results), *(_middle_and_tail(at.get(place)) for place in _PLACES)])
    return table(["call", *_label("machine", results), *_PLACES], rows)


def _best(result):
    """perf if it was usable."""
    made = {one["tracer"] for one in result["measurements"]}
    return tracers.PERF if tracers.PERF in made else tracers.STRACE


def _middle_and_tail(of):
    return f"{time_of(of['p50'])}, {time_of(of['p99'])}" if of else ""


def effects(results):
    """What storage, threads and O_DIRECT change, with intervals."""
    rows = []
    for what, place, words in (("storage", "ext4-ram", "ext4 in memory"), ("storage", "tmpfs", "tmpfs"),
                               ("direct", "ext4", "O_DIRECT"), ("callers", "ext4", "four threads")):
        for name, result in results.items():
            found = [calls for a, b, calls in findings.pairs(result, what) if a["case"] == "files-1"
                     and b["place"] == place and a["tracer"] == _best(result)][:1]
            for call, of in found[0].items() if found else []:
                if call in _FILE_CALLS:
                    moved = ", ".join(filter(None, (of["centre_moved"], of["tail_moved"] and f"tail {of['tail_moved']}",
                                                    of["peaks_moved"] and "peaks moved")))
                    rows.append([words, *_label(name, results), call, interval(of["ratio"]), interval(of["delta"]),
                                 interval(of["tail"]) if of["tail"] else "too few", moved or "nothing"])
    return table(["against ext4, one thread", *_label("machine", results), "call", "ratio of medians", "delta",
                  "ratio of p99", "moved"], rows)


def genesys(results):
    rows = []
    for case in ("grep", "sort", "echo"):
        for name, result in results.items():
            for one in result["measurements"]:
                if one["case"].partition("-")[0] != case or one["tracer"] == tracers.STRACE:
                    continue
                if one["tracer"] == tracers.PERF and one["cold"]:
                    continue
                top = list(one["by_call"].items())[:3]
                who = one["case"] if one["tracer"] == RECORD else f"{case}, CPU"
                rows.append([who, *_label(name, results), f"`{one['calls'] // one['runs']:,}`", ", ".join(
                    f"{call} `{of['calls'] // one['runs']:,}` / {time_of(of['p50'])} / {time_of(of['p99'])}"
                    for call, of in top)])
    return table(["program", *_label("machine", results), "calls of a run", "most time: calls / median / p99"], rows)


def beside(results):
    """The calls that a program of genesys and its original both make."""
    rows = []
    for case in ("grep-genesys", "grep-gpu", "sort-genesys", "sort-gpu", "echo-genesys", "echo-gpu"):
        for name, result in results.items():
            for _, b, calls in findings.pairs(result, "genesys"):
                rows += [[case, *_label(name, results), call, time_of(of["p50"][0]), time_of(of["p50"][1]),
                          interval(of["ratio"]), interval(of["delta"])] for call, of in list(calls.items())[:4]
                         if b["case"] == case]
    return table(["program", *_label("machine", results), "call", "median, CPU", "median, genesys", "ratio", "delta"],
                 rows)
