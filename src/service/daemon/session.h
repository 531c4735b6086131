// SPDX-License-Identifier: Apache-2.0
// A client, as the daemon has it: its process, its ring and memory, its requests. The door makes it; then the serving
// thread has it, until no request is in flight any more; then the door destroys it.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "genesys/serve.h"
#include "schedule/daemon/descriptor.h"
#include "schedule/daemon/rights.h"
#include "service/client/ring.h"
#include "service/daemon/memory_of_client.h"
#include "service/daemon/tally.h"
#include "service/shared_memory.h"

namespace genesys::detail::serving {

using schedule::processes::descriptor;
using schedule::processes::peer;
using services::shared_memory;

// A request that the server has.
struct request_record {
  std::optional<service_ticket> ticket;
  u32 use = 0, service = 0;
  u64 bytes_in = 0, bytes_out = 0;
  u64 published_ns = 0, taken_ns = 0, submitted_ns = 0;
};

class session {
 public:
  session(u64 id, peer who, descriptor socket, shared_memory ring, memory_of_client memory, u32 slots);
  session(const session&) = delete;
  session& operator=(const session&) = delete;

  // D1: takes new requests. False: the client has published a slot that it does not have, or whose request is not over.
  bool take_ready(u64 now);
  bool has_pending() const { return pending_count_ != 0; }
  u32 in_flight() const { return in_flight_count_; }
  // D2: the next request that was taken, and its slot. Behind the last slot comes the first.
  u32 next_pending() const;
  ring_request copy_request(u32 slot) const;
  u64 taken_ns(u32 slot) const { return records_[slot].taken_ns; }
  // The server has it.
  void begin(u32 slot, request_record begun);
  // D3, D4
  void complete(u32 slot, u32 use, long result);
  // Calls `look(slot, request_record&)` for each request that the server has; true: it is over.
  template <class F>
  void each_in_flight(F look);
  void end(u32 slot);

  // D5. False: there are new requests.
  bool may_sleep();
  void awake();

  client_range memory() const { return memory_.range(); }
  // A block may still use the memory: it is never freed.
  void keep_memory() { keeps_memory_ = true; }
  bool keeps_memory() const { return keeps_memory_; }
  u64 bytes() const { return memory_.range().bytes; }

  const u64 id;
  peer who;
  const descriptor socket;
  bool is_leaving = false;
  u64 bytes_in_flight = 0;
  tally counts;
  distribution times;
  ~session();

 private:
  using bits = std::array<u64, ring_slots_max / 64>;
  bool is_set(const bits& of, u32 slot) const { return (of[slot / 64] >> slot % 64 & 1) != 0; }

  shared_memory ring_memory_;
  memory_of_client memory_;
  ring_view ring_;
  bits pending_{}, in_flight_{};
  u32 pending_count_ = 0, in_flight_count_ = 0, cursor_ = 0;
  std::vector<request_record> records_;
  bool keeps_memory_ = false;
};

template <class F>
void session::each_in_flight(F look) {
  for (u32 word = 0; word < ring_.words(); ++word) {
    for (u64 left = in_flight_[word]; left != 0; left &= left - 1) {
      const u32 slot = word * 64 + static_cast<u32>(std::countr_zero(left));
      look(slot, records_[slot]);
    }
  }
}

}  // namespace genesys::detail::serving
