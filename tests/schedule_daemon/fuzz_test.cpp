// SPDX-License-Identifier: Apache-2.0
// Processes that send anything, and write anything into their line. Neither the daemon nor its other members suffer.
#include <fcntl.h>
#include <sys/mman.h>

#include <random>

#include "raw_connection.h"
#include "schedule/daemon/member_list.h"
#include "world.h"

namespace daemon_testing {
namespace {

std::uint64_t seed() {
  const char* const given = std::getenv("GENESYS_TEST_SEED");
  return given != nullptr ? std::strtoull(given, nullptr, 10) : 1;
}

// Bytes that are a message, nearly one, or none.
std::vector<char> random_packet(std::mt19937_64& random) {
  request asked;
  asked.kind = static_cast<request_kind>(random() % 9);
  asked.nice = static_cast<i32>(random() % 60) - 30;
  asked.slot = static_cast<u32>(random() % (members_max + 4));
  asked.generation = static_cast<u32>(random() % 8);
  std::vector<char> bytes(sizeof asked);
  std::memcpy(bytes.data(), &asked, sizeof asked);
  switch (random() % 8) {
    case 0:
      bytes.resize(1 + random() % 700);
      break;
    case 1:
      bytes[random() % bytes.size()] = static_cast<char>(random());
      break;
    case 2:
      for (char& byte : bytes) byte = static_cast<char>(random());
      break;
    default:
      break;
  }
  return bytes;
}

TEST(DaemonFuzz, OnlyMessagesAreDecoded) {
  std::mt19937_64 random(seed());
  unsigned decoded = 0;
  for (int i = 0; i < 200'000; ++i) {
    const std::vector<char> bytes = random_packet(random);
    if (const auto asked = decode_request(bytes.data(), bytes.size())) {
      ++decoded;
      EXPECT_GE(asked->kind, request_kind::join);
      EXPECT_LE(asked->kind, request_kind::watch);
      EXPECT_LT(asked->slot, members_max);
      EXPECT_GE(asked->nice, -20);
      EXPECT_LE(asked->nice, 19);
    }
    std::vector<char> long_bytes(sizeof(reply), static_cast<char>(random()));
    std::memcpy(long_bytes.data(), bytes.data(), std::min<std::size_t>(bytes.size(), sizeof(request)));
    const auto with = decode_reply(long_bytes.data(), long_bytes.size());
    EXPECT_TRUE(!with || with->text.back() == '\0');
  }
  EXPECT_GT(decoded, 10'000u);
  EXPECT_FALSE(decode_request(nullptr, 0));
}

TEST(DaemonFuzz, APacketThatIsNoMessageEndsTheConnection) {
  world w;
  for (const std::size_t size :
       {std::size_t{0}, std::size_t{1}, sizeof(request) - 1, sizeof(request) + 1, std::size_t{4096}}) {
    raw_connection bad(w.options.socket);
    const std::vector<char> bytes(size + 1, 'x');
    ::send(bad.fd(), bytes.data(), size, MSG_NOSIGNAL);
    EXPECT_TRUE(bad.is_closed()) << size;
  }
  for (const request_kind early :
       {request_kind::mapped, request_kind::fetch, request_kind::renice, request_kind::look}) {
    raw_connection bad(w.options.socket);
    bad.send(early);
    EXPECT_TRUE(bad.is_closed()) << static_cast<u32>(early);
  }
  raw_connection with_descriptor(w.options.socket);
  request asked;
  asked.kind = request_kind::list;
  ASSERT_TRUE(send_packet(with_descriptor.fd(), &asked, sizeof asked, {0}));
  EXPECT_TRUE(with_descriptor.is_closed());
}

TEST(DaemonFuzz, TheDaemonServesOn) {
  server_options options;
  options.aging.aging_step = 2'000'000;
  world w(options);
  auto less = w.member(19), more = w.member(0);
  std::mt19937_64 random(seed());
  std::vector<std::unique_ptr<raw_connection>> all;
  unsigned joined = 0;
  for (int i = 0; i < 4000; ++i) {
    if (all.size() < 8) {
      all.push_back(std::make_unique<raw_connection>(w.options.socket));
      if (all.back()->is_connected() && random() % 2 == 0) joined += all.back()->join(19).has_value();
    }
    raw_connection& one = *all[random() % all.size()];
    if (one.line) {
      std::atomic<u32>* const words = one.line.as<std::atomic<u32>>();
      words[random() % (page_bytes / 4)] = static_cast<u32>(random());
      if (random() % 4 == 0) one.line.as<member_line>()->state = static_cast<u32>(random() % 5);
    }
    const std::vector<char> bytes = random_packet(random);
    const auto asked = decode_request(bytes.data(), bytes.size());
    if (asked && asked->nice < 1) continue;  // root may have any nice value, and others must then hold
    ::send(one.fd(), bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    while (receive_packet(one.fd(), one.got) == received::packet) {
    }
    if (random() % 16 == 0) all.erase(all.begin() + static_cast<std::ptrdiff_t>(random() % all.size()));
    if (i % 100 == 0) {  // members of nice 0 are not concerned
      ASSERT_EQ(more->begin(), hold::none) << "seed " << seed() << ", step " << i;
      more->end();
    }
  }
  all.clear();
  EXPECT_GT(joined, 50u);
  EXPECT_TRUE(eventually([&] { return list_members(w.options.socket).size() == 2; }));
  EXPECT_TRUE(eventually([&] { return less->begin() == hold::none; }));
  EXPECT_EQ(more->begin(), hold::none);
  EXPECT_TRUE(eventually([&] { return less->poll() == hold::abort; }));
}

// Descriptors that nobody receives would use up what Linux lets the daemon send.
TEST(DaemonFuzz, AProcessThatDoesNotReadIsLeft) {
  world w;
  auto honest = w.member(0);
  raw_connection hostile(w.options.socket);
  const auto joined = hostile.join(0);
  ASSERT_TRUE(joined);
  const auto* board = hostile.board.as<const board_page>();
  u32 slot = 0;
  while (slot == joined->slot || !unpacked(board->slots[slot]).present) ++slot;
  for (int i = 0; i < 200; ++i) hostile.send(request_kind::fetch, 0, slot, unpacked(board->slots[slot]).generation);
  EXPECT_TRUE(eventually([&] { return list_members(w.options.socket).size() == 1; }));
  unsigned replies = 0;
  for (int ends = 0;
       ends < 2;) {  // Linux first says that the connection was reset, and then gives what was sent before
    receive_packet(hostile.fd(), hostile.got) == received::packet ? ++replies : ++ends;
  }
  EXPECT_GT(replies, 0u);
  EXPECT_LT(replies, 60u);
}

// What a member gets lets it change nothing but its own line.
TEST(DaemonFuzz, PagesOfOthersCannotBeChanged) {
  world w;
  auto honest = w.member(0);
  raw_connection hostile(w.options.socket);
  const auto joined = hostile.join(0);
  ASSERT_TRUE(joined);
  const auto is_read_only = [](int fd) {
    const char byte = 1;
    return ::mmap(nullptr, page_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0) == MAP_FAILED &&
           ::pwrite(fd, &byte, 1, 0) != 1 && ::fallocate(fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0, 4096) != 0;
  };
  EXPECT_TRUE(is_read_only(hostile.board_fd.get()));
  EXPECT_NE(::mprotect(hostile.board.as<void>(), page_bytes, PROT_READ | PROT_WRITE), 0);
  EXPECT_NE(::ftruncate(hostile.line_fd.get(), 0), 0);  // others would die of SIGBUS
  EXPECT_TRUE(is_read_only(hostile.line_fd.get()));     // not even its own, from now on
  unsigned fetched = 0;
  for (u32 slot = 0; slot < members_max; ++slot) {
    const board_slot other = unpacked(hostile.board.as<const board_page>()->slots[slot]);
    if (!other.present || slot == joined->slot) continue;
    hostile.send(request_kind::fetch, 0, slot, other.generation);
    const auto with = hostile.receive();
    ASSERT_TRUE(with);
    EXPECT_EQ(with->kind, reply_kind::page);
    ASSERT_EQ(hostile.got.passed.size(), 1u);
    EXPECT_TRUE(is_read_only(hostile.got.passed[0].get()));
    ++fetched;
  }
  EXPECT_EQ(fetched, 1u);
  hostile.send(request_kind::fetch, 0, joined->slot, joined->generation + 1);
  const auto gone = hostile.receive();
  ASSERT_TRUE(gone);
  EXPECT_EQ(gone->kind, reply_kind::gone);
}

// A member that says that it waits, for ever, and that it needs any time, gets its turns as others do, and no more.
TEST(DaemonFuzz, ALiarGetsItsTurnsOnly) {
  server_options options;
  options.aging.aging_step = 4'000'000;
  options.aging.run_max = 8'000'000;
  world w(options);
  auto more = w.member(0), less = w.member(4);
  raw_connection liar(w.options.socket);
  ASSERT_TRUE(liar.join(1));
  std::mt19937_64 random(seed());
  EXPECT_EQ(more->begin(), hold::none);
  unsigned runs = 0;
  bool was_held = false;
  for (const time_ns until = now_ns() + 5'000'000'000; runs < 5 && now_ns() < until;) {
    member_line& line = *liar.line.as<member_line>();
    line.state = state_waiting;
    line.run_us = static_cast<u32>(random());
    ++line.heartbeat;
    liar.send(request_kind::look);
    ASSERT_EQ(more->poll(), hold::none);
    const bool held = less->begin() != hold::none;
    runs += was_held && !held;
    was_held = held;
    ::usleep(500);
  }
  EXPECT_EQ(runs, 5u);
}

TEST(DaemonFuzz, BoardSlots) {
  for (int nice = -20; nice <= 19; ++nice) {
    board_slot slot;
    slot.generation = 0x92345678u + static_cast<u32>(nice), slot.device = static_cast<u32>(nice + 20) * 3;
    slot.nice = nice, slot.effective_nice = -nice - 1;
    slot.present = nice % 2 == 0, slot.stalled = nice % 3 == 0;
    const board_slot same = unpacked(packed(slot));
    EXPECT_EQ(same.generation, slot.generation);
    EXPECT_EQ(same.nice, slot.nice);
    EXPECT_EQ(same.device, slot.device);
    EXPECT_EQ(same.effective_nice, slot.effective_nice);
    EXPECT_EQ(same.present, slot.present);
    EXPECT_EQ(same.stalled, slot.stalled);
  }
}

}  // namespace
}  // namespace daemon_testing
