// SPDX-License-Identifier: Apache-2.0
// Starting programs: requests that make no sense, and what a policy allows. docs/security.md, Programs.
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "genesys/spawn_request.h"
#include "jail.h"

namespace attack {
namespace {

using genesys::spawn_action;
using genesys::spawn_request;

// The bytes of a request.
struct request_text {
  spawn_request head{};
  std::string actions, strings;

  request_text& word(const std::string& text) {
    ++head.words;
    strings += text + '\0';
    return *this;
  }
  request_text& variable(const std::string& text) {
    ++head.environment_words;
    strings += text + '\0';
    return *this;
  }
  request_text& action(spawn_action one, const std::string& path = "") {
    ++head.actions;
    one.path_bytes = path.empty() ? 0 : static_cast<u32>(path.size()) + 1;
    actions.append(reinterpret_cast<const char*>(&one), sizeof one);
    if (!path.empty()) actions += path + '\0';
    return *this;
  }
  std::string bytes() const {
    return std::string(reinterpret_cast<const char*>(&head), sizeof head) + actions + strings;
  }
};

long start(jail& in, const char* path, const std::string& request) {
  const auto& memory = in.bytes(request.size() + 1);
  std::memcpy(memory.get(), request.data(), request.size());
  return in.call(SYS_execve, {in.text(path), memory.get(), request.size(), GENESYS_SPAWN});
}

void expect_success(long child) {
  ASSERT_GT(child, 0);
  int status = -1;
  EXPECT_EQ(::waitpid(static_cast<pid_t>(child), &status, 0), child);
  EXPECT_EQ(status, 0);
}

request_text shell(const std::string& script) {
  request_text made;
  made.head.flags = spawn_request::same_environment;
  return made.word("sh").word("-c").word(script);
}

TEST(Programs, APolicyNamesThoseThatKernelsStart) {
  jail none("");
  EXPECT_EQ(start(none, "/bin/sh", shell("exit 0").bytes()), -EPERM);
  jail by_call("allow call execve");
  EXPECT_EQ(start(by_call, "/bin/sh", shell("exit 0").bytes()), -EPERM) << "no program is named";

  jail j("allow program /bin/sh");
  const int fds = ::memfd_create("out", MFD_CLOEXEC);
  j.rt().grant(fds);
  // No filter of the serving threads' is on it.
  request_text good = shell("grep -c '^Seccomp:.0$' /proc/$$/status");
  good.action({spawn_action::duplicate, fds, 1, 0, 0, 0});
  expect_success(start(j, "/bin/sh", good.bytes()));
  char text[8] = {};
  EXPECT_EQ(::pread(fds, text, sizeof text, 0), 2);
  EXPECT_STREQ(text, "1\n");

  EXPECT_EQ(start(j, "/bin/../bin/sh", shell("exit 0").bytes()), -EPERM);
  EXPECT_EQ(start(j, "/bin/true", shell("exit 0").bytes()), -EPERM);
  request_text searched = shell("exit 0");
  searched.head.flags |= spawn_request::search_path;
  EXPECT_EQ(start(j, "sh", searched.bytes()), -EPERM);
  request_text own = shell("exit 0");
  own.head.flags = 0;
  EXPECT_EQ(start(j, "/bin/sh", own.variable("LD_PRELOAD=/tmp/x").bytes()), -EPERM);
  EXPECT_EQ(
      start(j, "/bin/sh", shell("exit 0").action({spawn_action::open, 1, 0, O_RDONLY, 0, 0}, "/etc/passwd").bytes()),
      -EPERM);
  EXPECT_EQ(start(j, "/bin/sh", shell("exit 0").action({spawn_action::change_directory, 0, 0, 0, 0, 0}, "/").bytes()),
            -EPERM);
  j.rt().revoke(fds);
  EXPECT_EQ(start(j, "/bin/sh", good.bytes()), -EPERM) << "the descriptor is the host's again";
  EXPECT_GT(j.rt().stats().denied.size(), 0u);
  ::close(fds);
}

TEST(Programs, RequestsThatMakeNoSenseAreRefused) {
  jail j("allow program /bin/sh");
  const std::string good = shell("exit 0").bytes();
  expect_success(start(j, "/bin/sh", good));
  for (std::size_t cut = 0; cut < good.size(); ++cut) {
    EXPECT_EQ(start(j, "/bin/sh", good.substr(0, cut)), -EINVAL) << cut << " of " << good.size() << " bytes";
  }
  const auto changed = [&](auto change) {
    request_text text = shell("exit 0");
    change(text);
    return start(j, "/bin/sh", text.bytes());
  };
  EXPECT_EQ(changed([](request_text& r) { r.head.words = ~0u; }), -EINVAL);
  EXPECT_EQ(changed([](request_text& r) { r.head.environment_words = 1; }), -EINVAL);
  EXPECT_EQ(changed([](request_text& r) { r.head.actions = ~0u; }), -EINVAL);
  EXPECT_EQ(changed([](request_text& r) { r.head.attributes = 1 << 14; }), -EINVAL);
  EXPECT_EQ(changed([](request_text& r) { r.action({77, 1, 1, 0, 0, 0}); }), -EINVAL);
  EXPECT_EQ(changed([](request_text& r) {
              r.action({spawn_action::close, 1, 0, 0, 0, 0}, "path");
              r.actions[sizeof(spawn_action) - 4] = 3;  // not the length of the path
            }),
            -EINVAL);
  const auto& memory = j.bytes(64);
  EXPECT_EQ(j.call(SYS_execve, {j.text("/bin/sh"), memory.get(), u64{1} << 40, GENESYS_SPAWN}), -E2BIG);
  EXPECT_EQ(j.call(SYS_execve, {j.text("/bin/sh"), u64{4096}, 64, GENESYS_SPAWN}), -EFAULT);
  EXPECT_EQ(j.call(SYS_execve, {u64{0}, memory.get(), 64, GENESYS_SPAWN}), -EFAULT);
  EXPECT_EQ(j.call(SYS_execve, {j.text("/bin/sh"), memory.get(), 64, 1}), -EOPNOTSUPP);
}

}  // namespace
}  // namespace attack
