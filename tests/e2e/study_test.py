#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""./dev study --quick: what it stores, that it leaves nothing behind, and that docs/study.md agrees with the results.

Skipped without strace, or if no Python has what the study needs.
"""
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
STUDY = ROOT / "tools" / "dev" / "study"
TIME_LIMIT_S = 60
NOT_THERE = 3  # the exit status without numpy or pandas


def study(*arguments):
    return subprocess.run([sys.executable, STUDY, *arguments], capture_output=True, text=True, timeout=TIME_LIMIT_S)


def mounts():
    return {line for line in pathlib.Path("/proc/mounts").read_text().splitlines() if "study-" in line}


class Study(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        if not shutil.which("strace"):
            raise unittest.SkipTest("there is no strace")
        if study("--list").returncode == NOT_THERE:
            raise unittest.SkipTest(f"{sys.executable} has no numpy or pandas: pip install './python[plot]'")

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def test_two_cases(self):
        before = mounts()
        done = study("--quick", "--results", self.folder / "results", "--work", self.folder / "work", "--name", "here")
        self.assertEqual(done.returncode, 0, done.stderr)
        result = json.loads((self.folder / "results" / "here.json").read_text())
        self.assertEqual({one["case"] for one in result["measurements"]}, {"diff", "grep"})
        for one in result["measurements"]:
            self.assertEqual(one["runs"], 2)
            self.assertIn("openat", one["by_call"])
            for of in one["by_call"].values():
                self.assertLessEqual(of["p50"], of["p99"])
                self.assertLessEqual(sum(of.get("histogram", [0])[1:]), of["calls"])
        self.assertEqual(list((self.folder / "work").iterdir()), [])
        self.assertEqual(mounts() - before, set())

    def test_events_of_perf(self):
        sys.path[:0] = [str(STUDY), str(STUDY.parent), str(ROOT / "python")]
        import tracers
        lines = ["  7 12.000000100: raw_syscalls:sys_enter: NR 0 (3, 7ffe, 10, 0, 0, 0)",
                 "  8 12.000000150: raw_syscalls:sys_exit: NR 1 = 5",  # it began before the recording
                 "  7 12.000000350: raw_syscalls:sys_exit: NR 0 = -9"]
        self.assertEqual(list(tracers.as_strace(lines)), ["7 12.000000100 read() = -1 EBADF <0.000000250>\n"])

    def test_unknown_case(self):
        done = study("--cases", "nothing-like-it")
        self.assertEqual(done.returncode, 2)
        self.assertIn("--list", done.stderr)

    def test_the_page_has_the_stored_results(self):
        done = study("--check")
        self.assertEqual(done.returncode, 0, done.stderr)


if __name__ == "__main__":
    unittest.main(verbosity=2)
