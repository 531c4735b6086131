# SPDX-License-Identifier: Apache-2.0
"""A study from beginning to end: it finds out what this machine allows, runs the cases, and stores the results."""

import shutil

import cost
import machine
import plan
import results
import storage
import tracers
from bench_run import Failure, say, shown
from collect import RECORD, Collector, Measurement
from storage import Storages

RUNS, QUICK_RUNS = 5, 2
COST = "cost"  # among the names of cases: what tracing costs
_GPU_CASES = ("grep", "sort", "echo")


def study(asked, work, folder, until, command):
    """Raises Failure if nothing could be measured."""
    name = asked.name or machine.default_name()
    context = machine.about(name, command)
    rounds = asked.runs or (QUICK_RUNS if asked.quick else RUNS)
    with Storages(work) as storages:
        collector = Collector(work, storages, _binaries(asked), until, 0 if asked.quick else asked.wait)
        collector.build_programs()
        usable = _usable(collector)
        _say_limits(collector)
        made = plan.measurements(asked.cases, usable, collector.binaries, _devices(asked, collector), asked.quick)
        timed = []
        if not asked.quick and (not asked.cases or COST in asked.cases):
            timed = cost.plan(cost.known_cases(), usable)
        say(f"study: {len(made) + len(timed)} measurements, {rounds} runs of each, at most {asked.time} s")
        collector.rounds([*made, *timed], rounds)
        costs = {"factors": cost.factors(timed),
                 "getppid": cost.getppid(collector, usable, rounds) if timed else {}}
        if asked.recordings:
            made += gpu_recordings(asked.recordings, collector)
        made = [one for one in made if one.logs and not one.wrong]
        if not made and not timed:
            raise Failure("no case could be measured")
        result = {"context": {**context, "left_out": collector.left_out}, **summed_up(made, collector), "cost": costs}
        if asked.keep_logs:
            _keep(made, asked.keep_logs)
    path = results.store(folder, result, bool(asked.cases))
    say(f"study: wrote {shown(path.resolve())}")


def summed_up(made, collector):
    """The measurements and comparisons, as they are stored. Files that cannot be read are left out."""
    by_key, measured = {}, []
    for one in made:
        try:
            by_key[one.name] = results.case_of(one)
            measured.append(results.of_measurement(one, by_key[one.name]))
        except (ValueError, OSError, EOFError) as wrong:
            collector.leave_out(one.name, str(wrong))
    say("study: compares")
    compared = [results.of_pair(a, b, what, by_key[a.name], by_key[b.name])
                for a, b, what in plan.comparisons([one for one in made if one.name in by_key])]
    return {"measurements": measured, "comparisons": compared}


def gpu_recordings(folder, collector):
    """A measurement for each sample that has recordings in this folder."""
    found = []
    for name in _GPU_CASES:
        logs = sorted(folder.glob(f"{name}.*.rec")) + sorted(folder.glob(f"{name}.rec"))
        if not logs:
            collector.leave_out(f"{name} on a GPU", f"no {name}.*.rec in the folder of recordings")
            continue
        found.append(Measurement(plan.names()[f"{name}-gpu"], tracer=RECORD, cold=False, logs=logs))
    return found


def _binaries(asked):
    if asked.native_only or asked.quick:
        return None
    if not (asked.binaries / "genesys").exists():
        say(f"study: left out: the samples of genesys: no {shown(asked.binaries)}/genesys; './dev build' builds it")
        return None
    return asked.binaries.resolve()


def _devices(asked, collector):
    """A GPU's recordings may come from elsewhere."""
    has_gpu = collector.binaries and machine.has_gpu(collector.binaries) and not asked.recordings
    return ("cpu", "cuda") if has_gpu else ("cpu",)


def _usable(collector):
    usable = []
    for tracer in (tracers.BARE, tracers.STRACE, tracers.PERF, tracers.SECCOMP):
        why = tracers.usable(tracer, collector.work)
        if why:
            collector.leave_out(tracer, why)
        else:
            usable.append(tracer)
    if tracers.STRACE not in usable and tracers.PERF not in usable:
        raise Failure("there is no tracer: install strace")
    return usable


def _say_limits(collector):
    if not storage.can_drop_caches():
        collector.leave_out("a cold page cache", "/proc/sys/vm/drop_caches needs root; 'cold' runs are warm")


def _keep(made, folder):
    folder.mkdir(parents=True, exist_ok=True)
    for one in made:
        for number, log in enumerate(one.logs):
            shutil.copy2(log, folder / f"{one.name.replace(', ', '.').replace(' ', '-')}.{number}.log")
