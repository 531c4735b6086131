// SPDX-License-Identifier: Apache-2.0
// Arithmetic of the interpreter.
#pragma once

#include "decoded.h"

namespace genesys::schedule::interpreter {

// The result of an instruction that computes, from the values of its sources. Values are kept as raw bits.
std::uint64_t computed(const decoded& one, const std::uint64_t* values);

}  // namespace genesys::schedule::interpreter
