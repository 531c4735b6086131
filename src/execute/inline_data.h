// SPDX-License-Identifier: Apache-2.0
// The inline data that Linux reads for a call: where the request carries it, for those that print or record calls. The
// executor takes it in arguments.cpp. Called by any thread.
#pragma once

#include "genesys/detail/table/generated/plans.h"
#include "genesys/detail/wire/protocol.h"
#include "trace/print_value.h"

namespace genesys::detail {

struct carried_data {
  int argument = -1;  // whose memory it would be; -1: the request carries none
  u64 words[inline_words_out_max] = {};
};

// Takes the data out of a request, and leaves trace::address_of_inline_data in place of the pointer.
inline carried_data take_carried_data(request& r) {
  carried_data taken;
  const call_plan* const plan = r.has_inline_data ? plan_of_call(r.number, r.args) : nullptr;
  if (plan == nullptr) return taken;
  const inline_shape in_line = inline_shape_of(*plan);
  if (in_line.dir != direction::in) return taken;
  taken.argument = in_line.argument;
  for (unsigned j = 0; j < in_line.bytes_max / 8; ++j) {
    u64& word = r.args[inline_slot(*plan, in_line, j)];
    taken.words[j] = word;
    word = 0;
  }
  r.args[in_line.argument] = trace::address_of_inline_data;
  return taken;
}

}  // namespace genesys::detail
