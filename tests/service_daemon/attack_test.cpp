// SPDX-License-Identifier: Apache-2.0
// A client that breaks the rules: garbage in its ring, in its packets, and instead of them. The daemon lives, and
// serves the others.
#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>

#include <atomic>
#include <bit>

#include "schedule/daemon/message.h"
#include "service/client/connection.h"
#include "service/daemon/check.h"
#include "testing.h"

namespace daemon_testing {
namespace {

namespace wire = genesys::detail::serving;

unsigned seed() {
  static const unsigned chosen = [] {
    const char* given = std::getenv("GENESYS_TEST_SEED");
    const unsigned value =
        given != nullptr ? static_cast<unsigned>(std::strtoul(given, nullptr, 10)) : std::random_device{}();
    std::printf("GENESYS_TEST_SEED=%u\n", value);
    return value;
  }();
  return chosen;
}

// A client without a library.
class raw_client {
 public:
  explicit raw_client(const served& daemon, u32 slots = 64) : socket_(wire::connect_to(daemon.socket())) {
    wire::hello asked;
    asked.kind = wire::hello_kind::connect;
    asked.bytes = 1 << 20;
    asked.slots = slots;
    wire::send_hello(socket_.get(), asked);
    std::vector<wire::descriptor> passed;
    const wire::reply welcome = wire::receive_reply(socket_.get(), 10'000 * slower, passed);
    ring_memory_ = wire::mapping(passed.at(0).get(), welcome.ring_bytes);
    memory_ = wire::mapping(passed.at(1).get(), welcome.memory_bytes);
    ring_ = wire::ring_view(ring_memory_.data(), welcome.slots);
    fd_ = std::move(passed.at(1));
  }
  const wire::ring_view& ring() const { return ring_; }
  std::byte* memory() const { return memory_.data(); }
  int memory_fd() const { return fd_.get(); }
  int socket() const { return socket_.get(); }
  void write(u32 slot, const wire::ring_request& request) {
    u64 words[wire::ring_request_words];
    std::memcpy(words, &request, sizeof request);
    for (u32 i = 0; i < wire::ring_request_words; ++i)
      std::atomic_ref<u64>(ring_.slot(slot).words[i]).store(words[i], std::memory_order_relaxed);
  }
  void publish(u32 word, u64 bits) {
    ring_.head().ready[word].bits.fetch_or(bits);
    wake();
  }
  void wake() {
    wire::hello wake;
    wake.kind = wire::hello_kind::wake;
    genesys::schedule::processes::send_packet(socket_.get(), &wake, sizeof wake);
  }
  long result_of(u32 slot, u32 use) {
    long result = 1'000'000;
    until([&] {
      const u64 word = ring_.completion(slot).word.load();
      if (wire::ring_use_of(word) != use) return false;
      result = static_cast<long>(wire::ring_result_of(word));
      return true;
    });
    return result;
  }
  bool has_ended(u32 slot, u32 use) const { return wire::ring_use_of(ring_.completion(slot).word.load()) == use; }
  bool is_turned_out() const {
    pollfd looked{socket_.get(), POLLIN | POLLRDHUP, 0};
    return ::poll(&looked, 1, 0) == 1;
  }

 private:
  wire::descriptor socket_, fd_;
  wire::mapping ring_memory_, memory_;
  wire::ring_view ring_;
};

wire::ring_request mask_request(u64 from, u64 to, u64 bytes, u64 key, u32 use) {
  wire::ring_request made{};
  made.service = 1, made.argument_bytes = 40, made.blocks = 1, made.use = use;
  made.arguments[0] = from, made.arguments[1] = bytes, made.arguments[2] = to, made.arguments[3] = bytes;
  made.arguments[4] = key;
  return made;
}

TEST(ServiceDaemonAttack, RequestsThatAreWrongAreAnswered) {
  served daemon;
  raw_client client(daemon);
  u32 use = 0;
  const auto result_of = [&](wire::ring_request request) {
    request.use = ++use;
    client.write(3, request);
    client.publish(0, 8);
    return client.result_of(3, use);
  };
  const wire::ring_request good = mask_request(0, 4096, 4096, 5, 0);
  EXPECT_EQ(result_of(good), 512);
  const auto changed = [&](auto change) {
    wire::ring_request made = good;
    change(made);
    return result_of(made);
  };
  EXPECT_EQ(changed([](auto& r) { r.service = 4; }), -ENOENT);
  EXPECT_EQ(changed([](auto& r) { r.service = ~0u; }), -ENOENT);
  EXPECT_EQ(changed([](auto& r) { r.argument_bytes = 48; }), -EINVAL);
  EXPECT_EQ(changed([](auto& r) { r.argument_bytes = ~0u; }), -EINVAL);
  EXPECT_EQ(changed([](auto& r) { r.blocks = 0; }), -EINVAL);
  EXPECT_EQ(changed([](auto& r) { r.blocks = 1 << 30; }), -EINVAL);
  EXPECT_EQ(changed([](auto& r) { r.arguments[0] = 1; }), -EINVAL);
  EXPECT_EQ(changed([](auto& r) { r.arguments[0] = (1 << 20) - 4088; }), -EFAULT);
  EXPECT_EQ(changed([](auto& r) { r.arguments[0] = ~u64{0} - 7; }), -EFAULT);
  EXPECT_EQ(changed([](auto& r) { r.arguments[2] = u64{1} << 63; }), -EFAULT);
  EXPECT_EQ(changed([](auto& r) { r.arguments[3] = ~u64{0}; }), -EFAULT);
  EXPECT_EQ(changed([](auto& r) { r.arguments[0] = (1 << 20), r.arguments[1] = 0; }), -EINVAL);  // by the service
  EXPECT_EQ(changed([](auto& r) { r.published_ns = ~u64{0}; }), 512);
  EXPECT_FALSE(client.is_turned_out());
}

TEST(ServiceDaemonAttack, AClientThatPublishesASlotTwiceIsTurnedOut) {
  served daemon;
  raw_client client(daemon);
  wire::ring_request request{};
  request.service = 2, request.argument_bytes = 24, request.blocks = 1, request.use = 1;
  request.arguments[1] = 8, request.arguments[2] = 500;  // waits for 500 ms
  client.write(0, request);
  client.publish(0, 1);
  ASSERT_TRUE(daemon.reports("1 in flight"));
  client.publish(0, 1);
  EXPECT_TRUE(until([&] { return client.is_turned_out(); }));
  EXPECT_TRUE(daemon.reports("clients: 0 now, 1 so far, 1 turned out; memory 0"));
}

TEST(ServiceDaemonAttack, AClientThatPublishesASlotThatItDoesNotHaveIsTurnedOut) {
  served daemon;
  raw_client client(daemon, 10);
  client.publish(0, u64{1} << 10);
  EXPECT_TRUE(until([&] { return client.is_turned_out(); }));
}

TEST(ServiceDaemonAttack, AMemoryWithHolesHarmsNobody) {
  served daemon;
  raw_client client(daemon);
  EXPECT_NE(::ftruncate(client.memory_fd(), 0), 0);
  EXPECT_NE(::ftruncate(client.memory_fd(), 2 << 20), 0);
  EXPECT_EQ(::fallocate(client.memory_fd(), FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0, 1 << 20), 0);
  client.write(0, mask_request(0, 4096, 4096, 5, 1));
  client.publish(0, 1);
  EXPECT_EQ(client.result_of(0, 1), 512);
}

TEST(ServiceDaemonAttack, ConnectionsThatSayNothingOrGarbageLoseTheirPlace) {
  served daemon;
  std::mt19937 random(seed());
  std::vector<wire::descriptor> silent;
  for (int i = 0; i < 20; ++i) silent.push_back(wire::connect_to(daemon.socket()));
  for (int i = 0; i < 200; ++i) {
    const wire::descriptor connected = wire::connect_to(daemon.socket());
    std::vector<unsigned char> bytes(random() % 600);
    for (auto& each : bytes) each = static_cast<unsigned char>(random());
    wire::hello begin;
    if (i % 3 == 0 && bytes.size() >= sizeof begin) {
      begin.kind = static_cast<wire::hello_kind>(random() % 8);
      begin.bytes = random() % 2 == 0 ? ~u64{0} : 1 + random() % 100'000;
      begin.slots = random() % 2 == 0 ? ~0u : random() % 100;
      std::memcpy(bytes.data(), &begin, sizeof begin);
      bytes.resize(sizeof begin);
    }
    std::vector<int> passed;
    if (i % 5 == 0) passed = {0, 0};
    genesys::schedule::processes::send_packet(connected.get(), bytes.data(), bytes.size(), passed);
  }
  service_client client(daemon.options(1 << 20));
  EXPECT_EQ(wrong_requests(client, 20, 9, 1000), 0u);
}

// Requests of random words, some of which are nearly right, and random bits of ready slots.
void fuzz(const served& daemon, unsigned with, std::chrono::milliseconds time) {
  std::mt19937_64 random(with);
  const auto end = std::chrono::steady_clock::now() + time;
  while (std::chrono::steady_clock::now() < end) {
    try {
      raw_client client(daemon, 1 + random() % 128);
      for (unsigned i = 0; i < 2000 && std::chrono::steady_clock::now() < end && !client.is_turned_out(); ++i) {
        const u32 slot = static_cast<u32>(random() % client.ring().slots());
        wire::ring_request request =
            mask_request(random() % 512 * 8, random() % 512 * 8, random() % 64 * 8, random(), i);
        if (random() % 2 == 0) {
          u64 words[wire::ring_request_words];
          std::memcpy(words, &request, sizeof request);
          words[random() % wire::ring_request_words] = random() % 3 == 0 ? random() : u64{1} << random() % 64;
          std::memcpy(static_cast<void*>(&request), words, sizeof request);
        }
        if (request.service == 2) request.service = 1;  // one that waits for ever
        client.write(slot, request);
        if (random() % 8 == 0) client.ring().head().daemon_sleeps.store(static_cast<u32>(random()));
        if (random() % 8 == 0) client.ring().completion(slot).sleeps.store(static_cast<u32>(random()));
        if (random() % 8 == 0) client.ring().completion(slot).word.store(random());
        if (random() % 500 == 0) {
          client.publish(static_cast<u32>(random() % 2), random());
        } else if ((client.ring().head().ready[slot / 64].bits.load() >> slot % 64 & 1) == 0) {
          client.publish(slot / 64, u64{1} << slot % 64);
          // The fuzzing may have overwritten the completion, so it does not wait for long.
          for (int looks = 0; looks < 5 && !client.has_ended(slot, request.use & 0xffffu); ++looks)
            std::this_thread::sleep_for(200us);
        }
        if (random() % 300 == 0) ::send(client.socket(), &random, random() % 700, MSG_DONTWAIT | MSG_NOSIGNAL);
      }
    } catch (const service_client_error&) {  // for example too many clients that have not ended yet
    }
  }
}

TEST(ServiceDaemonAttack, GarbageInRingsWhileOthersAreServed) {
  served daemon({"--clients", "16"});
  const auto time = slower == 1 ? 1500ms : 8000ms;
  std::vector<child> enemies;
  for (unsigned i = 0; i < 2; ++i) {
    enemies.emplace_back([&, i] {
      fuzz(daemon, seed() + i, time);
      return 0;
    });
  }
  child good([&] {
    service_client client(daemon.options(4 << 20));
    const auto end = std::chrono::steady_clock::now() + time;
    unsigned wrong = 0;
    for (unsigned i = 0; std::chrono::steady_clock::now() < end; ++i) wrong += wrong_requests(client, 20, i, 2000);
    return wrong == 0 ? 0 : 1;
  });
  EXPECT_EQ(good.wait(), 0) << daemon.log();
  for (child& each : enemies) EXPECT_EQ(each.wait(), 0);
  EXPECT_TRUE(daemon.reports("clients: 0 now"));
#if defined(__SANITIZE_THREAD__)
  (void)daemon.stop();  // ThreadSanitizer reports the requests of an enemy that write to the same buffers
#else
  EXPECT_EQ(daemon.stop(), 0) << daemon.log();
#endif
}

// --- The check alone, with any request.

TEST(ServiceDaemonCheck, NoBufferOfAnAcceptedRequestIsOutsideOfTheMemory) {
  std::mt19937_64 random(seed());
  const auto registry = genesys::service_registry::of<nothing, mask, wait_for, numbers>();
  const auto all = registry.descriptions();
  wire::check_descriptions(all);
  std::vector<std::byte> memory(8192);
  u64 accepted = 0;
  for (int i = 0; i < 300'000; ++i) {
    const auto any = [&]() -> u64 {
      switch (random() % 4) {
        case 0:
          return random();
        case 1:
          return u64{1} << random() % 64;
        case 2:
          return 8192 - random() % 32;
        default:
          return random() % 1024 * 8;
      }
    };
    wire::ring_request asked{};
    const auto& of = *all[random() % all.size()];
    asked.argument_bytes = random() % 8 == 0 ? static_cast<u32>(any()) : of.argument_bytes;
    asked.blocks = random() % 8 == 0 ? static_cast<u32>(any()) : 1;
    for (u64& each : asked.arguments) each = any();
    wire::checked_request checked;
    if (wire::check_request(of, asked, {memory.data(), memory.size()}, 64, checked) != 0) continue;
    ++accepted;
    ASSERT_EQ(asked.argument_bytes, of.argument_bytes);
    ASSERT_TRUE(asked.blocks >= 1 && asked.blocks <= 64);
    for (const auto& field : of.fields) {
      genesys::service_buffer buffer;
      std::memcpy(&buffer, checked.arguments + field.offset, sizeof buffer);
      const auto* const at = static_cast<std::byte*>(buffer.data);
      ASSERT_TRUE(at >= memory.data() && buffer.bytes <= memory.size() &&
                  at + buffer.bytes <= memory.data() + memory.size());
    }
  }
  EXPECT_GT(accepted, 1000u);
}

TEST(ServiceDaemonCheck, DescriptionsThatDoNotFitAreRefused) {
  const auto registry = genesys::service_registry::of<mask>();
  const auto good = *registry.descriptions()[0];
  wire::check_descriptions({&good});
  const auto is_refused = [&](auto change) {
    auto changed = good;
    change(changed);
    try {
      wire::check_descriptions({&changed});
      return false;
    } catch (const genesys::error&) {
      return true;
    }
  };
  EXPECT_TRUE(is_refused([](auto& it) { it.name = ""; }));
  EXPECT_TRUE(is_refused([](auto& it) { it.name = std::string(40, 'x'); }));
  EXPECT_TRUE(is_refused([](auto& it) { it.argument_bytes = 200; }));
  EXPECT_TRUE(is_refused([](auto& it) { it.fields[0].offset = 32; }));
  EXPECT_TRUE(is_refused([](auto& it) { it.fields[0].offset = it.fields[1].offset; }));
  EXPECT_TRUE(is_refused([](auto& it) { it.fields.pop_back(); }));  // `to` would be unchecked
  EXPECT_TRUE(is_refused([](auto& it) { it.members[2].offset = 36; }));
  EXPECT_THROW(wire::check_descriptions({&good, &good}), genesys::error);
  EXPECT_THROW(wire::check_descriptions({}), genesys::error);
}

}  // namespace
}  // namespace daemon_testing
