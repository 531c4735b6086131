// SPDX-License-Identifier: Apache-2.0
// The lines of the table as the generator wrote them: the oracle checks every call against them. No other file of this
// suite names genesys::detail (tools/tidy).
#pragma once

#include "genesys/genesys.h"

namespace oracle {

using genesys::detail::arg_kind;
using genesys::detail::arg_plan;
using genesys::detail::args_max;
using genesys::detail::call_plan;
using genesys::detail::direction;
using genesys::detail::measured_bytes;
using genesys::detail::plan_count;
using genesys::detail::plan_id;
using genesys::detail::plans;
using genesys::detail::size_from;
using genesys::detail::written_on;

}  // namespace oracle
