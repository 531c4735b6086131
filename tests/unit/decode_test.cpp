// SPDX-License-Identifier: Apache-2.0
// The decoder, on recorded calls: the text for each kind of argument of the table, for memory that was not recorded or
// was cut off, and for any bytes at all. tests/e2e/decode_strace_test.py compares it with strace.
#include "trace/decode.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <sys/un.h>

#include <cerrno>
#include <cstring>
#include <deque>
#include <random>
#include <vector>

#include "genesys/detail/table/generated/plans.h"

namespace genesys::trace {
namespace {

namespace number = detail::number;

// A call and its recorded memory.
class recorded {
 public:
  template <class... Args>
  recorded(std::uint64_t number, std::int64_t result, Args... args)
      : number_(number), result_(result), args_{static_cast<std::uint64_t>(args)...} {}

  // Memory behind an argument. `total`: so much was there, if it is more than `bytes`.
  recorded& with(unsigned arg, std::string_view bytes, std::uint64_t total = 0, unsigned part = 0) {
    const std::vector<unsigned char>& kept = kept_.emplace_back(bytes.begin(), bytes.end());
    data_.push_back({arg, part, total == 0 ? bytes.size() : total, kept});
    return *this;
  }
  template <class T>
  recorded& with_object(unsigned arg, const T& object, unsigned part = 0) {
    return with(arg, {reinterpret_cast<const char*>(&object), sizeof object}, 0, part);
  }
  recorded& on(unsigned arg, std::string_view path) {
    paths_.push_back({arg, path});
    return *this;
  }
  recorded& in_full() {
    options_.full = true;
    return *this;
  }

  std::string text() {
    options_.paths = paths_;
    const decoded_call call{number_, args_, result_, data_};
    return decode(call, options_) + " = " + decode_result(call, options_);
  }

 private:
  std::uint64_t number_;
  std::int64_t result_;
  std::uint64_t args_[6];
  std::deque<std::vector<unsigned char>> kept_;
  std::vector<argument_data> data_;
  std::vector<descriptor_path> paths_;
  decode_options options_;
};

constexpr std::uint64_t at = 0x7f0012345000;

TEST(decoded_call, escapes_the_paths_of_descriptors) {
  EXPECT_EQ(recorded(number::close, 0, 3).on(0, "/tmp/x").text(), "close(3</tmp/x>) = 0");
  EXPECT_EQ(recorded(number::close, 0, 3).on(0, "/a\n\x1b[2J>) = 0").text(), "close(3</a\\n\\33[2J\\76) = 0>) = 0");
  EXPECT_EQ(recorded(number::close, 0, 3).on(0, "<5>\"").text(), "close(3<\\0745\\76\\\">) = 0");
  EXPECT_EQ(recorded(number::dup, 4, 3).on(result_arg, "/a\tb").text(), "dup(3) = 4</a\\tb>");
}

TEST(decoded_call, prints_paths_flags_and_errors_by_name) {
  EXPECT_EQ(recorded(number::openat, 3, AT_FDCWD, at, O_RDONLY | O_CLOEXEC).with(1, "/etc/hosts").text(),
            "openat(AT_FDCWD, \"/etc/hosts\", O_RDONLY|O_CLOEXEC) = 3");
  EXPECT_EQ(recorded(number::openat, -ENOENT, 5, at, O_WRONLY | O_CREAT | O_EXCL, 0640).with(1, "a\"b\n").text(),
            "openat(5, \"a\\\"b\\n\", O_WRONLY|O_CREAT|O_EXCL, 0640) = -1 ENOENT (No such file or directory)");
  EXPECT_EQ(recorded(number::openat, 3, AT_FDCWD, at, 0x80000000 | O_RDWR).with(1, "").text(),
            "openat(AT_FDCWD, \"\", O_RDWR|0x80000000) = 3");
  EXPECT_EQ(recorded(number::close, -4000, 3).text(), "close(3) = -1 errno 4000 (Unknown error 4000)");
}

TEST(decoded_call, prints_paths_of_descriptors) {
  EXPECT_EQ(recorded(number::openat, 3, AT_FDCWD, at, 0).with(1, "x").on(0, "/home").on(result_arg, "/home/x").text(),
            "openat(AT_FDCWD</home>, \"x\", O_RDONLY) = 3</home/x>");
  EXPECT_EQ(recorded(number::close, 0, 3).on(0, "/dev/null").text(), "close(3</dev/null>) = 0");
}

TEST(decoded_call, prints_addresses_where_nothing_was_recorded) {
  EXPECT_EQ(recorded(number::openat, 3, AT_FDCWD, at, 0).text(), "openat(AT_FDCWD, 0x7f0012345000, O_RDONLY) = 3");
  EXPECT_EQ(recorded(number::read, 5, 3, at, 9).text(), "read(3, 0x7f0012345000, 9) = 5");
  EXPECT_EQ(recorded(number::fstat, -EBADF, 3, at).text(), "fstat(3, 0x7f0012345000) = -1 EBADF (Bad file descriptor)");
  EXPECT_EQ(recorded(number::fstat, 0, 3, 0).text(), "fstat(3, NULL) = 0");
  EXPECT_EQ(recorded(number::writev, 4, 3, at, 2).text(), "writev(3, 0x7f0012345000, 2) = 4");
  EXPECT_EQ(recorded(number::sendmsg, 4, 3, at, 0).text(), "sendmsg(3, 0x7f0012345000, 0) = 4");
  EXPECT_EQ(recorded(5000, 0, 1, 2).text(), "syscall_5000(0x1, 0x2, 0x0, 0x0, 0x0, 0x0) = 0");
}

TEST(decoded_call, prints_buffers_as_strings_that_may_be_cut) {
  EXPECT_EQ(recorded(number::write, 5, 1, at, 5).with(1, {"ab\0001\x7f", 5}).text(),
            "write(1, \"ab\\0001\\177\", 5) = 5");
  EXPECT_EQ(recorded(number::write, 99, 1, at, 99).with(1, std::string(40, 'x'), 99).text(),
            "write(1, \"" + std::string(32, 'x') + "\"..., 99) = 99");
  EXPECT_EQ(recorded(number::write, 9, 1, at, 9).with(1, "abc", 9).text(), "write(1, \"abc\"..., 9) = 9");
  EXPECT_EQ(recorded(number::read, 0, 0, at, 9).text(), "read(0, \"\", 9) = 0");
  EXPECT_EQ(recorded(number::getrandom, 2, at, 2, 1).with(0, "\x01\xff").text(),
            "getrandom(\"\\x01\\xff\", 2, GRND_NONBLOCK) = 2");
}

TEST(decoded_call, prints_numbers_as_their_types_say) {
  EXPECT_EQ(recorded(number::lseek, 5, 3, -8, SEEK_END).text(), "lseek(3, -8, SEEK_END) = 5");
  EXPECT_EQ(recorded(number::lseek, -EINVAL, 3, 0, 77).text(),
            "lseek(3, 0, 0x4d /* SEEK_??? */) = -1 EINVAL (Invalid argument)");
  EXPECT_EQ(recorded(number::fchmod, 0, 3, 0).text(), "fchmod(3, 000) = 0");
  EXPECT_EQ(recorded(number::fchown, 0, 3, 0xffffffff, 0).text(), "fchown(3, -1, 0) = 0");
  EXPECT_EQ(recorded(number::kill, 0, -1, SIGTERM).text(), "kill(-1, SIGTERM) = 0");
  EXPECT_EQ(recorded(number::umask, 022, 077).text(), "umask(077) = 022");
  EXPECT_EQ(recorded(number::mmap, 0x7f0000000000, 0, 4096, 3, 0x22, -1, 0).text(),
            "mmap(NULL, 4096, PROT_READ|PROT_WRITE, MAP_PRIVATE|MAP_ANONYMOUS, -1, 0) = 0x7f0000000000");
  EXPECT_EQ(recorded(number::mknodat, 0, AT_FDCWD, at, S_IFCHR | 0600, 0x103).with(1, "x").text(),
            "mknodat(AT_FDCWD, \"x\", S_IFCHR|0600, makedev(0x1, 0x3)) = 0");
  EXPECT_EQ(recorded(number::mknodat, 0, AT_FDCWD, at, S_IFIFO | 0600, 0x103).with(1, "x").text(),
            "mknodat(AT_FDCWD, \"x\", S_IFIFO|0600) = 0");
}

TEST(decoded_call, prints_variants_by_their_constant) {
  EXPECT_EQ(recorded(number::fcntl, 0x802, 3, F_GETFL).text(), "fcntl(3, F_GETFL) = 0x802 (flags O_RDWR|O_NONBLOCK)");
  EXPECT_EQ(recorded(number::fcntl, 0, 3, F_SETFD, 1).text(), "fcntl(3, F_SETFD, FD_CLOEXEC) = 0");
  const int count = 7;
  EXPECT_EQ(recorded(number::ioctl, 0, 3, 0x541b, at).with_object(2, count).text(), "ioctl(3, FIONREAD, [7]) = 0");
  EXPECT_EQ(recorded(number::futex, 0, at, 0x81, 5).text(), "futex(0x7f0012345000, FUTEX_WAKE_PRIVATE, 5) = 0");
}

TEST(decoded_call, prints_structures) {
  const timespec time{1, 5};
  EXPECT_EQ(recorded(number::nanosleep, 0, at, 0).with_object(0, time).text(),
            "nanosleep({tv_sec=1, tv_nsec=5}, NULL) = 0");
  EXPECT_EQ(recorded(number::nanosleep, -EINTR, at, at).with_object(0, time).with_object(1, time).text(),
            "nanosleep({tv_sec=1, tv_nsec=5}, {tv_sec=1, tv_nsec=5}) = -1 EINTR (Interrupted system call)");
  struct stat status {};
  status.st_mode = S_IFREG | 0644, status.st_size = 5, status.st_ino = 9;
  EXPECT_EQ(recorded(number::fstat, 0, 3, at).with_object(1, status).text(),
            "fstat(3, {st_mode=S_IFREG|0644, st_size=5, ...}) = 0");
  const std::string in_full = recorded(number::fstat, 0, 3, at).with_object(1, status).in_full().text();
  EXPECT_TRUE(in_full.starts_with("fstat(3, {st_dev=makedev(0, 0), st_ino=9, st_mode=S_IFREG|0644, st_nlink=0"))
      << in_full;
  status.st_mode = S_IFCHR | 0666, status.st_rdev = 0x103;
  EXPECT_EQ(recorded(number::fstat, 0, 3, at).with_object(1, status).text(),
            "fstat(3, {st_mode=S_IFCHR|0666, st_rdev=makedev(0x1, 0x3), ...}) = 0");
  EXPECT_EQ(recorded(number::fstat, 0, 3, at).with(1, "abc", 144).text(), "fstat(3, {...}) = 0");
  epoll_event event{EPOLLIN | EPOLLET, {}};
  event.data.u64 = 0x100000002;
  EXPECT_EQ(recorded(number::epoll_ctl, 0, 3, EPOLL_CTL_ADD, 4, at).with_object(3, event).text(),
            "epoll_ctl(3, EPOLL_CTL_ADD, 4, {events=EPOLLIN|EPOLLET, data={u32=2, u64=4294967298}}) = 0");
  EXPECT_EQ(recorded(number::epoll_ctl, 0, 3, EPOLL_CTL_DEL, 4, at).with_object(3, event).text(),
            "epoll_ctl(3, EPOLL_CTL_DEL, 4, 0x7f0012345000) = 0");
}

TEST(decoded_call, prints_arrays) {
  const int ends[2] = {3, 4};
  EXPECT_EQ(recorded(number::pipe2, 0, at, O_CLOEXEC).with_object(0, ends).text(), "pipe2([3, 4], O_CLOEXEC) = 0");
  const unsigned groups[2] = {0, 5};
  EXPECT_EQ(recorded(number::getgroups, 2, 9, at).with_object(1, groups).text(), "getgroups(9, [0, 5]) = 2");
  EXPECT_EQ(recorded(number::getgroups, 40, 40, at).with_object(1, groups).text().find("[0, 5]"), 14u);
  EXPECT_EQ(recorded(number::getgroups, 40, 40, at).with(1, {reinterpret_cast<const char*>(groups), 8}, 160).text(),
            "getgroups(40, [0, 5, ...]) = 40");
  const unsigned long cpus = 0b1011;
  EXPECT_EQ(recorded(number::sched_getaffinity, 8, 0, 128, at).with_object(2, cpus).text(),
            "sched_getaffinity(0, 128, [0 1 3]) = 8");
  const unsigned char there[2] = {1, 0};
  EXPECT_EQ(recorded(number::mincore, 0, at, 8192, at).with_object(2, there).text(),
            "mincore(0x7f0012345000, 8192, [1, 0]) = 0");
  const std::uint64_t signals = 1 << (SIGINT - 1) | std::uint64_t{1} << (SIGCHLD - 1);
  EXPECT_EQ(recorded(number::signalfd4, 5, -1, at, 8, 0).with_object(1, signals).text(),
            "signalfd4(-1, [INT CHLD], 8, 0) = 5");
}

TEST(decoded_call, prints_what_waiting_calls_found) {
  const pollfd fds[2] = {{3, POLLIN, POLLIN}, {-1, POLLIN, 0}};
  const timespec zero{};
  EXPECT_EQ(recorded(number::ppoll, 1, at, 2, at, 0, 8).with_object(0, fds).with_object(2, zero).text(),
            "ppoll([{fd=3, events=POLLIN}, {fd=-1}], 2, {tv_sec=0, tv_nsec=0}, NULL, 8) = 1 ([{fd=3, revents=POLLIN}], "
            "left {tv_sec=0, tv_nsec=0})");
  EXPECT_EQ(recorded(number::ppoll, 0, at, 2, 0, 0, 8).with_object(0, fds).text(),
            "ppoll([{fd=3, events=POLLIN}, {fd=-1}], 2, NULL, NULL, 8) = 0 (Timeout)");
  const unsigned long before = 0b11000, after = 0b1000;
  EXPECT_EQ(
      recorded(number::pselect6, 1, 5, at, 0, 0, 0, 0).with_object(1, before, part_before).with_object(1, after).text(),
      "pselect6(5, [3 4], NULL, NULL, NULL, NULL) = 1 (in [3])");
}

TEST(decoded_call, prints_socket_addresses) {
  EXPECT_EQ(recorded(number::bind, 0, 3, at, 16).with(1, {"\2\0\0\x50\x7f\0\0\1\0\0\0\0\0\0\0\0", 16}).text(),
            "bind(3, {sa_family=AF_INET, sin_port=htons(80), sin_addr=inet_addr(\"127.0.0.1\")}, 16) = 0");
  EXPECT_EQ(recorded(number::bind, 0, 3, at, 28)
                .with(1, std::string("\12\0\0\x50", 4) + std::string(19, 0) + "\1" + std::string(4, 0))
                .text(),
            "bind(3, {sa_family=AF_INET6, sin6_port=htons(80), sin6_flowinfo=htonl(0), inet_pton(AF_INET6, \"::1\", "
            "&sin6_addr), sin6_scope_id=0}, 28) = 0");
  EXPECT_EQ(recorded(number::bind, 0, 3, at, 7).with(1, {"\1\0/tmp\0", 7}).text(),
            "bind(3, {sa_family=AF_UNIX, sun_path=\"/tmp\"}, 7) = 0");
  EXPECT_EQ(recorded(number::bind, 0, 3, at, 6).with(1, {"\1\0\0abc", 6}).text(),
            "bind(3, {sa_family=AF_UNIX, sun_path=@\"abc\"}, 6) = 0");
  EXPECT_EQ(recorded(number::bind, 0, 3, at, 2).with(1, {"\1\0", 2}).text(), "bind(3, {sa_family=AF_UNIX}, 2) = 0");
  EXPECT_EQ(recorded(number::bind, 0, 3, at, 4).with(1, {"\77\0ab", 4}).text(),
            "bind(3, {sa_family=0x3f /* AF_??? */, sa_data=\"ab\"}, 4) = 0");
  const unsigned before = 128, after = 2;
  EXPECT_EQ(recorded(number::getsockname, 0, 3, at, at)
                .with(1, {"\1\0", 2})
                .with_object(2, before, part_before)
                .with_object(2, after)
                .text(),
            "getsockname(3, {sa_family=AF_UNIX}, [128 => 2]) = 0");
  EXPECT_EQ(recorded(number::getsockname, 0, 3, at, at).with(1, {"\1\0", 2}).with_object(2, after).text(),
            "getsockname(3, {sa_family=AF_UNIX}, [2]) = 0");
}

TEST(decoded_call, prints_socket_options_by_level_and_name) {
  const int one = 1;
  EXPECT_EQ(recorded(number::setsockopt, 0, 3, SOL_SOCKET, SO_REUSEADDR, at, 4).with_object(3, one).text(),
            "setsockopt(3, SOL_SOCKET, SO_REUSEADDR, [1], 4) = 0");
  EXPECT_EQ(recorded(number::setsockopt, 0, 3, 6, 1, at, 4).with_object(3, one).text(),
            "setsockopt(3, SOL_TCP, TCP_NODELAY, [1], 4) = 0");
  const linger value{1, 5};
  EXPECT_EQ(recorded(number::setsockopt, 0, 3, SOL_SOCKET, SO_LINGER, at, 8).with_object(3, value).text(),
            "setsockopt(3, SOL_SOCKET, SO_LINGER, {l_onoff=1, l_linger=5}, 8) = 0");
  EXPECT_EQ(recorded(number::setsockopt, 0, 3, 6, 13, at, 5).with(3, "cubic").text(),
            "setsockopt(3, SOL_TCP, TCP_CONGESTION, \"cubic\", 5) = 0");
}

TEST(decoded_call, prints_vectors_and_messages) {
  const iovec pieces[2] = {{reinterpret_cast<void*>(at), 3}, {reinterpret_cast<void*>(at), 5}};
  EXPECT_EQ(
      recorded(number::writev, 8, 3, at, 2).with_object(1, pieces).with(1, "abc", 0, 1).with(1, "defgh", 0, 2).text(),
      "writev(3, [{iov_base=\"abc\", iov_len=3}, {iov_base=\"defgh\", iov_len=5}], 2) = 8");
  EXPECT_EQ(recorded(number::readv, 3, 3, at, 2).with_object(1, pieces).with(1, "abc", 0, 1).text(),
            "readv(3, [{iov_base=\"abc\", iov_len=3}, {iov_base=\"\", iov_len=5}], 2) = 3");
  EXPECT_EQ(recorded(number::readv, -EBADF, 3, at, 2).with_object(1, pieces).text(),
            "readv(3, [{iov_base=0x7f0012345000, iov_len=3}, {iov_base=0x7f0012345000, iov_len=5}], 2) = -1 EBADF (Bad "
            "file descriptor)");
  msghdr message{};
  message.msg_iov = reinterpret_cast<iovec*>(at), message.msg_iovlen = 1;
  message.msg_control = reinterpret_cast<void*>(at), message.msg_controllen = 24;
  struct {
    std::uint64_t length;
    int level, type, fds[2];
  } control{20, SOL_SOCKET, SCM_RIGHTS, {7, 0}};
  EXPECT_EQ(recorded(number::sendmsg, 3, 4, at, MSG_NOSIGNAL)
                .with_object(1, message)
                .with(1, {reinterpret_cast<const char*>(pieces), 16}, 0, part_of_message(0, message_part::vector))
                .with(1, "abc", 0, part_of_message(0, message_part::first_entry))
                .with_object(1, control, part_of_message(0, message_part::control))
                .text(),
            "sendmsg(4, {msg_name=NULL, msg_namelen=0, msg_iov=[{iov_base=\"abc\", iov_len=3}], msg_iovlen=1, "
            "msg_control=[{cmsg_len=20, cmsg_level=SOL_SOCKET, cmsg_type=SCM_RIGHTS, cmsg_data=[7]}], "
            "msg_controllen=24, msg_flags=0}, MSG_NOSIGNAL) = 3");
}

TEST(decoded_call, prints_what_linux_filled_only_if_it_did) {
  const int status = 3 << 8;
  EXPECT_EQ(recorded(number::wait4, 9, -1, at, 0, 0).with_object(1, status).text(),
            "wait4(-1, [{WIFEXITED(s) && WEXITSTATUS(s) == 3}], 0, NULL) = 9");
  EXPECT_EQ(recorded(number::wait4, 0, -1, at, 1, 0).with_object(1, status).text(),
            "wait4(-1, 0x7f0012345000, WNOHANG, NULL) = 0");
  const long before = 5, after = 9;
  EXPECT_EQ(recorded(number::sendfile, 4, 3, 4, at, 4).with_object(2, before, part_before).with_object(2, after).text(),
            "sendfile(3, 4, [5] => [9], 4) = 4");
}

// The visitor and the decoder on arguments and memory that make no sense. AddressSanitizer looks on, if it is there.
TEST(decoded_call, takes_any_bytes) {
  std::mt19937_64 random(1);
  const auto word = [&]() -> std::uint64_t {
    const std::uint64_t value = random();
    return random() % 3 == 0 ? value : random() % 2 == 0 ? value % 8 : value % 5000;
  };
  std::size_t printed = 0;
  for (unsigned round = 0; round < 40; ++round) {
    for (const detail::call_plan& plan : detail::plans) {
      std::uint64_t args[6];
      for (std::uint64_t& arg : args) arg = word();
      if (plan.is_variant) args[plan.variant_arg] = plan.variant_value;
      const std::int64_t result = random() % 4 == 0 ? -EINVAL : static_cast<std::int64_t>(word());
      std::deque<std::vector<unsigned char>> kept;
      std::vector<argument_data> data;
      const auto read = [&](std::uint64_t, void* to, std::uint64_t bytes) {
        for (std::uint64_t i = 0; i < bytes; ++i)
          static_cast<unsigned char*>(to)[i] = static_cast<unsigned char>(word());
        return random() % 16 != 0;
      };
      const auto visit = [&](const argument_memory& memory) {
        std::vector<unsigned char>& bytes = kept.emplace_back(std::min<std::uint64_t>(memory.bytes, random() % 200));
        for (unsigned char& byte : bytes) byte = static_cast<unsigned char>(word());
        data.push_back({memory.arg, memory.part, random() % 8 == 0 ? 0 : memory.bytes, bytes});
        return kept.size() < 50;
      };
      visit_before(plan, args, read, visit);
      visit_after(plan, args, result, read, visit);
      const decoded_call call{plan.number, args, result, data};
      const decode_options options{random() % 40 == 0 ? 0u : 32u, random() % 2 == 0, {}};
      printed += decode(call, options).size() + decode_result(call, options).size();
    }
  }
  EXPECT_GT(printed, 0u);
}

}  // namespace
}  // namespace genesys::trace
