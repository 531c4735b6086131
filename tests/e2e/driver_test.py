#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What a program reports if it cannot use the CUDA device: no driver, an old one, no GPU. Needs no GPU.

A library that has only a version number takes the place of an old driver: genesys reads nothing else before it fails.
usage: driver_test.py URGENT (the sample)
"""
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

URGENT = pathlib.Path(sys.argv[1]).resolve()
OLD_DRIVER = """
int cuInit(unsigned flags) { return flags != 0; }
int cuDriverGetVersion(int* version) { *version = 12040; return 0; }
"""


class Driver(unittest.TestCase):
    def refused(self, *words, **environment):
        done = subprocess.run(
            [URGENT], capture_output=True, text=True, timeout=60,
            env={**os.environ, "GENESYS_DEVICE": "cuda", **environment})
        self.assertEqual((done.returncode, done.stdout), (1, ""), done.stderr)
        self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
        for word in words:
            self.assertIn(word, done.stderr)

    @unittest.skipIf(os.path.exists("/dev/nvidiactl"), "there is a driver")
    def test_no_driver(self):
        self.refused("no NVIDIA driver", "GENESYS_DEVICE=cpu")

    @unittest.skipUnless(os.path.exists("/dev/nvidiactl"), "there is no driver")
    def test_no_gpu(self):
        self.refused("offers no GPU", "CUDA_VISIBLE_DEVICES", CUDA_VISIBLE_DEVICES="")

    def test_old_driver(self):
        with tempfile.TemporaryDirectory() as folder:
            source = pathlib.Path(folder, "driver.c")
            source.write_text(OLD_DRIVER)
            subprocess.run(["gcc", "-shared", "-fPIC", "-Wl,-soname,libcuda.so.1", "-o",
                            pathlib.Path(folder, "libcuda.so.1"), source], check=True)
            folders = os.pathsep.join(filter(None, (folder, os.environ.get("LD_LIBRARY_PATH"))))
            self.refused("CUDA 12.4", "needs 13.0", "install driver 580", LD_LIBRARY_PATH=folders)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
