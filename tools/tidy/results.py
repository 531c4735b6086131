# SPDX-License-Identifier: Apache-2.0
"""The stored results of the benches: the name of each number, and units.

The name of a number is 'NAME, FIELD'. NAME is that of a figure or of a distribution in the bench, or, for a plot,
'PLOT: LINE at X UNIT'. A name with * stands for all that it matches. 'A / B' is the ratio of two numbers. A range is
'A to B', 'NAME, lowest to highest', or all numbers that a name with * matches. 'context, KEY' is a part of the context:
the machine, the commit and others.
"""

import fnmatch
import json
import re

FIELDS = {"median": "median", "lowest": "low", "highest": "high", "p90": "p90", "p99": "p99", "p99.9": "p99.9",
          "max": "max", "rounds": "rounds", "count": "count"}
COUNTS = ("rounds", "count")  # fields without the figure's unit
CONTEXT = "context"
TERM = re.compile(rf"(.+?), ({'|'.join(sorted(map(re.escape, FIELDS), key=len, reverse=True))})( to | / |$)")

# The quantity that a unit measures, and its size in base units. Pages write only units without a further word.
UNITS = {
    "ns": ("time", 1e-9), "us": ("time", 1e-6), "ms": ("time", 1e-3), "s": ("time", 1),
    "ns a call": ("time", 1e-9), "us a call": ("time", 1e-6),
    "calls/s": ("rate", 1), "k/s": ("rate", 1e3), "M/s": ("rate", 1e6), "G/s": ("rate", 1e9),
    "kB/s": ("bytes", 1e3), "MB/s": ("bytes", 1e6), "GB/s": ("bytes", 1e9), "TB/s": ("bytes", 1e12),
    "cores": ("cores", 1), "% of a core": ("cores", 0.01),
    "cycles": ("cycles", 1),
    "ratio": ("ratio", 1), "times": ("ratio", 1),
}
PERCENT = {"ratio": 0.01, "cores": 0.01}
SCALES = {"time": ("ns", "us", "ms", "s"), "rate": ("k/s", "M/s", "G/s"), "bytes": ("MB/s", "GB/s"),
          "cores": ("% of a core", "cores")}


class Wrong(Exception):
    """A name of no number or of several, or a wrong unit. The text says what would be right."""


class Value:
    """A number in the base unit of its quantity, and the unit that the result has."""

    def __init__(self, number, unit):
        self.kind, factor = UNITS.get(unit, (unit, 1))
        self.number, self.unit = number * factor, unit

    def over(self, other):
        if self.kind != other.kind:
            raise Wrong(f"a ratio of {self.unit} and {other.unit}")
        if not other.number:
            raise Wrong("a ratio to 0")
        return Value(self.number / other.number, "ratio")

    def in_unit(self, unit):
        """The number in a written unit. None: in the stored unit."""
        if unit is None:
            return self.number / UNITS.get(self.unit, (None, 1))[1]
        kind, factor = UNITS.get(unit, (unit, 1))
        if unit == "%" and self.kind in PERCENT:
            kind, factor = self.kind, PERCENT[self.kind]
        if kind != self.kind:
            raise Wrong(f"'{unit}' for what is stored in '{self.unit}'")
        return self.number / factor

    def shown(self, digits=4):
        """The number as text, in a unit in which it is neither very large nor very small."""
        unit = self.unit
        for scale in SCALES.get(self.kind, ()):
            if unit not in UNITS or abs(self.number) >= UNITS[scale][1] or scale == SCALES[self.kind][0]:
                unit = scale
        number = self.in_unit(unit)
        text = f"{number:.{digits}g}" if abs(number) < 10 ** digits else f"{number:,.0f}"
        return text if unit == "ratio" else f"{text} {unit}"


class Results:
    """One file of bench/results/."""

    def __init__(self, path):
        result = json.loads(path.read_text(encoding="utf-8"))
        self.about, self.context = result.get("about", ""), result.get("context", {})
        self.named = {}
        for name, figure in result["figures"].items():
            self.named[name] = (figure["unit"], figure)
        for name, each in result["distributions"].items():
            self.named[name] = (each["unit"], each)
        for plot, drawn in result["plots"].items():
            for line, points in drawn["lines"].items():
                for point in points:
                    self.named[f"{plot}: {line} at {point['x']:g} {drawn['x_unit']}"] = (drawn["unit"], point)

    def value(self, name, field):
        unit, fields = self.named[name]
        return Value(fields[FIELDS[field]], field if field in COUNTS else unit)

    def matching(self, name, field):
        """The values of a term: one, or all that a name with * matches."""
        if "*" in name:
            found = fnmatch.filter(self.named, name)
        else:
            found = [name] if name in self.named else []
        if not found:
            near = [each for each in self.named if name.split(":")[0].split(",")[0].strip("* ") in each]
            raise Wrong(f"nothing is stored as '{name}'" + (f"; there is '{near[0]}'" if near else ""))
        if FIELDS[field] not in self.named[found[0]][1]:
            there = ", ".join(each for each, key in FIELDS.items() if key in self.named[found[0]][1])
            raise Wrong(f"'{name}' has no {field}, but {there}")
        values = [self.value(each, field) for each in found if FIELDS[field] in self.named[each][1]]
        if len({value.kind for value in values}) > 1:
            raise Wrong(f"'{name}' stands for figures of several units")
        return values

    def named_by(self, title):
        """The value that a title names, or the two ends of the range."""
        title = re.sub(r"\s+", " ", title)
        both = re.fullmatch(r"(.+), lowest to highest", title)
        if both:
            return [*self.one(both[1], "lowest"), *self.one(both[1], "highest")]
        ends, at, before = [], 0, " to "
        while at < len(title):
            term = TERM.match(title, at)
            if not term:
                raise Wrong(f"'{title[at:]}' does not end in ', median' or another of {', '.join(FIELDS)}")
            values = self.matching(term[1], term[2])
            if before == " to ":
                ends.append(values)
            elif len(values) > 1 or len(ends[-1]) > 1:
                raise Wrong("a ratio is of two numbers, and * stands for more")
            else:
                ends[-1] = [ends[-1][0].over(values[0])]
            at, before = term.end(), term[3]
        if before or not ends:
            raise Wrong(f"'{title}' names no number")
        if len(ends) == 1 and len(ends[0]) > 1:
            numbers = sorted(ends[0], key=lambda value: value.number)
            return [numbers[0], numbers[-1]]
        if len(ends) > 2 or any(len(end) > 1 for end in ends):
            raise Wrong(f"'{title}' names more than the two ends of a range")
        return [end[0] for end in ends]

    def one(self, name, field):
        values = self.matching(name, field)
        if len(values) > 1:
            raise Wrong(f"'{name}' stands for {len(values)} figures")
        return values

    def told(self, key):
        """A key of the context, as text."""
        value = self.context.get(key)
        if not isinstance(value, (str, int)):
            plain = ", ".join(each for each, told in self.context.items() if isinstance(told, (str, int)))
            raise Wrong(f"the context has no '{key}', but {plain}")
        return str(value)
