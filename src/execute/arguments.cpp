// SPDX-License-Identifier: Apache-2.0
#include "execute/arguments.h"

#include <signal.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#include "genesys/detail/table/generated/plans.h"

namespace genesys::detail {
namespace {

// The C library uses these signals to cancel threads, and to change the credentials of all threads.
bool is_of_c_library(u64 signal) {
  const auto number = static_cast<int>(signal);
  return number >= __SIGRTMIN && number < SIGRTMIN;
}

constexpr auto inline_shapes = [] {
  std::array<inline_shape, plan_count> shapes{};
  for (u32 i = 0; i < plan_count; ++i) shapes[i] = inline_shape_of(plans[i]);
  return shapes;
}();

// What Linux writes for the call that this thread makes.
thread_local u64 written_inline[inline_words_out_max];
static_assert(sizeof written_inline == inline_bytes_max);

}  // namespace

linux_arguments::linux_arguments(const user_memory& memory, policy& rules, const call_plan& plan, const request& r)
    : memory_(memory), policy_(rules), plan_(plan), has_inline_data_(r.has_inline_data) {
  std::copy_n(r.args, args_max, values);
  if (has_inline_data_) [[unlikely]]
    take_inline_data(inline_shapes[static_cast<std::size_t>(&plan - plans)]);
  int measured = -1;  // a buffer whose length a later argument points to
  for (u32 i = 0; i < plan.args_count; ++i) {
    const arg_plan& arg = plan.args[i];
    if (arg.kind == arg_kind::value) continue;
    if (arg.kind == arg_kind::bytes && arg.size == size_from::pointed) {
      measured = static_cast<int>(i);
    } else {
      values[i] = take(arg, values[i]);
    }
  }
  for (u32 i = plan.args_count; i < args_max; ++i) values[i] = 0;
  if (measured >= 0) take_pointed_length(plan.args[measured], values[measured]);
}

u64 linux_arguments::take(const arg_plan& arg, u64 value) {
  switch (arg.kind) {
    case arg_kind::none:
      return 0;
    case arg_kind::value:
      return value;
    case arg_kind::fd:
      return policy_.is_protected(value) ? ~u64{0} : value;
    case arg_kind::signal:
      return is_of_c_library(value) ? ~u64{0} : value;
    case arg_kind::string:
      return memory_.readable_string(value, text_[strings_++]);
    case arg_kind::bytes:
      return take_bytes(arg, value);
    case arg_kind::object:
      return take_object(arg, value);
    case arg_kind::vector:
    case arg_kind::messages:
      return nested_.emplace(memory_, policy_)
          .take(arg, value, arg.size == size_from::argument ? values[arg.size_arg] : 1);
  }
  return 0;
}

// The GPU wrote the request, so it may be a call that cannot have such data, or of any length.
void linux_arguments::take_inline_data(const inline_shape& in_line) {
  refusal_ = -EINVAL;
  if (in_line.argument < 0) return;
  const arg_plan& arg = plan_.args[in_line.argument];
  if (arg.kind == arg_kind::bytes && values[arg.size_arg] > in_line.bytes_max) return;
  refusal_ = 0;
  if (in_line.dir == direction::out) {
    inline_at_ = written_inline;
    std::ranges::fill(written_inline, 0);
    return;
  }
  for (unsigned j = 0; j < in_line.bytes_max / 8; ++j) inline_data_[j] = values[inline_slot(plan_, in_line, j)];
}

const unsigned char* linux_arguments::inline_rest(i64 value) const {
  if (value < 0 || inline_at_ != written_inline) return nullptr;
  const arg_plan& arg = plan_.args[inline_shapes[static_cast<std::size_t>(&plan_ - plans)].argument];
  const u64 bytes = arg.by_result ? std::min(static_cast<u64>(value), values[arg.size_arg]) : arg.fixed_bytes;
  return bytes > sizeof(u64) ? reinterpret_cast<const unsigned char*>(written_inline + 1) : nullptr;
}

u64 linux_arguments::take_object(const arg_plan& arg, u64 address) {
  if (has_inline_data_) return reinterpret_cast<u64>(inline_at_);
  if (arg.size == size_from::itself) return take_measuring(arg, address);
  const u64 taken = memory_.checked(address, arg.fixed_bytes);
  if (arg.shared && taken == memory_.nowhere()) refusal_ = -EFAULT;
  return taken;
}

// Linux would fault past the end of the memory. But the call may write less than `count`, so the count is cut to the
// capacity.
u64 linux_arguments::take_bytes(const arg_plan& arg, u64 address) {
  u64& count = values[arg.size_arg];
  if (has_inline_data_) return reinterpret_cast<u64>(inline_at_);
  if (arg.by_result && measured_bytes(arg, count) <= bytes_absurd) {
    const u64 capacity = memory_.capacity_at(address);
    if (capacity != 0 && measured_bytes(arg, count) > capacity) count = elements_within(arg, capacity);
  }
  return memory_.checked(address, measured_bytes(arg, count));
}

u64 linux_arguments::take_measuring(const arg_plan& arg, u64 address) {
  const u64 capacity = memory_.capacity_at(address), there = std::min(capacity, own_length_max);
  if (capacity < arg.size_at + sizeof(u32)) return memory_.checked(address, own_length_max);
  if (!memory_.copy_in(own_.copy, address, there)) return memory_.nowhere();
  u32 length;
  std::memcpy(&length, own_.copy + arg.size_at, sizeof length);
  own_.bytes = own_bytes(arg, length);
  if (own_.bytes > there) return memory_.nowhere();
  own_.always = arg.written == written_on::any;
  if (arg.dir != direction::in) own_.at = address;
  return reinterpret_cast<u64>(own_.copy);
}

// A length without a limit may be unsigned in Linux, so it counts as unsigned. One with a limit is signed, and a
// negative one counts as 0.
void linux_arguments::take_pointed_length(const arg_plan& buffer, u64& address) {
  u64& length_at = values[buffer.size_arg];
  if (memory_.copy_in(&length_.value, length_at, sizeof length_.value)) {
    length_.always = plan_.args[buffer.size_arg].written == written_on::any;
    // Without a buffer Linux does not use the length, unless it writes the length whatever the result.
    if (address != 0 || length_.always) length_.at = length_at;
    length_at = reinterpret_cast<u64>(&length_.value);
  } else if (length_at != 0) {  // Linux must not find another length there
    length_at = memory_.nowhere();
    if (address != 0) address = memory_.nowhere();
    return;
  }
  u32 capacity = length_.value;
  if (buffer.bytes_most != 0)
    capacity = static_cast<std::int32_t>(capacity) < 0 ? 0 : std::min<u32>(capacity, buffer.bytes_most);
  address = memory_.checked(address, capacity);
}

i64 linux_arguments::write_copies_back(i64 value) {
  bool written = !nested_ || nested_->write_back(value);
  if (length_.at != 0 && (value >= 0 || length_.always))
    written &= memory_.copy_out(length_.at, &length_.value, sizeof length_.value);
  if (own_.at != 0 && (value >= 0 || own_.always)) written &= memory_.copy_out(own_.at, own_.copy, own_.bytes);
  return written ? value : -EFAULT;
}

}  // namespace genesys::detail
