# SPDX-License-Identifier: Apache-2.0
"""refused.h: the numbers of the calls that genesys never makes."""

import text
from table import ARCHITECTURES

OUTPUT = "src/policy/generated/refused.h"


def emit(table):
    names = text.by_architecture({architecture: _names(table, architecture) for architecture in ARCHITECTURES})
    purpose = (
        "The calls of the classes `hardware` and `unsupported`, which genesys never makes. Included by "
        "src/policy/policy.cpp only."
    )
    return f"""{text.head(purpose)}#pragma once

#include "genesys/detail/table/generated/numbers.h"

namespace genesys::detail {{

inline constexpr std::uint16_t refused_numbers[] = {{
{names}}};

}}  // namespace genesys::detail
"""


def _names(table, architecture):
    there = [call.base for call in table.refused if call.numbers[architecture] is not None]
    return "".join(f"    number::{name},\n" for name in there) or "    number::limit,\n"
