// SPDX-License-Identifier: Apache-2.0
#include "host/sigquit.h"

#include <signal.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <exception>
#include <iostream>
#include <map>
#include <mutex>

#include "host/serving_thread.h"
#include "policy/policy.h"

namespace genesys::detail {
namespace {

std::mutex lock;
std::map<const void*, std::function<void(std::ostream&)>> reports;  // guarded by lock
int wakeup = -1;                                                    // set once, before the handler is installed

void on_sigquit(int) {
  const int before = errno;
  const eventfd_t one = 1;
  (void)!::write(wakeup, &one, sizeof one);
  errno = before;
}

void wait_and_report() {
  for (;;) {
    eventfd_t rings;
    if (::read(wakeup, &rings, sizeof rings) < 0) {
      if (errno != EINTR) return;
      continue;
    }
    const std::lock_guard hold(lock);
    try {
      for (const auto& [who, report] : reports) report(std::cerr);
    } catch (const std::exception& caught) {
      std::fprintf(stderr, "genesys: there can be no report: %s\n", caught.what());
    }
  }
}

// With `lock` held; once a process. Where Linux has no descriptor or thread to give, there are no reports.
void install() {
  struct sigaction now {};
  if (::sigaction(SIGQUIT, nullptr, &now) != 0 || now.sa_handler != SIG_DFL) return;  // the program's own
  const int made = ::eventfd(0, EFD_CLOEXEC);
  if (made < 0) return;
  wakeup = made;
  policy::protect(made);
  try {
    serving_thread("genesys-sigquit", wait_and_report).detach();
  } catch (const std::exception&) {
    wakeup = -1;
    policy::release(made);
    ::close(made);
    return;
  }
  struct sigaction ours {};
  ours.sa_handler = on_sigquit;
  ours.sa_flags = SA_RESTART;
  ::sigaction(SIGQUIT, &ours, nullptr);
}

}  // namespace

void report_on_sigquit(const void* who, std::function<void(std::ostream&)> report) {
  const std::lock_guard hold(lock);
  reports[who] = std::move(report);
  if (wakeup < 0) install();
}

void forget_on_sigquit(const void* who) {
  const std::lock_guard hold(lock);
  reports.erase(who);
}

}  // namespace genesys::detail
