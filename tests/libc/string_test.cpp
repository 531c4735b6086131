// SPDX-License-Identifier: Apache-2.0
// posix/string.h and posix/ctype.h beside glibc: every alignment, short strings of few letters so that matches occur.
#include "genesys/posix/string.h"

#include <sys/mman.h>

#include <memory>

#include "beside_glibc.h"

// strlcpy and strlcat, which glibc has from 2.38 on, as their manual page describes them.
namespace {
std::size_t reference_strlcpy(char* to, const char* from, std::size_t bytes) {
  return static_cast<std::size_t>(std::snprintf(bytes > 0 ? to : nullptr, bytes, "%s", from));
}
std::size_t reference_strlcat(char* to, const char* from, std::size_t bytes) {
  const std::size_t length = ::strnlen(to, bytes);
  return length == bytes ? bytes + std::strlen(from) : length + reference_strlcpy(to + length, from, bytes - length);
}
}  // namespace

namespace glibc {
using ::bcmp, ::bcopy, ::bzero, ::ffs, ::ffsl, ::ffsll, ::index, ::rindex, ::strxfrm;
using ::isalnum, ::isalpha, ::isascii, ::isblank, ::iscntrl, ::isdigit, ::isgraph, ::islower, ::isprint, ::ispunct;
using ::isspace, ::isupper, ::isxdigit, ::toascii, ::tolower, ::toupper;
using ::memccpy, ::memchr, ::memcmp, ::memcpy, ::memmem, ::memmove, ::mempcpy, ::memrchr, ::memset;
using ::stpcpy, ::stpncpy, ::strcasecmp, ::strcasestr, ::strcat, ::strchr, ::strchrnul, ::strcmp, ::strcoll, ::strcpy;
using ::strcspn, ::strlen, ::strncasecmp, ::strncat, ::strncmp, ::strncpy, ::strnlen, ::strpbrk, ::strrchr, ::strsep;
using ::strspn, ::strstr, ::strtok_r;
constexpr auto& strlcpy = reference_strlcpy;
constexpr auto& strlcat = reference_strlcat;
extern "C" int __xpg_strerror_r(int, char*, std::size_t);
constexpr auto& strerror_r = __xpg_strerror_r;
}  // namespace glibc

namespace {
using namespace beside_glibc;

// `a` is copied into the result and changed there; offsets below 32 give every alignment.
struct example {
  alignas(16) char a[160], b[160];
  u32 which, to, from, bytes;
  int value;
  u32 unused[3];
};
struct outcome {
  long results[4];
  alignas(16) char text[160];
};

GENESYS_KERNEL long sign(long of) { return (of > 0) - (of < 0); }

// An offset in `from`, -1 for null.
GENESYS_KERNEL long place(const void* found, const void* from) {
  return found == nullptr ? -1 : static_cast<const char*>(found) - static_cast<const char*>(from);
}

BESIDE_GLIBC(memory, example, outcome, {
  for (unsigned i = 0; i < sizeof in.a; ++i) out.text[i] = in.a[i];
  char* to = out.text + in.to;
  const char* from = in.b + in.from;
  long& result = out.results[0];
  switch (in.which) {
    case 0:
      result = place(c::memcpy(to, from, in.bytes), to);
      break;
    case 1:
      result = place(c::mempcpy(to, from, in.bytes), to);
      break;
    case 2:
      result = place(c::memmove(to, out.text + in.from, in.bytes), to);
      break;
    case 3:
      result = place(c::memset(to, in.value, in.bytes), to);
      break;
    case 4:
      result = sign(c::memcmp(in.a + in.to, from, in.bytes));
      break;
    case 5:
      result = place(c::memchr(from, in.value, in.bytes), from);
      break;
    case 6:
      result = place(c::memrchr(from, in.value, in.bytes), from);
      break;
    case 7:
      result = place(c::memccpy(to, from, in.value, in.bytes), to);
      break;
    case 8:
      result = place(c::memmem(from, in.bytes, to, in.to % 6), from);
      break;
    case 9:
      c::bzero(to, in.bytes);
      break;
    case 10:
      c::bcopy(out.text + in.from, to, in.bytes);
      break;
    default:
      result = c::bcmp(in.a + in.to, from, in.bytes) != 0;
  }
});
const char* const memory_names[] = {"memcpy",  "mempcpy", "memmove", "memset", "memcmp", "memchr",
                                    "memrchr", "memccpy", "memmem",  "bzero",  "bcopy",  "bcmp"};

TEST(String, Memory) {
  chance random(1);
  for (u32 which = 0; which < std::size(memory_names); ++which) {
    std::vector<example> all(examples_max);
    for (example& e : all) {
      e = {};
      const bool few = random(2) == 0;
      for (char& c : e.b) c = static_cast<char>(few ? 'a' + random(2) : random(256));
      for (char& c : e.a) c = static_cast<char>(few ? 'a' + random(2) : random(256));
      e.which = which, e.to = random(32), e.from = random(32);
      e.bytes = random(random(2) ? 128 : 24), e.value = static_cast<int>(few ? 'a' + random(3) : random(256));
      if ((which == 4 || which == 11) && random(4) != 0) {  // areas that differ late
        std::memcpy(e.a + e.to, e.b + e.from, e.bytes);
        if (e.bytes > 0 && random(4) != 0) e.a[e.to + random(e.bytes)] ^= static_cast<char>(1 + random(255));
      }
    }
    compare<memory>(all, memory_names[which]);
  }
}

BESIDE_GLIBC(searches, example, outcome, {
  const char* text = in.a + in.to;
  const char* other = in.b + in.from;
  switch (in.which) {
    case 0:
      out.results[0] = static_cast<long>(c::strlen(text));
      out.results[1] = static_cast<long>(c::strnlen(text, in.bytes));
      break;
    case 1:
      out.results[0] = place(c::strchr(text, in.value), text);
      out.results[1] = place(c::strrchr(text, in.value), text);
      out.results[2] = place(c::strchrnul(text, in.value), text);
      out.results[3] = place(c::index(text, in.value), text) ^ place(c::rindex(text, in.value), text) << 16;
      break;
    case 2:
      out.results[0] = place(c::strstr(text, other), text);
      break;
    case 3:
      out.results[0] = place(c::strcasestr(text, other), text);
      break;
    case 4:
      out.results[0] = static_cast<long>(c::strspn(text, other));
      out.results[1] = static_cast<long>(c::strcspn(text, other));
      out.results[2] = place(c::strpbrk(text, other), text);
      break;
    case 5:
      out.results[0] = sign(c::strcmp(text, other));
      out.results[1] = sign(c::strncmp(text, other, in.bytes));
      out.results[2] = sign(c::strcoll(text, other));
      break;
    default:
      out.results[0] = sign(c::strcasecmp(text, other));
      out.results[1] = sign(c::strncasecmp(text, other, in.bytes));
  }
});
const char* const search_names[] = {"strlen", "strchr", "strstr", "strcasestr", "strspn", "strcmp", "strcasecmp"};

// Strings of few letters; the bytes around them are not null.
example strings(chance& random, u32 which, u32 a_max, u32 b_max, const std::string& letters) {
  example e{};
  std::memset(e.a, 'a', sizeof e.a);
  std::memset(e.b, 'b', sizeof e.b);
  e.which = which, e.to = random(24), e.from = random(24);
  e.bytes = random(40), e.value = random(8) == 0 ? 0 : letters[random(letters.size())];
  random.fill(e.a + e.to, random(a_max), letters);
  random.fill(e.b + e.from, random(b_max), letters);
  if (random(4) == 0) e.value += 256;  // a function uses the lowest byte
  return e;
}

TEST(String, LengthsSearchesAndComparisons) {
  chance random(2);
  const std::string letters[] = {"ab", "aAbB", "ab\xe4\xc4z[", "abcdefgh"};
  for (u32 which = 0; which < std::size(search_names); ++which) {
    std::vector<example> all(examples_max);
    for (example& e : all) {
      const bool short_second = which == 2 || which == 3 || which == 4;
      e = strings(random, which, 100, short_second ? 6 : 100, letters[random(4)]);
      if (which >= 5 && random(2) == 0) {  // the same start
        std::strcpy(e.b + e.from, e.a + e.to);
        if (random(2) == 0) e.b[e.from + random(40)] = "aBz"[random(3)];
        e.b[159] = 0;
      }
    }
    compare<searches>(all, search_names[which]);
  }
}

BESIDE_GLIBC(copies, example, outcome, {
  for (unsigned i = 0; i < sizeof in.a; ++i) out.text[i] = in.a[i];
  char* to = out.text + in.to;
  const char* from = in.b + in.from;
  long& result = out.results[0];
  switch (in.which) {
    case 0:
      result = place(c::strcpy(to, from), to);
      break;
    case 1:
      result = place(c::stpcpy(to, from), to);
      break;
    case 2:
      result = place(c::strncpy(to, from, in.bytes), to);
      break;
    case 3:
      result = place(c::stpncpy(to, from, in.bytes), to);
      break;
    case 4:
      result = place(c::strcat(to, from), to);
      break;
    case 5:
      result = place(c::strncat(to, from, in.bytes), to);
      break;
    case 6:
      result = static_cast<long>(c::strlcpy(to, from, in.bytes));
      break;
    case 7:
      result = static_cast<long>(c::strlcat(to, from, in.bytes));
      break;
    default:
      result = static_cast<long>(c::strxfrm(to, from, in.bytes));
      if (result < in.bytes) break;
      for (char& each : out.text) each = 0;  // which part `to` has is open
  }
});
const char* const copy_names[] = {"strcpy",  "stpcpy",  "strncpy", "stpncpy", "strcat",
                                  "strncat", "strlcpy", "strlcat", "strxfrm"};

TEST(String, Copies) {
  chance random(3);
  for (u32 which = 0; which < std::size(copy_names); ++which) {
    std::vector<example> all(examples_max);
    for (example& e : all) e = strings(random, which, 50, 70, "abcdefgh");
    compare<copies>(all, copy_names[which]);
  }
}

BESIDE_GLIBC(tokens, example, outcome, {
  for (unsigned i = 0; i < sizeof in.a; ++i) out.text[i] = in.a[i];
  char* text = out.text + in.to;
  char* rest = nullptr;
  long sum = 0;
  if (in.which == 0)
    for (char* token = c::strtok_r(text, in.b, &rest); token != nullptr; token = c::strtok_r(nullptr, in.b, &rest))
      ++out.results[0], sum = sum * 31 + place(token, text);
  else
    for (rest = text; rest != nullptr;) ++out.results[0], sum = sum * 31 + place(c::strsep(&rest, in.b), text);
  out.results[1] = sum & 0xffff'ffff;
});

TEST(String, Tokens) {
  chance random(4);
  for (u32 which = 0; which < 2; ++which) {
    std::vector<example> all(examples_max);
    for (example& e : all) e = strings(random, which, 12, 1, "a ,"), std::strcpy(e.b, " ,");
    compare<tokens>(all, which == 0 ? "strtok_r" : "strsep");
  }
}

struct places {
  int of[3];
};
BESIDE_GLIBC(bits, long, places, {
  out.of[0] = c::ffs(static_cast<int>(in));
  out.of[1] = c::ffsl(in);
  out.of[2] = c::ffsll(in);
});

TEST(String, PlacesOfBits) {
  std::vector<long> all{0, -1};
  for (int i = 0; i < 64; ++i)
    for (const long more : {0L, -1L, 0x5555'0000'5555'0000L}) all.push_back((1L << i) | (more << 1 << i));
  compare<bits>(all, "ffs, ffsl or ffsll");
}

BESIDE_GLIBC(errors, example, outcome, { out.results[0] = c::strerror_r(in.value, out.text, in.bytes); });

struct known_error {
  GENESYS_KERNEL void operator()(genesys::os, char (*to)[64]) const {
    genesys::posix::strcpy(to[genesys::thread_rank()],
                           genesys::posix::strerror(static_cast<int>(genesys::thread_rank())));
  }
};

TEST(String, TextsOfErrors) {
  std::vector<example> all;
  for (int number = -20; number < 300; ++number)
    for (u32 bytes : {0u, 1u, 5u, 17u, 25u, 160u}) {
      example e{};
      e.value = number, e.bytes = bytes;
      all.push_back(e);
    }
  for (int number : {INT_MAX, INT_MIN, 1'000'000'000, 4096}) {
    example e{};
    e.value = number, e.bytes = 160;
    all.push_back(e);
  }
  compare<errors>(all, "strerror_r");

  auto& rt = contract::shared_runtime();
  contract::on_device<char> texts(rt, 256 * 64);
  contract::play(rt, {.blocks = {1}, .threads = {256}}, known_error{}, reinterpret_cast<char(*)[64]>(texts.get()));
  const auto made = texts.take();
  for (int number = 0; number < 256; ++number) {
    const std::string expected = ::strerror(number);
    EXPECT_STREQ(&made[static_cast<std::size_t>(number) * 64],
                 expected.starts_with("Unknown error") ? "Unknown error" : expected.c_str());
  }
}

// Strings and areas that end where the readable memory ends.
TEST(String, NothingIsReadAfterThePage) {
  const std::size_t page = 65536;
  char* const all =
      static_cast<char*>(::mmap(nullptr, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  ASSERT_NE(all, MAP_FAILED);
  ASSERT_EQ(::mprotect(all + page, page, PROT_NONE), 0);
  std::memset(all, 'a', page);
  char* const end = all + page;
  end[-1] = 0;
  namespace posix = genesys::posix;
  std::vector<char> copy(200);
  for (std::size_t length = 0; length < 100; ++length) {
    char* const text = end - 1 - length;
    EXPECT_EQ(posix::strlen(text), length);
    EXPECT_EQ(posix::strnlen(text, SIZE_MAX), length);
    EXPECT_EQ(posix::memchr(text, 0, 4096), end - 1);
    EXPECT_EQ(posix::memchr(text, 'b', length + 1), nullptr);
    EXPECT_EQ(posix::stpcpy(copy.data() + length % 16, text), copy.data() + length % 16 + length);
    EXPECT_EQ(posix::memcmp(text, copy.data() + length % 16, length + 1), 0);
    EXPECT_EQ(posix::strrchr(text, 0), end - 1);
    EXPECT_EQ(posix::memmem(text, length + 1, "\0", 1), end - 1);
    EXPECT_EQ(posix::memmove(text, copy.data() + length % 16, length + 1), text);
    EXPECT_EQ(posix::memset(text, 'a', length), text);
  }
  ::munmap(all, 2 * page);
  // AddressSanitizer knows where this one ends.
  const auto small = std::make_unique<char[]>(3);
  small[0] = small[1] = 'a', small[2] = 0;
  EXPECT_EQ(posix::strlen(small.get()), 2u);
  EXPECT_EQ(posix::strnlen(small.get(), 100), 2u);
}

struct classes {
  long bits;
};
BESIDE_GLIBC(characters, int, classes, {
  long bits = 0;
  for (bool is :
       {c::isalnum(in) != 0, c::isalpha(in) != 0, c::isascii(in) != 0, c::isblank(in) != 0, c::iscntrl(in) != 0,
        c::isdigit(in) != 0, c::isgraph(in) != 0, c::islower(in) != 0, c::isprint(in) != 0, c::ispunct(in) != 0,
        c::isspace(in) != 0, c::isupper(in) != 0, c::isxdigit(in) != 0})
    bits = bits << 1 | (is ? 1 : 0);
  out.bits = ((bits << 10 | (c::tolower(in) & 1023)) << 10 | (c::toupper(in) & 1023)) << 8 | c::toascii(in);
});

TEST(String, Characters) {
  std::vector<int> all;
  for (int c = -1; c < 256; ++c) all.push_back(c);
  compare<characters>(all, "a function of ctype.h");
}

}  // namespace
