#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""genesys trace, on the samples log and grep: every call that they make is printed, once, with its result, and the
summary counts the same calls. Run by ./dev test.

usage: trace_test.py FOLDER-OF-PROGRAMS
"""

import contextlib
import os
import pathlib
import random
import re
import signal
import socket
import subprocess
import sys
import tempfile
import time
import unittest

import made_recording as made

BIN = pathlib.Path(sys.argv[1]).resolve()
LINE = re.compile(r"(?:\[pid \d+\] )?\d\d:\d\d:\d\d\.\d{6} \[block (\d+) warp (\d+)(?: (\w+))?(?:, [^\]]+)?\] "
                  r"(\w+)\((.*)\) = (.+) <\d+\.\d{6}>$")


DIRECT = {**os.environ, "GENESYS_EXECUTOR": "direct"}


def run(*words, **more):
    return subprocess.run([str(word) for word in words], capture_output=True, text=True, timeout=60, **more)


def traced(*words, **more):
    return run(BIN / "genesys", "trace", *words, **more)


def recording(path, times_ns):
    """Writes a recording of calls that took Linux so long."""
    with open(path, "wb") as file:
        now = 1_000_000
        file.write(made.header() + made.clocks(now))
        for first in range(0, len(times_ns), 1000):
            records = []
            for ns in times_ns[first:first + 1000]:
                records.append(made.call(now + 1000, ns))
                now += 1020 + ns
            file.write(made.calls(records))
        file.write(made.clocks(now) + made.end())


class Trace(unittest.TestCase):
    def setUp(self):
        self.place = tempfile.TemporaryDirectory(prefix="trace_test.")
        self.folder = pathlib.Path(self.place.name)

    def tearDown(self):
        self.place.cleanup()

    def calls(self, text):
        """The calls of a trace: (name, arguments, result, scope). Each line has to be one."""
        found = []
        for line in text.splitlines():
            match = LINE.match(line)
            self.assertTrue(match, line)
            found.append((match[4], match[5], match[6], match[3]))
        return found

    def trace(self, *words):
        """What a trace prints, apart from the program's own output."""
        output = self.folder / "output"
        done = traced("-o", output, *words)
        return done, output.read_text()

    def test_every_call_once(self):
        out = self.folder / "lines"
        done, text = self.trace("--", BIN / "log", out, 4, 5)
        self.assertEqual((done.returncode, done.stdout), (0, ""), done.stderr)
        calls = self.calls(text)
        writes = [call for call in calls if call[0] == "write"]
        lines = out.read_text().splitlines(keepends=True)
        self.assertEqual(len(lines), 20)
        self.assertEqual(sorted(call[2] for call in writes), sorted(str(len(line)) for line in lines))

    def test_string_limit(self):
        text = "x" * 100
        (self.folder / "in").write_text(text)
        for limit, shown in ((200, f'"{text}"'), (40, f'"{text[:40]}"...')):
            _, lines = self.trace("-s", limit, BIN / "cat", self.folder / "in")
            arguments = [call[1] for call in self.calls(lines) if call[0] == "write"]
            self.assertTrue(any(shown + "," in each for each in arguments), arguments)

    def test_a_signal_ends_the_program_and_keeps_the_recording(self):
        scratch = self.folder / "scratch"
        scratch.mkdir()
        kept = self.folder / "kept"
        tracer = subprocess.Popen([BIN / "genesys", "trace", "--record", kept, BIN / "httpd", "0", self.folder],
                                  stdout=subprocess.PIPE, env={**os.environ, "TMPDIR": str(scratch)})
        self.addCleanup(tracer.communicate)
        self.addCleanup(tracer.kill)
        tracer.stdout.readline()
        time.sleep(0.5)  # what a process recorded in its last milliseconds is lost
        tracer.terminate()
        self.assertIn(tracer.wait(timeout=30), (0, 128 + signal.SIGTERM))
        self.assertEqual(list(scratch.iterdir()), [])
        read = traced("-c", "--read", kept).stdout
        self.assertIn("socket", read)
        self.assertEqual("+++ the recording is cut off +++" in read, tracer.returncode != 0)

    def test_nobody_reads_the_output(self):
        scratch = self.folder / "scratch"
        scratch.mkdir()
        done = subprocess.run(["bash", "-c", '"$0" trace "$1" "$2" 40 40 2>&1 >&- | head -n 1; exit ${PIPESTATUS[0]}',
                               BIN / "genesys", BIN / "log", self.folder / "lines"], capture_output=True, timeout=60,
                              env={**os.environ, "TMPDIR": str(scratch)})
        self.assertIn(done.returncode, (0, 128 + signal.SIGPIPE), done.stderr)
        self.assertEqual(list(scratch.iterdir()), [])

    def test_a_process_that_ends_before_its_recording_begins(self):
        script = 'name=${GENESYS_TRACE%%%p*}$$.0; : > "$name"; exit 3'
        done = traced("-c", "sh", "-c", script)
        self.assertEqual(done.returncode, 3, done.stderr)
        self.assertRegex(done.stderr, r"genesys: process \d+ left no calls: ")

    def test_a_process_that_does_not_reply(self):
        """The queue of its connections is full."""
        with socket.socket(socket.AF_UNIX) as listener, contextlib.ExitStack() as waiting:
            listener.bind(f"\0genesys/{os.getpid()}/0")
            listener.listen(0)
            for _ in range(8):
                one = waiting.enter_context(socket.socket(socket.AF_UNIX))
                one.setblocking(False)
                if one.connect_ex(f"\0genesys/{os.getpid()}/0") != 0:
                    break
            done = run(BIN / "genesys", "metrics", os.getpid())
            self.assertEqual(done.returncode, 1)
            self.assertIn("it does not reply", done.stderr)

    def test_scopes_and_errors(self):
        empty = self.folder / "empty"
        empty.write_text("")
        _, text = self.trace(BIN / "grep", "-F", "-l", "-e", "word", empty, self.folder)
        calls = self.calls(text)
        self.assertIn("block", {scope for _, _, _, scope in calls})
        opened = [call for call in calls if call[0] == "openat"]
        self.assertTrue(opened and all("AT_FDCWD" in call[1] for call in opened), calls)
        _, text = self.trace("-e", "write", BIN / "log", "/dev/full", 2, 2)
        self.assertEqual({call[2] for call in self.calls(text)}, {"-1 ENOSPC (No space left on device)"})

    def test_chosen_calls(self):
        search = (BIN / "grep", "-F", "-l", "-e", "word", __file__)
        self.assertEqual({name for name, *_ in self.calls(self.trace("-e", "openat,close", *search)[1])},
                         {"openat", "close"})
        self.assertEqual(self.calls(self.trace("-e", "!%files", *search)[1]), [])
        for wrong, said in (("opennat", "has no call 'opennat'"), ("%file", "there is no class '%file': ")):
            done = traced("-e", wrong, "true")
            self.assertEqual((done.returncode, done.stdout), (1, ""))
            self.assertIn(said, done.stderr)

    def test_summary(self):
        record = self.folder / "record"
        out = self.folder / "lines"
        _, summary = self.trace("-c", "--record", record, "--", BIN / "log", out, 4, 5)
        table = {line.split()[-1]: line.split() for line in summary.splitlines()[2:]}
        self.assertEqual(table["write"][6], "20")
        self.assertEqual(sum(int(row[6]) for name, row in table.items() if name.isidentifier() and name != "total"),
                         int(table["total"][6]))
        again = traced("-c", "--read", record)
        self.assertEqual((again.returncode, again.stdout), (0, summary))
        text = self.calls(traced("--read", record).stdout)
        self.assertEqual(len(text), int(table["total"][6]))

    def test_calls_through_shared_rings(self):
        """The kernel submits them itself; a report of each is recorded, with the memory behind its arguments."""
        if "executor direct" not in run(BIN / "genesys", "info", env=DIRECT).stdout:
            self.skipTest("this system has no shared rings")
        text = self.folder / "text"
        text.write_text("a needle in the hay\n")
        record, output = self.folder / "record", self.folder / "output"
        search = (BIN / "grep", "-F", "-l", "-e", "needle", text)
        traced("--record", record, "--", *search, env=DIRECT)
        traced("--read", record, "-o", output, "-e", "pread64")
        calls = self.calls(output.read_text())
        self.assertEqual([(name, result, scope) for name, _, result, scope in calls], [("pread64", "20", "block")])
        self.assertIn('"a needle in the hay\\n", ', calls[0][1])
        summary = traced("-c", "--histogram", "--read", record).stdout
        self.assertRegex(summary, r"(?m)^ *[\d.]+ +[\d.]+ +[\d.]+ +[\d.]+ +1 +pread64 \(ring\)$")
        self.assertIn("pread64 (ring): 1 call", summary)
        done = traced("--perfetto", self.folder / "trace", "--read", record)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn(b"kernel, through a shared ring", (self.folder / "trace").read_bytes())

    def test_a_posted_call_through_a_shared_ring(self):
        record, by_kernel, posted = self.folder / "record", 1 << 59, 2 << 20
        record.write_bytes(made.header() + made.clocks(1000) + made.calls([made.call(2000, head=by_kernel | posted)]) +
                           made.clocks(10**6) + made.end())
        self.assertIn("getppid() = ? (posted through a shared ring) <", traced("--read", record).stdout)
        self.assertRegex(traced("-c", "--read", record).stdout, r"(?m) 1 +getppid \(ring\)$")

    def test_histogram(self):
        draw = random.Random(1)
        for modes in ([1e3], [1e3, 1e6], [3e2, 4e3, 2e5]):
            times = [int(mode * draw.lognormvariate(0, 0.2)) for mode in modes for _ in range(3000)] + [10**9] * 3
            recording(self.folder / "record", draw.sample(times, len(times)))
            text = traced("--histogram", "--read", self.folder / "record").stdout
            self.assertIn(f"getppid: {len(times)} calls", text)
            self.assertTrue(all(len(line) <= 80 for line in text.splitlines()), text)
            self.assertIn("max 1 s", text)
            found = re.search(r"(\d+) modes?:(.*)", text)
            self.assertEqual(int(found[1]), len(modes), text)
            units = {"ns": 1, "us": 1e3, "ms": 1e6, "s": 1e9}
            for mode, (value, unit) in zip(modes, re.findall(r" ([\d.e+]+) (ns|us|ms|s) \(", found[2])):
                self.assertLess(abs(float(value) * units[unit] / mode - 1), 0.15, text)

    def test_a_run_number_that_is_used_again(self):
        record = self.folder / "record"
        record.write_bytes(made.header() + made.clocks(1000) + made.calls([made.call(2000, run=5)]) +
                           made.name(5, "first\x1b\n") + made.calls([made.call(3000, run=5)]) +
                           made.name(5, "second") + made.calls([made.call(4000, run=5)]) +
                           made.name(5, "") + made.calls([made.call(5000, run=5)]) + made.clocks(10**6) +
                           made.end())
        lines = traced("--read", record).stdout.splitlines()
        self.assertEqual([re.search(r"warp 0(.*)\]", line)[1] for line in lines],
                         ["", r", first\033\012", ", second", ""])
        traced("--perfetto", self.folder / "trace", "--read", record)
        content = (self.folder / "trace").read_bytes()
        for track in (b"kernels", b"first", b"second"):
            self.assertEqual(content.count(track), 1, track)

    def test_several_recordings(self):
        record = self.folder / "record"
        script = f"for i in 1 2 3; do {BIN / 'log'} {self.folder}/lines.$i $i 1; done"
        done = traced("-f", "--record", record, "--", "sh", "-c", script)
        self.assertEqual((done.returncode, done.stdout), (0, ""))
        self.assertEqual(done.stderr.splitlines()[-1],
                         f"genesys: 3 recordings are in {record} and {record}.1 to {record}.2")
        writes = [sum(name == "write" for name, *_ in self.calls(traced("--read", f"{record}{more}").stdout))
                  for more in ("", ".1", ".2")]
        self.assertEqual(writes, [1, 2, 3])  # in the order of the processes

    def test_the_order_of_runtimes(self):
        """By number, not by name. A made-up program leaves the recordings of three runtimes."""
        script = "import os,pathlib,sys;p=os.environ['GENESYS_TRACE'].replace('%p',str(os.getpid()))\n" \
                 "for r in map(int,sys.argv[2].split()):" \
                 "pathlib.Path(p.replace('%r',str(r))).write_bytes(pathlib.Path(sys.argv[1]+str(r)).read_bytes())"
        numbers = [10, 2, 0]
        for number in numbers:
            (self.folder / f"made{number}").write_bytes(made.header(runtime=number) + made.clocks(1) + made.clocks(2) +
                                                        made.end())
        record = self.folder / "record"
        done = traced("--record", record, "--", sys.executable, "-c", script, self.folder / "made",
                      " ".join(map(str, numbers)))
        self.assertEqual(done.returncode, 0, done.stderr)
        kept = [pathlib.Path(f"{record}{more}").read_bytes()[20] for more in ("", ".1", ".2")]
        self.assertEqual(kept, [0, 2, 10])

    def test_record_alone_prints_nothing(self):
        log = ("--", BIN / "log", self.folder / "lines", 1, 1)
        record = self.folder / "record"
        done = traced("--record", record, *log)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", "log: 1 lines posted, 0 not written\n"))
        self.assertEqual(record.stat().st_mode & 0o777, 0o600)
        self.assertIn("syscall", traced("--record", record, "-c", *log).stderr)
        self.assertIn("modes", traced("--record", record, "--histogram", *log).stderr.replace("mode:", "modes"))
        _, text = self.trace("--record", record, *log)
        self.assertIn("write", [name for name, *_ in self.calls(text)])

    def test_a_recording_that_cannot_be_written(self):
        done = traced("--record", self.folder / "none" / "x", "--", "touch", self.folder / "ran")
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertIn("No such file", done.stderr)
        self.assertFalse((self.folder / "ran").exists())
        self.assertEqual(traced("--read", "x", "--record", self.folder / "new").returncode, 2)
        self.assertFalse((self.folder / "new").exists())

    def test_interrupts_after_the_program(self):
        """The program gets them alone; once it has ended, the command does."""
        fifo = self.folder / "fifo"  # nobody reads it, so the command waits there after the program
        os.mkfifo(fifo)
        recording(self.folder / "made", [100] * 5000)
        script = "cp $1 $(echo $GENESYS_TRACE | sed s/%p.%r/$$.0/)"
        reader = os.open(fifo, os.O_RDWR)
        self.addCleanup(os.close, reader)
        with subprocess.Popen([BIN / "genesys", "trace", "-o", fifo, "--", "sh", "-c", script, "sh",
                               self.folder / "made"], env={**os.environ, "TMPDIR": str(self.folder)}) as process:
            time.sleep(1)
            process.send_signal(signal.SIGINT)
            self.assertEqual(process.wait(10), -signal.SIGINT)
        self.assertEqual(sorted(path.name for path in self.folder.iterdir()), ["fifo", "made"])

    def test_live_is_refused(self):
        ran = self.folder / "ran"
        for words in (("-c",), ("--histogram",), ("-f",), ("-o", "x"), ("--perfetto", "x"), ("--record", "x")):
            done = traced("--live", *words, "--", "touch", ran, cwd=self.folder)
            self.assertEqual((done.returncode, done.stdout), (2, ""), words)
            self.assertIn("--live shows a screen", done.stderr)
        self.assertEqual(traced("--live", "--read", "x").returncode, 2)
        done = traced("--live", "--", "touch", ran, stdin=subprocess.DEVNULL)
        self.assertEqual(done.returncode, 1)
        self.assertIn("--live needs a terminal", done.stderr)
        self.assertEqual(list(self.folder.iterdir()), [])  # nothing has run

    def test_a_damaged_recording(self):
        record, most = self.folder / "record", 2**64 - 1
        record.write_bytes(made.header() + made.clocks(1, most) + made.calls([made.call(2), made.call(2**63)]) * 9 +
                           made.clocks(3, 0) + made.clocks(most - 5, most) + made.end())
        for words in ((), ("-c",), ("--histogram",), ("--perfetto", self.folder / "trace")):
            done = traced(*words, "--read", record)
            self.assertEqual((done.returncode, done.stderr), (0, ""), words)
            self.assertNotRegex(done.stdout, r"-\d")

    def test_a_pipe(self):
        recording(self.folder / "record", [100])
        with subprocess.Popen(["cat", self.folder / "record"], stdout=subprocess.PIPE) as cat:
            done = traced("--read", "/dev/stdin", stdin=cat.stdout)
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertIn("needs a file", done.stderr)

    def test_a_recording_that_was_cut_off(self):
        record = self.folder / "record"
        traced("--record", record, "--", BIN / "log", self.folder / "lines", 4, 5)
        whole = len(self.calls(traced("--read", record).stdout))
        content = record.read_bytes()
        # The section of the end; a part of the last clocks, too; these, and a part of what is in front of them.
        for less in (24, 34, 124):
            record.write_bytes(content[:-less])
            text = traced("--read", record).stdout.splitlines()
            self.assertEqual(text[-1], "+++ the recording is cut off +++")
            self.assertLessEqual(len(self.calls("\n".join(text[:-1]))), whole)
        self.assertEqual(len(self.calls("\n".join(text[:-1]))) == whole, False)

    def test_what_is_no_recording(self):
        for content, said in ((b"", "is no recording"), (b"x" * 4000, "is no recording")):
            (self.folder / "wrong").write_bytes(content)
            done = traced("--read", self.folder / "wrong")
            self.assertEqual((done.returncode, done.stdout), (1, ""))
            self.assertIn(said, done.stderr)
        self.assertIn("No such file", traced("--read", self.folder / "none").stderr)

    def test_descriptors_and_strings(self):
        big = self.folder / "big"
        big.write_bytes(b"0123456789" * 100)
        search = (BIN / "grep", "-F", "-l", "-e", "word", big)
        _, text = self.trace("-y", "-s", "16", *search)
        calls = self.calls(text)
        [opened] = [call for call in calls if call[0] == "openat"]
        self.assertRegex(opened[1], rf'^AT_FDCWD(<.*>)?, "{big}", O_RDONLY')
        self.assertRegex(opened[2], rf"^\d+<{big}>$")
        for name in ("fstat", "pread64", "close"):
            [call] = [call for call in calls if call[0] == name]
            self.assertRegex(call[1], rf"^\d+<{big}>")
        self.assertIn('"0123456789012345"..., ', [call[1] for call in calls if call[0] == "pread64"][0])
        _, text = self.trace("-s", "0", *search)
        self.assertNotIn('"', text)
        self.assertIn(", search_tree]" if ", search_tree]" in text else "grep::", text)  # the kernel's name
        self.assertEqual(traced("-s", "257", *search).returncode, 2)

    def test_ranges_for_a_profiler(self):
        tool = BIN / "e2e" / "nvtx_tool.so"
        if not tool.exists():
            self.skipTest("a build without the cuda device has no NVTX")
        output, out = self.folder / "ranges", self.folder / "lines"
        done = run(BIN / "log", out, 4, 5, env={**os.environ, "NVTX_INJECTION64_PATH": str(tool),
                                                "NVTX_TOOL_OUTPUT": str(output)})
        self.assertEqual(done.returncode, 0, done.stderr)
        counts = dict(line.rsplit(" ", 1) for line in output.read_text().splitlines())
        self.assertEqual((counts["write"], counts["others"]), ("20", "0"))
        self.assertEqual(int(counts.pop("ended")), sum(int(count) for count in counts.values()))

    def test_statuses(self):
        self.assertEqual(traced("--", "sh", "-c", "exit 3").returncode, 3)
        self.assertEqual(traced("--", "sh", "-c", "kill -TERM $$").returncode, 128 + 15)
        done = traced("--", self.folder / "none")
        self.assertEqual(done.returncode, 1)
        self.assertIn("cannot run", done.stderr)
        for words in ((), ("--read", "x", "true"), ("--wrong", "true"), ("-o",)):
            self.assertEqual(traced(*words).returncode, 2, words)

    def test_children(self):
        script = f"{BIN / 'log'} {self.folder / 'lines'} 2 2"
        done, text = self.trace("--", "sh", "-c", script + "; true")
        self.assertEqual(text, "")
        self.assertIn("with -f its children are traced", done.stderr)
        _, text = self.trace("-f", "--", "sh", "-c", script + "; true")
        self.assertEqual(len([1 for name, *_ in self.calls(text) if name == "write"]), 4)

    def test_the_environment(self):
        done = run(BIN / "log", self.folder / "lines", 2, 2,
                   env={**os.environ, "GENESYS_TRACE": f"{self.folder}/%p.%r"})
        self.assertEqual(done.returncode, 0, done.stderr)
        [record] = [name for name in self.folder.iterdir() if re.fullmatch(r"\d+\.0", name.name)]
        self.assertEqual(record.stat().st_mode & 0o777, 0o600)
        self.assertEqual(len([1 for name, *_ in self.calls(traced("--read", record).stdout) if name == "write"]), 4)
        done = run(BIN / "log", env={**os.environ, "GENESYS_TRACE": f"{self.folder}/none/x"})
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("calls cannot be recorded in", done.stderr)
        done = run(BIN / "log", self.folder / "lines", 2, 2, env={**os.environ, "GENESYS_TRACE": "/dev/full"})
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("genesys: the recording /dev/full is not complete: No space left on device\n", done.stderr)
        # Also if nothing is recorded.
        for name, value in (("GENESYS_TRACE_DATA", "257"), ("GENESYS_TRACE_PATHS", "yes")):
            done = run(BIN / "log", self.folder / "lines", 2, 2, env={**os.environ, name: value})
            self.assertNotEqual(done.returncode, 0)
            self.assertIn(f"{name} is {value}; it has to be a number up to ", done.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
