// SPDX-License-Identifier: Apache-2.0
// Kernels of this suite break the protocol's invariants, so this switches their assertions off. Those of the host stay
// on.
#include "genesys/detail/target/assert.h"

#if GENESYS_ASSERTIONS
namespace {
[[maybe_unused]] const bool kernels_do_not_assert = [] {
  genesys::detail::kernels_assert = false;
  return true;
}();
}  // namespace
#endif
