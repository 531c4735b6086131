# SPDX-License-Identifier: Apache-2.0
"""uring_checks.h: compares the table's io_uring opcodes with the header of the machine."""

import text

OUTPUT = "src/execute/generated/uring_checks.h"


def emit(table):
    checks = "".join(_check(opcode) for opcode in table.opcodes.values())
    purpose = "Compares io_uring opcodes with <linux/io_uring.h>. Included by src/execute/shared_rings.cpp only."
    return f"""{text.head(purpose)}#pragma once

#include <linux/io_uring.h>
#include <linux/version.h>

#include "genesys/detail/table/generated/numbers.h"

namespace genesys::detail {{

// The header declares opcodes as enumerators, which the preprocessor does not see. Its version says which it has.
{checks}
}}  // namespace genesys::detail
"""


def _check(opcode):
    version = ", ".join(str(part) for part in opcode.since)
    compared = f"uring_op::{opcode.id} == unsigned{{IORING_OP_{opcode.name}}}"
    return (
        f"#if LINUX_VERSION_CODE >= KERNEL_VERSION({version}, 0)\n"
        f'static_assert({compared}, "see {opcode.file}");\n'
        "#endif\n"
    )
