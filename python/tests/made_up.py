# SPDX-License-Identifier: Apache-2.0
"""Recordings that are made up, with times that a test knows: written as the recorder writes them (docs/recordings.md,
The file), but by numpy, so that one of 100 million calls takes a minute.

    python3 python/tests/made_up.py FILE CALLS [SHIFT]
"""

import struct
import sys

import numpy as np

REALTIME_NS = 1_700_000_000 * 10**9  # CLOCK_REALTIME less the ticks, of which each is a nanosecond
SECTION_CALLS = 900
_FORM_HALVES = np.array([0, 1, 2, 1])
_FIELDS = {"by": (0, 10), "flags": (0, 12), "scope": (0, 18), "mode": (0, 20), "warp": (0, 22), "block": (0, 27),
           "number": (0, 47), "published": (1, 0), "run": (1, 19), "completion_slot": (1, 30)}

_MASKS, _ALL = {"by": np.uint64(3)}, np.uint64((1 << 64) - 1)  # the third bit of `by` is elsewhere


def pack(calls):
    """The words of these calls, and the place of each. `calls`: columns of uint64; by, flags and so on, `args`, six of
    them, `result`, `taken`, `started`, `ended`, `completed` in ticks, `earlier`: completed (0: none), seen, number, and
    `ring`: took, seen.
    """
    count = len(calls["completed"])
    zero = np.zeros(count, np.uint64)
    heads = [zero.copy(), zero.copy()]
    for name, (word, bit) in _FIELDS.items():
        heads[word] |= (calls.get(name, zero).astype(np.uint64) & _MASKS.get(name, _ALL)) << np.uint64(bit)
    completed = calls["completed"]
    times = [calls[name] for name in ("taken", "started", "ended")]
    is_long = np.zeros(count, bool)
    for time in times:
        is_long |= (time != 0) & (completed - time >= 0xFFFFFFFF)
    earlier = calls.get("earlier", (zero, zero, zero))
    is_seen = (earlier[0] != 0) & (completed - earlier[0] < 0xFFFFFFFF)
    by_kernel = calls.get("by", zero).astype(np.uint64) >> np.uint64(2) << np.uint64(59)
    heads[0] |= by_kernel
    has_ring = (by_kernel != 0) & (calls.get("mode", zero) != 2)
    values = [*calls.get("args", [zero] * 6), calls.get("result", zero)]
    forms = [_form(value) for value in values]
    halves = 6 + np.where(is_long, 6, 3) + np.where(is_seen, 3, 0) + np.where(has_ring, 2, 0)
    halves = halves + sum(_FORM_HALVES[form] for form in forms)
    lengths = (halves + 1) // 2
    for which, form in enumerate(forms):
        heads[1] |= form.astype(np.uint64) << np.uint64(50 + 2 * which)
    heads[0] |= lengths.astype(np.uint64) | np.uint64(1 << 8)
    heads[0] |= (is_long * np.uint64(8) | is_seen * np.uint64(16)) << np.uint64(12)
    places = np.cumsum(lengths) - lengths
    words = np.zeros(int(lengths.sum()), np.uint64)
    words[places], words[places + 1], words[places + 2] = *heads, completed
    at = 2 * places + 6
    into = words.view(np.uint32)
    for time in times:
        before = np.where(time == 0, 0xFFFFFFFF, (completed - time) & np.uint64(0xFFFFFFFF))
        at = _put(into, at, np.where(is_long, time, before), np.where(is_long, 2, 1))
    for part in ((completed - earlier[0]) & np.uint64(0xFFFFFFFF), *earlier[1:]):
        at = _put(into, at, part, is_seen.astype(np.int8))
    for part in calls.get("ring", (zero, zero)):
        at = _put(into, at, part, has_ring.astype(np.int8))
    for value, form in zip(values, forms):
        at = _put(into, at, value, _FORM_HALVES[form])
    return words, places


def _form(values):
    low = values >> np.uint64(32) == 0
    negative = values.view(np.int64) == values.astype(np.uint32).view(np.int32)
    return np.where(values == 0, 0, np.where(low, 1, np.where(negative, 3, 2))).astype(np.int8)


def _put(into, at, values, halves):
    some, full = halves > 0, halves == 2
    into[at[some]] = values[some].astype(np.uint32)
    into[at[full] + 1] = (values[full] >> np.uint64(32)).astype(np.uint32)
    return at + halves


class Writer:
    """A recording, section by section. Use it with `with`; the times of calls are in order."""

    def __init__(self, path, describe="made up"):
        self._file = open(path, "wb")
        self._file.write(struct.pack("<8s4IQ480s512x", b"genesyst", 3, 1024, 1, 0, REALTIME_NS, describe.encode()))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._section(5, 0xFFFF, 0, 0, 0, b"")
        self._file.close()

    def clocks(self, ticks):
        self._section(2, 0xFFFF, 0, 0, 0, struct.pack("<4Q", ticks, ticks, REALTIME_NS + ticks, 1))

    def dropped(self, worker, count):
        self._section(3, worker, 0, count, 0, b"")

    def run(self, number, name):
        text = name.encode() + b"\0"
        self._section(4, 0xFFFF, number, 0, 0, text + b"\0" * (-len(text) % 8))

    def calls(self, worker, calls, first=0):
        """Sections of SECTION_CALLS calls each. `worker`: a number, or one for each section."""
        words, places = pack(calls)
        ends = np.append(places, len(words))
        for number, begin in enumerate(range(0, len(places), SECTION_CALLS)):
            end = min(begin + SECTION_CALLS, len(places))
            of = words[ends[begin]:ends[end]]
            where = (places[begin:end] - places[begin]).astype("<u2").tobytes()
            content = of.tobytes() + where + b"\0" * (-len(where) % 8)
            self._section(1, worker if np.isscalar(worker) else worker[number], first + begin, end - begin, len(of),
                          content)

    def _section(self, kind, worker, first, count, record_words, content):
        self._file.write(struct.pack("<IHHQII", 24 + len(content), kind, worker, first, count, record_words))
        self._file.write(content)


def timed_calls(took_ns, number, begin=1_000_000, gap_ns=1000):
    """Calls, one after another, that are so long in Linux: taken 10 ns before the start, completed 10 ns after the end.
    `number`: of all, or one each."""
    took = np.asarray(took_ns, dtype=np.uint64)
    completed = np.uint64(begin) + np.cumsum(took + np.uint64(gap_ns + 20)).astype(np.uint64)
    ended = completed - np.uint64(10)
    return {"number": np.broadcast_to(np.asarray(number, dtype=np.uint64), took.shape), "completed": completed,
            "ended": ended, "started": ended - took, "taken": ended - took - np.uint64(10), "result": took * 0 + 1}


def write_timed(path, took_ns, number=110, gap_ns=1000):
    """A recording of one worker."""
    calls = timed_calls(took_ns, number, gap_ns=gap_ns)
    with Writer(path) as to:
        to.clocks(1_000_000)
        to.calls(0, calls)
        to.clocks(int(calls["completed"][-1]) + 1000)


def write_large(path, count, shift=1.0, seed=1):
    """Many calls of eight workers, of five kinds, at 1 million a second; their medians are multiplied by `shift`."""
    random = np.random.default_rng(seed)
    # By kind: number, median in ns, arguments (0: none, else its size in bits).
    kinds = ((0, 900, (4, 47, 16)), (1, 1200, (4, 47, 16)), (3, 250, (4,)), (5, 400, (4, 47)), (257, 2500, (0, 47, 12)))
    batch = 360 * SECTION_CALLS
    with Writer(path) as to:
        to.clocks(10**9)
        for begin in range(0, count, batch):
            size = min(batch, count - begin)
            kind = random.integers(0, len(kinds), size)
            took = np.exp(random.normal(0, 0.25, size)) * np.array([of[1] for of in kinds])[kind] * shift
            took[random.random(size) < 0.004] *= 40
            now = np.uint64(10**9 + 1000 * begin) + np.arange(size, dtype=np.uint64) * np.uint64(1000)
            calls = {"number": np.array([of[0] for of in kinds], np.uint64)[kind], "taken": now - np.uint64(1),
                     "started": now, "ended": now + took.astype(np.uint64),
                     "completed": now + took.astype(np.uint64) + np.uint64(50), "published": now >> np.uint64(10) &
                     np.uint64(0x7FFFF), "block": np.arange(size, dtype=np.uint64) & np.uint64(1023),
                     "result": np.full(size, 100, np.uint64)}
            calls["args"] = [np.zeros(size, np.uint64) for _ in range(6)]
            for place, (*_, bits) in enumerate(kinds):
                for which, bit in enumerate(bits):
                    calls["args"][which][kind == place] = 1 << bit if bit else 0
            before = np.roll(calls["completed"], 1)
            before[::SECTION_CALLS] = 0
            before[random.random(size) < 0.5] = 0
            calls["earlier"] = (before, before + np.uint64(300) & np.uint64(0xFFFFFFFF), np.zeros(size, np.uint64))
            to.calls([section % 8 for section in range(-(-size // SECTION_CALLS))], calls, begin)
            to.clocks(10**9 + 1000 * (begin + size))


if __name__ == "__main__":
    write_large(sys.argv[1], int(sys.argv[2]), float(sys.argv[3]) if len(sys.argv) > 3 else 1.0)
