// SPDX-License-Identifier: Apache-2.0
#include "host/sigquit.h"

#include <poll.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>
#include <iostream>
#include <map>
#include <memory>
#include <mutex>
#include <thread>

#include "host/serving_thread.h"
#include "policy/descriptors.h"

namespace genesys::detail {
namespace {

// Of all runtimes of the process.
struct reporter {
  std::mutex changing;  // of `installed` and `waiting`; the thread never takes it
  std::thread waiting;
  struct sigaction before {};  // the handler before ours
  bool installed = false;

  std::mutex lock;  // of the reports
  std::map<const void*, std::function<void(std::ostream&)>> reports;
  std::atomic<bool> over{false};  // tells the thread to leave

  own_descriptor wakeup;  // never closed: a late handler may still write to it

  reporter* parents = nullptr;  // in a child of fork(): the parent's reporter, in an unknown state
};

// The reporter of this process; null before the first runtime. Never destroyed, because a runtime may be static too.
constinit std::atomic<reporter*> current{nullptr};
constinit std::atomic<reporter*> parents_reporter{nullptr};

reporter& the_reporter() {
  reporter* one = current.load(std::memory_order_acquire);
  if (one != nullptr) return *one;
  auto fresh = std::make_unique<reporter>();
  fresh->parents = parents_reporter.load(std::memory_order_relaxed);
  if (current.compare_exchange_strong(one, fresh.get(), std::memory_order_acq_rel)) one = fresh.release();
  return *one;
}

std::atomic<int> handlers_eventfd{-1};  // for the handler; set before the handler is installed

void on_sigquit(int) {
  const int before = errno;
  const eventfd_t one = 1;
  (void)!::write(handlers_eventfd.load(std::memory_order_relaxed), &one, sizeof one);
  errno = before;
}

// Clears the eventfd. False: Linux refuses to read it.
bool take_rings(int wakeup) {
  eventfd_t rings;
  return ::read(wakeup, &rings, sizeof rings) >= 0 || errno == EAGAIN || errno == EINTR;
}

void wait_and_report(reporter& of) {
  pollfd looked{of.wakeup.get(), POLLIN, 0};
  for (;;) {
    if (::poll(&looked, 1, -1) < 0 && errno != EINTR) return;
    if (of.over.load(std::memory_order_acquire)) return;  // pairs with end_thread
    if ((looked.revents & POLLIN) == 0) continue;
    if (!take_rings(looked.fd)) return;
    const std::lock_guard hold(of.lock);
    try {
      for (const auto& [owner, report] : of.reports) report(std::cerr);
    } catch (const std::exception& caught) {
      std::fprintf(stderr, "genesys: there can be no report: %s\n", caught.what());
    }
  }
}

void end_thread(reporter& of) {
  of.over.store(true, std::memory_order_release);  // pairs with wait_and_report
  while (::eventfd_write(of.wakeup.get(), 1) != 0 && errno == EINTR) {
  }
  of.waiting.join();
}

void say_why_not(const char* why) { std::fprintf(stderr, "genesys: SIGQUIT (Ctrl-\\) prints no reports: %s\n", why); }

// With `changing` held. Without a descriptor or a thread, SIGQUIT prints no reports.
void install(reporter& of) {
  if (::sigaction(SIGQUIT, nullptr, &of.before) != 0 || of.before.sa_handler != SIG_DFL) return;  // the program's
  if (of.wakeup.get() < 0) {
    const int made = ::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (made < 0) return say_why_not(std::strerror(errno));
    of.wakeup.take(made);
    handlers_eventfd.store(made, std::memory_order_relaxed);
  }
  (void)take_rings(of.wakeup.get());  // a signal may have come after the last remove()
  of.over.store(false, std::memory_order_relaxed);
  try {
    of.waiting = serving_thread("genesys-sigquit", [&of] { wait_and_report(of); });
  } catch (const std::exception& caught) {
    return say_why_not(caught.what());
  }
  struct sigaction ours {};
  ours.sa_handler = on_sigquit;
  ours.sa_flags = SA_RESTART;
  of.installed = ::sigaction(SIGQUIT, &ours, nullptr) == 0;
  if (!of.installed) end_thread(of);
}

// With `changing` held. Restores the handler from before ours. A handler that the program installed since stays.
void remove(reporter& of) {
  struct sigaction now {};
  if (::sigaction(SIGQUIT, nullptr, &now) != 0) return;
  if (now.sa_handler == on_sigquit && ::sigaction(SIGQUIT, &of.before, nullptr) != 0) return;
  of.installed = false;
  end_thread(of);
}

}  // namespace

void report_on_sigquit(const void* owner, std::function<void(std::ostream&)> report) {
  reporter& all = the_reporter();
  const std::lock_guard alone(all.changing);
  {
    const std::lock_guard hold(all.lock);
    all.reports[owner] = std::move(report);
  }
  if (!all.installed) install(all);
}

void forget_on_sigquit(const void* owner) {
  reporter* const all = current.load(std::memory_order_acquire);
  if (all == nullptr) return;  // the runtime could not be made, and there was no memory for a reporter
  const std::lock_guard alone(all->changing);
  bool last;
  {
    const std::lock_guard hold(all->lock);
    all->reports.erase(owner);
    last = all->reports.empty();
  }
  if (last && all->installed) remove(*all);
}

// The parent's locks may be held by threads that the child lacks, so the child makes a new reporter.
void leave_sigquit_to_parent() {
  reporter* const parents = current.exchange(nullptr, std::memory_order_relaxed);
  if (parents == nullptr) return;
  parents_reporter.store(parents, std::memory_order_relaxed);
  struct sigaction now {};
  if (::sigaction(SIGQUIT, nullptr, &now) == 0 && now.sa_handler == on_sigquit) {
    now = {};
    now.sa_handler = SIG_DFL;  // ours is installed only where the default was
    (void)::sigaction(SIGQUIT, &now, nullptr);
  }
  handlers_eventfd.store(-1, std::memory_order_relaxed);
  parents->wakeup.reset();
}

}  // namespace genesys::detail
