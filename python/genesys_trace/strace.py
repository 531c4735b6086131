# SPDX-License-Identifier: Apache-2.0
"""Reads logs of strace: `strace -f -T -ttt -o FILE PROGRAM` (strace(1)).

-T says how long each call took, and -ttt when it began. A log without -T has no times of calls, but for those of which
another thread's calls made two lines. Times of -t and -tt count from midnight, those of -r are not used.
"""

import re

from .text_log import Call, result_of

HOW = "strace -f -T -ttt -o FILE PROGRAM"

_LINE = re.compile(r"(?:\[pid +(\d+)\] |(\d+) +)?(?:(\d+\.\d+|\d\d:\d\d:\d\d(?:\.\d+)?) )?(?:\(\+? *[\d.]+\) )?(.*)")
_CALL = re.compile(r"(\w+)\((.*)\) += (.+?)(?: <(\d+\.\d+)>)?$")
_UNFINISHED = re.compile(r"(\w+)\((.*?) *<unfinished \.\.\.>$")
_RESUMED = re.compile(r"<\.\.\. (\w+) resumed> ?(.*)\) += (.+?)(?: <(\d+\.\d+)>)?$")


def ns_of(text):
    """Nanoseconds of a time in seconds, with all its digits; or of a time of the day."""
    if text is None:
        return 0
    whole, _, part = text.partition(".")
    if ":" in whole:
        hours, minutes, seconds = whole.split(":")
        whole = int(hours) * 3600 + int(minutes) * 60 + int(seconds)
    return int(whole) * 10**9 + int(part[:9].ljust(9, "0"))


def is_log(lines):
    """Whether most of these first lines are of strace."""
    used = 0
    for line in lines:
        rest = _LINE.match(line).group(4)
        used += bool(_CALL.match(rest) or _UNFINISHED.match(rest) or _RESUMED.match(rest)
                     or rest.startswith(("+++ ", "--- ")))
    return used > 0 and 2 * used >= len(lines)


def parse(lines, counts):
    """Yields the calls of a log, each when it has ended."""
    unfinished = {}  # by thread: name, arguments, started_ns
    for line in lines:
        pid, plain_pid, time, rest = _LINE.match(line.rstrip("\r\n")).groups()
        thread = int(pid or plain_pid or -1)
        call = _CALL.match(rest)
        if call and not rest.startswith("<..."):
            name, arguments, result, took = call.groups()
            # exit and execve of another thread end without a time.
            yield Call(name, thread, ns_of(time), -1 if took is None else ns_of(took), *result_of(result), arguments)
        elif begun := _UNFINISHED.match(rest):
            unfinished[thread] = (begun[1], begun[2], ns_of(time))
        elif resumed := _RESUMED.match(rest):
            name, arguments, result, took = resumed.groups()
            before = unfinished.pop(thread, None)
            if before is None or before[0] != name:
                before = (name, "", 0)
            now = ns_of(time)
            linux_ns = ns_of(took) if took else now - before[2] if now and before[2] else -1
            started = before[2] or (now - linux_ns if now and linux_ns >= 0 else 0)
            yield Call(name, thread, started, linux_ns, *result_of(result), before[1] + arguments)
        elif rest.startswith(("--- ", "+++ ")):  # a signal; the end of a thread
            if rest.startswith("+++ ") and unfinished.pop(thread, None):
                counts["calls that did not return"] = counts.get("calls that did not return", 0) + 1
        elif rest.strip():
            counts["lines"] = counts.get("lines", 0) + 1
    if unfinished:
        counts["calls that did not return"] = counts.get("calls that did not return", 0) + len(unfinished)
