// SPDX-License-Identifier: Apache-2.0
// The door's loop (door.h). admission.cpp decides who gets what.
#include "service/daemon/door.h"

#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>

#include "schedule/daemon/clock.h"
#include "schedule/daemon/message.h"
#include "service/daemon/events.h"

namespace genesys::detail::serving {

namespace ipc = schedule::processes;
using ipc::now_ns;

namespace {

// What epoll says of an event: one of these, or the number of a newcomer.
enum : u64 { tag_listening, tag_stop, tag_ended, tag_ask, tag_order_done, tags };
constexpr unsigned scarce_us = 10'000;
constexpr u64 second_ns = 1'000'000'000;

ipc::listening_socket listen_as(const service_daemon_options& options) {
  if (options.listening >= 0) return ipc::listening_socket(options.listening);
  return ipc::listening_socket({.path = options.socket,
                                .group = options.group,
                                .daemon = "genesys serve",
                                .waiting_max = static_cast<int>(options.clients_max)});
}

}  // namespace

door::door(service_server& server, serving& to, service_table services, const service_daemon_options& options,
           int ended)
    : server_(server),
      serving_(to),
      services_(std::move(services)),
      options_(options),
      listening_(listen_as(options)),
      ended_(ended),
      events_(::epoll_create1(EPOLL_CLOEXEC)),
      stop_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)),
      ask_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)),
      order_done_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)),
      next_id_(tags),
      loading_(server, options, order_done_.get()) {
  const bool made = events_ && stop_ && ask_ && order_done_ && watch(order_done_.get(), tag_order_done) &&
                    watch(listening_.get(), tag_listening) && watch(stop_.get(), tag_stop) &&
                    watch(ended_, tag_ended) && watch(ask_.get(), tag_ask);
  if (!made) throw error(error_code::system, "cannot make descriptors for the daemon: raise 'ulimit -n'");
}

bool door::watch(int fd, u64 tag) { return watch_for(events_.get(), fd, tag); }

void door::stop() { notify_event(stop_.get()); }
void door::ask_for_report() { notify_event(ask_.get()); }

void door::run() {
  listening_.note_process();
  shown_at_ = now_ns();
  for (;;) {
    epoll_event events[events_max];
    const int count = ::epoll_wait(events_.get(), events, events_max, options_.progress ? 1000 : -1);
    if (count < 0 && errno != EINTR) throw error(error_code::system, "epoll_wait(2) fails");
    for (int i = 0; i < count; ++i) {
      switch (const u64 tag = events[i].data.u64; tag) {
        case tag_stop:
          return;
        case tag_listening:
          accept_one();
          break;
        case tag_ended:
          clear_event(ended_);
          let_go();
          break;
        case tag_ask:
          clear_event(ask_.get());
          std::fputs(serving_.report().c_str(), stderr);
          break;
        case tag_order_done:
          clear_event(order_done_.get());
          finish_orders();
          break;
        default:
          hear(tag);
      }
    }
    if (options_.progress) show_progress();
  }
}

void door::accept_one() {
  newcomer made;
  made.socket.reset(::accept4(listening_.get(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
  if (!made.socket) {
    // Without a descriptor or memory the connection stays in the queue, and epoll says so at once: do not spin.
    if (errno == EMFILE || errno == ENFILE || errno == ENOMEM || errno == ENOBUFS) ::usleep(scarce_us);
    return;
  }
  made.since = now_ns();
  std::optional<peer> who = ipc::peer_of(made.socket.get());
  if (!who) return;
  made.who = std::move(*who);
  reply refused;
  if (!may_connect(made.who)) {
    refused = reply_with_text(reply_kind::refused, EACCES, "this user may not: see the daemon's --group");
  } else if (!make_space(made.who.uid, made.since)) {
    refused = reply_with_text(reply_kind::refused, EAGAIN, "it has too many clients, or too many of this user");
  } else {
    const u64 id = next_id_++;
    if (watch(made.socket.get(), id)) newcomers_.emplace(id, std::move(made));
    return;
  }
  ipc::send_packet(made.socket.get(), &refused, sizeof refused);
}

// The first packet of a connection.
void door::hear(u64 id) {
  const auto found = newcomers_.find(id);
  if (found == newcomers_.end()) return;
  newcomer from = std::move(found->second);
  ipc::packet got;
  const ipc::received what = ipc::receive_packet(from.socket.get(), got);
  if (what == ipc::received::nothing) {
    found->second = std::move(from);
    return;
  }
  newcomers_.erase(found);
  if (what != ipc::received::packet) return;
  ::epoll_ctl(events_.get(), EPOLL_CTL_DEL, from.socket.get(), nullptr);
  const std::optional<hello> asked = decode_hello(got.bytes.data(), got.size);
  if (!got.passed.empty() && (!asked || asked->kind != hello_kind::load)) return;
  if (!asked) {
    const reply refused = reply_with_text(reply_kind::refused, EPROTO, "it is of another version of genesys");
    ipc::send_packet(from.socket.get(), &refused, sizeof refused);
  } else if (asked->kind == hello_kind::status) {
    send_text(from.socket.get(), serving_.report());
  } else if (asked->kind == hello_kind::list) {
    send_text(from.socket.get(), services_.text());
  } else if (asked->kind == hello_kind::connect) {
    const reply refused = admit(id, from, *asked);
    if (refused.error != 0) ipc::send_packet(from.socket.get(), &refused, sizeof refused);
  } else if (asked->kind == hello_kind::load || asked->kind == hello_kind::unload) {
    const reply refused = take_order(from, *asked, std::move(got.passed));
    if (refused.error != 0) ipc::send_packet(from.socket.get(), &refused, sizeof refused);
  }
}

void door::send_text(int socket, const std::string& text) {
  constexpr std::size_t part_bytes = sizeof(reply::text) - 1;
  for (std::size_t at = 0; at < text.size(); at += part_bytes) {
    const reply part = reply_with_text(reply_kind::text, 0, text.substr(at, part_bytes));
    if (!ipc::send_packet(socket, &part, sizeof part)) return;  // it does not read
  }
  reply end;
  end.kind = reply_kind::end;
  ipc::send_packet(socket, &end, sizeof end);
}

void door::let_go() {
  for (const std::unique_ptr<session>& each : serving_.take_ended()) {
    const auto found = admitted_.find(each->id);
    // Memory that a kernel may still use counts until the daemon's end.
    if (!each->keeps_memory()) bytes_ -= found->second.bytes;
    admitted_.erase(found);
  }
}

void door::show_progress() {
  const u64 now = now_ns();
  if (now - shown_at_ < second_ns) return;
  const u64 requests = serving_.so_far().requests, bytes = serving_.so_far().bytes;
  const double seconds = static_cast<double>(now - shown_at_) / 1e9;
  std::fprintf(stderr, "\rgenesys serve: %llu clients, %llu requests, %.0f/s, %.1f MiB/s   ",
               static_cast<unsigned long long>(serving_.so_far().clients), static_cast<unsigned long long>(requests),
               static_cast<double>(requests - shown_requests_) / seconds,
               static_cast<double>(bytes - shown_bytes_) / seconds / (1 << 20));
  shown_requests_ = requests, shown_bytes_ = bytes, shown_at_ = now;
}

}  // namespace genesys::detail::serving
