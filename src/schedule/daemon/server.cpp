// SPDX-License-Identifier: Apache-2.0
// The daemon's socket and its loop (server.h). server_members.cpp has what it does for members.
#include "schedule/daemon/server.h"

#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <new>
#include <stdexcept>

#include "schedule/daemon/clock.h"

namespace genesys::schedule::processes {
namespace {

// What epoll says of an event: one of these, or twice the number of a connection, plus 1 for its process.
constexpr u64 tag_listening = 0, tag_stop = 1;
constexpr u64 tag_timer = ~u64{0};
constexpr int events_max = 32, packets_max = 16;
constexpr unsigned scarce_us = 10'000;
constexpr time_ns newcomer_ns = 2'000'000'000;  // after that it may lose its place to another one

std::runtime_error failed(const std::string& what) { return std::runtime_error(what + ": " + std::strerror(errno)); }

}  // namespace

server::server(server_options options) : options_(std::move(options)), arbiter_(options_.aging) {
  board_page_ = make_page("genesys-board");
  if (board_page_) board_ = page_mapping(board_page_.get(), access::read_write);
  if (!board_ || !seal_writes(board_page_.get()))
    throw failed("cannot make shared memory that is sealed (it needs Linux 5.1)");
  new (board_.as<void>()) board_page{};
  board_.as<board_page>()->format.store(shared_format, std::memory_order_relaxed);
  events_.reset(::epoll_create1(EPOLL_CLOEXEC));
  stop_.reset(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  timer_.reset(::timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK));
  if (!events_ || !stop_ || !timer_) throw failed("cannot make descriptors");
  listening_ = listening_socket({.path = options_.socket,
                                 .group = options_.group,
                                 .is_for_all = ::geteuid() == 0,
                                 .daemon = "genesys scheduled",
                                 .waiting_max = connections_max});
  if (!watch(listening_.get(), tag_listening) || !watch(stop_.get(), tag_stop) || !watch(timer_.get(), tag_timer))
    throw failed("epoll_ctl");
}

server::~server() = default;

bool server::watch(int fd, u64 tag) {
  epoll_event event{};
  event.events = EPOLLIN;
  event.data.u64 = tag;
  return ::epoll_ctl(events_.get(), EPOLL_CTL_ADD, fd, &event) == 0;
}

void server::stop() {
  const u64 one = 1;
  [[maybe_unused]] const ssize_t written = ::write(stop_.get(), &one, sizeof one);
}

void server::run() {
  listening_.note_process();
  for (;;) {
    epoll_event events[events_max];
    const int count = ::epoll_wait(events_.get(), events, events_max, -1);
    if (count < 0 && errno != EINTR) throw failed("epoll_wait");
    for (int i = 0; i < count; ++i) {
      const u64 tag = events[i].data.u64;
      if (tag == tag_stop) return;
      if (tag == tag_listening) {
        accept_one();
      } else if (tag == tag_timer) {
        tick();
      } else if ((tag & 1) != 0) {
        remove(tag / 2);  // the process has ended, whoever else has its socket
      } else {
        receive_from(tag / 2);
      }
    }
    publish_board();
  }
}

void server::accept_one() {
  connection made;
  made.socket.reset(::accept4(listening_.get(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
  if (!made.socket) {
    // Without a descriptor or memory the connection stays in the queue, and epoll says so at once: do not spin.
    if (errno == EMFILE || errno == ENFILE || errno == ENOMEM || errno == ENOBUFS) ::usleep(scarce_us);
    return;
  }
  made.since = now_ns();
  std::optional<peer> who = peer_of(made.socket.get());
  if (!who) return;
  made.who = std::move(*who);
  if (!make_space(made.who.uid, made.since)) {
    const reply full = refusal(EAGAIN, "the daemon has too many connections, or too many of this user");
    send_packet(made.socket.get(), &full, sizeof full);
    return;
  }
  made.id = ++next_id_;
  if (!watch(made.socket.get(), made.id * 2) || !watch(made.who.process.get(), made.id * 2 + 1)) return;
  connections_.emplace(made.id, std::move(made));
}

// Whether a connection of this user may be added. One that has not become a member in time gives way.
bool server::make_space(uid_t uid, time_ns now) {
  const auto is_over = [&](uid_t of) {
    std::size_t own = 0;
    for (const auto& [id, each] : connections_) own += each.who.uid == of;
    return connections_.size() >= connections_max || (of != 0 && own >= connections_of_user_max);
  };
  if (!is_over(uid)) return true;
  for (auto each = connections_.begin(); each != connections_.end();) {
    const bool late = each->second.at != progress::member && now - each->second.since > newcomer_ns;
    each = late ? connections_.erase(each) : std::next(each);
  }
  return !is_over(uid);
}

void server::receive_from(connection_id id) {
  const auto found = connections_.find(id);
  if (found == connections_.end()) return;  // it was removed by an event before this one
  packet got;
  for (int i = 0; i < packets_max; ++i) {  // the others have their turn, too
    const received what = receive_packet(found->second.socket.get(), got);
    if (what == received::nothing) return;
    const std::optional<request> asked =
        what == received::packet && got.passed.empty() ? decode_request(got.bytes.data(), got.size) : std::nullopt;
    const bool is_good = asked ? handle(found->second, *asked)
                               : what == received::packet && got.passed.empty() && take_report(found->second, got);
    if (!is_good) return remove(id);
  }
}

void server::remove(connection_id id) {
  const auto found = connections_.find(id);
  if (found == connections_.end()) return;
  if (const connection& left = found->second; left.at == progress::member) {
    member_at_[left.slot] = 0;
    arbiter_.leave(left.slot);
    board_.as<board_page>()->slots[left.slot].store(0, std::memory_order_relaxed);  // publish_board() orders it
    board_changed_ = true;
  }
  connections_.erase(found);  // closes the socket and the pidfd, which epoll then forgets
}

}  // namespace genesys::schedule::processes
