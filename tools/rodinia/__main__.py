#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Builds Rodinia's programs in CUDA from a folder of the suite, and prints what the classifier says of their kernels.
With --run, on a GPU, it runs each program alone and under 'genesys schedule run' in a mode in which launches are
aborted, and compares what the two runs print and write. The suite is not a part of genesys: fetch it yourself.

    git clone https://github.com/yuhc/gpu-rodinia
    python3 tools/rodinia gpu-rodinia                  # builds, prints verdicts; needs no GPU
    python3 tools/rodinia gpu-rodinia --run            # also runs; on a machine without nvcc with --no-build
"""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from programs import PROGRAMS, TIMES

ROOT = Path(__file__).resolve().parents[2]
LIMIT_S = 120
# What CUDA 13 lacks, and seeds that would differ from run to run. The programs only print the properties.
HEADER = """#include <cuda_runtime_api.h>
#include <stdlib.h>
#include <time.h>
#define clockRate major
#define deviceOverlap asyncEngineCount
#define cudaThreadSynchronize cudaDeviceSynchronize
#define cudaThreadExit cudaDeviceReset
#define time(x) ((time_t)7)
"""
COUNTS = re.compile(r"(\d+) launches, (\d+) with polls, (\d+) aborted and run again, (\d+) wrong")


def output_of(words, **more):
    """Exit status (None: it ran too long), standard output and standard error."""
    try:
        done = subprocess.run([*map(str, words)], capture_output=True, text=True, errors="replace", timeout=LIMIT_S,
                              **more)
        return done.returncode, done.stdout, done.stderr
    except subprocess.TimeoutExpired:
        return None, "", f"ran longer than {LIMIT_S} s"


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
        yield f"cannot be explained: {errors.strip()}"
        return
    for kernel in json.loads(out)["kernels"]:
        verdict = ("machine code only" if not kernel["ptx"] else "not preemptible" if not kernel["preemptible"]
                   else "idempotent" if kernel["idempotent"] else "not idempotent")
        # Each reason is against idempotence, against being preemptible, or both.
        against = ("preemptible", "both") if not kernel["preemptible"] else ("idempotent", "both")
        first = next((each for each in kernel.get("reasons", ()) if each["against"] in against), None)
        yield f"{kernel['name']}: {verdict}" + (f" (line {first['line']}: {first['text']})" if first else "")


class Failed(Exception):
    """A program failed; the text says how."""


def results(program, words, asked, run, **environment):
    """Runs the program in an empty folder. Returns what it printed and wrote, by file, and its standard error."""
    top = asked.build / "runs" / program.name / run
    shutil.rmtree(top, ignore_errors=True)
    folder = top / "cuda" / program.folder  # some programs name files relative to the suite
    folder.mkdir(parents=True)
    given = set()
    for name, text in program.inputs.items():
        file = (folder / name).resolve()
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text(), encoding="utf-8")
        given.add(file)
    kept = {name: value for name, value in os.environ.items() if not name.startswith("GENESYS_")}
    status, out, errors = output_of([*words, *program.arguments], cwd=folder, env={**kept, **environment})
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


def compared(program, path, asked):
    """What a run with aborts gives, as text, and whether it is what it must be. Raises Failed."""
    first, _ = results(program, [path], asked, "alone")
    second, _ = results(program, [path], asked, "again")
    kept = stable(first, second)
    lines = sum(map(len, kept.values()))
    if lines == 0:
        raise Failed("two runs alone have no line in common")
    found, errors = results(program, [asked.genesys, "schedule", "run", "--", path], asked, asked.mode,
                            GENESYS_SCHEDULE_TEST=asked.mode)
    differ = sum(found.get(name, [])[at:at + 1] != [line] for name, kept_lines in kept.items()
                 for at, line in kept_lines.items())
    told = COUNTS.findall(errors)
    counts = [int(each) for each in told[-1]] if told else None
    text = f"{lines - differ} of {lines} lines are equal"
    if counts is None:
        return f"{text}; the run reports no launches", False
    text += f"; {counts[0]} launches, {counts[1]} with polls, {counts[2]} aborted and run again"
    if counts[2] == 0:
        text += " (nothing was aborted)"
    return text, differ == 0 and counts[3] == 0


def parsed():
    parser = argparse.ArgumentParser(prog="python3 tools/rodinia", description=__doc__, allow_abbrev=False,
                                     formatter_class=argparse.RawDescriptionHelpFormatter,
                                     epilog="Exit status: 0; 1 if a result differs or a program that was built fails.")
    parser.add_argument("suite", type=Path, metavar="FOLDER", help="the suite: cuda/ is in it")
    parser.add_argument("--run", action="store_true", help="run the programs, on a GPU")
    parser.add_argument("--mode", default="abort-at-entry", help="GENESYS_SCHEDULE_TEST of the run (abort-at-entry)")
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
    if not asked.genesys.exists():
        parser.error(f"there is no {asked.genesys}: build it, or name another one with --genesys")
    return asked


def main():
    asked = parsed()
    wrong = []
    for program in PROGRAMS:
        if asked.only and program.name not in asked.only:
            continue
        path, why_not = built(program, asked)
        if path is None:
            print(f"{program.name}: not built: {why_not}", flush=True)
            continue
        print(program.name)
        for line in verdicts(path, asked):
            print(f"  {line}")
        if asked.run and program.why_not_run:
            print(f"  not run: {program.why_not_run}")
        elif asked.run:
            try:
                text, is_right = compared(program, path, asked)
                print(f"  {asked.mode}: {'' if is_right else 'WRONG: '}{text}")
            except Failed as failed:
                print(f"  WRONG: {failed}")
                is_right = False
            if not is_right:
                wrong.append(program.name)
        sys.stdout.flush()
    if wrong:
        print(f"wrong: {' '.join(wrong)}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
