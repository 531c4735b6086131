// SPDX-License-Identifier: Apache-2.0
// Pointers behind pointers: Linux gets copies of iovec, msghdr and the like, in which every pointer is checked. One
// object for one call. The calling side's half is genesys/detail/staging/nested.h.
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

  // The address that Linux gets for an argument that points to `count` structures at `address`.
  u64 take(const arg_plan& arg, u64 address, u64 count);
  // After the call gave `value`: copies what Linux wrote back. False: the memory there cannot be written.
  bool write_back(i64 value);
  // Whether it is a vector of 0 bytes, or one that Linux refuses: then the call does not wait.
  bool is_empty() const { return empty_; }
  // Whether a message goes to an address that the policy denies.
  bool is_denied() const { return denied_; }

 private:
  using entries = std::vector<iovec>;
  using bytes = std::vector<unsigned char>;

  u64 take_vector(u64 address, u64 count, bool short_lengths);
  u64 take_messages(u64 address, u64 count);
  void take_parts(msghdr& header);
  void take_name(msghdr& header);
  void take_room_for_name(msghdr& header);
  bool write_name_back(const msghdr& header);
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
  std::vector<u64> controls_at_;  // where each received one goes
  std::vector<bytes> names_;
  struct name_at {
    u64 to, bytes;
  };
  std::vector<name_at> names_at_;  // where each received one goes
};

}  // namespace genesys::detail
