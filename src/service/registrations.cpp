// SPDX-License-Identifier: Apache-2.0
#include "service/registrations.h"

#include <unistd.h>

#include <cerrno>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>

#include "genesys/error.h"

namespace genesys::detail::services {
namespace {

// Whether the process may write to all of it. CUDA's driver (580) hangs when it registers a private mapping that is not
// writable.
bool is_writable(std::uintptr_t begin, std::uintptr_t end) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> maps(std::fopen("/proc/self/maps", "re"), &std::fclose);
  if (maps == nullptr) return false;
  char* line = nullptr;
  std::size_t capacity = 0;
  while (begin<end&& ::getline(&line, &capacity, maps.get())> 0) {  // in the order of the addresses
    std::uintptr_t from = 0, to = 0;
    char rights[5] = {};
    if (std::sscanf(line, "%" SCNxPTR "-%" SCNxPTR " %4s", &from, &to, rights) != 3 || to <= begin) continue;
    if (from > begin || rights[0] != 'r' || rights[1] != 'w') break;
    begin = to;
  }
  std::free(line);
  return begin >= end;
}

[[noreturn]] void refuse(error_code code, const std::string& why) {
  throw error(code, "service_server::register_memory: " + why);
}

}  // namespace

void* registrations::add(void* memory, std::size_t bytes) {
  const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
  const auto address = reinterpret_cast<std::uintptr_t>(memory);
  const std::uintptr_t begin = address / page * page, end = (address + bytes + page - 1) / page * page;
  if (bytes == 0 || end <= address) refuse(error_code::bad_option, "there are no bytes to register");
  if (!is_writable(begin, end))
    refuse(error_code::bad_option, "the process has no memory there, or must not write to a part of it");
  const std::lock_guard hold(lock_);
  const auto after = ends_.lower_bound(end);
  if (after != ends_.begin() && std::prev(after)->second > begin)
    refuse(error_code::bad_option, "a part of its pages is registered already: register both together");
  const auto entry = ends_.emplace_hint(after, begin, end);
  void* const first = reinterpret_cast<void*>(begin);
  const int failed = by_.admit(first, end - begin, false);
  if (failed == 0) return first;
  if (failed == -EADDRNOTAVAIL) by_.let_go(first);
  ends_.erase(entry);
  refuse(error_code::no_pinned_memory,
         failed == -EOPNOTSUPP ? "the device cannot use this memory: it is registered elsewhere, or of a file whose "
                                 "pages cannot be pinned"
         : failed == -EADDRNOTAVAIL
             ? "the device uses another address for it than the CPU"
             : "the device refuses it (" + std::string(std::strerror(-failed)) + "): free memory, or register less");
}

void registrations::remove(void* first_page, bool left_to_kernel) {
  {
    const std::lock_guard hold(lock_);
    ends_.erase(reinterpret_cast<std::uintptr_t>(first_page));
  }
  if (!left_to_kernel) by_.let_go(first_page);
}

std::size_t registrations::registered_bytes(const void* at) const {
  const auto address = reinterpret_cast<std::uintptr_t>(at);
  const std::lock_guard hold(lock_);
  const auto after = ends_.upper_bound(address);
  if (after == ends_.begin()) return 0;
  const std::uintptr_t end = std::prev(after)->second;
  return end > address ? end - address : 0;
}

}  // namespace genesys::detail::services
