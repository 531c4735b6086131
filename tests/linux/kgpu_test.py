#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The Linux module kgpu in a virtual machine: it is built for Debian's kernel, and kgpu_machine.sh tries it there.

The machine is emulated (TCG), so its times say nothing. Debian's packages of the kernel and its headers are unpacked in
build/linux; nothing is installed. If they cannot be had, or there is no qemu-system-x86_64, the tests are skipped.

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

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
PROGRAMS = pathlib.Path(sys.argv[1]).resolve()
KEPT = ROOT / "build" / "linux"
BOOT_S = 1100
MODULES = ("brd", "dm-mod", "dm-crypt", "xts", "aesni-intel", "algif_skcipher", "af_alg", "ext4", "crc32c_generic")
CASES = re.findall(r"^run_case (\w+)", (HERE / "kgpu_machine.sh").read_text(), re.MULTILINE)


def out(*command, **more):
    return subprocess.run(command, check=True, capture_output=True, text=True, timeout=300, **more).stdout


def unpacked():
    """The folder with Debian's kernel and headers, and the kernel's version."""
    def depends(package, what):
        found = re.search(rf"Depends: ({what}\S*)", out("apt-cache", "depends", package))
        if not found:
            raise unittest.SkipTest(f"apt-cache knows no package {package}")
        return found[1]

    headers, image = (depends(f"linux-{kind}-cloud-amd64", f"linux-{kind}-") for kind in ("headers", "image"))
    common, kbuild = depends(headers, r"linux-headers-\S*-common"), depends(headers, "linux-kbuild-")
    version = headers.removeprefix("linux-headers-")
    folder = KEPT / version
    if not (folder / "complete").exists():
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        try:
            out("apt-get", "download", "-q", headers, common, kbuild, image, cwd=folder)
        except subprocess.CalledProcessError as wrong:
            raise unittest.SkipTest(f"apt-get download failed: {wrong.stderr[-200:]}")
        for package in folder.glob("*.deb"):
            out("dpkg-deb", "-x", package, folder)
            package.unlink()
        makefile = folder / "usr" / "src" / headers / "Makefile"
        makefile.write_text(makefile.read_text().replace("/usr/src/", f"{folder}/usr/src/"))
        out("depmod", "-b", folder, version)
        (folder / "complete").touch()
    return folder, version


def built_module(kernel, version, folder):
    shutil.copytree(ROOT / "linux" / "kgpu", folder)
    headers = kernel / "usr" / "src" / f"linux-headers-{version}"
    command = ["make", "-C", headers, f"M={folder}", "modules"]
    result = subprocess.run(command, capture_output=True, text=True, timeout=300)
    if result.returncode != 0:
        raise AssertionError(f"the module does not compile:\n{result.stdout[-2000:]}{result.stderr[-4000:]}")
    return folder / "kgpu.ko"


def needed_modules(kernel, version):
    """The files of MODULES and of what they depend on, below lib/modules/VERSION."""
    lines = (kernel / "lib" / "modules" / version / "modules.dep").read_text().splitlines()
    files = {}
    for line in lines:
        file, needs = line.split(":")
        files[pathlib.PurePath(file).stem.replace("_", "-")] = [file, *needs.split()]
    return {file for name in MODULES for file in files.get(name.replace("_", "-"), [])}


def add_program(root, program, name):
    """Copies a program, and the libraries that it needs, to where it looks for them."""
    shutil.copy(program, root / "bin" / name)
    found = subprocess.run(["ldd", program], capture_output=True, text=True, timeout=60)
    for library in re.findall(r"(/\S+)", found.stdout if found.returncode == 0 else ""):
        target = root / library.lstrip("/")
        target.parent.mkdir(parents=True, exist_ok=True)
        if not target.exists():
            shutil.copy(library, target)


def made_initramfs(kernel, version, module, root):
    for folder in ("bin", "dev", "proc", "sys", "tmp", "mnt", "tree", "etc"):
        (root / folder).mkdir(parents=True)
    modules = root / "lib" / "modules" / version
    for file in needed_modules(kernel, version):
        (modules / file).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(kernel / "lib" / "modules" / version / file, modules / file)
    (modules / "extra").mkdir()
    shutil.copy(module, modules / "extra")
    for file in ("modules.builtin", "modules.order", "modules.builtin.modinfo"):
        shutil.copy(kernel / "lib" / "modules" / version / file, modules)
    out("depmod", "-b", root, version)
    add_program(root, shutil.which("busybox"), "busybox")
    for name in ("dmsetup", "mke2fs", "kmod"):
        add_program(root, shutil.which(name), name)
    for name in ("modprobe", "rmmod"):
        (root / "bin" / name).symlink_to("kmod")
    for applet in out("busybox", "--list").split():
        if not (root / "bin" / applet).exists():
            (root / "bin" / applet).symlink_to("busybox")
    for name in ("kgpu_daemon", "af_alg_check"):
        add_program(root, PROGRAMS / name, name)
    if (PROGRAMS.parent / "genesys-kgpu").exists():
        add_program(root, PROGRAMS.parent / "genesys-kgpu", "genesys-kgpu")
    common = kernel / "usr" / "src" / f"linux-headers-{version.replace('-cloud-amd64', '')}-common"
    shutil.copytree(common / "include" / "linux", root / "tree", dirs_exist_ok=True)
    shutil.copy(HERE / "kgpu_machine.sh", root / "init")
    (root / "init").chmod(0o755)
    file = root.parent / "initramfs"
    with open(file, "wb") as to:
        names = subprocess.run(["find", ".", "-print0"], cwd=root, check=True, capture_output=True, timeout=60).stdout
        subprocess.run(["cpio", "-0", "-o", "-H", "newc", "--quiet"], cwd=root, input=names, stdout=to, check=True,
                       timeout=300)
    return file


class KgpuTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        for tool in ("qemu-system-x86_64", "busybox", "dmsetup", "mke2fs", "kmod", "cpio", "make", "gcc-12", "apt-get"):
            if not shutil.which(tool):
                raise unittest.SkipTest(f"there is no {tool}")
        if not (PROGRAMS / "kgpu_daemon").exists():
            raise unittest.SkipTest("kgpu_daemon was not built: there is no OpenSSL")
        kernel, version = unpacked()
        with tempfile.TemporaryDirectory(prefix="kgpu_test.", dir=KEPT) as folder:
            folder = pathlib.Path(folder)
            module = built_module(kernel, version, folder / "module")
            initramfs = made_initramfs(kernel, version, module, folder / "root")
            log = KEPT / "kgpu_test.log"
            with open(log, "wb") as to, contextlib.suppress(subprocess.TimeoutExpired):
                subprocess.run(
                    ["qemu-system-x86_64", "-accel", "tcg,thread=multi", "-cpu", "max", "-smp", "2", "-m", "1536",
                     "-nographic", "-no-reboot", "-nodefaults", "-serial", "stdio",
                     "-kernel", kernel / "boot" / f"vmlinuz-{version}", "-initrd", initramfs,
                     "-append", "console=ttyS0 panic=-1 quiet slub_debug=FZP"],
                    stdin=subprocess.DEVNULL, stdout=to, stderr=subprocess.STDOUT, timeout=BOOT_S)
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
