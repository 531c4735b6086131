// SPDX-License-Identifier: Apache-2.0
#include "service/pipeline.h"

#include <algorithm>
#include <bit>
#include <chrono>
#include <limits>
#include <string>
#include <typeinfo>

#include "service/pipeline_run.h"
#include "service/stream_access.h"
#include "trace/clock.h"

namespace genesys::detail::services {
namespace {

constexpr unsigned buffers_max = 256, threads_max = 64;

const service_stream_options& checked(const service_stream_options& chosen) {
  const auto refuse = [](const char* why) {
    throw error(error_code::bad_option, std::string("service_stream_options.") + why);
  };
  if (chosen.input_bytes == 0) refuse("input_bytes: at least 1");
  if (chosen.buffers == 0 || chosen.buffers > buffers_max) refuse("buffers: 1 to 256");
  if (chosen.threads == 0 || chosen.threads > threads_max) refuse("threads: 1 to 64");
  if (chosen.blocks == 0 || chosen.blocks > request_blocks_max) refuse("blocks: 1 to 16,777,215");
  return chosen;
}

std::unique_ptr<copy_engine> engine_for(device& on) {
#if GENESYS_WITH_CUDA
  if (on.kind() == device_kind::cuda) return cuda_copy_engine(on);
#endif
#if GENESYS_WITH_CPU
  if (on.kind() == device_kind::cpu) return cpu_copy_engine(on);
#endif
  throw error(error_code::not_built, "streams have no copy engine on this device");
}

}  // namespace

pipeline::pipeline(std::shared_ptr<core> of, u32 row, u32 version, packing with, const service_stream_options& chosen)
    : core_(std::move(of)),
      row_(row),
      version_(version),
      packing_(std::move(with)),
      chosen_(checked(chosen)),
      buffers_(chosen.buffers) {}

pipeline::~pipeline() {
  // What a copy or a request may still use stays with the server.
  if (std::ranges::none_of(buffers_, &stream_buffer::lost)) {
    core_->memory().pinned().free(host_input_.memory);
    core_->memory().pinned().free(host_output_.memory);
    core_->memory().give_device(device_input_.memory, device_input_.bytes);
    core_->memory().give_device(device_output_.memory, device_output_.bytes);
  }
  // A request that has failed still holds the row, so there is no waiting for it.
  if (copy_row_ != rows_max) (void)core_->rows().unload(copy_row_, copy_version_, 0);
}

service_stream_result pipeline::run(const stream_job& job) {
  const service_transfer way = transfer();
  const std::lock_guard hold(running_);
  return run_by(way, job, false);
}

service_transfer pipeline::transfer() {
  {
    const std::lock_guard hold(running_);
    if (chosen_.transfer != service_transfer::automatic) return chosen_.transfer;
    const auto known = core_->memory().learnt_transfer(chosen_.input_bytes, chosen_.output_bytes);
    if (known != service_transfer::automatic) return chosen_.transfer = known;
  }
  const service_transfer_times took = measure();
  service_transfer best = service_transfer::zero_copy;
  double best_us = took.zero_copy_us;
  const auto compare = [&](service_transfer way, double us) {
    if (us > 0 && us < best_us) best = way, best_us = us;
  };
  compare(service_transfer::copy_engine, took.copy_engine_us);
  compare(service_transfer::by_sms, took.by_sms_us);
  const std::lock_guard hold(running_);
  core_->memory().learn_transfer(chosen_.input_bytes, chosen_.output_bytes, best);
  return chosen_.transfer = best;
}

service_transfer_times pipeline::measure() {
  const std::lock_guard hold(running_);
  return {piece_us(service_transfer::zero_copy), piece_us(service_transfer::copy_engine),
          piece_us(service_transfer::by_sms)};
}

// Only the second half counts: the first pieces wait for memory, for the kernel, and for the stages to fill.
double pipeline::piece_us(service_transfer way) {
  const u64 half = std::max(u64{8} * chosen_.buffers, u64{64});
  stream_job job;
  job.fill = [&](u64 number, std::span<std::byte> into) { return number < 2 * half ? into.size() : 0; };
  u64 from = 0, until = 0;
  job.drain = [&](const service_piece& piece, std::span<const std::byte>, long) {
    until = now_ns();
    if (piece.number + 1 == half) from = until;
  };
  try {
    if (run_by(way, job, true).error != 0) return 0;
  } catch (const error&) {
    if (way == service_transfer::zero_copy) throw;  // the others need more memory
    return 0;
  }
  return static_cast<double>(until - from) / 1e3 / static_cast<double>(half);
}

service_stream_result pipeline::run_by(service_transfer way, const stream_job& job, bool only_copies) {
  const bool input_is_usable = job.is_spans && is_usable(job.from.data(), job.from.size());
  const bool output_is_usable = job.is_spans && is_usable(job.to.data(), job.to.size());
  if ((way == service_transfer::by_sms || only_copies) && copy_row_ == rows_max) {
    const copy_data functor;
    u32 row = rows_max;
    if (!core_->rows().load(core_->code_of(typeid(copy_data)), &functor, sizeof functor, row, copy_version_))
      throw error(error_code::bad_option, "64 services are loaded: unload one, a stream needs the service that copies");
    copy_row_ = row;
  }
  if (way == service_transfer::copy_engine && engine_ == nullptr) engine_ = engine_for(core_->on());
  take_memory(way, !input_is_usable, !output_is_usable);
  pipeline_run one(*this, way, job, {input_is_usable, output_is_usable}, only_copies);
  return one.run();
}

// What the buffers lack. If one of them is lost, all get other memory, because the regions stay with the server.
void pipeline::take_memory(service_transfer way, bool input, bool output) {
  if (std::ranges::any_of(buffers_, &stream_buffer::lost)) {
    buffers_.assign(buffers_.size(), {});
    host_input_ = host_output_ = device_input_ = device_output_ = {};
  }
  const bool on_device = way != service_transfer::zero_copy;
  if (input) take_region(host_input_, false, chosen_.input_bytes, &stream_buffer::host_input);
  if (output) take_region(host_output_, false, chosen_.output_bytes, &stream_buffer::host_output);
  if (on_device) take_region(device_input_, true, chosen_.input_bytes, &stream_buffer::device_input);
  if (on_device) take_region(device_output_, true, chosen_.output_bytes, &stream_buffer::device_output);
}

void pipeline::take_region(region& of, bool on_device, std::size_t bytes, void* stream_buffer::*part) {
  if (of.memory != nullptr || bytes == 0) return;
  const std::size_t alignment = bytes < 4096 ? 256 : 4096;
  const std::size_t apart = (bytes + alignment - 1) / alignment * alignment, all = apart * buffers_.size();
  of.memory = on_device ? core_->memory().take_device(all) : core_->memory().pinned().allocate(all, when_full::refuse);
  if (of.memory == nullptr) {
    throw error(error_code::no_pinned_memory, "the pool is full: a stream needs " + std::to_string(chosen_.buffers) +
                                                  " buffers; free memory, or make service_options.pool_mib larger");
  }
  of.bytes = all;
  auto* next = static_cast<std::byte*>(of.memory);
  for (stream_buffer& buffer : buffers_) {
    buffer.*part = next;
    next += apart;
  }
}

service_ticket pipeline::request(service_piece& piece) {
  packed_arguments packed;
  const u64 capacity = piece.output_bytes;
  packing_(piece, packed);
  if (piece.output_bytes > capacity) {
    throw error(error_code::bad_option, "a stream's arguments ask for " + std::to_string(piece.output_bytes) +
                                            " bytes of output, and there are " + std::to_string(capacity));
  }
  // The pieces of an isolated server are in the pool, where a twin can use them. Others may be in device memory.
  return stream_access::submit(
      core_, row_, version_, packed,
      {.blocks = chosen_.blocks, .where = service_path::gpu, .may_use_twin = core_->is_isolated()});
}

service_ticket pipeline::copy(const void* from, void* to, u64 bytes, u64 more_bytes) {
  packed_arguments packed;
  pack(packed, copy_data::arguments{from, to, bytes, more_bytes});
  return stream_access::submit(core_, copy_row_, copy_version_, packed,
                               {.blocks = chosen_.blocks, .where = service_path::gpu, .may_use_twin = false});
}

bool pipeline::is_usable(const void* at, u64 bytes) const {
  const auto* next = static_cast<const std::byte*>(at);
  for (u64 left = bytes; left != 0;) {
    const u64 run = std::min<u64>(left, core_->memory().usable_bytes(next));
    if (run == 0) return false;
    next += run;
    left -= run;
  }
  return true;
}

std::shared_ptr<pipeline> make_pipeline(service_server& of, u32 row, u32 version, packing with,
                                        const service_stream_options& chosen) {
  return std::make_shared<pipeline>(stream_access::core_of(of), row, version, std::move(with), chosen);
}
service_stream_result run_stream(pipeline& through, const stream_job& job) { return through.run(job); }
service_transfer transfer_of(pipeline& of) { return of.transfer(); }
service_transfer_times measure_stream(pipeline& through) { return through.measure(); }

}  // namespace genesys::detail::services

namespace genesys {

const char* name_of(service_transfer way) noexcept {
  switch (way) {
    case service_transfer::automatic:
      return "automatic";
    case service_transfer::zero_copy:
      return "zero copy";
    case service_transfer::copy_engine:
      return "copy engine";
    case service_transfer::by_sms:
      return "by SMs";
  }
  return "unknown";
}

}  // namespace genesys
