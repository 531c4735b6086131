#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""tools/rodinia without the suite, nvcc and a GPU: what it builds, runs and compares. nvcc and genesys are scripts.

usage: rodinia_test.py
"""
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

TOOL = pathlib.Path(__file__).resolve().parents[2] / "tools" / "rodinia"

# "Compiles" the first source, which is a script, to the file of -o.
NVCC = """#!/bin/sh
for word in "$@"; do
  case "$word" in
    *.cu) [ -n "$source" ] || source=$word;;
    -o) next=out; continue;;
  esac
  [ "$next" != out ] || { out=$word; next=; }
done
grep -q BROKEN "$source" && { echo "x.cu(1): error: it is broken" >&2; exit 1; }
cp "$source" "$out" && chmod +x "$out"
"""
GENESYS = """#!/bin/sh
if [ "$2" = explain ]; then
  echo '{"kernels": [
    {"name": "one(int*)", "ptx": true, "preemptible": true, "idempotent": true, "reasons": []},
    {"name": "two(int*)", "ptx": true, "preemptible": false, "idempotent": false, "reasons": [
      {"against": "idempotent", "text": "reads and writes", "line": 4},
      {"against": "preemptible", "text": "prints", "line": 7}]}]}'
  exit
fi
shift 3
"$@" || exit
echo "genesys: schedule test: $COUNTS wrong, 0 ordered" >&2
"""
SAME = """#!/bin/sh
echo "sum 17"; echo "time: $(date +%N)"; echo 3 >result.txt
"""
DIFFERS = """#!/bin/sh
echo "sum 17"; if [ -n "$GENESYS_SCHEDULE_TEST" ]; then echo 4; else echo 3; fi >result.txt
"""


class Rodinia(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.top = pathlib.Path(folder.name)
        for name, text in (("nvcc", NVCC), ("genesys", GENESYS)):
            (self.top / name).write_text(text)
            (self.top / name).chmod(0o755)
        self.source("nw/needle.cu", SAME)

    def source(self, name, text):
        path = self.top / "suite" / "cuda" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def tool(self, *words, status=0, counts="12 launches, 8 with polls, 4 aborted and run again, 0"):
        text = (self.top / "genesys").read_text().replace("$COUNTS", counts)
        (self.top / "genesys").write_text(text)
        done = subprocess.run([sys.executable, "-B", TOOL, self.top / "suite", "--build", self.top / "build",
                               "--genesys", self.top / "genesys", "--nvcc", self.top / "nvcc", *words],
                              capture_output=True, text=True, timeout=60, env={**os.environ, "GENESYS_DEVICE": "x"})
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        return done.stdout + done.stderr

    def test_verdicts(self):
        self.source("pathfinder/pathfinder.cu", "BROKEN\n")
        told = self.tool()
        self.assertIn("nw\n  one(int*): idempotent\n  two(int*): not preemptible (line 7: prints)\n", told)
        self.assertIn("pathfinder: not built: x.cu(1): error: it is broken\n", told)
        self.assertIn("gaussian: not built: ", told)
        self.assertNotIn("aborted", told)

    def test_equal_results(self):
        told = self.tool("--only", "nw", "--run")
        self.assertIn("  abort-at-entry: 2 of 2 lines are equal; 12 launches, 8 with polls, 4 aborted and run again\n",
                      told)

    def test_results_that_differ(self):
        self.source("nw/needle.cu", DIFFERS)
        told = self.tool("--only", "nw", "--run", status=1)
        self.assertIn("abort-at-entry: WRONG: 1 of 2 lines are equal", told)
        self.assertIn("wrong: nw\n", told)

    def test_nothing_was_aborted(self):
        told = self.tool("--only", "nw", "--run", counts="12 launches, 0 with polls, 0 aborted and run again, 0")
        self.assertIn("(nothing was aborted)", told)

    def test_launches_that_were_wrong(self):
        self.tool("--only", "nw", "--run", status=1, counts="12 launches, 8 with polls, 4 aborted and run again, 1")

    def test_a_program_that_fails(self):
        self.source("nw/needle.cu", "#!/bin/sh\necho no GPU >&2\nexit 3\n")
        self.assertIn("WRONG: alone: exit status 3: no GPU", self.tool("--only", "nw", "--run", status=1))

    def test_wrong_command_lines(self):
        self.assertIn("there is no nothing", self.tool("--only", "nothing", status=2))
        (self.top / "suite" / "cuda").rename(self.top / "suite" / "other")
        self.assertIn("it must be a folder of Rodinia", self.tool(status=2))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
