// SPDX-License-Identifier: Apache-2.0
// The rules that wait for a launch: where the arguments point.
#include <gtest/gtest.h>

#include <cstring>

#include "cases.h"
#include "schedule/classify/launch_verdict.h"

namespace genesys::schedule {
namespace {

using kind = allocation::kind;

constexpr std::uint64_t mib = 1 << 20;
constexpr std::uint64_t first = 0x7f00'0000'0000, second = first + 4 * mib, third = first + 16 * mib,
                        fourth = third + 2 * mib;
constexpr std::uint64_t host = first + 32 * mib, managed = first + 64 * mib, symbol = first + 80 * mib;

const std::vector<allocation> memory = {
    {first, 2 * mib, kind::device},  {second, 2 * mib, kind::device},   {third, 2 * mib, kind::device},  // its end is
    {fourth, 2 * mib, kind::device},  // the start of this one
    {host, 2 * mib, kind::host},     {managed, 2 * mib, kind::managed}, {symbol, 4096, kind::variable}};

// The arguments of with_prologue(): a, b, c, n, s.
struct arguments {
  std::uint64_t a = first, b = second, c = third;
  std::uint32_t n = 64;
  std::uint64_t s[3] = {first, second, third};
};

launch_verdict launched(const std::string& body, const arguments& given, launch how = {},
                        const std::string& before = "") {
  const std::string text = with_prologue(body, before);
  const std::vector<kernel_verdict> kernels = classify(std::string_view(text));
  std::vector<std::byte> bytes(sizeof given);
  std::memcpy(bytes.data(), &given, sizeof given);
  how.arguments = bytes;
  how.allocations = memory;
  return complete(kernels.at(0), how);
}

const std::string copy = "ld.global.f32 %f1, [%rd6]; st.global.f32 [%rd5], %f1;";  // b to a
const std::string in_place = "ld.global.f32 %f1, [%rd5]; st.global.f32 [%rd5], %f1;";

TEST(Launch, ArgumentsLieAsCudaPutsThem) {
  const std::string text = with_prologue(copy);
  const kernel_verdict kernel = classify(std::string_view(text)).at(0);
  ASSERT_EQ(kernel.parameters.size(), 5U);
  EXPECT_EQ(kernel.parameters[3].offset, offsetof(arguments, n));
  EXPECT_EQ(kernel.parameters[4].offset, offsetof(arguments, s));
  EXPECT_EQ(kernel.parameters[4].bytes, 24U);
}

// The kernel writes a variable by its name. A pointer may be the address of a variable as well.
TEST(Launch, AVariableThatIsReadThroughAPointer) {
  const std::string body = "ld.global.f32 %f1, [%rd6]; st.global.f32 [v], %f1;", v = ".global .align 4 .f32 v;\n";
  EXPECT_FALSE(launched(body, {.b = symbol}, {}, v).is_idempotent);
  EXPECT_TRUE(launched(body, {.b = symbol}, {}, v).is_preemptible);
  EXPECT_TRUE(launched(body, {}, {}, v).is_preemptible);
  EXPECT_TRUE(launched(copy, {.b = symbol}).is_idempotent) << "it writes no variable";
}

TEST(Launch, SeparateAllocations) {
  const launch_verdict verdict = launched(copy, {});
  EXPECT_TRUE(verdict.is_idempotent && verdict.is_preemptible && verdict.is_write_set_known);
  ASSERT_EQ(verdict.write_set.size(), 1U);
  EXPECT_EQ(verdict.write_set[0], (range{first, 2 * mib}));
}

TEST(Launch, SameAllocation) {
  const launch_verdict verdict = launched(copy, {.b = first});
  EXPECT_FALSE(verdict.is_idempotent);
  EXPECT_TRUE(verdict.is_preemptible);
  ASSERT_FALSE(verdict.reasons.empty());
}

// Two pointers into one allocation, far from each other: how far the kernel goes is not known.
TEST(Launch, MiddleOfAnAllocation) {
  EXPECT_FALSE(launched(copy, {.a = third + mib, .b = third}).is_idempotent);
  const launch_verdict verdict = launched(copy, {.a = third + mib});
  EXPECT_TRUE(verdict.is_idempotent);
  EXPECT_EQ(verdict.write_set.at(0), (range{third, 2 * mib}));  // as a whole
}

// A pointer to the start of one allocation and the end of another may belong to either: reverse iterators begin there.
TEST(Launch, EndOfAnAllocation) {
  EXPECT_TRUE(launched(copy, {.a = third, .b = fourth + 4}).is_idempotent);
  EXPECT_FALSE(launched(copy, {.a = third, .b = fourth}).is_idempotent);
  EXPECT_EQ(launched(copy, {.a = fourth}).write_set.size(), 2U);
  EXPECT_TRUE(launched(copy, {.a = first + 2 * mib}).is_idempotent);  // an end alone
  EXPECT_FALSE(launched(copy, {.a = first + 2 * mib, .b = first}).is_idempotent);
}

TEST(Launch, UnknownMemory) {
  const launch_verdict written = launched(copy, {.a = third + 8 * mib});
  EXPECT_FALSE(written.is_idempotent || written.is_preemptible || written.is_write_set_known);
  const launch_verdict read = launched(copy, {.b = third + 8 * mib});
  EXPECT_FALSE(read.is_idempotent);
  EXPECT_TRUE(read.is_preemptible && read.is_write_set_known);
}

TEST(Launch, NullPointerIsNotUsed) {
  EXPECT_TRUE(launched(copy, {.b = 0}).is_idempotent);
  // A small number is no pointer and no null pointer: nobody knows what the kernel makes of it.
  EXPECT_FALSE(launched(copy, {.b = 4096}).is_idempotent);
  // A null pointer with an index from memory may be any address.
  EXPECT_FALSE(launched(R"(ld.global.s32 %r2, [%rd7]; mul.wide.s32 %rd10, %r2, 8; add.s64 %rd11, %rd1, %rd10;
                           st.global.u32 [%rd11], %r1;)",
                        {.a = 0})
                   .is_preemptible);
}

// Two words of a struct in the place of one pointer: a null in one of them is no null pointer.
TEST(Launch, NullInHalves) {
  const std::string body = R"(ld.param.u32 %r2, [s+4]; ld.param.u32 %r3, [s+8]; mov.b64 %rd10, {%r2, %r3};
                              st.global.u32 [%rd10], %r1;)";
  EXPECT_FALSE(launched(body, {.s = {0, 0x7f00, 0}}).is_preemptible);
}

TEST(Launch, HostMemory) {
  const launch_verdict written = launched(copy, {.a = host});
  EXPECT_FALSE(written.is_idempotent || written.is_preemptible);
  const launch_verdict read = launched(copy, {.b = host});
  EXPECT_FALSE(read.is_idempotent);
  EXPECT_TRUE(read.is_preemptible);
  EXPECT_TRUE(launched("ld.global.f32 %f1, [%rd6];", {.b = host}).is_idempotent);
}

TEST(Launch, ManagedMemoryAndVariables) {
  const std::string tells = "st.global.u32 [%rd5], %r1; fence.acq_rel.sys; st.global.u32 [%rd5+4], %r1;";
  EXPECT_FALSE(launched(tells, {.a = managed}).is_preemptible);
  EXPECT_TRUE(launched(tells, {}).is_idempotent);
  EXPECT_TRUE(launched(copy, {.a = managed}).is_idempotent);
  EXPECT_FALSE(launched(copy, {.a = symbol}).is_idempotent);
}

TEST(Launch, WriteSetOfWhatIsNotIdempotent) {
  const launch_verdict verdict = launched(in_place + "st.global.f32 [%rd7], %f1;", {});
  EXPECT_FALSE(verdict.is_idempotent);
  EXPECT_TRUE(verdict.is_preemptible && verdict.is_write_set_known);
  EXPECT_EQ(verdict.write_set, (std::vector<range>{{first, 2 * mib}, {third, 2 * mib}}));
}

TEST(Launch, CooperativeAndClusters) {
  EXPECT_FALSE(launched(copy, {}, {.is_cooperative = true}).is_preemptible);
  EXPECT_FALSE(launched(copy, {}, {.has_clusters = true}).is_preemptible);
}

// A 64-bit parameter that is added to a pointer: an offset if it is small, else another pointer.
TEST(Launch, IndexOrPointer) {
  const std::string body = R"(ld.global.f32 %f1, [%rd6]; ld.param.u64 %rd10, [s];
                              add.s64 %rd11, %rd1, %rd10; st.global.f32 [%rd11], %f1; st.global.f32 [%rd5], %f1;)";
  EXPECT_TRUE(launched(body, {.s = {4096, 0, 0}}).is_idempotent);
  EXPECT_FALSE(launched(body, {.s = {second, 0, 0}}).is_idempotent);
  EXPECT_FALSE(launched(body, {.s = {third + 8 * mib, 0, 0}}).is_idempotent);
}

// p[q - p] is q, although it looks like an index into p.
TEST(Launch, DifferenceOfPointers) {
  const std::string body = R"(ld.global.f32 %f1, [%rd6];
                              sub.s64 %rd10, %rd2, %rd3; shr.s64 %rd11, %rd10, 2; shl.b64 %rd12, %rd11, 2;
                              add.s64 %rd13, %rd3, %rd12; st.global.f32 [%rd13], %f1;)";
  EXPECT_FALSE(launched(body, {}).is_idempotent);
}

TEST(Launch, WrongInput) {
  const std::string text = with_prologue(copy);
  const kernel_verdict kernel = classify(std::string_view(text)).at(0);
  EXPECT_FALSE(complete(kernel, {.arguments = {}, .allocations = memory}).is_idempotent);
  const std::vector<allocation> unsorted = {memory[1], memory[0]};
  std::vector<std::byte> bytes(sizeof(arguments));
  EXPECT_FALSE(complete(kernel, {.arguments = bytes, .allocations = unsorted}).is_preemptible);
}

}  // namespace
}  // namespace genesys::schedule
