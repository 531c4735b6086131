#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Builds programs from elsewhere as kernels, from folders that you fetch, and runs their own tests in kernels: in one
thread, and in 64 threads at once. Each thread must print what the original prints, byte for byte. Prints how many lines
of a program have changed; at most 5 % may. The programs are not a part of genesys. FOLDER has a folder for each of
them, at the commit that --list names.

    git clone https://github.com/benhoyt/inih programs/inih
    python3 tools/ports programs --build build/release
"""

import argparse
import hashlib
import os
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

from programs import PROGRAMS

ROOT = Path(__file__).resolve().parents[2]
BUILD_LIMIT_S = 1800
RUN_LIMIT_S = 120
THREADS = 64
SHARE_MAX = 0.05


class Wrong(Exception):
    """What must hold does not; says which."""


def command(words, limit_s, **more):
    try:
        return subprocess.run([*map(str, words)], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, timeout=limit_s, check=False, **more)
    except subprocess.TimeoutExpired as error:
        raise Wrong(f"{words[0]} ran longer than {limit_s} s") from error


def succeed(words, limit_s, **more):
    done = command(words, limit_s, **more)
    if done.returncode != 0:
        raise Wrong(f"{shlex.join(map(str, words))}: exit status {done.returncode}\n"
                    + (done.stdout + done.stderr).decode(errors="replace"))
    return done.stdout


def edited(line, edit):
    """The lines that replace a line."""
    if edit is None:
        return []
    if isinstance(edit, str):
        return edit.split("\n")
    if line.count(edit[0]) != 1:
        raise Wrong(f"the line must have '{edit[0]}' once")
    return [line.replace(*edit)]


def prepare(program, folder, to):
    """Writes the program's files with the edits. Returns the number of their lines, and of those that change."""
    texts = {name: (folder / name).read_bytes() for name in program.files}
    digest = hashlib.sha256(b"".join(texts.values())).hexdigest()
    if digest != program.digest:
        raise Wrong(f"{folder} must have the commit {program.commit}; the digest of its files is {digest}")
    lines = changed = 0
    for name, edits in program.files.items():
        old = texts[name].decode().split("\n")
        new = []
        for number, line in enumerate(old, 1):
            replacement = edited(line, edits[number]) if number in edits else [line]
            changed += max(1, len(replacement)) if number in edits else 0
            new += replacement
        lines += len(old) - 1
        path = to / name
        path.parent.mkdir(parents=True, exist_ok=True)
        text = "\n".join(new)
        if not path.exists() or path.read_text() != text:  # so that nothing is compiled again
            path.write_text(text)
    if changed > SHARE_MAX * lines:
        raise Wrong(f"{changed} of {lines} lines change")
    return lines, changed


def original(test, cwd):
    """Compiles the original, and returns what it prints and its exit status."""
    with tempfile.TemporaryDirectory() as folder:
        binary = Path(folder, "original")
        succeed([os.environ.get("CC", "cc"), "-w", *shlex.split(test.sources), "-o", binary], BUILD_LIMIT_S, cwd=cwd)
        done = command([binary], RUN_LIMIT_S, cwd=cwd)
    if test.baseline is not None and done.stdout != (cwd / test.baseline).read_bytes():
        raise Wrong(f"{test.name}: the original does not print its own {test.baseline}")
    return done.stdout, done.returncode


def check(test, binary, cwd):
    """Runs a test in a kernel. Returns how many bytes each thread prints."""
    expected, status = original(test, cwd)
    one = command([binary, test.name], RUN_LIMIT_S, cwd=cwd)
    if (one.stdout, one.returncode) != (expected, status):
        raise Wrong(f"{test.name}: exit status {one.returncode}, not {status}, or another output:\n"
                    + (one.stdout + one.stderr).decode(errors="replace"))
    with tempfile.TemporaryDirectory() as folder:
        many = command([binary, test.name, THREADS, folder], RUN_LIMIT_S, cwd=cwd)
        printed = [Path(folder, str(rank)).read_bytes() for rank in range(THREADS)]
    if many.returncode != status or many.stdout != b"" or printed != [expected] * THREADS:
        wrong = [rank for rank in range(THREADS) if printed[rank] != expected]
        raise Wrong(f"{test.name}: {THREADS} threads: exit status {many.returncode}, another output of {wrong}\n"
                    + many.stderr.decode(errors="replace"))
    return len(expected)


def build(programs, sources, folder):
    succeed(["cmake", f"-DGENESYS_PORTS={sources}", folder], BUILD_LIMIT_S)
    succeed(["ninja", "-C", folder, "-j2", *(f"port_{each.name}" for each in programs)], BUILD_LIMIT_S)


def main():
    parser = argparse.ArgumentParser(prog="python3 tools/ports", description=__doc__, allow_abbrev=False,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, nargs="?", help="has a folder for each program")
    parser.add_argument("--build", type=Path, default=ROOT / "build" / "release", help="a build folder of genesys")
    parser.add_argument("--only", action="append", metavar="NAME", help="one program; may be repeated")
    parser.add_argument("--no-build", action="store_true", help="the kernels are built already")
    parser.add_argument("--list", action="store_true", help="prints the programs and their commits")
    given = parser.parse_args()
    if given.list:
        for each in PROGRAMS:
            print(f"{each.name:14} {each.address} {each.commit} {each.licence}")
        return 0
    if given.folder is None or not given.folder.is_dir():
        parser.error("FOLDER must be a folder")
    programs = [each for each in PROGRAMS if not given.only or each.name in given.only]
    if not programs or not given.build.is_dir():
        parser.error("there is no such program" if not programs else f"there is no folder {given.build}")
    folder, built = given.folder.resolve(), given.build.resolve()
    failed = 0
    try:
        shares = {each.name: prepare(each, folder / each.name, built / "ports" / each.name) for each in programs}
        if not given.no_build:
            build(programs, built / "ports", built)
    except (OSError, Wrong) as error:
        print(f"ports: {error}", file=sys.stderr)
        return 1
    for program in programs:
        lines, changed = shares[program.name]
        print(f"{program.name}: {changed} of {lines} lines change ({100 * changed / lines:.1f} %)", flush=True)
        for test in program.tests:
            try:
                size = check(test, built / "bin" / "ports" / program.name, folder / program.name / program.cwd)
                print(f"  {test.name}: {size} bytes are equal, in 1 thread and in {THREADS}", flush=True)
            except (OSError, Wrong) as error:
                print(f"  WRONG: {error}", flush=True)
                failed += 1
    print(f"{sum(len(each.tests) for each in programs) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
