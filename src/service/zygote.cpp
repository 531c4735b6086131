// SPDX-License-Identifier: Apache-2.0
#include "service/zygote.h"

#include <dlfcn.h>
#include <poll.h>
#include <stdio_ext.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>

#include "genesys/error.h"

namespace genesys::detail::services {
namespace {

enum what : u32 { hello, start_child, reap_child };
struct message {
  u32 what = hello, number = 0;
  i64 value = 0;  // of an answer: a pid, a status, or -errno
};
constexpr int reply_timeout_ms = 10'000;

int pidfd_of(pid_t pid) { return static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)); }

// Whether CUDA has started in this process. Asks without starting it.
bool uses_cuda() {
  void* const driver = ::dlopen("libcuda.so.1", RTLD_LAZY | RTLD_NOLOAD);
  if (driver == nullptr) return false;
  using get_current = int(void**);
  auto* const ask = reinterpret_cast<get_current*>(::dlsym(driver, "cuCtxGetCurrent"));
  constexpr int not_initialized = 3;  // CUDA_ERROR_NOT_INITIALIZED
  void* context = nullptr;
  const bool in_use = ask != nullptr && ask(&context) != not_initialized;
  (void)::dlclose(driver);
  return in_use;
}

bool receive(int from, message& into, int timeout_ms) {
  pollfd one{from, POLLIN, 0};
  int got = 0;
  while ((got = ::poll(&one, 1, timeout_ms)) < 0 && errno == EINTR) {
  }
  return got == 1 && ::recv(from, &into, sizeof into, 0) == static_cast<ssize_t>(sizeof into);
}
bool send(int to, const message& one) {
  return ::send(to, &one, sizeof one, MSG_NOSIGNAL) == static_cast<ssize_t>(sizeof one);
}

// Signals, descriptors and unwritten output are the parent's. Error messages still go where its own go.
void leave_parent(int socket) {
  (void)::setsid();  // Ctrl-C in a terminal is for the parent
  for (int number = 1; number < NSIG; ++number) ::signal(number, SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  (void)::sigprocmask(SIG_SETMASK, &none, nullptr);
  __fpurge(stdout);
  if (socket > STDERR_FILENO + 1) (void)::close_range(STDERR_FILENO + 1, static_cast<unsigned>(socket) - 1, 0);
  (void)::close_range(static_cast<unsigned>(socket) + 1, ~0u, 0);
}

[[noreturn]] void be_child(const std::function<void(u32)>& child, u32 number, pid_t mine, int socket) {
  (void)::prctl(PR_SET_PDEATHSIG, SIGKILL);  // its parent has one thread
  if (::getppid() != mine) ::_exit(1);
  ::close(socket);
  (void)::prctl(PR_SET_NAME, "genesys-gpu");
  child(number);
  ::_exit(0);
}

[[noreturn]] void be_zygote(const std::function<void(u32)>& child, pid_t server, int socket) {
  leave_parent(socket);
  (void)::prctl(PR_SET_NAME, "genesys-zygote");
  const pid_t mine = ::getpid();
  const int server_death = pidfd_of(server);
  pid_t under_way = -1;
  bool goes_on = send(socket, {hello, 0, mine});
  while (goes_on) {
    pollfd both[] = {{socket, POLLIN, 0}, {server_death, POLLIN, 0}};
    if (::poll(both, server_death >= 0 ? 2 : 1, -1) < 0 && errno != EINTR) break;  // no bound: it lives with the server
    if (server_death >= 0 && both[1].revents != 0) break;
    if (both[0].revents == 0) continue;
    message asked;
    if (!receive(socket, asked, 0)) break;  // the server has closed its end
    if (asked.what == start_child && under_way < 0) {
      under_way = ::fork();
      if (under_way == 0) be_child(child, asked.number, mine, socket);
      asked.value = under_way < 0 ? -errno : under_way;
    } else if (asked.what == reap_child && under_way > 0) {
      int status = 0;
      (void)::waitpid(under_way, &status, 0);  // it is dead: the server has seen it
      under_way = -1;
      asked.value = status;
    } else {
      asked.value = -EINVAL;
    }
    goes_on = send(socket, asked);
  }
  if (under_way > 0) {
    (void)::kill(under_way, SIGKILL);
    (void)::waitpid(under_way, nullptr, 0);
  }
  ::_exit(0);
}

}  // namespace

zygote::zygote(std::function<void(u32)> child, bool may_use_cuda) : owner_(::getpid()) {
  if (may_use_cuda && uses_cuda()) {
    throw error(error_code::forked,
                "CUDA is in use in this process, so no child of it can use the GPU: make the isolated service_server "
                "before anything that uses CUDA, or set service_options.isolated = false");
  }
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0)
    throw error(error_code::system, std::string("socketpair failed: ") + std::strerror(errno));
  // The process in between ends at once, so that the zygote is no child of the program: a program that waits for all
  // its children does not wait for this one.
  const pid_t between = ::fork();
  if (between == 0) {
    ::close(ends[0]);
    const pid_t made = ::fork();
    if (made == 0) be_zygote(child, owner_, ends[1]);
    ::_exit(made < 0 ? 1 : 0);
  }
  const int failed = errno;
  ::close(ends[1]);
  socket_ = ends[0];
  if (between > 0) (void)::waitpid(between, nullptr, 0);
  message first;
  if (between < 0 || !receive(socket_, first, reply_timeout_ms)) {
    ::close(socket_);
    throw error(error_code::system, std::string("no process for the GPU's side can be forked") +
                                        (between < 0 ? std::string(": ") + std::strerror(failed) : std::string()));
  }
  pid_ = static_cast<pid_t>(first.value);
}

zygote::~zygote() {
  kill();
  if (death_fd_ >= 0) {
    if (::getpid() == owner_) (void)is_dead(reply_timeout_ms);
    ::close(death_fd_);
  }
  ::close(socket_);
}

bool zygote::ask(u32 what, u32 number, i64& into) {
  message reply;
  if (!send(socket_, {what, number, 0}) || !receive(socket_, reply, reply_timeout_ms) || reply.what != what) {
    is_gone_ = true;
    why_ = "the process that forks the GPU's side is gone";
    return false;
  }
  into = reply.value;
  return true;
}

bool zygote::start(u32 number) {
  i64 pid = 0;
  if (!ask(start_child, number, pid)) return false;
  if (pid <= 0) {
    why_ = std::string("fork failed: ") + std::strerror(static_cast<int>(-pid));
    return false;
  }
  // The zygote collects the child only when reap() asks for it, so the number is still this child's.
  death_fd_ = pidfd_of(static_cast<pid_t>(pid));
  if (death_fd_ < 0) {
    why_ = std::string("pidfd_open failed: ") + std::strerror(errno);
    (void)::kill(static_cast<pid_t>(pid), SIGKILL);
    i64 status = 0;
    (void)ask(reap_child, number, status);
    return false;
  }
  child_pid_.store(static_cast<pid_t>(pid));
  return true;
}

bool zygote::is_dead(int timeout_ms) const {
  pollfd one{death_fd_, POLLIN, 0};
  return death_fd_ < 0 || (::poll(&one, 1, timeout_ms) == 1 && (one.revents & POLLIN) != 0);
}

void zygote::kill() {
  // By the descriptor: if the zygote is gone, the number may belong to another process.
  if (death_fd_ >= 0 && ::getpid() == owner_) (void)::syscall(SYS_pidfd_send_signal, death_fd_, SIGKILL, nullptr, 0);
}

std::string zygote::reap() {
  i64 status = 0;
  const bool known = ask(reap_child, 0, status);
  ::close(death_fd_);
  death_fd_ = -1;
  child_pid_.store(-1);
  if (!known) return "is dead, and so is the process that forks it";
  const int value = static_cast<int>(status);
  if (WIFSIGNALED(value)) return std::string("was killed by signal ") + std::to_string(WTERMSIG(value));
  return "ended with status " + std::to_string(WEXITSTATUS(value));
}

}  // namespace genesys::detail::services
