# SPDX-License-Identifier: Apache-2.0
"""The files that the cases work on. All are made here, from fixed seeds, so that each machine has the same."""

import random
import subprocess
from pathlib import Path

_LIMIT_S = 60
_WORDS = ("kernel queue slot worker block warp lane page cache file read write open close host device call result "
          "error time clock peak tail storage memory process thread signal lock futex poll socket message").split()


def text_tree(folder, files=400, lines=120, seed=1):
    """Directories of text files, about 5 KiB each."""
    chance = random.Random(seed)
    for number in range(files):
        place = Path(folder) / f"part{number % 20}"
        place.mkdir(parents=True, exist_ok=True)
        text = "".join(" ".join(chance.choices(_WORDS, k=8)) + "\n" for _ in range(lines))
        (place / f"text{number}.txt").write_text(text)


def changed_tree(folder, **more):
    """text_tree, with a line changed in every fourth file."""
    text_tree(folder, **more)
    for number, path in enumerate(sorted(Path(folder).rglob("*.txt"))):
        if number % 4 == 0:
            lines = path.read_text().split("\n")
            lines[len(lines) // 2] = "another line"
            path.write_text("\n".join(lines))


def c_project(folder, files=12):
    """A program in C of some files, with its Makefile."""
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    for number in range(files):
        body = "".join(f"int part{number}_{step}(int x) {{ char b[32]; snprintf(b, sizeof b, \"%d\", x * {step + 3}); "
                       f"return (int)strlen(b) + x; }}\n" for step in range(30))
        calls = " + ".join(f"part{number}_{step}(x)" for step in range(30))
        (folder / f"part{number}.c").write_text(
            f"#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n#include \"parts.h\"\n{body}"
            f"int part{number}(int x) {{ return {calls}; }}\n")
    names = [f"part{number}" for number in range(files)]
    (folder / "parts.h").write_text("".join(f"int {name}(int x);\n" for name in names))
    (folder / "main.c").write_text("#include <stdio.h>\n#include \"parts.h\"\nint main(void) { printf(\"%d\\n\", " +
                                   " + ".join(f"{name}(1)" for name in names) + "); }\n")
    objects = " ".join(f"{name}.o" for name in ("main", *names))
    (folder / "Makefile").write_text(f"program: {objects}\n\t$(CC) -o $@ {objects}\n%.o: %.c parts.h\n"
                                     "\t$(CC) -O1 -c -o $@ $<\nclean:\n\trm -f program *.o\n")


def package(folder, name="genesys-study"):
    """A Debian package of 300 text files: folder/name.deb."""
    folder = Path(folder)
    inside = folder / "inside"
    text_tree(inside / "opt" / name, files=300, lines=60)
    (inside / "DEBIAN").mkdir()
    (inside / "DEBIAN" / "control").write_text(
        f"Package: {name}\nVersion: 1\nArchitecture: all\nMaintainer: nobody <nobody@localhost>\n"
        "Description: files to install\n")
    subprocess.run(["dpkg-deb", "--root-owner-group", "-b", str(inside), str(folder / f"{name}.deb")], check=True,
                   capture_output=True, stdin=subprocess.DEVNULL, timeout=_LIMIT_S)


def web_page(folder):
    """A page with a large table, a picture and a script that changes it."""
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    rows = "".join(f"<tr><td>{row}<td>{row * row}<td>{_WORDS[row % len(_WORDS)]}" for row in range(2000))
    (folder / "picture.svg").write_text('<svg xmlns="http://www.w3.org/2000/svg" width="200" height="200">' + "".join(
        f'<circle cx="{of % 20 * 10}" cy="{of // 20 * 10}" r="4"/>' for of in range(400)) + "</svg>")
    (folder / "page.html").write_text(
        f"<!doctype html><meta charset=utf-8><title>page</title><img src=picture.svg><table id=t>{rows}</table><script>"
        "for (let i = 0; i < 500; i++) { const r = document.getElementById('t').insertRow(); "
        "r.insertCell().textContent = Math.sqrt(i); } document.title = 'done';</script>\n")


def sheet(folder, rows=3000):
    """A spreadsheet with formulas, as CSV."""
    Path(folder).mkdir(parents=True, exist_ok=True)
    lines = [f"{row},{row * 7 % 1000},=A{row}*B{row},=SUM(B$1:B{row})\n" for row in range(1, rows + 1)]
    (Path(folder) / "sheet.csv").write_text("".join(lines))


def numbers(folder, lines=200_000, seed=2):
    """Numbers to sort, a line each."""
    chance = random.Random(seed)
    Path(folder).mkdir(parents=True, exist_ok=True)
    (Path(folder) / "numbers.txt").write_text("".join(f"{chance.randrange(10**9)}\n" for _ in range(lines)))
