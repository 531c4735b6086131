#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The genesys command: it shows facts of every call and verdicts on kernels, and it fails as a Unix tool does.

usage: command_test.py PATH-OF-GENESYS
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

GENESYS = sys.argv[1]
ROOT = pathlib.Path(__file__).resolve().parents[2]
LINUX = ROOT / "tests" / "gen" / "linux-6.18.txt"


def run(*arguments):
    return subprocess.run([GENESYS, *arguments], capture_output=True, text=True, timeout=60)


def linux_calls():
    lines = LINUX.read_text(encoding="utf-8").splitlines()
    return {line.split()[0] for line in lines if line and not line.startswith("#") and line.split()[1] != "-"}


class Command(unittest.TestCase):
    def told(self, *arguments):
        done = run(*arguments)
        self.assertEqual((done.returncode, done.stderr), (0, ""), arguments)
        return done.stdout

    def test_info(self):
        said = self.told("info")
        for word in ("genesys 0.1", "Linux", "308 of 366", "cpu: ", "executors:", "threads: "):
            self.assertIn(word, said)
        cuda = next(line for line in said.splitlines() if "cuda" in line)
        self.assertRegex(cuda, r"not available: .+|CUDA|driver")

    def test_schedule_explain(self):
        kernels = ROOT / "tests" / "schedule" / "kernels"
        said = self.told("schedule", "explain", str(kernels / "table2.ptx"), "--kernel", "fan_1")
        self.assertIn("fan_1(float*, float const*, int, int)\n    idempotent: abort it, run it again\n", said)
        self.assertIn("    reads  parameter 1\n    writes parameter 0\n", said)
        all_kernels = json.loads(self.told("schedule", "explain", str(kernels / "table2.ptx"), "--json"))["kernels"]
        self.assertEqual(len(all_kernels), 22)
        self.assertEqual(sum(kernel["idempotent"] for kernel in all_kernels), 12)
        for kernel in all_kernels:
            self.assertEqual(kernel["idempotent"], not kernel["reasons"], kernel["name"])

    def test_schedule_explain_of_fatbins(self):
        kernels = ROOT / "tests" / "schedule" / "kernels"
        with tempfile.TemporaryDirectory() as folder:
            for how in ("plain", "lz4"):
                fatbin = pathlib.Path(folder) / how
                fatbin.write_bytes(bytes.fromhex((kernels / f"small.{how}.hex").read_text(encoding="utf-8")))
                said = self.told("schedule", "explain", str(fatbin))
                self.assertIn("PTX for sm_90\n  scale(float*, float const*, float)\n    idempotent", said)
                fatbin.write_bytes(fatbin.read_bytes()[:1000])
                self.assertEqual(run("schedule", "explain", str(fatbin)).returncode, 1)

    def test_schedule_explain_of_other_files(self):
        for name in (GENESYS, "/dev/null", "/no/such/file", __file__):
            done = run("schedule", "explain", name)
            self.assertEqual((done.returncode, done.stdout), (1, ""), name)
            self.assertIn("genesys: ", done.stderr)

    def test_schedule_cache(self):
        with tempfile.TemporaryDirectory() as folder:
            kept = pathlib.Path(folder) / "kept"
            environment = {**os.environ, "GENESYS_SCHEDULE_CACHE": str(kept)}

            def cache(*options):
                return subprocess.run([GENESYS, "schedule", "cache", *options], capture_output=True, text=True,
                                      timeout=60, env=environment)

            self.assertIn("0 kernels, times of 0 GPUs, 0 KiB", cache().stdout)
            kept.mkdir()
            for name in ("kernel-1.zst", "kernel-2.zst", "times-1.zst", "other"):
                (kept / name).write_bytes(b"x" * 600)
            self.assertIn("2 kernels, times of 1 GPU, 2 KiB", cache().stdout)
            self.assertEqual(json.loads(cache("--json").stdout),
                             {"folder": str(kept), "files": 3, "kernels": 2, "bytes": 1800})
            self.assertIn("3 files removed", cache("--clear").stdout)
            self.assertEqual([each.name for each in kept.iterdir()], ["other"])
            environment["GENESYS_SCHEDULE_CACHE"] = "0"
            self.assertEqual((cache().returncode, cache().stdout), (1, ""))

    def test_services(self):
        with tempfile.TemporaryDirectory() as folder:
            costs = pathlib.Path(folder) / "costs"

            def services(*options):
                return self.told("services", "--file", str(costs), *options)

            self.assertIn("nothing is known yet", services())
            known = [(10, "gpu", 7000), (10, "cpu", 600), (20, "gpu", 70000), (20, "cpu", 120000), (22, "cpu", 2400000),
                     (72, "gpu", 900000), (72, "launch", 300000), (72, "cpu", 1200000), (106, "gpu", 800000)]
            costs.write_text("genesys services 1\n" + "".join(
                f"a GPU\tsha256\t{size}\t{side}\t5\t{ns}\n" for size, side, ns in known) + "rubbish\n")
            said = services("--cores", "4")
            self.assertRegex(said, r"1 KiB +7\.00 us +- +0\.60 us +twin +faster by a factor of 11\.67")
            self.assertRegex(
                said, r"16 MiB, wide +900\.00 us +300\.00 us +1200 us +launch +faster by a factor of 3\.00")
            self.assertRegex(said, r"1024 blocks +800\.00 us +- +- +launch +a launch is not known yet")
            self.assertIn("faster than one core from 1 MiB on, and than 4 cores that share a request evenly at no size",
                          said)
            (one,) = json.loads(services("--json", "--cores", "4"))
            self.assertEqual((one["crossover_one_core_bytes"], one["crossover_all_cores_bytes"]), (1 << 20, None))
            self.assertEqual([size["goes_to"] for size in one["sizes"]], ["twin", "GPU", "GPU", "launch", "launch"])
            self.assertEqual(one["sizes"][-1]["blocks"], 1024)

    def test_syscalls_as_json(self):
        calls = json.loads(self.told("syscalls", "--format", "json"))
        self.assertTrue(linux_calls() <= {call["call"] for call in calls})
        for call in calls:
            self.assertEqual("reason" in call, call["class"] != "ready", call)
            self.assertEqual("method" in call, call["callable"], call)
        read = next(call for call in calls if call["name"] == "read")
        self.assertEqual((read["x86-64"], read["arm64"], read["class"]), (0, 63, "ready"))
        self.assertEqual(read["method"], "read(int fd, void* buf, std::size_t count)")

    def test_syscalls_of_a_class(self):
        everything = json.loads(self.told("syscalls", "--format", "json"))
        found = 0
        for name in ("ready", "changed", "hardware", "unsupported"):
            lines = self.told("syscalls", "--class", name).splitlines()[1:]
            self.assertEqual(len(lines), sum(call["class"] == name for call in everything))
            self.assertTrue(all(f" {name} " in line for line in lines))
            found += len(lines)
        self.assertEqual(found, len(everything))

    def test_policies(self):
        said = self.told("policy", "io")
        for word in ("io: ", "the kernels' own", "plain ones"):
            self.assertIn(word, said)
        lines = self.told("policy", "none", "--list").splitlines()
        self.assertIn("deny  openat", lines)
        self.assertFalse([line for line in lines if line.startswith("allow ")])
        told = json.loads(self.told("policy", "io", "--format", "json"))
        self.assertIn("openat", told["allowed"])
        self.assertIn("kill", told["denied"])

    def test_a_file_with_rules(self):
        with tempfile.NamedTemporaryFile("w", suffix=".rules") as rules:
            rules.write("profile io\nallow path /usr\nlimit descriptors 7\nallow call kill\n")
            rules.flush()
            told = json.loads(self.told("policy", rules.name, "--format", "json"))
            self.assertEqual((told["paths"], told["limits"]), (["/usr"], {"descriptors": 7}))
            self.assertIn("kill", told["allowed"])
            rules.write("allow call opennat\n")
            rules.flush()
            done = run("policy", rules.name)
            self.assertEqual((done.returncode, done.stdout), (1, ""))
            self.assertIn(":5: ", done.stderr)
            self.assertIn("opennat", done.stderr)

    def test_files_without_rules(self):
        """They would allow everything."""
        with tempfile.TemporaryDirectory() as folder, tempfile.NamedTemporaryFile("w") as empty:
            empty.write("# nothing\n\n")
            empty.flush()
            cases = ((folder, "cannot be read to its end"), (empty.name, "has no rule"), ("/dev/null", "has no rule"))
            for path, what in cases:
                done = run("policy", path)
                self.assertEqual((done.returncode, done.stdout), (1, ""))
                self.assertIn(what, done.stderr)

    def test_folders_that_are_no_programs(self):
        for command in ("explain", "rewrite"):
            done = run("schedule", command, "/tmp")
            self.assertEqual((done.returncode, done.stdout, done.stderr),
                             (1, "", "genesys: cannot read '/tmp', or it is empty\n"))

    def test_a_page_for_every_call(self):
        for name in sorted(linux_calls()):
            page = self.told("man", name)
            self.assertTrue(page.startswith(f"NAME\n    {name} - "), page)
            self.assertLessEqual(max(map(len, page.splitlines())), 80, page)
            for title in ("CLASS", "SEE ALSO"):
                self.assertIn(f"\n{title}\n", page)

    def test_pages_say_what_is_different(self):
        self.assertIn("thread of its own", self.told("man", "sched_setaffinity"))
        self.assertIn("all threads of the host's process", self.told("man", "setuid"))
        self.assertIn("it is parked", self.told("man", "nanosleep").lower())
        self.assertIn("The GENESYS papers judge otherwise: yes", " ".join(self.told("man", "mprotect").split()))
        self.assertIn("os.ioctl<FIONREAD>(int fd, int* n)", self.told("man", "ioctl$FIONREAD"))
        self.assertIn("the arena", self.told("man", "futex"))

    def test_a_call_that_linux_does_not_have(self):
        done = run("man", "opn")
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertIn("similar names: open", done.stderr)
        self.assertEqual(run("man", "no-such-call-at-all").returncode, 1)

    def test_wrong_command_lines(self):
        for arguments in ((), ("man",), ("nothing",), ("syscalls", "--class", "good"), ("syscalls", "--format", "xml")):
            done = run(*arguments)
            self.assertEqual((done.returncode, done.stdout), (2, ""), arguments)
            self.assertIn("--help", done.stderr)

    def test_help(self):
        self.assertIn("syscalls", self.told("--help"))
        self.assertIn("--class", self.told("syscalls", "--help"))
        self.assertIn("genesys 0.1", self.told("--version"))

    def test_a_full_disk(self):
        with open("/dev/full", "w") as full:
            done = subprocess.run([GENESYS, "syscalls"], stdout=full, stderr=subprocess.PIPE, text=True, timeout=60)
        self.assertEqual(done.returncode, 1)
        self.assertIn("cannot write", done.stderr)

    def test_by_dev_run(self):
        build = pathlib.Path(GENESYS).resolve().parents[1]
        if build.parent != ROOT / "build":
            self.skipTest("built elsewhere")
        done = subprocess.run([ROOT / "dev", "run", "genesys", "man", "pread64"], capture_output=True, text=True,
                              timeout=100, env={**os.environ, "GENESYS_PRESET": build.name})
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stdout, self.told("man", "pread64"))

    def test_programs_that_dev_run_does_not_know(self):
        done = subprocess.run([ROOT / "dev", "run", "nonsense"], capture_output=True, text=True, timeout=60)
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertRegex(done.stderr, r"there is no program 'nonsense': genesys .*\bgrep\b.*\blatency\b")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
