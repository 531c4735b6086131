# SPDX-License-Identifier: Apache-2.0
"""Compares names and numbers of the table with Linux 6.18's own list (linux-6.18.txt), for both architectures.

    python3 tests/gen/test_linux.py

Last, it prints how many of Linux's calls the table describes.
"""

import subprocess
import sys
import unittest
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]
sys.dont_write_bytecode = True
sys.path.insert(0, str(PROJECT / "tools" / "gen"))

from read_table import read_table
from table import ARCHITECTURES

SHEET = Path(__file__).with_name("linux-6.18.txt")


def linux_calls():
    """{name: {architecture: number}}, without the architectures that lack the call."""
    calls = {}
    for line in SHEET.read_text(encoding="utf-8").splitlines():
        if line.startswith("#"):
            continue
        name, *numbers = line.split()
        calls[name] = {on: int(number) for on, number in zip(ARCHITECTURES, numbers) if number != "-"}
    return calls


class LinuxTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.linux = linux_calls()
        cls.table, errors = read_table(PROJECT / "table")
        assert not errors, errors

    def test_the_sheet_names_each_number_once(self):
        for architecture in ARCHITECTURES:
            numbers = [call[architecture] for call in self.linux.values() if architecture in call]
            self.assertEqual(len(numbers), len(set(numbers)), architecture)

    def test_the_machines_headers_agree_with_the_sheet(self):
        """Compares only the calls that the headers have; they may be older than the list."""
        source = "#include <sys/syscall.h>\n" + "".join(f"sheet {name} SYS_{name}\n" for name in self.linux)
        said = subprocess.run(
            ["cc", "-E", "-P", "-"], input=source, capture_output=True, text=True, check=True, timeout=60
        ).stdout
        machine = subprocess.run(["uname", "-m"], capture_output=True, text=True, check=True).stdout.strip()
        architecture = {"x86_64": "x86-64", "aarch64": "arm64"}[machine]
        compared = 0
        for line in said.splitlines():
            word, *rest = line.split()
            if word != "sheet" or not rest[1].isdigit():
                continue
            self.assertEqual(self.linux[rest[0]].get(architecture), int(rest[1]), rest[0])
            compared += 1
        self.assertGreater(compared, 250)

    def test_the_tables_calls_are_linuxs(self):
        for call in self.table.calls:
            with self.subTest(call=call.name):
                numbers = {on: number for on, number in call.numbers.items() if number is not None}
                self.assertEqual(numbers, self.linux.get(call.base), f"{call.file}:{call.line}")


def summary():
    linux = [name for name, numbers in linux_calls().items() if "x86-64" in numbers]
    table, _ = read_table(PROJECT / "table")
    callable_ones = {call.base for call in table.planned}
    refused = {call.base for call in table.calls} - callable_ones
    rest = len(linux) - len(callable_ones) - len(refused)
    share = 100 * len(callable_ones) / len(linux)
    print(
        f"Linux 6.18 has {len(linux)} calls on x86-64: {len(callable_ones)} can be made with all their arguments "
        f"({share:.0f} %; GENESYS, ISCA 2018, says 79 % could be), {len(refused)} cannot be made, {rest} are not "
        "described yet"
    )


if __name__ == "__main__":
    tests = unittest.main(exit=False)
    summary()
    sys.exit(0 if tests.result.wasSuccessful() else 1)
