// SPDX-License-Identifier: Apache-2.0
#include "execute/nested.h"

#include <unistd.h>

#include <algorithm>
#include <climits>
#include <cstddef>
#include <cstring>

namespace genesys::detail {
namespace {

// Linux takes far less control data with one message (net.core.optmem_max).
constexpr u64 control_bytes_max = u64{1} << 20;

static_assert(sizeof(iovec) == entry_bytes && sizeof(msghdr) == message_at::carried);
static_assert(sizeof(mmsghdr) == message_bytes_max && offsetof(mmsghdr, msg_len) == message_at::carried);
static_assert(offsetof(msghdr, msg_name) == message_at::name);
static_assert(offsetof(msghdr, msg_namelen) == message_at::name_bytes);
static_assert(offsetof(msghdr, msg_iov) == message_at::vector);
static_assert(offsetof(msghdr, msg_iovlen) == message_at::entries);
static_assert(offsetof(msghdr, msg_control) == message_at::control);
static_assert(offsetof(msghdr, msg_controllen) == message_at::control_bytes);
static_assert(offsetof(msghdr, msg_flags) == message_at::flags);

u64 address_of(const void* pointer) { return reinterpret_cast<u64>(pointer); }
void* pointer_to(u64 address) { return reinterpret_cast<void*>(address); }

// Calls see(offset) for each descriptor that a message carries, in the first `bytes` of its control data.
template <class See>
void each_descriptor(const unsigned char* control, u64 bytes, See see) {
  for (u64 at = 0; bytes - at >= sizeof(cmsghdr);) {
    cmsghdr head;
    std::memcpy(&head, control + at, sizeof head);
    if (head.cmsg_len < sizeof head || head.cmsg_len > bytes - at) return;  // Linux refuses it all
    constexpr int scm_pidfd = 4;                                            // one descriptor, which only Linux makes
    if (head.cmsg_level == SOL_SOCKET && (head.cmsg_type == SCM_RIGHTS || head.cmsg_type == scm_pidfd)) {
      for (u64 i = at + CMSG_LEN(0); i + sizeof(int) <= at + head.cmsg_len; i += sizeof(int)) see(i);
    }
    const u64 next = CMSG_ALIGN(head.cmsg_len);
    if (next >= bytes - at) return;
    at += next;
  }
}

// Replaces descriptors that kernels may not use by -1, which is never open.
void hide_others(std::vector<unsigned char>& control, const policy& rules) {
  each_descriptor(control.data(), control.size(), [&](u64 at) {
    int fd;
    std::memcpy(&fd, control.data() + at, sizeof fd);
    if (rules.is_protected(static_cast<u64>(fd)) || !rules.may_use(static_cast<u64>(fd))) fd = -1;
    std::memcpy(control.data() + at, &fd, sizeof fd);
  });
}

}  // namespace

u64 nested_copy::take(const arg_plan& arg, u64 address, u64 count) {
  arg_ = arg;
  empty_ = address == 0 && arg.kind == arg_kind::vector;
  if (address == 0) return 0;
  if (arg.kind == arg_kind::messages) return take_messages(address, std::min(count, entries_max));
  const u64 taken = take_vector(address, count, arg.short_lengths);
  empty_ = taken == memory_.nowhere() || std::all_of(entries_.back().begin(), entries_.back().end(),
                                                     [](const iovec& entry) { return entry.iov_len == 0; });
  return taken;
}

// Copies entries, with checked addresses. If there are more than Linux takes, it refuses the call before it reads any.
u64 nested_copy::take_vector(u64 address, u64 count, bool short_lengths) {
  if (count == 0 || count > entries_max || memory_.capacity_at(address) < count * entry_bytes) return memory_.nowhere();
  entries& copy = entries_.emplace_back(count);
  if (!memory_.copy_in(copy.data(), address, count * entry_bytes)) return memory_.nowhere();
  for (iovec& entry : copy) {
    const u64 length = short_lengths ? static_cast<u32>(entry.iov_len) : entry.iov_len;
    entry.iov_base = pointer_to(memory_.checked(address_of(entry.iov_base), length));
  }
  return address_of(copy.data());
}

u64 nested_copy::take_messages(u64 address, u64 count) {
  const u64 all = count * arg_.element_bytes;
  if (count == 0 || memory_.capacity_at(address) < all) return memory_.checked(address, all);
  messages_.resize(all);
  if (!memory_.copy_in(messages_.data(), address, all)) return memory_.nowhere();
  for (u64 i = 0; i < count; ++i) {
    msghdr header;
    std::memcpy(&header, messages_.data() + i * arg_.element_bytes, sizeof header);
    take_parts(header);
    std::memcpy(messages_.data() + i * arg_.element_bytes, &header, sizeof header);
  }
  at_ = address;
  return address_of(messages_.data());
}

void nested_copy::take_parts(msghdr& header) {
  const u64 name_bytes = std::min<u64>(header.msg_namelen, name_bytes_max);
  header.msg_name = pointer_to(memory_.checked(address_of(header.msg_name), name_bytes));
  if (arg_.dir != direction::out && policy_.chosen().plain_files) take_name(header);
  if (arg_.dir == direction::out && policy_.chosen().own_descriptors) take_room_for_name(header);
  if (header.msg_iov != nullptr)
    header.msg_iov = static_cast<iovec*>(pointer_to(take_vector(address_of(header.msg_iov), header.msg_iovlen, false)));
  if (arg_.dir == direction::out) {
    header.msg_control = pointer_to(memory_.checked(address_of(header.msg_control), header.msg_controllen));
    if (policy_.chosen().own_descriptors) take_room_for_control(header);
  } else {
    take_control(header);
  }
}

// Copies a socket address, so that it cannot change after the policy has checked it. Linux cuts a longer one.
void nested_copy::take_name(msghdr& header) {
  const u64 length = std::min<u64>(header.msg_namelen, name_bytes_max);
  const u64 from = address_of(header.msg_name);
  if (from == 0 || from == memory_.nowhere() || length < sizeof(sa_family_t)) return;
  bytes& copy = names_.emplace_back(length);
  if (!memory_.copy_in(copy.data(), from, length)) {
    header.msg_name = pointer_to(memory_.nowhere());
    return;
  }
  if (static_cast<int>(header.msg_namelen) > 0) header.msg_namelen = static_cast<socklen_t>(length);
  header.msg_name = copy.data();
  denied_ = denied_ || !policy::allows_address(copy.data());
}

// Linux writes the address into a copy: if it could not, the call would fail after Linux has made the descriptors that
// came with the message.
void nested_copy::take_room_for_name(msghdr& header) {
  const u64 to = address_of(header.msg_name);
  if (to == 0 || to == memory_.nowhere() || header.msg_namelen == 0) return;
  header.msg_name = names_.emplace_back(name_bytes_max).data();
  names_at_.push_back({to, std::min<u64>(header.msg_namelen, name_bytes_max)});
}

bool nested_copy::write_name_back(const msghdr& header) {
  for (std::size_t i = 0; i < names_at_.size(); ++i) {
    if (header.msg_name != names_[i].data()) continue;
    return memory_.copy_out(names_at_[i].to, names_[i].data(), std::min<u64>(header.msg_namelen, names_at_[i].bytes));
  }
  return true;
}

// Linux writes received descriptors into a copy, so that they cannot change before the policy adopts them.
void nested_copy::take_room_for_control(msghdr& header) {
  const u64 to = address_of(header.msg_control), length = header.msg_controllen;
  if (to == 0 || to == memory_.nowhere() || length == 0) return;
  bytes& copy = controls_.emplace_back(std::min(length, control_bytes_max));
  controls_at_.push_back(to);
  if (!memory_.copy_in(copy.data(), to, copy.size())) {  // Linux leaves holes in what it writes
    header.msg_control = pointer_to(memory_.nowhere());
    return;
  }
  header.msg_control = copy.data();
  header.msg_controllen = copy.size();
}

bool nested_copy::write_control_back(const msghdr& header) {
  for (std::size_t i = 0; i < controls_at_.size(); ++i) {
    bytes& copy = controls_[i];
    if (header.msg_control != copy.data()) continue;
    const u64 length = std::min<u64>(header.msg_controllen, copy.size());
    each_descriptor(copy.data(), length, [&](u64 at) {
      int fd;
      std::memcpy(&fd, copy.data() + at, sizeof fd);
      if (policy_.adopt(static_cast<u64>(fd))) return;
      ::close(fd);
      fd = -1;
      std::memcpy(copy.data() + at, &fd, sizeof fd);
    });
    return memory_.copy_out(controls_at_[i], copy.data(), length);
  }
  return true;
}

void nested_copy::take_control(msghdr& header) {
  const u64 from = address_of(header.msg_control), length = header.msg_controllen;
  if (from == 0 || length == 0) return;
  if (length > control_bytes_max) {
    header.msg_controllen = u64{INT_MAX} + 1;  // Linux says that it is too much
    return;
  }
  bytes& copy = controls_.emplace_back(length);
  if (memory_.capacity_at(from) < length || !memory_.copy_in(copy.data(), from, length)) {
    header.msg_control = pointer_to(memory_.nowhere());
    return;
  }
  hide_others(copy, policy_);
  header.msg_control = copy.data();
}

bool nested_copy::write_back(i64 value) {
  if (at_ == 0 || value < 0 || arg_.dir == direction::in) return true;
  const bool counts = arg_.element_bytes == message_bytes_max;
  const u64 messages = counts ? std::min<u64>(static_cast<u64>(value), messages_.size() / arg_.element_bytes) : 1;
  bool written = true;
  for (u64 i = 0; i < messages; ++i) {
    const unsigned char* from = messages_.data() + i * arg_.element_bytes;
    const u64 to = at_ + i * arg_.element_bytes;
    const auto field = [&](u64 at, u64 size) { written &= memory_.copy_out(to + at, from + at, size); };
    if (counts) field(message_at::carried, 4);
    if (arg_.dir != direction::out) continue;
    field(message_at::name_bytes, 4);
    field(message_at::control_bytes, 8);
    field(message_at::flags, 4);
    msghdr header;
    std::memcpy(&header, from, sizeof header);
    written &= write_control_back(header);
    written &= write_name_back(header);
  }
  return written;
}

}  // namespace genesys::detail
