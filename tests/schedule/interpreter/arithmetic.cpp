// SPDX-License-Identifier: Apache-2.0
#include "arithmetic.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <stdexcept>

namespace genesys::schedule::interpreter {
namespace {

std::uint64_t cut(std::uint64_t value, unsigned bytes) {
  return bytes >= 8 ? value : value & ((std::uint64_t{1} << (8 * bytes)) - 1);
}
std::int64_t extended(std::uint64_t value, unsigned bytes) {
  const unsigned unused = 64 - 8 * bytes;
  return static_cast<std::int64_t>(value << unused) >> unused;
}
std::uint64_t widened(std::uint64_t value, const number_type& type) {
  return type.kind == number_kind::is_signed ? static_cast<std::uint64_t>(extended(value, type.bytes))
                                             : cut(value, type.bytes);
}
float single(std::uint64_t bits) { return std::bit_cast<float>(static_cast<std::uint32_t>(bits)); }
std::uint64_t bits_of(float value) { return std::bit_cast<std::uint32_t>(value); }

std::uint64_t of_floats(const decoded& one, const std::uint64_t* v) {
  const float a = single(v[0]), b = one.sources.size() > 1 ? single(v[1]) : 0;
  switch (one.what) {
    case code::add:
      return bits_of(a + b);
    case code::sub:
      return bits_of(a - b);
    case code::mul_lo:
      return bits_of(a * b);
    case code::div:
      return bits_of(a / b);
    case code::fma:
      return bits_of(std::fma(a, b, single(v[2])));
    case code::neg:
      return bits_of(-a);
    case code::mov:
      return v[0];
    case code::min:
      return bits_of(std::fmin(a, b));
    case code::max:
      return bits_of(std::fmax(a, b));
    default:
      throw std::logic_error("the interpreter does not know an operation of floats");
  }
}

template <class number>
bool compared(comparison test, number a, number b) {
  switch (test) {
    case comparison::eq:
      return a == b;
    case comparison::ne:
      return a != b;
    case comparison::lt:
      return a < b;
    case comparison::le:
      return a <= b;
    case comparison::gt:
      return a > b;
    default:
      return a >= b;
  }
}

std::uint64_t tested(const decoded& one, const std::uint64_t* v) {
  bool result;
  if (one.type.kind == number_kind::is_float) {
    result = compared(one.test, single(v[0]), single(v[1]));
  } else if (one.type.kind == number_kind::is_signed) {
    result = compared(one.test, extended(v[0], one.type.bytes), extended(v[1], one.type.bytes));
  } else {
    result = compared(one.test, cut(v[0], one.type.bytes), cut(v[1], one.type.bytes));
  }
  if (one.combined == combination::with_and) result = result && v[2] != 0;
  if (one.combined == combination::with_or) result = result || v[2] != 0;
  return result;
}

std::uint64_t converted(const decoded& one, std::uint64_t value) {
  const std::uint64_t wide = widened(value, one.from);
  if (one.type.kind == number_kind::is_float && one.from.kind != number_kind::is_float) {
    return bits_of(one.from.kind == number_kind::is_signed ? static_cast<float>(static_cast<std::int64_t>(wide))
                                                           : static_cast<float>(wide));
  }
  if (one.from.kind == number_kind::is_float) throw std::logic_error("the interpreter does not know a conversion");
  return wide;
}

std::uint64_t of_integers(const decoded& one, const std::uint64_t* v) {
  const bool is_signed = one.type.kind == number_kind::is_signed;
  const unsigned bits = 8 * one.type.bytes;
  const std::uint64_t a = widened(v[0], one.type), b = one.sources.size() > 1 ? widened(v[1], one.type) : 0;
  const auto sa = static_cast<std::int64_t>(a), sb = static_cast<std::int64_t>(b);
  switch (one.what) {
    case code::mov:
      return v[0];
    case code::add:
      return a + b;
    case code::sub:
      return a - b;
    case code::mul_lo:
    case code::mul_wide:
      return a * b;
    case code::mad_lo:
    case code::mad_wide:
      return a * b + v[2];
    case code::div:
      if (b == 0) return ~std::uint64_t{0};
      return is_signed ? static_cast<std::uint64_t>(sa / sb) : a / b;
    case code::rem:
      if (b == 0) return a;
      return is_signed ? static_cast<std::uint64_t>(sa % sb) : a % b;
    case code::min:
      return is_signed ? static_cast<std::uint64_t>(std::min(sa, sb)) : std::min(a, b);
    case code::max:
      return is_signed ? static_cast<std::uint64_t>(std::max(sa, sb)) : std::max(a, b);
    case code::neg:
      return 0 - a;
    case code::bit_and:
      return a & b;
    case code::bit_or:
      return a | b;
    case code::bit_xor:
      return a ^ b;
    case code::bit_not:
      return one.type.kind == number_kind::predicate ? v[0] == 0 : ~a;
    case code::shl:
      return cut(v[1], 4) >= bits ? 0 : a << cut(v[1], 4);
    case code::shr:
      if (is_signed) return static_cast<std::uint64_t>(sa >> std::min<std::uint64_t>(cut(v[1], 4), 63));
      return cut(v[1], 4) >= bits ? 0 : a >> cut(v[1], 4);
    case code::popc:
      return static_cast<std::uint64_t>(std::popcount(a));
    case code::selp:
      return v[2] != 0 ? v[0] : v[1];
    default:
      throw std::logic_error("the interpreter does not know an operation of integers");
  }
}

}  // namespace

std::uint64_t computed(const decoded& one, const std::uint64_t* values) {
  if (one.what == code::setp) return tested(one, values);
  if (one.what == code::cvt) return cut(converted(one, values[0]), one.type.bytes);
  if (one.type.kind == number_kind::is_float && one.what != code::selp) return of_floats(one, values);
  const bool is_wide = one.what == code::mul_wide || one.what == code::mad_wide;
  return cut(of_integers(one, values), is_wide ? 2 * one.type.bytes : one.type.bytes);
}

}  // namespace genesys::schedule::interpreter
