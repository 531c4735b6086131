# SPDX-License-Identifier: Apache-2.0
"""How often each call is made, and how long it is in Linux: counts in bins of the logarithm of time, kept for parts of
the run, so that memory does not grow with the number of calls.

Parts are stretches of time of equal length, at most 64 in a file. A file begins with short ones; each time that they do
not suffice, two become one. compare.py draws parts, or whole files, anew to say how far a result may be chance.
"""

import numpy as np

from . import modes, names
from .sources import open_source

PARTS = 64
_FIRST_PART_NS = 1_000_000


class Distribution:
    """Of one call: `parts` are counts, a row a part of the run, in bins of modes.BINS a decade."""

    def __init__(self, name):
        self.name = name
        self.calls = self.failed = self.timed = 0
        self.total_ns = self.longest_ns = 0
        self.parts = np.zeros((PARTS, modes.BINS_ALL), dtype=np.uint32)

    kind = property(lambda self: names.kind_of(self.name))
    latency_class = property(lambda self: names.class_of(self.name))

    @property
    def counts(self):
        return self.parts.sum(axis=0, dtype=np.int64)

    def halve(self):
        """Makes one part of each two."""
        half = PARTS // 2
        self.parts[:half] = self.parts.reshape(half, 2, -1).sum(axis=1)
        self.parts[half:] = 0

    def quantiles(self, shares):
        found = modes.quantiles(self.counts, shares)
        return np.minimum(found, self.longest_ns) if self.timed else found

    def modes(self):
        return modes.modes(modes.coarse(self.counts))

    def joined(self, other):
        """Of both; their parts stand one after another."""
        both = Distribution.__new__(Distribution)
        both.name = self.name
        for name in ("calls", "failed", "timed", "total_ns"):
            setattr(both, name, getattr(self, name) + getattr(other, name))
        both.longest_ns = max(self.longest_ns, other.longest_ns)
        both.parts = np.concatenate([self.parts, other.parts])
        return both


class FileDistributions:
    """Reads a file to its end. `by_name`: a Distribution each."""

    def __init__(self, path, machine=None):
        self.path, self.by_name = path, {}
        self._begin_ns, self._part_ns = None, _FIRST_PART_NS
        self._codes = {}
        source = open_source(path, machine)
        self.kind = source.kind
        for block in source.blocks():
            self._add(block, source)
        self.truncated, self.dropped, self.not_used = source.truncated, source.dropped, dict(source.counts)
        for of in self.by_name.values():
            of.parts = of.parts[:self.parts_used]

    @property
    def calls(self):
        return sum(of.calls for of in self.by_name.values())

    @property
    def timed(self):
        return sum(of.timed for of in self.by_name.values())

    def _add(self, block, source):
        part = self._parts_of(block["started_ns"])
        codes = block["call"]
        counts = np.bincount(codes)
        if len(np.flatnonzero(counts)) > 1:
            order = np.argsort(codes.astype(np.int16), kind="stable")  # a radix sort
            ends = np.cumsum(counts)
            chosen = {code: order[ends[code] - counts[code]:ends[code]] for code in np.flatnonzero(counts).tolist()}
        else:
            chosen = {code: slice(None) for code in np.flatnonzero(counts).tolist()}
        for code, which in chosen.items():
            if code not in self._codes:
                name = source.name_of(code)
                self._codes[code] = self.by_name.setdefault(name, Distribution(name))
            of, took = self._codes[code], block["linux_ns"][which]
            of.calls += len(took)
            of.failed += int(block["failed"][which].sum())
            parts, timed = part[which], took >= 0
            if not timed.all():
                took, parts = took[timed], parts[timed]
            if len(took) == 0:
                continue
            of.timed += len(took)
            of.total_ns += int(took.sum())
            of.longest_ns = max(of.longest_ns, int(took.max()))
            places = parts * modes.BINS_ALL + modes.bin_of(took)
            low = int(parts.min()) * modes.BINS_ALL  # a block lies in few parts
            found = np.bincount(places - low)
            of.parts.reshape(-1)[low:low + len(found)] += found.astype(np.uint32)

    def _parts_of(self, started_ns):
        known = started_ns[started_ns > 0]
        if len(known) == 0:
            return np.zeros(len(started_ns), np.int64)
        if self._begin_ns is None:
            self._begin_ns = int(known.min())
            self._last_ns = self._begin_ns
        self._last_ns = max(self._last_ns, int(known.max()))
        while (self._last_ns - self._begin_ns) // self._part_ns >= PARTS:
            self._part_ns *= 2
            for of in self.by_name.values():
                of.halve()
        return np.clip((started_ns - self._begin_ns) // self._part_ns, 0, PARTS - 1)

    @property
    def parts_used(self):
        """How many parts have calls: those after are empty for every call."""
        if self._begin_ns is None:
            return 1
        return int((self._last_ns - self._begin_ns) // self._part_ns) + 1


def joined(files):
    """The distributions of several files, by name."""
    by_name = {}
    for file in files:
        for name, of in file.by_name.items():
            by_name[name] = by_name[name].joined(of) if name in by_name else of
    return by_name
