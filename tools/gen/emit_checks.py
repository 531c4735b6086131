# SPDX-License-Identifier: Apache-2.0
"""checks.h: compares structures and constants of the table with the headers of the machine."""

import text

OUTPUT = "src/trace/generated/checks.h"


def emit(table):
    checked = [struct for struct in table.structs.values() if struct.header]
    headers = {struct.header for struct in checked}
    headers |= {constant.header for constant in table.constants.values() if constant.header}
    includes = "".join(_include(header) for header in sorted(headers))
    sizes = "".join(_size(struct) for struct in checked)
    constants = "".join(_constant(constant) for constant in table.constants.values())
    purpose = (
        "Compares the table's structures and constants with the headers of the machine. Included by "
        "src/trace/decode.cpp only."
    )
    return f"""{text.head(purpose)}#pragma once

{includes}
#include "genesys/detail/table/generated/plans.h"

namespace genesys::detail {{

{sizes}
{constants}
}}  // namespace genesys::detail
"""


def _include(header):
    if header.startswith("<genesys/"):
        return f'#include "{header[1:-1]}"\n'
    return f"#include {header}\n"


def _size(struct):
    return f"static_assert(sizeof({struct.c_type}) == object_bytes::{struct.name});\n"


# Headers differ in which constants they have: those that the preprocessor sees are compared.
def _constant(constant):
    name = constant.name
    return f"#if defined({name})\nstatic_assert(static_cast<std::uint32_t>({name}) == {constant.value:#x}u);\n#endif\n"
