# SPDX-License-Identifier: Apache-2.0
"""Runs programs for tools/dev/bench: each in its own session, which ends with the program."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
QUERY_LIMIT_S = 60
END_LIMIT_S = 5  # a process may take this long to end after a signal


class Failure(Exception):
    """An error. Its text says what failed, and what to do."""


def say(text):
    print(f"dev: {text}", file=sys.stderr, flush=True)


def shown(path):
    """A path, relative to the project if it is in it."""
    return path.relative_to(ROOT) if path.is_relative_to(ROOT) else path


def of_session(leader):
    """The processes of a session. (Programs such as `timeout` leave their process group, but not the session.)"""
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            state, _, _, session = stat.read_text(errors="replace").rpartition(")")[2].split()[:4]
        except (OSError, ValueError):
            continue  # the process has ended
        if int(session) == leader and state != "Z":
            yield int(stat.parent.name)


def end(process):
    """Ends the remaining processes of a session."""
    for number in (signal.SIGTERM, signal.SIGKILL):
        until, signalled = time.monotonic() + END_LIMIT_S, set()
        while (left := set(of_session(process.pid))) and time.monotonic() < until:
            for pid in left - signalled:
                try:
                    os.kill(pid, number)
                except ProcessLookupError:
                    pass
            signalled |= left
            time.sleep(0.02)
            process.poll()


def run(what, command, limit_s, **more):
    """Runs a command, and raises Failure if it fails or takes too long. Always ends all processes of its session."""
    try:
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, start_new_session=True, **more)
    except OSError as wrong:
        raise Failure(f"{what} cannot be run: {wrong.strerror}") from None
    try:
        status = process.wait(limit_s)
    except subprocess.TimeoutExpired:
        raise Failure(f"{what} ran longer than {limit_s:g} s, and was killed") from None
    finally:
        end(process)
    if status != 0:
        raise Failure(f"{what} failed: " + (f"exit status {status}" if status > 0 else f"signal {-status}"))


def told_by(*command):
    """The output of a command; empty if it does not exist or fails."""
    try:
        return subprocess.run(command, capture_output=True, text=True, check=True, stdin=subprocess.DEVNULL,
                              timeout=QUERY_LIMIT_S).stdout.strip()
    except (OSError, subprocess.SubprocessError):
        return ""
