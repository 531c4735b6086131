// SPDX-License-Identifier: Apache-2.0
// SIGQUIT (Ctrl-\) prints the reports of all runtimes to stderr, unless the program handles the signal itself. As long
// as there is a runtime, one thread of the process waits for the signal, asleep. After the last runtime, the signal
// does again what it did before.
#pragma once

#include <functional>
#include <iosfwd>

namespace genesys::detail {

// `owner` is any address that names the runtime; forget it before it goes.
void report_on_sigquit(const void* owner, std::function<void(std::ostream&)> report);
void forget_on_sigquit(const void* owner);

// Called first in a child of fork(): restores SIGQUIT as it was before the parent's runtimes. Allocates nothing.
void leave_sigquit_to_parent();

}  // namespace genesys::detail
