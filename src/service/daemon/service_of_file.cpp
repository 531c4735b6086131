// SPDX-License-Identifier: Apache-2.0
#include "service/daemon/service_of_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "schedule/daemon/descriptor.h"
#include "service/client/hello.h"
#include "service/daemon/check.h"

namespace genesys::detail::serving {
namespace {

constexpr unsigned unload_timeout_ms = 1000;  // nobody knows the service yet

[[noreturn]] void refuse(const std::string& why) { throw error(error_code::bad_option, why); }

bool is_library(const std::string& bytes) { return bytes.starts_with("\177ELF"); }

services::file_bytes read_all(int fd, const std::string& name) {
  struct stat about {};
  if (::fstat(fd, &about) != 0 || !S_ISREG(about.st_mode)) refuse(name + " is no regular file");
  if (about.st_size <= 0) refuse(name + " is empty");
  if (static_cast<std::uint64_t>(about.st_size) > passed_bytes_max)
    refuse(name + " has more than " + std::to_string(passed_bytes_max >> 20) + " MiB");
  services::file_bytes read{name, std::string(static_cast<std::size_t>(about.st_size), '\0')};
  for (std::size_t at = 0; at < read.bytes.size();) {
    const ssize_t got = ::pread(fd, read.bytes.data() + at, read.bytes.size() - at, static_cast<off_t>(at));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) refuse("cannot read " + name + " (" + std::strerror(errno) + ")");
    if (got == 0) refuse(name + " has become shorter");
    at += static_cast<std::size_t>(got);
  }
  return read;
}

}  // namespace

services::file_bytes read_service_file(const std::string& path) {
  const schedule::processes::descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!file) refuse("cannot open '" + path + "' (" + std::strerror(errno) + ")");
  return read_all(file.get(), "'" + path + "'");
}

services::file_bytes read_passed_file(int fd) {
  constexpr int sealed = F_SEAL_WRITE | F_SEAL_SHRINK | F_SEAL_GROW;
  const int seals = ::fcntl(fd, F_GET_SEALS);
  if (seals < 0 || (seals & sealed) != sealed) refuse("the file that was passed is no sealed memfd");
  services::file_bytes read = read_all(fd, "the file");
  read.name = is_library(read.bytes) ? "the shared object" : "the file for the GPU";
  return read;
}

service_of_file::service_of_file(std::vector<services::file_bytes> from, const std::string& name, unsigned drain_ms)
    : drain_ms_(drain_ms) {
  about_.name = name;
  if (name.empty() || name.size() >= name_bytes) refuse("the name '" + name + "' has not 1 to 31 bytes");
  for (services::file_bytes& each : from) {
    services::file_bytes& to = is_library(each.bytes) ? from_.cpu : from_.gpu;
    if (!to.bytes.empty()) refuse(to.name + " and " + each.name + " are for the same device");
    to = std::move(each);
  }
}

void service_of_file::load(service_server& on) {
  loaded_ = services::file_access::load(on, from_, about_.name, drain_ms_);
  from_ = {};
  try {
    describe();
    check_descriptions({&about_});
  } catch (...) {
    unload(on, unload_timeout_ms);
    throw;
  }
}

// The loader has compared the counts.
void service_of_file::describe() {
  const services::loadable_description& of = loaded_.about;
  about_.argument_bytes = of.argument_bytes;
  about_.fields.assign(of.fields, of.fields + of.field_count);
  for (u32 i = 0; i < of.member_count; ++i) {
    const services::loadable_member& each = of.members[i];
    if (::strnlen(each.name, sizeof each.name) == sizeof each.name) refuse("the name of a member has no end");
    about_.members.push_back(
        {each.name, each.offset, static_cast<service_member::kind_of_value>(each.kind), each.count});
  }
  if (about_.argument_bytes != 0 && about_.fields.empty() && about_.members.empty()) {
    refuse("the service '" + about_.name +
           "' does not describe its arguments, and a pointer among them would not be checked: write 'fields' or "
           "'members' (genesys/serve.h)");
  }
}

int service_of_file::unload(service_server& on, unsigned timeout_ms) const {
  return services::file_access::unload(on, loaded_, timeout_ms);
}

service_ticket service_of_file::submit(service_server& on, const void* arguments, unsigned blocks) const {
  return services::file_access::submit(on, loaded_, arguments, {.blocks = blocks, .full = when_full::refuse});
}

}  // namespace genesys::detail::serving
