// SPDX-License-Identifier: Apache-2.0
// Requests whose results a callback or a std::future gets. For host programs; docs/service-buffers.md.
//
//   genesys::service_callbacks later(server);
//   later.submit(adds, {a, b, sum, 1024}, {.blocks = 4}, [](long result) { ... });
//   std::future<long> result = later.submit(adds, {a, b, sum, 1024});
#pragma once

#include <functional>
#include <future>
#include <memory>
#include <utility>

#include "genesys/service.h"

namespace genesys {

namespace detail::services {
class callback_thread;
}

// Has a thread, which looks for completions while there are requests, and sleeps otherwise. Any thread may call the
// functions of an object, several at once.
class service_callbacks {
 public:
  using callback = std::function<void(long result)>;
  // Runs work, now or later, on a thread of its own: `post` of an event loop or a thread pool, for example.
  using executor = std::function<void(std::function<void()> work)>;

  // Callbacks run on the object's thread, one at a time, in the order in which the results come. A callback that takes
  // long holds up the others. With an executor they run there: the object's thread only calls the executor. Neither may
  // throw: an exception ends the program. Throws error(system): Linux gives no thread.
  explicit service_callbacks(service_server& server, executor on = {});
  // Waits for all results, and until each callback has run or is with the executor. Not from a callback. The server may
  // end before, but then submits nothing more.
  ~service_callbacks();
  service_callbacks(const service_callbacks&) = delete;
  service_callbacks& operator=(const service_callbacks&) = delete;

  // Calls the service, and then `then` with its result, as service_server::call() returns it; also if it is refused.
  // Never from within submit() itself.
  template <class S>
  void submit(const service<S>& which, const typename S::arguments& with, const service_call& how, callback then) {
    add(server_.submit(which, with, how), std::move(then));
  }
  template <class S>
  [[nodiscard]] std::future<long> submit(const service<S>& which, const typename S::arguments& with,
                                         const service_call& how = {}) {
    auto promised = std::make_shared<std::promise<long>>();
    std::future<long> result = promised->get_future();
    submit(which, with, how, [promised](long value) { promised->set_value(value); });
    return result;
  }

 private:
  void add(service_ticket ticket, callback then);
  service_server& server_;
  std::unique_ptr<detail::services::callback_thread> thread_;
};

}  // namespace genesys
