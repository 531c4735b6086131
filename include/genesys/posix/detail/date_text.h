// SPDX-License-Identifier: Apache-2.0
// The conversions of strftime() in the C locale (posix/dates.h). One thread runs them.
#pragma once

#include <time.h>

#include <cstddef>

#include "genesys/posix/detail/calendar.h"
#include "genesys/posix/string.h"

namespace genesys::detail::libc {

// Text in memory of a fixed size. `length` counts on when the memory is full.
struct bounded_text {
  char* to;
  std::size_t size, length = 0;

  GENESYS_KERNEL bool is_full() const { return length >= size; }
  GENESYS_KERNEL void put(char c) {
    if (!is_full()) to[length] = c;
    ++length;
  }
  GENESYS_KERNEL void repeat(char c, std::int64_t count) {
    for (; count > 0 && !is_full(); --count) put(c);
    if (count > 0) length = size;
  }
};

// One conversion: % FLAG WIDTH MODIFIER LETTER, as glibc has it.
struct date_conversion {
  char letter = 0, modifier = 0;
  char pad = 0;  // '0', '_' (spaces), '-' (none), or 0 for what the letter does
  bool upper = false, swap_case = false;
  int width = 0;
};

// Whether the letter is one of strftime's with this modifier; neither has a meaning in the C locale.
GENESYS_KERNEL bool takes_modifier(char letter, char modifier) {
  if (modifier == 0 || letter == 0) return true;
  return posix::strchr(modifier == 'E' ? "ABDFGHIMSUVWabdeghjklmw" : "ADFXYacx", letter) == nullptr;
}

// Returns what follows the conversion. A modifier that the letter does not take makes the letter 0. `at` points behind
// the percent sign.
GENESYS_KERNEL_OUTLINE inline const char* read_date_conversion(const char* at, date_conversion& to) {
  for (;; ++at) {
    if (*at == '_' || *at == '-' || *at == '0')
      to.pad = *at;
    else if (*at == '^')
      to.upper = true;
    else if (*at == '#')
      to.swap_case = true;
    else
      break;
  }
  constexpr int width_max = 2147483647;
  for (; posix::isdigit(*at); ++at)
    to.width = to.width > (width_max - 9) / 10 ? width_max : to.width * 10 + (*at - '0');
  if (*at == 'E' || *at == 'O') to.modifier = *at++;
  to.letter = *at;
  if (!takes_modifier(to.letter, to.modifier)) to.letter = 0;
  return *at != 0 ? at + 1 : at;
}

// The conversions that stand for several others; null: none of them.
GENESYS_KERNEL const char* composite_date(char letter) {
  switch (letter) {
    case 'c':
      return "%a %b %e %H:%M:%S %Y";
    case 'D':
      return "%m/%d/%y";
    case 'x':
      return "%m/%d/%y";
    case 'F':
      return "%Y-%m-%d";
    case 'R':
      return "%H:%M";
    case 'r':
      return "%I:%M:%S %p";
    case 'T':
      return "%H:%M:%S";
    case 'X':
      return "%H:%M:%S";
    default:
      return nullptr;
  }
}

GENESYS_KERNEL const char* name_of_weekday(int weekday) {
  switch (weekday) {
    case 0:
      return "Sunday";
    case 1:
      return "Monday";
    case 2:
      return "Tuesday";
    case 3:
      return "Wednesday";
    case 4:
      return "Thursday";
    case 5:
      return "Friday";
    case 6:
      return "Saturday";
    default:
      return "?";
  }
}

GENESYS_KERNEL const char* name_of_month(int month) {
  switch (month) {
    case 0:
      return "January";
    case 1:
      return "February";
    case 2:
      return "March";
    case 3:
      return "April";
    case 4:
      return "May";
    case 5:
      return "June";
    case 6:
      return "July";
    case 7:
      return "August";
    case 8:
      return "September";
    case 9:
      return "October";
    case 10:
      return "November";
    case 11:
      return "December";
    default:
      return "?";
  }
}

struct date_number {
  std::int64_t value;
  int digits;           // at least; 0: the conversion is no number
  bool spaces = false;  // pads with spaces
};

// The conversions to a number, except %s and %z.
GENESYS_KERNEL_OUTLINE inline date_number number_of_date(char letter, const struct tm& t) {
  const std::int64_t year = std::int64_t{t.tm_year} + 1900;
  const int hour = t.tm_hour > 12 ? t.tm_hour - 12 : t.tm_hour == 0 ? 12 : t.tm_hour;
  const int from_monday = (t.tm_wday + 6) % 7;
  switch (letter) {
    case 'C':
      return {floor_divide(year, 100), 1};
    case 'd':
      return {t.tm_mday, 2};
    case 'e':
      return {t.tm_mday, 2, true};
    case 'G':
      return {iso_week_of(year, t.tm_yday, t.tm_wday).year, 1};
    case 'g': {
      const std::int64_t of_week = iso_week_of(year, t.tm_yday, t.tm_wday).year;
      return {of_week - 100 * floor_divide(of_week, 100), 2};
    }
    case 'H':
      return {t.tm_hour, 2};
    case 'I':
      return {hour, 2};
    case 'j':
      return {std::int64_t{t.tm_yday} + 1, 3};
    case 'k':
      return {t.tm_hour, 2, true};
    case 'l':
      return {hour, 2, true};
    case 'M':
      return {t.tm_min, 2};
    case 'm':
      return {std::int64_t{t.tm_mon} + 1, 2};
    case 'S':
      return {t.tm_sec, 2};
    case 'U':
      return {(t.tm_yday - t.tm_wday + 7) / 7, 2};
    case 'u':
      return {from_monday + 1, 1};
    case 'V':
      return {iso_week_of(year, t.tm_yday, t.tm_wday).week, 2};
    case 'W':
      return {(t.tm_yday - from_monday + 7) / 7, 2};
    case 'w':
      return {t.tm_wday, 1};
    case 'Y':
      return {year, 1};
    case 'y':
      return {year - 100 * floor_divide(year, 100), 2};
    default:
      return {0, 0};
  }
}

GENESYS_KERNEL_OUTLINE inline void put_date_number(bounded_text& out, const date_conversion& c, date_number n) {
  char reversed[24];
  int length = 0;
  std::uint64_t left = n.value < 0 ? 0 - static_cast<std::uint64_t>(n.value) : static_cast<std::uint64_t>(n.value);
  do reversed[length++] = static_cast<char>('0' + left % 10);
  while ((left /= 10) > 0);
  const char pad = c.pad != 0 ? c.pad : n.spaces ? '_' : '0';
  const int least = pad != '-' && n.digits > c.width ? n.digits : c.width;
  const bool negative = n.value < 0;
  const std::int64_t padding = std::int64_t{least} - length - (negative ? 1 : 0);
  if (pad != '0') out.repeat(' ', padding);
  if (negative) out.put('-');
  if (pad == '0') out.repeat('0', padding);
  while (length > 0) out.put(reversed[--length]);
}

GENESYS_KERNEL_OUTLINE inline void put_date_text(bounded_text& out, const date_conversion& c, const char* text,
                                                 std::size_t length) {
  const bool lower = c.letter == 'P' || (c.swap_case && (c.letter == 'p' || c.letter == 'Z'));
  const bool is_name = c.letter != 0 && posix::strchr("aAbBh", c.letter) != nullptr;
  const bool upper = !lower && (c.upper || (c.swap_case && is_name));
  out.repeat(c.pad == '0' ? '0' : ' ', std::int64_t{c.width} - static_cast<std::int64_t>(length));
  for (std::size_t i = 0; i < length; ++i)
    out.put(static_cast<char>(lower ? posix::tolower(text[i]) : upper ? posix::toupper(text[i]) : text[i]));
}

// The conversions to text; null: none of them.
GENESYS_KERNEL const char* text_of_date(char letter, const struct tm& t, std::size_t& length) {
  const char* text = nullptr;
  switch (letter) {
    case 'a':
    case 'A':
      text = name_of_weekday(t.tm_wday);
      break;
    case 'b':
    case 'B':
    case 'h':
      text = name_of_month(t.tm_mon);
      break;
    case 'n':
      text = "\n";
      break;
    case 'P':
    case 'p':
      text = t.tm_hour > 11 ? "PM" : "AM";
      break;
    case 't':
      text = "\t";
      break;
    case 'Z':
      text = t.tm_isdst < 0 ? "" : "GMT";
      break;
    case '%':
      text = "%";
      break;
    default:
      return nullptr;
  }
  length = posix::strlen(text);
  const bool is_short = letter == 'a' || letter == 'b' || letter == 'h';
  if (is_short && length > 3) length = 3;
  return text;
}

// Any conversion but the composite ones. Its `length` characters begin at `as_it_stands`.
GENESYS_KERNEL_OUTLINE inline void put_date_conversion(bounded_text& out, date_conversion c, const struct tm& t,
                                                       const char* as_it_stands, std::size_t length) {
  if (const date_number n = number_of_date(c.letter, t); n.digits > 0) return put_date_number(out, c, n);
  std::size_t text_length = 0;
  if (const char* text = text_of_date(c.letter, t, text_length); text != nullptr)
    return put_date_text(out, c, text, text_length);
  if (c.letter == 's') {
    char seconds[24];
    bounded_text number{seconds, sizeof seconds};
    put_date_number(number, {}, {seconds_of(t), 1});
    return put_date_text(out, c, seconds, number.length);
  }
  if (c.letter == 'z') {
    if (t.tm_isdst < 0) return;
    put_date_text(out, c, "+", 1);
    return put_date_number(out, c, {0, 4});
  }
  c.letter = 0;  // no name: '#' has no effect
  put_date_text(out, c, as_it_stands, length);
}

// At the end of a composite conversion, which began at `begin`, its length is known: pads it to its width.
GENESYS_KERNEL_OUTLINE inline void end_composite_date(bounded_text& out, std::size_t begin, const date_conversion& c) {
  const std::size_t length = out.length - begin, width = static_cast<std::size_t>(c.width);
  if (width > length) {
    const std::size_t padding = width - length;
    out.repeat(' ', static_cast<std::int64_t>(padding));
    if (out.is_full()) return;
    posix::memmove(out.to + begin + padding, out.to + begin, length);
    posix::memset(out.to + begin, c.pad == '0' ? '0' : ' ', padding);
  }
  for (std::size_t i = begin; c.upper && i < out.length; ++i) out.to[i] = static_cast<char>(posix::toupper(out.to[i]));
}

}  // namespace genesys::detail::libc
