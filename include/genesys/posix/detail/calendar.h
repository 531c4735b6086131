// SPDX-License-Identifier: Apache-2.0
// The Gregorian calendar in UTC: days since 1970, weekdays, weeks. For posix/dates.h and strftime().
#pragma once

#include <time.h>

#include <cstdint>

#include "genesys/detail/target/target.h"

namespace genesys::detail::libc {

// How often `by` goes into `of`, rounded down; `by` is above 0.
GENESYS_KERNEL std::int64_t floor_divide(std::int64_t of, std::int64_t by) { return of / by - (of % by < 0 ? 1 : 0); }

GENESYS_KERNEL bool is_leap_year(std::int64_t year) { return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0); }

// The days from 1970-01-01 to the first day of a month; `month` is 0 to 11. A year begins in March here, so that the
// leap day is its last one.
GENESYS_KERNEL std::int64_t days_to_month(std::int64_t year, int month) {
  const std::int64_t from_march = month < 2 ? year - 1 : year;
  const int months = (month + 10) % 12;
  const std::int64_t leap_days =
      floor_divide(from_march, 4) - floor_divide(from_march, 100) + floor_divide(from_march, 400);
  constexpr std::int64_t march_of_year_0 = -719468;
  return march_of_year_0 + 365 * from_march + leap_days + (153 * months + 2) / 5;
}

// The seconds since 1970. Members may lie outside their ranges.
GENESYS_KERNEL_OUTLINE inline std::int64_t seconds_of(const struct tm& t) {
  const std::int64_t years = floor_divide(t.tm_mon, 12);
  const int month = static_cast<int>(t.tm_mon - 12 * years);
  const std::int64_t days = days_to_month(years + 1900 + t.tm_year, month) + t.tm_mday - 1;
  return ((days * 24 + t.tm_hour) * 60 + t.tm_min) * 60 + t.tm_sec;
}

struct calendar_date {
  std::int64_t year;
  int month, day;  // from 0
};

GENESYS_KERNEL calendar_date date_of(std::int64_t days) {
  constexpr std::int64_t days_of_400_years = 146097;
  const std::int64_t since = days + 719468;  // the first of March of the year 0
  const std::int64_t cycle = floor_divide(since, days_of_400_years);
  const int in_cycle = static_cast<int>(since - cycle * days_of_400_years);
  const int year = (in_cycle - in_cycle / 1460 + in_cycle / 36524 - in_cycle / 146096) / 365;
  const int in_year = in_cycle - (365 * year + year / 4 - year / 100);
  const int months = (5 * in_year + 2) / 153;
  const int month = (months + 2) % 12;
  return {400 * cycle + year + (month < 2 ? 1 : 0), month, in_year - (153 * months + 2) / 5};
}

struct iso_week {
  std::int64_t year;
  int week;
};

// The days since the Monday of the first week in which the year has four days or more; below 0 before it.
GENESYS_KERNEL int days_of_iso_year(int day_of_year, int weekday) {
  constexpr int above_all = 54 * 7;  // so that the remainder is not negative
  return day_of_year - (day_of_year - weekday + 4 + above_all) % 7 + 3;
}

GENESYS_KERNEL iso_week iso_week_of(std::int64_t year, int day_of_year, int weekday) {
  int days = days_of_iso_year(day_of_year, weekday);
  if (days < 0) {
    --year;
    days = days_of_iso_year(day_of_year + (is_leap_year(year) ? 366 : 365), weekday);
  } else if (const int next = days_of_iso_year(day_of_year - (is_leap_year(year) ? 366 : 365), weekday); next >= 0) {
    ++year, days = next;
  }
  return {year, days / 7 + 1};
}

}  // namespace genesys::detail::libc
