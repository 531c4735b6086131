// SPDX-License-Identifier: Apache-2.0
// Streams of requests that read and write as much as they can, against what the link carries both ways at once
// (docs/service-buffers.md). The bench's main thread calls.
//
// The floor is two streams of cudaMemcpyAsync with 16 MiB of pinned memory each, one to the device and one back. A
// ratio is a rate over that of the floor in the same round. `stream_to_link` is that of the size where it is least.
#include "service/stream.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "genesys/genesys.h"
#include "genesys/service.h"
#include "genesys/service_stream.h"

namespace service_bench {
namespace {

using genesys::service_transfer;
using measure::bench;
using measure::numbers;

constexpr std::size_t kib = 1024, mib = 1024 * kib, buffers_max = 256;

struct {
  unsigned blocks = 24, threads = 512, buffers = 16, mib = 12, request_blocks = 1, host_threads = 8, short_us = 0;
} options;

// to[i] = from[i] ^ key: reads each 16 bytes once, and writes as much.
struct change_words {
  struct arguments {
    const void* from;
    void* to;
    std::uint64_t bytes, key;
  };
  GENESYS_KERNEL long operator()(const genesys::service_block& here, const arguments& with) const {
    using genesys::sixteen_bytes;
    genesys::transform_words(here, static_cast<const sixteen_bytes*>(with.from), static_cast<sixteen_bytes*>(with.to),
                             with.bytes / sizeof(sixteen_bytes), [&](const sixteen_bytes& word) {
                               return sixteen_bytes{word.first ^ with.key, word.second ^ with.key};
                             });
    return 0;
  }
};

change_words::arguments arguments_for(const genesys::service_piece& piece) {
  return {piece.input, piece.output, piece.input_bytes, piece.number + 1};
}

// Copies that fill the link both ways at once.
class link_floor {
 public:
  explicit link_floor(genesys::runtime& rt) : rt_(rt) {
    host_ = static_cast<std::byte*>(rt_.allocate_arena(2 * piece));
    device_ = static_cast<std::byte*>(rt_.allocate_device(2 * piece));
#if defined(__CUDACC__)
    for (cudaStream_t& stream : streams_) {
      if (is_cuda() && cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking) != cudaSuccess)
        throw measure::failure("no stream");
    }
#endif
  }
  ~link_floor() {
#if defined(__CUDACC__)
    for (cudaStream_t stream : streams_) {
      if (stream != nullptr) (void)cudaStreamDestroy(stream);
    }
#endif
    rt_.free_arena(host_);
    rt_.free_device(device_);
  }
  link_floor(const link_floor&) = delete;
  link_floor& operator=(const link_floor&) = delete;

  void operator()(std::size_t bytes) {
#if defined(__CUDACC__)
    if (is_cuda()) {
      for (std::size_t done = 0; done < bytes; done += piece) {
        const std::size_t now = std::min(piece, bytes - done);
        (void)cudaMemcpyAsync(device_, host_, now, cudaMemcpyHostToDevice, streams_[0]);
        (void)cudaMemcpyAsync(host_ + piece, device_ + piece, now, cudaMemcpyDeviceToHost, streams_[1]);
      }
      for (cudaStream_t stream : streams_) {
        if (cudaStreamSynchronize(stream) != cudaSuccess) throw measure::failure("a copy failed");
      }
      return;
    }
#endif
    for (std::size_t done = 0; done < bytes; done += piece) {
      const std::size_t now = std::min(piece, bytes - done);
      rt_.copy_to_device(device_, host_, now);
      rt_.copy_to_host(host_ + piece, device_ + piece, now);
    }
  }

 private:
  static constexpr std::size_t piece = 16 * mib;
  bool is_cuda() const { return rt_.kind() == genesys::device_kind::cuda; }
  genesys::runtime& rt_;
  std::byte *host_ = nullptr, *device_ = nullptr;
#if defined(__CUDACC__)
  cudaStream_t streams_[2] = {};
#endif
};

std::string text_of(std::size_t bytes) {
  return bytes < mib ? std::to_string(bytes / kib) + "k" : std::to_string(bytes / mib) + "m";
}

std::string text_of(service_transfer way) {
  return way == service_transfer::zero_copy     ? "zero_copy"
         : way == service_transfer::copy_engine ? "copy_engine"
                                                : "by_sms";
}

// Small pieces need more buffers, so that the copy engines move several of them at a time.
genesys::service_stream_options chosen_for(std::size_t piece, service_transfer way) {
  return {.input_bytes = piece,
          .output_bytes = piece,
          .buffers = std::max(options.buffers, static_cast<unsigned>(std::min(options.mib * mib / piece, buffers_max))),
          .blocks = options.request_blocks,
          .transfer = way};
}

using stream = genesys::service_stream<change_words>;
using services = genesys::bounded_service_list<512, change_words>;

// The data is in the pool, so filling and draining cost nothing. Of each output the ends are checked, of the first 32
// pieces `whole`. (The input is zeros.)
void run(stream& through, std::size_t piece, std::size_t bytes, bool whole = false) {
  const std::uint64_t pieces = whole ? 32 : bytes / piece;
  std::uint64_t wrong = 0;
  const auto result =
      through.run([&](std::uint64_t number, std::span<std::byte>) { return number < pieces ? piece : 0; },
                  [&](const genesys::service_piece& of, std::span<const std::byte> output, long) {
                    std::uint64_t first = 0, last = 0;
                    std::memcpy(&first, output.data(), 8);
                    std::memcpy(&last, output.data() + output.size() - 8, 8);
                    wrong += first != of.number + 1 || last != of.number + 1;
                    if (whole) wrong += std::memcmp(output.data(), output.data() + 8, output.size() - 8) != 0;
                  });
  if (result.error != 0 || result.pieces != pieces || wrong != 0) {
    throw measure::failure("a stream gave " + std::to_string(result.error) + " after " + std::to_string(result.pieces) +
                           " pieces, " + std::to_string(wrong) + " of them wrong");
  }
}

numbers least(const numbers& a, const numbers& b) {
  if (a.empty()) return b;
  numbers both;
  for (std::size_t i = 0; i < a.size(); ++i) both.push_back(std::min(a[i], b[i]));
  return both;
}

struct measured_size {
  numbers best_to_link;
  std::map<std::string, numbers> to_link;  // by way
};

measured_size one_size(bench& all, genesys::service_server& server, const genesys::service<change_words>& changes,
                       link_floor& floor, std::size_t piece, std::size_t bytes) {
  stream zero_copy(server, changes, arguments_for, chosen_for(piece, service_transfer::zero_copy)),
      engines(server, changes, arguments_for, chosen_for(piece, service_transfer::copy_engine)),
      by_sms(server, changes, arguments_for, chosen_for(piece, service_transfer::by_sms)),
      chosen(server, changes, arguments_for, chosen_for(piece, service_transfer::automatic));
  for (stream* one : {&zero_copy, &engines, &by_sms}) run(*one, piece, bytes, true);
  std::printf("%zu KiB: %s is chosen\n", piece / kib, genesys::name_of(chosen.transfer()));
  const auto [links, zeros, engine_copies, sm_copies, best] = bench::by_turns(
      7, [&] { floor(bytes); }, [&] { run(zero_copy, piece, bytes); }, [&] { run(engines, piece, bytes); },
      [&] { run(by_sms, piece, bytes); }, [&] { run(chosen, piece, bytes); });
  const double moved = 2.0 * static_cast<double>(bytes);
  const numbers link = measure::gigabytes_per_second(links, moved);
  const double x = static_cast<double>(piece) / kib;
  all.keep_at("stream", "link", "KiB", x, "GB/s", link);
  measured_size got;
  for (const auto& [way, rounds] : {std::pair{service_transfer::zero_copy, &zeros},
                                    {service_transfer::copy_engine, &engine_copies},
                                    {service_transfer::by_sms, &sm_copies}}) {
    const numbers rate = measure::gigabytes_per_second(*rounds, moved);
    all.keep_at("stream", genesys::name_of(way), "KiB", x, "GB/s", rate);
    got.to_link[text_of(way)] = measure::ratios(rate, link);
    all.keep("stream_to_link_" + text_of(piece) + "_" + text_of(way), "ratio", got.to_link[text_of(way)]);
  }
  got.best_to_link = measure::ratios(measure::gigabytes_per_second(best, moved), link);
  all.keep("stream_to_link_" + text_of(piece), "ratio", got.best_to_link);
  all.keep("stream_cores_" + text_of(piece), "cores", measure::user_cores(best));
  return got;
}

// From ordinary memory to ordinary memory: threads of the host fill and drain.
void pageable(bench& all, genesys::service_server& server, const genesys::service<change_words>& changes,
              std::size_t piece, std::size_t bytes) {
  std::vector<std::byte> from(bytes), to(bytes);
  for (const unsigned threads : {1u, 2u, options.host_threads}) {
    genesys::service_stream_options chosen = chosen_for(piece, service_transfer::automatic);
    chosen.threads = threads;
    stream through(server, changes, arguments_for, chosen);
    (void)through.transfer();
    const auto [rounds] = bench::by_turns(5, [&] {
      if (through.run(from, to).pieces != bytes / piece) throw measure::failure("a stream did not come to its end");
    });
    all.keep_at("stream_pageable", "in and out", "threads", threads, "GB/s",
                measure::gigabytes_per_second(rounds, 2.0 * static_cast<double>(bytes)));
  }
}

std::size_t bytes_of_run(bench& all) {
  return all.on_gpu() ? (all.quick() ? 128 * mib : 1024 * mib) : (all.quick() ? 2 * mib : 8 * mib);
}

genesys::service_options options_of_server(bench& all) {
  genesys::service_options chosen;
  chosen.device = all.runtime_options();
  if (all.on_gpu()) {
    chosen.blocks = options.blocks;
    chosen.threads = options.threads;
  }
  chosen.short_us = options.short_us;  // 0: the block that dispatches does nothing else
  return chosen;
}

void measure_streams(bench& all) {
  const std::size_t bytes = bytes_of_run(all);
  link_floor floor(all.runtime());
  genesys::service_server server(services{}, options_of_server(all));
  std::printf("%s\n", server.describe().c_str());
  const auto changes = server.load(change_words{});
  numbers to_link;
  std::map<std::string, numbers> to_link_by;
  for (const std::size_t piece : {64 * kib, 256 * kib, 1 * mib, 4 * mib}) {
    if (!all.on_gpu() && piece > mib) break;
    const measured_size got = one_size(all, server, changes, floor, piece, bytes);
    to_link = least(to_link, got.best_to_link);
    for (const auto& [way, ratio] : got.to_link) to_link_by[way] = least(to_link_by[way], ratio);
  }
  all.keep("stream_to_link", "ratio", to_link);
  for (const auto& [way, ratio] : to_link_by) all.keep("stream_to_link_" + way, "ratio", ratio);
  pageable(all, server, changes, all.on_gpu() ? mib : 256 * kib, all.on_gpu() ? 256 * mib : 4 * mib);
}

// How the number of buffers, and of a request's blocks, changes the rate.
void measure_shapes(bench& all) {
  const std::size_t bytes = bytes_of_run(all) / 2;
  genesys::service_server server(services{}, options_of_server(all));
  const auto changes = server.load(change_words{});
  for (const service_transfer way : {service_transfer::zero_copy, service_transfer::copy_engine}) {
    for (const std::size_t piece : {64 * kib, 1 * mib}) {
      for (const unsigned blocks : {1u, 2u, 4u, 8u}) {
        for (const unsigned buffers : {4u, 8u, 16u, 32u}) {
          genesys::service_stream_options chosen = chosen_for(piece, way);
          chosen.blocks = blocks;
          chosen.buffers = buffers;
          stream through(server, changes, arguments_for, chosen);
          const auto [rounds] = bench::by_turns(3, [&] { run(through, piece, bytes); });
          all.keep_at("stream_shape_" + text_of(piece) + "_" + text_of(way), "blocks: " + std::to_string(blocks),
                      "buffers", buffers, "GB/s",
                      measure::gigabytes_per_second(rounds, 2.0 * static_cast<double>(bytes)));
        }
      }
    }
  }
}

}  // namespace

void add_stream(bench& all) {
  all.option("--stream-blocks", options.blocks, "resident blocks of the streams' server, on a GPU");
  all.option("--stream-threads", options.threads, "threads of each of them");
  all.option("--stream-buffers", options.buffers, "pieces of a stream under way at a time, at least");
  all.option("--stream-mib", options.mib, "and at least so many MiB, if 256 pieces have so much");
  all.option("--stream-request-blocks", options.request_blocks, "blocks of a piece's request");
  all.option("--stream-host-threads", options.host_threads, "threads that fill from and drain to ordinary memory");
  all.option("--stream-short-us", options.short_us, "service_options::short_us of the streams' server");
  all.part("stream", "pieces of 64 KiB to 4 MiB in and out at once, against copies both ways at once", measure_streams);
  all.part("stream_shape", "the same by how many buffers a stream has, and how many blocks a request", measure_shapes);
}

}  // namespace service_bench
