# SPDX-License-Identifier: Apache-2.0
"""The cases of a study: the paper's five use cases, in forms that run without a screen, and three programs that genesys
has as samples.

A case prepares its files in a folder, once; `reset` makes the folder as it was before each run. `commands` are what is
traced, one after another.
"""

import shutil
import sys
from dataclasses import dataclass, field
from pathlib import Path

import trees

PROGRAMS = Path(__file__).resolve().parent / "programs"
DATAGRAMS = 1000


def _nothing(folder):
    pass


@dataclass
class Case:
    name: str
    about: str
    commands: object  # of a folder: a list of commands
    needs: tuple = ()  # programs
    prepare: object = _nothing
    reset: object = _nothing
    before: tuple = ()  # a program that starts the traced command as its child
    env: dict = field(default_factory=dict)
    limit_s: int = 120
    of_paper: bool = False
    original: str = ""  # the case of the CPU that this one of genesys is compared with
    records: bool = False  # genesys itself records the calls
    writes: str = ""  # the storage that the case's folder is on has an effect on this

    def lacking(self):
        return [program for program in self.needs if not shutil.which(program)]


def _removed(*names):
    def reset(folder):
        for name in names:
            place = Path(folder) / name
            if place.is_dir():
                shutil.rmtree(place, ignore_errors=True)
            else:
                place.unlink(missing_ok=True)
    return reset


def _empty_root(folder):
    _removed("root")(folder)
    for name in ("info", "updates", "triggers"):
        (Path(folder) / "root/var/lib/dpkg" / name).mkdir(parents=True)
    for name in ("status", "available"):
        (Path(folder) / "root/var/lib/dpkg" / name).touch()


def _objects_removed(folder):
    for path in [*Path(folder).glob("*.o"), Path(folder) / "program"]:
        path.unlink(missing_ok=True)


def use_cases():
    return [
        Case("compile", "make compiles and links a C program of 13 generated files", of_paper=True,
             commands=lambda at: [["make", "-s", "-j2", "-C", f"{at}"]], needs=("make", "cc"),
             prepare=trees.c_project, reset=_objects_removed),
        Case("install", "dpkg installs a package of 300 files into an empty root", of_paper=True,
             commands=lambda at: [["dpkg", f"--root={at}/root", "--force-not-root", "--force-bad-path",
                                   "--force-script-chrootless", "-i", f"{at}/genesys-study.deb"]],
             needs=("dpkg", "dpkg-deb"), prepare=trees.package, reset=_empty_root),
        Case("browser", "Chromium, headless, loads a local page with a table, a picture and a script", of_paper=True,
             commands=lambda at: [["chromium", "--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run",
                                   "--disable-dev-shm-usage", "--disable-extensions", f"--user-data-dir={at}/profile",
                                   "--dump-dom", f"file://{at}/page.html"]],
             needs=("chromium",), prepare=trees.web_page, reset=_removed("profile")),
        Case("spreadsheet", "LibreOffice, headless, computes a sheet of 6,000 formulas and stores it", of_paper=True,
             commands=lambda at: [["soffice", f"-env:UserInstallation=file://{at}/profile", "--headless",
                                   "--convert-to", "xlsx", "--outdir", f"{at}/out", f"{at}/sheet.csv"]],
             needs=("soffice",), prepare=trees.sheet, reset=_removed("profile", "out")),
        Case("diff", "git diff compares two trees of 400 files, of which 100 differ", of_paper=True,
             commands=lambda at: [["sh", "-c", 'git diff --no-index -- "$1/a" "$1/b" >"$1/out"; [ $? -le 1 ]', "sh",
                                   f"{at}"]],
             needs=("git",), prepare=lambda at: (trees.text_tree(at / "a"), trees.changed_tree(at / "b")),
             reset=_removed("out")),
    ]


def _grep_files(at):
    trees.text_tree(at / "tree", files=600)
    (at / "words").write_text("futex\nstorage memory\n")


def originals():
    """Programs of the CPU that genesys has as samples."""
    return [
        Case("grep", "GNU grep searches 600 files for two words",
             commands=lambda at: [["grep", "-r", "-F", "-l", "-f", f"{at}/words", f"{at}/tree"]], needs=("grep",),
             prepare=_grep_files),
        Case("sort", "GNU sort sorts 200,000 numbers with 1 MiB of memory, so in temporary files",
             commands=lambda at: [["sort", "-n", "-S", "1M", "-T", f"{at}", "-o", f"{at}/sorted",
                                   f"{at}/numbers.txt"]],
             needs=("sort",), prepare=trees.numbers, reset=_removed("sorted")),
        Case("echo", f"a UDP server of four threads echoes {DATAGRAMS:,} datagrams on loopback",
             commands=lambda at: [[f"{at}/echo_server", f"{DATAGRAMS}", "4"]],
             before=(sys.executable, str(PROGRAMS / "echo_client.py"), f"{DATAGRAMS}")),
    ]


def samples(binaries, device="cpu"):
    """The same by kernels of genesys on this device ("cpu" or "cuda"), which records the calls itself."""
    mark, where = {"cpu": ("genesys", "the CPU device"), "cuda": ("gpu", "a GPU")}[device]
    env = {"GENESYS_DEVICE": device}
    return [
        Case(f"grep-{mark}", f"samples/grep on {where} searches the same files", records=True, original="grep",
             commands=lambda at: [[f"{binaries}/grep", "-F", "-l", "-f", f"{at}/words", f"{at}/tree"]],
             prepare=_grep_files, env=env),
        Case(f"sort-{mark}", f"samples/sort on {where} sorts and writes its own numbers", records=True,
             original="sort", commands=lambda at: [[f"{binaries}/sort", f"{at}/sorted"]], env=env,
             reset=_removed("sorted")),
        Case(f"echo-{mark}", f"samples/echo on {where} echoes {DATAGRAMS:,} datagrams", records=True,
             original="echo", commands=lambda at: [[f"{binaries}/echo", f"{DATAGRAMS}", "4"]], env=env,
             before=(sys.executable, str(PROGRAMS / "echo_client.py"), f"{DATAGRAMS}")),
    ]


def files(threads=1, direct=False, count=160):
    """The workload of files: three programs, so that caches can be dropped between writing and reading."""
    name = f"files-{threads}" + ("-direct" if direct else "")
    callers = "one thread" if threads == 1 else f"{threads} threads"
    more = ["direct"] if direct else []
    return Case(name, f"{callers} write{'s' if threads == 1 else ''} (with fsync), read{'s' if threads == 1 else ''} "
                f"and remove{'s' if threads == 1 else ''} {count} files of 16 KiB" + (", O_DIRECT" if direct else ""),
                commands=lambda at: [[f"{at}/files", phase, f"{at}/data", f"{count}", f"{threads}", *more]
                                     for phase in ("write", "read", "remove")],
                prepare=lambda at: (at / "data").mkdir(), reset=lambda at: (_removed("data")(at),
                                                                            (at / "data").mkdir()))
