# SPDX-License-Identifier: Apache-2.0
"""docs/study.md: the parts between '<!-- study: NAME -->' and '<!-- study -->' are written from the results."""

import re
import textwrap

import findings
import tables
from bench_run import ROOT, Failure, say, shown
from machine import BUSY_MOST
from results import machines

PAGE = ROOT / "docs/study.md"
_PART = re.compile(r"(<!-- study: (\w+) -->\n).*?(<!-- study -->)", re.DOTALL)
_PICTURE = re.compile(r"!\[[^\]]*\]\(plots/([^)]*)\)\n*")
_COLUMNS = 120


def write(folder):
    """Writes the page and the pictures; of another folder than bench/results/study into that folder."""
    results = _results(folder)
    page = _own(folder)
    _draw(results, _plots(page))
    page.write_text(_rendered(results, _plots(page)), encoding="utf-8")
    say(f"study: wrote {shown(page.resolve())}")


def _draw(results, plots):
    try:
        import pictures
    except ModuleNotFoundError as missing:
        say(f"study: no pictures: they need {missing.name}")
        return
    for path in pictures.draw(results, plots):
        _shorten(path)
        say(f"study: wrote {shown(path.resolve())}")


def _shorten(path):
    """A picture without spaces at the ends of lines, and with two decimals."""
    text = re.sub(r"[ \t]+$", "", path.read_text(encoding="utf-8"), flags=re.MULTILINE)
    path.write_text(re.sub(r"(\d\.\d\d)\d+", r"\1", text), encoding="utf-8")


def check(folder):
    """0 if the page has what would be written."""
    page = _own(folder)
    if page.read_text(encoding="utf-8") == _rendered(_results(folder), _plots(page)):
        return 0
    say("study: docs/study.md does not agree with the results: './dev study --page' writes it")
    return 1


def _own(folder):
    return PAGE if folder.resolve() == (ROOT / "bench/results/study").resolve() else folder / "study.md"


def _plots(page):
    return page.parent / "plots"


def _results(folder):
    results = machines(folder)
    if not results:
        raise Failure(f"{shown(folder)} has no results")
    return dict(sorted(results.items(), key=lambda item: (item[1]["context"]["date"], item[0])))


def _rendered(results, plots):
    def drawn(found):  # a picture may be missing: perf cannot be used everywhere
        return found[0] if (plots / found[1]).exists() else ""

    def part(found):
        if found[2] not in PARTS:
            raise Failure(f"the page has a part '{found[2]}', which no function writes")
        text = _PICTURE.sub(drawn, PARTS[found[2]](results)).rstrip("\n")
        return f"{found[1]}\n{text}\n\n{found[3]}"

    return _PART.sub(part, PAGE.read_text(encoding="utf-8"))


def _verdicts(results):
    lines = []
    for finding, rule, test in findings.OF_ONE:
        lines.append(filled(f"**{finding}** ({rule}).", "") + "\n")
        for name, result in results.items():
            verdict, sentence = test(result)
            lines.append(filled(f"- {name}: **{verdict}**. {sentence[0].upper()}{sentence[1:]}."))
        lines.append("")
    finding, rule, test = findings.OF_ALL
    verdict, sentence = test(results)
    lines.append(filled(f"**{finding}** ({rule}).", "") + "\n")
    lines.append(filled(f"- All machines: **{verdict}**. {sentence[0].upper()}{sentence[1:]}."))
    return "\n".join(lines)


def _short(results):
    """A table of the verdicts alone."""
    rows = [[finding, *(test(result)[0] for result in results.values())] for finding, _, test in findings.OF_ONE]
    rows.append([findings.OF_ALL[0], *[findings.OF_ALL[2](results)[0]] * len(results)])
    return tables.table(["finding of the paper", *results], rows)


def _left_out(results):
    lines = []
    for name, result in results.items():
        told = result["context"]["left_out"]
        own = [one for one in result["measurements"] if one["walls_s"]]
        busy = sum(one["busy_most"] > BUSY_MOST for one in own)
        lines.append(filled(f"- {name}: of `{len(own)}` measurements `{busy}` have a run before which other programs "
                            f"kept more than `{100 * BUSY_MOST:.0f} %` of the processors busy, so their tails may be "
                            f"longer. {'Left out:' if told else 'All that the command asks for was measured.'}"))
        lines += [filled(f"  - `{what}`: {why}", "    ") for what, why in told.items()]
    return "\n".join(lines)


def filled(text, indent="  "):
    """Lines of the page's width, which do not break in code."""
    kept = re.sub(r"`[^`]*`", lambda code: code[0].replace(" ", "\0"), text)
    return textwrap.fill(kept, _COLUMNS, subsequent_indent=indent, break_long_words=False,
                         break_on_hyphens=False).replace("\0", " ")


def _picture(what, words):
    return lambda results: "\n\n".join(f"![{words}, {name}](plots/study-{name}-{what}.svg)" for name in results)


PARTS = {"machines": tables.machines, "short": _short, "use_cases": tables.use_cases, "latencies": tables.latencies,
         "cost": tables.cost, "distortion": tables.distortion, "storage": tables.storage, "effects": tables.effects,
         "genesys": tables.genesys, "beside": tables.beside, "verdicts": _verdicts, "left_out": _left_out,
         "shares": _picture("shares", "Shares of the calls, and of the time in Linux, by use case"),
         "tracers": _picture("tracers", "Times of calls of the browser under perf and under strace"),
         "storages": _picture("storages", "Times of calls of the workload of files by storage")}
