# SPDX-License-Identifier: Apache-2.0
"""What any file must look like: the SPDX line, the comment that opens it, white space, columns, includes."""

import pathlib
import re

COLUMNS_MAX = 120
CPP = {".h", ".cpp", ".cu"}
HASH_NAMES = {"CMakeLists.txt", "Kbuild"}
HASH = {".py", ".sh", ".cmake", ".sys"}  # comments begin with #
SLASHES = CPP | {".pml", ".c"}  # comments begin with // or /*
LICENSE = r"Apache-2\.0"
# Linux's own, because modules are linked with Linux; a header that its daemon includes as well may be taken by either.
LICENSE_OF_MODULES = r"(GPL-2\.0-only|\(GPL-2\.0-only WITH Linux-syscall-note\) OR Apache-2\.0)"
# tools/gen decides the layout of these.
GENERATED = ("include/genesys/detail/generated/", "include/genesys/detail/table/generated/")
PUBLIC_ONLY = ("samples/", "bench/") + tuple(
    f"tests/{suite}/" for suite in ("contract", "faults", "oracle", "stress", "support"))
INTERNALS = (  # the only files in those folders that may name genesys::detail
    "bench/direct/work.h",  # measures a submission to io_uring alone, without the call around it
    "tests/oracle/table.h",  # the table's lines
)

# Headers that a source includes more than once, each time in another namespace.
INCLUDED_OFTEN = ("include/genesys/shadow/", "tools/ports/inih_variant.h", "tools/ports/jsmn_variant.h")


def comment_mark(name, lines):
    """What a comment of this file begins with, or None if it is no source."""
    suffix = pathlib.PurePath(name.removesuffix(".in")).suffix
    if suffix in SLASHES:
        return r"(//|/\*)"
    if suffix in HASH or pathlib.PurePath(name).name in HASH_NAMES or lines[:1] and lines[0].startswith("#!"):
        return r'(#|"""|\'\'\')'
    return None


def has_own_header(project, name):
    """Whether a .cpp file has a header of its name beside it. Then it need not open with a comment."""
    return name.endswith(".cpp") and (project.root / name).with_suffix(".h").is_file()


def internals(name, lines):
    """Yields complaints about internal headers and names in a file that may use only public ones."""
    for number, line in enumerate(lines, 1):
        if re.match(r'\s*#\s*include\s*[<"]genesys/detail/', line):
            yield number, "this folder sees public headers only (tools/tidy: PUBLIC_ONLY)"
        elif re.search(r"\bdetail\s*::|\bgenesys::detail\b|\bos\.context\(", line) and name not in INTERNALS:
            yield number, "this folder sees public names only (tools/tidy: PUBLIC_ONLY)"


def complaints(project, name):
    """Yields (line number, complaint) for one file."""
    if name.endswith(".png"):
        return
    text = project.text(name)
    if text is None:
        yield 1, "is not UTF-8 text"
        return
    lines = text.split("\n")
    if text and not text.endswith("\n"):
        yield len(lines), "the file does not end in a newline"
    elif text.endswith("\n\n"):
        yield len(lines) - 1, "empty lines at the end of the file"
    for number, line in enumerate(lines, 1):
        if line != line.rstrip():
            yield number, "white space at the end of the line"
        if "\t" in line and not name.startswith(".git"):
            yield number, "a tab"
    mark = comment_mark(name, lines)
    if mark is None:
        return

    for number, line in enumerate(lines, 1):
        if len(line) > COLUMNS_MAX and not name.startswith(GENERATED):
            yield number, f"{len(line)} columns, more than {COLUMNS_MAX}"
    first = 1 if lines[0].startswith("#!") else 0
    license_of_file = LICENSE_OF_MODULES if name.startswith("linux/") else LICENSE
    if not re.match(rf"(//|#|/\*) SPDX-License-Identifier: {license_of_file}( \*/)?$", (lines + [""])[first]):
        yield first + 1, "the SPDX line is missing"
    elif not has_own_header(project, name) and not re.match(mark + r"\s*([\w./'`*]|$)", (lines + ["", ""])[first + 1]):
        yield first + 2, "the file does not open with a comment that says what it is"

    suffix = pathlib.PurePath(name.removesuffix(".in")).suffix
    if suffix in CPP and name.startswith(PUBLIC_ONLY):
        yield from internals(name, lines)
    if suffix == ".h":
        code = [line for line in lines if line.strip() and not line.startswith(("//", "/*", " *"))]
        if code[:1] != ["#pragma once"] and not name.startswith(INCLUDED_OFTEN):
            yield 1, "a header's first line of code is #pragma once"
    if suffix in CPP:
        for number, line in enumerate(lines, 1):
            include = re.match(r'\s*#\s*include\s*[<"]([^>"]+)', line)
            if include and include[1].startswith("../"):
                yield number, "an include that climbs: say folder/file.h"
