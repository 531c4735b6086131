// SPDX-License-Identifier: Apache-2.0
// The engine of printf: reads the format string and hands each conversion to its file. It gives what glibc gives in the
// C locale, except that wide characters (%lc, %ls, %C, %S) are EINVAL, that `long double` is double, and that a missing
// argument, or one of a wrong kind, is EINVAL. Any thread, host or kernel.
//
// One format() exists for each type of sink. It is not inlined, and uses no recursion and no pointer to a function, so
// that the compiler knows its stack.
#pragma once

#include "genesys/posix/detail/error_text.h"
#include "genesys/posix/detail/format_floating.h"
#include "genesys/posix/detail/format_hexadecimal.h"
#include "genesys/posix/detail/format_integer.h"
#include "genesys/posix/detail/format_sink.h"

namespace genesys::detail::libc {

template <class Sink>
GENESYS_KERNEL_OUTLINE void put_text(output<Sink>& out, const conversion& c, const char* text, u64 bytes) {
  out.open_field(c, {}, bytes, false);
  out.write(text, bytes);
  out.close_field();
}

template <class Sink>
GENESYS_KERNEL_OUTLINE void put_string(output<Sink>& out, const conversion& c, const char* text) {
  u64 limit = c.precision < 0 ? ~u64{0} : static_cast<u64>(c.precision), bytes = 0;
  if (text == nullptr) {
    text = "(null)";
    if (limit < 6) limit = 0;  // glibc writes all of it or nothing
  }
  GENESYS_NO_UNROLL
  while (bytes < limit && text[bytes] != 0) ++bytes;
  put_text(out, c, text, bytes);
}

// A number of an error as text.
template <class Sink>
GENESYS_KERNEL_OUTLINE void put_error(output<Sink>& out, const conversion& c, int error) {
  char unknown[32];
  const char* text = error_text(error);
  if (text == nullptr) {
    write_unknown_error(unknown, error);
    text = unknown;
  }
  put_string(out, c, text);
}

template <class Sink>
GENESYS_KERNEL_OUTLINE void put_double(output<Sink>& out, const conversion& c, u64 bits) {
  constexpr u64 infinity = 0x7ff0'0000'0000'0000;
  const bool negative = bits >> 63 != 0, upper = (c.letter & 0x20) == 0;
  const u64 size = bits & ~(u64{1} << 63);
  number_prefix prefix;
  add_sign(prefix, c, negative);
  if (size >= infinity) {
    out.open_field(c, prefix, 3, false);
    out.write(size == infinity ? (upper ? "INF" : "inf") : (upper ? "NAN" : "nan"), 3);
    return out.close_field();
  }
  if (c.letter == 'a' || c.letter == 'A') return put_hexadecimal(out, c, prefix, size);
  put_finite(out, c, prefix, size);
}

// %n
GENESYS_KERNEL void store_count(u64 address, length size, u64 count) {
  switch (size) {
    case length::hh:
      *reinterpret_cast<signed char*>(address) = static_cast<signed char>(count);
      return;
    case length::h:
      *reinterpret_cast<short*>(address) = static_cast<short>(count);
      return;
    case length::none:
      *reinterpret_cast<int*>(address) = static_cast<int>(count);
      return;
    default:
      *reinterpret_cast<long*>(address) = static_cast<long>(count);
  }
}

// A letter that is no conversion: glibc writes the specification as it understood it.
template <class Sink>
GENESYS_KERNEL_OUTLINE void put_unknown(output<Sink>& out, const conversion& c) {
  char text[8] = "%";
  int count = 1;
  if (c.has(flag_alternate)) text[count++] = '#';
  if (c.has(flag_group)) text[count++] = '\'';
  if (c.has(flag_plus))
    text[count++] = '+';
  else if (c.has(flag_space))
    text[count++] = ' ';
  if (c.has(flag_left)) text[count++] = '-';
  if (c.has(flag_zero) && !c.has(flag_left)) text[count++] = '0';
  if (c.has(flag_digits)) text[count++] = 'I';
  out.write(text, static_cast<u64>(count));
  conversion plain;
  plain.letter = 'u';
  if (c.width != 0) put_integer(out, plain, {c.width, argument_kind::integer});
  if (c.precision >= 0) {
    out.write(".", 1);
    put_integer(out, plain, {static_cast<u64>(c.precision), argument_kind::integer});
  }
  out.write(&c.letter, 1);
}

// What the letter of a conversion takes.
enum class conversion_class : unsigned char { none, number, floating, character, string, address, count, refused };

GENESYS_KERNEL conversion_class class_of(const conversion& c) {
  switch (c.letter) {
    case 'd':
    case 'i':
    case 'u':
    case 'o':
    case 'x':
    case 'X':
    case 'b':
    case 'B':
      return conversion_class::number;
    case 'e':
    case 'E':
    case 'f':
    case 'F':
    case 'g':
    case 'G':
    case 'a':
    case 'A':
      return conversion_class::floating;
    case 'c':
      return c.size == length::l || c.size == length::ll ? conversion_class::refused : conversion_class::character;
    case 's':
      return c.size == length::l || c.size == length::ll ? conversion_class::refused : conversion_class::string;
    case 'C':
    case 'S':
      return conversion_class::refused;
    case 'p':
      return conversion_class::address;
    case 'n':
      return conversion_class::count;
    default:
      return conversion_class::none;
  }
}

// Whether an argument may have this kind. Integers and addresses are interchangeable, except where an address is used.
GENESYS_KERNEL bool fits(conversion_class wanted, argument_kind kind) {
  if (wanted == conversion_class::floating) return kind == argument_kind::floating;
  if (wanted == conversion_class::string || wanted == conversion_class::count) return kind == argument_kind::pointer;
  return kind != argument_kind::floating;
}

template <class Sink>
GENESYS_KERNEL_OUTLINE void put_conversion(output<Sink>& out, const conversion& c, argument_cursor& arguments,
                                           int error) {
  if (c.letter == '%') return out.write("%", 1);
  if (c.letter == 'm') return put_error(out, c, error);
  const conversion_class wanted = class_of(c);
  if (wanted == conversion_class::none) return put_unknown(out, c);
  const argument* const given = wanted == conversion_class::refused ? nullptr : arguments.take(c.position);
  if (given == nullptr || !fits(wanted, given->kind)) return out.fail(EINVAL);
  switch (wanted) {
    case conversion_class::floating:
      return put_double(out, c, given->bits);
    case conversion_class::character: {
      const char character = static_cast<char>(given->bits);
      return put_text(out, c, &character, 1);
    }
    case conversion_class::string:
      return put_string(out, c, reinterpret_cast<const char*>(given->bits));
    case conversion_class::count:
      return store_count(given->bits, c.size, out.written());
    case conversion_class::address:
      if (given->bits == 0) return put_text(out, c, "(nil)", 5);
      return put_integer(out, c, *given);
    default:
      return put_integer(out, c, *given);
  }
}

/// Writes the text. `error` is the number whose text %m writes. Returns the number of bytes, or -EINVAL, -EOVERFLOW, or
/// -EIO if the sink's drain() returned false; what stands before the failure is written.
template <class Sink>
GENESYS_KERNEL_OUTLINE int format(Sink& sink, const char* text, arguments given, int error) {
  output<Sink> out(sink);
  argument_cursor arguments(given);
  GENESYS_NO_UNROLL
  while (!out.failed()) {
    const char* const from = text;
    GENESYS_NO_UNROLL
    while (*text != 0 && *text != '%') ++text;
    out.write(from, static_cast<u64>(text - from));
    if (*text == 0 || out.failed()) break;
    conversion c;
    conversion_reader reader(text + 1, arguments);
    const int wrong = reader.read(c);
    text = reader.at();
    if (wrong != 0)
      out.fail(wrong);
    else
      put_conversion(out, c, arguments, error);
  }
  return out.result();
}

}  // namespace genesys::detail::libc
