// SPDX-License-Identifier: Apache-2.0
// A rogue kernel overwrites the memory that it shares with the host: requests, completions, published heads, bounce
// buffers and the arena, while honest blocks make calls. The host neither crashes nor touches what the policy denies.
// Calls whose memory is intact get the right result. A lane whose call is lost gets -ECANCELED when the runtime ends.
#include <sys/mman.h>

#include <memory>

#include "jail.h"

namespace attack {

using namespace contract;

namespace {

using genesys::detail::u64;

struct told {
  long right, failed, canceled, wrong;
};

constexpr u32 honest_blocks = 8, rogue_blocks = 4;

// Writes random words. Every now and then they form a request: all eight have the same tag, and Linux has the call.
struct wild_writer {
  u64 state;
  GENESYS_KERNEL u64 random() {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
  }
  GENESYS_KERNEL static void put(u64& at, u64 value) {
    genesys::atomic<u64, genesys::thread_scope::system>(at).store(value, std::memory_order_relaxed);
  }
  GENESYS_KERNEL void write_request(const genesys::detail::device_context& a) {
    using namespace genesys::detail;
    request call{};
    for (u64& arg : call.args) {
      const u64 kind = random() % 4;
      arg = kind == 0 ? random() % 64 : kind == 1 ? a.arena_begin + random() % (a.arena_end - a.arena_begin) : random();
    }
    call.number = static_cast<u32>(random() % 480);
    call.completion_slot = static_cast<u32>(random() % 4 == 0 ? random() : random() % 256);
    call.phase = random() & 1;
    call.mode = static_cast<wait_mode>(random() & 3);
    call.run = static_cast<u32>(random() & 3);
    call.has_inline_data = random() % 2 == 0;
    call.pairs = random() % 4 == 0 ? static_cast<u32>(random()) : pairs_all;
    const u64 tag = random() << tag_shift;
    request_slot& slot = a.slots[random() % (u64{a.queues} << a.slots_log2)];
    for (int i = 0; i < 8; ++i) put(slot.words[i], (pack_word(call, i) & payload_mask) | tag);
  }
  // Bounce buffers that are usable from the start: other addresses are no memory of the device yet.
  GENESYS_KERNEL static u64 smallest_buffers_bytes(const genesys::detail::device_context& a) {
    using namespace genesys::detail;
    return u64{buffers_at_start(0, a.bounce_buffers[0])} << buffer_bytes_log2(0);
  }
  GENESYS_KERNEL void write_anything(const genesys::detail::device_context& a) {
    const u64 completions = u64{a.groups} * 32;
    switch (random() % 5) {
      case 0:
        return put(a.slots[random() % (u64{a.queues} << a.slots_log2)].words[random() % 8], random());
      case 1:
        return put(a.published_heads[random() % a.queues].head, random());
      case 2:
        return put(random() % 2 == 0 ? a.completion_slots[random() % completions].word
                                     : a.completion_slots[random() % completions].data,
                   random());
      case 3:
        return put(a.extras[random() % completions].first, random());
      default:
        return put(*reinterpret_cast<u64*>(a.arena_begin + random() % (smallest_buffers_bytes(a) / 8) * 8), random());
    }
  }
};

struct rogue_and_honest {
  GENESYS_KERNEL void operator()(genesys::os os, int fd, u32 calls, u32 writes, u64 seed, told* said) const {
    const u32 block = genesys::block_rank();
    if (block < rogue_blocks) {
      const timespec calm{0, 20'000'000};
      os.nanosleep(&calm, nullptr);  // until the other blocks have begun
      wild_writer wild{seed + block * 0x9e3779b97f4a7c15ull + genesys::thread_rank() * 0x2545f4914f6cdd1dull + 1};
      for (u32 i = 0; i < writes; ++i) {
        if (i % 4 == 0) {
          wild.write_request(os.context());
        } else {
          wild.write_anything(os.context());
        }
        for (u32 k = 0; k < 16; ++k) genesys::pause();
      }
      return;
    }
    told mine{};
    for (u32 i = 0; i < calls; ++i) {
      char bytes[16];
      const long value = i % 2 == 0 ? os.getpid() : os.pread64(fd, bytes, sizeof bytes, 0);
      if (value == (i % 2 == 0 ? said[-1].right : 16)) {
        ++mine.right;
      } else if (value == -ECANCELED) {
        ++mine.canceled;
        break;
      } else if (value < 0) {
        ++mine.failed;
      } else {
        ++mine.wrong;  // the rogue overwrote the completion
      }
    }
    const u32 me = (block - rogue_blocks) * genesys::threads_in_block() + genesys::thread_rank();
    said[me] = mine;
  }
};

u64 sum_of(const std::vector<unsigned char>& page) {
  u64 sum = 14695981039346656037ull;
  for (const unsigned char byte : page) sum = (sum ^ byte) * 1099511628211ull;
  return sum;
}

class Rogue : public testing::TestWithParam<unsigned> {};

TEST_P(Rogue, HarmsNobodyElse) {
  if (sanitized) GTEST_SKIP() << "what a rogue does is a data race";
  constexpr u32 threads = 32, count = honest_blocks * threads;
  const folder in, out;
  const int secret = ::openat(out.fd(), "secret", O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  ASSERT_EQ(::write(secret, jail::secret, std::strlen(jail::secret)), static_cast<ssize_t>(std::strlen(jail::secret)));
  const int shared = ::openat(in.fd(), "shared", O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  ASSERT_EQ(::write(shared, "sixteen bytes...", 16), 16);
  std::vector<unsigned char> pages(64 << 10);
  for (std::size_t i = 0; i < pages.size(); ++i) pages[i] = pattern(i);
  const u64 before = sum_of(pages);

  in_arena<told> all(shared_runtime(), count + 1);  // not in the memory that the rogue overwrites
  std::memset(static_cast<void*>(all.get()), 0, (count + 1) * sizeof(told));
  all[0].right = ::getpid();
  auto rt = std::make_unique<runtime>(genesys::options{.workers = 3,
                                                       .arena_bytes = 1 << 20,
                                                       .bounce_bytes = 16 << 20,
                                                       .shutdown_timeout_ms = 300,
                                                       .stall_warn_ms = 0,
                                                       .policy = "io",
                                                       .policy_rules = "allow path " + in.path()});
  rt->grant(shared);
  std::string report;
  std::uint64_t malformed = 0;
  {
    const genesys::run run = genesys::launch(*rt, {.blocks = {rogue_blocks + honest_blocks}, .threads = {threads}},
                                             rogue_and_honest{}, shared, 20000u, 60u, u64{GetParam()}, all.get() + 1);
    eventually([&] { return run.finished(); }, 1);
    std::ostringstream text;
    rt->report(text);
    report = text.str();
    malformed = rt->stats().malformed;
    rt.reset();
    ASSERT_TRUE(eventually([&] { return run.finished(); })) << "a kernel still waits";
  }
  told sum{};
  for (u32 i = 1; i <= count; ++i) {
    sum.right += all[i].right;
    sum.failed += all[i].failed;
    sum.canceled += all[i].canceled;
    sum.wrong += all[i].wrong;
  }
  std::cout << "  " << sum.right << " right, " << sum.failed << " failed, " << sum.canceled << " canceled, "
            << sum.wrong << " overwritten, " << malformed << " malformed\n";
  EXPECT_GT(sum.right, 0);
  EXPECT_EQ(sum_of(pages), before);
  EXPECT_EQ(jail::content(out.path() + "/secret"), jail::secret);
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(out.path()), {}), 1);
  EXPECT_NE(report.find("calls so far"), std::string::npos) << report;
  EXPECT_GE(::fcntl(secret, F_GETFD), 0) << "a descriptor of the host's was closed";

  // Another runtime still works.
  in_arena<long> value(shared_runtime(), 1);
  play(shared_runtime(), {}, make_call{}, six_words{SYS_getpid, {}}, value.get());
  EXPECT_EQ(value[0], ::getpid());
  ::close(secret);
  ::close(shared);
}

// Requests that claim inline data: of which there is more than fits, for calls that have none, and right ones.
struct claim_inline_data {
  GENESYS_KERNEL static long ask(const genesys::os& os, u32 number, std::initializer_list<u64> args, u64* data) {
    genesys::detail::request call{};
    u64* to = call.args;
    for (const u64 arg : args) *to++ = arg;
    call.number = number;
    call.has_inline_data = true;
    const genesys::detail::queue::completion got = genesys::detail::queue::submit_and_wait(os.context(), call);
    if (data != nullptr) *data = got.inline_data;
    return got.value;
  }
  GENESYS_KERNEL void operator()(genesys::os os, int fd, long* said, u64* data) const {
    const u64 file = static_cast<u64>(fd), anywhere = 8;
    said[0] = ask(os, SYS_pread64, {file, anywhere, 65, 0}, nullptr);
    said[1] = ask(os, SYS_pread64, {file, anywhere, ~u64{0}, 0}, nullptr);
    said[2] = ask(os, SYS_fstat, {file, anywhere}, nullptr);
    said[3] = ask(os, SYS_pwrite64, {file, anywhere, 25, 0}, nullptr);
    said[4] = ask(os, SYS_getppid, {}, nullptr);
    said[5] = ask(os, SYS_pread64, {file, anywhere, 8, 8}, data);
    said[6] = ask(os, SYS_pwrite64, {file, 0x6420656e696c6e69, 24, 0, 0x726874203a617461, 0x7364726f77206565}, nullptr);
  }
};

TEST(RogueRequest, ClaimsInlineDataWhereNoneFits) {
  const folder in;
  made_file(in, "file", "sixteen bytes...");
  const descriptor file(::openat(in.fd(), "file", O_RDWR | O_CLOEXEC));
  runtime& rt = shared_runtime();
  rt.grant(file.get());
  in_arena<long> said(rt, 7);
  in_arena<u64> data(rt, 1);
  play(rt, {}, claim_inline_data{}, file.get(), said.get(), data.get());
  rt.revoke(file.get());
  for (int i = 0; i < 4; ++i) EXPECT_EQ(said[i], -EINVAL) << i;
  EXPECT_EQ(said[4], ::getppid());
  EXPECT_EQ(said[5], 8);
  EXPECT_EQ(std::memcmp(&data[0], "bytes...", 8), 0);
  EXPECT_EQ(said[6], 24);
  EXPECT_EQ(jail::content(in.path() + "/file"), "inline data: three words");
}

// An honest kernel posts data that look like the address of a bounce buffer. Nobody returns that buffer.
struct post_addresses {
  static constexpr u32 tried = 64;
  GENESYS_KERNEL void operator()(genesys::os os, int fd) const {
    const genesys::detail::bounce_class smallest = genesys::detail::first_bounce_class(os.context());
    for (u32 i = 0; i < tried; ++i) {
      const u64 data[2] = {smallest.base + (u64{i} << smallest.bytes_log2), i};
      os.posted().write(fd, data, sizeof data);
    }
  }
};
struct look_at_returned {
  GENESYS_KERNEL void operator()(genesys::os os, u64* seen) const {
    using namespace genesys;
    *seen = atomic<u64, thread_scope::system>(const_cast<u64&>(os.context().bounce->returned[0])).load();
  }
};

TEST(PostedData, LooksLikeABounceBuffer) {
  const folder in;
  const descriptor file = made_file(in, "file", "");
  runtime rt({.executor = genesys::executor_kind::threads});
  rt.grant(file.get());
  in_arena<u64> seen(rt, 2);
  play(rt, {}, look_at_returned{}, &seen[0]);
  play(rt, {}, post_addresses{}, file.get());
  play(rt, {}, look_at_returned{}, &seen[1]);
  EXPECT_EQ(seen[0], seen[1]);
  EXPECT_EQ(content_of(file.get()).size(), post_addresses::tried * 2 * sizeof(u64));
}

INSTANTIATE_TEST_SUITE_P(Seeds, Rogue, testing::Values(1u, 2u, 3u));

}  // namespace
}  // namespace attack
