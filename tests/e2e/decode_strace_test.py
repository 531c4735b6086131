#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The decoder of genesys trace against strace: a program makes thousands of calls natively and decodes each of them
(decode_native.cpp), and strace prints the same calls. The texts must be equal, but for the differences listed here.
Run by ./dev test.

usage: decode_strace_test.py PROGRAM
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

PROGRAM = pathlib.Path(sys.argv[1]).resolve()
MARKER = "syscall_0xdead("  # the program makes this call before each one that it decodes
CALLS_MIN = 3000

# What the decoder prints otherwise than strace 6.1: a pattern of the decoder's text, and the reason. A difference that
# no pattern explains fails the test.
DIFFERENCES = [
    # strace 6.1 is older than the table.
    (r"(fchmodat2|cachestat|\w+xattrat|set_mempolicy_home_node|futex_w\w+|file_\wetattr)\(", "strace lacks the call"),
    (r"fcntl\(\d+, F_[GS]ET_RW_HINT", "strace lacks the command"),
    (r"memfd_create\(.*MFD_(NOEXEC_SEAL|EXEC)", "strace lacks the flag"),
    (r"sched_\w+\(.*SCHED_EXT", "strace lacks the policy"),
    (r"capget\(.*, NULL\)", "strace reads the version after Linux wrote it"),
    # The table knows less.
    (r"socket\(AF_PACKET, ", "protocols of Ethernet have no names in the table"),
    (r"connect\(\d+, \{sa_family=AF_AX25, ", "the table has the addresses of the usual families only"),
    (r"getdents64\(\d+, 0x", "the table does not describe the records of a folder"),
    (r"ioprio_[gs]et\(", "IOPRIO_PRIO_VALUE combines two numbers"),
    (r"quotactl\(", "QCMD combines two constants, which the table prints as flags; strace omits unused arguments"),
    (r"membarrier\(MEMBARRIER_CMD_QUERY, 0\) = \d+$", "the result of this command alone is a set"),
    (r"swapon\(.*\|0x", "strace prints the priority in decimal"),
    (r"sysfs\(SYSFS_COUNT\)", "strace does not decode the call"),
    (r"syslog\(SYSLOG_ACTION_", "strace prints the number, and omits unused arguments"),
    (r"mount_setattr\(.*propagation=0,", "strace adds a comment to 0"),
    # strace prints less, or what was not there.
    (r"[gs]etsockopt\(\d+, SOL_SOCKET, SO_(RCV|SND)TIMEO_OLD, \{tv_sec=", "strace prints the bytes of this structure"),
    (r"setsockopt\(\d+, SOL_IP(V6)?, \w*(MEMBERSHIP|ANYCAST), \[1\], 4\)", "too short; strace prints the address"),
    (r"getsockname\(\d+, \{sa_family=AF_INET6?, sin6?_port=htons\(\d+\)\}, \[4 => ", "strace prints bytes if cut"),
    (r"openat2\(.*\{flags=O_RDONLY\}, 8\)", "too short; strace prints the address"),
    (r"ioctl\(\d+, FBIOPUT_VSCREENINFO, \{", "strace prints the address of this structure"),
    (r"getxattr\(.*, 0\) = \d+$", "strace prints what the buffer held, which Linux did not write"),
    (r"msgrcv\(", "strace prints as many bytes as were asked for, not as were received"),
    (r"mount\(.*MS_BIND", "strace prints addresses, because Linux ignores these arguments"),
    (r"name_to_handle_at\(", "strace also prints the size before the call"),
]


def without_end(line):
    """strace writes such lines for a child or a signal."""
    return line.startswith(("---", "+++"))


class DecoderAndStrace(unittest.TestCase):
    def compared(self, full):
        """Runs the program under strace. Returns pairs of lines: strace's, the decoder's."""
        with tempfile.TemporaryDirectory(prefix="decode_strace_test.") as folder:
            place = pathlib.Path(folder)
            (place / "files").mkdir()
            command = ["strace", "-a", "1", "-o", place / "strace", *(["-v"] if full else [])]
            command += [PROGRAM, place / "files", place / "decoder", *(["full"] if full else [])]
            environment = dict(os.environ, TZ="UTC", LC_ALL="C")
            done = subprocess.run(command, capture_output=True, text=True, timeout=100, env=environment)
            self.assertEqual(done.returncode, 0, done.stderr)
            lines = (place / "strace").read_text(errors="replace").splitlines()
            decoded = (place / "decoder").read_text(errors="replace").splitlines()
        lines = [line for line in lines if not without_end(line)]
        traced = [lines[i + 1] for i, line in enumerate(lines) if line.startswith(MARKER)]
        self.assertEqual(len(traced), len(decoded))
        return list(zip(traced, decoded))

    def check(self, full):
        pairs = self.compared(full)
        self.assertGreater(len(pairs), CALLS_MIN)
        differ = [(theirs, ours) for theirs, ours in pairs if theirs != ours]
        wrong = [pair for pair in differ if not any(re.match(pattern, pair[1]) for pattern, _ in DIFFERENCES)]
        names = {ours.split("(")[0] for _, ours in pairs}
        print(f"{'-v: ' if full else ''}{len(pairs)} calls with {len(names)} names: {len(pairs) - len(differ)} printed "
              f"as strace does, {len(differ) - len(wrong)} with a justified difference")
        text = "".join(f"\nstrace:  {theirs}\ndecoder: {ours}" for theirs, ours in wrong[:20])
        self.assertEqual(wrong, [], f"{len(wrong)} calls are not printed as strace prints them:{text}")

    def test_calls_are_printed_as_strace_does(self):
        self.check(full=False)

    def test_calls_are_printed_in_full_as_strace_does(self):
        self.check(full=True)


if __name__ == "__main__":
    if shutil.which("strace") is None:
        print("skipped: strace is not installed")
        DecoderAndStrace = unittest.skip("strace is not installed")(DecoderAndStrace)
    unittest.main(argv=sys.argv[:1])
