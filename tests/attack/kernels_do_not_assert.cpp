// SPDX-License-Identifier: Apache-2.0
// Kernels of this suite break the protocol's invariants, so theirs are not asserted. Those of the host are.
#include "genesys/detail/target/assert.h"

#if GENESYS_ASSERTIONS
namespace {
[[maybe_unused]] const bool kernels_do_not_assert = [] {
  genesys::detail::kernels_assert = false;
  return true;
}();
}  // namespace
#endif
