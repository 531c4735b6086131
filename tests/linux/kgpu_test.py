#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The Linux module kgpu in a virtual machine: it is built for Debian's kernel, and kgpu_machine.sh tries it there.

usage: kgpu_test.py FOLDER-WITH-kgpu_daemon-AND-af_alg_check
The folder above may have genesys-kgpu.
"""
import contextlib
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

from machine import HERE, KEPT, ROOT, add_program, made_initramfs, made_tree, need, qemu, unpacked

PROGRAMS = pathlib.Path(sys.argv[1]).resolve()
BOOT_S = 1100
MODULES = ("brd", "dm-mod", "dm-crypt", "xts", "aesni-intel", "algif_skcipher", "af_alg", "ext4", "crc32c_generic")
CASES = re.findall(r"^run_case (\w+)", (HERE / "kgpu_machine.sh").read_text(), re.MULTILINE)


def built_module(kernel, version, folder):
    shutil.copytree(ROOT / "linux" / "kgpu", folder)
    headers = kernel / "usr" / "src" / f"linux-headers-{version}"
    command = ["make", "-C", headers, f"M={folder}", "modules"]
    result = subprocess.run(command, capture_output=True, text=True, timeout=300)
    if result.returncode != 0:
        raise AssertionError(f"the module does not compile:\n{result.stdout[-2000:]}{result.stderr[-4000:]}")
    return folder / "kgpu.ko"


def made_machine(kernel, version, module, root):
    made_tree(root, kernel, version, MODULES)
    extra = root / "lib" / "modules" / version / "extra"
    extra.mkdir()
    shutil.copy(module, extra)
    for name in ("dmsetup", "mke2fs"):
        add_program(root, shutil.which(name), name)
    for name in ("kgpu_daemon", "af_alg_check"):
        add_program(root, PROGRAMS / name, name)
    if (PROGRAMS.parent / "genesys-kgpu").exists():
        add_program(root, PROGRAMS.parent / "genesys-kgpu", "genesys-kgpu")
    common = kernel / "usr" / "src" / f"linux-headers-{version.replace('-cloud-amd64', '')}-common"
    shutil.copytree(common / "include" / "linux", root / "tree")
    return made_initramfs(root, version, HERE / "kgpu_machine.sh")


class KgpuTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        need("dmsetup", "mke2fs", "make", "gcc-12")
        if not (PROGRAMS / "kgpu_daemon").exists():
            raise unittest.SkipTest("kgpu_daemon was not built: there is no OpenSSL")
        kernel, version = unpacked("cloud-amd64", with_headers=True)
        with tempfile.TemporaryDirectory(prefix="kgpu_test.", dir=KEPT) as folder:
            folder = pathlib.Path(folder)
            module = built_module(kernel, version, folder / "module")
            initramfs = made_machine(kernel, version, module, folder / "root")
            log = KEPT / "kgpu_test.log"
            with open(log, "wb") as to, contextlib.suppress(subprocess.TimeoutExpired):
                command = qemu(kernel, version, initramfs, 1536, "slub_debug=FZP", "-serial", "stdio")
                subprocess.run(command, stdin=subprocess.DEVNULL, stdout=to, stderr=subprocess.STDOUT, timeout=BOOT_S)
        cls.said = log.read_text(errors="replace").replace("\r", "")

    def test_all_cases_ran(self):
        self.assertIn("all cases ran", self.said, self.said[-3000:])


def case(name):
    def test(self):
        text = re.search(rf"case {name}: begins.*?case {name}: (passed|failed).*?(?=\ncase|\Z)", self.said, re.DOTALL)
        self.assertTrue(text, f"the case did not end; the whole text is in {KEPT / 'kgpu_test.log'}")
        self.assertEqual(text[1], "passed", text[0])
        left_out = re.search("left out: .*", text[0])
        if left_out:
            self.skipTest(left_out[0])
    return test


for one in CASES:
    setattr(KgpuTest, f"test_{one}", case(one))

if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
