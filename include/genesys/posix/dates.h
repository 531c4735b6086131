// SPDX-License-Identifier: Apache-2.0
// Functions of <time.h> for kernels that compute with dates. Any thread may call any function, alone. There are no time
// zones: all times are UTC, and ctime_r() and strftime() take them for UTC. Otherwise the results are glibc's in the C
// locale. A struct tm that a kernel makes has a tm_zone that only kernels can read.
#pragma once

#include <time.h>

#include "genesys/posix/detail/date_text.h"
#include "genesys/posix/detail/errno.h"

namespace genesys::posix {

GENESYS_KERNEL double difftime(time_t end, time_t begin) {
  return end < begin ? -static_cast<double>(static_cast<uint64_t>(begin) - static_cast<uint64_t>(end))
                     : static_cast<double>(static_cast<uint64_t>(end) - static_cast<uint64_t>(begin));
}

// Returns `to`, or null with EOVERFLOW if the year does not fit.
GENESYS_KERNEL_OUTLINE inline struct tm* gmtime_r(const time_t* at, struct tm* to) {
  constexpr int64_t day_s = 86400;
  const int64_t days = detail::libc::floor_divide(*at, day_s);
  const int second = static_cast<int>((*at % day_s + day_s) % day_s);
  const detail::libc::calendar_date date = detail::libc::date_of(days);
  const int64_t year = date.year - 1900;
  if (year != static_cast<int>(year)) {
    detail::libc::set_errno(EOVERFLOW);
    return nullptr;
  }
  to->tm_sec = second % 60;
  to->tm_min = second / 60 % 60;
  to->tm_hour = second / 3600;
  to->tm_mday = date.day + 1;
  to->tm_mon = date.month;
  to->tm_year = static_cast<int>(year);
  to->tm_wday = static_cast<int>((days % 7 + 4 + 7) % 7);
  to->tm_yday = static_cast<int>(days - detail::libc::days_to_month(date.year, 0));
  to->tm_isdst = 0;
  to->tm_gmtoff = 0;
  to->tm_zone = "GMT";
  return to;
}

// Members may lie outside their ranges; timegm() brings them into these. Returns -1 with EOVERFLOW if the year does not
// fit then.
GENESYS_KERNEL_OUTLINE inline time_t timegm(struct tm* from) {
  const time_t at = detail::libc::seconds_of(*from);
  return posix::gmtime_r(&at, from) != nullptr ? at : -1;
}

// Writes the conversions of `format`, and a null byte. Returns the length without it, or 0 if the text does not fit;
// `to` has part of it then. All conversions, flags and widths of strftime(3). %Z is GMT and %z is +0000, or nothing if
// tm_isdst is below 0. %s takes the time for UTC.
GENESYS_KERNEL_OUTLINE inline size_t strftime(char* to, size_t bytes, const char* format, const struct tm* t) {
  detail::libc::bounded_text out{to, bytes};
  const char* after = nullptr;  // within a composite conversion: what follows it
  detail::libc::date_conversion whole;
  size_t begin = 0;  // the place of the composite conversion
  while (*format != 0 || after != nullptr) {
    if (*format == 0) {
      detail::libc::end_composite_date(out, begin, whole);
      format = after, after = nullptr;
    } else if (*format != '%') {
      out.put(*format++);
    } else {
      const char* const start = format;
      detail::libc::date_conversion c;
      format = detail::libc::read_date_conversion(format + 1, c);
      const char* composite = detail::libc::composite_date(c.letter);
      if (composite != nullptr)
        after = format, format = composite, whole = c, begin = out.length;
      else
        detail::libc::put_date_conversion(out, c, *t, start, static_cast<size_t>(format - start));
    }
    if (out.is_full()) return 0;
  }
  if (out.is_full()) return 0;  // no room for the null byte
  to[out.length] = 0;
  return out.length;
}

// Writes 26 bytes, with the null byte: "Thu Nov 26 08:06:18 2026\n". Returns `to`, or null with EOVERFLOW if the text
// is longer.
GENESYS_KERNEL_OUTLINE inline char* asctime_r(const struct tm* t, char* to) {
  char text[96];
  detail::libc::bounded_text out{text, sizeof text};
  const auto name = [&out](const char* full) {
    if (*full == '?') full = "???";
    for (int i = 0; i < 3; ++i) out.put(full[i]);
  };
  const auto number = [&out](int64_t value, int digits) { detail::libc::put_date_number(out, {}, {value, digits}); };
  name(detail::libc::name_of_weekday(t->tm_wday)), out.put(' ');
  name(detail::libc::name_of_month(t->tm_mon));
  detail::libc::put_date_number(out, {}, {t->tm_mday, 3, true}), out.put(' ');
  number(t->tm_hour, 2), out.put(':'), number(t->tm_min, 2), out.put(':'), number(t->tm_sec, 2), out.put(' ');
  const int64_t year = int64_t{t->tm_year} + 1900;
  number(year, 1), out.put('\n'), out.put(0);
  if (out.length > 26 || year != static_cast<int>(year)) {
    detail::libc::set_errno(EOVERFLOW);
    return nullptr;
  }
  return static_cast<char*>(memcpy(to, text, out.length));
}

// The same for a time in seconds since 1970.
GENESYS_KERNEL char* ctime_r(const time_t* at, char* to) {
  struct tm t;
  return posix::gmtime_r(at, &t) != nullptr ? posix::asctime_r(&t, to) : nullptr;
}

}  // namespace genesys::posix
