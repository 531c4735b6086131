# SPDX-License-Identifier: Apache-2.0
"""Names of the project's files and programs in comments and on pages: each must be one of the project.

In a C++ source or a model, a name in a comment may be a file's name alone or the end of its path ('staging/copy.h').
On a page only a name that begins with a folder of the project is checked, because pages also name a user's files. Each
link of a page to a file must lead to one, and each './dev run NAME' names a program.
"""

import posixpath
import re

import pages

SOURCES = (".h", ".cpp", ".cu", ".pml")
NAME = re.compile(r"(?<![\w/<.*+-])((?:[\w-]+/)*[a-z][\w-]*\.(?:h|cpp|pml))\b(?![\w(])")
RUN = re.compile(r"\./dev run ([a-z][\w-]*)")
ELSEWHERE = {"io_uring.h", "fcntl.h", "shared/rpc.h", "libc/shared/rpc.h"}  # of Linux, the C library, LLVM
GENERATED = re.compile(r"(^|/)generated/|\.in$")


def ends(project):
    """Each file of the project, and each end of its path."""
    if not hasattr(project, "ends_of_paths"):
        project.ends_of_paths = {tail for name in project.files for tail in tails(name.removesuffix(".in"))}
    return project.ends_of_paths


def tails(name):
    parts = name.split("/")
    return ("/".join(parts[i:]) for i in range(len(parts)))


def comment_of(line):
    """The comment of a line of C++ or Promela; all of a line inside a block comment is taken for one."""
    stripped = line.lstrip()
    if stripped.startswith(("*", "/*")):
        return stripped
    before, mark, after = line.partition("//")
    return after if mark and before.count('"') % 2 == 0 else ""


def broken_links(project, name):
    plain = pages.without_code(project.text(name) or "")
    for link in pages.links(plain):
        target = link["target"].split("#")[0]
        if not target or ":" in target:
            continue
        path = posixpath.normpath(posixpath.join(posixpath.dirname(name), target))
        if not (project.root / path).exists():
            yield pages.line_of(plain, link.start()), f"the link to '{target}' leads to no file"


def programs(project):
    """What './dev run' knows (tools/dev/build.sh)."""
    if not hasattr(project, "programs"):
        project.programs = {"genesys"}
        for name in project.files:
            if re.fullmatch(r"(applications|samples)/[\w-]+/CMakeLists\.txt", name):
                project.programs.update(re.findall(r"^genesys_add_program\(([\w-]+)", project.text(name), re.MULTILINE))
            elif bench := re.fullmatch(r"bench/([\w-]+)\.cpp", name):
                project.programs.add(bench[1])
    return project.programs


def complaints(project, name):
    """Yields (line number, complaint) for one file."""
    page = name.endswith(".md") and name != "CHANGELOG.md" and not name.startswith("docs/notes/")
    if not page and not name.endswith(SOURCES) or GENERATED.search(name):
        return
    if pages.is_page(name):
        yield from broken_links(project, name)
    folders = {file.split("/")[0] for file in project.files if "/" in file}
    for number, line in enumerate((project.text(name) or "").split("\n"), 1):
        for program in RUN.findall(line) if page else ():
            if program not in programs(project):
                yield number, f"'./dev run {program}': there is no such program"
        for found in NAME.findall(line if page else comment_of(line)):
            if page and found.split("/")[0] not in folders:
                continue
            if found not in ends(project) and found not in ELSEWHERE:
                yield number, f"the project has no file '{found}'"
