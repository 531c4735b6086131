# SPDX-License-Identifier: Apache-2.0
"""What tracing itself costs: the run time of cases bare and traced, and the time of getppid in three views: as the
program sees it, bare and traced, and as the tracer's log says it.
"""

import statistics

import cases
import tracers
from bench_run import Failure, told_by
from collect import Measurement
from genesys_trace.distributions import FileDistributions

CALLS_BARE, CALLS_TRACED = 1_000_000, 5_000
_FACTOR_CASES = ("compile", "spreadsheet", "diff")


def plan(known, usable):
    """The measurements of the run time: warm, on the disk; of `nothing`, too, since a tracer itself takes time to start
    and to end. `known`: cases by name."""
    of = [cases.Case("nothing", "a program that ends at once", lambda at: [["true"]])]
    of += [known[name] for name in _FACTOR_CASES if name in known]
    return [Measurement(case, tracer=tracer, cold=False) for case in of for tracer in usable]


def factors(measurements):
    """[{case, tracer, walls_s}]: the times of each run."""
    return [{"case": one.case.name, "tracer": one.tracer, "walls_s": one.walls_s}
            for one in measurements if one.walls_s and not one.wrong]


def getppid(collector, usable, rounds):
    """For each tracer: the program's mean per call, and the median that the log says, in ns, each of all rounds."""
    program, found = collector.own / "getppid", {}
    for tracer in usable:
        if tracer == tracers.SECCOMP:
            continue  # it does not stop at getppid
        seen, logged = [], []
        for _ in range(rounds):
            log = collector.work / "getppid.log"
            calls = CALLS_BARE if tracer == tracers.BARE else CALLS_TRACED
            told = told_by(*tracers.command(tracer, log, [str(program), f"{calls}"]))
            try:
                seen.append(float(told.split()[0]))
                tracers.finish(tracer, log)
                if tracer != tracers.BARE:
                    logged.append(float(FileDistributions(log).by_name["getppid"].quantiles([0.5])[0]))
            except (Failure, IndexError, KeyError, ValueError, OSError):
                continue
            finally:
                log.unlink(missing_ok=True)
        if seen:
            found[tracer] = {"seen": statistics.median(seen), "seen_all": seen,
                             "logged": statistics.median(logged) if logged else None}
    return found


def known_cases():
    return {case.name: case for case in [*cases.use_cases(), *cases.originals()]}
