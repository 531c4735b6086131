// SPDX-License-Identifier: Apache-2.0
// A server: receives a datagram, answers its requests from the table, sends the replies. It is a block of the kernel or
// a thread of the CPU; its `Team` says how its threads make calls, copy, wait for each other and search.
#pragma once

#include "reply.h"
#include "support/datagrams.h"
#include "table.h"
#include "text.h"

namespace memcached {

using application::datagrams;

// In memory of both sides, one for each server.
struct server_counts {
  u64 datagrams, gets, hits, sets, removes;
};

struct task {
  table items;
  const int* sockets;  // a server uses one of them
  u32 socket_count;
  u32* ends;  // 1: the servers end
  server_counts* counts;
  application::datagram_peer* peers;  // one for each server
  u8* requests;                       // application::datagram_bytes_max for each server
  u8* replies;                        // reply_bytes for each server
  u64 reply_bytes;
  u32* have_started;  // of each block: 1
};

// The longest reply to a request for one key.
GENESYS_KERNEL constexpr u64 reply_bytes_for(u32 slot_bytes) {
  return bytes_of_datagrams(u64{head_bytes_max} + slot_bytes + 16);
}

template <class Team>
GENESYS_KERNEL void answer_get(const Team& team, const table& t, server_memory& mine, reply<Team>& out, bool& hit) {
  const request& r = mine.current;
  hit = get(team, t, r, [&](item& it, u64 cas) {
    if (team.is_first())
      mine.head_bytes =
          (r.is_binary ? write_value_header : write_value_line)(mine.head, r, it.flags, it.value_bytes, cas);
    team.sync();
    out.add(mine.head, mine.head_bytes);
    out.add(it.value(), it.value_bytes);
  });
  if (r.is_binary) {
    if (hit || r.quiet) return;
    if (!r.with_key) return add_status(team, out, mine, r, status::not_found, 0);
    if (team.is_first()) {
      const u32 bytes = write_value_header(mine.head, r, 0, 0, 0) - 4;
      write_binary_header(mine.head, r, status::not_found, r.key_bytes, 0, r.key_bytes, 0);
      for (u32 i = binary_header_bytes; i < bytes; ++i) mine.head[i] = mine.head[i + 4];  // without the flags
    }
    team.sync();
    return out.add(mine.head, binary_header_bytes + r.key_bytes);
  }
  if (hit) out.add_text("\r\n", 2);
  if (r.is_last) out.add_text("END\r\n", 5);
}

template <class Team>
GENESYS_KERNEL void answer_set(const Team& team, const table& t, server_memory& mine, reply<Team>& out) {
  const request& r = mine.current;
  const stored done = set(team, t, r);
  if (r.is_binary) {
    if (!r.quiet || done.outcome != status::success) add_status(team, out, mine, r, done.outcome, done.cas);
  } else if (!r.quiet) {
    if (done.outcome == status::success)
      out.add_text("STORED\r\n", 8);
    else if (done.outcome == status::bad_chunk)
      out.add_text("CLIENT_ERROR bad data chunk\r\n", 29);
    else
      out.add_text("SERVER_ERROR object too large for cache\r\n", 41);
  }
}

template <class Team>
GENESYS_KERNEL void answer_remove(const Team& team, const table& t, server_memory& mine, reply<Team>& out) {
  const request& r = mine.current;
  const status done = remove(team, t, r);
  if (r.is_binary) {
    if (!r.quiet || done != status::success) add_status(team, out, mine, r, done, 0);
  } else if (!r.quiet) {
    if (done == status::success)
      out.add_text("DELETED\r\n", 9);
    else
      out.add_text("NOT_FOUND\r\n", 11);
  }
}

// Answers all requests of a datagram. All threads of the server.
template <class Team>
GENESYS_KERNEL void answer(const Team& team, const table& t, server_memory& mine, server_counts& counts,
                           const u8* datagram, u32 bytes) {
  datagram = team.to_parse(datagram, bytes);
  if (team.is_first()) {
    mine.is_some = begin(mine.place, datagram, bytes);
    if (mine.is_some) mine.id = static_cast<u32>(load_big(datagram, 2));
    ++counts.datagrams;
  }
  team.sync();
  if (!mine.is_some) return;
  reply<Team> out(team, mine);
  for (;;) {
    if (team.is_first()) {
      request& r = mine.current;
      r.failed = status::success;
      r.expected_cas = 0;
      r.quiet = r.with_key = r.with_cas = r.is_last = r.is_expired = r.is_cut = false;
      r.is_binary = mine.place.is_binary;
      r.what = action::end;
      if (mine.place.at < mine.place.end) (r.is_binary ? parse_binary : parse_text)(mine.place, r);
    }
    team.sync();
    const request& r = mine.current;
    if (r.what == action::end) return;
    if (!r.is_binary && r.is_first) out.begin_group();
    if (r.what == action::get) {
      bool hit = false;
      answer_get(team, t, mine, out, hit);
      if (team.is_first()) ++counts.gets, counts.hits += hit;
    } else if (r.what == action::set) {
      answer_set(team, t, mine, out);
      if (team.is_first()) ++counts.sets;
    } else if (r.what == action::remove) {
      answer_remove(team, t, mine, out);
      if (team.is_first()) ++counts.removes;
    } else if (r.is_binary) {
      add_status(team, out, mine, r, r.failed, 0);
    } else if (!r.quiet) {
      out.add_text(r.text, r.text_bytes);
    }
    // A quiet request of the binary protocol, and a key without an item, give an empty message; noreply gives none.
    const bool ends_group = r.is_binary && !r.quiet && !out.is_empty();
    if (!out.is_empty() || r.is_binary || !r.quiet)
      out.send();
    else
      team.sync();  // all have read the request
    if (ends_group) out.begin_group();
  }
}

// What a server receives and sends by, and the memory for its replies.
template <class Calls>
GENESYS_KERNEL datagrams<Calls> datagrams_of(const Calls& by, const task& t, u32 number) {
  return {by, t.sockets[number % t.socket_count], t.peers[number]};
}
GENESYS_KERNEL u8* replies_of(const task& t, u32 number) { return t.replies + number * t.reply_bytes; }

// Serves until the task ends.
template <class Team>
GENESYS_KERNEL void serve(const Team& team, const task& t, u32 number, server_memory& mine) {
  const genesys::atomic<u32, genesys::thread_scope::system> ends(*t.ends);
  u8* const datagram = t.requests + u64{number} * application::datagram_bytes_max;
  server_counts counts{};
  for (u32 turn = 1;; ++turn) {
    const long bytes = team.receive(datagram);
    // Clients may send without a pause, so that no call fails.
    if ((bytes <= 0 || turn % 256 == 0) && team.agrees(team.is_first() && ends.load(order::seq_cst) != 0)) break;
    if (bytes > 0) answer(team, t.items, mine, counts, datagram, static_cast<u32>(bytes));
  }
  if (team.is_first()) t.counts[number] = counts;
}

}  // namespace memcached
