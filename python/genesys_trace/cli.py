# SPDX-License-Identifier: Apache-2.0
"""The command line: python3 -m genesys_trace plot|compare, which 'genesys trace plot|compare' runs.

The exit status is 0; 1 if a file cannot be read or written, or a library is missing; 2 if the command line is wrong.
"""

import argparse
import pathlib
import sys

from . import names
from .compare import Case, compare
from .compare_text import interval, ratio, text
from .format import NotReadable

FORMATS = ("svg", "png", "html")
_FILES = ("Files are recordings of genesys (genesys trace --record FILE -- PROGRAM), logs of 'strace -f -T -ttt -o "
          "FILE PROGRAM', or of 'perf trace -T -o FILE PROGRAM'.")


class Wrong(Exception):
    """Something that the user can put right; the message says how."""


def main(arguments=None, program="python3 -m genesys_trace"):
    options = _parser(program).parse_args(arguments)
    try:
        options.run(options)
        sys.stdout.flush()
    except BrokenPipeError:
        sys.stderr.close()
        return 1
    except (Wrong, NotReadable, EOFError) as wrong:
        print(f"genesys_trace: {wrong}", file=sys.stderr)
        return 1
    except OSError as wrong:
        print(f"genesys_trace: {wrong.filename or 'standard output'}: {wrong.strerror}", file=sys.stderr)
        return 1
    return 0


def _parser(program):
    parser = argparse.ArgumentParser(prog=program, description="Plots and compares the system calls of recordings.")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    plot = commands.add_parser("plot", help="draw how often each call is made, and how long it takes", epilog=_FILES,
                               description="Draws how often each call is made and how long it is in Linux, as bars, "
                               "and histograms of the times by class of calls. Several files count as runs of one "
                               "case.")
    plot.add_argument("files", nargs="+", metavar="FILE")
    plot.add_argument("-o", "--output", required=True, type=_output, metavar="FILE",
                      help="write there: FILE.svg, FILE.png, or FILE.html, a page that stands alone")
    plot.add_argument("--title", help="the heading (else the file's name)")
    plot.set_defaults(run=_plot)

    of_two = commands.add_parser(
        "compare", help="print which calls have become slower or faster, and whose tail and peaks have moved",
        epilog=_FILES, description="Compares the time of each call in Linux in two or more cases, with intervals from "
        "a bootstrap. A case is a file, or several runs: NAME=FILE,FILE,... Each case is compared with the first.")
    of_two.add_argument("cases", nargs="+", metavar="CASE")
    of_two.add_argument("-o", "--output", type=_output, metavar="FILE",
                        help="also draw the distributions above each other: FILE.svg, FILE.png or FILE.html")
    of_two.add_argument("--confidence", type=_confidence, default=0.95, metavar="SHARE",
                        help="of the intervals (default: %(default)s)")
    of_two.add_argument("--seed", type=int, default=1, help="of the bootstrap's samples (default: %(default)s)")
    of_two.add_argument("--drawn", type=int, default=12, metavar="N", help="draw so many calls, those that have moved "
                        "first (default: %(default)s)")
    of_two.set_defaults(run=_compare)
    for command in (plot, of_two):
        command.add_argument("-e", "--calls", type=lambda words: set(words.split(",")), metavar="CALLS",
                             help="only these calls, with commas")
        command.add_argument("--machine", help="where recordings are from, as uname -m says it, if not from here")
    return parser


def _output(name):
    if pathlib.Path(name).suffix[1:] not in FORMATS:
        raise argparse.ArgumentTypeError(f"'{name}' ends in none of {', '.join('.' + of for of in FORMATS)}")
    return name


def _confidence(word):
    value = float(word)
    if not 0 < value < 1:
        raise argparse.ArgumentTypeError(f"{word} is not between 0 and 1")
    return value


def _drawing(output):
    """The module that draws into such a file."""
    try:
        if output.endswith(".html"):
            from . import page as drawing
        else:
            from . import plot_static as drawing
    except ModuleNotFoundError as missing:
        raise Wrong(f"plots need {missing.name}: pip install './python[plot]' in the folder of genesys") from missing
    return drawing


def _case(name, paths, options):
    case = Case(name, paths, options.machine)
    if options.calls:
        unknown = sorted(call for call in options.calls if call not in names.CALLS)
        if unknown:
            raise Wrong(f"Linux 6.18 has no call '{unknown[0]}'")
        case.by_name = {call: of for call, of in case.by_name.items()
                        if names.plain(call) in options.calls}
    if not case.by_name:
        raise Wrong(f"{name} has no such calls" if options.calls else f"{name} has no calls")
    return case


def _notes(case):
    """What a reader of the results has to know about the files."""
    notes = []
    for file in case.files:
        if file.truncated:
            notes.append(f"{file.path} is cut off: what is whole is read")
        if file.dropped:
            notes.append(f"{file.path}: {file.dropped:,} calls are not recorded")
        notes += [f"{file.path}: {count:,} {what} could not be used" for what, count in file.not_used.items()
                  if what != "lost"]
        if file.timed == 0 and file.calls:
            notes.append(f"{file.path} does not say how long calls took" +
                         ("; strace does with -T" if file.kind == "strace" else ""))
    return notes


def _say(case):
    for note in _notes(case):
        print(f"genesys_trace: {note}", file=sys.stderr)


def _plot(options):
    drawing = _drawing(options.output)
    case = _case(options.title or pathlib.Path(options.files[0]).name, options.files, options)
    _say(case)
    if options.output.endswith(".html"):
        kinds = ", ".join(sorted({file.kind for file in case.files}))
        calls = sum(of.calls for of in case.by_name.values())
        drawing.plot(case, [f"{calls:,} calls; {kinds}: {', '.join(options.files)}.", *_notes(case)], options.output)
    else:
        drawing.draw(case, options.output)
    print(f"wrote {options.output}")


def _compare(options):
    if len(options.cases) < 2:
        raise SystemExit(_usage("compare takes two cases or more; several runs of one are NAME=FILE,FILE,..."))
    drawing = _drawing(options.output) if options.output else None
    cases = []
    for word in options.cases:
        name, named, files = word.partition("=")
        # A file whose name has a '=' is a file.
        several = bool(named) and not pathlib.Path(word).exists()
        cases.append(_case(name if several else pathlib.Path(word).name, files.split(",") if several else [word],
                           options))
        _say(cases[-1])
    reports, headings = [], {}
    for other in cases[1:]:
        found = compare(cases[0], other, options.seed, options.confidence, options.calls)
        reports.append(text(cases[0], other, found, options.confidence))
        for one in sorted(found, key=lambda one: not one.moved):
            if one.judged:
                headings.setdefault(one.name, _heading(one, other, len(cases) > 2))
    report = ("\n" + 100 * "=" + "\n\n").join(reports)
    print(report, end="")
    if drawing is None:
        return
    chosen = dict(list(headings.items())[:options.drawn])
    if not chosen:
        raise Wrong("no call is in both cases often enough to be drawn")
    if options.output.endswith(".html"):
        drawing.plot_comparison(cases, chosen, report, options.output)
    else:
        drawing.draw_comparison(cases, chosen, options.output)
    print(f"wrote {options.output}")


def _heading(one, other, several):
    words = [one.centre_moved, one.tail_moved and f"tail {one.tail_moved}", one.peaks_moved and "peaks moved"]
    what = ", ".join(word for word in words if word) or "not moved"
    of = f" in {other.name}" if several else ""
    return f"{one.name}: {what}{of}; median B / A {ratio(one.ratio.value)} ({interval(one.ratio)})"


def _usage(message):
    print(f"genesys_trace: {message}", file=sys.stderr)
    return 2
