# SPDX-License-Identifier: Apache-2.0
"""./dev bench --quick: ratios on the CPU device, stored or compared with the stored ones. Imported by bench."""

import resource
import statistics
import sys
import tempfile
from pathlib import Path

from bench_result import context, measured, read, write
from bench_run import Failure, say, shown

RUNS_STORED = 5
RUNS_MAX = 3  # for a comparison
TOLERANCE = 2.0
BUSY_SHARE = 0.1  # the share of the machine that other processes may use without a message
TICKS_PER_S = 100
ROW = "{:<12} {:<56} {:>26} {:>9}  {}"


class Others:
    """How busy the machine is with other processes, which change ratios."""

    def __init__(self):
        self.before = self.now()

    @staticmethod
    def now():
        """CPU seconds of all processors: elapsed, used, and used by this process and its children."""
        user, nice, system, idle, wait, irq, softirq, steal = map(int, Path("/proc/stat").read_text().split()[1:9])
        used = user + nice + system + irq + softirq + steal
        ours = sum(spent.ru_utime + spent.ru_stime
                   for spent in map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)))
        return (used + idle + wait) / TICKS_PER_S, used / TICKS_PER_S, ours

    def say(self):
        total, used, ours = (now - before for now, before in zip(self.now(), self.before))
        share = (used - ours) / total if total else 0
        if share > BUSY_SHARE:
            print(f"meanwhile other processes used {100 * share:.0f} % of this machine, which changes ratios")


def ratios_of_a_run(program, asked):
    """{figure: its median} of the ratios of one run, and the whole result."""
    with tempfile.TemporaryFile("w+", errors="replace") as log:
        try:
            result = measured(program, ["--quick", *asked.args], asked, stdout=log, stderr=log)
        except Failure:
            log.seek(0)
            sys.stderr.write("".join(log.readlines()[-50:]))
            raise
    return {name: one["median"] for name, one in result["figures"].items() if one["unit"] == "ratio"}, result


def store_one(name, program, path, asked):
    """Stores the median of some runs, and their range."""
    runs = []
    for _ in range(RUNS_STORED):
        ratios, result = ratios_of_a_run(program, asked)
        runs.append(ratios)
    figures = {}
    for figure in runs[0]:
        values = [one[figure] for one in runs if figure in one]
        figures[figure] = {"median": statistics.median(values), "low": min(values), "high": max(values),
                           "rounds": len(values), "unit": "ratio"}
    if figures:
        write(path, {"context": context(name, program, asked), "bench": name, "about": result["about"], "quick": True,
                     "figures": figures})
    print(f"{name}: {len(figures)} ratios" + (f" are kept in {shown(path)}" if figures else ""), flush=True)


def store(names, folder, asked):
    failed, others = [], Others()
    for name in names:
        try:
            store_one(name, folder / name, asked.results / "quick" / f"{name}.cpu.json", asked)
        except Failure as wrong:
            say(wrong)
            failed.append(name)
    others.say()
    if failed:
        say(f"failed: {' '.join(failed)}; their stored results are unchanged")
    return 1 if failed else 0


def apart(ratio, stored):
    """The factor by which a ratio is outside the stored range, at least 1."""
    if stored["low"] <= ratio <= stored["high"]:
        return 1.0
    if ratio <= 0 or stored["low"] <= 0:
        return float("inf")
    return max(ratio / stored["high"], stored["low"] / ratio)


def nearest(stored, program, asked):
    """Each ratio of some runs, at its nearest to the stored one: the machine may be slow in one of the runs."""
    now = {}
    for _ in range(RUNS_MAX):
        for figure, ratio in ratios_of_a_run(program, asked)[0].items():
            known = figure in now and figure in stored
            if not known or apart(ratio, stored[figure]) < apart(now[figure], stored[figure]):
                now[figure] = ratio
        if all(figure in now and apart(now[figure], stored[figure]) <= asked.tolerance for figure in stored):
            break
    return now


def verdict_of(ratio, stored, tolerance):
    if ratio is None:
        return "missing now"
    if stored is None:
        return "not stored"
    factor = apart(ratio, stored)
    return "within" if factor <= tolerance else f"outside by a factor of {factor:.3g}"


def compare(names, folder, asked):
    print(ROW.format("bench", "figure", "stored", "now", "verdict"), flush=True)
    wrong, failed, elsewhere, compared, others = [], [], set(), 0, Others()
    for name in names:
        path = asked.results / "quick" / f"{name}.cpu.json"
        try:
            kept = read(path) if path.exists() else {"figures": {}}
            stored = kept["figures"]
            now = nearest(stored, folder / name, asked)
        except Failure as said:
            say(said)
            failed.append(name)
            continue
        for figure in {**stored, **now}:
            before, ratio = stored.get(figure), now.get(figure)
            verdict = verdict_of(ratio, before, asked.tolerance)
            compared += bool(before and ratio is not None)
            if before and verdict != "within":
                wrong.append(f"{name} {figure} ({verdict})")
            print(ROW.format(name, figure,
                             "{median:.4g} ({low:.4g} to {high:.4g})".format(**before) if before else "-",
                             "-" if ratio is None else f"{ratio:.4g}", verdict), flush=True)
        there, here = kept.get("context"), context(name, folder / name, asked)
        if there and any(there.get(what) != here[what] for what in ("cpu", "cpus")):
            elsewhere.add(f"{there.get('cpu')}, {there.get('cpus')} CPUs")
    print(f"{compared} ratios compared; tolerance: a factor of {asked.tolerance:g} beyond the range of the stored "
          f"runs, in one of {RUNS_MAX} runs")
    for machine in sorted(elsewhere):
        print(f"the stored ratios are of another machine: {machine}")
    others.say()
    if wrong:
        say("outside: " + "; ".join(wrong))
    if failed:
        say("failed: " + " ".join(failed))
    if not (compared or wrong or failed):
        say(f"nothing was compared: './dev bench --quick --keep' stores ratios in {shown(asked.results)}/quick/")
    return 0 if compared and not wrong and not failed else 1
