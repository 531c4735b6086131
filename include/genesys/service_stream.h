// SPDX-License-Identifier: Apache-2.0
// Streams: much data passes through a service in pieces, as in the pipeline of KGPU (section 3.2). Each piece goes
// through five stages: it is filled in, moved to the device, worked on, moved back, and drained. Pieces in different
// stages are under way at once. For host programs; docs/service-buffers.md.
//
//   genesys::service_stream<aes> stream(server, server.load(aes{}), [&](genesys::service_piece& piece) {
//     return aes::arguments{piece.input, piece.output, piece.input_bytes, first_block + piece.number * blocks};
//   });
//   stream.run([&](std::uint64_t, std::span<std::byte> into) { return fread(into.data(), 1, into.size(), from); },
//              [&](const genesys::service_piece&, std::span<const std::byte> output, long) {
//                fwrite(output.data(), 1, output.size(), to);
//              });
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <utility>

#include "genesys/service.h"

namespace genesys {

// How a piece gets to the device and back.
enum class service_transfer {
  automatic,    // the fastest for this size, as measured once for each server
  zero_copy,    // the service reads and writes pinned memory over the link
  copy_engine,  // the GPU's copy engines move it to device memory and back
  by_sms,       // a service that copies moves it, on the blocks of the server
};
const char* name_of(service_transfer) noexcept;

struct service_stream_options {
  std::size_t input_bytes = std::size_t{1} << 20;   // of a piece, at most
  std::size_t output_bytes = std::size_t{1} << 20;  // of a piece, at most
  unsigned buffers = 8;                             // pieces under way at a time: 1 to 256
  unsigned blocks = 1;                              // of each request (service_call::blocks)
  // How many threads fill and drain: 1 to 64. run()'s caller is one of them. With two, filling and draining go on at
  // once; more are of use for memory that is not pinned (run() with spans).
  unsigned threads = 1;
  service_transfer transfer = service_transfer::automatic;
  // The service returns how many bytes of output it has made; only these are moved back and drained.
  bool result_is_output_bytes = false;
};

// A part of the data. The pointers are valid on the device.
struct service_piece {
  std::uint64_t number = 0;  // from 0
  const void* input = nullptr;
  std::uint64_t input_bytes = 0;
  void* output = nullptr;
  std::uint64_t output_bytes = 0;
};

struct service_stream_result {
  std::uint64_t pieces = 0;        // that were drained
  std::uint64_t input_bytes = 0;   // of these pieces
  std::uint64_t output_bytes = 0;  // of these pieces
  std::uint64_t sum = 0;           // of the results of their requests
  long error = 0;                  // the negative result that ended the stream; 0: it came to its end
};

// Microseconds for a piece while the pipeline is full. 0: this way is not possible.
struct service_transfer_times {
  double zero_copy_us = 0, copy_engine_us = 0, by_sms_us = 0;
};

namespace detail::services {

// What run() moves. Either `fill` and `drain`, one call of each at a time, in the order of the pieces; or spans.
struct stream_job {
  std::function<std::size_t(std::uint64_t, std::span<std::byte>)> fill;
  std::function<void(const service_piece&, std::span<const std::byte>, long)> drain;
  std::span<const std::byte> from;
  std::span<std::byte> to;
  bool is_spans = false;
};
using packing = std::function<void(service_piece&, packed_arguments&)>;

class pipeline;
std::shared_ptr<pipeline> make_pipeline(service_server&, std::uint32_t row, std::uint32_t version, packing,
                                        const service_stream_options&);
service_stream_result run_stream(pipeline&, const stream_job&);
service_transfer transfer_of(pipeline&);
service_transfer_times measure_stream(pipeline&);

}  // namespace detail::services

template <class S>
class service_stream {
 public:
  // The arguments of a piece's request. It may lower piece.output_bytes: so much is then moved back and drained.
  // Before, that is the input's length if both options are equal, else the option's. Called by any thread of run(), one
  // at a time.
  using arguments_of = std::function<typename S::arguments(service_piece& piece)>;
  // Writes the next piece, and returns its length. 0: there are no more. Called in the order of the pieces, one at a
  // time.
  using fill = std::function<std::size_t(std::uint64_t number, std::span<std::byte> into)>;
  // Takes a piece's output; `result` is the request's, and not negative. piece.output is the device's. Called in the
  // order of the pieces, one at a time; beside `fill` if there are several threads.
  using drain = std::function<void(const service_piece& piece, std::span<const std::byte> output, long result)>;

  // Takes memory of the server's pool: buffers * (input_bytes + output_bytes), when run() first needs it. A way that
  // needs device memory takes as much of that. Throws error(bad_option). The server may end before the stream.
  service_stream(service_server& server, const service<S>& which, arguments_of with,
                 const service_stream_options& chosen = {})
      : pipeline_(detail::services::make_pipeline(
            server, which.row_, which.version_,
            [make = std::move(with)](service_piece& piece, detail::services::packed_arguments& packed) {
              detail::services::pack(packed, make(piece));
              packed.quiet = detail::services::is_quiet_service<S>();
            },
            chosen)) {}

  // Moves all pieces through the service, and returns when none is under way. If a request has a negative result, no
  // further piece is drained. If `fill` throws, the pieces before are drained, then run() throws it. If `drain` or
  // `arguments_of` throws, no further piece is drained, and run() throws it. Throws error(no_pinned_memory, no_memory,
  // launch_failed). One run() at a time: another thread waits.
  service_stream_result run(const fill& in, const drain& out) {
    return detail::services::run_stream(*pipeline_, {in, out, {}, {}, false});
  }
  // The same for data that lies in memory: piece n is at n * input_bytes of `from`, its output at n * output_bytes of
  // `to`. What lies in the pool, or in registered memory, is not copied by the CPU; the rest is, by all threads. `each`
  // is called when the output of a piece is there, in any order, and by several threads at once. After an error any
  // part of `to` may have been written. Throws also error(bad_option): `to` is too short.
  service_stream_result run(std::span<const std::byte> from, std::span<std::byte> to, const drain& each = {}) {
    return detail::services::run_stream(*pipeline_, {{}, each, from, to, true});
  }

  // The way that is chosen. If it is `automatic`, the first call measures.
  service_transfer transfer() { return detail::services::transfer_of(*pipeline_); }
  // Moves pieces of this size by each way, with a service that copies.
  service_transfer_times measure_transfers() { return detail::services::measure_stream(*pipeline_); }

 private:
  std::shared_ptr<detail::services::pipeline> pipeline_;
};

}  // namespace genesys
