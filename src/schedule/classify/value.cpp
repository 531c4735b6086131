// SPDX-License-Identifier: Apache-2.0
#include "schedule/classify/value.h"

#include <algorithm>

namespace genesys::schedule {
namespace {

// More than this is `unknown()`, which stands for every pointer. The bounds end every fixed point early.
constexpr std::size_t terms_max = 12;
constexpr std::size_t parts_max = 10;

const term any_pointer{{{base::kind::anything, 0, 0}, strength::full}};

bool insert(std::vector<term>& into, const term& one) {
  const auto at = std::lower_bound(into.begin(), into.end(), one);
  if (at != into.end() && *at == one) return false;
  into.insert(at, one);
  return true;
}

void bound(value& one) {
  const bool is_long =
      std::any_of(one.terms.begin(), one.terms.end(), [](const term& t) { return t.size() > parts_max; });
  if (one.terms.size() > terms_max || is_long) one.terms = {any_pointer};
}

bool is_any_pointer(const value& one) { return one.terms.size() == 1 && one.terms[0] == any_pointer; }

// A pointer that is added to a multiple of itself may be subtracted from something: the factor may be -1.
term sum_of(const term& a, const term& b) {
  term result;
  bool is_twice = false;
  auto i = a.begin(), j = b.begin();
  while (i != a.end() || j != b.end()) {
    if (j == b.end() || (i != a.end() && i->of < j->of)) {
      result.push_back(*i++);
    } else if (i == a.end() || j->of < i->of) {
      result.push_back(*j++);
    } else {
      const auto [least, most] = std::minmax(i->how, j->how);
      is_twice |= least == strength::scaled && most == strength::full;
      result.push_back({i->of, most});
      ++i, ++j;
    }
  }
  constexpr part mark{{base::kind::negated, 0, 0}, strength::full};  // the last of all bases
  if (is_twice && (result.empty() || result.back() != mark)) result.push_back(mark);
  return result;
}

template <class change>
value changed(const value& of, change how) {
  value result;
  result.is_nondeterministic = of.is_nondeterministic;
  for (term one : of.terms) {
    for (part& each : one) {
      if (each.of.what != base::kind::anything && each.of.what != base::kind::negated) each.how = how(each);
    }
    insert(result.terms, one);
  }
  return result;
}

}  // namespace

value number() { return {{term{}}, false}; }
value of_base(base from, strength how) { return {{term{{from, how}}}, false}; }
value loaded(unsigned bytes) {
  return of_base({base::kind::loaded, 0, 0}, bytes >= 8 ? strength::full : strength::half);
}

value unknown() { return {{any_pointer}, true}; }

bool may_be_difference(const term& one) {
  bool is_negated = false, has_loaded = false, has_own = false, has_other = false;
  for (const part& each : one) {
    switch (each.of.what) {
      case base::kind::negated:
        is_negated = true;
        break;
      case base::kind::loaded:
        has_loaded = true;
        break;
      case base::kind::shared:
      case base::kind::local:
      case base::kind::constant:
      case base::kind::parameter_address:
        has_own = true;
        break;
      default:
        has_other = true;
    }
  }
  return is_negated && (has_loaded || (has_own && has_other));
}

bool join(value& into, const value& more) {
  bool grew = more.is_nondeterministic && !into.is_nondeterministic;
  into.is_nondeterministic |= more.is_nondeterministic;
  if (into.terms == more.terms) return grew;
  const std::vector<term> before = into.terms;
  for (const term& one : more.terms) insert(into.terms, one);
  bound(into);
  // `unknown` has absorbed what it absorbed: it stays, and the fixed point ends.
  if (is_any_pointer({before, false})) into.terms = before;
  return grew || into.terms != before;
}

value sum(const value& a, const value& b) {
  value result;
  result.is_nondeterministic = a.is_nondeterministic || b.is_nondeterministic;
  for (const term& x : a.terms) {
    for (const term& y : b.terms) insert(result.terms, sum_of(x, y));
  }
  bound(result);
  return result;
}

value halves(const value& of) {
  return changed(of, [](const part&) { return strength::half; });
}

value wholes(const value& of) {
  return changed(of, [](const part&) { return strength::full; });
}

value scaled(const value& of, bool also_loaded) {
  return changed(of, [also_loaded](const part& one) {
    const bool is_memory = one.of.what == base::kind::loaded;
    const bool may_be_index = !is_memory || also_loaded;
    return one.how == strength::full && may_be_index ? strength::scaled : one.how;
  });
}

}  // namespace genesys::schedule
