# SPDX-License-Identifier: Apache-2.0
"""The reader: what a recording has is what the table has, also if it is cut off anywhere."""

import datetime
import os
import re
import struct
import unittest

import genesys_trace
import numpy as np
from genesys_trace import format as recording_format
from genesys_trace import names, unpack

import made_up
from support import PROGRAMS, ROOT, TestCase, needs_programs, run

LINE = re.compile(r"(\d\d:\d\d:\d\d\.\d{6}) \[block (\d+) warp (\d+)(?: (\w+))?(?:, ([^\]]+))?\] (\w+)\((.*)\) = "
                  r"(\S+)(?: (E\w+))?[^<]*<(\d+\.\d{6})>$")
# Calls of which arguments are compared: which. The command prints what buffers hold in place of their addresses.
CHECKED = {"close": [0], "pread64": [0, 2, 3], "getdents64": [0, 2]}


def text_of(ns):
    whole = datetime.datetime.fromtimestamp(ns // 10**9)
    return f"{whole:%H:%M:%S}.{ns % 10**9 // 1000:06}"


class RealRecording(TestCase):
    @needs_programs
    def test_the_same_as_the_command_prints(self):
        path = self.recording_of_grep()
        table = genesys_trace.read(path)
        printed = []
        for line in run(PROGRAMS / "genesys", "trace", "--read", path).stdout.splitlines():
            match = LINE.match(line)
            self.assertTrue(match, line)
            time, block, warp, scope, run_name, name, args, result, error, took = match.groups()
            numbers = [int(number) for number in re.findall(r"(?:^|, )(\d+)(?=, |$)", re.sub(r'".*"', "", args))]
            printed.append((time, int(block), int(warp), scope or "thread", run_name or "", name,
                            numbers if name in CHECKED else [], error or int(result, 0), took))
        expected = []
        for row in table.itertuples():
            begin = next(time for time in (row.taken_ns, row.started_ns, row.completed_ns) if time == time)
            took = max(row.completed_ns - begin, 0)
            args = [getattr(row, f"arg{which}") for which in CHECKED.get(row.name, [])]
            expected.append((text_of(begin), row.block, row.warp, row.scope, row.run_name, row.name, args,
                             row.error if isinstance(row.error, str) else row.result,
                             f"{took // 10**9}.{took % 10**9 // 1000:06}"))
        self.assertEqual(sorted(map(str, expected)), sorted(map(str, printed)))

    @needs_programs
    def test_the_same_means_as_the_summary(self):
        path = self.recording_of_grep()
        summary = run(PROGRAMS / "genesys", "trace", "-c", "--read", path).stdout
        table = genesys_trace.read(path)
        seen = (table.seen_ns - table.completed_ns).groupby(table.name, observed=True).mean()
        of_name = table.groupby("name", observed=True)
        rows = re.findall(r"^ *[\d.]+ +[\d.]+ +([\d.]+) +([\d.]+) +[\d.]+ +([\d.]+) +[\d.]+ +(\d+) .*?(\w+)$", summary,
                          re.MULTILINE)
        self.assertGreaterEqual(len(rows), 4, summary)
        for linux, queue, seen_us, calls, name in rows:
            if name == "total":
                continue
            of = of_name.get_group(name)
            self.assertEqual(len(of), int(calls))
            for mean, expected in ((of.linux_ns.mean(), linux), (of.queue_ns.mean(), queue), (seen[name], seen_us)):
                self.assertAlmostEqual(mean / 1000, float(expected), delta=0.011, msg=name)

    @needs_programs
    def test_memory_behind_arguments(self):
        table = genesys_trace.read(self.recording_of_grep(), data=True)
        paths = {memory.content.split(b"\0")[0].decode() for call in table[table.name == "openat"].data
                 for memory in call if memory.arg == 1}
        self.assertTrue(any(path.startswith(str(ROOT / "src")) for path in paths), paths)
        for call in table[table.name == "pread64"].itertuples():
            for memory in call.data:
                self.assertEqual((memory.arg, memory.part), (1, 0))
                self.assertIn(memory.total, (call.result, None))
                self.assertLessEqual(len(memory.content), max(call.result, 0))

    @needs_programs
    def test_run_names_and_internal_requests(self):
        path = self.recording_of_grep()
        with_internal = genesys_trace.read(path, internal=True)
        self.assertFalse(names.is_internal(genesys_trace.read(path).number).any())
        lines = run(PROGRAMS / "genesys", "trace", "--internal", "--read", path).stdout.splitlines()
        self.assertEqual(len(with_internal), len(lines))


class MadeUp(TestCase):
    def test_packed_and_unpacked(self):
        random = np.random.default_rng(1)
        count = 5000
        edges = np.array([0, 1, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, 1 << 32, 1 << 63, (1 << 64) - 1, (1 << 64) - 9,
                          (1 << 64) - (1 << 31), (1 << 64) - (1 << 31) - 1], dtype=np.uint64)
        calls = {"completed": random.integers(1 << 40, 1 << 41, count).astype(np.uint64)}
        for name in ("taken", "started", "ended"):
            calls[name] = calls["completed"] - random.integers(0, 1 << 33, count).astype(np.uint64)
            calls[name][random.random(count) < 0.2] = 0
        calls["args"] = [random.choice(edges, count) for _ in range(6)]
        calls["result"] = random.choice(edges, count)
        earlier = calls["completed"] - random.integers(1, 1 << 31, count).astype(np.uint64)
        earlier[random.random(count) < 0.5] = 0
        has = earlier != 0
        calls["earlier"] = (earlier, random.integers(0, 1 << 32, count).astype(np.uint64) * has,
                            random.integers(0, 4096, count).astype(np.uint64) * has)
        bits = {"by": 2, "scope": 2, "mode": 2, "warp": 5, "block": 20, "number": 12, "published": 19, "run": 11,
                "completion_slot": 20}
        for name, width in bits.items():
            calls[name] = random.integers(0, 1 << width, count).astype(np.uint64)
        calls["by"] = random.integers(0, 5, count).astype(np.uint64)
        is_ring = (calls["by"] == unpack.IN_RING) & (calls["mode"] != 2)
        calls["ring"] = [random.integers(0, 1 << 32, count).astype(np.uint64) * is_ring for _ in range(2)]
        words, places = made_up.pack(calls)
        words = np.concatenate([words, np.zeros(16, np.uint64)])
        records = unpack.Records(words, places, np.full(count, len(words) - 16), np.zeros(count, np.uint16))
        self.assertEqual(len(records), count)
        for name in bits:
            np.testing.assert_array_equal(records.field(name), calls[name], name)
        for which, name in enumerate(("taken", "started", "ended")):
            np.testing.assert_array_equal(records.time(which), calls[name], name)
        args, result = records.args()
        np.testing.assert_array_equal(args, calls["args"])
        np.testing.assert_array_equal(result, calls["result"].view(np.int64))
        np.testing.assert_array_equal(records.result(), result)
        for found, expected in zip(records.earlier(), calls["earlier"]):
            np.testing.assert_array_equal(found, expected)
        for found, expected in zip(records.ring(), (is_ring, *calls["ring"])):
            np.testing.assert_array_equal(found, expected)

    def test_a_run_number_that_is_used_again(self):
        calls = made_up.timed_calls([100] * 3, 39)
        calls["run"] = np.array([5, 5, 6], np.uint64)
        with made_up.Writer(self.folder / "record") as to:
            to.clocks(1000)
            for name in (None, "first", "second", ""):
                if name is not None:
                    to.run(5, name)
                to.calls(0, calls)
            to.clocks(10**9)
        found = genesys_trace.read(self.folder / "record").run_name.tolist()
        self.assertEqual(found, ["", "", "", "first", "first", "", "second", "second", "", "", "", ""])

    def test_known_times(self):
        took = [1, 250, 10**6, 5 * 10**9]  # the last needs the long form
        made_up.write_timed(self.folder / "record", took)
        table = genesys_trace.read(self.folder / "record")
        self.assertEqual(table.linux_ns.tolist(), took)
        self.assertEqual((table.ended_ns - table.started_ns).tolist(), took)
        self.assertEqual((table.completed_ns - table.ended_ns).tolist(), [10] * 4)
        self.assertEqual(int(table.taken_ns[0]), made_up.REALTIME_NS + 1_001_000)
        self.assertEqual(table.name.unique().tolist(), ["getppid"])
        self.assertEqual((table.attrs["truncated"], table.attrs["dropped"]), (False, 0))

    def test_published_and_seen(self):
        """The device's clock is another: 7.5 s more. A call waits up to 40 us in its queue, and is seen after 0.3 us or
        more."""
        random = np.random.default_rng(1)
        count, apart = 20_000, 7_500_000_000
        calls = made_up.timed_calls(random.integers(500, 2000, count), 39, gap_ns=50_000)
        queued = random.integers(300, 40_000, count).astype(np.uint64)
        queued[::50] = 300
        calls["published"] = (calls["taken"] - queued + np.uint64(apart) >> np.uint64(10)) & np.uint64(0x7FFFF)
        seen = calls["completed"] + random.integers(300, 9000, count).astype(np.uint64)
        calls["completion_slot"] = np.arange(count, dtype=np.uint64) % np.uint64(3)
        zero = np.zeros(3, np.uint64)
        calls["earlier"] = (np.concatenate([zero, calls["completed"][:-3]]),
                            np.concatenate([zero, seen[:-3] + np.uint64(apart)]) & np.uint64(0xFFFFFFFF),
                            np.concatenate([zero, calls["number"][:-3]]))
        with made_up.Writer(self.folder / "record") as to:
            to.run(0, "first")
            to.clocks(1_000_000)
            to.calls(4, calls)
            to.dropped(4, 17)
            to.clocks(int(calls["completed"][-1]))
        table = genesys_trace.read(self.folder / "record")
        error = table.attrs["clock_error_ns"]
        self.assertLess(error, 1000)
        self.assertLess((table.queue_ns - queued.astype(np.int64)).abs().max(), 1024 + 2 * error)
        self.assertEqual(table.seen_ns.isna().sum(), 3)  # of the last call at each slot it is not known
        apart_ns = table.seen_ns[:-3] - made_up.REALTIME_NS - seen[:-3].astype(np.int64)
        self.assertLess(apart_ns.abs().max(), 1024 + 2 * error)
        self.assertEqual((table.attrs["dropped"], table.run_name.unique().tolist(), table.worker.unique().tolist()),
                         (17, ["first"], [4]))

    def test_cut_off_anywhere(self):
        path = self.folder / "record"
        made_up.write_timed(path, np.arange(1, 2001))
        content = path.read_bytes()
        whole = genesys_trace.read(path)
        sections = self.section_ends(content)
        self.assertEqual(len(sections), 6)  # clocks, three of calls, clocks, the end
        cuts = {1024, *sections}
        for end in sections:
            cuts |= {end - 1, end + 1, end + 23, end + 24, end + 25, end - 8}
        for cut in sorted(cut for cut in cuts if cut <= len(content)):
            path.write_bytes(content[:cut])
            if cut < sections[0]:
                with self.assertRaisesRegex(genesys_trace.NotReadable, "no pair of clocks"):
                    genesys_trace.read(path)
                continue
            table = genesys_trace.read(path)
            complete = sum(end <= cut for end in sections)
            self.assertEqual(table.attrs["truncated"], cut != len(content), cut)
            self.assertEqual(len(table), [0, 0, 900, 1800, 2000, 2000, 2000][complete], cut)
            if complete >= 5:
                self.assertEqual(table.linux_ns.tolist(), whole.linux_ns.tolist())
        for cut in (0, 7, 8, 1023):
            path.write_bytes(content[:cut])
            with self.assertRaises(genesys_trace.NotReadable):
                genesys_trace.read(path)

    def section_ends(self, content):
        at, ends = 1024, []
        while at < len(content):
            at += struct.unpack_from("<I", content, at)[0]
            ends.append(at)
        return ends

    def test_wrong_bytes(self):
        """Whatever the sections hold, the reader ends, with columns of one length."""
        columns_and_data = (*genesys_trace.COLUMNS, "data")
        random = np.random.default_rng(1)
        made_up.write_timed(self.folder / "record", np.arange(1, 1001))
        content = np.frombuffer((self.folder / "record").read_bytes(), np.uint8)
        for _ in range(300):
            wrong = content.copy()
            at = random.integers(1024 + 56, len(wrong), 20)
            wrong[at] = random.integers(0, 256, 20)
            wrong.tofile(self.folder / "wrong")
            for columns in genesys_trace.sections(self.folder / "wrong", columns_and_data):
                self.assertEqual(len({len(column) for column in columns.values()}), 1)

    def test_another_version(self):
        made_up.write_timed(self.folder / "record", [1])
        content = bytearray((self.folder / "record").read_bytes())
        content[8] = 9
        (self.folder / "record").write_bytes(content)
        with self.assertRaisesRegex(genesys_trace.NotReadable, "version 9"):
            recording_format.read_map(self.folder / "record")

    def test_batches_and_columns(self):
        made_up.write_large(self.folder / "record", 700_000)
        recording = genesys_trace.Recording(self.folder / "record")
        self.assertEqual(recording.count, 700_000)
        batches = list(recording.sections(("number", "linux_ns", "result")))
        self.assertGreater(len(batches), 2)
        self.assertEqual(sum(len(batch["number"]) for batch in batches), 700_000)
        self.assertEqual(set(batches[0]), {"number", "linux_ns", "result"})
        self.assertEqual({int(value) for batch in batches for value in np.unique(batch["result"])}, {100})
        with self.assertRaisesRegex(ValueError, "no columns"):
            list(recording.sections(("nonsense",)))

    def test_arrow(self):
        try:
            import pyarrow  # noqa: F401
        except ModuleNotFoundError:
            self.skipTest("pyarrow is not installed")
        made_up.write_timed(self.folder / "record", [5, 6])
        self.assertEqual(genesys_trace.read_arrow(self.folder / "record").column("linux_ns").to_pylist(), [5, 6])


class Names(unittest.TestCase):
    def test_architectures(self):
        self.assertEqual(names.call_name(257, "x86-64"), "openat")
        self.assertEqual(names.call_name(56, "arm64"), "openat")
        self.assertEqual(names.call_name(600, "x86-64"), "syscall_600")

    def test_kinds_of_the_paper(self):
        kinds = {"operating system": "mprotect brk rt_sigaction rt_sigprocmask rt_sigreturn pipe dup2 wait4 madvise"
                                     " recvmsg futex poll fcntl",
                 "metadata": "stat fstat lstat open close access lseek",
                 "user data": "mmap munmap read write"}
        for kind, calls in kinds.items():
            self.assertEqual({names.kind_of(call) for call in calls.split()}, {kind})
        classes = {"memory operations": "mprotect brk mmap munmap madvise",
                   "signal processing": "rt_sigaction rt_sigreturn rt_sigprocmask",
                   "interprocess communication": "pipe recvmsg recvfrom",
                   "file operations": "dup2 stat fstat lstat open close access lseek fcntl",
                   "user data operations": "read write", "locking operations": "futex poll wait4"}
        for of_class, calls in classes.items():
            self.assertEqual({names.class_of(call) for call in calls.split()}, {of_class})

    def test_errors(self):
        self.assertEqual([names.error_name(-9), names.error_name(-4095), names.error_name(3)], ["EBADF", "errno 4095",
                                                                                             None])


if __name__ == "__main__":
    os.environ.setdefault("GENESYS_DEVICE", "cpu")
    unittest.main()
