// SPDX-License-Identifier: Apache-2.0
// The threads of a run: filling and draining.
#include "service/pipeline_run.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <string>
#include <thread>

#include "target/start_thread.h"
#include "trace/clock.h"

namespace genesys::detail::services {
namespace {

constexpr u64 spin_ns = 50'000;  // a thread that finds nothing to do looks again so long, and then sleeps in between
constexpr auto sleep = std::chrono::microseconds(20);
// So much is filled and drained between two looks at all pieces.
constexpr std::size_t bytes_at_once = std::size_t{1} << 20;
constexpr unsigned pieces_at_once_max = 32;

std::span<const std::byte> span_of(std::span<const std::byte> all, u64 number, std::size_t bytes) {
  const std::size_t from = number * bytes;
  return all.subspan(from, std::min(bytes, all.size() - from));
}

u64 pieces_of(const stream_job& job, std::size_t bytes) {
  return job.is_spans ? (job.from.size() + bytes - 1) / bytes : ~u64{0};
}

}  // namespace

pipeline_run::pipeline_run(pipeline& of, service_transfer way, const stream_job& job, const usable& spans,
                           bool only_copies)
    : of_(of),
      way_(way),
      job_(job),
      usable_(spans),
      only_copies_(only_copies),
      pieces_(pieces_of(job, of.chosen().input_bytes)),
      states_(of.buffers().size()) {
  if (!job.is_spans || pieces_ == 0) return;
  const u64 last = job.from.size() - (pieces_ - 1) * of.chosen().input_bytes;
  const u64 needed = (pieces_ - 1) * of.chosen().output_bytes + length_of_output(last);
  if (job.to.size() < needed) {
    throw error(error_code::bad_option, "a stream's output needs " + std::to_string(needed) + " bytes, and has " +
                                            std::to_string(job.to.size()));
  }
}

u64 pipeline_run::length_of_output(u64 input_bytes) const {
  const service_stream_options& chosen = of_.chosen();
  return chosen.input_bytes == chosen.output_bytes ? input_bytes : chosen.output_bytes;
}

service_stream_result pipeline_run::run() {
  std::vector<std::thread> others;
  try {
    while (others.size() + 1 < of_.chosen().threads) others.push_back(start_thread([this] { work(); }));
    work();
  } catch (...) {  // Linux gives no thread
    stop(std::current_exception());
    work();
  }
  for (std::thread& one : others) one.join();
  if (thrown_) std::rethrow_exception(thrown_);
  return result_;
}

void pipeline_run::work() {
  u64 idle_since = 0;
  const auto at_once =
      static_cast<unsigned>(std::clamp<std::size_t>(bytes_at_once / of_.chosen().input_bytes, 1, pieces_at_once_max));
  while (!is_over()) {
    bool did = false;
    if (const std::unique_lock hold(moving_, std::try_to_lock); hold.owns_lock()) did = move_on();
    for (unsigned i = 0; i < at_once && (drain_one() || fill_one()); ++i) did = true;
    if (did) {
      idle_since = 0;
      continue;
    }
    std::this_thread::yield();
    const u64 now = now_ns();
    if (idle_since == 0) idle_since = now;
    if (now - idle_since > spin_ns) std::this_thread::sleep_for(sleep);
  }
}

bool pipeline_run::is_over() {
  const std::lock_guard hold(lock_);
  return finished_ == next_ && (filled_all_ || next_ == pieces_);
}

// No piece begins any more, and none is drained.
void pipeline_run::stop(std::exception_ptr thrown) {
  const std::lock_guard hold(lock_);
  filled_all_ = dropping_ = true;
  if (!thrown_) thrown_ = std::move(thrown);
}

bool pipeline_run::fill_one() {
  u64 number = 0;
  {
    const std::lock_guard hold(lock_);
    if (filled_all_ || next_ == pieces_ || (filling_ && !job_.is_spans)) return false;
    number = next_;
    stage expected = stage::free;  // pairs with finish()
    if (!state_of(number).at.compare_exchange_strong(expected, stage::filling, std::memory_order_acquire)) return false;
    next_ = number + 1;
    filling_ = true;
  }
  std::size_t bytes = 0;
  std::exception_ptr thrown;
  try {
    bytes = job_.is_spans ? fill_from_span(number) : fill_by_call(number);
  } catch (...) {
    thrown = std::current_exception();
  }
  piece_state& p = state_of(number);
  if (bytes != 0) prepare(p, number, bytes);
  const std::lock_guard hold(lock_);
  filling_ = false;
  if (bytes != 0) {
    p.at.store(stage::filled, std::memory_order_release);  // pairs with move_on()
    return true;
  }
  // One thread at a time fills by calls, so no later piece has begun.
  next_ = number;
  filled_all_ = true;
  p.at.store(stage::free, std::memory_order_release);
  if (thrown && !thrown_) thrown_ = thrown;
  return true;
}

std::size_t pipeline_run::fill_by_call(u64 number) {
  const std::size_t most = of_.chosen().input_bytes;
  const std::size_t bytes = job_.fill(number, {static_cast<std::byte*>(buffer_of(number).host_input), most});
  if (bytes <= most) return bytes;
  throw error(error_code::bad_option, "a stream's fill returned " + std::to_string(bytes) +
                                          " bytes, and had space for " + std::to_string(most));
}

std::size_t pipeline_run::fill_from_span(u64 number) {
  const auto piece = span_of(job_.from, number, of_.chosen().input_bytes);
  if (!usable_.input) std::memcpy(buffer_of(number).host_input, piece.data(), piece.size());
  return piece.size();
}

void pipeline_run::prepare(piece_state& p, u64 number, std::size_t bytes) {
  const stream_buffer& buffer = buffer_of(number);
  const std::size_t input_bytes = of_.chosen().input_bytes, output_bytes = of_.chosen().output_bytes;
  p.input = usable_.input ? job_.from.data() + number * input_bytes : buffer.host_input;
  p.output = usable_.output ? job_.to.data() + number * output_bytes : buffer.host_output;
  const bool here = way_ == service_transfer::zero_copy;
  p.piece = {number, here ? p.input : buffer.device_input, bytes, here ? p.output : buffer.device_output,
             length_of_output(bytes)};
  p.result = 0;
}

bool pipeline_run::drain_one() {
  piece_state* const p = claim_done();
  if (p == nullptr) return false;
  bool drained = false;
  if (p->result < 0) {
    const std::lock_guard hold(lock_);
    filled_all_ = true;
    if (!job_.is_spans) dropping_ = true;
    if (p->piece.number < failed_piece_) {
      failed_piece_ = p->piece.number;
      result_.error = p->result;
    }
  } else if (!dropping_.load(std::memory_order_relaxed)) {
    try {
      drain_now(*p);
      drained = true;
    } catch (...) {
      stop(std::current_exception());
    }
  }
  finish(*p, drained);
  return true;
}

pipeline_run::piece_state* pipeline_run::claim_done() {
  const std::lock_guard hold(lock_);
  const u64 tries = job_.is_spans ? states_.size() : finished_ == next_ ? 0 : 1;
  for (u64 i = 0; i < tries; ++i) {
    piece_state& p = state_of(finished_ + i);
    stage expected = stage::done;  // pairs with move_on()
    if (!p.at.compare_exchange_strong(expected, stage::draining, std::memory_order_acquire)) continue;
    return &p;
  }
  return nullptr;
}

void pipeline_run::drain_now(const piece_state& p) {
  std::span<const std::byte> output{static_cast<const std::byte*>(p.output), p.piece.output_bytes};
  if (job_.is_spans && !usable_.output) {
    std::byte* const to = job_.to.data() + p.piece.number * of_.chosen().output_bytes;
    if (!output.empty()) std::memcpy(to, output.data(), output.size());
    output = {to, output.size()};
  }
  if (job_.drain) job_.drain(p.piece, output, p.result);
}

void pipeline_run::finish(piece_state& p, bool drained) {
  const std::lock_guard hold(lock_);
  if (drained) {
    ++result_.pieces;
    result_.input_bytes += p.piece.input_bytes;
    result_.output_bytes += p.piece.output_bytes;
    result_.sum += static_cast<u64>(p.result);
  }
  ++finished_;
  p.at.store(stage::free, std::memory_order_release);  // pairs with fill_one()
}

}  // namespace genesys::detail::services
