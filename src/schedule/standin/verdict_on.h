// SPDX-License-Identifier: Apache-2.0
// The verdict on a launch that the program asked for, with the memory that it has now. Called by observers, on the
// program's thread.
#pragma once

#include "schedule/classify/launch_verdict.h"
#include "schedule/standin/observed_launch.h"

namespace genesys::schedule::standin {

// Not preemptible, with the reason, if the kernel has no PTX, or the layout of its parameters is not known.
launch_verdict verdict_on(const observed_launch& one);

// Whether all of it is device memory of the program, which neither the host nor another device writes meanwhile.
bool is_device_memory(const std::vector<range>& write_set);

}  // namespace genesys::schedule::standin
