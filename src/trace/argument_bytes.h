// SPDX-License-Identifier: Apache-2.0
// Which memory behind the arguments of a call is worth recording, and how many bytes of it: what the plan of the call
// says, applied to the words of the arguments and to the result. The runtime's recorder captures that memory, and so
// does the test that compares the decoder with strace. Any thread; allocates nothing.
//
// The arguments are untrusted. The functions read memory only through `read`, and pass on only what they computed from
// it: the visitor limits how many bytes it copies, and ends the visit if there is too much (up to a million parts).
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "genesys/detail/table/call_plan.h"

namespace genesys::trace {

// Memory behind a pointer argument.
struct argument_memory {
  unsigned arg;   // which argument
  unsigned part;  // 0: what the argument points to; others: see below
  std::uint64_t address;
  std::uint64_t bytes;  // at most so many are there; of a string, its NUL ends it earlier
  bool is_string;
};

// The parts of a vector: entry k has part k + 1. The parts of message i (of a msghdr there is one, of mmsghdr several)
// are its name, its vector, its control data and what the entries of its vector point to.
inline constexpr unsigned message_parts = 4 + static_cast<unsigned>(detail::entries_max);
enum class message_part : unsigned { name = 1, vector = 2, control = 3, first_entry = 4 };
constexpr unsigned part_of_message(std::uint64_t message, message_part what, std::uint64_t entry = 0) {
  return static_cast<unsigned>(message * message_parts + static_cast<unsigned>(what) + entry);
}
// What an argument that Linux reads and writes pointed to before the call. Only visit_before() has it. (A recording has
// 29 bits for a part: record.h, which uses the number below for paths.)
inline constexpr unsigned part_before = (1u << 29) - 1;
// Longer arguments are not worth a second copy.
inline constexpr std::uint64_t before_bytes_max = 128;
// The longest string: a path.
inline constexpr std::uint64_t string_bytes_max = 4096;

// `read` has the signature bool(std::uint64_t address, void* to, std::uint64_t bytes): it copies user memory, or
// returns false. `visit` has the signature bool(const argument_memory&): false ends the visit.
template <class Read, class Visit>
class argument_visit {
 public:
  argument_visit(const detail::call_plan& plan, const std::uint64_t* args, Read& read, Visit& visit)
      : plan_(plan), args_(args), read_(read), visit_(visit) {}

  // After the call, whose result is Linux's: the length, or -errno. `capacity`: what a length that Linux overwrites
  // (`*addrlen`) was before the call, as far as it is known.
  void after(std::int64_t result, std::uint64_t capacity) {
    result_ = result;
    for (unsigned i = 0; i < plan_.args_count && !ended_; ++i) {
      if (detail::is_pointer(plan_.args[i]) && args_[i] != 0) argument(i, capacity);
    }
  }

  // Before the call: what Linux may overwrite. The head of a message holds the capacity of its name.
  void before() {
    for (unsigned i = 0; i < plan_.args_count && !ended_; ++i) {
      const detail::arg_plan& arg = plan_.args[i];
      if (!detail::is_pointer(arg) || args_[i] == 0 || arg.shared || arg.kind == detail::arg_kind::string) continue;
      const bool is_message = arg.kind == detail::arg_kind::messages && arg.dir == detail::direction::out;
      if (arg.dir != detail::direction::inout && !is_message) continue;
      if (arg.kind == detail::arg_kind::vector || arg.size == detail::size_from::pointed) continue;
      const std::uint64_t bytes = is_message ? arg.element_bytes : bytes_of(arg, args_[i], ~std::uint64_t{0});
      if (bytes <= before_bytes_max) visit(i, part_before, args_[i], bytes);
    }
  }

 private:
  bool has_failed() const { return result_ < 0; }

  void visit(unsigned arg, unsigned part, std::uint64_t address, std::uint64_t bytes, bool is_string = false) {
    if (ended_ || address == 0 || bytes == 0 || bytes > detail::bytes_absurd) return;
    ended_ = !visit_(argument_memory{arg, part, address, bytes, is_string});
  }

  // Whether the memory has, after this result, what Linux read or wrote.
  bool is_valid(const detail::arg_plan& arg) const {
    if (arg.written == detail::written_on::eintr) return result_ == -4;  // EINTR
    if (arg.written == detail::written_on::any || !has_failed()) return true;
    return arg.dir == detail::direction::in || (arg.dir == detail::direction::inout && !arg.by_result);
  }

  void argument(unsigned i, std::uint64_t capacity) {
    const detail::arg_plan& arg = plan_.args[i];
    const std::uint64_t address = args_[i];
    if (arg.kind == detail::arg_kind::string) return visit(i, 0, address, string_bytes_max, true);
    if (arg.kind == detail::arg_kind::vector) return vector(i);
    if (arg.kind == detail::arg_kind::messages) return messages(i);
    if (is_valid(arg)) visit(i, 0, address, bytes_of(arg, address, capacity));
  }

  std::uint64_t bytes_of(const detail::arg_plan& arg, std::uint64_t address, std::uint64_t capacity) {
    switch (arg.size) {
      case detail::size_from::none:
        return 0;
      case detail::size_from::fixed:
        return arg.fixed_bytes;
      case detail::size_from::itself: {
        std::uint32_t length = 0;
        return number(address + arg.size_at, length) ? detail::own_bytes(arg, length) : 0;
      }
      case detail::size_from::pointed: {
        std::uint32_t length = 0;
        if (!number(args_[arg.size_arg], length)) return 0;
        return limited(arg, std::min<std::uint64_t>(length, capacity));
      }
      case detail::size_from::argument: {
        const std::uint64_t all = detail::measured_bytes(arg, args_[arg.size_arg]);
        if (!arg.by_result) return limited(arg, all);
        return limited(arg, std::min(all, detail::measured_bytes(arg, static_cast<std::uint64_t>(result_))));
      }
    }
    return 0;
  }
  static std::uint64_t limited(const detail::arg_plan& arg, std::uint64_t bytes) {
    return arg.bytes_most != 0 ? std::min<std::uint64_t>(bytes, arg.bytes_most) : bytes;
  }

  template <class T>
  bool number(std::uint64_t address, T& to) {
    return address != 0 && read_(address, &to, std::uint64_t{sizeof to});
  }

  void vector(unsigned i) {
    const detail::arg_plan& arg = plan_.args[i];
    const std::uint64_t count = arg.size == detail::size_from::argument ? args_[arg.size_arg] : 1;
    if (count > detail::entries_max) return;  // Linux reads none of them
    visit(i, 0, args_[i], count * detail::entry_bytes);
    const bool fills = arg.dir == detail::direction::out;
    if (fills && has_failed()) return;
    entries(i, 1, args_[i], count, fills ? static_cast<std::uint64_t>(result_) : ~std::uint64_t{0}, arg.short_lengths);
  }

  // What the entries point to, of which Linux has read or written `left` bytes.
  void entries(unsigned i, unsigned part, std::uint64_t vector, std::uint64_t count, std::uint64_t left,
               bool is_short) {
    for (std::uint64_t k = 0; k < count && left != 0 && !ended_; ++k) {
      std::uint64_t entry[2];
      if (!read_(vector + k * detail::entry_bytes, entry, std::uint64_t{sizeof entry})) return;
      const std::uint64_t length = is_short ? static_cast<std::uint32_t>(entry[1]) : entry[1];
      const std::uint64_t bytes = std::min(length, left);
      visit(i, part + static_cast<unsigned>(k), entry[0], bytes);
      left -= bytes;
    }
  }

  void messages(unsigned i) {
    const detail::arg_plan& arg = plan_.args[i];
    const bool several = arg.size == detail::size_from::argument;
    const bool fills = arg.dir == detail::direction::out;
    std::uint64_t count = several ? std::min(args_[arg.size_arg], detail::entries_max) : 1;
    visit(i, 0, args_[i], count * arg.element_bytes);
    if (fills && has_failed()) return;
    if (fills && several) count = std::min(count, static_cast<std::uint64_t>(result_));  // the others are untouched
    for (std::uint64_t m = 0; m < count && !ended_; ++m) message(i, m, several);
  }

  void message(unsigned i, std::uint64_t m, bool several) {
    const detail::arg_plan& arg = plan_.args[i];
    const bool fills = arg.dir == detail::direction::out;
    unsigned char head[detail::message_bytes_max] = {};
    if (!read_(args_[i] + m * arg.element_bytes, head, std::uint64_t{arg.element_bytes})) return;
    const auto field = [&](std::uint64_t at, std::uint64_t bytes) {
      std::uint64_t value = 0;
      std::memcpy(&value, head + at, bytes);
      return value;
    };
    namespace at = detail::message_at;
    visit(i, part_of_message(m, message_part::name), field(at::name, 8),
          std::min(field(at::name_bytes, 4), detail::name_bytes_max));
    const std::uint64_t vector = field(at::vector, 8), count = field(at::entries, 8);
    if (count <= detail::entries_max && vector != 0) {
      visit(i, part_of_message(m, message_part::vector), vector, count * detail::entry_bytes);
      std::uint64_t left = ~std::uint64_t{0};
      if (fills) left = several ? field(at::carried, 4) : static_cast<std::uint64_t>(result_);
      entries(i, part_of_message(m, message_part::first_entry), vector, count, left, false);
    }
    visit(i, part_of_message(m, message_part::control), field(at::control, 8), field(at::control_bytes, 8));
  }

  const detail::call_plan& plan_;
  const std::uint64_t* args_;
  Read& read_;
  Visit& visit_;
  std::int64_t result_ = 0;
  bool ended_ = false;
};

// Visits what is behind the arguments after the call. Of memory that the call did not fill, because it failed or was
// shorter than the buffer, nothing is visited.
template <class Read, class Visit>
void visit_after(const detail::call_plan& plan, const std::uint64_t* args, std::int64_t result, Read&& read,
                 Visit&& visit, std::uint64_t capacity = ~std::uint64_t{0}) {
  argument_visit<Read, Visit>(plan, args, read, visit).after(result, capacity);
}

// Visits what the call may overwrite, and that a reader wants to see as it was: numbers and structures that are `inout`
// and not long, with part_before. A recorder that does not call it loses only the first number of `[128 => 16]`.
template <class Read, class Visit>
void visit_before(const detail::call_plan& plan, const std::uint64_t* args, Read&& read, Visit&& visit) {
  argument_visit<Read, Visit>(plan, args, read, visit).before();
}

}  // namespace genesys::trace
