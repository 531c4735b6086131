// SPDX-License-Identifier: Apache-2.0
// A process's messages with the daemon (client.h): join, pages of other members, the board, the end of the daemon.
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "schedule/daemon/client.h"
#include "schedule/daemon/clock.h"

namespace genesys::schedule::processes {
namespace {

constexpr time_ns join_ns = 1'000'000'000;  // a daemon that does not reply for so long is not there
constexpr time_ns pages_ns = 100'000'000;   // until it asks again

}  // namespace

std::string default_daemon_socket() {
  const char* const runtime = ::secure_getenv("XDG_RUNTIME_DIR");
  if (::geteuid() == 0 || runtime == nullptr || *runtime == '\0') return "/run/genesys/scheduled";
  return std::string(runtime) + "/genesys/scheduled";
}

std::string daemon_socket_of_process() {
  const char* const named = ::secure_getenv("GENESYS_SCHEDULED");
  if (named != nullptr && *named != '\0') return named;
  constexpr char of_system[] = "/run/genesys/scheduled";
  return ::access(of_system, F_OK) == 0 ? of_system : default_daemon_socket();
}

client::client(client_options options) : options_(std::move(options)) {
  if (options_.socket.empty()) options_.socket = daemon_socket_of_process();
}

client::~client() { publish(state_idle); }

bool client::connect(time_ns timeout) {
  const time_ns until = now_ns() + timeout;
  next_try_ = 0;
  for (maintain(); at_ == progress::joining && now_ns() < until; maintain()) {
    pollfd looked{socket_.get(), POLLIN, 0};
    ::poll(&looked, 1, static_cast<int>((until - now_ns()) / 1'000'000 + 1));
  }
  // The pages of the members that were there before.
  while (at_ == progress::member && unmapped_ != 0 && now_ns() < until) {
    pollfd looked{socket_.get(), POLLIN, 0};
    ::poll(&looked, 1, static_cast<int>((until - now_ns()) / 1'000'000 + 1));
    maintain();
  }
  return is_member();
}

void client::maintain() {
  const time_ns now = checked_ = now_ns();
  if (at_ == progress::off) return try_to_connect(now);
  receive();
  if (at_ == progress::joining && now - joining_since_ > join_ns) leave("the scheduling daemon does not reply");
  if (at_ != progress::member) return;
  if (board_->version.load(std::memory_order_seq_cst) != seen_version_) refresh();  // pairs with publish_board
  if (unmapped_ != 0 && now > asked_pages_ + pages_ns) {                            // the replies are lost
    for (other& each : others_) each.asked = false;
    ask_for_pages();
  }
  if (stalled_) send(request_kind::look);  // the board is out of date
  if (daemon_is_silent(now)) leave("the scheduling daemon has stopped");
}

void client::try_to_connect(time_ns now) {
  if (now < next_try_ || denied_) return;
  next_try_ = now + options_.retry;
  sockaddr_un at{};
  at.sun_family = AF_UNIX;
  if (options_.socket.size() >= sizeof at.sun_path) return say_once("the path of the daemon's socket is too long");
  std::memcpy(at.sun_path, options_.socket.c_str(), options_.socket.size() + 1);
  socket_.reset(::socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!socket_ || ::connect(socket_.get(), reinterpret_cast<sockaddr*>(&at), sizeof at) != 0) {
    const int error = errno;
    socket_.reset();
    if (!last_message_.empty()) return;
    return say_once("no scheduling daemon at '" + options_.socket + "' (" + std::strerror(error) +
                    "): start 'genesys scheduled'; until then the process runs free");
  }
  // Only root's daemon and the user's own decide when this process runs.
  ucred daemon{};
  socklen_t bytes = sizeof daemon;
  if (::getsockopt(socket_.get(), SOL_SOCKET, SO_PEERCRED, &daemon, &bytes) != 0 ||
      (daemon.uid != 0 && daemon.uid != ::geteuid())) {
    socket_.reset();
    return say_once("the daemon at '" + options_.socket + "' belongs to another user; the process runs free");
  }
  at_ = progress::joining;
  joining_since_ = now;
  send(request_kind::join, options_.nice);
}

void client::send(request_kind kind, int nice, u32 slot, u32 generation) {
  if (at_ == progress::off) return;
  request asked;
  asked.kind = kind, asked.nice = nice, asked.slot = slot, asked.generation = generation;
  asked.device = options_.device;
  // A daemon that lets its queue fill up has stopped, or ends: receive() and daemon_is_silent() find that.
  send_packet(socket_.get(), &asked, sizeof asked);
}

void client::receive() {
  for (packet got; at_ != progress::off;) {
    switch (receive_packet(socket_.get(), got)) {
      case received::nothing:
        return;
      case received::closed:
        return leave("the scheduling daemon has ended");
      case received::packet:
        take(got);
    }
  }
}

void client::take(packet& got) {
  const std::optional<reply> with = decode_reply(got.bytes.data(), got.size);
  if (!with) return leave("the scheduling daemon is of another version");
  switch (with->kind) {
    case reply_kind::accepted:
      refused_.clear();
      error_ = 0;
      if (at_ == progress::member) options_.nice = asked_nice_;  // the board has it, too
      if (at_ != progress::joining) return;
      if (got.passed.size() != 2 || !is_sealed_page(got.passed[0].get()) || !is_sealed_page(got.passed[1].get()))
        return leave("the scheduling daemon is of another version");
      board_page_ = page_mapping(got.passed[0].get(), access::read);
      line_page_ = page_mapping(got.passed[1].get(), access::read_write);
      if (!board_page_ || !line_page_) return leave("cannot map the scheduling daemon's memory");
      return send(request_kind::mapped);
    case reply_kind::refused:
      refused_ = text_of(*with);
      error_ = with->error;
      if (at_ == progress::member) return say_once(refused_);
      denied_ = error_ == EPERM;
      return leave(refused_);
    case reply_kind::joined:
      return enter(*with);
    case reply_kind::page:
    case reply_kind::gone:
      for (other& each : others_) {
        if (each.slot != with->slot || each.generation != with->generation || each.page || each.gone) continue;
        if (with->kind == reply_kind::page && got.passed.size() == 1 && is_sealed_page(got.passed[0].get()))
          each.page = page_mapping(got.passed[0].get(), access::read);
        each.gone = !each.page;
        --unmapped_;
      }
      if (unmapped_ != 0) ask_for_pages();
      return;
    case reply_kind::row:
    case reply_kind::end:
    case reply_kind::kernel:
      return;
  }
}

void client::enter(const reply& with) {
  if (at_ != progress::joining || !line_page_) return leave("the scheduling daemon is of another version");
  at_ = progress::member;
  last_message_.clear();
  slot_ = with.slot, generation_ = with.generation;
  board_ = board_page_.as<const board_page>();
  line_ = line_page_.as<member_line>();
  line_->run_us.store(run_us_, std::memory_order_relaxed);
  line_->holds.store(holds_, std::memory_order_relaxed);
  ticks_changed_ = now_ns();
  publish(state_);  // wakes all that wait for this member: the board has it, and seen_version_ is not the board's
  refresh();
}

// The process runs free from now on.
void client::leave(const std::string& why) {
  const bool was_member = at_ == progress::member;
  at_ = progress::off;
  if (was_member) line_->state.store(state_idle, std::memory_order_release);
  socket_.reset();
  others_.clear();
  unmapped_ = 0;
  board_ = &no_board_;
  line_ = &no_line_;
  no_line_.state.store(state_, std::memory_order_relaxed);
  seen_version_ = 0;
  last_ = hold::none;
  stalled_ = held_ = false;
  board_page_ = {};
  line_page_ = {};
  next_try_ = now_ns() + options_.retry;
  say_once(why + (denied_ ? "; the process runs free" : "; the process runs free until it can connect"));
}

void client::say_once(const std::string& what) {
  if (std::exchange(last_message_, what) == what) return;
  if (options_.say) return options_.say(what);
  std::fprintf(stderr, "genesys: %s\n", what.c_str());
}

// Reads the board after its version: if the daemon changes it meanwhile, the version differs and it is read again.
void client::refresh() {
  seen_version_ = board_->version.load(std::memory_order_seq_cst);  // pairs with publish_board
  const board_slot own = unpacked(board_->slots[slot_].load(std::memory_order_acquire));
  if (own.present && own.generation == generation_) {
    effective_nice_ = own.effective_nice;
    stalled_ = own.stalled;
    device_ = own.device;
  }
  std::vector<other> now;
  for (u32 slot = 0; slot < members_max; ++slot) {
    const board_slot found = unpacked(board_->slots[slot].load(std::memory_order_acquire));
    if (!found.present || slot == slot_ || found.device != device_) continue;
    const auto known = std::find_if(others_.begin(), others_.end(), [&](const other& each) {
      return each.slot == slot && each.generation == found.generation;
    });
    other one;
    if (known != others_.end()) {
      one = std::move(*known);
    } else {
      one.slot = slot, one.generation = found.generation;
    }
    one.more_important = !found.stalled && found.effective_nice < effective_nice_;
    one.aborts = found.nice < effective_nice_;
    one.less_important = !found.stalled && found.effective_nice > effective_nice_;
    now.push_back(std::move(one));
  }
  others_ = std::move(now);
  unmapped_ = static_cast<unsigned>(
      std::count_if(others_.begin(), others_.end(), [](const other& each) { return !each.page && !each.gone; }));
  if (unmapped_ != 0) ask_for_pages();
}

// A few at a time: the daemon ends a connection that does not read its replies.
void client::ask_for_pages() {
  asked_pages_ = now_ns();
  unsigned under_way = 0;
  for (const other& each : others_) under_way += each.asked && !each.page && !each.gone;
  for (other& each : others_) {
    if (each.asked || each.page || each.gone || under_way >= fetches_max) continue;
    each.asked = true;
    ++under_way;
    send(request_kind::fetch, 0, each.slot, each.generation);
  }
}

// While this process is held, the daemon ticks. If it does not, nobody looks after members that die.
bool client::daemon_is_silent(time_ns now) {
  const u32 ticks = board_->ticks.load(std::memory_order_relaxed);
  if (last_ == hold::none || state_ != state_waiting || std::exchange(seen_ticks_, ticks) != ticks)
    ticks_changed_ = now;
  return now - ticks_changed_ > options_.daemon_silent;
}

void client::renice(int nice) {
  asked_nice_ = nice;
  error_ = 0;
  denied_ = false;
  refused_.clear();
  if (at_ == progress::member) return send(request_kind::renice, nice);
  options_.nice = nice;
}

}  // namespace genesys::schedule::processes
