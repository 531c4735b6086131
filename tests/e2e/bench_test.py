#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""./dev bench: what it stores, compares and draws, and that it ends all processes of a bench that hangs.

usage: bench_test.py FOLDER_OF_THE_BENCHES
"""
import importlib.util
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import time
import unittest
import xml.etree.ElementTree

BIN = pathlib.Path(sys.argv[1]).resolve()
BENCH = pathlib.Path(__file__).resolve().parents[2] / "tools" / "dev" / "bench"
REAL = ("latency", "call")  # a bench and a short part of it
TIME_LIMIT_S = 60

# Writes the content of the file beside it to the file of --json, as a bench does.
WRITES = """#!/bin/sh
while [ $# -gt 0 ]; do [ "$1" != --json ] || json=$2; shift; done
echo measuring
cp "$0.json" "$json"
"""
FAILS = WRITES + "exit 3\n"
HANGS = """#!/bin/sh
timeout 100 sleep 100 &
echo $$ $! >"$0.pids"
wait
"""
POINT = {"median": 2.0, "low": 1.0, "high": 4.0, "rounds": 7}


def bench(*arguments, **more):
    return subprocess.run([sys.executable, BENCH, *arguments], capture_output=True, text=True, timeout=TIME_LIMIT_S,
                          **more)


def result(**figures):
    return {"bench": "fake", "about": "What it measures.", "device": "cpu", "quick": False,
            "figures": {name: {**POINT, "median": value, "unit": "ratio"} for name, value in figures.items()},
            "plots": {}, "distributions": {}}


class Bench(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.results = pathlib.Path(folder.name) / "results"
        self.binaries = pathlib.Path(folder.name) / "bin"
        self.binaries.mkdir()
        self.results.mkdir()
        self.places = ("--results", self.results, "--binaries", self.binaries)
        self.kept = self.results / "fake.cpu.json"
        self.stored = self.results / "quick" / "fake.cpu.json"

    def fake(self, script, what=None, name="fake"):
        program = self.binaries / name
        program.write_text(script)
        program.chmod(0o755)
        if what is not None:
            (self.binaries / f"{name}.json").write_text(what if isinstance(what, str) else json.dumps(what))

    def check(self, done, status, *said):
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        for text in said:
            self.assertIn(text, done.stdout + done.stderr)

    def names_kept(self):
        return sorted(str(path.relative_to(self.results)) for path in self.results.rglob("*") if path.is_file())


class Keep(Bench):
    def test_a_result_says_what_it_was_measured_on(self):
        self.fake(WRITES, {**result(x=1.23456789, whole=270336.0), "distributions": {
            "each": {"unit": "us", "bins": [[1.5 * i, i] for i in range(1, 200)]}}})
        self.check(bench("--cpu", *self.places, "--commit", "abc", "fake", "--", "--calls", "7"), 0, "measuring")
        self.assertEqual(self.names_kept(), ["fake.cpu.json"])
        text = self.kept.read_text()
        self.assertIn(' "x": {"median": 1.2346, "low": 1, "high": 4, "rounds": 7, "unit": "ratio"},\n', text)
        self.assertLessEqual(max(map(len, text.splitlines())), 121)
        kept = json.loads(text)
        self.assertEqual(next(iter(kept)), "context")
        told = kept["context"]
        self.assertEqual((told["command"], told["commit"]), ("./dev bench --cpu fake -- --calls 7", "abc"))
        self.assertRegex(told["date"], r"^\d{4}-\d\d-\d\d$")
        self.assertTrue(told["cpu"] and told["linux"] and told["cpus"] > 0)
        self.assertEqual(kept["figures"]["whole"]["median"], 270336)
        self.assertEqual(len(kept["distributions"]["each"]["bins"]), 199)

    def test_several_processes(self):
        """Each run of the fake bench takes the next result."""
        self.fake("""#!/bin/sh
while [ $# -gt 0 ]; do [ "$1" != --json ] || json=$2; shift; done
echo run >>"$0.runs"
cp "$0.$(wc -l <"$0.runs").json" "$json"
""")
        for run, (x, low, only) in enumerate(((8.0, 0.5, {}), (2.0, 1.0, {"y": 5.0}), (4.0, 1.5, {"y": 6.0})), 1):
            one = result(x=x, **only)
            one["figures"]["x"]["low"] = low
            one["plots"] = {"p": {"lines": {"a": [{**POINT, "median": x, "x": 1.0}]}}}
            one["distributions"] = {"each": {"unit": "us", "count": run, "bins": [[1.0, run]]}}
            (self.binaries / f"fake.{run}.json").write_text(json.dumps(one))
        (self.binaries / "fake.runs").write_text("")
        (self.binaries / "fake.runs").chmod(0o644)
        self.check(bench("--cpu", *self.places, "--processes", "3", "fake"), 0)
        kept = json.loads(self.kept.read_text())
        self.assertEqual(kept["figures"]["x"], {"median": 4, "low": 0.5, "high": 4, "rounds": 21, "unit": "ratio"})
        self.assertEqual(kept["plots"]["p"]["lines"]["a"][0]["median"], 4)
        self.assertEqual(kept["distributions"]["each"]["count"], 3, "of the process in the middle")
        self.assertEqual(kept["figures"]["y"]["median"], 6, "which not every process has")
        self.assertEqual(kept["context"]["command"], "./dev bench --cpu --processes 3 fake")

    def test_parts_replace_what_they_measured(self):
        def plot(**lines):
            return {"x_unit": "s", "unit": "us", "lines": {name: [{**POINT, "x": x} for x in xs]
                                                           for name, xs in lines.items()}}
        whole, part = result(x=1.0, y=2.0), result(y=3.0, z=4.0)
        whole["plots"] = {"p": plot(a=[1.0, 2.0], b=[1.0]), "q": plot(a=[1.0])}
        part["plots"] = {"p": plot(a=[2.03337, 4.0, 4.0]), "q": plot(a=[3.0]), "r": plot(a=[5.0])}
        whole["distributions"] = {"d": {"unit": "us", "count": 1, "bins": [[1.0, 1]]}}
        part["distributions"] = {"e": {"unit": "us", "count": 2, "bins": [[1.0, 2]]}}
        self.fake(WRITES, whole)
        self.check(bench("--cpu", *self.places, "--commit", "one", "fake"), 0)
        stored = json.loads(self.kept.read_text())
        stored["context"].update(cpu="another one", nvcc="13.0")
        self.kept.write_text(json.dumps(stored))
        part["device"] = "another device"
        self.fake(WRITES, part)
        for only in (["--only", "first", "second"], ["--calls", "7", "--only=third,fourth"]):
            self.check(bench("--cpu", *self.places, "--commit", "two", "fake", "--", *only), 0)
        kept = json.loads(self.kept.read_text())
        self.assertEqual({name: one["median"] for name, one in kept["figures"].items()}, {"x": 1, "y": 3, "z": 4})
        self.assertEqual({name: {line: [point["x"] for point in points] for line, points in one["lines"].items()}
                          for name, one in kept["plots"].items()},
                         {"p": {"a": [2.0334, 4, 4], "b": [1]}, "q": {"a": [3]}, "r": {"a": [5]}})
        self.assertEqual([kept["plots"][name]["context"].get("commit") for name in "pqr"], [None, "two", "two"])
        self.assertEqual(kept["plots"]["p"]["context"], {"note": "lines of several runs"})
        self.assertEqual(sorted(kept["distributions"]), ["d", "e"])
        told = kept["context"]
        self.assertEqual((told["command"], told["commit"], told["cpu"], kept["device"]),
                         ("./dev bench --cpu fake", "one", "another one", "cpu"))
        self.assertEqual({name: one["command"].partition(" -- ")[2] for name, one in told["parts"].items()},
                         {"first": "--only first second", "second": "--only first second",
                          "third": "--calls 7 --only=third,fourth", "fourth": "--calls 7 --only=third,fourth"})
        first = told["parts"]["first"]
        self.assertEqual(sorted(first), ["command", "commit", "cpu", "date", "device", "nvcc"])
        self.assertEqual((first["commit"], first["device"], first["nvcc"]), ("two", "another device", "unknown"))
        self.fake(WRITES, whole)
        self.check(bench("--cpu", *self.places, "fake"), 0)
        self.assertNotIn("parts", json.loads(self.kept.read_text())["context"])

    def test_a_stored_result_that_parts_cannot_be_added_to(self):
        self.fake(WRITES, result(x=1.0))
        for stored in ("{", json.dumps(result(x=1.0)), json.dumps({**result(x=1.0), "context": {}, "quick": True})):
            self.kept.write_text(stored)
            done = bench("--cpu", *self.places, "fake", "--", "--only", "first")
            self.check(done, 1, "--results DIR", "failed: fake;")
            self.assertNotIn("measuring", done.stdout)
            self.assertEqual(self.kept.read_text(), stored)

    def test_only_a_good_one_replaces_the_last(self):
        self.kept.write_text("the last one\n")
        for script, what, said in ((FAILS, result(x=1), "exit status 3"), ("#!/bin/sh\n", None, "wrote nothing"),
                                   (WRITES, "{", "not the JSON"), (WRITES, result(x=None), "no value"),
                                   ("#!/bin/sh\nkill -SEGV $$\n", None, "signal 11")):
            self.fake(script, what)
            self.fake(WRITES, result(x=1), name="good")
            self.check(bench("--cpu", *self.places), 1, said, "failed: fake;")
            self.assertEqual(self.kept.read_text(), "the last one\n")
            self.assertEqual(self.names_kept(), ["fake.cpu.json", "good.cpu.json"])

    def test_list(self):
        said = bench("--list").stdout
        self.assertRegex(said, r"(?m)^latency +[A-Z].*[.]$")
        for line in said.splitlines():  # sources in folders of bench/ are parts of benches
            self.assertRegex(line, r"^[a-z_]+ +[A-Z].*[.]$")

    def test_wrong_command_lines(self):
        self.fake(WRITES, result(x=1))
        for arguments in (("no-such-bench",), ("--keep",), ("--quick", "--plot"), ("--no-such-option",),
                          ("--commit", "x"), ("--quick", "--tolerance", "0.5"), ("--processes", "0"),
                          ("--quick", "--processes", "2"), ("--binaries", self.kept)):
            self.check(bench(*arguments), 2, "usage: ./dev bench", "error: ")
        self.check(bench("--cpu", *self.places, "no-such-bench"), 2, "there is no bench 'no-such-bench': fake")
        self.check(bench("--help"), 0, "--tolerance")


class End(Bench):
    """The bench ends with all its descendants, though `timeout` leaves the process group."""

    def nobody_left(self):
        for pid in (self.binaries / "fake.pids").read_text().split():
            status = pathlib.Path("/proc") / pid / "status"
            self.assertFalse(status.exists() and "(zombie)" not in status.read_text(), pid)
        self.assertEqual(self.names_kept(), [])

    def test_a_bench_that_hangs(self):
        self.fake(HANGS)
        self.check(bench("--cpu", *self.places, "--timeout", "0.5"), 1, "ran longer than 0.5 s", "failed: fake")
        self.nobody_left()

    def test_a_bench_that_ends_before_what_it_started(self):
        self.fake(HANGS.replace("wait\n", "cp /dev/null /dev/null\nexit 3\n"))
        self.check(bench("--cpu", *self.places), 1, "exit status 3")
        self.nobody_left()

    def test_an_interruption(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            self.fake(HANGS)
            pids = self.binaries / "fake.pids"
            pids.unlink(missing_ok=True)
            runner = subprocess.Popen([sys.executable, BENCH, "--cpu", *self.places], stdout=subprocess.DEVNULL,
                                      stderr=subprocess.PIPE, text=True)
            until = time.monotonic() + TIME_LIMIT_S
            while not (pids.exists() and pids.read_text().endswith("\n")) and time.monotonic() < until:
                time.sleep(0.02)
            runner.send_signal(number)
            self.assertIn("interrupted", runner.communicate(timeout=TIME_LIMIT_S)[1])
            self.assertEqual(runner.returncode, 128 + number)
            self.nobody_left()


class Quick(Bench):
    def test_ratios_are_compared(self):
        self.fake(WRITES, result(x=2.0, y=3.0))
        self.check(bench("--quick", *self.places), 1, "not stored", "--keep")
        self.check(bench("--quick", "--keep", *self.places), 0, "2 ratios are kept")
        self.assertEqual(json.loads(self.stored.read_text())["context"]["command"], "./dev bench --quick fake")
        self.check(bench("--quick", *self.places), 0, "within", "tolerance: a factor of", "2 ratios compared")
        for x, tolerance, status in ((20.0, 2, 1), (0.2, 2, 1), (-2.0, 2, 1), (20.0, 11, 0), (3.0, 1.4, 1)):
            self.fake(WRITES, result(x=x, y=3.0))
            done = bench("--quick", "--tolerance", str(tolerance), *self.places)
            self.check(done, status, f"tolerance: a factor of {tolerance:g} ")
            self.assertEqual("outside: fake x (" in done.stderr, status == 1)
            self.assertNotIn("fake y", done.stderr)

    def test_the_range_of_what_was_stored(self):
        self.fake(WRITES, result(x=2.0))
        self.check(bench("--quick", "--keep", *self.places), 0)
        kept = json.loads(self.stored.read_text())
        self.assertEqual(kept["figures"]["x"], {"median": 2, "low": 2, "high": 2, "rounds": 5, "unit": "ratio"})
        kept["figures"]["x"].update(low=0.5, high=20)
        self.stored.write_text(json.dumps(kept))
        for x, status in ((39.0, 0), (41.0, 1), (0.26, 0), (0.24, 1)):
            self.fake(WRITES, result(x=x))
            self.check(bench("--quick", "--tolerance", "2", *self.places), status, "2 (0.5 to 20)")

    def test_missing_figures_are_said(self):
        self.fake(WRITES, result(x=2.0, y=3.0))
        self.check(bench("--quick", "--keep", *self.places), 0)
        self.fake(WRITES, result(x=2.0, y=3.0, z=4.0))
        done = bench("--quick", *self.places)
        self.check(done, 0)
        self.assertRegex(done.stdout, r"(?m)^fake +z +- +4  not stored$")
        self.fake(WRITES, result(x=2.0))
        done = bench("--quick", *self.places)
        self.check(done, 1, "fake y (missing now)")
        self.assertRegex(done.stdout, r"(?m)^fake +y +3 \(3 to 3\) +-  missing now$")

    def test_stored_ratios_that_are_ten_times_what_they_were(self):
        self.fake(WRITES, result(x=2.0, y=3.0))
        self.check(bench("--quick", "--keep", *self.places), 0)
        kept = json.loads(self.stored.read_text())
        kept["figures"]["x"] = {**kept["figures"]["x"], "median": 20, "low": 20, "high": 20}
        self.stored.write_text(json.dumps(kept))
        self.check(bench("--quick", *self.places), 1, "outside: fake x (outside by a factor of 10)")

    def test_one_slow_run_is_the_machine(self):
        self.fake(WRITES, result(x=2.0))
        self.check(bench("--quick", "--keep", *self.places), 0)
        self.fake(WRITES + 'sed "s/[0-9]*20.0/2.0/" -i "$0.json"\n', result(x=20.0))
        self.check(bench("--quick", *self.places), 0, "within")

    def test_a_bench_that_fails(self):
        self.fake(FAILS, result(x=2.0))
        self.check(bench("--quick", "--keep", *self.places), 1, "measuring", "exit status 3", "failed: fake")
        self.check(bench("--quick", *self.places), 1, "measuring", "exit status 3", "failed: fake")
        self.assertEqual(self.names_kept(), [])


class Real(Bench):
    def setUp(self):
        super().setUp()
        self.places = ("--results", self.results, "--binaries", BIN)
        self.name, part = REAL
        self.arguments = (self.name, "--", "--only", part)

    def test_a_run(self):
        done = bench("--cpu", *self.places, *self.arguments, "--quick")
        self.check(done, 0, f"-- {REAL[1]}: ")
        kept = json.loads((self.results / f"{self.name}.cpu.json").read_text())
        self.assertEqual((next(iter(kept)), kept["bench"]), ("context", self.name))
        self.assertTrue(kept["figures"] and kept["device"].startswith("cpu: "))

    def test_quick(self):
        few = ("--quick", "--tolerance", "4", *self.places)  # other tests may be running
        self.check(bench("--keep", *few, *self.arguments), 0, "are kept")
        self.check(bench(*few, *self.arguments), 0, "within")
        stored = self.results / "quick" / f"{self.name}.cpu.json"
        doctored = json.loads(stored.read_text())
        figure = next(iter(doctored["figures"]))
        for value in ("median", "low", "high"):
            doctored["figures"][figure][value] *= 1000  # more than a busy machine can change it
        stored.write_text(json.dumps(doctored))
        self.check(bench(*few, *self.arguments), 1, f"outside: {self.name} {figure} (outside by a factor of ")


class Kernels(unittest.TestCase):
    def test_names_are_those_of_a_bench_in_one_source(self):
        sys.path.insert(0, str(BENCH.parent))
        from bench_result import names_in_cpp
        symbols = ("_Z5entryIN12_GLOBAL__N_16ask_onINS0_5readsEEEEvv",
                   "_Z5entryIN6direct12_GLOBAL__N_16ask_onINS0_5readsEEEEvv",
                   "_Z5entryIN7genesys6direct4pingEEvv")
        self.assertEqual(names_in_cpp(symbols, "direct"),
                         ["entry<ask_on<reads> >", "entry<ask_on<reads> >", "entry<genesys::direct::ping>"])
        self.assertEqual(names_in_cpp((), "direct"), [])


class Plot(Bench):
    def setUp(self):
        super().setUp()
        self.into = self.results / "plots"
        many = {f"line {i}": [{**POINT, "x": 4 ** k, "median": 2.0 + i + k} for k in range(6)] for i in range(9)}
        self.kept.write_text(json.dumps({
            "context": {"commit": "abc", "date": "2026-01-02", "cpu": "A <CPU>", "cpus": 4}, **result(x=1.0),
            "plots": {"by_lanes": {"x_unit": "lanes", "unit": "M/s", "lines": many},
                      "by_size": {"x_unit": "bytes", "unit": "GB/s", "lines": {"one": [{**POINT, "x": 4096}]}}},
            "distributions": {"each": {"unit": "us", "count": 30, "median": 2.0, "p90": 2.1, "p99": 4.1, "p99.9": 4.1,
                                       "max": 4.1, "bins": [[2.0, 20], [2.1, 9], [4.1, 1]]}}}))

    def plot(self, **more):
        return bench("--plot", "--results", self.results, "--into", self.into, **more)

    @unittest.skipUnless(importlib.util.find_spec("matplotlib"), "there is no Matplotlib")
    def test_svgs(self):
        (self.results / "fake.cuda.json").write_text(self.kept.read_text())
        self.into.mkdir()
        (self.into / "old.svg").write_text("")
        self.check(self.plot(), 0, "old.svg belongs to no stored result")
        (self.into / "old.svg").unlink()
        drawn = {path.name: path.read_text() for path in self.into.iterdir()}
        self.assertEqual(len(drawn), 6)
        for name in ("fake-by_lanes", "fake-by_size", "fake-each"):
            text = drawn[f"{name}.cpu.svg"]
            self.assertEqual(drawn[f"{name}.cuda.svg"], text)
            xml.etree.ElementTree.fromstring(text)
            self.assertIn("A &lt;CPU&gt;, 4 CPUs · commit abc, 2026-01-02", text)
            self.assertIn("What it measures.", text)
            self.assertFalse(re.search(r"[ \t]$", text, re.MULTILINE))
        for text in ("fake: by lanes (M/s)", "line 0", "line 8", ">1,024<"):
            self.assertIn(text, drawn["fake-by_lanes.cpu.svg"])
        self.assertIn("p99.9 4.1", drawn["fake-each.cpu.svg"])

    @unittest.skipUnless(importlib.util.find_spec("matplotlib"), "there is no Matplotlib")
    def test_figures_by_workload(self):
        self.kept.unlink()
        stored = result(three_high_bfs=1.5, three_low_bfs=3.0, three_high_rows=1.25, three_total_rows=1.0)
        (self.results / "schedule.cuda.json").write_text(json.dumps({**stored, "bench": "schedule"}))
        done = self.plot()
        self.check(done, 0, "no figure12: nothing is stored as beside_unmodified_{}_1x70",
                   "figure14 lacks three_middle_bfs, three_middle_rows", "figure14 lacks three_low_rows")
        self.assertNotIn("three_high_", done.stderr)
        self.assertEqual([path.name for path in self.into.iterdir()], ["schedule-figure14.cuda.svg"])
        text = (self.into / "schedule-figure14.cuda.svg").read_text()
        for shown in (">bfs<", ">rows<", ">nice -10<", ">nice 10<"):
            self.assertIn(shown, text)
        self.assertNotIn(">nice 0<", text)  # nothing is stored of it

    def test_without_matplotlib(self):
        (self.binaries / "matplotlib.py").write_text("raise ImportError\n")
        done = self.plot(env={**os.environ, "PYTHONPATH": str(self.binaries)})
        self.check(done, 1, "apt install python3-matplotlib")
        self.assertFalse(self.into.exists())


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
