# SPDX-License-Identifier: Apache-2.0
"""A virtual machine with Debian's kernel, for the tests here: its packages, an initramfs with busybox, and QEMU.

The machine is emulated (TCG), so its times say nothing. Debian's packages are unpacked in build/linux; nothing is
installed. If they cannot be had, or there is no qemu-system-x86_64, the tests are skipped.
"""
import pathlib
import re
import shutil
import subprocess
import unittest

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
KEPT = ROOT / "build" / "linux"
TOOLS = ("qemu-system-x86_64", "busybox", "kmod", "cpio", "apt-get")


def out(*command, **more):
    return subprocess.run(command, check=True, capture_output=True, text=True, timeout=300, **more).stdout


def need(*tools):
    for tool in (*TOOLS, *tools):
        if not shutil.which(tool):
            raise unittest.SkipTest(f"there is no {tool}")


def depends(package, what):
    found = re.search(rf"Depends: ({what}\S*)", out("apt-cache", "depends", package))
    if not found:
        raise unittest.SkipTest(f"apt-cache knows no package {package}")
    return found[1]


def unpacked(flavour, with_headers=False, only=()):
    """The folder with Debian's kernel, and the kernel's version. `only`: patterns of files of the kernel's package."""
    image = depends(f"linux-image-{flavour}", "linux-image-")
    version = image.removeprefix("linux-image-")
    packages = [image]
    if with_headers:
        headers = depends(f"linux-headers-{flavour}", "linux-headers-")
        packages += [headers, depends(headers, r"linux-headers-\S*-common"), depends(headers, "linux-kbuild-")]
    folder = KEPT / version
    if not (folder / "complete").exists():
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        try:
            out("apt-get", "download", "-q", *packages, cwd=folder)
        except subprocess.CalledProcessError as wrong:
            raise unittest.SkipTest(f"apt-get download failed: {wrong.stderr[-200:]}")
        for package in folder.glob("*.deb"):
            with subprocess.Popen(["dpkg-deb", "--fsys-tarfile", package], stdout=subprocess.PIPE) as tar:
                patterns = only if package.name.startswith(image) else ()
                out("tar", "-x", "--wildcards", *patterns, cwd=folder, stdin=tar.stdout)
            package.unlink()
        if with_headers:
            makefile = folder / "usr" / "src" / headers / "Makefile"
            makefile.write_text(makefile.read_text().replace("/usr/src/", f"{folder}/usr/src/"))
        out("depmod", "-b", folder, version)
        (folder / "complete").touch()
    return folder, version


def needed_modules(kernel, version, names):
    """The files of modules and of what they depend on, below lib/modules/VERSION."""
    lines = (kernel / "lib" / "modules" / version / "modules.dep").read_text().splitlines()
    files = {}
    for line in lines:
        file, needs = line.split(":")
        files[pathlib.PurePath(file).stem.replace("_", "-")] = [file, *needs.split()]
    return {file for name in names for file in files.get(name.replace("_", "-"), [])}


def add_program(root, program, name):
    """Copies a program, and the libraries that it needs, to where it looks for them. It replaces busybox's applet."""
    (root / "bin" / name).unlink(missing_ok=True)
    shutil.copy(program, root / "bin" / name)
    found = subprocess.run(["ldd", program], capture_output=True, text=True, timeout=60)
    for library in re.findall(r"(/\S+)", found.stdout if found.returncode == 0 else ""):
        target = root / library.lstrip("/")
        target.parent.mkdir(parents=True, exist_ok=True)
        if not target.exists():
            shutil.copy(library, target)


def made_tree(root, kernel, version, modules):
    """What a machine has for all tests: busybox with its applets, modprobe, and modules."""
    for folder in ("bin", "dev", "proc", "sys", "tmp", "mnt", "etc"):
        (root / folder).mkdir(parents=True)
    source, target = (tree / "lib" / "modules" / version for tree in (kernel, root))
    for file in needed_modules(kernel, version, modules):
        (target / file).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(source / file, target / file)
    for file in ("modules.builtin", "modules.order", "modules.builtin.modinfo"):
        shutil.copy(source / file, target)
    for name in ("busybox", "kmod"):
        add_program(root, shutil.which(name), name)
    for name in ("modprobe", "rmmod"):
        (root / "bin" / name).symlink_to("kmod")
    for applet in out("busybox", "--list").split():
        if not (root / "bin" / applet).exists():
            (root / "bin" / applet).symlink_to("busybox")


def made_initramfs(root, version, init):
    """A file beside the tree. `init`: the script that is the first process."""
    out("depmod", "-b", root, version)
    shutil.copy(init, root / "init")
    (root / "init").chmod(0o755)
    file = root.parent / "initramfs"
    with open(file, "wb") as to:
        names = subprocess.run(["find", ".", "-print0"], cwd=root, check=True, capture_output=True, timeout=60).stdout
        subprocess.run(["cpio", "-0", "-o", "-H", "newc", "--quiet"], cwd=root, input=names, stdout=to, check=True,
                       timeout=300)
    return file


def qemu(kernel, version, initramfs, memory_mib, append, *more):
    """The command that boots a machine. It ends when the machine does."""
    return ["qemu-system-x86_64", "-accel", "tcg,thread=multi", "-cpu", "max", "-smp", "2", "-m", str(memory_mib),
            "-display", "none", "-no-reboot", "-nodefaults", *more,
            "-kernel", kernel / "boot" / f"vmlinuz-{version}", "-initrd", initramfs,
            "-append", f"console=ttyS0 panic=-1 quiet {append}"]
