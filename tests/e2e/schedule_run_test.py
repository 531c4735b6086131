#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""genesys schedule run: a program finds the stand-in in place of the driver's library, and behaves as without it.

A small library takes the place of the driver, and a small program that of CUDA's runtime. Needs gcc and no GPU.
usage: schedule_run_test.py GENESYS
"""
import os
import pathlib
import shutil
import stat
import subprocess
import sys
import tempfile
import unittest

GENESYS = pathlib.Path(sys.argv[1]).resolve()
DRIVER = r"""
#include <stdio.h>
int cuInit(unsigned flags) { printf("driver: cuInit(%u)\n", flags); return 0; }
int cuMemcpyBatchAsync(long a, long b, long c, long d, long e, long f, long g, long h, long i) {
  printf("driver: %ld %ld %ld %ld %ld %ld %ld %ld %ld\n", a, b, c, d, e, f, g, h, i);
  return 7;
}
int cuCtxSynchronize(void) { return cuInit(5); }
"""
PROGRAM = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(int count, char** words) {
  const char* nice = getenv("GENESYS_SCHEDULE_NICE");
  printf("program: %d arguments, nice %s\n", count - 1, nice ? nice : "none");
  for (int i = 1; i < count; ++i) printf("argument: %s\n", words[i]);
  void* driver = dlopen("libcuda.so.1", RTLD_NOW);
  if (driver == NULL) return 99;
  int (*init)(unsigned) = (int (*)(unsigned))dlsym(driver, "cuInit");
  Dl_info about;
  if (dladdr((void*)init, &about) != 0) printf("library: %s\n", about.dli_fname);
  int (*copy)(long, ...) = (int (*)(long, ...))dlsym(driver, "cuMemcpyBatchAsync");
  int (*wait)(void) = (int (*)(void))dlsym(driver, "cuCtxSynchronize");
  int (*newer)(void) = (int (*)(void))dlsym(driver, "cuGreenCtxDestroy");
  printf("results: %d %d %d", init(3), copy(1, 2L, 3L, 4L, 5L, 6L, 7L, 8L, 9L), wait());
  printf(" %d\n", newer ? newer() : -1);
  fflush(stdout);
  if (count > 1 && strcmp(words[1], "--abort") == 0) abort();
  return 42;
}
"""


class Run(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp())
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        cls.driver = cls.folder / "driver" / "libcuda.so.1"
        cls.driver.parent.mkdir()
        cls.program = cls.folder / "program"
        cls.compiled(DRIVER, cls.driver, "-shared", "-fPIC", "-Wl,-soname,libcuda.so.1")
        cls.compiled(PROGRAM, cls.program, "-ldl")

    @classmethod
    def compiled(cls, text, into, *options):
        source = into.with_suffix(".c")
        source.write_text(text)
        subprocess.run(["gcc", "-o", into, source, *options], check=True)

    def run_it(self, *words, **environment):
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("GENESYS_", "LD_"))}
        return subprocess.run([GENESYS, "schedule", "run", *map(str, words)], capture_output=True, text=True,
                              timeout=60, env={**kept, "LD_LIBRARY_PATH": str(self.driver.parent), **environment})

    def refused(self, done, status, *words):
        self.assertEqual((done.returncode, done.stdout), (status, ""), done.stderr)
        self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
        for word in words:
            self.assertIn(word, done.stderr)

    def test_program(self):
        done = self.run_it("--nice", "-5", "--", self.program, "--nice", "7")
        self.assertEqual((done.returncode, done.stderr), (42, ""))
        lines = done.stdout.splitlines()
        self.assertEqual(lines[:3], ["program: 2 arguments, nice -5", "argument: --nice", "argument: 7"])
        library = next(line for line in lines if line.startswith("library: "))
        self.assertRegex(library, r"/standin/libcuda\.so|/genesys/lib\w+\.so")
        self.assertIn("driver: cuInit(3)", lines)
        self.assertIn("driver: 1 2 3 4 5 6 7 8 9", lines)
        self.assertIn("driver: cuInit(5)", lines)  # the driver's call of its own function
        self.assertIn("results: 0 7 0 801", lines)  # the last one is missing in this driver: not supported

    def test_words(self):
        for words in ([self.program], ["--", self.program], ["--nice", "19", self.program, "-x", "--", "y"]):
            done = self.run_it(*words)
            self.assertEqual((done.returncode, done.stderr), (42, ""), words)
        self.assertIn("argument: --", done.stdout)
        self.assertIn("nice 0", self.run_it(self.program).stdout)
        for words in ([], ["--nice", "20", self.program], ["--nice", "much", self.program], ["--unknown", self.program],
                      ["--nice"]):
            done = self.run_it(*words)
            self.assertEqual((done.returncode, done.stdout), (2, ""), words)
        self.assertIn("--nice", self.run_it("--help").stdout)

    def test_path(self):
        done = self.run_it("program", PATH=str(self.folder) + ":" + os.environ["PATH"])
        self.assertEqual((done.returncode, done.stderr), (42, ""))
        script = self.folder / "script"
        script.write_text(f"#!/bin/sh\n{self.program} from a script\nexit 3\n")
        script.chmod(0o755)
        done = self.run_it(script)
        self.assertEqual((done.returncode, done.stderr), (3, ""))
        self.assertIn("results: 0 7 0 801", done.stdout)
        self.assertIn("nice 0", done.stdout)

    def test_signal(self):
        done = self.run_it("--", self.program, "--abort")
        self.assertEqual(done.returncode, -6)

    def test_program_that_searches_elsewhere_first(self):
        own = self.folder / "with_rpath"
        self.compiled(PROGRAM, own, "-ldl", f"-Wl,--disable-new-dtags,-rpath,{self.driver.parent}")
        done = self.run_it(own)
        self.assertIn("results: 0 7 0 801", done.stdout)

    def test_library_of_the_user(self):
        other = self.folder / "other"
        other.mkdir(exist_ok=True)
        shutil.copy(self.driver, other / "driver.so")
        done = self.run_it(self.program, LD_LIBRARY_PATH="", GENESYS_SCHEDULE_LIBCUDA=str(other / "driver.so"))
        self.assertEqual((done.returncode, done.stderr), (42, ""))
        self.assertIn("driver: cuInit(3)", done.stdout)
        self.refused(self.run_it(self.program, GENESYS_SCHEDULE_LIBCUDA="/nowhere/libcuda.so.1"), 125,
                     "GENESYS_SCHEDULE_LIBCUDA", "/nowhere")

    def test_one_around_the_other(self):
        done = self.run_it("--nice", "3", GENESYS, "schedule", "run", "--nice", "4", self.program)
        self.assertEqual((done.returncode, done.stderr), (42, ""))
        self.assertIn("nice 4", done.stdout)
        self.assertIn("results: 0 7 0 801", done.stdout)

    @unittest.skipIf(os.path.exists("/dev/nvidiactl"), "there is a driver")
    def test_no_driver(self):
        self.refused(self.run_it(self.program, LD_LIBRARY_PATH=""), 125, "no driver", "libcuda.so.1", "Install")

    def test_no_such_program(self):
        self.refused(self.run_it("/nowhere/program"), 127, "/nowhere/program")
        self.refused(self.run_it("no-such-program"), 127, "PATH")

    def test_what_cannot_run(self):
        text = self.folder / "text"
        text.write_text("no program\n")
        self.refused(self.run_it(text), 126, "not executable", "chmod")
        self.refused(self.run_it(self.folder), 126, "folder")
        text.chmod(0o755)
        self.refused(self.run_it(text), 126, "#!")

    @unittest.skipUnless(os.geteuid() == 0, "only root can give a program to another user")
    def test_setuid(self):
        for mode in (stat.S_ISUID, stat.S_ISGID):
            program = self.folder / "setuid"
            shutil.copy(self.program, program)
            os.chown(program, 65534, 65534)
            program.chmod(0o755 | mode)
            self.refused(self.run_it(program), 126, "setuid", "copy")
            program.unlink()

    def test_test_modes_are_checked(self):
        done = self.run_it(self.program, GENESYS_SCHEDULE_TEST="nonsense")
        self.assertEqual(done.returncode, 42)
        self.assertIn("must be observe, rewrite, abort-at-entry or abort-at-random", done.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
