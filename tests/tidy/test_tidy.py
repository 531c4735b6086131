# SPDX-License-Identifier: Apache-2.0
"""./dev tidy: each test has its own tree with a violation of a rule, and tidy finds it in the right line.

    python3 tests/tidy/test_tidy.py
"""

import importlib.util
import io
import json
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



import figures
import layers
import pages
import references
import retired
import style
from project import Project
from results import FIELDS, Results, Wrong

specification = importlib.util.spec_from_file_location("tidy_main", PROJECT / "tools" / "tidy" / "__main__.py")
tidy = importlib.util.module_from_spec(specification)
specification.loader.exec_module(tidy)

SPDX = "# SPDX-License-Identifier: Apache-2.0\n"
RESULT = {
    "context": {"commit": "abc1234", "date": "2026-01-02", "gpu": "NVIDIA H100 80GB HBM3", "registers": {"k": {}}},
    "bench": "speed", "about": "How fast.",
    "figures": {
        "call": {"median": 3.6344, "low": 3.5662, "high": 3.93, "rounds": 7, "unit": "us"},
        "call, native": {"median": 0.18071, "low": 0.16537, "high": 0.31865, "rounds": 7, "unit": "us"},
        "slow": {"median": 1472.4, "low": 1400.0, "high": 1500.0, "rounds": 7, "unit": "us"},
        "half": {"median": 2.345, "low": 2.0, "high": 3.0, "rounds": 7, "unit": "us"},
        "read_1_to_native": {"median": 0.90804, "low": 0.9, "high": 0.95, "rounds": 7, "unit": "ratio"},
        "read_2_to_native": {"median": 2.2881, "low": 2.2, "high": 2.3, "rounds": 7, "unit": "ratio"},
        "peak": {"median": 40.642, "low": 38.687, "high": 41.51, "rounds": 5, "unit": "M/s"},
        "none": {"median": 0.0042, "low": 0.004, "high": 0.005, "rounds": 5, "unit": "ratio"},
        "idle": {"median": 1.6268, "low": 1.6, "high": 1.7, "rounds": 1, "unit": "% of a core"},
        "busy": {"median": 0.011982, "low": 0.01, "high": 0.02, "rounds": 1, "unit": "cores"},
        "spent": {"median": 1.2533, "low": 1.2, "high": 1.3, "rounds": 3, "unit": "us a call"},
        "threads": {"median": 12, "low": 12, "high": 12, "rounds": 3, "unit": "threads"},
    },
    "plots": {"sizes": {"x_unit": "KiB", "unit": "GB/s", "lines": {
        "up to 2": [{"median": 2.9688, "low": 2.0, "high": 3.0, "rounds": 4, "x": 0.5},
                    {"median": 21.173, "low": 20.0, "high": 22.0, "rounds": 4, "x": 4096}]}}},
    "distributions": {"each": {"unit": "us", "count": 12000, "median": 9.8875, "p90": 10.04, "p99": 16.073,
                               "p99.9": 31.663, "max": 72.751, "bins": []}},
}


class TreeTest(unittest.TestCase):
    """A tree in a temporary folder, outside of git."""

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


class FigureTest(TreeTest):
    def setUp(self):
        super().setUp()
        self.write("bench/results/speed.cuda.json", json.dumps(RESULT))

    def page(self, text, name="docs/speed.md"):
        self.write(name, text)
        return self.complaints(figures.complaints, name)

    def link(self, text, title, file="speed.cuda.json"):
        return f'[{text}](../bench/results/{file} "{title}")'

    def is_right(self, text, title, behind=""):
        self.assertEqual(self.page(f"It takes {self.link(text, title)}{behind}.\n"), [], (text, title))

    def is_wrong(self, text, title, *said, behind=""):
        found = self.page(f"One line.\n\nIt takes {self.link(text, title)}{behind}.\n")
        self.assertEqual([line for line, _ in found], [3], (text, title, found))
        for word in said:
            self.assertIn(word, found[0][1])

    def test_what_is_stored_may_be_said(self):
        self.is_right("3.63 us", "call, median")
        self.is_right("3.6 us", "call, median")
        self.is_right("4 us", "call, median")
        self.is_right("3.57 us", "call, lowest")
        self.is_right("3.93 us", "call, highest")
        self.is_right("7", "call, rounds")
        self.is_right("0.181 us", "call, native, median")
        self.is_right("12", "threads, median")

    def test_another_value_is_found_and_the_right_one_said(self):
        self.is_wrong("3.55 us", "call, median", "should be '3.63 us'", "3.6344 us", "bench/results/speed.cuda.json")
        self.is_wrong("3.63 us", "call, lowest", "should be '3.57 us'")
        self.is_wrong("5 us", "call, median", "should be '4 us'")
        self.is_wrong("11", "threads, median", "should be '12'")
        self.is_wrong("7 us", "call, rounds", "'us' for what is stored in 'rounds'")

    def test_half_way_may_go_either_way(self):
        self.is_right("2.34 us", "half, median")
        self.is_right("2.35 us", "half, median")
        self.is_wrong("2.36 us", "half, median")
        self.is_wrong("2.33 us", "half, median")

    def test_units_are_converted(self):
        self.is_right("3,634 ns", "call, median")
        self.is_right("1.47 ms", "slow, median")
        self.is_right("1,472 us", "slow, median")
        self.is_right("40,642 k/s", "peak, median")
        self.is_right("1.63 %", "idle, median", behind=" of a core")
        self.is_right("0.0163 cores", "idle, median")
        self.is_right("1.2 % of a core", "busy, median")
        self.is_right("90.8 %", "read_1_to_native, median")
        self.is_right("0.91 times", "read_1_to_native, median")
        self.is_right("1.25 us", "spent, median")
        self.is_wrong("3.63 ms", "call, median", "should be '0.004 ms'")
        self.is_wrong("3.63 M/s", "call, median", "'M/s' for what is stored in 'us'")

    def test_a_unit_may_follow_the_link(self):
        self.is_right("3,634", "call, median", behind=" ns")
        self.is_wrong("3.63", "call, median", "should be '3,634", behind=" ns")
        two = f"{self.link('1,472,400', 'slow, median')}, {self.link('3,634', 'call, median')}"
        self.assertEqual(self.page(f"It takes {two} ns.\n"), [])
        self.is_right("3.63", "call, median", behind=" in all")

    def test_ranges(self):
        self.is_right("3.57 to 3.93 us", "call, lowest to highest")
        self.is_right("3.63 to 1,472 us", "call, median to slow, median")
        self.is_right("0.91 to 2.29 times", "read_*_to_native, median")
        self.is_wrong("0.91 to 2.3 times", "read_*_to_native, lowest", "should be '0.90 to 2.2 times'")
        self.is_wrong("0.91 times", "read_*_to_native, median", "1 number(s)", "names 2")
        self.is_wrong("0.9 to 1 times", "read_1_to_native, median", "2 number(s)", "names 1")
        self.is_wrong("3 to 4 us", "*, median", "figures of several units")

    def test_ratios(self):
        self.is_right("20.1 times", "call, median / call, native, median")
        self.is_right("20.1 to 0.05", "call, median / call, native, median to call, native, median / call, median")
        self.is_wrong("21 times", "call, median / call, native, median", "should be '20 times'")
        self.is_wrong("1 times", "call, median / peak, median", "a ratio of us and M/s")

    def test_points_of_plots_and_distributions(self):
        self.is_right("2.97 GB/s", "sizes: up to 2 at 0.5 KiB, median")
        self.is_right("21 GB/s", "sizes: up to 2 at 4096 KiB, median")
        self.is_right("16.1 us", "each, p99")
        self.is_right("31.7 us", "each, p99.9")
        self.is_right("12,000", "each, count")
        self.is_wrong("2.97 GB/s", "sizes: up to 2 at 1 KiB, median", "nothing is stored as 'sizes: up to 2 at 1 KiB'")
        self.is_wrong("9 us", "each, lowest", "'each' has no lowest, but median, p90, p99, p99.9, max, count")

    def test_what_it_was_measured_on(self):
        self.is_right("abc1234", "context, commit")
        self.is_right("H100", "context, gpu")
        self.is_wrong("abc1235", "context, commit", "should be 'abc1234'")
        self.is_wrong("H200", "context, gpu", "NVIDIA H100")
        self.is_wrong("H100", "context, registers", "the context has no 'registers', but commit, date, gpu")

    def test_wrong_names(self):
        self.is_wrong("3.63 us", "cull, median", "nothing is stored as 'cull'")
        self.is_wrong("3.63 us", "call", "does not end in ', median'")
        self.is_wrong("3.63 us", "call, mean", "does not end in ', median'")
        self.is_wrong("some us", "call, median", "is not a number")
        found = self.page(f"{self.link('3.63 us', 'call, median', 'sped.cuda.json')}\n")
        self.assertIn("there is no bench/results/sped.cuda.json, but speed.cuda.json", found[0][1])
        found = self.page("[3.63 us](../bench/results/speed.cuda.json)\n")
        self.assertIn("has no title", found[0][1])
        self.assertEqual(self.page("[all of them](../bench/results/speed.cuda.json)\n"), [])

    def test_a_number_without_its_source(self):
        for said in ("3.55 us", "4ms", "65 ns", "38.4 M/s", "21 GB/s", "500 MB/s", "2.9 %", "0.1 s", "1.33 times",
                     "7 k/s", "8 million calls a second", "250 a second", "300 cycles", "3.8 M", "20 seconds", "4-us"):
            found = self.page(f"A line.\nIt takes {said}, or so.\n")
            self.assertEqual([line for line, _ in found], [2], said)
            self.assertIn(f"'{said}' is no link", found[0][1])
        self.assertEqual([line for line, _ in self.page("| a |\n|---|\n| 1.01 |\n")], [3])
        self.assertEqual([line for line, _ in self.page("[more in 3 us](other.md)\n")], [1])

    def test_numbers_that_measure_nothing(self):
        for said in ("`400 us`", "2 MiB", "1,024 lanes", "sm_90", "Linux 6.18", "three times", "16 cores", "64 B",
                     "a `double\nspan of 3 us` here", "[a page](../x/3us.md)"):
            self.assertEqual(self.page(f"It has {said}.\n"), [], said)
        self.assertEqual(self.page("Text.\n\n    4 us\n\n```\n5 us\n```\n\n- item\n\n      6 us\n"), [])
        self.assertEqual(len(self.page("- item\n\n    4 us is text of the item\n")), 1)

    def test_which_pages(self):
        for name in ("README.md", "docs/performance.md", "samples/log/README.md", "applications/amr/README.md"):
            self.assertEqual(len(self.page("It takes 3 us.\n", name)), 1, name)
        for name in ("docs/notes/001-title.md", "CHANGELOG.md", "docs/text.txt"):
            self.assertEqual(self.page("It takes 3 us.\n", name), [], name)
        self.assertEqual(self.page('[4 us](bench/results/speed.cuda.json "call, median")\n', "README.md"), [])

    def test_figures_are_rewritten(self):
        old = (("3.55 us", "call, median"), ("3.5", "call, lowest"), ("0.80 to 2.0 times", "read_*_to_native, median"),
               ("1,400 us", "slow, median"), ("0.10", "none, median"), ("3.6 us", "call, median"),
               ("1", "gone, median"), ("abc1230", "context, commit"))
        text = "".join(f"{self.link(*each)} and `3 us`\n" for each in old)
        right = text
        for was, new in (("3.55 us", "3.63 us"), ("[3.5]", "[3.6]"), ("0.80 to 2.0 times", "0.91 to 2.3 times"),
                         ("1,400 us", "1,472 us"), ("[0.10]", "[0.004]"), ("abc1230", "abc1234")):
            right = right.replace(was, new)
        self.write("docs/speed.md", text)
        status, said = self.printed(figures.fix)
        self.assertEqual(self.read("docs/speed.md"), right)
        self.assertIn("docs/speed.md:1: 3.55 us -> 3.63 us", said)
        self.assertEqual(status, 0)
        found = self.complaints(figures.complaints, "docs/speed.md")
        self.assertEqual([line for line, _ in found], [7])  # the author must change a name that is no longer stored

    def test_the_list_has_names_that_pages_can_use(self):
        _, said = self.printed(figures.show, [])
        self.assertIn('"call, median"  3.634 us  (lowest 3.566 us, highest 3.93 us)', said)
        self.assertIn('"slow, median"  1.472 ms', said)
        self.assertIn('"sizes: up to 2 at 4096 KiB, median"  21.17 GB/s', said)
        results = Results(self.root / "bench/results/speed.cuda.json")
        for title in re.findall(r'"(.*?)"', said):
            self.assertEqual(len(results.named_by(title)), 1, title)
        _, said = self.printed(figures.show, ["SPEED", "native"])
        self.assertIn("call, native", said)
        self.assertNotIn("slow", said)
        self.assertEqual(self.printed(figures.show, ["unheard"]), (1, "tidy: no stored figure has unheard\n"))

    def test_each_stored_figure_of_the_project_has_a_name_of_its_own(self):
        for path in (PROJECT / "bench" / "results").glob("*.json"):
            result, results = json.loads(path.read_text(encoding="utf-8")), Results(path)
            points = {(plot, line, point["x"]) for plot, drawn in result["plots"].items()
                      for line, drawn_line in drawn["lines"].items() for point in drawn_line}
            self.assertEqual(len(results.named), len(result["figures"]) + len(result["distributions"]) + len(points))
            for name, (_, fields) in results.named.items():
                for field in (field for field, key in FIELDS.items() if key in fields):
                    named, = results.named_by(f"{name}, {field}")
                    self.assertEqual(named.number, results.value(name, field).number)
        with self.assertRaises(Wrong):
            results.named_by("")


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
        self.write("notes.txt", "word " * 40)
        self.assertEqual(self.complaints(pages.complaints, "notes.txt"), [])
        self.write("CHANGELOG.md", "word " * 40)
        self.assertEqual(len(self.complaints(pages.complaints, "CHANGELOG.md")), 1)

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
        """Each item is where 120 columns end."""
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
hand_overs? | * | | queue migration
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
            (1, "hand_overs?", "queue_hand_overs_"), (2, "rings?", "ring_0"), (2, "rings?", "myRing"),
            (2, "rings?", "RING"), (2, "hand_overs?", "HandOver"), (3, "group|turn", "turn"),
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
        self.assertEqual(self.found("docs/hand_over/a.md", ""), [(1, "hand_overs?", "hand_over")])
        self.assertEqual(self.found("src/my-ring.bin", "x"), [(1, "rings?", "my-ring.bin")])

    def test_complaints_and_the_summary(self):
        self.write("src/watcher.cpp", "int watcher;\nint watcher;\n")
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
        self.assertGreater(len(retired.read_list()), 30)  # the project's own list is readable


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
        self.write(f"{self.DETAIL}wire/a.h", "")  # from now on the project has layers
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
        self.assertEqual(len(self.found("samples/a/a.h", head + '#include "genesys/detail/lanes.h"\n')), 1)
        module = "// SPDX-License-Identifier: GPL-2.0-only\n/* A file. */\n"
        self.assertEqual(self.found("linux/a/a.c", module), [])
        self.assertEqual(len(self.found("src/a.c", module)), 1)
        self.assertEqual(len(self.found("linux/a/a.c", module.replace("GPL-2.0-only", "Apache-2.0"))), 1)
        either = "(GPL-2.0-only WITH Linux-syscall-note) OR Apache-2.0"
        self.assertEqual(self.found("linux/a/Kbuild", f"# SPDX-License-Identifier: {either}\n# A file.\n"), [])
        (self.root / "a.py").write_bytes(b"\xff")
        self.assertEqual(self.complaints(style.complaints, "a.py"), [(1, "is not UTF-8 text")])


class ReferenceTest(TreeTest):
    def found(self, name, text):
        self.write("src/host/worker.h", "")
        self.write("include/genesys/detail/staging/copy.h", "")
        self.write(name, text)
        return [(line, said) for line, said in self.complaints(references.complaints, name)]

    def test_comments_name_files_that_exist(self):
        text = "// worker.h, staging/copy.h, fcntl.h\n#include <gone.h>\nint a = b.h;  // gone.h\n"
        self.assertEqual(self.found("src/a.cpp", text), [(3, "the project has no file 'gone.h'")])
        self.assertEqual([line for line, _ in self.found("models/a.pml", "/* queue/copy.h\n * gone.pml */\n")], [1, 2])
        self.assertEqual(self.found("src/a.cpp", 'const char* a = "// gone.h";\n'), [])

    def test_pages_name_files_that_exist(self):
        text = "`src/host/worker.h`, `src/worker.h` and `hello.cpp`\n"
        self.assertEqual(self.found("docs/a.md", text), [(1, "the project has no file 'src/worker.h'")])
        self.assertEqual(self.found("docs/notes/001-a.md", text), [])

    def test_pages_run_programs_that_exist(self):
        programs = "genesys_add_program(one main.cpp)\ngenesys_add_program(two HOST b.cpp)\n"
        self.write("samples/a/CMakeLists.txt", programs)
        self.write("bench/three.cpp", "")
        text = "./dev run one\n./dev run two; ./dev run three\n./dev run NAME\n./dev run genesys\n./dev run a\n"
        self.assertEqual(self.found("docs/a.md", text), [(5, "'./dev run a': there is no such program")])

    def test_links_lead_to_files(self):
        text = "[a](../src/host/worker.h), [b](#b), [c](https://x/y), `[d](gone.md)`\n\n![e](gone.svg)\n"
        self.assertEqual(self.found("docs/a.md", text), [(3, "the link to 'gone.svg' leads to no file")])


class WholeTest(TreeTest):
    def test_complaints_are_printed_with_their_place(self):
        self.write("README.md", "It takes\n3 us.\n")
        self.write("a.py", "x = 1\n")
        status, said = self.printed(tidy.check)
        self.assertEqual(status, 1)
        self.assertIn("README.md:2: '3 us' is no link", said)
        self.assertIn("a.py:1: the SPDX line is missing\n", said)
        self.assertIn("tidy: 2 files, 2 complaints", said)

    def test_a_tree_without_complaints(self):
        self.write("README.md", "Nothing.\n")
        self.write("a.py", SPDX + '"""A file."""\n')
        self.assertEqual(self.printed(tidy.check)[0], 0)


if __name__ == "__main__":
    unittest.main()
