#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Builds Rodinia's programs in CUDA from a folder of the suite, and prints what the classifier says of their kernels.
With --run, on a GPU, it runs each program alone, and under 'genesys schedule run' in a mode in which launches are
aborted at random moments, several times with other moments. It compares what the runs print and write, bit for bit. The
suite is not a part of genesys: fetch it yourself.

    git clone https://github.com/yuhc/gpu-rodinia
    python3 tools/rodinia gpu-rodinia                  # builds, prints verdicts; needs no GPU
    python3 tools/rodinia gpu-rodinia --run            # also runs, at most 4 minutes; without nvcc: --no-build
"""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from programs import PROGRAMS, TIMES

ROOT = Path(__file__).resolve().parents[2]
BUILD_LIMIT_S = 600
# What CUDA 13 lacks, and seeds that would differ from run to run. The programs only print the properties.
HEADER = """#include <cuda_runtime_api.h>
#include <stdlib.h>
#include <time.h>
#define clockRate major
#define deviceOverlap asyncEngineCount
#define computeMode major
#define cudaThreadSynchronize cudaDeviceSynchronize
#define cudaThreadExit cudaDeviceReset
#define time(x) ((time_t)7)
"""
COUNTS = re.compile(r"(\d+) launches, (\d+) with polls, (\d+) aborted and run again, (\d+) wrong, "
                    r"\d+ ordered calls, (\d+) aborts, (\d+) rolled back")


@dataclass
class Counted:
    """What the runs of a program with aborts report, in the order of COUNTS."""
    launches: int = 0
    with_polls: int = 0
    aborted: int = 0
    wrong: int = 0
    aborts: int = 0
    rolled_back: int = 0

    def add(self, other):
        for name in vars(self):
            setattr(self, name, getattr(self, name) + getattr(other, name))


@dataclass
class Row:
    """A program in the table at the end."""
    name: str
    kernels: int = 0
    counted: Counted = None
    equal: str = "-"  # or why it was not run
    seconds: float = 0.0

    HEAD = (f"{'program':21}{'kernels':>8}{'launches':>10}{'polls':>8}{'aborts':>8}{'rolled back':>13}"
            f"{'seconds':>9}  equal")

    def __str__(self):
        sums = self.counted or Counted()
        return (f"{self.name:21}{self.kernels:8}{sums.launches:10}{sums.with_polls:8}{sums.aborts:8}"
                f"{sums.rolled_back:13}{self.seconds:9.1f}  {self.equal}")


def output_of(words, limit_s=BUILD_LIMIT_S, **more):
    """Exit status (None: it ran too long), standard output and standard error."""
    try:
        done = subprocess.run([*map(str, words)], capture_output=True, text=True, errors="replace", timeout=limit_s,
                              **more)
        return done.returncode, done.stdout, done.stderr
    except subprocess.TimeoutExpired:
        return None, "", f"ran longer than {limit_s:.0f} s"


def built(program, asked):
    """Builds a program. Returns its path, or None and the first error."""
    path = asked.build / "bin" / program.name
    folder = asked.suite / "cuda" / program.folder
    if asked.no_build:
        return (path, "") if path.exists() else (None, f"there is no {path}")
    if not all((folder / source).exists() for source in program.sources):
        return None, f"{folder} lacks a source"
    path.parent.mkdir(parents=True, exist_ok=True)
    header = asked.build / "before.h"
    header.write_text(HEADER, encoding="utf-8")
    status, out, errors = output_of(
        [asked.nvcc, "-O2", "-w", f"-arch=compute_{asked.arch}", f"-code=sm_{asked.arch},compute_{asked.arch}",
         "-include", header, f"-I{asked.suite}/cuda/util", f"-I{asked.suite}/common/inc", *program.flags,
         *program.sources, "-o", path, "-lcuda"], cwd=folder)
    if status == 0:
        return path, ""
    wrong = [line for line in (out + errors).splitlines() if "error" in line or "undefined" in line]
    return None, (wrong or [f"nvcc: exit status {status}"])[0]


def verdicts(path, asked):
    """A line for each kernel: its verdict and the first reason."""
    status, out, errors = output_of([asked.genesys, "schedule", "explain", "--json", path])
    if status != 0:
        print(f"  cannot be explained: {errors.strip()}")
        return
    for kernel in json.loads(out)["kernels"]:
        verdict = ("machine code only" if not kernel["ptx"] else "not preemptible" if not kernel["preemptible"]
                   else "idempotent" if kernel["idempotent"] else "not idempotent")
        # Each reason is against idempotence, against being preemptible, or both.
        against = ("preemptible", "both") if not kernel["preemptible"] else ("idempotent", "both")
        first = next((each for each in kernel.get("reasons", ()) if each["against"] in against), None)
        yield f"{kernel['name']}: {verdict}" + (f" (line {first['line']}: {first['text']})" if first else "")


OUT_OF_TIME = "there is no time left"


class Failed(Exception):
    """A program failed; the text says how."""


def contents(program):
    """Its input files, by name, made once for all its runs."""
    made = {name: function() for name, function in program.inputs.items()}
    return {name: each if isinstance(each, bytes) else each.encode() for name, each in made.items()}


def results(program, inputs, words, asked, run, **environment):
    """Runs the program in an empty folder. Returns what it printed and wrote, by file, and its standard error."""
    top = asked.build / "runs" / program.name / run
    shutil.rmtree(top, ignore_errors=True)
    folder = top / "cuda" / program.folder  # some programs name files relative to the suite
    folder.mkdir(parents=True)
    given = set()
    for name, content in inputs.items():
        file = (folder / name).resolve()
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)
        given.add(file)
    kept = {name: value for name, value in os.environ.items() if not name.startswith("GENESYS_")}
    limit_s = min(asked.limit, asked.until - time.monotonic())
    if limit_s <= 0:
        raise Failed(f"{run}: not run: {OUT_OF_TIME}")
    status, out, errors = output_of([*words, *program.arguments], limit_s, cwd=folder, env={**kept, **environment})
    if status != 0:
        raise Failed(f"{run}: {'it ran too long' if status is None else f'exit status {status}'}: {errors[-300:]}")
    found = {"its output": out.splitlines()}
    for file in sorted(top.rglob("*")):
        if file.is_file() and file not in given:
            found[str(file.relative_to(top))] = file.read_bytes().decode("latin-1").splitlines()
    return found, errors


def stable(first, second):
    """The lines that two runs alone have in common, by file; those that tell times do not count."""
    kept = {}
    for name, lines in first.items():
        other = second.get(name, [])
        kept[name] = {at: line for at, line in enumerate(lines)
                      if at < len(other) and other[at] == line and not re.search(TIMES, line)}
    return kept


def compared(program, path, asked, row):
    """Runs it with aborts, and fills the row. Prints a line for each run. Raises Failed."""
    inputs = contents(program)
    first, _ = results(program, inputs, [path], asked, "alone")
    second, _ = results(program, inputs, [path], asked, "again")
    kept = stable(first, second)
    lines = sum(map(len, kept.values()))
    if lines == 0:
        raise Failed("two runs alone have no line in common")
    row.counted = Counted()
    is_right = True
    for seed in range(1, asked.times + 1):
        found, errors = results(program, inputs, [asked.genesys, "schedule", "run", "--", path], asked,
                                f"{asked.mode} {seed}", GENESYS_SCHEDULE_TEST=asked.mode,
                                GENESYS_SCHEDULE_TEST_SEED=str(seed))
        differ = sum(found.get(name, [])[at:at + 1] != [line] for name, kept_lines in kept.items()
                     for at, line in kept_lines.items())
        told = COUNTS.findall(errors)
        if not told:
            raise Failed(f"{asked.mode} {seed}: the run reports no launches: {errors[-300:]}")
        one = Counted(*map(int, told[-1]))
        row.counted.add(one)
        if one.launches == 0:  # many of the programs ignore all errors of CUDA
            raise Failed(f"{asked.mode} {seed}: it launches nothing")
        is_wrong = differ != 0 or one.wrong != 0
        is_right = is_right and not is_wrong
        print(f"  {asked.mode} {seed}: {'WRONG: ' if is_wrong else ''}{lines - differ} of {lines} lines are equal; "
              f"{one.launches} launches, {one.with_polls} with polls, {one.aborts} aborts, "
              f"{one.rolled_back} rolled back"
              f"{' (nothing was aborted)' if one.aborts == 0 else ''}", flush=True)
    row.equal = "NO" if not is_right else "yes" if row.counted.aborts > 0 else "yes, but nothing was aborted"


def parsed():
    parser = argparse.ArgumentParser(prog="python3 tools/rodinia", description=__doc__, allow_abbrev=False,
                                     formatter_class=argparse.RawDescriptionHelpFormatter,
                                     epilog="Exit status: 0; 1 if a result differs or a program that was built fails.")
    parser.add_argument("suite", type=Path, metavar="FOLDER", help="the suite: cuda/ is in it")
    parser.add_argument("--run", action="store_true", help="run the programs, on a GPU")
    parser.add_argument("--mode", default="abort-at-random", choices=("rewrite", "abort-at-entry", "abort-at-random"),
                        help="GENESYS_SCHEDULE_TEST of the runs with aborts (abort-at-random)")
    parser.add_argument("--times", type=int, default=3, help="how many runs with aborts (3)")
    parser.add_argument("--limit", type=float, default=30, metavar="S", help="of one run, in seconds (30)")
    parser.add_argument("--all-limit", type=float, default=240, metavar="S", help="of all runs together (240)")
    parser.add_argument("--only", nargs="+", metavar="NAME", help="these programs")
    parser.add_argument("--build", type=Path, default=ROOT / "build" / "rodinia", help="where (build/rodinia)")
    parser.add_argument("--no-build", action="store_true", help="use the programs that were built there before")
    parser.add_argument("--genesys", type=Path, default=ROOT / "build" / "gpu" / "bin" / "genesys",
                        help="the command (build/gpu/bin/genesys)")
    parser.add_argument("--nvcc", default=shutil.which("nvcc") or "/usr/local/cuda/bin/nvcc")
    parser.add_argument("--arch", default="90", help="of the GPU (90)")
    asked = parser.parse_args()
    unknown = set(asked.only or ()) - {program.name for program in PROGRAMS}
    if unknown:
        parser.error(f"there is no {', '.join(sorted(unknown))}: {' '.join(program.name for program in PROGRAMS)}")
    if not asked.no_build and not (asked.suite / "cuda").is_dir():
        parser.error(f"{asked.suite} has no folder cuda: it must be a folder of Rodinia")
    for place in ("suite", "build", "genesys"):
        setattr(asked, place, getattr(asked, place).resolve())
    asked.until = time.monotonic() + asked.all_limit
    if not asked.genesys.exists():
        parser.error(f"there is no {asked.genesys}: build it, or name another one with --genesys")
    return asked


def run_one(program, path, asked, row):
    """Fills the row. Whether a result is wrong, or a run failed."""
    if program.why_not_run:
        row.equal = f"not run: {program.why_not_run}"
        return False
    begun = time.monotonic()
    try:
        compared(program, path, asked, row)
    except Failed as failed:
        if OUT_OF_TIME in str(failed):
            row.equal = f"not run: {OUT_OF_TIME}"
            return False
        print(f"  WRONG: {failed}")
        row.equal = f"FAILED: {str(failed).splitlines()[0][:60]}"
    row.seconds = time.monotonic() - begun
    return not row.equal.startswith("yes")


def main():
    asked = parsed()
    wrong, rows = [], []
    for program in PROGRAMS:
        if asked.only and program.name not in asked.only:
            continue
        row = Row(program.name)
        rows.append(row)
        path, why_not = built(program, asked)
        if path is None:
            row.equal = f"not built: {why_not}"
            print(f"{program.name}: {row.equal}", flush=True)
            continue
        print(program.name)
        for line in verdicts(path, asked):
            row.kernels += 1
            print(f"  {line}", flush=True)
        if asked.run and run_one(program, path, asked, row):
            wrong.append(program.name)
    if asked.run:
        print(f"\n{asked.times} runs of each program, {asked.mode}")
        print(Row.HEAD, *rows, sep="\n")
        sums = Counted()
        for row in rows:
            sums.add(row.counted or Counted())
        whole = Row("all", sum(row.kernels for row in rows), sums, "", sum(row.seconds for row in rows))
        whole.equal = f"{sum(row.equal == 'yes' for row in rows)} of {len(rows)} programs"
        print(whole)
    if wrong:
        print(f"wrong: {' '.join(wrong)}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
