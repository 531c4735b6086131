// SPDX-License-Identifier: Apache-2.0
// What a process and the daemon say to each other: packets of a Unix socket (SOCK_SEQPACKET), each one struct, in the
// byte order of the machine. What arrives is input from outside: it has the right size and known values, or it is no
// message.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "schedule/daemon/descriptor.h"
#include "schedule/daemon/shared_pages.h"

namespace genesys::schedule::processes {

// To the daemon.
enum class request_kind : u32 {
  join = 1,  // nice, device. Reply: accepted with the descriptors of the board and of a line, or refused
  mapped,    // the process has mapped its line. Reply: joined with its slot, or refused
  fetch,     // slot, generation. Reply: page with the descriptor of that member's line, or gone
  renice,    // nice. Reply: accepted without descriptors, or refused
  look,      // the process is held, or the board wrongly says that it has stalled: look at the lines. No reply
  list,      // Reply: a row for each member, then end
  watch,     // slot, generation. Reply: the rows of its kernels (kernel_report.h) as far as they are known, then end
  report,    // a kernel_row instead of a request. No reply
};

struct request {
  u32 format = shared_format;
  request_kind kind{};
  i32 nice = 0;
  u32 slot = 0, generation = 0, unused = 0;
  u64 device = 0;  // a number that all processes have for the same GPU
};
static_assert(sizeof(request) == 32);

// From the daemon.
enum class reply_kind : u32 { accepted = 1, refused, joined, page, gone, row, end, kernel };

inline constexpr std::size_t text_bytes = 256;

struct reply {
  u32 format = shared_format;
  reply_kind kind{};
  i32 error = 0;  // refused: an errno
  u32 slot = 0, generation = 0;
  // row
  i32 pid = 0;
  u32 uid = 0;
  i32 nice = 0, effective_nice = 0;
  u32 state = 0;            // member_state
  u32 stalled = 0;          // 1: its heartbeat has stopped
  u32 held = 0, holds = 0;  // 1: it is held; how often it was
  u32 unused = 0;
  u64 device = 0;
  u64 since_ms = 0;                     // how long it has been held, or not held
  std::array<char, text_bytes> text{};  // refused: what to do, with a zero at the end
};
static_assert(sizeof(reply) == 72 + text_bytes);

// Null if it is no message.
std::optional<request> decode_request(const void* bytes, std::size_t size);
std::optional<reply> decode_reply(const void* bytes, std::size_t size);

reply refusal(int error, const std::string& text);
std::string text_of(const reply& from);

// Pages that a process asks for before it has read the replies. Linux limits descriptors that are on their way.
inline constexpr unsigned fetches_max = 8;

inline constexpr unsigned passed_max = 2;  // descriptors in one packet

// Sends one packet, without waiting. False: errno says why.
bool send_packet(int socket, const void* bytes, std::size_t size, const std::vector<int>& passed = {});

enum class received { packet, nothing, closed };

struct packet {
  std::array<std::byte, 512> bytes;
  std::size_t size = 0;  // more than bytes.size(): the packet was longer
  std::vector<descriptor> passed;
};
static_assert(sizeof(reply) <= std::tuple_size_v<decltype(packet::bytes)>);

// Takes one packet, without waiting. `closed`: the peer has gone.
received receive_packet(int socket, packet& into);

}  // namespace genesys::schedule::processes
