// SPDX-License-Identifier: Apache-2.0
// The parts of this bench, in the order in which they run; direct.cpp says what each measures.
#pragma once

#include "direct/shared.h"
#include "support/measure.h"

namespace direct {

using measure::bench;

void one(bench& all, shared& in);
void nop(bench& all, shared& in);
void read_files(bench& all, shared& in);
void cpu(bench& all, shared& in);
void udp(bench& all, shared& in);
void waiting(bench& all, shared& in);
void unused(bench& all, shared& in);

}  // namespace direct
