# SPDX-License-Identifier: Apache-2.0
"""Generates files from table/*.sys. './dev gen' runs it.

    python3 tools/gen/main.py            writes each generated file that has changed
    python3 tools/gen/main.py --check    writes nothing; exit status 1 if a generated file is stale

If a line of the table is wrong, it writes nothing and exits with status 1.
"""

import argparse
import sys
from pathlib import Path

sys.dont_write_bytecode = True

import emit_all_threads
import emit_calls
import emit_checks
import emit_custom
import emit_names
import emit_numbers
import emit_oracle
import emit_plans
import emit_policy
import emit_python
import emit_reference
import emit_refused
import emit_shapes
import emit_uring_checks
from read_table import read_table

EMITTERS = (
    emit_numbers,
    emit_plans,
    emit_calls,
    emit_names,
    emit_shapes,
    emit_checks,
    emit_refused,
    emit_policy,
    emit_all_threads,
    emit_custom,
    emit_reference,
    emit_oracle,
    emit_uring_checks,
    emit_python,
)


def main(arguments=None):
    parser = argparse.ArgumentParser(description="Generates files from table/*.sys.")
    parser.add_argument("--check", action="store_true", help="write nothing; report stale files")
    parser.add_argument("--root", type=Path, default=Path(__file__).resolve().parents[2], help="the project's root")
    options = parser.parse_args(arguments)

    table, errors = read_table(options.root / "table")
    for error in errors:
        print(error, file=sys.stderr)
    if errors:
        return 1
    if not table.planned:
        print(f"no calls in {options.root / 'table'}; expected files table/*.sys", file=sys.stderr)
        return 1

    stale = 0
    for emitter in EMITTERS:
        path, text = options.root / emitter.OUTPUT, emitter.emit(table)
        if path.is_file() and path.read_text(encoding="utf-8") == text:
            continue
        if options.check:
            print(f"{emitter.OUTPUT} is stale: run './dev gen'", file=sys.stderr)
            stale += 1
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
            print(f"wrote {emitter.OUTPUT}")
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main())
