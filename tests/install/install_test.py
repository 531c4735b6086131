#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Uses genesys as another project does: installed and found, and as a folder of that project.

    install_test.py BUILD_DIR [--full]

BUILD_DIR is a built tree of genesys. The test installs it into a temporary prefix, builds the consumer beside this
file in each way, and runs its programs on the CPU device. It does the same with the first program of
docs/getting-started.md, in each way that the page shows; nvcc compiles in each way only with --full. With genesys as a
folder of the consumer it only configures, and checks that nothing else of genesys would be built; with --full it
compiles genesys once more. Ends in a line 'N passed, N failed' (', N skipped').
"""

import os
import pathlib
import re
import shlex
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
    """A step of a case failed. The text says how."""


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
        self.uring = "GENESYS_WITH_URING TRUE" in config
        self.cxx = compiler
        self.nvcc = cached(build, "CMAKE_CUDA_COMPILER")
        self.guide = (ROOT / "docs" / "getting-started.md").read_text()

    def install(self):
        call(["cmake", "--install", self.genesys_build, "--prefix", self.prefix])
        for header in (ROOT / "include").rglob("*.h"):
            if not (self.prefix / header.relative_to(ROOT)).is_file():
                raise failure(f"{header.relative_to(ROOT)} was not installed")
        doc = self.prefix / "share" / "doc" / "genesys"
        pages = [ROOT / name for name in ("LICENSE", "README.md", "CHANGELOG.md")] + list((ROOT / "docs").rglob("*.*"))
        for page in pages:
            if not (doc / page.relative_to(ROOT)).is_file():
                raise failure(f"{page.relative_to(ROOT)} was not installed")

        if (self.genesys_build / "bin" / "standin").is_dir():
            self.installed_standin()

    def installed_target(self):
        """README builds only genesys_installed before `cmake --install`."""
        rules = (self.genesys_build / "cmake_install.cmake").read_text()
        made = set(re.findall(rf'"{re.escape(str(self.genesys_build))}/((?:bin|src)/[^"]+?)(?:\.[0-9.]+)?"', rules))
        # libcuda.so.1 is a link to the stand-in, made with it.
        made = {path for path in made if not path.endswith((".cmake", "/libcuda.so"))}
        target = call(["ninja", "-C", self.genesys_build, "-t", "query", "genesys_installed"]).split()
        missing = sorted(made - set(target))
        if missing or len(made) < 10:
            raise failure(f"genesys_installed does not build {missing} of {len(made)} files")

    def installed_standin(self):
        # Any file is the driver's library here: 'true' calls no function of it. The loader would complain if the
        # stand-in were missing.
        done = subprocess.run([self.prefix / "bin" / "genesys", "schedule", "run", "true"], capture_output=True,
                              text=True, env={**os.environ, "GENESYS_SCHEDULE_LIBCUDA": "/dev/null"},
                              timeout=RUN_TIMEOUT_S)
        if (done.returncode, done.stderr) != (0, ""):
            raise failure(f"'genesys schedule run' does not work where it is installed: {done.stderr}")

    def build_and_run(self, name, programs, *definitions):
        folder = self.work / name
        call(["cmake", "-S", HERE / "consumer", "-B", folder, *self.common, *definitions])
        targets = [] if programs == ["one"] else ["--target", *programs]
        call(["cmake", "--build", folder, "--parallel", str(os.cpu_count() or 1), *targets])
        for program in programs:
            self.run(folder / program)

    def run(self, program):
        if not self.cpu:
            return  # built for a GPU only, so this test checks only that it links
        output = call([program], RUN_TIMEOUT_S, {**os.environ, "GENESYS_DEVICE": "cpu"})
        expected = f"parent {os.getpid()}"
        if output.strip() != expected:
            raise failure(f"{program} printed {output!r}, not {expected!r}")

    def found(self):
        self.build_and_run("found", ["one"], f"-DCMAKE_PREFIX_PATH={self.prefix}", "-DCONSUMER_CUDA=OFF")

    def found_cuda(self):
        programs = ["two", "two_rdc"] if self.full else ["two_rdc"]
        self.build_and_run("found-cuda", programs, f"-DCMAKE_PREFIX_PATH={self.prefix}", "-DCONSUMER_CUDA=ON")

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

    def block_after(self, sentence, language):
        """The first block in that language after a sentence of docs/getting-started.md."""
        found = re.search(rf"{re.escape(sentence)}.*?^```{language}\n(.*?)^```", self.guide, re.M | re.S)
        if not found:
            raise failure(f"docs/getting-started.md has no {language} block after {sentence!r}")
        return found[1].replace("\\\n", " ")  # joins continued lines

    def hello(self, name):
        """A folder with the first program of the guide."""
        folder = self.work / name
        folder.mkdir()
        (folder / "hello.cpp").write_text(self.block_after("`hello.cpp`:", "cpp"))
        return folder

    def run_hello(self, program):
        if not self.cpu:
            return
        output = call([program], RUN_TIMEOUT_S, {**os.environ, "GENESYS_DEVICE": "cpu"})
        if "thread 0 read 16 bytes" not in output:
            raise failure(f"{program} printed {output!r}")

    def guide_cmake(self):
        folder = self.hello("guide-cmake")
        (folder / "CMakeLists.txt").write_text(self.block_after("`CMakeLists.txt`:", "cmake"))
        call(["cmake", "-S", folder, "-B", folder, *self.common, f"-DCMAKE_PREFIX_PATH={self.prefix}"])
        call(["cmake", "--build", folder])
        self.run_hello(folder / "hello")

    def guide_lines(self, sentence, compiler):
        lines = [line for line in self.block_after(sentence, "sh").splitlines() if line.startswith(f"{compiler} ")]
        if not lines:
            raise failure(f"docs/getting-started.md has no line for {compiler} after {sentence!r}")
        return lines

    def compile_hello(self, folder, line, env=None):
        words = shlex.split(line)
        words[0] = {"g++": self.cxx, "nvcc": self.nvcc}[words[0]]
        call(["sh", "-c", f'cd "$0" && exec {" ".join(words)}', folder], env=env)
        self.run_hello(folder / "hello")

    def pkg_config(self, name, compiler, prefix):
        [line] = self.guide_lines("With pkg-config:", compiler)
        [pc] = prefix.rglob("genesys.pc")
        self.compile_hello(self.hello(name), line, {**os.environ, "PKG_CONFIG_PATH": str(pc.parent)})

    def pkg_config_moved(self):
        moved = self.work / "moved"
        shutil.copytree(self.prefix, moved)
        [pc] = moved.rglob("genesys.pc")
        flags = call(["pkg-config", "--cflags", "--libs", pc])
        for option, folder in (("-I", moved / "include"), ("-L", pc.parent.parent)):
            if folder not in [pathlib.Path(word[2:]).resolve() for word in flags.split() if word.startswith(option)]:
                raise failure(f"{option}{folder} is not in {flags!r}")
        if str(self.prefix) in flags:
            raise failure(f"the first prefix is in {flags!r}")

    def other_headers(self):
        """A program that was compiled with the headers of another version ends with one clear error."""
        other = self.work / "other"
        shutil.copytree(self.prefix, other)
        header = other / "include" / "genesys" / "detail" / "wire" / "types.h"
        text, count = re.subn(r"(layout_version = )\d+", r"\g<1>9999", header.read_text())
        if count != 1:
            raise failure(f"{header} has no layout_version")
        header.write_text(text)
        [pc] = other.rglob("genesys.pc")
        folder = self.hello("other-headers")
        flags = shlex.split(call(["pkg-config", "--cflags", "--libs", pc]))
        call([self.cxx, "-std=c++20", folder / "hello.cpp", "-o", folder / "hello", *flags])
        try:
            call([folder / "hello"], RUN_TIMEOUT_S, {**os.environ, "GENESYS_DEVICE": "cpu"})
        except failure as error:
            if "layout 9999, the library has" in str(error):
                return
            raise
        raise failure("the program runs, though its headers are of another version")

    def without_cmake(self, name, compiler):
        lines = self.guide_lines("Without pkg-config,", compiler)
        if compiler == "g++":
            lines = [line for line in lines if ("-lcudart_static" in line) == self.cuda]
        [line] = lines
        line = line.replace("/usr/local/include", str(self.prefix / "include"))
        line = line.replace("/usr/local/lib", str(next(self.prefix.rglob("libgenesys.a")).parent))
        if self.cuda:
            line = line.replace("/usr/local/cuda", str(pathlib.Path(self.nvcc).resolve().parents[1]))
        for library, built in (("-l:liburing.a", self.uring), ("-lboost_context", self.cpu)):
            if not built:
                line = line.replace(library, "")
        self.compile_hello(self.hello(name), line)

    def cases(self):
        """(what it shows, the function, whether it can be shown here)"""
        pkg_config = shutil.which("pkg-config") is not None
        return [
            ("installs into a prefix, with every header", self.install, True),
            ("the target genesys_installed builds what is installed", self.installed_target, True),
            ("find_package, C++", self.found, self.cpu),
            ("find_package, two .cu files that include genesys, with -rdc (--full: and without)", self.found_cuda,
             self.cuda),
            ("the guide's program and CMakeLists.txt", self.guide_cmake, True),
            ("the guide's line for g++ and pkg-config", lambda: self.pkg_config("pc", "g++", self.prefix), pkg_config),
            ("the guide's line for nvcc and pkg-config", lambda: self.pkg_config("pc-cuda", "nvcc", self.prefix),
             pkg_config and self.cuda and self.full),
            ("pkg-config finds a prefix that was moved", self.pkg_config_moved, pkg_config),
            ("headers of another version are refused", self.other_headers, pkg_config and self.cpu),
            ("the guide's line for g++ by hand", lambda: self.without_cmake("hand", "g++"), True),
            ("the guide's line for nvcc by hand", lambda: self.without_cmake("hand-cuda", "nvcc"), self.cuda),
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
                print(f"skipped: {what}: that device was not built, or only with --full, or without pkg-config")
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
