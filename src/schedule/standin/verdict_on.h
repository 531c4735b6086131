// SPDX-License-Identifier: Apache-2.0
// The verdict on a launch that the program asked for, with the memory that it has now. Called by observers, on the
// program's thread.
#pragma once

#include "schedule/classify/launch_verdict.h"
#include "schedule/standin/observed_launch.h"

namespace genesys::schedule::standin {

// Not preemptible, with the reason, if the kernel has no PTX, or the layout of its parameters is not known.
launch_verdict verdict_on(const observed_launch& one);

}  // namespace genesys::schedule::standin
