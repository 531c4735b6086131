// SPDX-License-Identifier: Apache-2.0
#include "trace/print_memory.h"

#include <arpa/inet.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstring>
#include <string_view>

#include "genesys/detail/table/generated/plans.h"
#include "trace/generated/shapes.h"

namespace genesys::trace {
namespace {

recorded_memory memory_of(const argument_data& data) { return {data.bytes, data.total}; }

recorded_memory tail_of(const recorded_memory& from, std::size_t offset) {
  if (offset >= from.bytes.size()) return {};
  return {from.bytes.subspan(offset), from.total > offset ? from.total - offset : 0};
}

bool holds(const condition& only, std::uint64_t value) {
  bool has = false;
  for (unsigned i = 0; i < only.count; ++i) has |= (value & only.of[i].mask) == only.of[i].value;
  return has != only.is_negative;
}

bool is_number(shown as) {
  return as < shown::inet6 || as == shown::time || as == shown::ticks || as == shown::limit ||
         as == shown::wait_status || as == shown::set;
}

void add(std::string& text, const std::string& more) { text += (text.empty() ? "" : ", ") + more; }

}  // namespace

const argument_data* memory_printer::data_of(unsigned arg, unsigned part) const {
  for (const argument_data& one : call_.data) {
    if (one.arg == arg && one.part == part) return &one;
  }
  return nullptr;
}

// Whether the call was about no bytes at all there, so that nothing could be recorded.
bool memory_printer::is_empty(unsigned i) const {
  const detail::arg_plan& arg = plan_.args[i];
  if (arg.size != detail::size_from::argument || arg.header_bytes != 0) return false;
  if (arg.by_result) return call_.result == 0;
  return call_.args[arg.size_arg] == 0 && (arg.dir == detail::direction::in || call_.result >= 0);
}

shape memory_printer::resolved(shape as) const {
  for (unsigned depth = 0; as.as == shown::selected && depth < 4; ++depth) {
    const selection& from = selections[as.of];
    const auto value = static_cast<std::int32_t>(call_.args[from.arg]);
    as = from.otherwise;
    for (const selection_case& one : std::span(from.cases, from.count)) {
      if ((value & static_cast<std::int64_t>(one.mask)) == one.value) {
        as = one.as;
        break;
      }
    }
  }
  return as;
}

std::string memory_printer::pointer(unsigned i, const arg_names& names) const {
  const detail::arg_plan& arg = plan_.args[i];
  const std::uint64_t address = call_.args[i];
  if (address == 0 || (arg.shared && arg.kind != detail::arg_kind::vector)) return address_text(address);
  switch (arg.kind) {
    case detail::arg_kind::string:
      return string(i, 0, names.as.as == shown::path);
    case detail::arg_kind::vector:
      return vector(i, 0, 1, address, arg.size == detail::size_from::argument ? call_.args[arg.size_arg] : 1,
                    arg.short_lengths);
    case detail::arg_kind::messages:
      return messages(i);
    default:
      break;
  }
  const shape as = resolved(names.as);
  const argument_data* const before = data_of(i, part_before);
  const argument_data* data = names.when == printed_when::before && before != nullptr ? before : data_of(i, 0);
  const bool is_filled = names.when == printed_when::positive ? call_.result > 0 : call_.result >= 0;
  if ((names.when == printed_when::success || names.when == printed_when::positive) && !is_filled) data = nullptr;
  if (data == nullptr && is_empty(i)) {
    const bool is_text = as.as == shown::text || as.as == shown::path || as.as == shown::nul_text;
    return is_text ? "\"\"" : as.count == 0 ? "[]" : address_text(address);
  }
  if (data == nullptr || as.as == shown::address) return address_text(address);
  // The structure says how long it is, or an argument does: strace prints as many as there are.
  if (as.as == shown::fds) return bits_text(data->bytes, call_.args[arg.size_arg]);
  for (unsigned k = 0; k < plan_.args_count; ++k) {
    if (plan_.args[k].size == detail::size_from::pointed && plan_.args[k].size_arg == i)
      return length(i, memory_of(*data));
  }
  // A pointer to a number is printed as an array of one.
  const bool is_one = as.count == 1 && is_number(as.as);
  const auto text_of = [&](const argument_data& from) {
    if (as.as == shown::sigset && from.bytes.size() != sizeof(std::uint64_t)) return address_text(address);
    const std::string text = memory(names.as, memory_of(from));
    return is_one ? "[" + text + "]" : text;
  };
  if (names.when == printed_when::both && before != nullptr)
    return text_of(*before) + (call_.result >= 0 ? " => " + text_of(*data) : "");
  return text_of(*data);
}

// [128 => 16]: the length that Linux overwrote, and what it wrote.
std::string memory_printer::length(unsigned arg, const recorded_memory& from) const {
  const argument_data* const before = data_of(arg, part_before);
  std::uint64_t now = 0, then = 0;
  if (!load(from.bytes, 0, 4, now)) return address_text(call_.args[arg]);
  std::string text = std::to_string(static_cast<std::int32_t>(now));
  if (before != nullptr && load(before->bytes, 0, 4, then) && then != now)
    text = std::to_string(static_cast<std::int32_t>(then)) + " => " + text;
  return "[" + text + "]";
}

std::string memory_printer::memory(shape as, const recorded_memory& from) const {
  const bool is_selected = as.as == shown::selected;
  as = resolved(as);
  // An option's value that is shorter than its structure is a number, if anything.
  if (is_selected && as.as == shown::object && from.bytes.size() < structures[as.of].bytes)
    as = {shown::decimal, sizeof(int), -1, 0};
  switch (as.as) {
    case shown::text:
      return quoted(from.bytes, from.total, options_.string_bytes);
    case shown::path:
    case shown::nul_text: {
      const auto end = std::find(from.bytes.begin(), from.bytes.end(), 0);
      const byte_span head(from.bytes.begin(), end);
      const bool is_limited = as.as == shown::nul_text && as.count == 0;  // a buffer; a field is printed in full
      return quoted(head, end == from.bytes.end() && from.is_cut() ? 0 : head.size(),
                    is_limited ? options_.string_bytes : ~std::uint64_t{0});
    }
    case shown::escaped:
      return escaped_text(from.bytes, from.total, options_.string_bytes);
    case shown::sigset:
      return sigset_text(from.bytes);
    case shown::cpus:
      return bits_text(from.bytes, ~std::uint64_t{0});
    case shown::words:
      return words_text(from.bytes);
    case shown::inet6: {
      char text[INET6_ADDRSTRLEN] = "";
      if (from.bytes.size() < 16 || ::inet_ntop(AF_INET6, from.bytes.data(), text, sizeof text) == nullptr) return "?";
      return std::string("inet_pton(AF_INET6, \"") + text + "\"";
    }
    default:
      break;
  }
  if (as.count != 1) return array(as, from);
  if (as.as == shown::object) return object(structures[as.of], from);
  std::uint64_t value = 0;
  if (!load(from.bytes, 0, as.bytes, value)) return "?";
  return value_text(as, value);
}

std::string memory_printer::array(shape as, const recorded_memory& from) const {
  const std::size_t step = std::max<std::size_t>(as.bytes, 1);
  std::uint64_t count = from.bytes.size() / step;
  if (as.count != 0) count = std::min<std::uint64_t>(count, as.count);
  std::string text;
  shape one = as;
  one.count = 1;
  for (std::uint64_t i = 0; i < count; ++i) {
    if (i == elements_max()) break;
    add(text, memory(one, {from.bytes.subspan(i * step, step), step}));
  }
  if (count > elements_max() || (as.count == 0 && from.is_cut())) add(text, "...");
  return "[" + text + "]";
}

std::string memory_printer::object(const structure& of, const recorded_memory& from) const {
  std::string text;
  bool left_out = false;
  if (of.is_dated) return dated(of, from);
  if (!fields(of, from, text, left_out)) left_out = true;
  if (left_out) add(text, "...");
  return "{" + text + "}";
}

// A time with its date, or one of the values of utimensat(2) that are no times.
std::string memory_printer::dated(const structure& of, const recorded_memory& from) const {
  std::uint64_t seconds = 0, fraction = 0;
  if (!load(from.bytes, 0, 8, seconds) || !load(from.bytes, of.fields[1].offset, of.fields[1].as.bytes, fraction))
    return "{...}";
  const bool is_ns = std::string_view(of.fields[1].name) == "tv_nsec";
  if (is_ns && fraction == UTIME_NOW) return "UTIME_NOW";
  if (is_ns && fraction == UTIME_OMIT) return "UTIME_OMIT";
  std::string text;
  bool left_out = false;
  fields(of, from, text, left_out);
  const std::string date = date_text(static_cast<std::int64_t>(seconds), fraction, is_ns ? 9 : 6);
  return "{" + text + "}" + (date.empty() ? "" : " /* " + date + " */");
}

// Returns false if the memory ends before the structure, because it was cut off.
bool memory_printer::fields(const structure& of, const recorded_memory& from, std::string& text, bool& left_out) const {
  std::uint64_t selected = 0;
  for (unsigned i = 0; i < of.count; ++i) {
    const field& one = of.fields[i];
    const std::size_t bytes =
        std::size_t{one.as.bytes} * (is_number(one.as.as) ? std::max<unsigned>(one.as.count, 1) : 1);
    if (one.offset >= from.bytes.size() || from.bytes.size() - one.offset < bytes) {
      if (from.is_cut()) return false;
      continue;
    }
    if (static_cast<int>(i) == of.selector) load(from.bytes, one.offset, one.as.bytes, selected);
    if (one.only.on >= 0) {
      const field& on = of.fields[one.only.on];
      std::uint64_t value = 0;
      if (!load(from.bytes, on.offset, on.as.bytes, value) || !holds(one.only, value)) continue;
    }
    if (one.more && !options_.full) {
      left_out = true;
      continue;
    }
    const std::string value = field_text(of, i, from);
    if (one.as.as == shown::inet6) {
      add(text, value + ", &" + one.name + ")");
    } else {
      add(text, std::string(one.name) + "=" + value);
    }
  }
  if (of.selector < 0) return true;
  std::int16_t next = of.otherwise;
  for (const structure_case& one : std::span(of.cases, of.cases_count)) {
    if (one.value == static_cast<std::int64_t>(selected)) next = one.of;
  }
  return next < 0 || fields(structures[next], from, text, left_out);
}

std::string memory_printer::field_text(const structure& of, unsigned index, const recorded_memory& from) const {
  const field& one = of.fields[index];
  if (one.as.as == shown::time && index + 1 < of.count &&
      std::string_view(of.fields[index + 1].name).ends_with("nsec")) {
    std::uint64_t seconds = 0, ns = 0;
    load(from.bytes, one.offset, one.as.bytes, seconds);
    load(from.bytes, of.fields[index + 1].offset, of.fields[index + 1].as.bytes, ns);
    return time_text(extended(seconds, one.as.bytes), ns);
  }
  recorded_memory part = tail_of(from, one.offset);
  const bool is_text = one.as.as == shown::text || one.as.as == shown::nul_text || one.as.as == shown::escaped;
  if (one.as.count > 1) {
    const std::size_t most = std::size_t{one.as.count} * std::max<unsigned>(one.as.bytes, 1);
    part.bytes = part.bytes.first(std::min(part.bytes.size(), most));
    part.total = part.total == 0 ? 0 : std::min<std::uint64_t>(part.total, most);
  } else if (!is_text && one.as.as == shown::object) {
    const std::size_t most = structures[one.as.of].bytes;
    part.bytes = part.bytes.first(std::min(part.bytes.size(), most));
    part.total = part.bytes.size();
  }
  // The name of an abstract socket begins with a NUL.
  if (std::string_view(one.name) == "sun_path" && part.bytes[0] == 0)
    return "@" + quoted(part.bytes.subspan(1), part.bytes.size() - 1, ~std::uint64_t{0});
  return memory(one.as, part);
}

std::string memory_printer::string(unsigned arg, unsigned part, bool in_full) const {
  const argument_data* const data = data_of(arg, part);
  if (data == nullptr) return address_text(call_.args[arg]);
  return quoted(data->bytes, data->bytes.empty() ? 0 : data->total,
                in_full ? ~std::uint64_t{0} : options_.string_bytes);
}

std::string memory_printer::bytes_at(unsigned arg, unsigned part, std::uint64_t address, std::uint64_t length) const {
  if (address == 0) return "NULL";
  const argument_data* const data = data_of(arg, part);
  if (data != nullptr) return quoted(data->bytes, data->total, options_.string_bytes);
  return length == 0 || call_.result == 0 ? "\"\"" : address_text(address);
}

std::string memory_printer::vector(unsigned arg, unsigned part, unsigned first, std::uint64_t address,
                                   std::uint64_t count, bool is_short) const {
  const argument_data* const data = data_of(arg, part);
  if (address == 0) return "NULL";
  if (count == 0) return "[]";
  if (data == nullptr) return address_text(address);
  const bool fills = plan_.args[arg].dir == detail::direction::out;
  std::string text;
  std::uint64_t i = 0, base = 0, length = 0;
  for (; i < count && i < elements_max(); ++i) {
    const std::size_t at = i * detail::entry_bytes;
    if (!load(data->bytes, at, 8, base) || !load(data->bytes, at + 8, is_short ? 4 : 8, length)) break;
    std::string what = address_text(base);
    if (!(fills && call_.result < 0)) what = bytes_at(arg, first + static_cast<unsigned>(i), base, length);
    // Linux did not come to this entry.
    if (fills && call_.result >= 0 && data_of(arg, first + static_cast<unsigned>(i)) == nullptr && base != 0)
      what = "\"\"";
    add(text, "{iov_base=" + what + ", iov_len=" + std::to_string(length) + "}");
  }
  if (i < count) add(text, "...");
  return "[" + text + "]";
}

std::string memory_printer::messages(unsigned arg) const {
  const detail::arg_plan& plan = plan_.args[arg];
  const argument_data* const data = data_of(arg, 0);
  if (data == nullptr) return address_text(call_.args[arg]);
  if (plan.size != detail::size_from::argument) {
    if (plan.dir == detail::direction::out && call_.result < 0) {
      std::uint64_t length = 0;
      load(data->bytes, detail::message_at::name_bytes, 4, length);
      return "{msg_namelen=" + std::to_string(static_cast<std::int32_t>(length)) + "}";
    }
    return message(arg, 0, data->bytes);
  }
  std::uint64_t count = call_.args[plan.size_arg];
  if (plan.dir == detail::direction::out) {
    if (call_.result < 0) return address_text(call_.args[arg]);
    count = std::min(count, static_cast<std::uint64_t>(call_.result));
  }
  std::string text;
  std::uint64_t i = 0;
  for (; i < count && i < elements_max(); ++i) {
    const std::size_t at = i * plan.element_bytes;
    if (at >= data->bytes.size() || data->bytes.size() - at < plan.element_bytes) break;
    const byte_span head = data->bytes.subspan(at, plan.element_bytes);
    std::uint64_t carried = 0;
    load(head, detail::message_at::carried, 4, carried);
    std::string one = "{msg_hdr=" + message(arg, i, head);
    if (call_.result >= 0 && i < static_cast<std::uint64_t>(call_.result))
      one += ", msg_len=" + std::to_string(carried);
    add(text, one + "}");
  }
  if (i < count) add(text, "...");
  return "[" + text + "]";
}

std::string memory_printer::message(unsigned arg, std::uint64_t m, byte_span head) const {
  namespace at = detail::message_at;
  const auto field_at = [&](std::size_t offset, unsigned bytes) {
    std::uint64_t value = 0;
    load(head, offset, bytes, value);
    return value;
  };
  const argument_data* const name = data_of(arg, part_of_message(m, message_part::name));
  const std::uint64_t name_address = field_at(at::name, 8), name_bytes = field_at(at::name_bytes, 4);
  std::string text = "msg_name=";
  const structure& address = structures[structure_of::sockaddr];
  text += name != nullptr ? object(address, memory_of(*name)) : address_text(name_address);
  const argument_data* const before = data_of(arg, part_before);
  std::uint64_t capacity = name_bytes;
  if (m == 0 && before != nullptr) load(before->bytes, at::name_bytes, 4, capacity);
  text += ", msg_namelen=";
  if (capacity != name_bytes) text += std::to_string(static_cast<std::int32_t>(capacity)) + " => ";
  text += std::to_string(static_cast<std::int32_t>(name_bytes));
  const std::uint64_t entries = field_at(at::entries, 8);
  text += ", msg_iov=" + vector(arg, part_of_message(m, message_part::vector),
                                part_of_message(m, message_part::first_entry), field_at(at::vector, 8), entries, false);
  text += ", msg_iovlen=" + std::to_string(entries);
  const std::uint64_t control_address = field_at(at::control, 8), control_bytes = field_at(at::control_bytes, 8);
  if (control_address != 0 && control_bytes != 0) {
    const argument_data* const data = data_of(arg, part_of_message(m, message_part::control));
    text += ", msg_control=" + (data != nullptr ? control(memory_of(*data)) : address_text(control_address));
  }
  text += ", msg_controllen=" + std::to_string(control_bytes);
  return "{" + text + ", msg_flags=" + set_text(sets[set_of::message], field_at(at::flags, 4), 4) + "}";
}

std::string memory_printer::control(const recorded_memory& from) const {
  std::string all;
  std::uint64_t length = 0, level = 0, type = 0;
  for (std::size_t offset = 0; load(from.bytes, offset, 8, length) && load(from.bytes, offset + 8, 4, level) &&
                               load(from.bytes, offset + 12, 4, type);) {
    std::string text =
        "{cmsg_len=" + std::to_string(length) + ", cmsg_level=" + set_text(sets[set_of::socket_level], level, 4);
    const bool is_socket = level == SOL_SOCKET;
    text += ", cmsg_type=" + (is_socket ? set_text(sets[set_of::control_message], type, 4) : hexadecimal(type));
    const std::size_t begin = offset + sizeof(cmsghdr);
    const std::size_t bytes =
        length < sizeof(cmsghdr) ? 0 : std::min(length - sizeof(cmsghdr), from.bytes.size() - begin);
    const recorded_memory data{from.bytes.subspan(begin, bytes), bytes};
    if (bytes == 0) {
    } else if (is_socket && type == SCM_RIGHTS) {
      text += ", cmsg_data=" + array({shown::fd, 4, -1, 0}, data);
    } else if (is_socket && type == SCM_CREDENTIALS) {
      text += ", cmsg_data=" + object(structures[structure_of::ucred], data);
    } else {
      text += ", cmsg_data=" + quoted(data.bytes, data.total, options_.string_bytes);
    }
    add(all, text + "}");
    if (length < sizeof(cmsghdr) || length >= from.bytes.size() - offset) break;
    offset += CMSG_ALIGN(length);
  }
  return "[" + all + "]";
}

}  // namespace genesys::trace
