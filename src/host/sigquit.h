// SPDX-License-Identifier: Apache-2.0
// SIGQUIT (Ctrl-\) prints the reports of all runtimes to stderr, unless the program handles the signal itself. One
// thread a process waits for it, asleep.
#pragma once

#include <functional>
#include <iosfwd>

namespace genesys::detail {

// `who` is any address that names the runtime; forget it before it goes.
void report_on_sigquit(const void* who, std::function<void(std::ostream&)> report);
void forget_on_sigquit(const void* who);

}  // namespace genesys::detail
