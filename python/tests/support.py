# SPDX-License-Identifier: Apache-2.0
"""What the tests of genesys_trace share: a folder of their own, the programs of a build, and the package's command.

GENESYS_PROGRAMS is the folder of the programs of a build (genesys, grep); without it tests of real recordings are
skipped. './dev test' sets it.
"""

import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAMS = pathlib.Path(os.environ.get("GENESYS_PROGRAMS") or "none").absolute()
needs_programs = unittest.skipUnless((PROGRAMS / "genesys").exists() and (PROGRAMS / "grep").exists(),
                                     "GENESYS_PROGRAMS has no genesys and grep")


class TestCase(unittest.TestCase):
    def setUp(self):
        place = tempfile.TemporaryDirectory(prefix="genesys_trace.")
        self.addCleanup(place.cleanup)
        self.folder = pathlib.Path(place.name)

    def run_it(self, *words, **more):
        """The package's command, with its exit status, output and errors."""
        return run(sys.executable, "-m", "genesys_trace", *words, cwd=self.folder, **more)

    def recording_of_grep(self, name="grep.rec"):
        """A real recording: grep on the CPU device."""
        path = self.folder / name
        grep = (PROGRAMS / "grep", "-F", "-l", "-e", "include", "-r", ROOT / "src")
        done = run(PROGRAMS / "genesys", "trace", "--record", path, "-o", os.devnull, "--", *grep,
                   env={**os.environ, "GENESYS_DEVICE": "cpu"})
        self.assertEqual(done.returncode, 0, done.stderr)
        return path


def run(*words, **more):
    return subprocess.run([str(word) for word in words], capture_output=True, text=True, timeout=120, **more)
