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
// Requests end about in their order. So the newest ones are not looked at while so many older ones run.
constexpr unsigned unfinished_looks = 32;

// After these results a block may still use the memory of the request.
bool leaves_memory_in_use(long result) {
  return result == -ETIMEDOUT || result == -EIO || result == -EBADMSG || result == -ECANCELED;
}

}  // namespace

// True: a piece has got to its next stage.
bool pipeline_run::move_on() {
  looked_[0] = looked_[1] = false;
  bool did = way_ == service_transfer::copy_engine ? begin_input_copies() : begin_inputs();
  const bool by_engine = way_ == service_transfer::copy_engine;
  const unsigned looks = by_engine ? 1 : unfinished_looks;  // copies of an engine end in their order
  did |= sweep(to_device_, looks, [&](u64 number) { return ends_input(number); });
  did |= sweep(running_, unfinished_looks, [&](u64 number) { return ends_request(number); });
  if (by_engine) did |= begin_output_copies();
  did |= sweep(to_host_, looks, [&](u64 number) { return ends_output(number); });
  return did;
}

// Looks at the pieces of a stage, the oldest first, until so many of them have not left it. leaves(number): the piece
// has left.
template <class F>
bool pipeline_run::sweep(std::vector<u64>& pieces, unsigned unfinished_max, const F& leaves) {
  std::size_t at = 0, kept = 0;
  for (; at < pieces.size() && kept < unfinished_max; ++at) {
    const u64 number = pieces[at];
    bool has_left = true;
    try {
      has_left = leaves(number);
    } catch (...) {
      fail_moving(number);
    }
    if (!has_left) pieces[kept++] = number;
  }
  pieces.erase(pieces.begin() + static_cast<std::ptrdiff_t>(kept), pieces.begin() + static_cast<std::ptrdiff_t>(at));
  return kept != at;
}

// The next piece that no stage has, if it is filled.
bool pipeline_run::is_filled(u64 number) {
  return number < next_.load(std::memory_order_relaxed) &&
         state_of(number).at.load(std::memory_order_acquire) == stage::filled;  // pairs with fill_one()
}

// Pieces that are dropped leave at once.
bool pipeline_run::drops(u64 number) {
  if (!dropping_.load(std::memory_order_relaxed)) return false;
  finish_moving(number, 0);
  return true;
}

bool pipeline_run::begin_inputs() {
  bool did = false;
  for (; is_filled(begun_); did = true) {
    const u64 number = begun_++;
    state_of(number).at.store(stage::moving, std::memory_order_relaxed);
    if (drops(number)) continue;
    try {
      begin_input(number);
    } catch (...) {
      fail_moving(number);
    }
  }
  return did;
}

// Begins copies of pieces that are filled. Those that lie side by side are copied together.
bool pipeline_run::begin_input_copies() {
  std::vector<u64>& filled = side_by_side_;
  filled.clear();
  bool did = false;
  for (u64 number = begun_; is_filled(number); ++number) {
    if (number == begun_ && drops(number)) {
      ++begun_;
      did = true;
    } else {
      filled.push_back(number);
    }
  }
  const std::size_t begun = copy_together(copy_way::to_device, filled);
  begun_ += begun;
  return did || begun != 0;
}

// And of those that have run.
bool pipeline_run::begin_output_copies() {
  std::ranges::sort(ran_);
  const std::size_t begun = copy_together(copy_way::to_host, ran_);
  ran_.erase(ran_.begin(), ran_.begin() + static_cast<std::ptrdiff_t>(begun));
  return begun != 0;
}

// How many of them it has begun to copy, the first ones.
std::size_t pipeline_run::copy_together(copy_way which, const std::vector<u64>& pieces) {
  const bool in = which == copy_way::to_device;
  const auto bytes_of = [&](u64 number) {
    const service_piece& piece = state_of(number).piece;
    return in ? piece.input_bytes : piece.output_bytes;
  };
  const auto place = [&](u64 number) {
    const piece_state& p = state_of(number);
    const stream_buffer& buffer = buffer_of(number);
    return in ? std::pair{static_cast<const std::byte*>(p.input), static_cast<const std::byte*>(buffer.device_input)}
              : std::pair{static_cast<const std::byte*>(p.output), static_cast<const std::byte*>(buffer.device_output)};
  };
  std::size_t first = 0;
  while (first < pieces.size()) {
    const auto [on_host, on_device] = place(pieces[first]);
    u64 bytes = bytes_of(pieces[first]);
    std::size_t end = first + 1;
    while (end < pieces.size() && place(pieces[end]) == std::pair{on_host + bytes, on_device + bytes} &&
           bytes + bytes_of(pieces[end]) <= together_bytes_max)
      bytes += bytes_of(pieces[end++]);
    if (!copy_together(which, {pieces.data() + first, end - first}, bytes)) break;
    first = end;
  }
  return first;
}

// Begins the copy of some pieces, as one. False: enough copies are under way.
bool pipeline_run::copy_together(copy_way which, std::span<const u64> pieces, u64 bytes) {
  const auto way = static_cast<int>(which);
  if (!stuck_[way] && copies_begun_[way] >= copies_queued + copies_ended_[way] &&
      !has_ended(copies_begun_[way] - copies_queued + 1, which))
    return false;
  const bool in = which == copy_way::to_device;
  u64 copy = 0;
  try {
    piece_state& p = state_of(pieces[0]);
    stream_buffer& buffer = buffer_of(pieces[0]);
    copy = in ? begin_copies(which, buffer.device_input, p.input, bytes)
              : begin_copies(which, p.output, buffer.device_output, bytes);
  } catch (...) {
    stop(std::current_exception());
  }
  const u64 now = now_ns();
  for (const u64 number : pieces) {
    piece_state& p = state_of(number);
    p.at.store(stage::moving, std::memory_order_relaxed);
    if (copy == 0) {
      buffer_of(number).lost = true;  // a part of the copy may be under way
      finish_moving(number, -EIO);
      continue;
    }
    p.copy = copy;
    p.since_ns = now;
    (in ? to_device_ : to_host_).push_back(number);
  }
  return true;
}

void pipeline_run::begin_input(u64 number) {
  piece_state& p = state_of(number);
  if (way_ == service_transfer::zero_copy) return begin_request(number);
  p.ticket.emplace(of_.copy(p.input, buffer_of(number).device_input, p.piece.input_bytes));
  to_device_.push_back(number);
}

bool pipeline_run::ends_input(u64 number) {
  long result = 0;
  if (!has_moved(number, copy_way::to_device, result)) return false;
  if (result < 0) {
    finish_moving(number, result);
  } else {
    begin_request(number);
  }
  return true;
}

void pipeline_run::begin_request(u64 number) {
  piece_state& p = state_of(number);
  if (only_copies_) {
    const u64 bytes = std::min(p.piece.input_bytes, p.piece.output_bytes);
    p.ticket.emplace(of_.copy(p.piece.input, p.piece.output, bytes, p.piece.input_bytes - bytes));
  } else {
    p.ticket.emplace(of_.request(p.piece));
  }
  running_.push_back(number);
}

bool pipeline_run::ends_request(u64 number) {
  piece_state& p = state_of(number);
  if (!p.ticket->is_done()) return false;
  stream_buffer& buffer = buffer_of(number);
  const long result = p.ticket->wait();
  p.ticket.reset();
  if (leaves_memory_in_use(result)) buffer.lost = true;
  if (result >= 0 && of_.chosen().result_is_output_bytes && !only_copies_) {
    if (static_cast<u64>(result) > p.piece.output_bytes) return finish_moving(number, -EOVERFLOW);
    p.piece.output_bytes = static_cast<u64>(result);
  }
  const u64 bytes = p.piece.output_bytes;
  if (result < 0 || bytes == 0 || way_ == service_transfer::zero_copy) return finish_moving(number, result);
  p.result = result;
  if (way_ == service_transfer::copy_engine) {
    ran_.push_back(number);
    return true;
  }
  p.ticket.emplace(of_.copy(buffer.device_output, p.output, bytes));
  to_host_.push_back(number);
  return true;
}

bool pipeline_run::ends_output(u64 number) {
  long result = 0;
  if (!has_moved(number, copy_way::to_host, result)) return false;
  return finish_moving(number, result < 0 ? result : state_of(number).result);
}

// Whether the copy has ended. `result`: negative if it has failed.
bool pipeline_run::has_moved(u64 number, copy_way which, long& result) {
  piece_state& p = state_of(number);
  stream_buffer& buffer = buffer_of(number);
  if (way_ == service_transfer::by_sms) {
    if (!p.ticket->is_done()) return false;
    result = p.ticket->wait();
    p.ticket.reset();
    if (result < 0) buffer.lost = leaves_memory_in_use(result);
    return true;
  }
  if (has_ended(p.copy, which)) return true;
  if (now_ns() - p.since_ns < copy_timeout_ns) return false;
  stuck_[static_cast<int>(which)] = true;
  buffer.lost = true;
  result = -ETIMEDOUT;
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

// Always true: the piece has left its stage.
bool pipeline_run::finish_moving(u64 number, long result) {
  piece_state& p = state_of(number);
  p.ticket.reset();
  p.result = result;
  p.at.store(stage::done, std::memory_order_release);  // pairs with claim_done()
  return true;
}

// By a handler of an exception: a copy or a request may be under way.
void pipeline_run::fail_moving(u64 number) {
  stop(std::current_exception());
  buffer_of(number).lost = true;
  finish_moving(number, -EIO);
}

}  // namespace genesys::detail::services
