// SPDX-License-Identifier: Apache-2.0
// Pointers behind pointers: of iovec, msghdr and what is like them Linux gets copies, in which every pointer was
// looked up. One object for one call. The calling side's half is genesys/detail/staging/nested.h.
#pragma once

#include <sys/socket.h>
#include <sys/uio.h>

#include <vector>

#include "execute/user_memory.h"
#include "genesys/detail/table/call_plan.h"
#include "policy/policy.h"

namespace genesys::detail {

class nested_copy {
 public:
  nested_copy(const user_memory& memory, policy& rules) : memory_(memory), policy_(rules) {}
  nested_copy(const nested_copy&) = delete;
  nested_copy& operator=(const nested_copy&) = delete;

  // The address that Linux gets for an argument that leads to `count` structures at `address`.
  u64 take(const arg_plan& arg, u64 address, u64 count);
  // The call gave `value`: what Linux wrote into the copies goes back. False: it cannot be written there.
  bool write_back(i64 value);
  // It was a vector without a single byte, or one that Linux will not take: the call does not wait.
  bool is_empty() const { return empty_; }
  // A message is for an address that the policy denies.
  bool is_denied() const { return denied_; }

 private:
  using entries = std::vector<iovec>;
  using bytes = std::vector<unsigned char>;

  u64 reserve_sqes(u64 address, u64 count, bool short_lengths);
  u64 take_messages(u64 address, u64 count);
  void take_parts(msghdr& header);
  void take_name(msghdr& header);
  void take_control(msghdr& header);
  void take_room_for_control(msghdr& header);
  bool write_control_back(const msghdr& header);

  const user_memory& memory_;
  policy& policy_;
  arg_plan arg_;
  bool empty_ = false;
  bool denied_ = false;
  u64 at_ = 0;      // where the messages came from; 0: nothing goes back
  bytes messages_;  // of arg_.element_bytes each
  std::vector<entries> entries_;
  std::vector<bytes> controls_;
  std::vector<u64> controls_at_;  // of received ones, where each goes
  std::vector<bytes> names_;
};

}  // namespace genesys::detail
