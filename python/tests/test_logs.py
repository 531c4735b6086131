# SPDX-License-Identifier: Apache-2.0
"""Logs of strace and perf trace: each line that is a call becomes one, whatever lies between."""

import shutil
import unittest

import genesys_trace
import numpy as np
from genesys_trace import perf_trace, strace
from genesys_trace.sources import open_source

from support import TestCase, run

STRACE = r"""
100 1700000000.000100 execve("/bin/x", ["x", ") = 5 <0.1>"], 0x7ffd /* 37 vars */) = 0 <0.000179>
100 1700000000.000300 brk(NULL)         = 0x5642ae2d7000 <0.000003>
100 1700000000.000400 access("/etc/ld.so.preload", R_OK) = -1 ENOENT (No such file or directory) <0.000004>
100 1700000000.000500 fcntl(3</tmp/a b>, F_GETFD) = 0x1 (flags FD_CLOEXEC) <0.000002>
100 1700000000.000600 poll([{fd=3, events=POLLIN}], 1, 0) = 1 ([{fd=3, revents=POLLIN}]) <0.000001>
100 1700000000.000700 poll([{fd=3, events=POLLIN}], 1, 5) = 0 (Timeout) <0.005000123>
100 1700000000.001000 wait4(-1,  <unfinished ...>
101 1700000000.001100 read(0, "text (", 1024) = 6 <0.000008>
strace: Process 102 attached
102 1700000000.001200 futex(0x7f, FUTEX_WAIT, 1, NULL <unfinished ...>
101 1700000000.001300 --- SIGUSR1 {si_signo=SIGUSR1, si_code=SI_USER, si_pid=9} ---
101 1700000000.001400 rt_sigsuspend([], 8) = ? ERESTARTNOHAND (To be restarted if no handler) <0.000900>
101 1700000000.002300 exit_group(0)     = ?
101 1700000000.002400 +++ exited with 0 +++
100 1700000000.002500 <... wait4 resumed>[{WIFEXITED(s) && WEXITSTATUS(s) == 0}], 0, NULL) = 101 <0.001500>
100 1700000000.002600 restart_syscall(<... resuming interrupted read ...>) = 3 <0.000005>
102 1700000000.002700 +++ killed by SIGKILL +++
100 1700000000.002800 nanosleep({tv_sec=1, tv_nsec=0}, <unfinished ...>
"""
STRACE_CALLS = [  # name, thread, result, error, time in Linux, start after 1700000000 in us
    ("execve", 100, 0, None, 179_000, 100), ("brk", 100, 0x5642AE2D7000, None, 3000, 300),
    ("access", 100, -2, "ENOENT", 4000, 400), ("fcntl", 100, 1, None, 2000, 500), ("poll", 100, 1, None, 1000, 600),
    ("poll", 100, 0, None, 5_000_123, 700), ("read", 101, 6, None, 8000, 1100),
    ("rt_sigsuspend", 101, None, "ERESTARTNOHAND", 900_000, 1400), ("exit_group", 101, None, None, -1, 2300),
    ("wait4", 100, 101, None, 1_500_000, 1000), ("restart_syscall", 100, 3, None, 5000, 2600)]

PERF = """
         ? (         ): ls/15253  ... [continued]: execve())                                     = 0
12126832.291 ( 0.016 ms): ls/15253 brk()                                                         = 0x561ad1fb7000
12126834.900 ( 0.017 ms): ls/15253 access(filename: 0xd15602a0, mode: R)      = -1 ENOENT (No such file or directory)
12126835.052 ( 0.117 ms): my prog/7 openat(dfd: CWD, filename: "/a) = 5", flags: RDONLY|CLOEXEC) = 3
LOST 12 events!
12126836.000 (         ): sh/18674 wait4(upid: -1, stat_addr: 0x7ffed10fce8c)                     ...
12126836.100 ( 0.025 ms): cat/18676 fcntl(fd: 7</usr/include>, cmd: GETFL)                        = RDONLY|DIRECTORY
12126836.000 (92.890 ms): sh/18674  ... [continued]: wait4())                                     = 18676 (cat)
12126836.300 (         ): cat/18676 exit_group()                                                  = ?
     0.500 ( 0.001 ms): getpid()                                                                  = 42
something else
"""
PERF_CALLS = [("execve", 15253, 0, None, -1, 0), ("brk", 15253, 0x561AD1FB7000, None, 16_000, 12126832291),
              ("access", 15253, -2, "ENOENT", 17_000, 12126834900), ("openat", 7, 3, None, 117_000, 12126835052),
              ("fcntl", 18676, None, None, 25_000, 12126836100),
              ("wait4", 18674, 18676, None, 92_890_000, 12126836000),
              ("exit_group", 18676, None, None, -1, 12126836300), ("getpid", -1, 42, None, 1000, 500)]


class Logs(TestCase):
    def write(self, text):
        path = self.folder / "log"
        path.write_text(text.lstrip("\n"))
        return path

    def check(self, text, reader, kind, expected, base_ns):
        calls, counts = list(reader.parse(text.strip("\n").splitlines(), {})), {}
        self.assertEqual([(call.name, call.thread, call.result, call.error, call.linux_ns,
                           call.started_ns and (call.started_ns - base_ns) // 1000) for call in calls], expected)
        list(reader.parse(text.splitlines(), counts))
        source = open_source(self.write(text))
        self.assertEqual(source.kind, kind)
        blocks = list(source.blocks())
        self.assertEqual([source.name_of(code) for code in np.concatenate([block["call"] for block in blocks])],
                         [call[0] for call in expected])
        return counts

    def test_strace(self):
        counts = self.check(STRACE, strace, "strace", STRACE_CALLS, 1_700_000_000 * 10**9)
        self.assertEqual(counts, {"lines": 1, "calls that did not return": 2})

    def test_perf_trace(self):
        counts = self.check(PERF, perf_trace, "perf trace", PERF_CALLS, 0)
        self.assertEqual(counts, {"lines": 1, "lost": 12})

    def test_tables(self):
        table = genesys_trace.read(self.write(STRACE))
        self.assertEqual(table.name.tolist(), [call[0] for call in STRACE_CALLS])
        self.assertEqual(table[table.name == "wait4"].arguments.tolist()[0][:5], "-1,[{")
        self.assertEqual(table.linux_ns.isna().sum(), 1)
        self.assertEqual(table.result.isna().sum(), 2)
        self.assertEqual(table.number[table.name == "fcntl"].tolist(), [genesys_trace.names.number_of("fcntl")])

    def test_other_forms_of_strace(self):
        lines = ['[pid  1234] 12:00:01.000005 read(3, "", 1) = 0 <0.000001>', 'close(3) = 0 <0.000007>',
                 '12:00:01 close(3)   = 0', '<... read resumed>"", 1) = 0 <0.000002>',
                 '9 1700000000.5 read(3,  <unfinished ...>', '9 1700000000.6 <... read resumed>"", 1) = 0']
        calls = list(strace.parse(lines, {}))
        self.assertEqual([(call.name, call.thread, call.started_ns, call.linux_ns) for call in calls],
                         [("read", 1234, 43201 * 10**9 + 5000, 1000), ("close", -1, 0, 7000),
                          ("close", -1, 43201 * 10**9, -1), ("read", -1, 0, 2000),
                          ("read", 9, 1_700_000_000_500_000_000, 100_000_000)])

    def test_what_is_no_log(self):
        for text in ("", "\n\n", "some text\nof several lines\n", "def f(x):\n    y = g(x)\n    return y\n", "\0\1"):
            with self.assertRaisesRegex(genesys_trace.NotReadable, "is no recording of genesys"):
                open_source(self.write(text))

    def test_odd_lines(self):
        """Lines that are cut off, doubled or mixed up make no call up, and stop nothing."""
        random = np.random.default_rng(1)
        for text, reader in ((STRACE, strace), (PERF, perf_trace)):
            lines = text.strip("\n").splitlines()
            for _ in range(300):
                line = lines[random.integers(len(lines))]
                cut = line[random.integers(len(line)):] + line[:random.integers(len(line))]
                for call in reader.parse([cut, line], {}):
                    self.assertTrue(call.name.isidentifier())

    @unittest.skipUnless(shutil.which("strace"), "strace is not installed")
    def test_a_real_log_of_strace(self):
        log = self.folder / "log"
        script = "sleep 0.05 & ls -R /usr/lib/python3 | wc -l; wait"
        done = run("strace", "-f", "-T", "-ttt", "-o", log, "sh", "-c", script)
        if done.returncode != 0:
            self.skipTest(f"strace does not run here: {done.stderr.strip()[-100:]}")
        table = genesys_trace.read(log)
        begun = [line for line in log.read_text().splitlines() if "(" in line and " resumed>" not in line
                 and not line.split(maxsplit=2)[2].startswith(("---", "+++"))]
        self.assertEqual(len(table) + table.attrs["not_used"].get("calls that did not return", 0), len(begun))
        self.assertEqual(table.attrs["not_used"].get("lines", 0), 0)
        self.assertEqual(table.thread.nunique(), 4)
        self.assertEqual(set(table.name[table.linux_ns.isna()]) - {"exit_group", "exit"}, set())
        slept = table[table.name.isin(["clock_nanosleep", "nanosleep"])]
        self.assertGreaterEqual(int(slept.linux_ns.max()), 50_000_000)


if __name__ == "__main__":
    unittest.main()
