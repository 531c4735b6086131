// SPDX-License-Identifier: Apache-2.0
// A stream's pipeline (genesys/service_stream.h): its buffers, and how pieces are moved. pipeline_run.h has what
// happens while run() lasts.
#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "genesys/service_stream.h"
#include "service/copy_engine.h"
#include "service/core.h"

namespace genesys::detail::services {

// Memory for a piece that is under way: a part of each region of the pipeline. Null: not needed so far.
struct stream_buffer {
  void *host_input = nullptr, *host_output = nullptr;
  void *device_input = nullptr, *device_output = nullptr;
  // A request or a copy has failed so that something may still use the memory. It stays with the server.
  bool lost = false;
};

class pipeline {
 public:
  pipeline(std::shared_ptr<core> of, u32 row, u32 version, packing with, const service_stream_options& chosen);
  ~pipeline();
  pipeline(const pipeline&) = delete;
  pipeline& operator=(const pipeline&) = delete;

  service_stream_result run(const stream_job& job);
  service_transfer transfer();
  service_transfer_times measure();

  // --- For a run. Any thread of it.
  const service_stream_options& chosen() const { return chosen_; }
  core& server() { return *core_; }
  std::vector<stream_buffer>& buffers() { return buffers_; }
  copy_engine& engine() { return *engine_; }  // one thread at a time
  // Submits the request of a piece; the packing may change it.
  service_ticket request(service_piece& piece);
  // Submits a request to the service that copies. `more_bytes`: copy_data::arguments.
  service_ticket copy(const void* from, void* to, u64 bytes, u64 more_bytes = 0);
  // Whether the device can use all these bytes.
  bool is_usable(const void* at, u64 bytes) const;

 private:
  service_stream_result run_by(service_transfer way, const stream_job& job, bool only_copies);
  // The memory of all buffers, one after the other, so that one copy moves the pieces of several.
  struct region {
    void* memory = nullptr;
    std::size_t bytes = 0;
  };
  void take_memory(service_transfer way, bool input, bool output);
  void take_region(region& of, bool on_device, std::size_t bytes, void* stream_buffer::*part);
  double piece_us(service_transfer way);

  const std::shared_ptr<core> core_;
  const u32 row_, version_;
  const packing packing_;
  service_stream_options chosen_;  // transfer: automatic until it is measured
  std::mutex running_;
  std::vector<stream_buffer> buffers_;
  region host_input_, host_output_, device_input_, device_output_;
  std::unique_ptr<copy_engine> engine_;
  u32 copy_row_ = rows_max, copy_version_ = 0;  // rows_max: not loaded
};

}  // namespace genesys::detail::services
