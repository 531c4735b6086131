#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""tools/ports: programs from elsewhere pass their own tests in kernels, and a wrong folder is refused. The programs are
in a folder that GENESYS_PORTS_FOLDER names; without it only the second part runs.

usage: ports_test.py FOLDER_OF_THE_BUILD
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

BUILD = pathlib.Path(sys.argv[1]).resolve()
TOOL = pathlib.Path(__file__).resolve().parents[2] / "tools" / "ports"
FOLDER = os.environ.get("GENESYS_PORTS_FOLDER")
FILES = {"ini.c", "ini.h", "tests/unittest.c", "tests/unittest_alloc.c", "tests/unittest_string.c"}


class Ports(unittest.TestCase):
    def tool(self, *words, status=0):
        done = subprocess.run([sys.executable, "-B", TOOL, *words], capture_output=True, text=True, timeout=2400)
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        return done.stdout + done.stderr

    @unittest.skipUnless(FOLDER, "GENESYS_PORTS_FOLDER names no folder of programs")
    def test_programs_pass_their_tests(self):
        told = self.tool(FOLDER, "--build", BUILD)
        for name, tests in (("inih", 15), ("jsmn", 4), ("tiny-regex-c", 2)):
            part = re.search(rf"^{name}: (\d+) of (\d+) lines change .*\n((?:  .*\n)*)", told, re.M)
            self.assertLessEqual(int(part[1]), 0.05 * int(part[2]))
            self.assertEqual(part[3].count("bytes are equal, in 1 thread and in 64"), tests, told)
        self.assertTrue(told.endswith("21 passed, 0 failed\n"), told)

    def test_another_commit_is_refused(self):
        with tempfile.TemporaryDirectory() as folder:
            for name in FILES:
                path = pathlib.Path(folder, "inih", name)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text("int other;\n" * 400)
            told = self.tool(folder, "--build", BUILD, "--only", "inih", "--no-build", status=1)
            self.assertIn("must have the commit 26254ee9de7681f8825433415443e7116ff24b98", told)

    def test_wrong_command_lines(self):
        self.assertIn("there is no such program", self.tool(BUILD, "--only", "none", "--build", BUILD, status=2))
        self.assertIn("FOLDER must be a folder", self.tool(status=2))

    def test_list(self):
        self.assertIn("jsmn           https://github.com/zserge/jsmn 25647e69", self.tool("--list"))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
