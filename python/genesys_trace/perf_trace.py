# SPDX-License-Identifier: Apache-2.0
"""Reads the text of perf-trace(1): `perf trace -T -o FILE PROGRAM`.

A line has the time in ms, how long the call took, the thread, and the call. With -T times count from the machine's
start, else from the first event. A call during which another thread made one has two lines, and the second,
"[continued]", repeats when it began.
"""

import re

from .text_log import Call, result_of

HOW = "perf trace -T -o FILE PROGRAM"

_LINE = re.compile(r"\s*(\d+\.\d+|\?)\s*\(\s*(?:(\d+\.\d+) ms|\?)?\s*\): (?:\s*(?:.{0,16}?/)?(-?\d+) +)?(.*)")
_CALL = re.compile(r"(\w+)\((.*)\)\s+= (.*)$")
_BEGUN = re.compile(r"(\w+)\((.*?)\)?\s*(?:\.\.\.)?$")
_CONTINUED = re.compile(r"\s*\.\.\. \[continued\]: (\w+)\(.*?\)\)?\s+= (.*)$")
_LOST = re.compile(r"LOST (\d+) events!")


def _ns_of_ms(text):
    whole, _, part = text.partition(".")
    return int(whole) * 10**6 + int(part[:6].ljust(6, "0"))


def is_log(lines):
    used = sum(bool(_LINE.match(line)) for line in lines)
    return used > 0 and 2 * used >= len(lines)


def parse(lines, counts):
    """Yields the calls of a log, each when it has ended."""
    begun = {}  # by thread: name, arguments
    for line in lines:
        line = line.rstrip("\r\n")
        match = _LINE.match(line)
        if match is None:
            if lost := _LOST.search(line):
                counts["lost"] = counts.get("lost", 0) + int(lost[1])
            elif line.strip():
                counts["lines"] = counts.get("lines", 0) + 1
            continue
        time, took, thread, rest = match.groups()
        # The time 0 is the first event's: 0 would mean that it is not known.
        started = 0 if time == "?" else max(_ns_of_ms(time), 1)
        linux_ns = -1 if took is None else _ns_of_ms(took)
        thread = -1 if thread is None else int(thread)
        if continued := _CONTINUED.match(rest):
            name, arguments = begun.pop(thread, (None, ""))
            yield Call(continued[1], thread, started, linux_ns, *result_of(continued[2]),
                       arguments if name == continued[1] else "")
        elif call := _CALL.match(rest):
            yield Call(call[1], thread, started, linux_ns, *result_of(call[3]), call[2])
        elif first := _BEGUN.match(rest):
            begun[thread] = first.groups()
        else:
            counts["lines"] = counts.get("lines", 0) + 1
    if begun:
        counts["calls that did not return"] = len(begun)
