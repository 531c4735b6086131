# SPDX-License-Identifier: Apache-2.0
"""A run of some parts of a bench (--only): its figures take the place of those that they had in the stored result, and
the others stay. Imported by tools/dev/bench."""

import argparse

from bench_result import read
from bench_run import Failure, shown

OF_EACH_RUN = ("command", "date", "commit")  # the context says these of each part; the rest only where it differs
OF_ALL_PARTS = ("registers", "parts")
HOLDS = ("context", "figures", "plots", "distributions")


def parts_of(arguments):
    """The parts that --only names. None: all of them run."""
    parser = argparse.ArgumentParser(add_help=False, allow_abbrev=False)
    parser.add_argument("--only", action="append", nargs="+", default=[])
    named = parser.parse_known_args(arguments)[0].only
    return [part for words in named for word in words for part in word.split(",")]


def stored_for(path, arguments):
    """The stored result that a run with these arguments adds to; None: there is none, or the run replaces it. Read
    before the run, which may take long."""
    if not parts_of(arguments) or not path.exists():
        return None
    advice = "give --results DIR, or measure the whole bench"
    try:
        stored = read(path)
    except Failure as wrong:
        raise Failure(f"{wrong}: {advice}") from None
    if not all(isinstance(stored.get(what), dict) for what in HOLDS) or stored.get("quick") != ("--quick" in arguments):
        raise Failure(f"{shown(path)} has another form than this run's result: {advice}")
    return stored


def with_parts(stored, result, told, arguments):
    """The stored result with the figures of `result`, and with its lines of plots. The context says which parts are of
    another run, and on what that one ran (`told`: the context of the new run)."""
    before = {**stored["context"], "device": stored.get("device")}
    now = {**told, "device": result.get("device")}
    of_run = {what: now[what] for what in OF_EACH_RUN}
    of_run |= {what: now.get(what) or "unknown" for what in {**before, **now}
               if what not in (*OF_EACH_RUN, *OF_ALL_PARTS) and now.get(what) != before.get(what)}
    parts = {**before.get("parts", {}), **dict.fromkeys(parts_of(arguments), of_run)}
    return {**stored, "about": result["about"], "context": {**stored["context"], "parts": parts},
            "figures": {**stored["figures"], **result["figures"]},
            "plots": {**stored["plots"], **{name: with_lines(stored["plots"].get(name, {}), plot, of_run)
                                            for name, plot in result["plots"].items()}},
            "distributions": {**stored["distributions"], **result["distributions"]}}


def with_lines(stored, plot, of_run):
    """A plot may have lines of several parts. Its own context is that of the run of all its lines."""
    all_lines = {**stored.get("lines", {}), **plot["lines"]}
    of_all = of_run if len(all_lines) == len(plot["lines"]) else {"note": "lines of several runs"}
    return {**stored, **plot, "context": of_all, "lines": all_lines}
