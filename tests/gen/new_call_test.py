#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Adds a call to a copy of the project by a line of the table, and changes nothing else by hand.

usage: new_call_test.py [--full]    with --full it also builds the copy and makes the call, which takes a minute
"""
import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FULL = "--full" in sys.argv
COPIED = ("include", "src", "table", "tools/gen", "command", "cmake", "CMakeLists.txt")
# Linux 6.18 has no call 500: it returns -ENOSYS, whatever the arguments.
LINE = """
made_up(fd fd, pieces in iovec[count], count int, answer out u64[2], name in str) size
    files producer waits(fd out) ready x86-64:500 arm64:500
    "Does something that Linux does not know."
"""
PROGRAM = """#include <sys/uio.h>
#include <cstdio>
#include <genesys/genesys.h>
struct kernel {
  GENESYS_KERNEL void operator()(genesys::os os, long* values) const {
    unsigned long long answer[2];
    char text[] = "text";
    const ::iovec piece{text, 4};
    values[0] = os.made_up(1, &piece, 1, answer, "name");
    auto later = os.on(genesys::block()).relaxed().ticket().made_up(1, &piece, 1, answer, "name");
    values[1] = later.wait();
    values[2] = os.getppid();
  }
};
int main() {
  genesys::runtime rt;
  long* values = static_cast<long*>(rt.allocate_arena(3 * sizeof(long)));
  genesys::launch(rt, {}, kernel{}, values).drain();
  std::printf("%ld %ld %d\\n", values[0], values[1], values[2] > 0);
}
"""


def sums(root):
    """A checksum of each file that is not generated."""
    files = (path for part in COPIED for path in [root / part, *(root / part).rglob("*")] if path.is_file())
    return {
        path.relative_to(root): hashlib.sha256(path.read_bytes()).digest()
        for path in files
        if "generated" not in path.parts and path.suffix != ".pyc"
    }


class NewCall(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)
        for part in COPIED:
            copy = shutil.copytree if (ROOT / part).is_dir() else shutil.copy
            (self.root / part).parent.mkdir(parents=True, exist_ok=True)
            copy(ROOT / part, self.root / part)
        (self.root / "program.cpp").write_text(PROGRAM, encoding="utf-8")

    def run_it(self, *command, timeout=60):
        return subprocess.run(command, capture_output=True, text=True, timeout=timeout, cwd=self.root)

    def succeeds(self, *command, timeout=60):
        done = self.run_it(*command, timeout=timeout)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done.stdout

    def compile_program(self):
        compiler = os.environ.get("CXX", "c++")
        return self.run_it(compiler, "-std=c++20", "-fsyntax-only", "-Iinclude", "program.cpp")

    def test_a_line_is_enough(self):
        refused = self.compile_program()
        self.assertNotEqual(refused.returncode, 0)
        self.assertIn("made_up", refused.stderr)

        before = sums(self.root)
        with open(self.root / "table" / "files.sys", "a", encoding="utf-8") as table:
            table.write(LINE)
        self.succeeds(sys.executable, "tools/gen/main.py")
        changed = [str(path) for path, content in sums(self.root).items() if before.get(path) != content]
        self.assertEqual(changed, ["table/files.sys"])

        compiled = self.compile_program()
        self.assertEqual(compiled.returncode, 0, compiled.stderr)
        if FULL:
            self.build_and_run()

    def build_and_run(self):
        skipped_result = ("GENESYS_CUDA", "GENESYS_URING", "GENESYS_TESTS", "GENESYS_PROGRAMS")
        options = [f"-D{name}=OFF" for name in skipped_result]
        self.succeeds("cmake", "-G", "Ninja", "-S", ".", "-B", "build", "-D", "CMAKE_BUILD_TYPE=Debug", *options)
        self.succeeds("ninja", "-C", "build", timeout=600)
        compiler = os.environ.get("CXX", "c++")
        self.succeeds(compiler, "-std=c++20", "-Iinclude", "program.cpp", "build/src/libgenesys.a", "-lboost_context",
                      "-lpthread", "-o", "program", timeout=300)
        self.assertEqual(self.succeeds("./program").split(), ["-38", "-38", "1"])  # -ENOSYS twice; getppid


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
