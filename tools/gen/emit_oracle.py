# SPDX-License-Identifier: Apache-2.0
"""calls.cmake: the names of the calls; for each, tests/CMakeLists.txt builds a kernel of the oracle suite."""

import text

OUTPUT = "tests/oracle/generated/calls.cmake"


def emit(table):
    names = "".join(f"\n  {call.id}" for call in table.planned)
    purpose = "The calls that have a plan, in the order of plan_id. Included by tests/CMakeLists.txt only."
    return f"{text.head(purpose, '#')}set(oracle_calls{names})\n"
