// SPDX-License-Identifier: Apache-2.0
// The generated plans, methods and names against what the manual pages say, and, where possible, against Linux itself.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <linux/fs.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <array>
#include <cstring>
#include <set>
#include <string>
#include <type_traits>
#include <vector>

#include "genesys/detail/table/generated/calls.h"
#include "genesys/detail/table/generated/plans.h"
#include "genesys/detail/wire/protocol.h"
#include "policy/policy.h"
#include "trace/decode.h"

namespace genesys::detail {
namespace {

// A plan is a constant expression, and may be a template argument as a whole.
template <call_plan plan>
constexpr unsigned count_of = plan.args_count;
static_assert(count_of<plan_of<plan_id::pread64>> == 4);

constexpr call_plan openat_plan = plan_of<plan_id::openat>;
static_assert(openat_plan.args[0].kind == arg_kind::fd);
static_assert(openat_plan.args[1].kind == arg_kind::string && openat_plan.args[1].dir == direction::in);
static_assert(openat_plan.args[3].kind == arg_kind::value && openat_plan.args[4].kind == arg_kind::none);
static_assert(openat_plan.role == role::none && openat_plan.waits == readiness::none && !openat_plan.quiet);

constexpr call_plan read_plan = plan_of<plan_id::read>;
static_assert(read_plan.args[1].kind == arg_kind::bytes && read_plan.args[1].dir == direction::out);
static_assert(read_plan.args[1].size == size_from::argument && read_plan.args[1].size_arg == 2 &&
              read_plan.args[1].by_result);
static_assert(read_plan.role == role::consumer && !read_plan.split);
static_assert(read_plan.waits == readiness::input && read_plan.waits_arg == 0);

constexpr call_plan write_plan = plan_of<plan_id::write>;
static_assert(write_plan.args[1].dir == direction::in && !write_plan.args[1].by_result);
static_assert(write_plan.role == role::producer && write_plan.waits == readiness::output);

constexpr call_plan pwrite64_plan = plan_of<plan_id::pwrite64>;
static_assert(pwrite64_plan.split && pwrite64_plan.position_arg == 3 && pwrite64_plan.size_arg == 2);

constexpr call_plan fstat_plan = plan_of<plan_id::fstat>;
static_assert(fstat_plan.args[1].kind == arg_kind::object && fstat_plan.args[1].size == size_from::fixed);
static_assert(fstat_plan.args[1].fixed_bytes == sizeof(struct ::stat));

constexpr call_plan nanosleep_plan = plan_of<plan_id::nanosleep>;
static_assert(nanosleep_plan.timer && nanosleep_plan.args[1].written == written_on::eintr);

static_assert(plan_of<plan_id::mmap>.mappings && plan_of<plan_id::munmap>.mappings && !openat_plan.mappings);
static_assert(plan_of<plan_id::getppid>.quiet && plan_of<plan_id::clock_gettime>.quiet &&
              !plan_of<plan_id::lseek>.quiet);
constexpr std::uint64_t no_args[args_max] = {};
static_assert(plan_of_call(number::read, no_args) == &plans[static_cast<int>(plan_id::read)]);

constexpr call_plan recvfrom_plan = plan_of<plan_id::recvfrom>;
static_assert(recvfrom_plan.args[4].kind == arg_kind::bytes && recvfrom_plan.args[4].size == size_from::pointed);
static_assert(recvfrom_plan.args[4].size_arg == 5 && recvfrom_plan.args[4].bytes_most == sizeof(sockaddr_storage));
static_assert(recvfrom_plan.args[5].dir == direction::inout && recvfrom_plan.args[5].fixed_bytes == sizeof(socklen_t));
static_assert(recvfrom_plan.unless_arg == 3 && recvfrom_plan.unless_flags == (MSG_DONTWAIT | MSG_ERRQUEUE | MSG_OOB));

TEST(plan, is_found_by_its_number_and_what_tells_variants_apart) {
  std::size_t found = 0;
  for (const call_plan& plan : plans) {
    std::uint64_t args[args_max] = {};
    if (plan.is_variant) args[plan.variant_arg] = 0x5'0000'0000 | plan.variant_value;  // Linux takes 32 bits
    EXPECT_EQ(plan_of_call(plan.number, args), &plan);
    EXPECT_TRUE(is_planned(plan.number));
    found += !plan.is_variant || &plans[by_number.place[plan.number]] == &plan;
  }
  for (std::uint64_t number = 0; number <= 0x10000; ++number) found -= is_planned(number);
  EXPECT_EQ(found, 0u);
  EXPECT_EQ(plan_of_call(number::limit, no_args), nullptr);
  EXPECT_EQ(plan_of_call(~std::uint64_t{0}, no_args), nullptr);
  EXPECT_EQ(plan_of_call(internal_resolve, no_args), nullptr);
}

TEST(plan, of_ioctl_is_that_of_its_request) {
  const std::uint64_t known[args_max] = {3, FIONREAD, 0}, unknown[args_max] = {3, TIOCSTI, 0};
  EXPECT_EQ(plan_of_call(number::ioctl, known), &plans[static_cast<int>(plan_id::ioctl_FIONREAD)]);
  EXPECT_EQ(plan_of_call(number::ioctl, unknown), nullptr);
  EXPECT_TRUE(is_planned(number::ioctl));
  static_assert(plan_of<plan_id::ioctl_BLKGETSIZE64>.variant_value == BLKGETSIZE64);
}

TEST(plan, measures_what_is_counted) {
  constexpr arg_plan pairs{.element_bytes = 12}, bits{.element_bytes = 8, .per = 64}, message{.header_bytes = 8};
  static_assert(measured_bytes(pairs, 3) == 36 && elements_within(pairs, 35) == 2);
  static_assert(measured_bytes(bits, 0) == 0 && measured_bytes(bits, 1) == 8 && measured_bytes(bits, 65) == 16);
  static_assert(measured_bytes(message, 5) == 13 && elements_within(message, 7) == 0);
  EXPECT_GT(measured_bytes(pairs, ~std::uint64_t{0}), bytes_absurd);
  EXPECT_GT(measured_bytes(pairs, bytes_absurd), bytes_absurd);
  constexpr arg_plan attributes{.size = size_from::itself, .fixed_bytes = 48};
  static_assert(own_bytes(attributes, 0) == 48 && own_bytes(attributes, 56) == 56);
  EXPECT_EQ(own_bytes(attributes, ~0u), 48u);
  constexpr arg_plan handle{.size = size_from::itself, .header_bytes = 8};
  static_assert(own_bytes(handle, 0) == 8 && own_bytes(handle, 128) == 136 && own_bytes(handle, ~0u) == 4);
}

TEST(plan, holds_together) {
  for (const call_plan& plan : plans) {
    SCOPED_TRACE(trace::call_name(plan.number));
    EXPECT_LT(plan.number, call_number_max);
    for (unsigned i = 0; i < args_max; ++i) {
      const arg_plan& arg = plan.args[i];
      EXPECT_EQ(arg.kind != arg_kind::none, i < plan.args_count);
      const bool nested = arg.kind == arg_kind::vector || arg.kind == arg_kind::messages;
      EXPECT_EQ(arg.dir != direction::none, is_pointer(arg));
      if (nested) {
        EXPECT_TRUE(arg.size == size_from::argument || arg.size == size_from::none);
        EXPECT_EQ(arg.kind == arg_kind::vector, arg.element_bytes == entry_bytes);
        EXPECT_FALSE(plan.split);
        for (unsigned k = 0; k < i; ++k) EXPECT_NE(plan.args[k].kind, arg.kind) << "two such arguments";
      } else {
        EXPECT_EQ(arg.size == size_from::argument || arg.size == size_from::pointed, arg.kind == arg_kind::bytes);
      }
      EXPECT_EQ(arg.size == size_from::fixed || arg.size == size_from::itself, arg.kind == arg_kind::object);
      if (arg.size == size_from::fixed) {
        EXPECT_GT(arg.fixed_bytes, 0);
      }
      if (arg.size == size_from::argument) {
        EXPECT_EQ(plan.args[arg.size_arg].kind, arg_kind::value);
      }
      if (arg.size == size_from::pointed) {
        EXPECT_GT(arg.size_arg, i);  // checked and copied back before its length is
        EXPECT_EQ(plan.args[arg.size_arg].fixed_bytes, 4);
        EXPECT_EQ(plan.args[arg.size_arg].dir, direction::inout);
      }
      if (plan.quiet) {
        EXPECT_TRUE(arg.dir == direction::none || arg.dir == direction::out);
      }
    }
    if (plan.waits != readiness::none) {
      EXPECT_EQ(plan.args[plan.waits_arg].kind, arg_kind::fd);
    }
    if (plan.split) {
      EXPECT_EQ(plan.args[plan.position_arg].kind, arg_kind::value);
    }
  }
}

// Keeps its arguments and returns the number of words.
struct recorder : calls<recorder> {
  mutable plan_id id{};
  mutable std::vector<std::uint64_t> words;

  template <plan_id called, class... Words>
  long invoke(Words... given) const {
    static_assert((std::is_same_v<Words, std::uint64_t> && ...));
    static_assert(sizeof...(Words) == plan_of<called>.args_count);
    id = called;
    words = {given...};
    return static_cast<long>(words.size());
  }
};

using words = std::vector<std::uint64_t>;

template <class T>
std::uint64_t address(T* p) {
  return reinterpret_cast<std::uint64_t>(p);
}

TEST(calls, pass_each_argument_as_linux_finds_it) {
  const recorder os;
  const char* path = "name";
  EXPECT_EQ(os.openat(AT_FDCWD, path, O_RDONLY), 4);
  EXPECT_EQ(os.id, plan_id::openat);
  EXPECT_EQ(os.words, (words{static_cast<std::uint64_t>(-100), address(path), 0, 0}));

  char buffer[8];
  EXPECT_EQ(os.pread64(3, buffer, sizeof buffer, -1), 4);
  EXPECT_EQ(os.id, plan_id::pread64);
  EXPECT_EQ(os.words, (words{3, address(buffer), 8, ~std::uint64_t{0}}));

  os.mkdirat(5, path, 0xffffffffu);
  EXPECT_EQ(os.words, (words{5, address(path), 0xffffffffu}));

  const struct timespec duration {};
  os.nanosleep(&duration);
  EXPECT_EQ(os.words, (words{address(&duration), 0}));

  EXPECT_EQ(os.getppid(), 0);
  EXPECT_EQ(os.id, plan_id::getppid);
}

// Linux writes exactly as many bytes as a fixed `out` argument declares. Fewer would leave poison in the result's copy,
// and more would overrun the staging buffer.
template <plan_id id, class... Before>
std::size_t written_by(Before... before) {
  constexpr call_plan plan = plan_of<id>;
  constexpr std::size_t size = 1024;
  std::array<unsigned char, size> first, second;
  first.fill(0x55);
  second.fill(0xaa);
  EXPECT_EQ(syscall(plan.number, before..., first.data()), 0);
  EXPECT_EQ(syscall(plan.number, before..., second.data()), 0);
  std::size_t last = 0;
  for (std::size_t i = 0; i < size; ++i) {
    if (first[i] != 0x55 || second[i] != 0xaa) last = i + 1;
  }
  EXPECT_EQ(last, plan.args[sizeof...(Before)].fixed_bytes);
  return last;
}

TEST(plan, declares_the_bytes_that_linux_writes) {
  const int fd = open("/proc/self/exe", O_RDONLY);
  ASSERT_GE(fd, 0);
  EXPECT_EQ(written_by<plan_id::fstat>(fd), sizeof(struct ::stat));
  close(fd);
  EXPECT_EQ(written_by<plan_id::getrusage>(RUSAGE_SELF), sizeof(struct ::rusage));
  EXPECT_EQ(written_by<plan_id::clock_gettime>(CLOCK_REALTIME), sizeof(struct ::timespec));
  EXPECT_EQ(written_by<plan_id::uname>(), sizeof(struct ::utsname));
}

TEST(decode, names_the_call_and_its_arguments) {
  const std::uint64_t pread[6] = {3, 0x7f0012345000, 4096, 0};
  EXPECT_EQ(trace::decode(number::pread64, pread), "pread64(fd=3, buf=0x7f0012345000, count=4096, pos=0)");
  const std::uint64_t open[6] = {static_cast<std::uint64_t>(AT_FDCWD), 0x1000, 0x80041, 0644};
  EXPECT_EQ(trace::decode(number::openat, open),
            "openat(dirfd=AT_FDCWD, path=0x1000, flags=O_WRONLY|O_CREAT|O_CLOEXEC, mode=0644)");
  const std::uint64_t seek[6] = {static_cast<std::uint64_t>(-1), static_cast<std::uint64_t>(-8), 2};
  EXPECT_EQ(trace::decode(number::lseek, seek), "lseek(fd=-1, offset=-8, whence=SEEK_END)");
  const std::uint64_t upper_half[6] = {0x500000004, 0, 0x500000400};
  EXPECT_EQ(trace::decode(number::getdents64, upper_half), "getdents64(fd=4, entries=null, count=1024)");
  const std::uint64_t nothing[6] = {};
  EXPECT_EQ(trace::decode(number::getppid, nothing), "getppid()");
  EXPECT_EQ(trace::decode(number::mkdirat, nothing), "mkdirat(dirfd=0, path=null, mode=000)");
  const std::uint64_t known[6] = {3, FIONREAD, 0x1000}, unknown[6] = {3, 0x5412, 0x1000};
  EXPECT_EQ(trace::decode(number::ioctl, known), "ioctl(fd=3, request=FIONREAD, n=0x1000)");
  EXPECT_EQ(trace::decode(number::ioctl, unknown), "ioctl(0x3, 0x5412, 0x1000, 0x0, 0x0, 0x0)");
}

TEST(decode, prints_what_it_does_not_know) {
  const std::uint64_t args[6] = {1, 2, 0xff, 0, 0, ~std::uint64_t{0}};
  EXPECT_EQ(trace::decode(5000, args), "syscall_5000(0x1, 0x2, 0xff, 0x0, 0x0, 0xffffffffffffffff)");
  EXPECT_EQ(trace::call_name(~std::uint64_t{0}), "syscall_18446744073709551615");
}

TEST(decode, has_a_name_of_its_own_for_each_call) {
  std::set<std::string> known;
  std::set<std::uint64_t> numbers;
  for (const call_plan& plan : plans) {
    known.insert(trace::call_name(plan.number));
    numbers.insert(plan.number);
  }
  EXPECT_EQ(known.size(), numbers.size());
  EXPECT_TRUE(known.count("nanosleep"));
}

TEST(Policy, RefusesWhatTheTableSaysCannotBeMade) {
  for (const long number : {SYS_exit, SYS_exit_group, SYS_clone, SYS_execveat, SYS_bpf, SYS_rt_sigprocmask, SYS_prctl,
                            SYS_seccomp, SYS_close_range, SYS_rseq}) {
    EXPECT_TRUE(policy::refuses(static_cast<u32>(number))) << number;
  }
  for (const call_plan& plan : plans) EXPECT_FALSE(policy::refuses(plan.number)) << plan.number;
  for (const u32 number : {static_cast<u32>(SYS_gettid), 1023u, 1024u, call_number_max, ~0u}) {
    EXPECT_FALSE(policy::refuses(number)) << number;
  }
}

}  // namespace
}  // namespace genesys::detail
