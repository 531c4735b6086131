// SPDX-License-Identifier: Apache-2.0
// Datagrams on loopback: their senders, messages that do not fit, messages that cannot be delivered, calls that wait
// and calls that do not.
#include <algorithm>
#include <atomic>
#include <set>

#include "sockets.h"

namespace contract {
namespace {

// One received message.
struct message {
  long value;
  u64 word;
  unsigned port, length;
};

// Each thread, or the block, sends every message back that comes in at its socket, until an empty one comes.
template <class Scope>
struct echo_each {
  GENESYS_KERNEL void operator()(genesys::os os, const int* sockets, long* served) const {
    using namespace genesys;
    constexpr bool alone = std::is_same_v<Scope, thread>;
    const u32 me = alone ? block_rank() * threads_in_block() + thread_rank() : block_rank();
    const auto io = os.on(Scope{});
    sockaddr_in own_from{};
    unsigned own_length = 0;
    u8 own_bytes[alone ? 512 : 1];
    sockaddr_in* from = &own_from;
    unsigned* length = &own_length;
    u8* bytes = own_bytes;
    if constexpr (!alone) {
      from = &shared<sockaddr_in>();
      length = &shared<unsigned>();
      bytes = shared<u8[512]>();
    }
    long count = 0;
    for (;;) {
      sync();
      if (alone || thread_rank() == 0) *length = sizeof *from;
      sync();
      const long n = io.recvfrom(sockets[me], bytes, 512, 0, reinterpret_cast<sockaddr*>(from), length);
      if (n < 0) count = n;
      if (n <= 0) break;
      const long sent =
          io.sendto(sockets[me], bytes, static_cast<u64>(n), 0, reinterpret_cast<sockaddr*>(from), *length);
      count += sent == n;
    }
    if (alone || thread_rank() == 0) served[me] = count;
  }
  GENESYS_KERNEL static void sync() {
    if constexpr (!std::is_same_v<Scope, genesys::thread>) genesys::sync_block();
  }
};

template <class Scope>
void check_echo(u32 sockets, genesys::launch_config config) {
  runtime& rt = shared_runtime();
  std::vector<descriptor> all;
  std::vector<int> numbers;
  for (u32 i = 0; i < sockets; ++i) {
    all.push_back(bound_socket(SOCK_DGRAM));
    numbers.push_back(all.back().get());
  }
  on_device<int> device_numbers(rt, numbers);
  on_device<long> served(rt, sockets);
  const descriptor asker = bound_socket(SOCK_DGRAM);
  constexpr u32 rounds = 3;
  {
    launched run = start(rt, config, echo_each<Scope>{}, static_cast<const int*>(device_numbers.get()), served.get());
    for (u32 r = 0; r < rounds; ++r) {
      for (u32 i = 0; i < sockets; ++i) {
        const std::string text = patterned(1 + (i * 37 + r * 101) % 512, i);
        send_to(asker.get(), own_port(numbers[i]), text.data(), text.size());
        char back[600];
        sockaddr_in from{};
        socklen_t length = sizeof from;
        const ssize_t n = ::recvfrom(asker.get(), back, sizeof back, 0, reinterpret_cast<sockaddr*>(&from), &length);
        ASSERT_EQ(n, static_cast<ssize_t>(text.size()));
        EXPECT_EQ(std::string(back, text.size()), text);
        EXPECT_EQ(ntohs(from.sin_port), own_port(numbers[i]));
      }
    }
    for (u32 i = 0; i < sockets; ++i) send_to(asker.get(), own_port(numbers[i]), "", 0);
  }
  for (const long count : served.take()) EXPECT_EQ(count, rounds);
}

TEST(Net, EachThreadEchoes) { check_echo<genesys::thread>(40, {.blocks = {2}, .threads = {20}}); }
TEST(Net, EachBlockEchoes) { check_echo<genesys::block>(4, {.blocks = {4}, .threads = {96}}); }

// A thread's two sockets, which the kernel makes itself: the value of each step.
struct life_of_sockets {
  static constexpr u32 steps = 24;
  GENESYS_KERNEL void operator()(genesys::os os, sockaddr_in any, long* values) const {
    using namespace genesys;
    long* v = values + u64{block_rank() * threads_in_block() + thread_rank()} * steps;
    const auto address = [](sockaddr_in& at) { return reinterpret_cast<sockaddr*>(&at); };
    const int a = static_cast<int>(v[0] = os.socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC));
    const int b = static_cast<int>(v[1] = os.socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC));
    v[2] = os.bind(a, address(any), sizeof any);
    v[3] = os.bind(b, address(any), sizeof any);
    sockaddr_in at_a{}, at_b{}, from{};
    unsigned length_a = sizeof at_a, length_b = sizeof at_b, length = 6;
    v[4] = os.getsockname(a, address(at_a), &length_a);
    v[5] = os.getsockname(b, address(at_b), &length_b);
    u64 word = 7, got = 0;
    v[6] = os.sendto(a, &word, 8, 0, address(at_b), length_b);
    v[7] = os.recvfrom(b, &got, 8, 0, address(from), &length);  // takes family, port, 2 bytes of the address
    v[8] = got;
    v[9] = length;
    v[10] = from.sin_port == at_a.sin_port && from.sin_addr.s_addr == (at_a.sin_addr.s_addr & 0xffff);
    v[11] = os.connect(a, address(at_b), length_b);
    v[12] = os.getpeername(a, address(from), &(length = sizeof from));
    v[13] = from.sin_port == at_b.sin_port;
    v[14] = os.sendto(a, &word, 8);
    v[15] = os.recvfrom(b, &got, 3, MSG_TRUNC | MSG_PEEK);
    v[16] = os.recvfrom(b, &got, 3);
    v[17] = os.recvfrom(b, &got, 8, MSG_DONTWAIT);
    v[18] = os.close(b);
    v[19] = os.sendto(a, &word, 8);
    v[20] = os.recvfrom(a, &got, 8);  // the other socket is closed
    v[21] = os.shutdown(a, SHUT_RDWR);
    v[22] = os.recvfrom(a, &got, 8);
    v[23] = os.close(a);
  }
};

TEST(Net, SocketsFromTheirMakingOn) {
  runtime& rt = shared_runtime();
  constexpr u32 threads = 40;
  on_device<long> values(rt, threads * life_of_sockets::steps);
  play(rt, {.blocks = {2}, .threads = {threads / 2}}, life_of_sockets{}, loopback(), values.get());
  const auto all = values.take();
  const long expected[] = {0, 0, 0, 0, 0, 0, 8, 8, 7, 16, 1, 0, 0, 1, 8, 8, 3, -EAGAIN, 0, 8, -ECONNREFUSED, 0, 0, 0};
  for (u32 t = 0; t < threads; ++t) {
    for (u32 i = 0; i < life_of_sockets::steps; ++i) {
      const long value = all[t * life_of_sockets::steps + i];
      if (i < 2) {
        EXPECT_GE(value, 0) << t << " " << i;
      } else {
        EXPECT_EQ(value, expected[i]) << t << " " << i;
      }
    }
  }
}

struct receive_one {
  GENESYS_KERNEL void operator()(genesys::os os, int socket, u32 bytes, int flags, message* got) const {
    using namespace genesys;
    message& mine = got[block_rank() * threads_in_block() + thread_rank()];
    sockaddr_in from{};
    unsigned length = sizeof from;
    u64 word = 0;
    const long value = os.recvfrom(socket, &word, bytes, flags, reinterpret_cast<sockaddr*>(&from), &length);
    mine.word = word;
    mine.port = from.sin_port;
    mine.length = length;
    atomic<long, thread_scope::system>(mine.value).store(value);  // the host reads it while the kernel runs
  }
};

// All wait at one socket. Each message wakes them, and one of them gets it. The others do not block a worker.
TEST(Net, ManyReceiveFromOneSocket) {
  runtime& rt = shared_runtime();
  constexpr u32 threads = 128;
  const descriptor socket = bound_socket(SOCK_DGRAM), sender = bound_socket(SOCK_DGRAM);
  in_arena<message> got(rt, threads);
  for (u32 i = 0; i < threads; ++i) got[i].value = -1;
  const auto before = rt.stats().parked;
  const auto workers = rt.stats().workers;  // earlier tests may have started many
  launched run = start(rt, {.blocks = {4}, .threads = {threads / 4}}, receive_one{}, socket.get(), 8u, 0, got.get());
  EXPECT_TRUE(eventually([&] { return rt.stats().parked >= before + threads; }));
  const auto completed = [&] {
    u32 n = 0;
    for (u32 i = 0; i < threads; ++i) n += std::atomic_ref<long>(got[i].value).load() != -1;
    return n;
  };
  for (u64 word = 1; word <= threads; ++word) {
    send_to(sender.get(), own_port(socket.get()), &word, sizeof word);
    if (word == 1) {
      EXPECT_TRUE(eventually([&] { return completed() == 1; }));
      EXPECT_LE(rt.stats().workers, workers + 48) << workers << " before";
    }
  }
  run.finish();
  std::set<u64> words;
  for (u32 i = 0; i < threads; ++i) {
    EXPECT_EQ(got[i].value, 8);
    EXPECT_EQ(got[i].port, htons(static_cast<std::uint16_t>(own_port(sender.get()))));
    EXPECT_EQ(got[i].length, sizeof(sockaddr_in));
    words.insert(got[i].word);
  }
  EXPECT_EQ(words.size(), threads);
  EXPECT_EQ(*words.begin(), 1u);
}

TEST(Net, CallsThatDoNotWaitEndAtOnce) {
  runtime& rt = shared_runtime();
  const descriptor socket = bound_socket(SOCK_DGRAM);
  in_arena<message> got(rt, 64);
  const auto before = rt.stats().parked;
  for (const int flags : {int{MSG_DONTWAIT}, int{MSG_ERRQUEUE}, MSG_DONTWAIT | MSG_PEEK}) {
    play(rt, {.blocks = {2}, .threads = {32}}, receive_one{}, socket.get(), 8u, flags, got.get());
    for (u32 i = 0; i < 64; ++i) {
      EXPECT_EQ(got[i].value, -EAGAIN);
      EXPECT_EQ(got[i].length, sizeof(sockaddr_in));  // unchanged
    }
  }
  EXPECT_EQ(rt.stats().parked, before);
}

TEST(Net, ReceivesOfNoBytesWaitForTheirMessage) {
  runtime& rt = shared_runtime();
  const descriptor socket = bound_socket(SOCK_DGRAM), sender = bound_socket(SOCK_DGRAM);
  in_arena<message> got(rt, 1);
  const auto before = rt.stats().parked;
  launched run = start(rt, {}, receive_one{}, socket.get(), 0u, 0, got.get());
  EXPECT_TRUE(eventually([&] { return rt.stats().parked > before; }));
  send_to(sender.get(), own_port(socket.get()), "what is lost", 12);
  run.finish();
  EXPECT_EQ(got[0].value, 0);
  EXPECT_EQ(got[0].length, sizeof(sockaddr_in));
  EXPECT_EQ(got[0].port, htons(static_cast<std::uint16_t>(own_port(sender.get()))));
}

struct send_until_full {
  GENESYS_KERNEL void operator()(genesys::os os, int socket, const u8* bytes, long* sent, long* last) const {
    long value;
    while ((value = os.sendto(socket, bytes, 4096, MSG_DONTWAIT)) > 0) *sent += value;
    *last = value;
    genesys::atomic<long, genesys::thread_scope::system>(sent[1]).store(1);
    sent[2] = os.sendto(socket, bytes, 4096);  // waits
  }
};

TEST(Net, SendersWaitForRoom) {
  runtime& rt = shared_runtime();
  int ends[2];
  ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), 0);
  const descriptor ours(ends[0]), theirs(ends[1]);
  on_device<u8> bytes(rt, 4096);
  in_arena<long> sent(rt, 3);
  in_arena<long> last(rt, 1);
  sent[0] = sent[1] = sent[2] = 0;
  launched run =
      start(rt, {}, send_until_full{}, theirs.get(), static_cast<const u8*>(bytes.get()), sent.get(), last.get());
  EXPECT_TRUE(eventually([&] { return std::atomic_ref<long>(sent[1]).load() == 1; }));
  EXPECT_EQ(last[0], -EAGAIN);
  std::this_thread::sleep_for(std::chrono::milliseconds(5));
  EXPECT_FALSE(run->finished());
  std::vector<char> buffer(1 << 20);
  const long wanted = sent[0] + 4096;
  for (long n = 0; n < wanted;) {
    const ssize_t some = ::read(ours.get(), buffer.data(), buffer.size());
    ASSERT_GT(some, 0);
    n += some;
  }
  run.finish();
  EXPECT_EQ(sent[2], 4096);
}

// A call by number stages nothing and checks everything: addresses that only the host has are refused.
struct by_number {
  GENESYS_KERNEL void operator()(genesys::os os, int socket, u64 bytes, u64 from, u64 length, u64 of_host,
                                 long* values) const {
    values[0] = os.syscall(SYS_recvfrom, socket, bytes, 8, MSG_PEEK, from, length);
    values[1] = os.syscall(SYS_recvfrom, socket, bytes, 8, MSG_PEEK, from, of_host);
    values[2] = os.syscall(SYS_recvfrom, socket, bytes, 8, MSG_PEEK, of_host, length);
    values[3] = os.syscall(SYS_recvfrom, socket, of_host, 8, MSG_PEEK, from, length);
    values[4] = os.syscall(SYS_recvfrom, socket, bytes, 8, MSG_PEEK, from, 0);
    values[5] = os.syscall(SYS_recvfrom, socket, bytes, 8, 0, 0, of_host);
  }
};

TEST(Net, ByNumber) {
  runtime& rt = shared_runtime();
  const descriptor socket = bound_socket(SOCK_DGRAM), sender = bound_socket(SOCK_DGRAM);
  const u64 word = 99;
  send_to(sender.get(), own_port(socket.get()), &word, sizeof word);
  in_arena<long> values(rt, 6);
  in_arena<u64> bytes(rt, 1);
  in_arena<sockaddr_in> from(rt, 1);
  in_arena<unsigned> length(rt, 1);
  length[0] = sizeof(sockaddr_in);
  u64 of_host[16] = {sizeof(sockaddr_in)};
  const auto number = [](const void* p) { return reinterpret_cast<u64>(p); };
  play(rt, {}, by_number{}, socket.get(), number(bytes.get()), number(from.get()), number(length.get()),
       number(of_host), values.get());
  const long expected[] = {8, -EFAULT, -EFAULT, -EFAULT, -EFAULT, 8};
  for (std::size_t i = 0; i < 6; ++i) EXPECT_EQ(values[i], expected[i]) << i;
  EXPECT_EQ(bytes[0], word);
  EXPECT_EQ(length[0], sizeof(sockaddr_in));
  EXPECT_EQ(from[0].sin_port, htons(static_cast<std::uint16_t>(own_port(sender.get()))));
  for (u32 i = 1; i < 16; ++i) EXPECT_EQ(of_host[i], 0u);
}

}  // namespace
}  // namespace contract
