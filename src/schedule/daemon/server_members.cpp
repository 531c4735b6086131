// SPDX-License-Identifier: Apache-2.0
// What the daemon does for its members: join, leave, nice values, ticks, the board (server.h).
#include <linux/sockios.h>
#include <sys/ioctl.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "schedule/daemon/clock.h"
#include "schedule/daemon/futex.h"
#include "schedule/daemon/server.h"

namespace genesys::schedule::processes {
namespace {

constexpr time_ns tick_least_ns = 1'000'000, tick_most_ns = 250'000'000;
constexpr unsigned quiet_ticks_max = 3;  // then no member is held, and the ticks end
constexpr u64 ms_ns = 1'000'000;
constexpr int unread_bytes_max = 4096 * static_cast<int>(fetches_max);

time_ns tick_of(const arbiter_options& options) {
  const time_ns shortest = std::min(options.aging_step != 0 ? options.aging_step / 2 : tick_most_ns, options.lease / 4);
  return std::clamp(shortest, tick_least_ns, tick_most_ns);
}

// Whether the process reads its replies. Each one that it has not read takes more than 1 KiB of Linux.
bool reads_replies(int socket) {
  int unread_bytes = 0;
  return ::ioctl(socket, SIOCOUTQ, &unread_bytes) == 0 && unread_bytes <= unread_bytes_max;
}

}  // namespace

bool server::handle(connection& from, const request& asked) {
  const bool is_member = from.at == progress::member;
  switch (asked.kind) {
    case request_kind::join:
      return from.at == progress::connected && join(from, asked);
    case request_kind::mapped:
      return from.at == progress::joining && enter(from);
    case request_kind::fetch:
      return is_member && fetch(from, asked);
    case request_kind::renice:
      return is_member && renice(from, asked.nice);
    case request_kind::list:
      return list(from);
    case request_kind::watch:
      return kernels_of(from, asked);
    case request_kind::report:  // take_report() has it
      return false;
    case request_kind::look:
      if (!is_member) return false;
      if (from.line.as<const member_line>()->state.load(std::memory_order_acquire) == state_waiting) {
        if (!from.held) from.held_changed = now_ns();
        from.held = true;
      }
      begin_ticks();
      return true;
  }
  return false;
}

std::optional<reply> server::why_refused(const connection& from, int nice) const {
  const std::optional<process_facts> facts = facts_of(from.who);
  if (!facts) return refusal(ESRCH, "the daemon cannot read /proc/" + std::to_string(from.who.pid));
  const int least = least_nice(*facts, options_.allowed);
  if (nice >= least) return std::nullopt;
  return refusal(EPERM, why_not(*facts, nice, least));
}

// A process that is refused keeps its connection: it may ask again, for less.
bool server::join(connection& from, const request& asked) {
  if (const std::optional<reply> refused = why_refused(from, asked.nice))
    return send_packet(from.socket.get(), &*refused, sizeof *refused);
  descriptor page = make_page("genesys-line");
  page_mapping line;
  if (page) line = page_mapping(page.get(), access::read);
  if (!line) {
    const reply refused = refusal(ENOMEM, "the daemon has no memory or no descriptor left");
    return send_packet(from.socket.get(), &refused, sizeof refused);
  }
  reply accepted;
  accepted.kind = reply_kind::accepted;
  from.nice = asked.nice, from.device = asked.device, from.page = std::move(page), from.line = std::move(line);
  from.at = progress::joining;
  return send_packet(from.socket.get(), &accepted, sizeof accepted, {board_page_.get(), from.page.get()});
}

// The process has mapped its line. From now on no further mapping can be writable, so others may have the page.
bool server::enter(connection& from) {
  std::size_t own = 0;
  for (const auto& [id, each] : connections_) own += each.at == progress::member && each.who.uid == from.who.uid;
  const auto free_slot = std::find(member_at_.begin(), member_at_.end(), connection_id{0});
  if (free_slot == member_at_.end() || (from.who.uid != 0 && own >= members_of_user_max)) {
    const reply refused = refusal(EAGAIN, "the daemon has too many members, or too many of this user");
    send_packet(from.socket.get(), &refused, sizeof refused);
    return false;
  }
  if (!seal_writes(from.page.get())) return false;
  from.slot = static_cast<u32>(free_slot - member_at_.begin());
  *free_slot = from.id;
  if (++generations_ == 0) ++generations_;
  from.generation = generations_;
  from.at = progress::member;
  from.held_changed = now_ns();
  from.device_index = index_of_device(from);
  arbiter_.join(from.slot, from.nice, from.device_index);
  set_slot(from);
  publish_board();
  reply joined;
  joined.kind = reply_kind::joined;
  joined.slot = from.slot, joined.generation = from.generation;
  return send_packet(from.socket.get(), &joined, sizeof joined);
}

bool server::fetch(connection& from, const request& asked) {
  if (!reads_replies(from.socket.get())) return false;
  reply found;
  found.kind = reply_kind::gone;
  found.slot = asked.slot, found.generation = asked.generation;
  const auto of = connections_.find(member_at_[asked.slot]);
  if (of == connections_.end() || of->second.generation != asked.generation)
    return send_packet(from.socket.get(), &found, sizeof found);
  found.kind = reply_kind::page;
  return send_packet(from.socket.get(), &found, sizeof found, {of->second.page.get()});
}

bool server::renice(connection& from, int nice) {
  if (const std::optional<reply> refused = why_refused(from, nice))
    return send_packet(from.socket.get(), &*refused, sizeof *refused);
  from.nice = nice;
  arbiter_.join(from.slot, nice, from.device_index);
  set_slot(from);
  publish_board();
  reply accepted;
  accepted.kind = reply_kind::accepted;
  return send_packet(from.socket.get(), &accepted, sizeof accepted);
}

bool server::list(connection& to) {
  const time_ns now = now_ns();
  for (const connection_id id : member_at_) {
    const auto found = connections_.find(id);
    if (found == connections_.end()) continue;
    const connection& each = found->second;
    reply row;
    row.kind = reply_kind::row;
    row.slot = each.slot, row.generation = each.generation;
    row.pid = each.who.pid, row.uid = each.who.uid;
    row.device = each.device;
    row.nice = each.nice, row.effective_nice = arbiter_.effective_nice(each.slot);
    row.state = std::min<u32>(each.line.as<const member_line>()->state.load(std::memory_order_relaxed), state_running);
    row.stalled = arbiter_.is_stalled(each.slot);
    row.held = each.held;
    row.holds = each.line.as<const member_line>()->holds.load(std::memory_order_relaxed);
    row.since_ms = (now - each.held_changed) / ms_ns;
    if (!send_packet(to.socket.get(), &row, sizeof row)) return false;
  }
  reply end;
  end.kind = reply_kind::end;
  return send_packet(to.socket.get(), &end, sizeof end);
}

// Kernels' names are for root and the member's own user; others get the sums.
bool server::kernels_of(connection& to, const request& asked) {
  if (!reads_replies(to.socket.get())) return false;
  board_.as<board_page>()->reports_until_ns.store(now_ns() + watched_ns, std::memory_order_relaxed);
  const auto found = connections_.find(member_at_[asked.slot]);
  if (found != connections_.end() && found->second.generation == asked.generation && found->second.report != nullptr) {
    const bool sees_names = to.who.uid == 0 || to.who.uid == found->second.who.uid;
    for (kernel_row row : found->second.report->shown) {
      if (row.index != 0 && !sees_names) continue;
      row.kind = static_cast<u32>(reply_kind::kernel);
      if (!send_packet(to.socket.get(), &row, sizeof row)) return false;
    }
  }
  reply end;
  end.kind = reply_kind::end;
  return send_packet(to.socket.get(), &end, sizeof end);
}

// A member that reports faster than it is asked to loses rows, not its membership: its clock may differ.
bool server::take_report(connection& from, const packet& got) {
  const auto row = decode_kernel_row(got.bytes.data(), got.size, static_cast<u32>(request_kind::report));
  if (!row || from.at != progress::member) return false;
  if (from.report == nullptr) from.report = std::make_unique<member_report>();
  member_report& into = *from.report;
  if (const time_ns now = now_ns(); now - into.counted_from >= report_interval_ns / 4) {
    into.counted_from = now;
    into.counted = 0;
  }
  if (into.counted++ > report_kernels_max) return true;
  if (row->index == 0) into.incoming.clear();
  if (row->index != into.incoming.size()) return true;  // one before it was dropped
  into.incoming.push_back(*row);
  if (row->index == into.incoming.front().rows) into.shown = into.incoming;
  return true;
}

// That of another member of the same device, or one that no member has: there are as many as members.
u32 server::index_of_device(const connection& of) const {
  std::array<bool, members_max> used{};
  for (const auto& [id, each] : connections_) {
    if (each.at != progress::member || each.id == of.id) continue;
    if (each.device == of.device) return each.device_index;
    used[each.device_index] = true;
  }
  return static_cast<u32>(std::find(used.begin(), used.end(), false) - used.begin());
}

void server::set_slot(const connection& of) {
  board_slot now;
  now.generation = of.generation, now.device = of.device_index;
  now.nice = of.nice, now.effective_nice = arbiter_.effective_nice(of.slot);
  now.present = true, now.stalled = arbiter_.is_stalled(of.slot);
  const u64 word = packed(now);
  std::atomic<u64>& slot = board_.as<board_page>()->slots[of.slot];
  if (slot.load(std::memory_order_relaxed) == word) return;
  slot.store(word, std::memory_order_relaxed);  // publish_board() orders it
  board_changed_ = true;
}

// H6. Members read the slots after the version.
void server::publish_board() {
  if (!board_changed_) return;
  board_changed_ = false;
  board_page& board = *board_.as<board_page>();
  board.version.fetch_add(1, std::memory_order_seq_cst);  // pairs with client::refresh and client::wait
  wake_all(&board.version);
}

void server::begin_ticks() {
  quiet_ticks_ = 0;
  if (ticking_) return;
  ticking_ = true;
  const time_ns tick_ns = tick_of(options_.aging);
  itimerspec every{};
  every.it_interval.tv_nsec = every.it_value.tv_nsec = static_cast<long>(tick_ns);
  ::timerfd_settime(timer_.get(), 0, &every, nullptr);
  tick();
}

std::array<member_sample, members_max> server::read_lines() const {
  std::array<member_sample, members_max> samples{};
  for (const auto& [id, each] : connections_) {
    if (each.at != progress::member) continue;
    const member_line& line = *each.line.as<const member_line>();
    samples[each.slot] = {line.state.load(std::memory_order_acquire), line.heartbeat.load(std::memory_order_relaxed),
                          line.run_us.load(std::memory_order_relaxed)};
  }
  return samples;
}

void server::tick() {
  u64 expired;
  [[maybe_unused]] const ssize_t bytes = ::read(timer_.get(), &expired, sizeof expired);
  const time_ns now = now_ns();
  arbiter_.tick(now, read_lines());
  bool needed = false;
  for (auto& [id, each] : connections_) {
    if (each.at != progress::member) continue;
    set_slot(each);
    if (each.held && !arbiter_.is_held(each.slot)) {
      each.held = false;
      each.held_changed = now;
    }
    needed |= arbiter_.is_held(each.slot) || arbiter_.effective_nice(each.slot) != each.nice;
  }
  board_.as<board_page>()->ticks.fetch_add(1, std::memory_order_relaxed);
  publish_board();
  quiet_ticks_ = needed ? 0 : quiet_ticks_ + 1;
  if (quiet_ticks_ < quiet_ticks_max) return;
  const itimerspec never{};
  ::timerfd_settime(timer_.get(), 0, &never, nullptr);
  ticking_ = false;
  arbiter_.pause();
}

}  // namespace genesys::schedule::processes
