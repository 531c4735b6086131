// SPDX-License-Identifier: Apache-2.0
// Several processes: connects the driver with the scheduling daemon (docs/schedule-processes.md). While a more
// important process is busy, an instance of the driver's outside task stands for it: the policy makes way for it as for
// any other more important instance. The driver calls begin() and end() under its lock; it has a thread of its
// own.
#pragma once

#include <atomic>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "schedule/daemon/client.h"
#include "schedule/driver/driver.h"

namespace genesys::schedule {

class process_member final : public outside_hooks {
 public:
  // Whether a daemon may be asked: its socket is there, or the environment names one.
  static bool is_wanted();

  // `kernels`: what the process tells of its kernels. The thread calls it while somebody looks.
  using kernel_reports = std::function<std::vector<processes::kernel_report>()>;
  process_member(driver& of, std::uint64_t device, kernel_reports kernels);
  ~process_member() override;
  process_member(const process_member&) = delete;
  process_member& operator=(const process_member&) = delete;

  // The process's nice value: that of its most important task.
  void set_nice(int nice);

  bool begin() override;
  void end() override { last_end_.store(now_or_never(), std::memory_order_relaxed); }

 private:
  void settle_nice();
  void work();
  void run_free_or_hold();
  void report_if_wanted();
  static time_ns now_or_never();

  driver& of_;
  const kernel_reports kernels_;
  std::mutex lock_;  // of client_
  std::unique_ptr<processes::client> client_;
  int asked_ = nice_least;     // under lock_: the last nice value
  bool has_begun_ = false;     // under lock_: the client's state is not idle
  bool is_important_ = false;  // a more important member exists, as the driver knows
  std::atomic<time_ns> last_end_{0};
  std::mutex sleeping_;
  std::condition_variable wake_;
  bool is_busy_ = false, ends_ = false;  // under sleeping_
  std::thread thread_;
};

}  // namespace genesys::schedule
