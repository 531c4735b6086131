#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Uses genesys as another project does: installed and found, and as a folder of that project.

    install_test.py BUILD_DIR [--full]

BUILD_DIR is a built tree of genesys, which the test installs into a temporary prefix. It builds the consumer beside
this file in each way, and runs its programs on the cpu device. With --full it also compiles genesys as a folder of
that project; without, it only configures this and checks that no other target is built. Ends in a line
'N passed, N failed' (', N skipped').
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
BUILD_TIMEOUT_S = 600
RUN_TIMEOUT_S = 60


class failure(Exception):
    """A step of a case failed. The text tells how."""


def call(command, timeout_s=BUILD_TIMEOUT_S, env=None):
    """Runs a command with a time limit. Returns its output, or raises failure with it."""
    shown = " ".join(map(str, command))
    try:
        done = subprocess.run(list(map(str, command)), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, timeout=timeout_s, env=env, check=False)
    except subprocess.TimeoutExpired as error:
        output = (error.stdout or b"").decode(errors="replace")
        raise failure(f"$ {shown}\n{output}\nno end after {timeout_s} s") from None
    output = done.stdout.decode(errors="replace")
    if done.returncode != 0:
        raise failure(f"$ {shown}\n{output}\nexit status {done.returncode}")
    return output


def cached(build, name):
    """The value of a variable in the CMake cache of `build`."""
    found = re.search(rf"^{name}:\w+=(.*)$", (build / "CMakeCache.txt").read_text(), re.M)
    return found[1] if found else ""


class consumer:
    """Builds the project beside this file against genesys, and runs its programs."""

    def __init__(self, build, work, full):
        self.work = work
        self.full = full
        config = (build / "genesys-config.cmake").read_text()
        self.cuda = "GENESYS_WITH_CUDA TRUE" in config
        self.cpu = "GENESYS_WITH_CPU TRUE" in config
        compiler = cached(build, "CMAKE_CXX_COMPILER")
        # No build type, as in a first try. Genesys as a folder of the project is then built without -O, too.
        self.common = ["-G", "Ninja", f"-DCMAKE_CXX_COMPILER={compiler}"]
        self.prefix = work / "prefix"
        self.genesys_build = build

    def install(self):
        call(["cmake", "--install", self.genesys_build, "--prefix", self.prefix])
        for header in (ROOT / "include").rglob("*.h"):
            if not (self.prefix / header.relative_to(ROOT)).is_file():
                raise failure(f"{header.relative_to(ROOT)} was not installed")

    def build_and_run(self, name, programs, *definitions):
        folder = self.work / name
        call(["cmake", "-S", HERE / "consumer", "-B", folder, *self.common, *definitions])
        targets = [] if programs == ["one"] else ["--target", *programs]
        call(["cmake", "--build", folder, "--parallel", str(os.cpu_count() or 1), *targets])
        for program in programs:
            self.run(folder / program)

    def run(self, program):
        if not self.cpu:
            return  # built for a GPU alone, so this test sees only that it links
        output = call([program], RUN_TIMEOUT_S, {**os.environ, "GENESYS_DEVICE": "cpu"})
        expected = f"parent {os.getpid()}"
        if output.strip() != expected:
            raise failure(f"{program} printed {output!r}, not {expected!r}")

    def found(self):
        self.build_and_run("found", ["one"], f"-DCMAKE_PREFIX_PATH={self.prefix}", "-DCONSUMER_CUDA=OFF")

    def found_cuda(self):
        self.build_and_run("found-cuda", ["two", "two_rdc"], f"-DCMAKE_PREFIX_PATH={self.prefix}", "-DCONSUMER_CUDA=ON")

    def subdirectory(self):
        folder = self.work / "subdirectory"
        call(["cmake", "-S", HERE / "consumer", "-B", folder, *self.common, f"-DCONSUMER_GENESYS={ROOT}",
              "-DCONSUMER_CUDA=OFF"])
        steps = call(["ninja", "-C", folder, "-t", "commands"])
        if "libgenesys.a" not in steps:
            raise failure(f"add_subdirectory does not build the library\n{steps}")
        beside = [name for name in ("genesys_unit_tests", "grep", "measure") if f"/{name}" in steps]
        if beside:
            raise failure(f"built by add_subdirectory, though nobody asked for it: {', '.join(beside)}")
        if self.full:
            self.build_and_run("subdirectory", ["one"], f"-DCONSUMER_GENESYS={ROOT}", "-DCONSUMER_CUDA=OFF")

    def subdirectory_cuda(self):
        self.build_and_run("subdirectory", ["two"], f"-DCONSUMER_GENESYS={ROOT}", "-DCONSUMER_CUDA=ON")

    def cases(self):
        """(what the case shows, its function, whether it can run here)"""
        return [
            ("installs into a prefix, with every header", self.install, True),
            ("find_package, C++", self.found, self.cpu),
            ("find_package, two .cu files that include genesys, without and with -rdc", self.found_cuda, self.cuda),
            ("add_subdirectory, C++, and nothing but the library is built", self.subdirectory, self.cpu),
            ("add_subdirectory, two .cu files", self.subdirectory_cuda, self.cuda and self.full),
        ]


def main():
    if len(sys.argv) not in (2, 3) or sys.argv[2:] not in ([], ["--full"]):
        print(__doc__, file=sys.stderr)
        return 2
    build = pathlib.Path(sys.argv[1]).resolve()
    work = pathlib.Path(tempfile.mkdtemp(prefix="genesys-install-"))
    passed = failed = skipped = 0
    try:
        for what, show, possible in consumer(build, work, sys.argv[2:] == ["--full"]).cases():
            started = time.monotonic()
            if not possible:
                print(f"skipped: {what}: that device was not built, or only with --full")
                skipped += 1
                continue
            try:
                show()
                print(f"ok: {what} ({time.monotonic() - started:.1f} s)")
                passed += 1
            except failure as error:
                print(f"FAILED: {what}\n{error}")
                failed += 1
    finally:
        shutil.rmtree(work, ignore_errors=True)
    print(f"{passed} passed, {failed} failed" + (f", {skipped} skipped" if skipped else ""))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
