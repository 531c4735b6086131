// SPDX-License-Identifier: Apache-2.0
// posix/dates.h beside glibc, whose time zone is UTC here.
#include "genesys/posix/dates.h"

#include "beside_glibc.h"

namespace glibc {
using ::asctime_r, ::ctime_r, ::difftime, ::gmtime_r, ::strftime, ::timegm;
}

namespace {
using namespace beside_glibc;

constexpr int fields_count = 9;
struct moment {
  time_t at, other;
  int fields[fields_count];
  u32 bytes;
  char format[48];
};
struct dates {
  long results[8];
  int fields[2][fields_count];
  char text[2][32];
  int errors[2];
};
struct formatted {
  long length;
  char text[128];
};

GENESYS_KERNEL void take(const struct tm& t, int (&to)[fields_count]) {
  to[0] = t.tm_sec, to[1] = t.tm_min, to[2] = t.tm_hour, to[3] = t.tm_mday, to[4] = t.tm_mon, to[5] = t.tm_year;
  to[6] = t.tm_wday, to[7] = t.tm_yday, to[8] = t.tm_isdst;
}
GENESYS_KERNEL struct tm made(const int (&from)[fields_count]) {
  struct tm t {};
  t.tm_sec = from[0], t.tm_min = from[1], t.tm_hour = from[2], t.tm_mday = from[3], t.tm_mon = from[4];
  t.tm_year = from[5], t.tm_wday = from[6], t.tm_yday = from[7], t.tm_isdst = from[8];
  return t;
}

BESIDE_GLIBC(conversions, moment, dates, {
  int& error = genesys::detail::libc::error_number();
  struct tm t {};
  error = 0;
  out.results[0] = c::gmtime_r(&in.at, &t) == &t ? 1 : 0;
  out.errors[0] = error;
  if (out.results[0] != 0) {
    take(t, out.fields[0]);
    char text[32] = {};
    out.results[1] = c::asctime_r(&t, text) == text ? 1 : 0;
    for (int i = 0; i < 26 && out.results[1] != 0; ++i) out.text[0][i] = text[i];
    out.results[2] = c::ctime_r(&in.at, text) == text ? 1 : 0;
    for (int i = 0; i < 26 && out.results[2] != 0; ++i) out.text[1][i] = text[i];
  }
  t = made(in.fields);
  error = 0;
  out.results[3] = c::timegm(&t);
  out.errors[1] = error;
  if (out.results[3] != -1) take(t, out.fields[1]);
  const double seconds = c::difftime(in.at, in.other);
  out.results[4] = static_cast<long>(seconds / 4);
  if (seconds < 1e15 && seconds > -1e15) out.results[5] = static_cast<long>(seconds);
});

BESIDE_GLIBC(texts, moment, formatted, {
  const struct tm t = made(in.fields);
  char text[128];
  out.length = static_cast<long>(c::strftime(text, in.bytes, in.format, &t));
  for (long i = 0; i < out.length; ++i) out.text[i] = text[i];
});

time_t random_time(chance& random) {
  const u64 bits = random.bits();
  const auto positive = static_cast<time_t>(random(3) == 0 ? bits >> 1 >> random(40) : bits % 8'000'000'000);
  return random(4) == 0 ? -positive : positive;
}

TEST(Dates, Conversions) {
  ::setenv("TZ", "GMT0", 1);
  ::tzset();
  chance random(30);
  std::vector<moment> all(examples_max);
  for (moment& m : all) {
    m = {};
    m.at = random_time(random), m.other = random(2) != 0 ? m.at + random(1000) : random_time(random);
    // A time of these years, members near their ranges, or any members.
    const u32 kind = random(3);
    const int ranges[] = {60, 60, 24, 31, 12};
    for (int i = 0; i < 5; ++i)
      m.fields[i] = kind == 0   ? static_cast<int>(random(static_cast<u64>(ranges[i])))
                    : kind == 1 ? static_cast<int>(random(1000)) - 500
                                : static_cast<int>(random.bits());
    m.fields[5] = kind == 2 ? static_cast<int>(random.bits()) : static_cast<int>(random(400)) - 100;
    for (int i = 6; i < 8; ++i) m.fields[i] = static_cast<int>(random.bits());
  }
  // The first and the last days of years, and the limits of tm_year.
  for (int year = 1580; year < 2500; ++year)
    for (int day = -1; day < 2; ++day) {
      moment m{};
      m.fields[3] = 1 + day, m.fields[5] = year - 1900;
      struct tm t = made(m.fields);
      m.at = ::timegm(&t);
      all.push_back(m);
    }
  for (const int year : {INT_MAX, INT_MIN})
    for (int day = -1; day < 3; ++day)
      for (const int month : {0, 2, 11}) {
        moment m{};
        m.fields[3] = 1 + day, m.fields[4] = month, m.fields[5] = year;
        m.at = year == INT_MAX ? 67768036191676799 + day : -67768040609740800 - day;
        all.push_back(m);
      }
  compare<conversions>(all, "gmtime_r, asctime_r, ctime_r, timegm or difftime");
}

// Conversions with flags, a width and a modifier, and text between them.
std::string random_format(chance& random) {
  const char letters[] = "aAbBcCdDeFgGhHIjklmMnpPrRsStTuUVwWxXyYzZ%QEO+";
  std::string format;
  for (u32 count = 1 + random(3); count > 0; --count) {
    std::string one = "%";
    const bool plain = random(2) == 0;
    while (!plain && random(3) == 0) one += "_-0^#"[random(5)];
    if (!plain && random(2) == 0) one += std::to_string(random(14));
    if (!plain && random(3) == 0) one += "EO"[random(2)];
    one += letters[random(sizeof letters - 1)];
    // POSIX has no %Eb and no %Eh. glibc copies them, with other letters if there is a '#'.
    const bool has_none = one.ends_with("Eb") || one.ends_with("Eh");
    if (has_none && one.find('#') != std::string::npos) continue;
    format += one;
    if (random(3) == 0) format += " at ";
  }
  return random(50) == 0 ? format + "%" : format;
}

TEST(Dates, Strftime) {
  ::setenv("TZ", "GMT0", 1);
  ::tzset();
  chance random(31);
  std::vector<moment> all(2 * examples_max);
  for (moment& m : all) {
    m = {};
    struct tm t {};
    const time_t at = random_time(random);
    if (::gmtime_r(&at, &t) == nullptr) t.tm_year = INT_MAX - 1900;
    take(t, m.fields);
    if (random(20) == 0) m.fields[4 + random(2) * 2] = static_cast<int>(random(30)) - 10;  // no month or weekday
    if (random(20) == 0) m.fields[8] = -1;
    m.bytes = random(2) != 0 ? sizeof(formatted::text) : random(60);
    std::strcpy(m.format, random_format(random).substr(0, sizeof m.format - 1).c_str());
  }
  for (int year = 1580; year < 2500; ++year)  // weeks at the turns of years
    for (int day = -4; day < 5; ++day) {
      moment m{};
      m.fields[3] = 1 + day, m.fields[5] = year - 1900, m.bytes = sizeof(formatted::text);
      struct tm t = made(m.fields);
      ::timegm(&t);
      take(t, m.fields);
      std::strcpy(m.format, "%G-W%V-%u %g %U %W %j %s");
      all.push_back(m);
    }
  compare<texts>(all, "strftime");
}

}  // namespace
