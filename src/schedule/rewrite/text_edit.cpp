// SPDX-License-Identifier: Apache-2.0
#include "schedule/rewrite/text_edit.h"

#include <algorithm>

namespace genesys::schedule {

std::string text_edit::made() const {
  std::vector<const change*> order;
  for (const change& one : changes_) order.push_back(&one);
  std::stable_sort(order.begin(), order.end(), [](const change* a, const change* b) {
    return a->offset != b->offset ? a->offset < b->offset : (a->end == a->offset) > (b->end == b->offset);
  });
  std::string result;
  std::uint32_t at = 0;
  for (const change* one : order) {
    result += original_.substr(at, one->offset - at);
    result += one->text;
    at = one->end;
  }
  result += original_.substr(at);
  return result;
}

}  // namespace genesys::schedule
