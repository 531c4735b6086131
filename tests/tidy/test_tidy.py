# SPDX-License-Identifier: Apache-2.0
"""./dev tidy: a violation of each rule is planted in a tree of its own, and found where it is.

    python3 tests/tidy/test_tidy.py
"""

import importlib.util
import io
import re
import sys
import tempfile
import unittest
from contextlib import redirect_stdout
from pathlib import Path
from unittest import mock

PROJECT = Path(__file__).resolve().parents[2]
sys.dont_write_bytecode = True
sys.path.insert(0, str(PROJECT / "tools" / "tidy"))



import layers
import pages
import retired
import style
from project import Project

specification = importlib.util.spec_from_file_location("tidy_main", PROJECT / "tools" / "tidy" / "__main__.py")
tidy = importlib.util.module_from_spec(specification)
specification.loader.exec_module(tidy)

SPDX = "# SPDX-License-Identifier: Apache-2.0\n"
class TreeTest(unittest.TestCase):
    """A tree in a temporary folder, which git does not know."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)

    def write(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def read(self, name):
        return (self.root / name).read_text(encoding="utf-8")

    def complaints(self, check, name):
        return list(check(Project(self.root), name))

    def printed(self, action, *arguments):
        out = io.StringIO()
        with redirect_stdout(out):
            status = action(Project(self.root), *arguments)
        return status, out.getvalue()


class LineTest(TreeTest):
    LINK = "[a page](" + "x" * 120 + ".md)"

    def test_lines_that_are_too_long(self):
        self.write("docs/notes/a.md", "short\n" + "word " * 23 + "a word\n" + "word " * 24 + "a\n")
        found = self.complaints(pages.complaints, "docs/notes/a.md")
        self.assertEqual([line for line, _ in found], [2, 3])
        self.assertIn("121 columns", found[0][1])

    def test_rows_and_what_links_hide_may_be_long(self):
        self.write("README.md", f"| {'word ' * 40}|\nsee {self.LINK} and\n![plot]({'y' * 130} \"title\")\n")
        self.assertEqual(self.complaints(pages.complaints, "README.md"), [])
        self.write("README.md", "word " * 24 + self.LINK + "\n")
        self.assertEqual(len(self.complaints(pages.complaints, "README.md")), 1)

    def test_other_files_are_no_pages(self):
        self.write("CHANGELOG.md", "word " * 40)
        self.assertEqual(self.complaints(pages.complaints, "CHANGELOG.md"), [])

    def test_refilling(self):
        long = "word " * 30
        code = "`" + "a " * 30 + "b`"
        figure = '[3.63 us](bench/results/speed.cuda.json "call, median, and some words")'
        text = (f"# A heading that is long {long}\n\n{long.strip()}\n{code} {figure} {figure} {long}\n- {long}\n"
                f"  {self.LINK}\n- short\n  item\n\n1. {long}- 2. more\n\nText\n\n    code {long}\n\n| {long}|\n")
        self.write("README.md", text)
        self.printed(pages.fix)
        after = self.read("README.md")
        self.assertEqual(after.split(), text.split())
        self.assertIn(code, after)
        self.assertIn(f"{figure} {figure}", after.replace("\n", " "))
        self.assertIn(figure, after)
        self.assertIn("\n- short\n  item\n", after)
        self.assertIn(f"\n    code {long}\n", after)
        for line in after.split("\n"):
            self.assertIsNone(re.match(r"\s*(2\.|-) (2|more)", line), line)
        left = [line for line, _ in self.complaints(pages.complaints, "README.md")]
        self.assertEqual([after.split("\n")[line - 1][:6] for line in left], ["# A he", "    co"])
        self.printed(pages.fix)
        self.assertEqual(self.read("README.md"), after)


    def test_what_is_not_torn_apart(self):
        """Each stands where 120 columns end."""
        figure = '[3.63 to 4.01 us](bench/results/speed.cuda.json "call, median and so on")'
        for kept, words in (("`a b c d`", 23), (figure, 22), ("last - first", 23), ("last 12. first", 23)):
            text = "word " * words + kept + " word" * 30
            self.write("README.md", text)
            self.printed(pages.fix)
            lines = self.read("README.md").split("\n")
            self.assertEqual(" ".join(lines), text)
            self.assertTrue(any(kept in line or kept.startswith("last") and line.startswith("first") for line in lines))
            self.assertFalse(any(line.startswith(("- ", "12. ")) for line in lines), lines)


class RetiredTest(TreeTest):
    LIST = """\
# a comment
queue_migrations? | * | | queue migration
rings?      | src/* include/*
            | src/execute/uring/* worker_ring
            | queue
group\\|turn | src/* | | another
"""

    def setUp(self):
        super().setUp()
        self.write("retired.txt", self.LIST)
        self.words = retired.read_list(self.root / "retired.txt")

    def found(self, name, text):
        self.write(name, text)
        return [(line, word.text, identifier)
                for line, word, identifier in retired.found_in(Project(self.root), name, self.words)]

    def test_whole_parts_of_identifiers(self):
        code = "int queue_hand_overs_ = string;\nint turning, ring_0, myRing, RING, HandOver;\nturn(my_group2);\n"
        self.assertEqual(self.found("src/a.cpp", code), [
            (1, "queue_migrations?", "queue_hand_overs_"), (2, "rings?", "ring_0"), (2, "rings?", "myRing"),
            (2, "rings?", "RING"), (2, "queue_migrations?", "HandOver"), (3, "group|turn", "turn"),
            (3, "group|turn", "my_group2")])

    def test_comments_and_strings_are_prose(self):
        code = ('// a ring\n/* a ring\n ring */ auto a = "ring \\" ring";\nauto b = R"x(ring\n" ring)x";\n'
                "char c = 'r'; int d = 1'000; int ring;\n#include \"ring.h\"\n")
        self.assertEqual(self.found("src/a.cpp", code), [(6, "rings?", "ring")])
        self.assertEqual(self.found("src/a.pml", "/* ring */ byte ring; // ring\n"), [(1, "rings?", "ring")])
        self.assertEqual(self.found("src/a.py", '"""ring"""\nring = "ring"  # ring\n'), [(2, "rings?", "ring")])
        self.assertEqual(self.found("src/CMakeLists.txt", 'set(ring "ring") # ring\n'), [(1, "rings?", "ring")])
        self.assertEqual(self.found("src/a.sys", 'call(ring fd) # ring\n "ring"\n'), [(1, "rings?", "ring")])
        self.assertEqual(self.found("src/a.md", "ring\n"), [])

    def test_where_a_word_is_right(self):
        self.assertEqual(self.found("src/execute/uring/a.cpp", "int ring;\n"), [])
        self.assertEqual(self.found("tests/a.cpp", "int ring;\n"), [])
        self.assertEqual(self.found("src/a.cpp", "int worker_ring, other_ring;\n"), [(1, "rings?", "other_ring")])

    def test_names_of_files_and_folders(self):
        self.assertEqual(self.found("docs/hand_over/a.md", ""), [(1, "queue_migrations?", "hand_over")])
        self.assertEqual(self.found("src/my-ring.bin", "x"), [(1, "rings?", "my-ring.bin")])

    def test_the_switch_and_the_summary(self):
        self.write("src/watcher.cpp", "int watcher;\nint watcher;\n")
        self.assertEqual(self.complaints(retired.complaints, "src/watcher.cpp"), [])
        with mock.patch.object(retired, "ENFORCE_RETIRED", True):
            found = self.complaints(retired.complaints, "src/watcher.cpp")
        self.assertEqual([line for line, _ in found], [1, 1])
        self.assertIn("is retired, use monitor", found[0][1])
        status, said = self.printed(retired.show, "")
        self.assertEqual(status, 1)
        self.assertRegex(said, r" 3 in +1 files  watchers\?  ->  monitor")
        self.assertIn("tidy: 3 uses", said)
        status, said = self.printed(retired.show, "watchers?")
        self.assertIn("src/watcher.cpp:2: watcher", said)
        self.assertEqual(self.printed(retired.show, "unheard")[0], 2)

    def test_lines_of_the_list(self):
        wrong = (("word | *", ":2: not 'word"), ("word | * | |", ":2: not 'word"), ("( | * | | x", ":2: '('"))
        for line, said in wrong:
            self.write("retired.txt", f"# first\n{line}\n")
            with self.assertRaisesRegex(ValueError, re.escape(said)):
                retired.read_list(self.root / "retired.txt")
        self.write("retired.txt", "# first\nword | *\n     | | x\nword | *\n")
        with self.assertRaisesRegex(ValueError, ":4: not"):
            retired.read_list(self.root / "retired.txt")
        self.assertGreater(len(retired.read_list()), 30)  # the project's own list can be read


class LayerTest(TreeTest):
    DETAIL = "include/genesys/detail/"

    def found(self, name, *included):
        self.write(name, "".join(f'#include "{each}"\n' for each in included))
        return [(line, said) for line, said in self.complaints(layers.complaints, name)]

    def test_layers_include_what_is_below(self):
        for layer in layers.LAYERS:
            for other in layers.LAYERS:
                found = self.found(f"{self.DETAIL}{layer}/a.h", "memory", f"genesys/detail/{other}/b.h")
                higher = layers.height(other) > layers.height(layer)
                self.assertEqual([line for line, _ in found], [2] if higher else [], (layer, other))
        self.assertIn("detail/wire/ includes detail/queue/",
                      self.found(f"{self.DETAIL}wire/a.h", "genesys/detail/queue/b.h")[0][1])
        self.assertEqual(self.found(f"{self.DETAIL}wire/a.h", "genesys/detail/table/generated/plans.h"), [])
        self.assertEqual(len(self.found(f"{self.DETAIL}target/a.h", "genesys/detail/table/generated/plans.h")), 1)

    def test_public_headers(self):
        self.assertEqual(len(self.found("include/genesys/kernel.h", "genesys/detail/wire/a.h")), 1)
        self.assertEqual(len(self.found("include/genesys/memory.h", "genesys/os.h")), 1)
        self.assertEqual(self.found("include/genesys/memory.h", "genesys/kernel.h", "genesys/detail/target/a.h"), [])
        self.assertEqual(self.found("include/genesys/os.h", "genesys/detail/ops/a.h", "genesys/kernel.h"), [])
        self.assertEqual(len(self.found(f"{self.DETAIL}wire/a.h", "genesys/kernel.h")), 1)
        self.assertEqual(self.found(f"{self.DETAIL}lanes/a.h", "genesys/kernel.h", "genesys/error.h"), [])
        self.assertEqual(len(self.found(f"{self.DETAIL}ops/a.h", "genesys/os.h")), 1)

    def test_the_host_sees_what_crosses_the_link(self):
        for layer in layers.LAYERS:
            found = self.found("src/host/a.cpp", f"genesys/detail/{layer}/a.h", "genesys/os.h")
            self.assertEqual(len(found), 0 if layer in ("target", "table", "wire") else 1, layer)
        with mock.patch.object(layers, "HOST_EXCEPTIONS", {"src/memory/": ("staging",)}):
            self.assertEqual(self.found("src/memory/a.cpp", "genesys/detail/staging/a.h"), [])
            self.assertEqual(len(self.found("src/memory/a.cpp", "genesys/detail/queue/a.h")), 1)
            self.assertEqual(len(self.found("src/host/a.cpp", "genesys/detail/staging/a.h")), 1)
        self.assertEqual(self.found("tests/unit/a.cpp", "genesys/detail/ops/a.h"), [])

    def test_what_is_no_layer(self):
        self.assertEqual(self.found(f"{self.DETAIL}flat.h", "genesys/detail/other.h"), [])
        self.assertEqual(self.found(f"{self.DETAIL}generated/calls.h"), [])
        self.assertEqual(len(self.found(f"{self.DETAIL}misc/a.h")), 1)
        self.write(f"{self.DETAIL}wire/a.h", "")  # from here on the headers lie in layers
        self.assertEqual(len(self.found(f"{self.DETAIL}flat.h")), 1)
        self.assertEqual(len(self.found(f"{self.DETAIL}generated/calls.h")), 1)


class StyleTest(TreeTest):
    def found(self, name, text):
        self.write(name, text)
        return self.complaints(style.complaints, name)

    def test_each_rule(self):
        head = "// SPDX-License-Identifier: Apache-2.0\n// A file.\n#pragma once\n"
        self.assertEqual(self.found("include/genesys/a.h", head), [])
        for text, line, said in (
                (head.replace("// SPDX", "// SPDY"), 1, "SPDX"), (head.replace("// A file.\n", ""), 2, "comment"),
                (head.replace("#pragma once\n", "int a;\n"), 1, "#pragma once"), (head + "int a; \n", 4, "white space"),
                (head + "\tint a;\n", 4, "a tab"), (head + "int a;", 4, "newline"), (head + "\n", 4, "empty lines"),
                (head + "//" + "x" * 119 + "\n", 4, "121 columns"), (head + '#include "../a.h"\n', 4, "climbs")):
            found = self.found("include/genesys/a.h", text)
            self.assertEqual([line for line, _ in found], [line], text)
            self.assertIn(said, found[0][1])
        self.assertEqual(len(self.found("samples/a/a.h", head + '#include "genesys/detail/lanes/lanes.h"\n')), 1)
        (self.root / "a.py").write_bytes(b"\xff")
        self.assertEqual(self.complaints(style.complaints, "a.py"), [(1, "is not UTF-8 text")])


class WholeTest(TreeTest):
    def test_complaints_are_printed_with_their_place(self):
        self.write("README.md", "It takes\n3 us. \n")
        self.write("a.py", "x = 1\n")
        status, said = self.printed(tidy.check)
        self.assertEqual(status, 1)
        self.assertIn("README.md:2: white space", said)
        self.assertIn("a.py:1: the SPDX line is missing\n", said)
        self.assertIn("tidy: 2 files, 2 complaints", said)

    def test_a_tree_without_complaints(self):
        self.write("README.md", "Nothing.\n")
        self.write("a.py", SPDX + '"""A file."""\n')
        self.assertEqual(self.printed(tidy.check)[0], 0)


if __name__ == "__main__":
    unittest.main()
