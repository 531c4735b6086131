# SPDX-License-Identifier: Apache-2.0
"""The command: plots and comparisons of every kind of file, exit statuses, and errors that say what to do."""

import os
import pathlib
import re
import sys
import unittest
import xml.etree.ElementTree

import genesys_trace
import numpy as np

import made_up
from support import PROGRAMS, ROOT, TestCase, needs_programs, run
from test_logs import PERF, STRACE


class Commands(TestCase):
    def setUp(self):
        super().setUp()
        random = np.random.default_rng(1)
        for name, median in (("a", 1000), ("b", 1500)):
            took = random.lognormal(np.log(median), 0.3, 4000).astype(np.uint64)
            made_up.write_timed(self.folder / f"{name}.rec", took, random.choice([0, 1, 9, 110, 202, 257], 4000))
        (self.folder / "log.strace").write_text(STRACE.lstrip())
        (self.folder / "log.perf").write_text(PERF.lstrip("\n"))

    def succeeds(self, *words):
        done = self.run_it(*words)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done

    def texts(self, name):
        """The texts of a picture."""
        tree = xml.etree.ElementTree.parse(self.folder / name)
        return {"".join(node.itertext()).strip() for node in tree.iter("{http://www.w3.org/2000/svg}text")}

    def test_a_picture(self):
        self.assertEqual(self.succeeds("plot", "a.rec", "-o", "x.svg").stdout, "wrote x.svg\n")
        texts = self.texts("x.svg")
        self.assertLessEqual({"Calls", "Time in Linux", "read", "openat", "getppid", "operating system", "metadata",
                              "user data", "memory operations", "file operations", "user data operations",
                              "locking operations", "other calls", "beyond the 99th percentile"}, texts)
        first = (self.folder / "x.svg").read_bytes()
        self.succeeds("plot", "a.rec", "-o", "x.svg")
        self.assertEqual(first, (self.folder / "x.svg").read_bytes())
        self.succeeds("plot", "a.rec", "-o", "x.png")
        self.assertEqual((self.folder / "x.png").read_bytes()[:4], b"\x89PNG")

    def test_every_kind_of_file(self):
        for file in ("a.rec", "log.strace", "log.perf"):
            for kind in ("svg", "html"):
                self.succeeds("plot", file, "-o", f"x.{kind}")

    def test_several_files_are_one_case(self):
        self.succeeds("plot", "a.rec", "b.rec", "-o", "x.svg", "--title", "both")
        self.assertIn("both: 8,000 calls", self.texts("x.svg"))

    def test_a_page_stands_alone(self):
        self.succeeds("plot", "a.rec", "-o", "x.html")
        page = (self.folder / "x.html").read_text()
        self.assertIn("default-src 'none'", page)
        for outside in (r'<script[^>]+src="', r'<link[^>]+href="', r'<img[^>]+src="(?!data:)'):
            self.assertEqual(re.findall(outside, page), [])

    def test_compare(self):
        done = self.succeeds("compare", "a.rec", "b.rec", "-o", "x.svg")
        self.assertRegex(done.stdout, r"\nopenat .* slower longer +moved\n")
        self.assertTrue(done.stdout.endswith("wrote x.svg\n"))
        self.assertIn("a.rec", self.texts("x.svg"))
        page = self.succeeds("compare", "a.rec", "b.rec", "-o", "x.html", "-e", "openat").stdout
        self.assertNotRegex(page, r"\nread ")
        self.assertIn("openat: slower", (self.folder / "x.html").read_text())

    def test_compare_across_kinds_and_of_several_runs(self):
        done = self.succeeds("compare", "gpu=a.rec,b.rec,a.rec", "cpu=log.strace", "log.perf")
        self.assertIn("A: gpu: genesys, 3 files, 12,000 calls", done.stdout)
        self.assertIn("B: cpu: strace", done.stdout)
        self.assertIn("B: log.perf: perf trace", done.stdout)
        self.assertIn("of A 3 runs", done.stdout)

    def test_statuses_and_errors(self):
        (self.folder / "text").write_text("no log\n")
        (self.folder / "no times").write_text("".join(f"1 1700000000.{n:06} close({n}) = 0\n" for n in range(50)))
        for status, words, said in (
                (2, (), "usage"),
                (2, ("plot", "a.rec"), "-o"),
                (2, ("plot", "a.rec", "-o", "x.gif"), "ends in none of .svg, .png, .html"),
                (2, ("compare", "a.rec"), "two cases or more"),
                (2, ("compare", "a.rec", "b.rec", "--confidence", "2"), "not between 0 and 1"),
                (1, ("plot", "none", "-o", "x.svg"), "none: No such file"),
                (1, ("plot", "text", "-o", "x.svg"), "strace -f -T -ttt -o FILE"),
                (1, ("plot", "a.rec", "-o", "none/x.svg"), "none/x.svg: No such file"),
                (1, ("plot", "a.rec", "-o", "x.svg", "-e", "opennat"), "has no call 'opennat'"),
                (1, ("plot", "a.rec", "-o", "x.svg", "-e", "socket"), "a.rec has no such calls"),
                (1, ("compare", "a.rec", "log.perf", "-o", "x.svg", "-e", "brk"), "has no such calls"),
                (0, ("plot", "no times", "-o", "x.svg"), "strace does with -T")):
            done = self.run_it(*words)
            self.assertEqual(done.returncode, status, (words, done.stderr))
            self.assertIn(said, done.stderr, words)
            self.assertNotIn("Traceback", done.stderr)

    def test_cut_off_and_dropped(self):
        content = (self.folder / "a.rec").read_bytes()
        (self.folder / "cut").write_bytes(content[:-100])
        self.assertIn("cut is cut off", self.succeeds("plot", "cut", "-o", "x.svg").stderr)

    @needs_programs
    def test_the_command_in_front(self):
        words = (PROGRAMS / "genesys", "trace", "plot", "a.rec", "-o", "x.svg")
        folder = pathlib.Path(sys.executable).parent
        done = run(*words, cwd=self.folder, env={**os.environ, "PATH": f"{folder}:{os.environ['PATH']}"})
        self.assertEqual((done.returncode, done.stdout), (0, "wrote x.svg\n"), done.stderr)
        with_no_package = self.folder / "bin"
        with_no_package.mkdir()
        (with_no_package / "python3").write_text("#!/bin/sh\nexit 9\n")
        (with_no_package / "python3").chmod(0o755)
        done = run(*words, cwd=self.folder, env={**os.environ, "PATH": f"{with_no_package}:{os.environ['PATH']}"})
        self.assertEqual(done.returncode, 1)
        self.assertIn("pip install './python[plot]'", done.stderr)
        done = run(*words, cwd=self.folder, env={**os.environ, "PATH": "/none"})
        self.assertIn("need python3", done.stderr)
        self.assertEqual(done.returncode, 1)

    def test_the_version(self):
        project = (ROOT / "python" / "pyproject.toml").read_text()
        self.assertIn(f'version = "{genesys_trace.__version__}"', project)


if __name__ == "__main__":
    unittest.main()
