// SPDX-License-Identifier: Apache-2.0
// What the stand-in tells the user, on standard error. Any thread may call it.
#pragma once

#include <string>

namespace genesys::schedule::standin {

// Prints `genesys: TEXT`, unless a text with the same subject was printed before in this process. Silent if
// quiet_variable (environment.h) is set to something other than 0.
void say_once(const std::string& subject, const std::string& text);
// Prints it each time, and never keeps silent: for what the user asked for.
void say(const std::string& text);
// Once for each reason: a library has hundreds of kernels without PTX.
void say_not_aborted(const std::string& kernel, const std::string& why);

}  // namespace genesys::schedule::standin
