// SPDX-License-Identifier: Apache-2.0
// strtol(), strtod() and their kin for kernels beside glibc's: values, ends, errno; on the host and in kernels.
#include "genesys/posix/numbers.h"

#include <inttypes.h>
#include <stdlib.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "generated.h"

namespace generated {
namespace {

// What the functions make of one text. Ends are offsets.
struct parsed {
  u64 signed_value, unsigned_value, double_bits, float_bits;
  int signed_end, unsigned_end, double_end, float_end;
  int signed_errno, unsigned_errno, double_errno, float_errno;
};

// -1: the function has not stored an end.
GENESYS_KERNEL int offset_of(const char* end, const char* text) {
  return end == nullptr ? -1 : static_cast<int>(end - text);
}

struct number_text {
  std::string text;
  int base;
};

GENESYS_KERNEL parsed parse(const char* text, int base) {
  using genesys::detail::libc::error_number;
  using genesys::detail::libc::set_errno;
  parsed all{};
  char* end = nullptr;
  set_errno(0);
  all.signed_value = static_cast<u64>(genesys::posix::strtoll(text, &end, base));
  all.signed_end = offset_of(end, text);
  all.signed_errno = error_number();
  end = nullptr;
  set_errno(0);
  all.unsigned_value = genesys::posix::strtoull(text, &end, base);
  all.unsigned_end = offset_of(end, text);
  all.unsigned_errno = error_number();
  set_errno(0);
  all.double_bits = __builtin_bit_cast(u64, genesys::posix::strtod(text, &end));
  all.double_end = offset_of(end, text);
  all.double_errno = error_number();
  set_errno(0);
  all.float_bits = __builtin_bit_cast(u32, genesys::posix::strtof(text, &end));
  all.float_end = offset_of(end, text);
  all.float_errno = error_number();
  return all;
}

parsed parse_by_glibc(const char* text, int base) {
  parsed all{};
  char* end = nullptr;
  errno = 0;
  all.signed_value = static_cast<u64>(::strtoll(text, &end, base));
  all.signed_end = offset_of(end, text);
  all.signed_errno = errno;
  end = nullptr;
  errno = 0;
  all.unsigned_value = ::strtoull(text, &end, base);
  all.unsigned_end = offset_of(end, text);
  all.unsigned_errno = errno;
  errno = 0;
  all.double_bits = __builtin_bit_cast(u64, ::strtod(text, &end));
  all.double_end = offset_of(end, text);
  all.double_errno = errno;
  errno = 0;
  all.float_bits = __builtin_bit_cast(u32, ::strtof(text, &end));
  all.float_end = offset_of(end, text);
  all.float_errno = errno;
  return all;
}

// glibc 2.36 (bug 30220) loses the last bit of a number that is below the smallest normal one and has one bit more than
// a mantissa. A `long double` holds such a number exactly, so that the processor can round it.
template <class Float, class Bits>
bool is_right_where_glibc_is_not(const char* text, Bits bits, int error) {
  const long double exact = ::strtold(text, nullptr);
  const Float rounded = static_cast<Float>(exact);
  return std::fabs(exact) <= static_cast<long double>(std::numeric_limits<Float>::min()) &&
         bits == __builtin_bit_cast(Bits, rounded) && error == (rounded == exact ? 0 : ERANGE);
}

std::string described(const parsed& all) {
  std::ostringstream text;
  text << std::hex << "long " << all.signed_value << ", unsigned " << all.unsigned_value << ", double "
       << all.double_bits << ", float " << all.float_bits << std::dec << "; ends " << all.signed_end << " "
       << all.unsigned_end << " " << all.double_end << " " << all.float_end << "; errno " << all.signed_errno << " "
       << all.unsigned_errno << " " << all.double_errno << " " << all.float_errno;
  return text.str();
}

// Returns false if they differ.
bool expect_same(const number_text& one, const parsed& ours) {
  parsed theirs = parse_by_glibc(one.text.c_str(), one.base);
  if ((ours.double_bits != theirs.double_bits || ours.double_errno != theirs.double_errno) &&
      is_right_where_glibc_is_not<double>(one.text.c_str(), ours.double_bits, ours.double_errno)) {
    theirs.double_bits = ours.double_bits;
    theirs.double_errno = ours.double_errno;
  }
  if ((ours.float_bits != theirs.float_bits || ours.float_errno != theirs.float_errno) &&
      is_right_where_glibc_is_not<float>(one.text.c_str(), static_cast<u32>(ours.float_bits), ours.float_errno)) {
    theirs.float_bits = ours.float_bits;
    theirs.float_errno = ours.float_errno;
  }
  const bool same = std::memcmp(&ours, &theirs, sizeof ours) == 0;
  EXPECT_TRUE(same) << "'" << one.text << "', base " << one.base << "\nours:  " << described(ours)
                    << "\nglibc: " << described(theirs);
  return same;
}

class number_texts {
 public:
  explicit number_texts(u64 test) : chance_(test) {}

  number_text next() {
    static const char* const before[] = {" ", "\t\n\v\f\r ", "+", "-", "+-", "- "};
    std::string text = chance_.one_in(4) ? chance_.of(before) : "";
    switch (chance_(8)) {
      case 0:
        text += printed();
        break;
      case 1:
        text += tie();
        break;
      case 2:
        text += digits(1 + chance_(chance_.one_in(10) ? 900 : 40)) + exponent('e', 400);
        break;
      case 3:
        text += hexadecimal();
        break;
      case 4:
        text += integer();
        break;
      case 5:
        text += letters(" +-0123456789.eExXpPinfaty()_", chance_(12));
        break;
      case 6:
        text += word();
        break;
      default:
        text += zeros();
    }
    if (chance_.one_in(4)) text += letters("0x.e+-(z", 1 + chance_(2));
    static const int bases[] = {0, 0, 0, 2, 8, 10, 10, 16, 16, 36, 1, 37, -1};
    // AddressSanitizer's own strtoll() stores an end for a wrong base.
    const u32 bases_count = std::size(bases) - (contract::sanitized ? 3 : 0);
    return {text, chance_.one_in(3) ? 2 + static_cast<int>(chance_(35)) : bases[chance_(bases_count)]};
  }

 private:
  template <class T>
  static std::string print(const char* format, int precision, T value) {
    char to[1600];
    const int count = ::snprintf(to, sizeof to, format, precision, value);
    return {to, static_cast<std::size_t>(count)};
  }

  std::string letters(const std::string& from, u32 count) {
    std::string all(count, 0);
    for (char& c : all) c = from[chance_(from.size())];
    return all;
  }

  std::string printed() {
    static const char* const formats[] = {"%.*e", "%.*g", "%.*f", "%.*a"};
    return print(chance_.of(formats), static_cast<int>(chance_(30)), chance_.any_double());
  }

  // The middle between two neighbours, and what is a little beside it.
  std::string tie() {
    long double middle;
    if (chance_.one_in(2)) {
      const double low = chance::from_bits((chance_.any_bits() & ~(u64{1} << 63)) % (u64{0x7fe} << 52));
      middle = (static_cast<long double>(low) + std::nextafter(low, HUGE_VAL)) / 2;
    } else {
      const float low = __builtin_bit_cast(float, static_cast<u32>(chance_.any_bits() >> 32) % 0x7f00'0000u);
      middle = (static_cast<double>(low) + static_cast<double>(std::nextafterf(low, HUGE_VALF))) / 2;
    }
    std::string text = print("%.*Le", 800, middle);
    const std::size_t e = text.find('e');
    const std::size_t last = text.find_last_not_of('0', e - 1);
    std::string mantissa = text.substr(0, last + 1);
    if (chance_.one_in(3)) mantissa += std::string(chance_(chance_.one_in(2) ? 10 : 600), '0') + "1";
    if (chance_.one_in(4) && mantissa.back() > '0') --mantissa.back();
    return mantissa + text.substr(e);
  }

  // With a point somewhere, or without one.
  std::string digits(u32 count) {
    std::string text = letters(chance_.one_in(4) ? "09" : "0123456789", count);
    if (!chance_.one_in(3)) text.insert(chance_(count + 1), ".");
    return text;
  }

  std::string exponent(char letter, u32 most) {
    if (chance_.one_in(3)) return "";
    if (chance_.one_in(50)) return std::string(1, letter) + (chance_.one_in(2) ? "-" : "") + "999999999999999999999";
    const int value = static_cast<int>(chance_(2 * most)) - static_cast<int>(most);
    return std::string(1, letter) + (value >= 0 && chance_.one_in(2) ? "+" : "") + std::to_string(value);
  }

  std::string hexadecimal() {
    const u32 count = 1 + chance_(chance_.one_in(10) ? 60 : 18);
    std::string text = letters(chance_.one_in(4) ? "08f" : "0123456789abcdefABCDEF", count);
    if (!chance_.one_in(3)) text.insert(chance_(count + 1), ".");
    return (chance_.one_in(2) ? "0x" : "0X") + text + exponent(chance_.one_in(2) ? 'p' : 'P', 1150);
  }

  std::string integer() {
    if (chance_.one_in(2)) {
      static const char* const limits[] = {"9223372036854775807",
                                           "9223372036854775808",
                                           "9223372036854775809",
                                           "18446744073709551615",
                                           "18446744073709551616",
                                           "18446744073709551617",
                                           "7fffffffffffffff",
                                           "8000000000000000",
                                           "0xffffffffffffffff",
                                           "0x10000000000000000",
                                           "777777777777777777777",
                                           "01777777777777777777777",
                                           "02000000000000000000000",
                                           "99999999999999999999999",
                                           "1y2p0ij32e8e7",
                                           "1y2p0ij32e8e8",
                                           "3w5e11264sgsf",
                                           "3w5e11264sgsg",
                                           "0b101",
                                           "0x",
                                           "0xg"};
      return chance_.of(limits);
    }
    static const char* const prefixes[] = {"", "0", "0x", "0X", "00x", "0b"};
    return chance_.of(prefixes) + letters(chance_.one_in(2) ? "0123456789" : "0123456789abcxyzABCXYZ", chance_(25));
  }

  std::string word() {
    static const char* const words[] = {"inf",
                                        "INF",
                                        "infinity",
                                        "InFiNiTy",
                                        "infinit",
                                        "in",
                                        "nan",
                                        "NaN",
                                        "nan()",
                                        "nan(123)",
                                        "nan(0x7ffffffffffff)",
                                        "nan(0xfffffffffffff)",
                                        "nan(077)",
                                        "nan(12z)",
                                        "nan(_)",
                                        "nan(1",
                                        "nan(-1)",
                                        "nan(99999999999999999999999999)",
                                        "0x",
                                        "0x.",
                                        "0x.p1",
                                        "0x1p",
                                        "0x1p+",
                                        ".",
                                        "e5",
                                        ".e5",
                                        "0e5",
                                        "1e",
                                        "1e+",
                                        "1.e3",
                                        "0x1.p3",
                                        "1e5.5",
                                        "1..2",
                                        "1ee5"};
    return chance_.of(words);
  }

  // Many zeros in front or behind, which the exponent undoes.
  std::string zeros() {
    const u32 count = chance_(chance_.one_in(4) ? 1200 : 40);
    const int shift = static_cast<int>(count) + static_cast<int>(chance_(60)) - 30;
    const std::string few = letters("123456789", 1 + chance_(20)), many(count, '0');
    return chance_.one_in(2) ? "0." + many + few + "e" + std::to_string(shift)
                             : many + few + many + "e" + std::to_string(-shift);
  }

  chance chance_;
};

TEST(Numbers, OnTheHostAreGlibcs) {
  number_texts texts(11);
  int failures_left = 5;
  for (u32 i = 0; i < on_host() && failures_left > 0; ++i) {
    const number_text one = texts.next();
    if (!expect_same(one, parse(one.text.c_str(), one.base))) --failures_left;
  }
}

struct text_in_kernel {
  u64 offset;
  int base;
};

struct parse_each {
  GENESYS_KERNEL void operator()(genesys::os, const text_in_kernel* all, u32 count, const char* texts,
                                 parsed* results) const {
    const u32 i = genesys::block_rank() * genesys::threads_in_block() + genesys::thread_rank();
    if (i < count) results[i] = parse(texts + all[i].offset, all[i].base);
  }
};

TEST(Numbers, InAKernelAreGlibcs) {
  auto& rt = contract::shared_runtime();
  number_texts texts(12);
  constexpr u32 at_a_time = 25'000, threads = 128;
  int failures_left = 5;
  for (u32 done = 0; done < in_kernel() && failures_left > 0; done += at_a_time) {
    const u32 count = std::min(at_a_time, in_kernel() - done);
    std::vector<number_text> all;
    std::vector<text_in_kernel> places;
    std::string together;
    for (u32 i = 0; i < count; ++i) {
      const number_text& one = all.emplace_back(texts.next());
      places.push_back({together.size(), one.base});
      together.append(one.text.c_str(), one.text.size() + 1);
    }
    contract::on_device<char> together_there(rt, std::vector<char>(together.begin(), together.end()));
    contract::on_device<text_in_kernel> places_there(rt, places);
    contract::on_device<parsed> results_there(rt, count);
    contract::play(rt, {.blocks = {(count + threads - 1) / threads}, .threads = {threads}}, parse_each{},
                   static_cast<const text_in_kernel*>(places_there.get()), count,
                   static_cast<const char*>(together_there.get()), results_there.get());
    const auto results = results_there.take();
    for (u32 i = 0; i < count && failures_left > 0; ++i)
      if (!expect_same(all[i], results[i])) --failures_left;
  }
}

struct small_ones {
  GENESYS_KERNEL void operator()(genesys::os, double* to) const {
    namespace c = genesys::posix;
    const char* text = "-12.5e1x";
    to[0] = c::atoi(text);
    to[1] = static_cast<double>(c::atol(text));
    to[2] = static_cast<double>(c::atoll(text));
    to[3] = c::atof(text);
    to[4] = c::strtold(text, nullptr);
    to[5] = static_cast<double>(c::strtol(text, nullptr, 10));
    to[6] = static_cast<double>(c::strtoul("77", nullptr, 8));
    to[7] = static_cast<double>(c::strtoimax(text, nullptr, 10));
    to[8] = static_cast<double>(c::strtoumax("0x10", nullptr, 0));
  }
};

TEST(Numbers, OtherNames) {
  auto& rt = contract::shared_runtime();
  contract::on_device<double> to(rt, 9);
  contract::play(rt, {}, small_ones{}, to.get());
  EXPECT_EQ(to.take(), (std::vector<double>{-12, -12, -12, -125, -125, -12, 63, -12, 16}));
}

}  // namespace
}  // namespace generated
