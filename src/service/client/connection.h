// SPDX-License-Identifier: Apache-2.0
// A client's connection to the daemon: the socket, the ring (ring.h), the memory, and which slots and parts are free.
// Any thread calls it. A thread of its own watches the socket, and wakes all others when the daemon has gone.
#pragma once

#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "genesys/service_client.h"
#include "schedule/daemon/descriptor.h"
#include "service/client/free_ranges.h"
#include "service/client/hello.h"

namespace genesys::detail::serving {

using schedule::processes::descriptor;

// A mapping of a memfd, which unmaps itself.
class mapping {
 public:
  mapping() = default;
  // Throws service_client_error: the memfd could shrink under this process, or Linux has no memory.
  mapping(int fd, std::size_t bytes);
  mapping(const mapping&) = delete;
  mapping& operator=(mapping&& from) noexcept;
  ~mapping();
  std::byte* data() const { return data_; }
  std::size_t bytes() const { return bytes_; }

 private:
  std::byte* data_ = nullptr;
  std::size_t bytes_ = 0;
};

// The path of the socket that a client uses if it is told none.
std::string default_client_socket();
// Throws service_client_error.
descriptor connect_to(const std::string& socket);
// Waits for one packet. Throws service_client_error.
reply receive_reply(int socket, unsigned timeout_ms, std::vector<descriptor>& passed);
void send_hello(int socket, const hello& what, const std::vector<int>& passed = {});

class connection {
 public:
  explicit connection(const service_client_options& options);
  ~connection();
  connection(const connection&) = delete;
  connection& operator=(const connection&) = delete;

  const std::vector<remote_description>& services() const { return services_; }
  void* memory() const { return memory_.data(); }
  std::size_t memory_bytes() const { return memory_.bytes(); }
  void* allocate(std::size_t bytes);
  void free(void* memory);

  // C1 to C4. 0, or why not.
  long submit(u32 service, const void* arguments, std::size_t bytes, const remote_call& how, u32& slot, u32& use);
  // C5, C6. True: the result is there, and the slot is free.
  bool collect(u32 slot, u32 use, long& result);
  // C5 to C7.
  long wait(u32 slot, u32 use);
  // Nobody waits for the request.
  void abandon(u32 slot);

 private:
  static constexpr u32 no_slot = ~u32{0};

  void read_directory(u32 count, std::size_t at);
  long translate(const remote_description& of, std::byte* arguments) const;
  u32 take_slot(bool refuse_if_full, long& why_not);
  u32 try_slot();
  bool has_ended(u32 slot) const;
  void give_slot(u32 slot);
  bool is_there(u32 slot, u32 use, long& result) const;
  long is_closed() const;
  long sleep(u32 slot, u32 use);
  void watch();

  const unsigned spin_us_;
  unsigned forks_;  // of this process, at the beginning
  descriptor socket_, end_;
  mapping ring_memory_, memory_;
  ring_view ring_;
  u32 blocks_max_ = 0;
  std::vector<remote_description> services_;
  std::vector<u32> numbers_;  // of the same services, in requests

  std::unique_ptr<std::atomic<u64>[]> free_, abandoned_;  // a bit for each slot
  std::unique_ptr<std::atomic<u32>[]> uses_;              // of each slot; its owner changes it
  std::atomic<u32> slot_waiters_{0};
  std::mutex slot_lock_;
  std::condition_variable slot_freed_;

  std::mutex memory_lock_;
  std::unique_ptr<free_ranges> parts_;

  std::atomic<bool> is_lost_{false};
  std::thread watching_;
};

}  // namespace genesys::detail::serving
