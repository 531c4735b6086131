// SPDX-License-Identifier: Apache-2.0
// A kernel under a policy, and what it must not reach: of two folders the policy may allow one, and the other holds a
// canary. A kernel of one thread makes each call by os.syscall, with any numbers and addresses.
#pragma once

#include <deque>
#include <memory>

#include "single_calls.h"

namespace attack {

using namespace contract;

class jail {
 public:
  static constexpr const char* secret = "what nobody may see\n";

  // `rules` extend the profile io. The jail replaces the word INSIDE in them by the allowed folder.
  explicit jail(std::string rules) : rt_(options_with(std::move(rules), inside_.path())), calls_(rt_) {
    put(outside_, "secret", secret);
    put(inside_, "file", "inside\n");
    std::filesystem::create_directory(inside_.path() + "/folder");
  }
  // The canary is as it was.
  ~jail() {
    EXPECT_EQ(content(outside("secret")), secret);
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(outside_.path()), {}), 1);
  }

  runtime& rt() { return rt_; }
  const char* inside(const std::string& name) { return text(inside_.path() + "/" + name); }
  const char* outside(const std::string& name) { return text(outside_.path() + "/" + name); }
  const folder& in() const { return inside_; }
  const folder& out() const { return outside_; }

  // A string and an object in the arena, which the kernel can pass on.
  const char* text(const std::string& from) {
    const auto& memory = bytes(from.size() + 1);
    std::memcpy(memory.get(), from.c_str(), from.size() + 1);
    return reinterpret_cast<const char*>(memory.get());
  }
  template <class T>
  T* object(const T& from) {
    T* at = reinterpret_cast<T*>(bytes(sizeof(T)).get());
    std::memcpy(static_cast<void*>(at), &from, sizeof(T));
    return at;
  }
  const in_arena<u8>& bytes(std::size_t count) {
    return *memory_.emplace_back(std::make_unique<in_arena<u8>>(rt_, count));
  }

  long call(long number, std::initializer_list<word> args) { return calls_(number, args); }
  // Reads from a descriptor of the kernel's.
  std::string read(long fd) {
    const auto& memory = bytes(256);
    const long n = call(SYS_read, {fd, memory.get(), 256});
    return n < 0 ? "error " + std::to_string(n)
                 : std::string(reinterpret_cast<const char*>(memory.get()), static_cast<std::size_t>(n));
  }

  static std::string content(const std::string& path) {
    const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (fd < 0) return "cannot be opened";
    char text[256];
    const ssize_t n = ::read(fd, text, sizeof text);
    ::close(fd);
    return std::string(text, static_cast<std::size_t>(std::max<ssize_t>(n, 0)));
  }

 private:
  static genesys::options options_with(std::string rules, const std::string& path) {
    if (const auto at = rules.find("INSIDE"); at != std::string::npos) rules.replace(at, 6, path);
    return {.workers = 2, .policy = "io", .policy_rules = rules};
  }
  static void put(const folder& in, const char* name, const char* content) {
    const int fd = ::openat(in.fd(), name, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    EXPECT_EQ(::write(fd, content, std::strlen(content)), static_cast<ssize_t>(std::strlen(content)));
    ::close(fd);
  }

  folder inside_, outside_;
  runtime rt_;
  single_calls calls_;
  std::deque<std::unique_ptr<in_arena<u8>>> memory_;
};

}  // namespace attack
