// SPDX-License-Identifier: Apache-2.0
// How io_uring makes a call: its opcode, and what each field of a submission says (io_uring_enter(2)).
#pragma once

#include <cstdint>

namespace genesys::detail {

struct ring_field {
  std::int8_t arg = -1;  // which argument of the call; -1: none
  std::uint32_t number = 0;
};

struct ring_call {
  std::uint8_t opcode = 0;  // 0: io_uring does not make it
  ring_field fd = {}, addr = {}, len = {}, off = {}, flags = {};
};

}  // namespace genesys::detail
