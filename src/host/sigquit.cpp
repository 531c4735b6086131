// SPDX-License-Identifier: Apache-2.0
#include "host/sigquit.h"

#include <signal.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <cerrno>
#include <iostream>
#include <map>
#include <mutex>
#include <thread>

namespace genesys::detail {
namespace {

std::mutex lock;
std::map<const void*, std::function<void(std::ostream&)>> reports;  // guarded by lock
int bell = -1;                                                      // set once, before the handler is installed

void on_sigquit(int) {
  const int before = errno;
  const eventfd_t one = 1;
  (void)!::write(bell, &one, sizeof one);
  errno = before;
}

void wait_and_report() {
  for (;;) {
    eventfd_t rings;
    if (::read(bell, &rings, sizeof rings) < 0 && errno != EINTR) return;
    const std::lock_guard hold(lock);
    for (const auto& [who, report] : reports) report(std::cerr);
  }
}

// With `lock` held; once a process.
void install() {
  struct sigaction now {};
  if (::sigaction(SIGQUIT, nullptr, &now) != 0 || now.sa_handler != SIG_DFL) return;  // the program's own
  bell = ::eventfd(0, EFD_CLOEXEC);
  if (bell < 0) return;
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  std::thread(wait_and_report).detach();
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  struct sigaction ours {};
  ours.sa_handler = on_sigquit;
  ours.sa_flags = SA_RESTART;
  ::sigaction(SIGQUIT, &ours, nullptr);
}

}  // namespace

void report_on_sigquit(const void* who, std::function<void(std::ostream&)> report) {
  const std::lock_guard hold(lock);
  reports[who] = std::move(report);
  if (bell < 0) install();
}

void forget_on_sigquit(const void* who) {
  const std::lock_guard hold(lock);
  reports.erase(who);
}

}  // namespace genesys::detail
