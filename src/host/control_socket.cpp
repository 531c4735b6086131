// SPDX-License-Identifier: Apache-2.0
#include "host/control_socket.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <exception>

#include "host/serving_thread.h"
#include "trace/clock.h"

namespace genesys::detail {
namespace {

constexpr std::size_t line_max = 1024, descriptors_max = 8;
constexpr u64 request_ns = 1'000'000'000;  // for a client that says nothing, or reads nothing
constexpr int look_ms = 500;               // between looks whether the recording of a tracer goes on
constexpr int scarce_ms = 100;             // until the next look, where Linux has no descriptor for a connection

// How long a client is waited for: until a time, or until `wakeup` says that the socket ends.
struct time_limit {
  u64 until_ns;
  int wakeup;
};

// Waits until the connection is ready. False: it is late.
bool wait_for(int fd, short events, const time_limit& most) {
  const u64 now = now_ns();
  if (now >= most.until_ns) return false;
  pollfd looked[] = {{fd, events, 0}, {most.wakeup, POLLIN, 0}};
  const int ready = ::poll(looked, 2, static_cast<int>((most.until_ns - now) / 1'000'000 + 1));
  return ready < 0 ? errno == EINTR : ready > 0 && looked[1].revents == 0;
}

bool send_all(int to, const std::string& text, const time_limit& most) {
  for (std::size_t sent = 0; sent < text.size();) {
    const ssize_t some = ::send(to, text.data() + sent, text.size() - sent, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (some > 0) sent += static_cast<std::size_t>(some);
    if (some == 0 || (some < 0 && errno != EINTR && errno != EAGAIN)) return false;
    if (some < 0 && errno == EAGAIN && !wait_for(to, POLLOUT, most)) return false;
  }
  return true;
}

// The first descriptor that came along; further ones are closed.
void take_descriptors(msghdr& message, own_descriptor& passed) {
  for (cmsghdr* head = CMSG_FIRSTHDR(&message); head != nullptr; head = CMSG_NXTHDR(&message, head)) {
    if (head->cmsg_level != SOL_SOCKET || head->cmsg_type != SCM_RIGHTS) continue;
    for (std::size_t at = CMSG_LEN(0); at + sizeof(int) <= head->cmsg_len; at += sizeof(int)) {
      int fd;
      std::memcpy(&fd, reinterpret_cast<const char*>(head) + at, sizeof fd);
      own_descriptor one(fd);
      if (passed.get() < 0) passed = std::move(one);
    }
  }
}

// Reads up to the end of a line, and a descriptor that comes along. Empty: there is none.
std::string read_line(int from, own_descriptor& passed, const time_limit& most) {
  std::string line;
  while (line.size() < line_max && line.find('\n') == std::string::npos) {
    char text[256];
    alignas(cmsghdr) char control[CMSG_SPACE(descriptors_max * sizeof(int))];
    iovec into{text, sizeof text};
    msghdr message{};
    message.msg_iov = &into, message.msg_iovlen = 1;
    message.msg_control = control, message.msg_controllen = sizeof control;
    const ssize_t some = ::recvmsg(from, &message, MSG_CMSG_CLOEXEC | MSG_DONTWAIT);
    if (some < 0 && errno == EINTR) continue;
    if (some < 0 && errno == EAGAIN && wait_for(from, POLLIN, most)) continue;
    if (some <= 0) return {};
    take_descriptors(message, passed);
    line.append(text, static_cast<std::size_t>(some));
  }
  const std::size_t end = line.find_first_of("\r\n");
  return end == std::string::npos ? std::string() : line.substr(0, end);
}

// Why the peer may not ask; empty: it may.
std::string refusal(int peer) {
  ucred who{};
  socklen_t bytes = sizeof who;
  if (::getsockopt(peer, SOL_SOCKET, SO_PEERCRED, &who, &bytes) != 0) return "the peer is unknown";
  if (who.uid != ::geteuid() && who.uid != 0)
    return "process " + std::to_string(::getpid()) + " belongs to user " + std::to_string(::geteuid());
  if (who.pid == ::getpid()) return "a process cannot look at itself this way";
  return {};
}

}  // namespace

control_socket::control_socket(u32 number, recording_switch& recordings, replies how)
    : recordings_(recordings), how_(std::move(how)) {
  const int listener = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (listener < 0) return;
  listener_.take(listener);
  sockaddr_un at{};
  at.sun_family = AF_UNIX;
  const int length = std::snprintf(at.sun_path + 1, sizeof at.sun_path - 1, "genesys/%d/%u", ::getpid(), number);
  const auto bytes = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + static_cast<unsigned>(length));
  const int wakeup = ::eventfd(0, EFD_CLOEXEC);
  if (wakeup >= 0) wakeup_.take(wakeup);
  if (wakeup < 0 || ::bind(listener, reinterpret_cast<sockaddr*>(&at), bytes) != 0 || ::listen(listener, 8) != 0) {
    listener_.reset();
    return;
  }
  try {
    thread_ = serving_thread("genesys-control", [this] { run(); });
  } catch (const error&) {
    listener_.reset();
  }
}

control_socket::~control_socket() {
  if (!thread_.joinable()) return;
  ending_.store(true, std::memory_order_release);  // pairs with run()
  const eventfd_t one = 1;
  if (::write(wakeup_.get(), &one, sizeof one) < 0) ::shutdown(listener_.get(), SHUT_RDWR);  // wakes the thread, too
  thread_.join();
}

void control_socket::run() {
  for (;;) {
    pollfd looked[3] = {{wakeup_.get(), POLLIN, 0}, {listener_.get(), POLLIN, 0}, {tracer_.get(), POLLIN, 0}};
    if (::poll(looked, 3, tracer_.get() >= 0 ? look_ms : -1) < 0) {
      if (errno == EINTR) continue;
      break;
    }
    if (looked[0].revents != 0 || ending_.load(std::memory_order_acquire)) break;  // pairs with the destructor
    // The program may have ended the recording.
    if (tracer_.get() >= 0 && (looked[2].revents != 0 || !recordings_.has(recording_))) end_recording();
    if (looked[1].revents != 0) serve();
  }
  if (tracer_.get() >= 0) end_recording();
  ::shutdown(listener_.get(), SHUT_RDWR);  // also where a child of fork() has a copy of it
}

// The connection ends also where a child of fork() has a copy of it.
void control_socket::end_recording() {
  recordings_.stop_other(recording_);
  ::shutdown(tracer_.get(), SHUT_RDWR);
  tracer_.reset();
}

void control_socket::serve() try {
  own_descriptor peer, passed;
  const int fd = ::accept4(listener_.get(), nullptr, nullptr, SOCK_CLOEXEC);
  if (fd < 0) {
    pollfd looked{wakeup_.get(), POLLIN, 0};
    ::poll(&looked, 1, scarce_ms);
    return;
  }
  peer.take(fd);
  const time_limit most{now_ns() + request_ns, wakeup_.get()};
  if (const std::string why = refusal(fd); !why.empty()) {
    send_all(fd, "refused: " + why + "\n", most);
    return;
  }
  const std::string line = read_line(fd, passed, most);
  try {
    reply_to(peer, line, passed, most.until_ns);
  } catch (const error& wrong) {
    send_all(peer.get(), "refused: " + std::string(wrong.what()) + "\n", most);
  }
} catch (const std::exception&) {  // no memory: the client finds its connection closed
}

void control_socket::reply_to(own_descriptor& peer, const std::string& line, own_descriptor& passed, u64 deadline_ns) {
  const auto send = [&](const std::string& text) { return send_all(peer.get(), text, {deadline_ns, wakeup_.get()}); };
  unsigned data_bytes, paths;
  if (std::sscanf(line.c_str(), "trace %u %u", &data_bytes, &paths) == 2) {
    if (passed.get() < 0) {
      send("refused: no descriptor came along\n");
    } else if (tracer_.get() >= 0) {
      send("refused: another process traces this one\n");
    } else {
      recording_ = recordings_.start_other(std::move(passed), {.data_bytes = data_bytes, .paths = paths != 0});
      if (recording_ == 0) {
        send("refused: its calls are recorded already (GENESYS_TRACE, or runtime::trace)\n");
      } else if (send("ok\n")) {
        tracer_ = std::move(peer);
      } else {
        recordings_.stop_other(recording_);
      }
    }
  } else if (line == "waiting") {
    send(how_.waiting());
  } else if (line == "metrics") {
    send(how_.metrics());
  } else if (line.starts_with("GET ")) {
    const std::string body = how_.metrics();
    send(
        "HTTP/1.0 200 OK\r\nContent-Type: application/openmetrics-text; version=1.0.0; charset=utf-8\r\n"
        "Content-Length: " +
        std::to_string(body.size()) + "\r\n\r\n" + body);
  } else {
    send("refused: no such request\n");
  }
}

}  // namespace genesys::detail
