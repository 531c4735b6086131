// SPDX-License-Identifier: Apache-2.0
// Records that are on the disk when their call returns: O_DSYNC, or fdatasync after each.
#include <vector>

#include "executors/parts.h"
#include "executors/sides.h"
#include "support/measure.h"

namespace executors {

void durable(bench& all, shared& in) {
  const auto check = [](const record_writes& what, const std::vector<unsigned>& made) {
    for (unsigned i = 0; i < made.size(); ++i) {
      if (!what.is_there(i, made[i] - 1)) throw measure::failure("a record is not in its file");
    }
  };
  const auto callers = all.quick() ? std::vector<unsigned>{1, 12} : std::vector<unsigned>{1, 12, 64};
  by_callers(all, in, "dsync", in.writes(false), callers, nothing_before, check);
  by_callers(all, in, "fdatasync", in.writes(true), callers, nothing_before, check);
}

}  // namespace executors
