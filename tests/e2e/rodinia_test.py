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
echo "genesys: schedule test: $COUNTS" >&2
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

    def tool(self, *words, status=0, aborts=5, wrong=0, launches=12):
        counts = (f"{launches} launches, 8 with polls, 4 aborted and run again, {wrong} wrong, 9 ordered calls, "
                  f"{aborts} aborts, 2 rolled back")
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
        for seed in (1, 2, 3):
            self.assertIn(f"  abort-at-random {seed}: 2 of 2 lines are equal; 12 launches, 8 with polls, 5 aborts, "
                          "2 rolled back\n", told)
        self.assertNotIn("abort-at-random 4", told)
        self.assertRegex(told, r"\nnw +2 +36 +24 +15 +6 +[\d.]+  yes\n")
        self.assertRegex(told, r"\nall +2 +36 +24 +15 +6 +[\d.]+  1 of 1 programs\n$")

    def test_each_run_has_its_own_moments(self):
        self.source("nw/needle.cu", '#!/bin/sh\necho 1\necho "$GENESYS_SCHEDULE_TEST_SEED" >>"$SEEN"\n')
        os.environ["SEEN"] = str(self.top / "seen")
        self.tool("--only", "nw", "--run", "--times", "2")
        self.assertEqual((self.top / "seen").read_text().split("\n"), ["", "", "1", "2", ""])

    def test_results_that_differ(self):
        self.source("nw/needle.cu", DIFFERS)
        told = self.tool("--only", "nw", "--run", status=1)
        self.assertIn("abort-at-random 1: WRONG: 1 of 2 lines are equal", told)
        self.assertRegex(told, r"\nnw .* NO\n")
        self.assertIn("wrong: nw\n", told)

    def test_one_run_of_three_differs(self):
        program = DIFFERS.replace('-n "$GENESYS_SCHEDULE_TEST"', '"$GENESYS_SCHEDULE_TEST_SEED" = 2')
        self.source("nw/needle.cu", program)
        told = self.tool("--only", "nw", "--run", status=1)
        self.assertIn("abort-at-random 1: 2 of 2", told)
        self.assertIn("abort-at-random 2: WRONG: 1 of 2", told)
        self.assertRegex(told, r"\nnw .* NO\n")

    def test_nothing_was_aborted(self):
        told = self.tool("--only", "nw", "--run", aborts=0)
        self.assertIn("(nothing was aborted)", told)
        self.assertRegex(told, r"\nnw .* yes, but nothing was aborted\nall .* 0 of 1 programs\n")

    def test_nothing_was_launched(self):
        self.assertIn("it launches nothing", self.tool("--only", "nw", "--run", launches=0, status=1))

    def test_launches_that_were_wrong(self):
        self.tool("--only", "nw", "--run", status=1, wrong=1)

    def test_a_program_that_fails(self):
        self.source("nw/needle.cu", "#!/bin/sh\necho no GPU >&2\nexit 3\n")
        told = self.tool("--only", "nw", "--run", status=1)
        self.assertIn("WRONG: alone: exit status 3: no GPU", told)
        self.assertRegex(told, r"\nnw .* FAILED: alone: exit status 3")

    def test_a_program_that_takes_too_long(self):
        self.source("nw/needle.cu", "#!/bin/sh\nexec sleep 20\n")
        self.assertIn("WRONG: alone: it ran too long", self.tool("--only", "nw", "--run", "--limit", "0.3", status=1))

    def test_no_time_is_left(self):
        told = self.tool("--only", "nw", "--run", "--all-limit", "0")
        self.assertRegex(told, r"\nnw .* not run: there is no time left\n")

    def test_wrong_command_lines(self):
        self.assertIn("there is no nothing", self.tool("--only", "nothing", status=2))
        (self.top / "suite" / "cuda").rename(self.top / "suite" / "other")
        self.assertIn("it must be a folder of Rodinia", self.tool(status=2))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
