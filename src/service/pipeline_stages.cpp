// SPDX-License-Identifier: Apache-2.0
// How a piece gets from stage to stage: copies begin and end, requests are submitted and collected. One thread of the
// run at a time, the one that holds moving_.
#include <algorithm>
#include <cerrno>
#include <cstring>

#include "service/pipeline_run.h"
#include "trace/clock.h"

namespace genesys::detail::services {
namespace {

// A copy waits for no kernel, so a healthy GPU never exceeds this.
constexpr u64 copy_timeout_ns = 10'000'000'000;
constexpr u64 copies_queued = 2;                  // of a way: the engine finds the next one when one has ended
constexpr u64 together_bytes_max = u64{4} << 20;  // a copy of so many bytes takes as long as the link needs for them

// After these results a block may still use the memory of the request.
bool leaves_memory_in_use(long result) {
  return result == -ETIMEDOUT || result == -EIO || result == -EBADMSG || result == -ECANCELED;
}

}  // namespace

// True: a piece has got to its next stage.
bool pipeline_run::move_on() {
  bool did = false;
  looked_[0] = looked_[1] = false;
  const u64 end = next_.load(std::memory_order_relaxed), most = states_.size();
  for (u64 number = end > most ? end - most : 0; number < end; ++number) {
    piece_state& p = state_of(number);
    try {
      did |= move_on(p, buffer_of(number));
    } catch (...) {
      stop(std::current_exception());
      buffer_of(number).lost = true;  // a copy or a request may be under way
      finish_moving(p, -EIO);
    }
  }
  if (way_ != service_transfer::copy_engine) return did;
  did |= copy_together(copy_way::to_device);
  return copy_together(copy_way::to_host) || did;
}

// Begins copies of pieces that are filled, or that have run.
bool pipeline_run::copy_together(copy_way which) {
  const bool in = which == copy_way::to_device;
  const u64 end = next_.load(std::memory_order_relaxed), most = states_.size();
  bool did = false;
  u64 first = 0, count = 0, bytes = 0;  // a run of pieces, so far
  const auto place = [&](u64 number) {
    const piece_state& p = state_of(number);
    const stream_buffer& buffer = buffer_of(number);
    return in ? std::pair{static_cast<const std::byte*>(p.input), static_cast<const std::byte*>(buffer.device_input)}
              : std::pair{static_cast<const std::byte*>(p.output), static_cast<const std::byte*>(buffer.device_output)};
  };
  const auto length = [&](u64 number) {
    const service_piece& piece = state_of(number).piece;
    return in ? piece.input_bytes : piece.output_bytes;
  };
  for (u64 number = end > most ? end - most : 0; number < end; ++number) {
    // Pairs with fill_one().
    if (state_of(number).at.load(std::memory_order_acquire) != (in ? stage::filled : stage::ran)) continue;
    if (count != 0) {
      const auto [on_host, on_device] = place(first);
      const bool is_beside = first + count == number && place(number) == std::pair{on_host + bytes, on_device + bytes};
      if (!is_beside || bytes + length(number) > together_bytes_max) {
        if (!copy_together(which, first, count, bytes)) return did;
        did = true;
        count = bytes = 0;
      }
    }
    if (count == 0) first = number;
    ++count;
    bytes += length(number);
  }
  return (count != 0 && copy_together(which, first, count, bytes)) || did;
}

// Begins the copy of `count` pieces. False: enough copies are under way.
bool pipeline_run::copy_together(copy_way which, u64 first, u64 count, u64 bytes) {
  const auto way = static_cast<int>(which);
  if (!stuck_[way] && copies_begun_[way] >= copies_queued + copies_ended_[way] &&
      !has_ended(copies_begun_[way] - copies_queued + 1, which))
    return false;
  const bool in = which == copy_way::to_device;
  u64 copy = 0;
  try {
    piece_state& p = state_of(first);
    stream_buffer& buffer = buffer_of(first);
    copy = in ? begin_copies(which, buffer.device_input, p.input, bytes)
              : begin_copies(which, p.output, buffer.device_output, bytes);
  } catch (...) {
    stop(std::current_exception());
  }
  const u64 now = now_ns();
  for (u64 number = first; number < first + count; ++number) {
    piece_state& p = state_of(number);
    if (copy == 0) {
      buffer_of(number).lost = true;  // a part of the copy may be under way
      finish_moving(p, -EIO);
      continue;
    }
    p.copy = copy;
    p.since_ns = now;
    p.at.store(in ? stage::to_device : stage::to_host, std::memory_order_relaxed);
  }
  return true;
}

bool pipeline_run::move_on(piece_state& p, stream_buffer& buffer) {
  switch (p.at.load(std::memory_order_acquire)) {  // pairs with fill_one()
    case stage::filled:
      if (dropping_.load(std::memory_order_relaxed)) {
        finish_moving(p, 0);
      } else if (way_ == service_transfer::copy_engine) {
        return false;  // copy_together() looks for it
      } else {
        begin_input(p, buffer);
      }
      return true;
    case stage::to_device:
      if (!has_moved(p, buffer, copy_way::to_device)) return false;
      if (p.at.load(std::memory_order_relaxed) == stage::to_device) begin_request(p);
      return true;
    case stage::running:
      if (!p.ticket->is_done()) return false;
      end_request(p, buffer);
      return true;
    case stage::to_host:
      if (!has_moved(p, buffer, copy_way::to_host)) return false;
      if (p.at.load(std::memory_order_relaxed) == stage::to_host) finish_moving(p, p.result);
      return true;
    default:
      return false;  // the piece is another thread's, or there is none
  }
}

void pipeline_run::begin_input(piece_state& p, stream_buffer& buffer) {
  const u64 bytes = p.piece.input_bytes;
  if (way_ == service_transfer::zero_copy) return begin_request(p);
  p.ticket.emplace(of_.copy(p.input, buffer.device_input, bytes));
  p.at.store(stage::to_device, std::memory_order_relaxed);
}

void pipeline_run::begin_request(piece_state& p) {
  if (only_copies_) {
    const u64 bytes = std::min(p.piece.input_bytes, p.piece.output_bytes);
    p.ticket.emplace(of_.copy(p.piece.input, p.piece.output, bytes, p.piece.input_bytes - bytes));
  } else {
    p.ticket.emplace(of_.request(p.piece));
  }
  p.at.store(stage::running, std::memory_order_relaxed);
}

void pipeline_run::end_request(piece_state& p, stream_buffer& buffer) {
  const long result = p.ticket->wait();
  p.ticket.reset();
  if (leaves_memory_in_use(result)) buffer.lost = true;
  if (result >= 0 && of_.chosen().result_is_output_bytes && !only_copies_) {
    if (static_cast<u64>(result) > p.piece.output_bytes) return finish_moving(p, -EOVERFLOW);
    p.piece.output_bytes = static_cast<u64>(result);
  }
  const u64 bytes = p.piece.output_bytes;
  if (result < 0 || bytes == 0 || way_ == service_transfer::zero_copy) return finish_moving(p, result);
  p.result = result;
  if (way_ == service_transfer::copy_engine) return p.at.store(stage::ran, std::memory_order_relaxed);
  p.ticket.emplace(of_.copy(buffer.device_output, p.output, bytes));
  p.at.store(stage::to_host, std::memory_order_relaxed);
}

// True: the bytes are there, or the piece has failed and has left its stage.
bool pipeline_run::has_moved(piece_state& p, stream_buffer& buffer, copy_way which) {
  if (way_ == service_transfer::by_sms) {
    if (!p.ticket->is_done()) return false;
    const long result = p.ticket->wait();
    p.ticket.reset();
    if (result < 0) {
      buffer.lost = leaves_memory_in_use(result);
      finish_moving(p, result);
    }
    return true;
  }
  if (has_ended(p.copy, which)) return true;
  if (now_ns() - p.since_ns < copy_timeout_ns) return false;
  stuck_[static_cast<int>(which)] = true;
  buffer.lost = true;
  finish_moving(p, -ETIMEDOUT);
  return true;
}

// Asking CUDA takes a microsecond, so that happens once for all pieces.
bool pipeline_run::has_ended(u64 copy, copy_way which) {
  const auto way = static_cast<int>(which);
  if (copies_ended_[way] < copy && !looked_[way]) {
    copies_ended_[way] = of_.engine().ended(which);
    looked_[way] = true;
  }
  return copies_ended_[way] >= copy;
}

// One copy for each registration that the memory of the host lies in. The number of the last one.
u64 pipeline_run::begin_copies(copy_way which, void* to, const void* from, u64 bytes) {
  u64 last = 0;
  const auto* next = static_cast<const std::byte*>(from);
  auto* into = static_cast<std::byte*>(to);
  while (bytes != 0) {
    const std::byte* const on_host = which == copy_way::to_device ? next : into;
    const u64 run = std::min<u64>(bytes, of_.server().memory().usable_bytes(on_host));
    if (run == 0) throw error(error_code::bad_option, "the memory of a stream is not registered any more");
    last = of_.engine().begin(which, into, next, run);
    copies_begun_[static_cast<int>(which)] = last;
    next += run;
    into += run;
    bytes -= run;
  }
  return last;
}

void pipeline_run::finish_moving(piece_state& p, long result) {
  p.ticket.reset();
  p.result = result;
  p.at.store(stage::done, std::memory_order_release);  // pairs with claim_done()
}

}  // namespace genesys::detail::services
