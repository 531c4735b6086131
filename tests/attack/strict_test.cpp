// SPDX-License-Identifier: Apache-2.0
// A rogue kernel under the profile `strict` with the executor `direct` writes any SQEs, heads and tails into the shared
// rings. Linux touches no file and no page that is not registered, and the honest blocks end.
#include <sys/mman.h>

#include <memory>
#include <random>

#include "direct.h"

namespace attack {

using namespace contract;

namespace {

// Writes into rings: valid and invalid SQEs, and random heads and tails.
class wild_submitter {
 public:
  GENESYS_KERNEL explicit wild_submitter(u64 seed) : state_(seed) {}
  GENESYS_KERNEL u64 random() {
    state_ ^= state_ << 13;
    state_ ^= state_ >> 7;
    return state_ ^= state_ << 17;
  }
  GENESYS_KERNEL void write(const genesys::detail::device_context& a, u64 canary, bool heads) {
    using namespace genesys;
    using namespace genesys::detail;
    const shared_ring& r = a.rings->ring[random() % a.rings_shape.rings];
    const u64 mask = a.rings_shape.sq_entries() - 1;
    const auto word = [](u32* at) { return atomic<u32, thread_scope::system>(*at); };
    const u32 tail = word(r.tail).load();
    u64* entry = r.sqes + 8 * ((tail + random() % 4) & mask);
    for (int i = 0; i < 8; ++i) put(entry[i], random() % 4 == 0 ? random() : 0);
    // READ, WRITE, READ_FIXED, WRITE_FIXED, or any opcode; on a descriptor's number or on an index of the ring's table
    const u64 known = random() % 8;
    const u64 opcode = known < 2   ? uring_op::read + known
                       : known < 6 ? uring_op::read_fixed + known % 2
                                   : random() % 64;
    put(entry[0], opcode | (random() & 1) << 8 | (random() % 64) << 32);
    put(entry[1], random() % 8192);
    put(entry[2],
        random() % 2 == 0 ? canary + random() % 4096 : a.arena_begin + random() % (a.arena_end - a.arena_begin));
    put(entry[3], random() % 4096);
    put(entry[4], random() % 2 == 0 ? random() : random() % 1024);
    word(r.tail).store(tail + static_cast<u32>(random() % 4));
    if (!heads) return;
    const u64 which = random() % 8;
    if (which == 0) word(r.tail).store(static_cast<u32>(random()));
    if (which == 1) word(r.seen).store(static_cast<u32>(random()));
    if (which == 2) word(r.head).store(static_cast<u32>(random()));
    if (which == 3) word(r.completed).store(static_cast<u32>(random()));
    if (which == 4) put(r.cqes[random() % 8], random());
    if (which == 5) put(a.rings->state[random() % a.rings_shape.rings].published, random());
  }

 private:
  GENESYS_KERNEL static void put(u64& at, u64 value) {
    genesys::atomic<u64, genesys::thread_scope::system>(at).store(value, std::memory_order_relaxed);
  }
  u64 state_;
};

struct submit_wildly {
  GENESYS_KERNEL void operator()(genesys::os os, int file, char* buffers, u64 canary, u64 ns, u32 writes, bool heads,
                                 u64 seed, u32* made) const {
    using namespace genesys;
    if (block_rank() == 0) {
      const timespec calm{0, 20'000'000};
      os.nanosleep(&calm, nullptr);  // until the other blocks have begun
      wild_submitter wild(seed + thread_rank() * 0x2545f4914f6cdd1dull + 1);
      for (u32 i = 0; i < writes; ++i) {
        wild.write(os.context(), canary, heads);
        pause(20'000);
      }
      return;
    }
    const u32 me = (block_rank() - 1) * threads_in_block() + thread_rank();
    const u64 begin = clock_ns();
    while (clock_ns() - begin < ns) {
      // A blocking call, or one with a ticket.
      const long value = me % 2 == 0 ? os.pread64(file, buffers + 64 * me, 64, 0)
                                     : os.ticket().pread64(file, buffers + 64 * me, 64, 0).wait();
      const u32 what = value == 64 ? 0 : value == -ECANCELED ? 1 : value < 0 ? 2 : 3;
      atomic<u32>(made[what]).fetch_add(1);
      if (what == 1) return;
    }
  }
};

class StrictAgainst : public testing::TestWithParam<bool> {};

TEST_P(StrictAgainst, ARogueKernel) {
  constexpr u64 page = 4096;
  constexpr u32 threads = 8, honest_blocks = 3;
  constexpr u64 ns = 300'000'000;
  const u32 writes = sanitized ? 200 : 1500;
  const folder in;
  std::unique_ptr<runtime> rt = strict_runtime(2, 64, in);
  if (!rt) GTEST_SKIP();
  const std::string secret = patterned(2 * page);
  std::vector<descriptor> canaries;  // descriptors whose numbers the rogue guesses
  for (u32 i = 0; i < 24; ++i) canaries.push_back(made_file(in, "canary" + std::to_string(i), secret));
  auto* const memory =
      static_cast<char*>(::mmap(nullptr, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  ASSERT_NE(memory, MAP_FAILED);
  std::memcpy(memory, secret.data(), secret.size());
  const descriptor file = made_file(in, "file", patterned(page));
  rt->grant(file.get());
  {
    const in_arena<char> buffers(*rt, honest_blocks * threads * 64);
    const on_device<u32> made(*rt, std::vector<u32>(4));
    const u64 seed = std::random_device{}();
    SCOPED_TRACE("seed " + std::to_string(seed));
    const genesys::run run =
        genesys::launch(*rt, {.blocks = {1 + honest_blocks}, .threads = {threads}}, submit_wildly{}, file.get(),
                        buffers.get(), reinterpret_cast<u64>(memory), ns, writes, GetParam(), seed, made.get());
    // A lane whose SQE is overwritten gets an error when the library notices it, or when the runtime ends.
    const bool ended = eventually([&] { return run.finished(); });
    std::printf("%s, %u right, %u with an error, %u others\n", ended ? "ended" : "not ended", made.take()[0],
                made.take()[2], made.take()[3]);
    EXPECT_TRUE(ended);
    if (!ended) give_up(*rt, "the kernel has not ended");
  }
  rt.reset();
  EXPECT_EQ(std::string(memory, 2 * page), secret);
  for (const descriptor& one : canaries) EXPECT_EQ(content_of(one.get()), secret) << one.get();
  ::munmap(memory, 2 * page);
}

INSTANTIATE_TEST_SUITE_P(Writes, StrictAgainst, testing::Values(false, true),
                         [](const auto& info) { return info.param ? "EntriesAndHeads" : "Entries"; });

}  // namespace
}  // namespace attack
