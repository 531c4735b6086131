// SPDX-License-Identifier: Apache-2.0
// The rules of a policy: what they allow, and the error messages for wrong rules.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

#include "genesys/error.h"
#include "policy/policy.h"

namespace genesys::detail {
namespace {

bool allows(const rules& all, plan_id id) { return all.allowed[static_cast<std::size_t>(id)]; }

std::string complaint(std::string_view text, const std::string& policy = "all") {
  try {
    read_rules(policy, text);
  } catch (const error& said) {
    EXPECT_EQ(said.code(), error_code::bad_option);
    return said.what();
  }
  return "";
}

TEST(Rules, Profiles) {
  const rules all = read_rules("all", ""), io = read_rules("io", ""), none = read_rules("none", "");
  EXPECT_TRUE(all.allowed.all());
  EXPECT_FALSE(all.deny_anything());
  EXPECT_TRUE(allows(io, plan_id::openat));
  EXPECT_TRUE(allows(io, plan_id::recvmsg));
  EXPECT_TRUE(allows(io, plan_id::mmap));
  EXPECT_FALSE(allows(io, plan_id::kill));
  EXPECT_FALSE(allows(io, plan_id::mount));
  EXPECT_FALSE(allows(io, plan_id::fcntl_F_SETOWN));
  EXPECT_TRUE(allows(io, plan_id::fcntl_F_GETFL));
  EXPECT_TRUE(io.own_descriptors && io.plain_files && io.deny_anything());
  EXPECT_TRUE(none.allowed.none());
}

TEST(Rules, FromTheEnvironment) {
  ASSERT_EQ(::setenv("GENESYS_POLICY", "io", 1), 0);
  EXPECT_EQ(read_rules("", "").name, "io");
  EXPECT_EQ(read_rules("all", "").name, "all");
  ASSERT_EQ(::unsetenv("GENESYS_POLICY"), 0);
  EXPECT_EQ(read_rules("", "").name, "all");
}

TEST(Rules, TheLastOneHolds) {
  const rules said = read_rules("all", R"(
    profile io            # begins anew
    deny class net
    allow call socket kill
    deny call kill
    allow call fcntl      # all of its variants
    descriptors any
    allow descriptor 1 2
    limit descriptors 16
    limit mapped 2G
    limit calls 1000)");
  EXPECT_TRUE(allows(said, plan_id::socket));
  EXPECT_FALSE(allows(said, plan_id::sendto));
  EXPECT_FALSE(allows(said, plan_id::kill));
  EXPECT_TRUE(allows(said, plan_id::fcntl_F_SETOWN));
  EXPECT_FALSE(said.own_descriptors);
  EXPECT_TRUE(said.plain_files);
  EXPECT_EQ(said.descriptors, (std::vector<int>{1, 2}));
  EXPECT_EQ(said.descriptors_max, 16u);
  EXPECT_EQ(said.mapped_bytes_max, std::uint64_t{2} << 30);
  EXPECT_EQ(said.calls_per_second, 1000u);
}

TEST(Rules, FromAFile) {
  const std::string path = testing::TempDir() + "genesys-rules";
  std::ofstream(path) << "profile none\nallow call getpid\n";
  const rules said = read_rules(path, "");
  EXPECT_EQ(said.allowed.count(), 1u);
  EXPECT_TRUE(allows(said, plan_id::getpid));
  std::ofstream(path) << "profile none\nallow call getpit\n";
  EXPECT_EQ(complaint("", path), "genesys: " + path +
                                     ":2: kernels cannot make a call 'getpit'; expected one that "
                                     "'genesys syscalls' lists");
  std::remove(path.c_str());
}

TEST(Rules, WhatIsSaidOfAWrongOne) {
  const std::string at = "genesys: options::policy_rules:1: ";
  EXPECT_EQ(complaint("forbid call open"),
            at + "there is no rule 'forbid'; expected profile, allow, deny, descriptors, files or limit");
  EXPECT_EQ(complaint("profile iO"), at + "expected: profile all, io, strict or none");
  EXPECT_EQ(complaint("allow call"), at + "expected: allow call, class, path, program or descriptor, and which");
  EXPECT_EQ(complaint("deny call"), at + "expected: deny call, class, and which");
  EXPECT_EQ(complaint("deny path /tmp"),
            at + "a path cannot be denied; what is not allowed is denied as soon as one is allowed");
  EXPECT_EQ(complaint("allow path tmp"), at + "'tmp' is a relative path; expected one that begins with '/'");
  EXPECT_EQ(complaint("allow memory all"),
            at + "'memory' can be neither allowed nor denied; expected call, class, path, program or descriptor");
  EXPECT_EQ(complaint("deny call fork"),
            at + "kernels cannot make a call 'fork'; expected one that 'genesys syscalls' lists");
  EXPECT_NE(complaint("deny class network").find("there is no class 'network'; expected credentials, "),
            std::string::npos);
  EXPECT_EQ(complaint("descriptors mine"), at + "expected: descriptors any, or descriptors own");
  EXPECT_EQ(complaint("limit calls"),
            at + "expected: limit descriptors, parked, bounce, mapped or calls, and a number");
  EXPECT_EQ(complaint("limit files 3"),
            at + "there is no limit of 'files'; expected descriptors, parked, bounce, mapped or calls");
  EXPECT_EQ(complaint("limit calls 3x"), at + "'3x' is no number; expected one like 100, 64K, 64M or 1G");
  EXPECT_EQ(complaint("limit calls 99999999999999999999"),
            at + "'99999999999999999999' is no number; expected one like 100, 64K, 64M or 1G");
  EXPECT_EQ(complaint("limit mapped 0"), at + "a limit of 0 would leave nothing; expected 1 or more");
  EXPECT_EQ(complaint("allow descriptor 70000"), at + "descriptor 70000 is too large; expected at most 65535");
  EXPECT_EQ(complaint("", "/nowhere/rules"),
            "genesys: policy '/nowhere/rules' is no file that can be read, and no "
            "profile; expected all, io, strict, none, or a file with rules");
  EXPECT_THROW(policy(read_rules("io", "allow path /nowhere"), {}), error);
}

TEST(Policy, DescriptorsUpToALimit) {
  policy rules(read_rules("all", ""), {.descriptors_max = 2});
  EXPECT_TRUE(rules.adopt(5));
  EXPECT_TRUE(rules.adopt(5));
  EXPECT_TRUE(rules.adopt(6));
  EXPECT_FALSE(rules.adopt(7));
  rules.disown(5);
  rules.disown(5);
  EXPECT_TRUE(rules.adopt(7));
  EXPECT_FALSE(rules.adopt(1u << 16));
}

TEST(Policy, CallsPerSecond) {
  policy rules(read_rules("all", ""), {.calls_per_second = 600});
  constexpr u64 second = 1'000'000'000;
  u64 made = 0;
  for (u64 now = 0; now < 4 * second; now += second / 100'000) made += rules.is_within_rate(now);
  EXPECT_GT(made, 4 * 600 * 9 / 10);
  EXPECT_LE(made, 4 * 600 + 20);
}

}  // namespace
}  // namespace genesys::detail
