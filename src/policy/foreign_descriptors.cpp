// SPDX-License-Identifier: Apache-2.0
#include "policy/foreign_descriptors.h"

#include <limits.h>
#include <pthread.h>
#include <unistd.h>

#include <map>
#include <mutex>
#include <utility>

namespace genesys::detail {
namespace {

std::mutex lock;  // guards `links`; taken seldom: when a runtime begins, and at a claim
std::map<int, std::string> links;
// A child of fork() finds both whole.
[[maybe_unused]] const int guarded =
    ::pthread_atfork([] { lock.lock(); }, [] { lock.unlock(); }, [] { lock.unlock(); });

bool has_path(const std::string& link) { return link.starts_with("/") && !link.starts_with("/dev/"); }

}  // namespace

std::string link_of(int fd) {
  char link[PATH_MAX];
  const ssize_t length = ::readlink(("/proc/self/fd/" + std::to_string(fd)).c_str(), link, sizeof link);
  return length < 0 ? std::string() : std::string(link, static_cast<std::size_t>(length));
}

void protect_foreign(int fd, std::string link) {
  {
    const std::lock_guard hold(lock);
    links[fd] = std::move(link);
  }
  foreign_descriptors.add(static_cast<u64>(fd));
}

void end_protection_if_reused(int fd) {
  if (!foreign_descriptors.has(static_cast<u64>(fd))) return;
  const std::string now = link_of(fd);
  if (now.empty()) return;
  const std::lock_guard hold(lock);
  const auto before = links.find(fd);
  const bool is_reused = before != links.end() && !before->second.empty() ? now != before->second : has_path(now);
  if (is_reused) foreign_descriptors.remove(static_cast<u64>(fd));
}

}  // namespace genesys::detail
