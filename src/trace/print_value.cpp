// SPDX-License-Identifier: Apache-2.0
#include "trace/print_value.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cstdio>
#include <cstring>
#include <string_view>

#include "trace/generated/shapes.h"

namespace genesys::trace {
namespace {

std::string signal_text(int signal) {
  const char* const name = choice_name(sets[set_of::signal], signal);
  return name != nullptr ? name : std::to_string(signal);
}

std::string wait_status_text(int status) {
  const auto number = [](int value) { return std::to_string(value); };
  if (WIFEXITED(status)) return "{WIFEXITED(s) && WEXITSTATUS(s) == " + number(WEXITSTATUS(status)) + "}";
  if (WIFSTOPPED(status)) return "{WIFSTOPPED(s) && WSTOPSIG(s) == " + signal_text(WSTOPSIG(status)) + "}";
  if (WIFCONTINUED(status)) return "{WIFCONTINUED(s)}";
  if (WIFSIGNALED(status)) {
    const std::string core = WCOREDUMP(status) ? " && WCOREDUMP(s)" : "";
    return "{WIFSIGNALED(s) && WTERMSIG(s) == " + signal_text(WTERMSIG(status)) + core + "}";
  }
  return number(status);
}

std::string limit_text(std::uint64_t limit) {
  if (limit == ~std::uint64_t{0}) return "RLIM64_INFINITY";
  if (limit > 1024 && limit % 1024 == 0) return std::to_string(limit / 1024) + "*1024";
  return std::to_string(limit);
}

std::string ticks_text(std::int64_t ticks) {
  const std::string text = std::to_string(ticks);
  char seconds[48];
  std::snprintf(seconds, sizeof seconds, " /* %.2f s */",
                static_cast<double>(ticks) / static_cast<double>(::sysconf(_SC_CLK_TCK)));
  return ticks == 0 ? text : text + seconds;
}

std::string inet_text(std::uint32_t address) {
  char text[INET_ADDRSTRLEN] = "";
  ::inet_ntop(AF_INET, &address, text, sizeof text);
  return std::string("inet_addr(\"") + text + "\")";
}

std::string device_text(std::uint64_t device) {
  return "makedev(" + hexadecimal(gnu_dev_major(device)) + ", " + hexadecimal(gnu_dev_minor(device)) + ")";
}

void append(std::string& text, const std::string& more) {
  if (!text.empty()) text += '|';
  text += more;
}

// The bits without a name.
std::string rest_of(const constant_set& names, std::uint64_t rest, bool is_all) {
  if (names.octal_rest) return formatted("%#03llo", rest);
  std::string text = hexadecimal(rest);
  if (is_all && names.unknown != nullptr) text += std::string(" /* ") + names.unknown + " */";
  return text;
}

}  // namespace

std::string formatted(const char* format, unsigned long long value) {
  char text[64];
  std::snprintf(text, sizeof text, format, value);
  return text;
}

std::string hexadecimal(std::uint64_t value) { return value == 0 ? "0" : formatted("0x%llx", value); }
std::string address_text(std::uint64_t address) {
  if (address == address_of_inline_data) return "inline";
  return address == 0 ? "NULL" : formatted("0x%llx", address);
}

std::uint64_t narrowed(std::uint64_t value, unsigned bytes) {
  return bytes >= 8 || bytes == 0 ? value : value & ((std::uint64_t{1} << bytes * 8) - 1);
}

std::int64_t extended(std::uint64_t value, unsigned bytes) {
  if (bytes >= 8 || bytes == 0) return static_cast<std::int64_t>(value);
  const unsigned shift = 64 - bytes * 8;
  return static_cast<std::int64_t>(value << shift) >> shift;
}

bool load(byte_span from, std::size_t offset, unsigned bytes, std::uint64_t& to) {
  to = 0;
  if (bytes > sizeof to || offset > from.size() || from.size() - offset < bytes) return false;
  std::memcpy(&to, from.data() + offset, bytes);
  return true;
}

std::string value_text(const shape& as, std::uint64_t value) {
  const std::uint64_t narrow = narrowed(value, as.bytes);
  const auto low = static_cast<std::uint32_t>(value);
  switch (as.as) {
    case shown::decimal:
      return std::to_string(extended(value, as.bytes));
    case shown::hex:
      return hexadecimal(narrow);
    case shown::wide_hex:
      return formatted("%#08llx", narrow);
    case shown::octal:
      return formatted("%#03llo", narrow);
    case shown::fd:
      return std::to_string(static_cast<std::int32_t>(low));
    case shown::dirfd:
      return static_cast<std::int32_t>(low) == AT_FDCWD ? "AT_FDCWD" : std::to_string(static_cast<std::int32_t>(low));
    case shown::address:
      return address_text(narrow);
    case shown::id:
      return low == ~std::uint32_t{0} ? "-1" : std::to_string(low);
    case shown::device:
      return device_text(narrow);
    case shown::port:
      return "htons(" + std::to_string(ntohs(static_cast<std::uint16_t>(value))) + ")";
    case shown::flow:
      return "htonl(" + std::to_string(ntohl(low)) + ")";
    case shown::inet:
      return inet_text(low);
    case shown::time:
      return time_text(extended(value, as.bytes), 0);
    case shown::ticks:
      return ticks_text(extended(value, as.bytes));
    case shown::limit:
      return limit_text(value);
    case shown::wait_status:
      return wait_status_text(static_cast<int>(low));
    case shown::set:
      return set_text(sets[as.of], narrow, as.bytes);
    default:
      return std::to_string(narrow);
  }
}

const char* choice_name(const constant_set& names, std::int64_t value) {
  for (const set_item& item : std::span(names.items, names.count)) {
    if (item.value == value) return item.name;
  }
  return nullptr;
}

std::string set_text(const constant_set& names, std::uint64_t value, unsigned bytes) {
  if (names.is_choice) {
    const char* name = choice_name(names, extended(value, bytes));
    if (name == nullptr) name = choice_name(names, static_cast<std::int64_t>(value));
    if (name != nullptr) return name;
    if (names.unknown == nullptr) return std::to_string(extended(value, bytes));
    return rest_of(names, value, true);
  }
  std::string text;
  std::uint64_t rest = value;
  const char* nothing = nullptr;  // the name of 0
  for (const set_item& item : std::span(names.items, names.count)) {
    const auto bits = static_cast<std::uint64_t>(item.value);
    if (item.mask == 0) {
      nothing = item.name;
    } else if ((value & item.mask) == bits && (rest & item.mask) == bits) {
      append(text, item.name);
      rest &= ~item.mask;
    }
  }
  if (text.empty() && value == 0 && nothing != nullptr) return nothing;
  if (rest != 0 || text.empty() || names.octal_rest) append(text, rest_of(names, rest, text.empty() && rest != 0));
  return text;
}

std::string quoted(byte_span bytes, std::uint64_t total, std::uint64_t limit) {
  static constexpr std::string_view letters = "\"\\\a\b\t\n\v\f\r", escapes = "\"\\abtnvfr";
  const std::size_t count = std::min<std::uint64_t>(bytes.size(), limit);
  std::string text = "\"";
  for (std::size_t i = 0; i < count; ++i) {
    const char c = static_cast<char>(bytes[i]);
    const auto letter = letters.find(c);
    if (letter != letters.npos && c != '\a' && c != '\b') {
      text += {'\\', escapes[letter]};
    } else if (c >= ' ' && c <= '~') {
      text += c;
    } else {  // the shortest form that the next character does not continue
      const bool is_octal_next = i + 1 < count && bytes[i + 1] >= '0' && bytes[i + 1] <= '7';
      text += formatted(is_octal_next ? "\\%03llo" : "\\%llo", bytes[i]);
    }
  }
  text += '"';
  if (total == 0 ? !bytes.empty() : count < total) text += "...";
  return text;
}

std::string escaped_text(byte_span bytes, std::uint64_t total, std::uint64_t limit) {
  const std::size_t count = std::min<std::uint64_t>(bytes.size(), limit);
  std::string text = "\"";
  for (const unsigned char byte : bytes.first(count)) text += formatted("\\x%02llx", byte);
  return text + (total == 0 || count < total ? "\"..." : "\"");
}

std::string time_text(std::int64_t seconds, std::uint64_t ns) {
  const std::string text = std::to_string(seconds), date = date_text(seconds, ns, 9);
  return date.empty() ? text : text + " /* " + date + " */";
}

std::string date_text(std::int64_t seconds, std::uint64_t fraction, int digits) {
  tm local{};
  const time_t when = static_cast<time_t>(seconds);
  if ((seconds == 0 && fraction == 0) || ::localtime_r(&when, &local) == nullptr) return {};
  char date[64], zone[16], part[32] = "";
  if (::strftime(date, sizeof date, "%FT%T", &local) == 0) return {};
  ::strftime(zone, sizeof zone, "%z", &local);
  if (fraction != 0) std::snprintf(part, sizeof part, ".%0*llu", digits, static_cast<unsigned long long>(fraction));
  return std::string(date) + part + zone;
}

std::string sigset_text(byte_span bytes) {
  std::uint64_t mask = 0;
  std::memcpy(&mask, bytes.data(), std::min(bytes.size(), sizeof mask));
  const bool is_inverted = std::popcount(mask) > 42;
  std::string text;
  for (int signal = 1; signal <= 64; ++signal) {
    if (((mask >> (signal - 1) & 1) != 0) == is_inverted) continue;
    std::string name = signal_text(signal);
    if (name.starts_with("SIG")) name.erase(0, 3);
    text += (text.empty() ? "" : " ") + name;
  }
  return (is_inverted ? "~[" : "[") + text + "]";
}

std::string bits_text(byte_span bytes, std::uint64_t count) {
  std::string text;
  for (std::size_t i = 0; i < std::min<std::uint64_t>(bytes.size() * 8, count); ++i) {
    if ((bytes[i / 8] >> i % 8 & 1) != 0) text += (text.empty() ? "" : " ") + std::to_string(i);
  }
  return "[" + text + "]";
}

std::string words_text(byte_span bytes) {
  std::string text;
  std::uint64_t word = 0;
  for (std::size_t at = 0; load(bytes, at, sizeof word, word); at += sizeof word) {
    text += (text.empty() ? "" : ", ") + formatted("%#016llx", word);
  }
  return "[" + text + "]";
}

}  // namespace genesys::trace
