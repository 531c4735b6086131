# SPDX-License-Identifier: Apache-2.0
"""The figures on the pages: each is a link to the stored result that it is from, and must agree with it.

    [2.73 us](../bench/results/latency.cuda.json "getppid, median")

results.py says how a title names a number. A figure without a unit has the one that follows its link ('[24](...),
[47](...) M/s'), else the stored one. A number with a unit that no bench measured, such as a limit or an option, is
written as code: `400 us`. Any other number with a unit is a complaint.
"""

import fnmatch
import posixpath
import re

import pages
from results import CONTEXT, COUNTS, FIELDS, UNITS, Results, Wrong

# And the pages right in docs/. (docs/notes/ has the figures of its time.)
PAGES = ("README.md", "samples/*/README.md", "applications/*/README.md")
RESULT = re.compile(r"bench/results/[\w.]+\.json")

NUMBER = r"(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?"
WRITTEN = "|".join(sorted((re.escape(unit) for unit in [*UNITS, "%"] if unit != "ratio"), key=len, reverse=True))
FIGURE = re.compile(rf"(?P<first>{NUMBER})(?: to (?P<last>{NUMBER}))?(?: (?P<unit>{WRITTEN}))?")
FOLLOWING = re.compile(rf"(?:(?:,| /|,? and|,? or| to) ?\[[^\[\]]*\]\([^()]*\))* ?(?P<unit>{WRITTEN})(?![\w/])")

SECOND = r"(?:(?:million|thousand|[kMG])\b[ \w]{0,20}|[\w]+ )?a second"
MEASURED = re.compile(
    rf"(?<![\w.,])(?P<number>{NUMBER})(?:[\s-]?(?:[nuµm]s|[kMG]?B/s|[kMGT]iB/s|[kMG]/s|/s|calls/s|%)(?![\w/])"
    rf"|\s(?:s|seconds|cycles|[kMG]|{SECOND})(?![\w/])|(?<=\d\.\d)\stimes|(?<=\d\.\d\d)\stimes)")
LONE = re.compile(rf"(?<=\|)\s*(?P<number>\d[\d,]*\.\d+)\s*(?=\|)")


def is_page(name):
    in_docs = name.startswith("docs/") and name.endswith(".md") and name.count("/") == 1
    return in_docs or any(fnmatch.fnmatch(name, page) for page in PAGES)


class Figure:
    """A link of a page to a file of results."""

    def __init__(self, page, text, link):
        self.start, self.end = link.span("text")
        self.target = link["target"]
        self.path = posixpath.normpath(posixpath.join(posixpath.dirname(page), self.target))
        self.title = link["title"]
        self.text = re.sub(r"\s+", " ", text[self.start:self.end])
        following = FOLLOWING.match(text, link.end())
        self.following = following["unit"] if following else None

    def from_results(self, results):
        """The right text of the figure, and the stored value. Raises Wrong."""
        if self.title.startswith(f"{CONTEXT}, "):
            told = results.told(self.title[len(CONTEXT) + 2:])
            return (self.text if self.text and self.text in told else told), told
        written = FIGURE.fullmatch(self.text)
        if not written:
            raise Wrong(f"'{self.text}' is not a number, or two with ' to ' between them, and a unit")
        unit = written["unit"] or self.following
        numbers = [written["first"]] + ([written["last"]] if written["last"] else [])
        values = results.named_by(self.title)
        if len(values) != len(numbers):
            raise Wrong(f"'{self.text}' has {len(numbers)} number(s), and '{self.title}' names {len(values)}")
        right = [as_precise(number, value.in_unit(unit)) for number, value in zip(numbers, values)]
        tail = f" {written['unit']}" if written["unit"] else ""
        return " to ".join(right) + tail, " to ".join(value.shown(5) for value in values)


def as_precise(printed, number):
    """The printed number if it is right (a half may go either way); otherwise the stored one with as many decimals, or
    with more if only zeros would be left."""
    decimals = len(printed.partition(".")[2])
    if abs(number - float(printed.replace(",", ""))) <= 0.5 * 10 ** -decimals + 1e-9 * abs(number):
        return printed
    while number and abs(number) < 10 ** -decimals:
        decimals += 1
    return f"{number:,.{decimals}f}"


def figures(project, page):
    """The links of a page to results, and the rest of the page, blanked where it is code or such a link."""
    text = project.text(page) or ""
    plain = pages.without_code(text)
    found, blank = [], []
    for link in pages.links(plain):
        figure = Figure(page, text, link)
        if RESULT.fullmatch(figure.path) and (figure.title is not None or re.match(r"\d", figure.text)):
            found.append(figure)
            blank.append(link.span())
        else:
            blank.append(link.span("hidden"))
    return found, pages.blanked(plain, blank)


class Stored:
    """The files of bench/results/; each is read at its first use."""

    def __init__(self, project):
        self.project, self.read = project, {}

    def file(self, path):
        if path not in self.read:
            if not (self.project.root / path).is_file():
                there = ", ".join(sorted(each.name for each in (self.project.root / "bench/results").glob("*.json")))
                raise Wrong(f"there is no {path}, but {there}")
            self.read[path] = Results(self.project.root / path)
        return self.read[path]

    def files(self):
        for path in sorted((self.project.root / "bench/results").glob("*.json")):
            yield path.name, self.file(f"bench/results/{path.name}")


def complaints(project, name):
    """Yields (line number, complaint) for one page."""
    if not is_page(name):
        return
    text, stored = project.text(name) or "", Stored(project)
    found, rest = figures(project, name)
    for figure in found:
        line = pages.line_of(text, figure.start)
        if figure.title is None:
            yield line, f"the link of '{figure.text}' has no title that says which number of {figure.path} it is"
            continue
        try:
            right, told = figure.from_results(stored.file(figure.path))
        except Wrong as wrong:
            yield line, f"{wrong} ({figure.path}; './dev tidy --figures' lists the stored figures)"
            continue
        if right != figure.text:
            yield line, f"'{figure.text}' should be '{right}': {figure.path} has {told} as '{figure.title}'"
    for measured in sorted([*MEASURED.finditer(rest), *LONE.finditer(rest)], key=lambda found: found.start()):
        said = re.sub(r"\s+", " ", measured[0]).strip()
        yield (pages.line_of(text, measured.start("number")),
               f"'{said}' is no link to the result it is from (write a limit or an option as code: `{said}`)")


def show(project, asked):
    """Lists the stored figures as pages name them."""
    none = True
    for file, results in Stored(project).files():
        names = [name for name in results.named if all(word.lower() in f"{file} {name}".lower() for word in asked)]
        if names:
            none, told = False, results.context
            print(f"\nbench/results/{file}: {results.about} ({told.get('commit', '?')}, {told.get('date', '?')})")
        for name in names:
            fields = [field for field, key in FIELDS.items() if key in results.named[name][1]]
            first, *others = [field for field in fields if field not in COUNTS]
            shown = ", ".join(f"{field} {results.value(name, field).shown()}" for field in others)
            print(f'  "{name}, {first}"  {results.value(name, first).shown()}  ({shown})')
    if none:
        print(f"tidy: no stored figure has {' and '.join(asked) or 'a name'}")
    return 1 if none else 0


def fix(project):
    """Rewrites each figure that disagrees with the results. The check reports those that cannot be rewritten."""
    stored = Stored(project)
    for name in filter(is_page, project.files):
        text = project.text(name)
        for figure in reversed(figures(project, name)[0]):
            try:
                right, _ = figure.from_results(stored.file(figure.path))
            except Wrong:
                continue
            if figure.title is not None and right != figure.text:
                print(f"{name}:{pages.line_of(text, figure.start)}: {figure.text} -> {right}")
                text = text[:figure.start] + right + text[figure.end:]
        if text != project.text(name):
            project.write(name, text)
    return 0
