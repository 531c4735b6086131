// SPDX-License-Identifier: Apache-2.0
// Who may be a client, and what it gets (door.h).
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <new>

#include "schedule/daemon/clock.h"
#include "schedule/daemon/message.h"
#include "service/daemon/door.h"

namespace genesys::detail::serving {

namespace ipc = schedule::processes;

namespace {

constexpr u64 newcomer_ns = 2'000'000'000;  // after that it may lose its place to another one
constexpr unsigned newcomers_max = 64;

std::string mib(u64 bytes) { return std::to_string(bytes >> 20) + " MiB"; }

}  // namespace

bool door::may_connect(const peer& who) const {
  if (who.uid == 0 || who.uid == ::geteuid()) return true;
  return options_.group &&
         std::find(who.all_groups.begin(), who.all_groups.end(), *options_.group) != who.all_groups.end();
}

std::size_t door::connections_of(uid_t uid, bool all) const {
  std::size_t count = 0;
  for (const auto& [id, each] : newcomers_) count += all || each.who.uid == uid;
  for (const auto& [id, each] : admitted_) count += all || each.uid == uid;
  return count;
}

// Whether a connection of this user may be added. One that has said nothing in time gives way.
bool door::make_space(uid_t uid, u64 now) {
  const auto is_over = [&] {
    return connections_of(uid, true) >= options_.clients_max + newcomers_max ||
           (uid != 0 && connections_of(uid, false) >= options_.clients_of_user_max + newcomers_max / 4);
  };
  if (!is_over()) return true;
  for (auto each = newcomers_.begin(); each != newcomers_.end();)
    each = now - each->second.since > newcomer_ns ? newcomers_.erase(each) : std::next(each);
  return !is_over();
}

reply door::admit(u64 id, newcomer& from, const hello& asked) {
  const auto of_user = std::count_if(admitted_.begin(), admitted_.end(),
                                     [&](const auto& each) { return each.second.uid == from.who.uid; });
  if (admitted_.size() >= options_.clients_max ||
      (from.who.uid != 0 && of_user >= static_cast<long>(options_.clients_of_user_max)))
    return refusal(EAGAIN, "it has too many clients, or too many of this user");
  const u64 left = options_.bytes_max - std::min(bytes_, options_.bytes_max);
  const u64 bytes = asked.bytes != 0 ? asked.bytes : std::min(options_.client_bytes_default, options_.client_bytes_max);
  if (bytes > options_.client_bytes_max)
    return refusal(EDQUOT, "a client may have " + mib(options_.client_bytes_max) + ": ask for less");
  if (bytes > left) return refusal(EDQUOT, "it has " + mib(left) + " left for clients: ask for less, or later");
  const u32 slots = asked.slots != 0 ? asked.slots : std::min(options_.client_slots_default, options_.client_slots_max);
  if (slots > options_.client_slots_max)
    return refusal(EDQUOT, "a client may have " + std::to_string(options_.client_slots_max) + " requests in flight");

  const ring_layout layout{slots};
  const std::vector<directory_service> directory = services_.directory();
  const std::size_t directory_bytes = directory.size() * sizeof(directory_service);
  try {
    memory_of_client memory(server_, bytes);
    shared_memory ring = shared_memory::make(layout.directory_at() + directory_bytes);
    if (ring.commit(0, ring.bytes()) != 0) return refusal(ENOMEM, "it has no memory left");
    std::memcpy(static_cast<std::byte*>(ring.data()) + layout.directory_at(), directory.data(), directory_bytes);
    reply welcome;
    welcome.kind = reply_kind::welcome;
    welcome.memory_bytes = memory.range().bytes;
    welcome.ring_bytes = ring.bytes();
    welcome.slots = slots;
    welcome.services = static_cast<u32>(directory.size());
    welcome.blocks_max = options_.blocks_max;
    const u64 given = welcome.memory_bytes;
    const int ring_fd = ring.fd(), memory_fd = memory.fd(), socket = from.socket.get();
    const uid_t uid = from.who.uid;
    auto made = std::make_unique<session>(id, std::move(from.who), std::move(from.socket), std::move(ring),
                                          std::move(memory), slots);
    if (!ipc::send_packet(socket, &welcome, sizeof welcome, {ring_fd, memory_fd})) return {};
    admitted_[id] = {uid, given};
    bytes_ += given;
    serving_.adopt(std::move(made));
  } catch (const error& caught) {
    return refusal(ENOMEM, caught.what());
  } catch (const std::bad_alloc&) {
    return refusal(ENOMEM, "it has no memory left");
  }
  return {};
}

}  // namespace genesys::detail::serving
