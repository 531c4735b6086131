// SPDX-License-Identifier: Apache-2.0
// What a process asks the daemon for without being its client: its report, its services, and to load and unload them.
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "service/client/connection.h"

namespace genesys {

using namespace detail::serving;

namespace {

constexpr unsigned text_timeout_ms = 10'000, order_timeout_ms = 60'000;

[[noreturn]] void refuse(const std::string& file, int why) {
  throw service_client_error(error_code::bad_option, why,
                             "cannot read '" + file + "' (" + std::generic_category().message(why) + ")");
}

// A copy of the file that nobody can change any more. The daemon reads no file of this process, so it waits for none.
descriptor sealed_copy(const std::string& file) {
  const descriptor from(::open(file.c_str(), O_RDONLY | O_CLOEXEC));
  if (!from) refuse(file, errno);
  descriptor to(::memfd_create("genesys-service", MFD_CLOEXEC | MFD_ALLOW_SEALING));
  if (!to) refuse(file, errno);
  std::vector<char> part(std::size_t{1} << 16);
  for (std::size_t all = 0; all <= passed_bytes_max;) {
    const ssize_t got = ::read(from.get(), part.data(), part.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) refuse(file, errno);
    if (got == 0) break;
    for (ssize_t at = 0; at < got;) {
      const ssize_t put = ::write(to.get(), part.data() + at, static_cast<std::size_t>(got - at));
      if (put < 0 && errno != EINTR) refuse(file, errno);
      if (put > 0) at += put;
    }
    all += static_cast<std::size_t>(got);
  }
  if (::fcntl(to.get(), F_ADD_SEALS, F_SEAL_WRITE | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0)
    refuse(file, errno);
  return to;
}

std::string text_of(hello_kind kind, const std::string& socket) {
  const descriptor connected = connect_to(socket);
  hello asked;
  asked.kind = kind;
  send_hello(connected.get(), asked);
  std::string text;
  std::vector<descriptor> passed;
  for (;;) {
    const reply part = receive_reply(connected.get(), text_timeout_ms, passed);
    if (part.kind == reply_kind::end) return text;
    if (part.kind != reply_kind::text)
      throw service_client_error(error_code::layout_mismatch, EPROTO, "the daemon's answer is not understood");
    text += part.text.data();
  }
}

void give_order(hello_kind kind, const std::string& name, const std::vector<descriptor>& files,
                const std::string& socket) {
  hello asked;
  asked.kind = kind;
  if (name.size() >= asked.name.size())
    throw service_client_error(error_code::bad_option, EINVAL, "the name '" + name + "' has more than 31 bytes");
  name.copy(asked.name.data(), name.size());
  const descriptor connected = connect_to(socket);
  std::vector<int> fds;
  for (const descriptor& each : files) fds.push_back(each.get());
  send_hello(connected.get(), asked, fds);
  std::vector<descriptor> passed;
  (void)receive_reply(connected.get(), order_timeout_ms, passed);  // it throws what the daemon refuses
}

}  // namespace

std::string service_client::status(const std::string& socket) { return text_of(hello_kind::status, socket); }
std::string service_client::list(const std::string& socket) { return text_of(hello_kind::list, socket); }

void service_client::load(const std::vector<std::string>& files, const std::string& name, const std::string& socket) {
  if (files.empty() || files.size() > 2)
    throw service_client_error(error_code::bad_option, EINVAL, "a service has one or two files");
  std::vector<descriptor> copies;
  for (const std::string& each : files) copies.push_back(sealed_copy(each));
  give_order(hello_kind::load, name, copies, socket);
}

void service_client::unload(const std::string& name, const std::string& socket) {
  give_order(hello_kind::unload, name, {}, socket);
}

}  // namespace genesys
