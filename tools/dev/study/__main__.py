# SPDX-License-Identifier: Apache-2.0
"""./dev study: how often programs make system calls and how long each takes, on several storages; and docs/study.md."""

import argparse
import shlex
import signal
import sys
import tempfile
import time
from pathlib import Path

sys.dont_write_bytecode = True
ROOT = Path(__file__).resolve().parents[3]
sys.path[:0] = [str(ROOT / "tools/dev"), str(ROOT / "python")]

RESULTS = ROOT / "bench/results/study"
TIME_S = 3600


def parser():
    of_all = argparse.ArgumentParser(
        prog="./dev study", description="Runs the cases of docs/study.md several times, under strace and perf, keeps "
        "the results of this machine in a file of JSON, and writes the tables and pictures of the page from the files "
        "of all machines. As root it also mounts file systems and drops the page cache before cold runs; all is "
        "unmounted at the end.")
    of_all.add_argument("--quick", action="store_true", help="two small cases, two runs, for tests; no page")
    of_all.add_argument("--results", type=Path, metavar="DIR", help="the folder of the results (default: "
                        "bench/results/study); with another folder the page is written there, too")
    of_all.add_argument("--name", help="this machine's name in the results (default: the host's name)")
    of_all.add_argument("--native-only", action="store_true", help="no programs of genesys")
    of_all.add_argument("--binaries", type=Path, default=ROOT / "build/release/bin", metavar="DIR",
                        help="the genesys command and the samples (default: build/release/bin)")
    of_all.add_argument("--recordings", type=Path, metavar="DIR", help="recordings of a GPU: grep.*.rec, sort.*.rec, "
                        "echo.*.rec, a file a run")
    of_all.add_argument("--cases", type=lambda words: tuple(words.split(",")), default=(), metavar="CASES",
                        help="only these, with commas (--list says which there are); what is stored of others "
                        "stays")
    of_all.add_argument("--runs", type=int, metavar="N", help="of each case (default: 5; 2 with --quick)")
    of_all.add_argument("--time", type=int, default=TIME_S, metavar="S",
                        help="no run begins later than this (default: %(default)s s)")
    of_all.add_argument("--wait", type=int, default=5, metavar="S", help="wait before a run until other programs leave "
                        "the processors alone, but not longer than this (default: %(default)s s)")
    of_all.add_argument("--work", type=Path, metavar="DIR", help="where the cases have their files (default: a new "
                        "folder in build/)")
    of_all.add_argument("--keep-logs", type=Path, metavar="DIR", help="keep the logs of all runs there")
    of_all.add_argument("--page", action="store_true", help="only write the page and the pictures from the results")
    of_all.add_argument("--check", action="store_true", help="only say whether the page agrees with the results")
    of_all.add_argument("--list", action="store_true", help="say which cases there are")
    return of_all


def main(arguments):
    asked = parser().parse_args(arguments)
    try:
        import genesys_trace.compare  # noqa: F401: is numpy there?
    except ModuleNotFoundError as missing:
        print(f"dev: study needs {missing.name}: python3 -m venv build/venv && build/venv/bin/pip install "
              "'./python[plot]'", file=sys.stderr)
        return 3
    import page
    import plan
    from bench_run import Failure
    from study import COST, study

    if asked.list:
        for case in plan.names().values():
            print(f"{case.name:16} {case.about}")
        print(f"{COST:16} what tracing itself costs")
        return 0
    unknown = sorted(set(asked.cases) - {COST, *plan.names()})
    if unknown:
        print(f"dev: study has no case '{unknown[0]}'; --list says which there are", file=sys.stderr)
        return 2
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # so that what is mounted is unmounted
    results = asked.results or RESULTS
    try:
        if asked.check:
            return page.check(results)
        if not asked.page:
            with tempfile.TemporaryDirectory(prefix="study-", dir=_build(asked)) as work:
                study(asked, Path(work), results, time.monotonic() + asked.time,
                      shlex.join(["./dev", "study", *arguments]))
        if not asked.quick:
            page.write(results)
    except Failure as wrong:
        print(f"dev: study: {wrong}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("dev: study: interrupted", file=sys.stderr)
        return 130
    return 0


def _build(asked):
    folder = asked.work or ROOT / "build"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
