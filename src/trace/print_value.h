// SPDX-License-Identifier: Apache-2.0
// Prints numbers, strings and sets of bits as strace does. Used by decode.cpp and print_memory.cpp. Any thread.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "trace/shown.h"

namespace genesys::trace {

using byte_span = std::span<const unsigned char>;

// Stands for the address of memory whose content came with the request (inline data).
constexpr std::uint64_t address_of_inline_data = std::uint64_t{1} << 63;  // no address that Linux accepts

// snprintf with a format for one number.
std::string formatted(const char* format, unsigned long long value);
std::string hexadecimal(std::uint64_t value);     // 0x1f; 0
std::string address_text(std::uint64_t address);  // 0x1f; NULL; inline

// The number with its upper bits removed, or with its sign extended, if its type has only `bytes` bytes.
std::uint64_t narrowed(std::uint64_t value, unsigned bytes);
std::int64_t extended(std::uint64_t value, unsigned bytes);
// The number at the offset; false: it is not all there.
bool load(byte_span from, std::size_t offset, unsigned bytes, std::uint64_t& to);

// A number, except for shown::object and selected, and what has no number: text.
std::string value_text(const shape& as, std::uint64_t value);
// By the names of a set.
std::string set_text(const constant_set& names, std::uint64_t value, unsigned bytes);
// The name of a value in a set of choices; null: it has none.
const char* choice_name(const constant_set& names, std::int64_t value);

// "abc\n"... The bytes are the first ones of `total`; at most `limit` are printed.
std::string quoted(byte_span bytes, std::uint64_t total, std::uint64_t limit);
// "\x01\x02"
std::string escaped_text(byte_span bytes, std::uint64_t total, std::uint64_t limit);
// 1669291200 /* 2022-11-24T12:00:00+0000 */
std::string time_text(std::int64_t seconds, std::uint64_t ns);
// 2022-11-24T12:00:00.5+0000, with so many digits of the fraction unless it is 0; empty for 0, which is no date.
std::string date_text(std::int64_t seconds, std::uint64_t fraction, int digits);
// The bits of a set: [INT CHLD], [3 5], [0 1], [0x5].
std::string sigset_text(byte_span bytes);
std::string bits_text(byte_span bytes, std::uint64_t count);
std::string words_text(byte_span bytes);

}  // namespace genesys::trace
