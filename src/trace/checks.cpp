// SPDX-License-Identifier: Apache-2.0
// Compares the table with the machine's headers while it compiles; there is no code. A file of its own, because some of
// these headers define macros with common names.
#include "trace/generated/checks.h"
