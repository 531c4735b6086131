# SPDX-License-Identifier: Apache-2.0
"""A run of some parts of a bench (--only): its figures take the place of those that they had in the stored result, and
the others stay. Imported by tools/dev/bench."""

import argparse

from bench_run import Failure

OF_EACH_RUN = ("command", "date", "commit")  # what a result says of its parts; the rest only where it differs
OF_ALL_PARTS = ("registers", "parts")


def parts_of(arguments):
    """The parts that --only names. None: all of them run."""
    parser = argparse.ArgumentParser(add_help=False, allow_abbrev=False)
    parser.add_argument("--only", action="append", nargs="+", default=[])
    named = parser.parse_known_args(arguments)[0].only
    return [part for words in named for word in words for part in word.split(",")]


def with_parts(stored, result, told, parts):
    """The stored result with the figures of `result`. Its context says which parts are of another run, and on what that
    one ran (`told`: the context of the new run)."""
    if stored.get("quick") != result.get("quick"):
        raise Failure("the stored result is of another form (--quick): give --results DIR to store this one elsewhere")
    context = stored["context"]
    of_run = {what: value for what, value in told.items()
              if what in OF_EACH_RUN or (what not in OF_ALL_PARTS and value != context.get(what))}
    context = {**context, "parts": {**context.get("parts", {}), **dict.fromkeys(parts, of_run)}}
    return {**stored, **result, "context": context,
            "figures": {**stored["figures"], **result["figures"]},
            "plots": {**stored["plots"], **{name: with_points(stored["plots"].get(name), plot)
                                            for name, plot in result["plots"].items()}},
            "distributions": {**stored["distributions"], **result["distributions"]}}


def with_points(stored, plot):
    """A plot may have points of several parts."""
    if stored is None:
        return plot
    lines = dict(stored["lines"])
    for name, points in plot["lines"].items():
        by_x = {point["x"]: point for point in [*lines.get(name, []), *points]}
        lines[name] = list(by_x.values())
    return {**stored, **plot, "lines": lines}
