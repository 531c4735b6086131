# SPDX-License-Identifier: Apache-2.0
"""./dev tidy: a violation of each rule is planted in a tree of its own, and found where it is.

    python3 tests/tidy/test_tidy.py
"""

import importlib.util
import io
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
