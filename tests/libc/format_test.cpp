// SPDX-License-Identifier: Apache-2.0
// snprintf() for kernels beside glibc's: generated calls on the host and in kernels, and those that fail.
#include "genesys/posix/format.h"

#include <algorithm>

#include "format_cases.h"

namespace generated {
namespace {

using genesys::posix::arguments;

struct expectation {
  std::string text;  // with the 0
  int result;
};

// A buffer that is too small now and then. The text is what snprintf() leaves in it.
expectation expected_in(const format_case& one, std::size_t bytes) {
  const std::size_t shown = std::min(one.expected.size(), bytes == 0 ? 0 : bytes - 1);
  return {bytes == 0 ? "" : one.expected.substr(0, shown) + '\0', static_cast<int>(one.expected.size())};
}

std::size_t bytes_for(chance& random, const format_case& one) {
  return random.one_in(8) ? random(one.expected.size() + 2) : one.expected.size() + 1;
}

std::string readable(const std::string& text) {
  std::string all;
  for (const char c : text) {
    char escaped[8];
    ::snprintf(escaped, sizeof escaped, c < ' ' || c == 127 ? "\\x%02x" : "%c", static_cast<unsigned char>(c));
    all += escaped;
  }
  return all;
}

// Returns false if they differ.
bool expect_same(const format_case& one, const expectation& wanted, const char* text, int result) {
  const std::string got(text, wanted.text.size());
  EXPECT_EQ(result, wanted.result) << readable(one.format);
  EXPECT_EQ(readable(got), readable(wanted.text)) << readable(one.format);
  return result == wanted.result && got == wanted.text;
}

TEST(Format, OnTheHostIsGlibcs) {
  format_cases cases(1);
  chance random(2);
  int failures_left = 5;
  for (u32 i = 0; i < on_host() && failures_left > 0; ++i) {
    const format_case one = cases.next();
    const std::size_t bytes = bytes_for(random, one);
    const std::vector<argument> given = one.given_at(one.texts.data());
    std::vector<char> to(one.expected.size() + 8, 'Z');
    errno = one.error;
    const int result = genesys::posix::vsnprintf(to.data(), bytes, one.format.c_str(),
                                                 {given.data(), static_cast<unsigned>(given.size())});
    if (!expect_same(one, expected_in(one, bytes), to.data(), result)) --failures_left;
    ASSERT_TRUE(std::all_of(to.begin() + static_cast<long>(bytes), to.end(), [](char c) { return c == 'Z'; }));
  }
}

struct call_in_kernel {
  u64 format, to;  // offsets
  u32 first, count, bytes;
  int error;
};

struct format_each {
  GENESYS_KERNEL void operator()(genesys::os, const call_in_kernel* calls, u32 count, const argument* given,
                                 const char* texts, char* to, int* results) const {
    const u32 i = genesys::block_rank() * genesys::threads_in_block() + genesys::thread_rank();
    if (i >= count) return;
    const call_in_kernel& call = calls[i];
    genesys::detail::libc::set_errno(call.error);
    results[i] =
        genesys::posix::vsnprintf(to + call.to, call.bytes, texts + call.format, {given + call.first, call.count});
  }
};

TEST(Format, InAKernelIsGlibcs) {
  auto& rt = contract::shared_runtime();
  format_cases cases(3);
  chance random(4);
  constexpr u32 at_a_time = 25'000, threads = 128;
  int failures_left = 5;
  for (u32 done = 0; done < in_kernel() && failures_left > 0; done += at_a_time) {
    const u32 count = std::min(at_a_time, in_kernel() - done);
    std::vector<format_case> all;
    std::vector<call_in_kernel> calls;
    std::string texts;
    u64 to_bytes = 0, arguments_count = 0;
    for (u32 i = 0; i < count; ++i) {
      const format_case& one = all.emplace_back(cases.next());
      const u32 bytes = static_cast<u32>(bytes_for(random, one));
      calls.push_back({texts.size(), to_bytes, static_cast<u32>(arguments_count), static_cast<u32>(one.given.size()),
                       bytes, one.error});
      texts.append(one.format.c_str(), one.format.size() + 1).append(one.texts);
      to_bytes += bytes + 1;  // a byte that stays
      arguments_count += one.given.size();
    }
    contract::on_device<char> texts_there(rt, std::vector<char>(texts.begin(), texts.end()));
    std::vector<argument> given;
    for (u32 i = 0; i < count; ++i) {
      const auto its = all[i].given_at(texts_there.get() + calls[i].format + all[i].format.size() + 1);
      given.insert(given.end(), its.begin(), its.end());
    }
    given.push_back({});  // no array is empty
    contract::on_device<argument> given_there(rt, given);
    contract::on_device<call_in_kernel> calls_there(rt, calls);
    contract::on_device<char> to_there(rt, to_bytes);
    contract::on_device<int> results_there(rt, count);
    contract::play(rt, {.blocks = {(count + threads - 1) / threads}, .threads = {threads}}, format_each{},
                   static_cast<const call_in_kernel*>(calls_there.get()), count,
                   static_cast<const argument*>(given_there.get()), static_cast<const char*>(texts_there.get()),
                   to_there.get(), results_there.get());
    const auto to = to_there.take();
    const auto results = results_there.take();
    for (u32 i = 0; i < count && failures_left > 0; ++i) {
      const char* const its = to.data() + calls[i].to;
      if (!expect_same(all[i], expected_in(all[i], calls[i].bytes), its, results[i])) --failures_left;
      ASSERT_EQ(static_cast<unsigned char>(its[calls[i].bytes]), 0xee) << "byte behind " << readable(all[i].format);
    }
  }
}

// --- What one call does, in a kernel and on the host.

enum small_enum : signed char { minus_three = -3 };
enum class large_enum : u64 { most = ~u64{0} };

// Each call has 64 bytes.
struct call_by_call {
  static constexpr int calls = 14;
  GENESYS_KERNEL void operator()(genesys::os, char* to, long* counts) const {
    using genesys::posix::snprintf;
    using genesys::posix::sprintf;
    int i = 0;
    const auto next = [&] { return to + 64 * i++; };
    counts[0] = sprintf(next(), "plain");
    counts[1] = sprintf(next(), "%d %s %c", 42, "text", 'c');
    counts[2] = snprintf(next(), 4, "%s", "too long");
    counts[3] = sprintf(next(), "%.2f|%g|%Lf", 2.5f, 1e-7, 1.5);
    counts[4] = sprintf(next(), "%p|%p|%s", nullptr, reinterpret_cast<int*>(0x1234), static_cast<char*>(nullptr));
    counts[5] = sprintf(next(), "%d|%lx", minus_three, large_enum::most);
    counts[6] = sprintf(next(), "%d %hhd %hd %ld", true, static_cast<signed char>(-1), short{-2}, -3l);
    counts[7] = sprintf(next(), "%2$s-%1$*3$d", 7, "b", 4);
    counts[8] = sprintf(next(), "12345%n678%hhn", counts + 12, reinterpret_cast<signed char*>(counts + 13));
    counts[9] = sprintf(next(), "%y|%-+5.3y|%#0 y", 1);
    counts[10] = sprintf(next(), "%5%|%-05d|%+ d", 3, 4);
    counts[11] = snprintf(nullptr, 0, "%d", 12345);
  }
};

void expect_call_by_call(const char* to, const long* counts) {
  const char* const wanted[] = {
      "plain",      "42 text c", "too",      "2.50|1e-07|1.500000", "(nil)|0x1234|(null)", "-3|ffffffffffffffff",
      "1 -1 -2 -3", "b-   7",    "12345678", "%y|%+-5.3y|%# 0y",    "%|3    |+4"};
  const int count = static_cast<int>(std::size(wanted));
  for (int i = 0; i < count; ++i) {
    EXPECT_STREQ(to + 64 * i, wanted[i]);
    EXPECT_EQ(counts[i], i == 2 ? 8 : static_cast<long>(std::strlen(wanted[i])));
  }
  EXPECT_EQ(counts[11], 5);
  EXPECT_EQ(static_cast<int>(counts[12]), 5);
  EXPECT_EQ(static_cast<signed char>(counts[13]), 8);
}

TEST(Format, CallByCall) {
  auto& rt = contract::shared_runtime();
  contract::on_device<char> to(rt, 64 * call_by_call::calls);
  contract::on_device<long> counts(rt, call_by_call::calls);
  contract::play(rt, {}, call_by_call{}, to.get(), counts.get());
  expect_call_by_call(to.take().data(), counts.take().data());
}

// --- A sink with a small buffer.

struct eight_bytes : genesys::detail::libc::sink<eight_bytes> {
  GENESYS_KERNEL eight_bytes(char* to, u32 bytes) : sink(buffer, sizeof buffer), to_(to), left_(bytes) {}
  // Returns false if the memory is full.
  GENESYS_KERNEL bool drain() {
    const u32 count = static_cast<u32>(at - buffer);
    if (count > left_) return false;
    for (u32 i = 0; i < count; ++i) *to_++ = buffer[i];
    left_ -= count;
    at = buffer;
    return true;
  }
  char buffer[8];

 private:
  char* to_;
  u32 left_;
};

struct into_small_buffer {
  GENESYS_KERNEL void operator()(genesys::os, char* to, u32 bytes, int* result) const {
    eight_bytes sink(to, bytes);
    *result = genesys::detail::libc::format(sink, "%s|%30d|%.20f|%-9c|",
                                            genesys::posix::pack("eight bytes are not enough", 5, 0.1, 'c'), 0);
    sink.drain();
  }
};

TEST(Format, DrainsASink) {
  auto& rt = contract::shared_runtime();
  const std::string wanted =
      "eight bytes are not enough|                             5|0.10000000000000000555|c        |";
  contract::on_device<char> to(rt, 200);
  contract::on_device<int> result(rt, 1);
  contract::play(rt, {}, into_small_buffer{}, to.get(), 200u, result.get());
  EXPECT_EQ(result.take()[0], static_cast<int>(wanted.size()));
  EXPECT_EQ(std::string(to.take().data(), wanted.size() + 1), wanted + '\xee');
  to.fill(0xee);
  contract::play(rt, {}, into_small_buffer{}, to.get(), 40u, result.get());
  EXPECT_EQ(result.take()[0], -EIO);
  EXPECT_EQ(std::string(to.take().data(), 41), wanted.substr(0, 40) + '\xee');
}

// --- Calls that fail.

template <class... Args>
void expect_failure(int error, const char* format, Args... args) {
  char to[64];
  errno = 0;
  EXPECT_EQ(genesys::posix::snprintf(to, sizeof to, format, args...), -1) << format;
  EXPECT_EQ(errno, error) << format;
}

TEST(Format, Failures) {
  expect_failure(EINVAL, "%");
  expect_failure(EINVAL, "%5");
  expect_failure(EINVAL, "%-.3l");
  expect_failure(EINVAL, "%d");
  expect_failure(EINVAL, "%2$d", 1);
  expect_failure(EINVAL, "%*d", 1);
  expect_failure(EINVAL, "%*d", 1.0, 1);
  expect_failure(EINVAL, "%d", 1.0);
  expect_failure(EINVAL, "%f", 1);
  expect_failure(EINVAL, "%s", 1);
  expect_failure(EINVAL, "%n", 1);
  expect_failure(EINVAL, "%ls", L"wide");
  expect_failure(EINVAL, "%lc", L'w');
  expect_failure(EINVAL, "%S", L"wide");
  expect_failure(EOVERFLOW, "%2147483648d", 1);
  expect_failure(EOVERFLOW, "%.2147483648d", 1);
  expect_failure(EOVERFLOW, "%99999999999999999999d", 1);
  expect_failure(EOVERFLOW, "x%2147483647d", 1);
  expect_failure(EOVERFLOW, "%.2147483647f", 1.0);
  expect_failure(EOVERFLOW, "%#.2147483647g", 0.001);
  expect_failure(EOVERFLOW, "%#.2147483647e", 1.0);
  expect_failure(EOVERFLOW, "%.2147483647a", 1.0);
  expect_failure(EOVERFLOW, "%#.2147483647x", 1);
  expect_failure(EOVERFLOW, "%1000000000d%1000000000d%1000000000d", 1, 2, 3);
  expect_failure(EOVERFLOW, "%*d", INT_MIN, 1);
}

// The length is exact up to INT_MAX, of which almost nothing is stored.
TEST(Format, LargestResult) {
  char to[4];
  EXPECT_EQ(genesys::posix::snprintf(to, sizeof to, "%2147483647d", 1), INT_MAX);
  EXPECT_STREQ(to, "   ");
  EXPECT_EQ(genesys::posix::snprintf(to, sizeof to, "%.2147483645f", 1.5), INT_MAX);
  EXPECT_STREQ(to, "1.5");
}

}  // namespace
}  // namespace generated
