# SPDX-License-Identifier: Apache-2.0
"""numbers.h: the numbers of the calls, and of io_uring's opcodes."""

import text
from table import ARCHITECTURES, NUMBER_MAX

OUTPUT = "include/genesys/detail/table/generated/numbers.h"


def emit(table):
    numbers = text.by_architecture({architecture: _constants(table, architecture) for architecture in ARCHITECTURES})
    opcodes = "".join(f"  {opcode.id} = {opcode.number},\n" for opcode in table.opcodes.values())
    checks = "".join(_check(call) for call in {call.base: call for call in table.calls}.values())
    purpose = (
        "The system call numbers of the target architecture, compared with the machine's headers; and the opcodes of "
        "io_uring."
    )
    return f"""{text.head(purpose)}#pragma once

#include <sys/syscall.h>

#include <cstdint>

namespace genesys::detail::table::number {{

{numbers}
}}  // namespace genesys::detail::table::number

// Opcodes of io_uring(7), Linux's IORING_OP_*; the same on every architecture.
namespace genesys::detail::uring_op {{

enum code : std::uint8_t {{
{opcodes}}};

}}  // namespace genesys::detail::uring_op

#if !defined(__CUDA_ARCH__)
namespace genesys::detail::table {{

{checks}
}}  // namespace genesys::detail::table

namespace genesys::detail {{
using namespace table;
}}
#endif
"""


def _check(call):
    name = call.base
    return f'#if defined(SYS_{name})\nstatic_assert(number::{name} == SYS_{name}, "see {call.file}");\n#endif\n'


def _constants(table, architecture):
    numbers = {call.base: call.numbers[architecture] for call in table.calls}
    there = [number for number in numbers.values() if number is not None]
    lines = [
        f"inline constexpr std::uint16_t {name} = {'none' if number is None else number};\n"
        for name, number in numbers.items()
    ]
    limit = f"inline constexpr std::uint16_t limit = {max(there) + 1};  // larger than every number below\n"
    if None in numbers.values():
        limit += f"inline constexpr std::uint16_t none = {NUMBER_MAX};  // this architecture lacks the call: -ENOSYS\n"
    return limit + "".join(lines)
