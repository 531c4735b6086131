# SPDX-License-Identifier: Apache-2.0
"""What a study runs, and which of its measurements are compared with each other.

Use cases run with a cold page cache, as in the paper, with a warm one, and with their folder in tmpfs. Programs that
genesys has as samples run warm, because their recordings show no storage. The workload of files runs on each storage.
"""

import cases
import tracers
from collect import RECORD, Measurement

BASE = "ext4"  # the storage that the others are compared with, for the workload of files
QUICK_CASES = ("diff", "grep")
_THREADS = 4


def measurements(chosen, usable, binaries, devices, quick):
    """`chosen`: names of cases, or nothing for all; `usable`: tracers; `binaries`: of genesys, or None; `devices`: on
    which its samples run, "cpu" or "cuda"."""
    found = []
    logged = [tracer for tracer in (tracers.STRACE, tracers.PERF) if tracer in usable]
    for case in cases.use_cases():
        found += [Measurement(case, tracer=tracer) for tracer in logged]
        if tracers.STRACE in usable and not quick:
            found.append(Measurement(case, cold=False))
            found.append(Measurement(case, "tmpfs"))
    for case in cases.originals():
        found += [Measurement(case, tracer=tracer, cold=False) for tracer in logged]
    for device in devices if binaries else ():
        found += [Measurement(case, tracer=RECORD, cold=False) for case in cases.samples(binaries, device)]
    for tracer in logged:
        for place in ("ext4", "tmpfs", "ext4-ram", "xfs", "ext2"):
            found.append(Measurement(cases.files(), place, tracer))
        for place in ("ext4", "tmpfs"):
            found.append(Measurement(cases.files(_THREADS), place, tracer))
        for place in ("ext4", "ext4-ram"):
            found.append(Measurement(cases.files(direct=True), place, tracer))
    names = chosen or (QUICK_CASES if quick else ())
    found = [one for one in found if not names or one.case.name in names]
    return [one for one in found if one.tracer == tracers.STRACE] if quick and tracers.STRACE in usable else found


def names():
    """Of all cases."""
    every = [*cases.use_cases(), *cases.originals(), *cases.samples(""), *cases.samples("", "cuda"), cases.files(),
             cases.files(_THREADS), cases.files(direct=True)]
    return {case.name: case for case in every}


def comparisons(made):
    """Pairs (a, b, what differs) of these measurements."""
    by = {(one.case.name, one.place, one.cold, one.tracer): one for one in made}
    found = []

    def pair(what, a, b):
        if a in by and b in by:
            found.append((by[a], by[b], what))

    for one in made:
        name, place, tracer = one.case.name, one.place, one.tracer
        key = (name, place, one.cold, tracer)
        if tracer == tracers.PERF:
            pair("strace", key, (name, place, one.cold, tracers.STRACE))
        if one.case.of_paper and tracer == tracers.STRACE and key == (name, "disk", True, tracer):
            pair("warm", key, (name, "disk", False, tracer))
            pair("storage", key, (name, "tmpfs", True, tracer))
        if name.startswith("files-") and place == BASE:
            for other in ("tmpfs", "ext4-ram", "xfs", "ext2"):
                pair("storage", key, (name, other, True, tracer))
            if name == "files-1":
                pair("callers", key, (f"files-{_THREADS}", place, True, tracer))
                pair("direct", key, ("files-1-direct", place, True, tracer))
        if one.case.original:
            pair("genesys", (one.case.original, "disk", False, tracers.PERF), key)
    return found
