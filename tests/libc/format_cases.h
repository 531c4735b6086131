// SPDX-License-Identifier: Apache-2.0
// Generated calls of printf: a format string, its packed arguments, and what glibc writes. glibc gets one conversion at
// a time, because C cannot call a function with arguments that are only known at run time.
#pragma once

#include <algorithm>
#include <cmath>
#include <utility>

#include "generated.h"
#include "genesys/posix/format.h"

namespace generated {

using genesys::posix::argument;
using genesys::posix::argument_kind;

struct format_case {
  std::string format;
  std::vector<argument> given;
  std::string texts;                   // strings of arguments, each with its 0
  std::vector<std::size_t> addresses;  // which arguments are offsets into `texts`
  int error = 0;                       // errno before the call
  std::string expected;

  // With the addresses of the strings, if `texts` lies there.
  std::vector<argument> given_at(const char* texts_at) const {
    std::vector<argument> all = given;
    for (const std::size_t i : addresses) all[i].bits += reinterpret_cast<u64>(texts_at);
    return all;
  }
};

class format_cases {
 public:
  explicit format_cases(u64 test) : chance_(test) {}

  format_case next() {
    format_case made;
    made.error = chance_.one_in(4) ? static_cast<int>(chance_(200)) - 10 : static_cast<int>(chance_(134));
    by_position_ = chance_.one_in(5);
    const u32 pieces = 1 + chance_(3);
    for (u32 i = 0; i < pieces; ++i) {
      add_literal(made);
      add_conversion(made);
    }
    if (chance_.one_in(2)) add_literal(made);
    if (by_position_) mix_positions(made);
    return made;
  }

 private:
  // A conversion for both sides. `ours` and `theirs` differ only in positions.
  struct written {
    std::string ours = "%", theirs = "%";
    void both(const std::string& text) {
      ours += text;
      theirs += text;
    }
  };

  void add_literal(format_case& made) {
    if (chance_.one_in(10)) {
      made.format += "%%";
      made.expected += "%";
    }
    const std::string text(chance_(6), static_cast<char>('A' + chance_(26)));
    made.format += text;
    made.expected += text;
  }

  // Gives the arguments another order. Sometimes the text comes twice, so that it names each of them twice.
  void mix_positions(format_case& made) {
    std::vector<std::size_t> place_of(made.given.size());
    for (std::size_t i = 0; i < place_of.size(); ++i) place_of[i] = i;
    for (std::size_t i = place_of.size(); i > 1; --i)
      std::swap(place_of[i - 1], place_of[chance_(static_cast<u32>(i))]);
    std::vector<argument> given(made.given.size());
    for (std::size_t i = 0; i < given.size(); ++i) given[place_of[i]] = made.given[i];
    made.given = given;
    for (std::size_t& each : made.addresses) each = place_of[each];
    std::string mixed;
    for (std::size_t at = 0; at < made.format.size();) {
      const std::size_t end = made.format.find_first_not_of("0123456789", at);
      if (end == at || end == std::string::npos || made.format[end] != '$') {  // letters, or digits of a width
        const std::size_t next = std::min(std::max(end, at + 1), made.format.size());
        mixed += made.format.substr(at, next - at);
        at = next;
      } else {
        mixed += std::to_string(place_of[std::stoul(made.format.substr(at, end - at)) - 1] + 1) + "$";
        at = end + 1;
      }
    }
    made.format = mixed;
    if (!chance_.one_in(3)) return;
    made.format += mixed;
    made.expected += std::string(made.expected);
  }

  template <class T>
  static std::string by_glibc(int error, const char* format, const std::vector<int>& stars, T value) {
    std::vector<char> to(4096);
    const auto call = [&](auto... all) { return ::snprintf(to.data(), to.size(), format, all...); };
    errno = error;
    const int count = stars.empty()       ? call(value)
                      : stars.size() == 1 ? call(stars[0], value)
                                          : call(stars[0], stars[1], value);
    if (count < 0 || static_cast<std::size_t>(count) >= to.size()) throw std::runtime_error(format);
    return {to.data(), static_cast<std::size_t>(count)};
  }

  void add_position(written& text, std::size_t ours, std::size_t theirs) {
    if (!by_position_) return;
    text.ours += std::to_string(ours) + "$";
    text.theirs += std::to_string(theirs) + "$";
  }

  // A number in the text, or '*' and an argument.
  void add_count(written& text, int value, bool star, format_case& made, std::vector<int>& stars) {
    if (!star) return text.both(std::to_string(value < 0 ? -value : value));
    text.both("*");
    stars.push_back(value);
    made.given.push_back({static_cast<u64>(static_cast<long>(value)), argument_kind::integer});
    add_position(text, made.given.size(), stars.size());
  }

  void add_conversion(format_case& made) {
    static const char* const integers[] = {"d", "i", "u", "x", "X", "o", "b", "B"};
    static const char* const floats[] = {"f", "F", "e", "E", "g", "G", "a", "A"};
    static const char* const others[] = {"s", "c", "p", "m"};
    const u32 group = chance_(10);
    const std::string letter = group < 4 ? chance_.of(integers) : group < 8 ? chance_.of(floats) : chance_.of(others);
    const bool has_width = chance_.one_in(2), has_precision = !chance_.one_in(3);
    int width = static_cast<int>(chance_(chance_.one_in(20) ? 400 : 30)) - (chance_.one_in(4) ? 20 : 0);
    // glibc 2.36 pads "%1$0*2$d" on the right with zeros if the width is negative.
    if (by_position_ && width < 0) width = -width;
    int precision = static_cast<int>(chance_(chance_.one_in(50) ? 400 : chance_.one_in(2) ? 20 : 51));
    const bool star_width = chance_.one_in(3), star_precision = chance_.one_in(3);
    if (star_precision && chance_.one_in(8)) precision = -precision;

    // With positions the value is the last argument for glibc, and the first for us.
    written text;
    const std::size_t place = made.given.size();
    if (by_position_) {
      made.given.push_back({});
      const std::size_t stars = (has_width && star_width) + (has_precision && star_precision);
      if (letter != "m") add_position(text, place + 1, stars + 1);
      if (letter == "m") made.given[place] = {7, argument_kind::integer};
    }
    std::string flags;
    for (const char flag : std::string("-+ #0'")) {
      if (chance_.one_in(4) && !(letter == "m" && flag == '#')) flags += flag;
    }
    text.both(flags);
    std::vector<int> stars;
    if (has_width && width != 0) add_count(text, width, star_width, made, stars);
    if (has_width && width == 0 && star_width) add_count(text, 0, true, made, stars);
    if (has_precision) {
      text.both(".");
      if (precision != 0 || star_precision || chance_.one_in(2))
        add_count(text, precision, star_precision, made, stars);
    }
    const argument value = group < 4   ? add_integer(made, text, letter, stars)
                           : group < 8 ? add_floating(made, text, letter, stars)
                                       : add_other(made, text, letter, stars);
    if (letter != "m") (by_position_ ? made.given[place] : made.given.emplace_back()) = value;
    if (value.kind == argument_kind::pointer && letter == "s" && value.bits != null_text)
      made.addresses.push_back(by_position_ ? place : made.given.size() - 1);
    if (letter == "s" && value.bits == null_text) (by_position_ ? made.given[place] : made.given.back()).bits = 0;
    made.format += text.ours;
  }

  argument add_integer(format_case& made, written& text, const std::string& letter, const std::vector<int>& stars) {
    static const char* const lengths[] = {"", "hh", "h", "l", "ll", "j", "z", "t", "L", "q", "Z"};
    std::string size = chance_.of(lengths);
    if (by_position_ && (size == "L" || size == "q")) size = "ll";  // glibc 2.36 takes "%1$Ld" for "%1$d"
    text.both(size + letter);
    const u64 value = chance_.one_in(10) ? 0 : chance_.one_in(2) ? chance_.some_bits() : 0 - chance_.some_bits();
    made.expected += size == "" || size[0] == 'h'
                         ? by_glibc(made.error, text.theirs.c_str(), stars, static_cast<int>(value))
                         : by_glibc(made.error, text.theirs.c_str(), stars, static_cast<long>(value));
    return {value, argument_kind::integer};
  }

  argument add_floating(format_case& made, written& text, const std::string& letter, const std::vector<int>& stars) {
    double value = chance_.any_double();
    if ((letter == "g" || letter == "G") && text.theirs.find('#') != std::string::npos && rounds_up_to_exponent(value))
      value = 1.5;
    const bool is_long = chance_.one_in(8) && letter != "a" && letter != "A";  // glibc writes %La in another form
    text.both((is_long ? "L" : chance_.one_in(8) ? "l" : "") + letter);
    made.expected += is_long ? by_glibc(made.error, text.theirs.c_str(), stars, static_cast<long double>(value))
                             : by_glibc(made.error, text.theirs.c_str(), stars, value);
    return {chance::bits_of(value), argument_kind::floating};
  }

  // Whether "%#.*g" with some precision rounds the number up so that it needs an exponent, as "%#.3g" does with 999.9.
  // glibc 2.36 writes "1.e+03" then; C wants "1.00e+03".
  static bool rounds_up_to_exponent(double value) {
    const std::string digits = by_glibc(0, "%.17e", {}, std::fabs(value));
    return digits.substr(0, 1) == "9" && digits.substr(digits.size() - 3, 1) != "-";
  }

  argument add_other(format_case& made, written& text, const std::string& letter, const std::vector<int>& stars) {
    text.both(letter);
    const char* const format = text.theirs.c_str();
    if (letter == "c") {
      const int value = static_cast<int>(chance_.bits());
      made.expected += by_glibc(made.error, format, stars, value);
      return {static_cast<u64>(static_cast<long>(value)), argument_kind::integer};
    }
    if (letter == "p") {
      const u64 value = chance_.one_in(4) ? 0 : chance_.some_bits();
      made.expected += by_glibc(made.error, format, stars, reinterpret_cast<void*>(value));
      return {value, argument_kind::pointer};
    }
    if (letter == "m") {
      made.expected += by_glibc(made.error, format, stars, 7);
      return {7, argument_kind::integer};
    }
    if (chance_.one_in(8)) {
      made.expected += by_glibc(made.error, format, stars, static_cast<const char*>(nullptr));
      return {null_text, argument_kind::pointer};
    }
    std::string string(chance_(chance_.one_in(10) ? 300 : 30), 0);
    for (char& c : string) c = static_cast<char>(1 + chance_(255));
    made.expected += by_glibc(made.error, format, stars, string.c_str());
    const u64 offset = made.texts.size();
    made.texts.append(string.c_str(), string.size() + 1);
    return {offset, argument_kind::pointer};
  }

  static constexpr u64 null_text = ~u64{0};  // stands for a null string until the address is stored
  chance chance_;
  bool by_position_ = false;
};

}  // namespace generated
