// SPDX-License-Identifier: Apache-2.0
// posix/stdlib.h and posix/getopt.h beside glibc.
#include "genesys/posix/stdlib.h"

#include <cmath>

#include "beside_glibc.h"
#include "genesys/posix/getopt.h"

namespace glibc {
using ::abs, ::bsearch, ::div, ::labs, ::ldiv, ::llabs, ::lldiv, ::qsort, ::qsort_r, ::rand_r;
// getopt's global variables, as our option_state. The '+' at the start of the letters makes glibc obey POSIX.
struct option_state {
  char* optarg = nullptr;
  int optind = 0, opterr = 0, optopt = 0;
};
int getopt_long(option_state& state, int argc, char* const argv[], const char* letters, const option* all, int* index) {
  ::optind = state.optind, ::opterr = 0, ::optopt = state.optopt;
  const int result = all != nullptr ? ::getopt_long(argc, argv, letters, all, index) : ::getopt(argc, argv, letters);
  state.optarg = ::optarg, state.optind = ::optind, state.optopt = ::optopt;
  return result;
}
}  // namespace glibc

namespace {
using namespace beside_glibc;

struct numbers {
  long a, b;
};
struct quotients {
  long of_int[3], of_long[3], of_long_long[3], random[3];
};
BESIDE_GLIBC(integers, numbers, quotients, {
  const int a = static_cast<int>(in.a);
  const int b = static_cast<int>(in.b);
  out.of_int[0] = c::abs(a);
  out.of_int[1] = c::div(a, b).quot, out.of_int[2] = c::div(a, b).rem;
  out.of_long[0] = c::labs(in.a);
  out.of_long[1] = c::ldiv(in.a, in.b).quot, out.of_long[2] = c::ldiv(in.a, in.b).rem;
  out.of_long_long[0] = c::llabs(in.a);
  out.of_long_long[1] = c::lldiv(in.a, in.b).quot, out.of_long_long[2] = c::lldiv(in.a, in.b).rem;
  unsigned seed = static_cast<unsigned>(in.a);
  out.random[0] = c::rand_r(&seed), out.random[1] = c::rand_r(&seed);
  out.random[2] = seed;
});

TEST(Stdlib, IntegersAndRandomNumbers) {
  chance random(10);
  std::vector<numbers> all(examples_max);
  for (numbers& n : all) {
    n.a = static_cast<long>(random.bits() >> random(64)), n.b = static_cast<long>(random.bits() >> random(64));
    if (random(2) != 0) n.a = -n.a;
    if (random(2) != 0) n.b = -n.b;
    if (static_cast<int>(n.b) == 0 || static_cast<int>(n.b) == -1) n.b = 7;
    if (n.a == LONG_MIN || static_cast<int>(n.a) == INT_MIN) n.a = 1;
  }
  compare<integers>(all, "integers and rand_r");
}

// Sorting: elements of `Size` bytes; all of their bytes take part in the order, so the sorted array is unique.
struct elements {
  alignas(16) unsigned char all[480];
  u32 size, count, base;  // `base` is where the first element begins
  unsigned char key[24];
  u32 unused[3];
};
struct sorted {
  long found;
  long compared;  // the greatest `with` of qsort_r
  alignas(16) unsigned char all[480];
};

template <unsigned Size>
GENESYS_KERNEL int order(const void* a, const void* b) {
  const auto *x = static_cast<const unsigned char*>(a), *y = static_cast<const unsigned char*>(b);
  for (unsigned i = 0; i < Size; ++i)
    if (x[i] != y[i]) return x[i] < y[i] ? -1 : 1;
  return 0;
}
// For any size, which is `*with`.
GENESYS_KERNEL int order_with(const void* a, const void* b, void* with) {
  const auto *x = static_cast<const unsigned char*>(a), *y = static_cast<const unsigned char*>(b);
  for (unsigned i = 0; i < *static_cast<const u32*>(with); ++i)
    if (x[i] != y[i]) return x[i] < y[i] ? -1 : 1;
  return 0;
}
using ordering = int (*)(const void*, const void*);
GENESYS_KERNEL ordering order_of(u32 size) {
  switch (size) {
    case 1:
      return order<1>;
    case 4:
      return order<4>;
    case 8:
      return order<8>;
    case 12:
      return order<12>;
    case 16:
      return order<16>;
    default:
      return order<24>;
  }
}

BESIDE_GLIBC(sorting, elements, sorted, {
  for (unsigned i = 0; i < sizeof in.all; ++i) out.all[i] = in.all[i];
  c::qsort(out.all + in.base, in.count, in.size, order_of(in.size));
  // Equal elements have the same bytes, so the search compares what it found, not where.
  const void* found = c::bsearch(in.key, out.all + in.base, in.count, in.size, order_of(in.size));
  out.found = found == nullptr ? -1 : order_of(in.size)(in.key, found);
});
BESIDE_GLIBC(sorting_with, elements, sorted, {
  for (unsigned i = 0; i < sizeof in.all; ++i) out.all[i] = in.all[i];
  u32 size = in.size;
  c::qsort_r(out.all + in.base, in.count, in.size, order_with, &size);
});

std::vector<elements> random_elements(u64 test) {
  chance random(test);
  const u32 sizes[] = {1, 4, 8, 12, 16, 24};
  std::vector<elements> all(examples_max / 4);
  for (elements& e : all) {
    e = {};
    e.size = sizes[random(6)], e.base = random(17);
    e.count = random((sizeof e.all - e.base) / e.size + 1);
    const u32 values = random(3) == 0 ? 2 : 1 + random(256);
    for (auto& b : e.all) b = static_cast<unsigned char>(random(values));
    for (auto& b : e.key) b = static_cast<unsigned char>(random(values));
    if (e.count > 0 && random(2) != 0) std::memcpy(e.key, e.all + e.base + random(e.count) * e.size, e.size);
  }
  return all;
}

TEST(Stdlib, QsortAndBsearch) { compare<sorting>(random_elements(11), "qsort and bsearch"); }
TEST(Stdlib, QsortR) { compare<sorting_with>(random_elements(12), "qsort_r"); }

// A kernel sorts with a lambda and searches with one.
struct with_lambdas {
  GENESYS_KERNEL void operator()(genesys::os, int* all, u32 count, long* found) const {
    const auto descending = [](const void* a, const void* b) {
      const int x = *static_cast<const int*>(a);
      const int y = *static_cast<const int*>(b);
      return (x < y) - (x > y);
    };
    genesys::posix::qsort(all, count, sizeof(int), descending);
    const int key = all[count / 3];
    const auto* at = static_cast<const int*>(genesys::posix::bsearch(&key, all, count, sizeof(int), descending));
    *found = at == nullptr ? -1 : *at;
  }
};

TEST(Stdlib, Callables) {
  chance random(13);
  std::vector<int> all(1000);
  for (int& n : all) n = static_cast<int>(random.bits());
  auto& rt = contract::shared_runtime();
  contract::on_device<int> given(rt, all);
  contract::on_device<long> found(rt, 1);
  contract::play(rt, {}, with_lambdas{}, given.get(), static_cast<u32>(all.size()), found.get());
  std::sort(all.begin(), all.end(), std::greater<int>());
  EXPECT_EQ(given.take(), all);
  EXPECT_EQ(found.take()[0], all[all.size() / 3]);
}

struct counted {
  u64& compared;
  GENESYS_KERNEL int operator()(const void* a, const void* b) const {
    ++compared;
    const u32 x = *static_cast<const u32*>(a);
    const u32 y = *static_cast<const u32*>(b);
    return (x > y) - (x < y);
  }
};

// In none of these orders does the number of comparisons exceed n * (log2(n) + 3).
TEST(Stdlib, QsortIsBounded) {
  chance random(14);
  const u32 count = 20'000;
  const auto fill = [&](u32 kind, u32 i) {
    switch (kind) {
      case 0:
        return i;
      case 1:
        return count - i;
      case 2:
        return 7u;
      case 3:
        return i % 2 * i;
      case 4:
        return std::min(i, count - i);
      case 5:
        return i % 100;
      default:
        return random(count);
    }
  };
  for (u32 kind = 0; kind < 7; ++kind) {
    std::vector<u32> all(count);
    for (u32 i = 0; i < count; ++i) all[i] = fill(kind, i);
    u64 compared = 0;
    genesys::posix::qsort(all.data(), count, sizeof(u32), counted{compared});
    EXPECT_TRUE(std::is_sorted(all.begin(), all.end())) << kind;
    EXPECT_LE(compared, count * (std::log2(count) + 3)) << kind;
  }
}

// Options: an argument list, and what each call returns.
struct command_line {
  char all[8][16];
  int argc;
  int letters;  // which
  int with_long;
};
struct parsed {
  int results[24][5];  // returned, optind, optopt, place of optarg, longindex
  int flag, calls;
};
BESIDE_GLIBC(options, command_line, parsed, {
  char* argv[9];
  for (int i = 0; i < in.argc; ++i) argv[i] = const_cast<char*>(in.all[i]);
  argv[in.argc] = nullptr;
  const char* letters = in.letters == 0 ? "+ab:c::" : in.letters == 1 ? "+:ab:c::" : "+xyz";
  const option with_flag[] = {{"alpha", no_argument, nullptr, 'a'},       {"beta", required_argument, nullptr, 'b'},
                              {"gamma", optional_argument, nullptr, 'g'}, {"gamut", optional_argument, nullptr, 'g'},
                              {"flag", no_argument, &out.flag, 42},       {"betatron", no_argument, nullptr, 'n'},
                              {"alps", no_argument, nullptr, 'p'},        {nullptr, 0, nullptr, 0}};
  c::option_state state;
  for (int result = 0; result != -1 && out.calls < 24;) {
    int index = -1;
    result = c::getopt_long(state, in.argc, argv, letters, in.with_long != 0 ? with_flag : nullptr, &index);
    int* to = out.results[out.calls++];
    to[0] = result, to[1] = state.optind, to[2] = result == '?' || result == ':' ? state.optopt : 0;
    to[3] = -1, to[4] = index;
    if (state.optarg != nullptr && result != -1 && result != '?' && result != ':')
      to[3] = static_cast<int>(state.optarg - in.all[0]);
  }
});

struct parse_twice {
  GENESYS_KERNEL void operator()(genesys::os, int* results) const {
    char name[] = "program", letters[] = "-ab";
    char* argv[] = {name, letters, nullptr};
    genesys::posix::option_state state;
    results[0] = genesys::posix::getopt(state, 2, argv, "ab");
    state.optind = 0;  // within an argument
    for (int i = 1; i < 4; ++i) results[i] = genesys::posix::getopt(state, 2, argv, "ab");
  }
};

TEST(Stdlib, GetoptBeginsAgain) {
  contract::on_device<int> results(contract::shared_runtime(), 4);
  contract::play(contract::shared_runtime(), {}, parse_twice{}, results.get());
  EXPECT_EQ(results.take(), (std::vector<int>{'a', 'a', 'b', -1}));
}

TEST(Stdlib, Getopt) {
  chance random(15);
  const char* const words[] = {
      "-a",     "-b",   "-bvalue", "-abc",       "-cx", "-c",       "-ac",    "-q",        "-aqa",     "--",
      "-",      "word", "",        "-ab",        "-:",  "-ac:",     "--al",   "--alpha",   "--beta",   "--beta=3",
      "--bet=", "--be", "--gam",   "--gamma=1",  "--f", "--flag=1", "--flag", "--unknown", "--alpha=", "--alp",
      "--b=5",  "-xyz", "--=",     "--betatron", "-a-", "-;",       "--gamut"};
  std::vector<command_line> all(examples_max);
  for (command_line& line : all) {
    line = {};
    line.argc = 1 + static_cast<int>(random(8)), line.letters = static_cast<int>(random(3));
    line.with_long = static_cast<int>(random(2));
    for (int i = 0; i < line.argc; ++i)
      std::strcpy(line.all[i], i == 0 ? "program" : words[random(random(2) ? 10 : std::size(words))]);
  }
  compare<options>(all, "getopt and getopt_long");
}

}  // namespace
