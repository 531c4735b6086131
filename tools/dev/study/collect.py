# SPDX-License-Identifier: Apache-2.0
"""Runs the cases, round by round, and keeps the log of each run until the study is summed up.

Rounds are the outer loop: what changes on the machine during the study then changes all cases alike. A case that fails
is left out from there on, and the study says so.
"""

import os
import shutil
import subprocess
import time
from dataclasses import dataclass, field
from pathlib import Path

import machine
import storage
import tracers
from bench_run import Failure, run, say

_COMPILE_LIMIT_S = 120
RECORD = "genesys trace --record"
_SOURCES = ("files", "getppid", "echo_server")


@dataclass
class Measurement:
    """A case, where and how it runs, and its runs."""

    case: object
    place: str = "disk"
    tracer: str = tracers.STRACE
    cold: bool = True  # the page cache is dropped before the run
    logs: list = field(default_factory=list)
    walls_s: list = field(default_factory=list)
    busy: list = field(default_factory=list)
    wrong: str = ""

    @property
    def name(self):
        state = "cold" if self.cold else "warm"
        return f"{self.case.name}, {self.place}, {state}, {self.tracer}"


class Collector:
    """`binaries`: the folder of the genesys command and the samples, or None. `until`: time.monotonic() at which no
    more runs begin; `wait_s`: so long a run waits for other programs at most."""

    def __init__(self, work, storages, binaries, until, wait_s):
        self.wait_s = wait_s
        self.work, self.storages, self.binaries, self.until = Path(work), storages, binaries, until
        self.left_out = {}  # what: why
        self._prepared = set()
        self._number = 0
        self.own = self.work / "programs"

    def build_programs(self):
        """Compiles the study's own programs. Raises Failure."""
        self.own.mkdir(parents=True, exist_ok=True)
        compiler = os.environ.get("CXX", "c++")
        if not shutil.which(compiler):
            raise Failure(f"the study compiles small programs of its own: there is no {compiler}")
        for name in _SOURCES:
            source = Path(__file__).resolve().parent / "programs" / f"{name}.cpp"
            run(f"the compilation of {name}",
                [compiler, "-O2", "-std=c++20", "-pthread", "-o", self.own / name, source], _COMPILE_LIMIT_S)

    def leave_out(self, what, why):
        if self.left_out.get(what) != why:
            say(f"study: left out: {what}: {why}")
            self.left_out[what] = why

    def rounds(self, measurements, count):
        """Runs each measurement `count` times."""
        for number in range(count):
            for one in measurements:
                if one.wrong:
                    continue
                if time.monotonic() > self.until:
                    self.leave_out(f"runs from round {number + 1} on", "the study's time was up (--time)")
                    return
                try:
                    self.once(one)
                    say(f"study: round {number + 1} of {count}: {one.name}: {one.walls_s[-1]:.1f} s")
                except Failure as wrong:
                    one.wrong = str(wrong)
                    self.leave_out(one.name, one.wrong)

    def once(self, one):
        """One run. Raises Failure."""
        at = self._folder(one)
        one.case.reset(at)
        if one.cold and storage.can_drop_caches():
            storage.drop_caches()
        busy = machine.quiet(self.wait_s)
        self._number += 1
        log = self.work / "logs" / f"{self._number}.log"
        log.parent.mkdir(exist_ok=True)
        parts, wall_s = [], 0.0
        for number, command in enumerate(one.case.commands(at)):
            if number and one.cold and storage.can_drop_caches():
                storage.drop_caches()
            parts.append(log.with_suffix(f".{number}"))
            wall_s += self._traced(one, command, at, parts[-1])
        if one.tracer != tracers.BARE:
            _join(parts, log)
            one.logs.append(log)
        one.walls_s.append(wall_s)
        one.busy.append(busy)

    def _traced(self, one, command, at, log):
        if one.tracer == RECORD:
            command = [f"{self.binaries}/genesys", "trace", "--record", str(log), "-o", "/dev/null", "--", *command]
        else:
            command = tracers.command(one.tracer, log, command)
        env = {**os.environ, "LC_ALL": "C", "HOME": str(at), "TMPDIR": str(at), **one.case.env}
        began = time.monotonic()
        with open(self.work / "output", "wb") as output:
            try:
                run(one.name, [*one.case.before, *command], one.case.limit_s, env=env, cwd=at, stdout=output,
                    stderr=subprocess.STDOUT)
            except Failure as wrong:
                last = (self.work / "output").read_text(errors="replace").strip().splitlines()[-1:]
                raise Failure(": ".join([str(wrong), *last])) from None
        wall_s = time.monotonic() - began
        tracers.finish(one.tracer, log)
        if one.tracer != tracers.BARE and not log.exists():
            raise Failure(f"{one.tracer} wrote no log")
        return tracers.span_s(log) if one.tracer == tracers.PERF else wall_s

    def _folder(self, one):
        at = self.storages.folder(one.place) / one.case.name
        if at not in self._prepared:
            lacking = one.case.lacking()
            if lacking:
                raise Failure(f"there is no {', '.join(lacking)}")
            at.mkdir()
            for program in self.own.iterdir():
                shutil.copy2(program, at)
            try:
                one.case.prepare(at)
            except (OSError, subprocess.SubprocessError) as wrong:
                raise Failure(f"its files cannot be made: {wrong}") from None
            self._prepared.add(at)
        return at


def _join(parts, log):
    """The logs of the commands of a run become one. A recording is of one command."""
    parts[0].rename(log)
    with open(log, "ab") as file:
        for part in parts[1:]:
            file.write(part.read_bytes())
            part.unlink()
