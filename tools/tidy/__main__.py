# SPDX-License-Identifier: Apache-2.0
"""./dev tidy: the house style, as far as a machine can see it. './dev test' runs it, too.

Each complaint is a line 'file:line: what is wrong'. The exit status is 1 if there is any.
"""

import argparse
import sys

sys.dont_write_bytecode = True

import figures
import layers
import pages
import references
import retired
import style
from project import Project

CHECKS = (style.complaints, layers.complaints, pages.complaints, figures.complaints, retired.complaints,
          references.complaints)


def check(project):
    count = 0
    for name in project.files:
        for line, complaint in sorted(found for complaints in CHECKS for found in complaints(project, name)):
            print(f"{name}:{line}: {complaint}")
            count += 1
    print(f"tidy: {len(project.files)} files, {count} complaints")
    return 1 if count else 0


def main(arguments):
    parser = argparse.ArgumentParser(
        prog="./dev tidy", description="Checks the house style; with an option, does only what that says.")
    only = parser.add_mutually_exclusive_group()
    only.add_argument("--figures", nargs="*", metavar="WORD",
                      help="list the stored figures whose file or name has every WORD, as pages name them")
    only.add_argument("--fix-figures", action="store_true", help="rewrite the figures of all pages from bench/results/")
    only.add_argument("--fix-lines", action="store_true", help="refill paragraphs of pages whose lines are too long")
    only.add_argument("--retired", nargs="?", const="", metavar="WORD",
                      help="count the retired words that are left, or show where WORD is")
    asked = parser.parse_args(arguments)
    project = Project()
    if asked.figures is not None:
        return figures.show(project, asked.figures)
    if asked.fix_figures:
        return figures.fix(project)
    if asked.fix_lines:
        return pages.fix(project)
    if asked.retired is not None:
        return retired.show(project, asked.retired)
    return check(project)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
