// SPDX-License-Identifier: Apache-2.0
#include "host/call_recorder.h"

#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <exception>
#include <utility>

#include "execute/inline_data.h"
#include "policy/policy.h"
#include "trace/argument_bytes.h"

namespace genesys::detail {
namespace {

constexpr u64 string_bytes_max = 255;     // of a path
constexpr u64 structure_bytes_max = 256;  // of a structure, or of an array of them
constexpr std::uint16_t many = 0xffff;
constexpr u32 number_mask = 0xfff;

}  // namespace

// The report of a call that a kernel made through a shared ring (uring/report_call.h). It holds what the kernel wrote.
void call_recorder::begin_ring_call(const request& report, const call_end& end, bool has_slot, draft& of) {
  request call = report;
  call_end ended = end;
  completion_extra more{};
  if (has_slot) {
    completion_extra& from = extras_[report.completion_slot];
    more = {std::atomic_ref<u64>(from.first).load(std::memory_order_relaxed),
            std::atomic_ref<u64>(from.second).load(std::memory_order_relaxed)};
  }
  call.number = (has_slot ? static_cast<u32>(more.first >> 32) : report.completion_slot) & number_mask;
  ended.value = static_cast<std::int32_t>(more.first);
  ended.by = trace::made_by::kernel;
  begin_call(call, report.number, ended, has_slot, of);
  of.call.ring = {static_cast<u32>(more.second >> 32), static_cast<u32>(more.second)};
}

void call_recorder::leave_data_out(const request& r, trace::call_record& call) {
  request shown = r;
  (void)take_carried_data(shown);
  for (int i = 0; i < 6; ++i) call.args[i] = shown.args[i];
}

// As much of it as the record has room for.
void call_recorder::add(draft& of, unsigned arg, unsigned part, u64 total, const void* from, u64 bytes) const {
  const u64 space = (trace::data_words_max - of.data_words) * sizeof(u64);
  if (space <= sizeof(trace::packed_data)) return;
  bytes = std::min(bytes, space - sizeof(trace::packed_data));
  const trace::packed_data head{trace::data_key(arg, part), static_cast<std::uint16_t>(bytes),
                                static_cast<std::uint16_t>(std::min<u64>(total, many))};
  u64* const to = of.data + of.data_words;
  std::memcpy(to, &head, sizeof head);
  const u64 words = (bytes + 7) / 8;
  if (words != 0) to[words] = 0;
  std::memcpy(to + 1, from, bytes);
  of.data_words += static_cast<unsigned>(1 + words);
}

void call_recorder::take_more(const request& r, const call_end& end, draft& of) noexcept {
  try {
    if (const unsigned bytes = to_.data_bytes(); bytes != 0) take_memory(r, end, bytes, of);
    if (to_.records_paths()) take_paths(r, end.value, of);
  } catch (const std::exception&) {  // no memory: the record has less
  }
}

// Kernels may change the memory meanwhile; a reader of the recording sees what was there now.
void call_recorder::take_memory(const request& r, const call_end& end, unsigned data_bytes, draft& of) const {
  const call_plan* const plan = plan_of_call(r.number, r.args);
  if (plan == nullptr) return;
  request shown = r;
  carried_data carried = take_carried_data(shown);
  if (carried.argument < 0 && r.has_inline_data) {  // Linux wrote it
    carried.argument = inline_shape_of(*plan).argument;
    carried.words[0] = end.inline_data;
    if (end.inline_rest != nullptr) std::memcpy(carried.words + 1, end.inline_rest, sizeof carried.words - sizeof(u64));
  }
  const auto is_in_line = [&](unsigned arg) { return static_cast<int>(arg) == carried.argument; };
  const auto capacity_at = [&](unsigned arg, u64 address) {
    return is_in_line(arg) ? sizeof carried.words : memory_.capacity_at(address);
  };
  const auto copy = [&](unsigned arg, void* to, u64 address, u64 bytes) {
    if (!is_in_line(arg)) return memory_.copy_in(to, address, bytes);
    std::memcpy(to, carried.words, bytes);
    return true;
  };
  const auto read = [this](u64 address, void* to, u64 bytes) {
    return memory_.capacity_at(address) >= bytes && memory_.copy_in(to, address, bytes);
  };
  trace::visit_after(*plan, shown.args, end.value, read, [&](const trace::argument_memory& at) {
    const arg_plan& arg = plan->args[at.arg];
    u64 most = structure_bytes_max;
    if (at.is_string) {
      most = string_bytes_max + 1;
    } else if ((arg.kind == arg_kind::bytes && arg.element_bytes == 1 && arg.bytes_most == 0) ||
               (at.part != 0 && arg.kind == arg_kind::vector)) {
      most = data_bytes;
    }
    unsigned char held[std::max(string_bytes_max + 1, structure_bytes_max)];
    const u64 bytes = std::min({at.bytes, most, capacity_at(at.arg, at.address), u64{sizeof held}});
    if (bytes == 0 || !copy(at.arg, held, at.address, bytes)) return true;
    const u64 length = at.is_string ? ::strnlen(reinterpret_cast<const char*>(held), bytes) : bytes;
    const bool is_cut = at.is_string ? length == bytes : bytes < at.bytes;
    add(of, at.arg, at.part, is_cut ? std::max<u64>(at.is_string ? many : at.bytes, bytes) : length, held, length);
    return of.data_words < trace::data_words_max;
  });
}

void call_recorder::take_paths(const request& r, i64 value, draft& of) {
  const call_plan* const plan = plan_of_call(r.number, r.args);
  if (plan == nullptr) return;
  const auto take = [&](unsigned arg, int fd) {
    const std::string path = path_of(fd);
    if (!path.empty()) add(of, arg, trace::part_path, path.size(), path.data(), path.size());
  };
  for (unsigned i = 0; i < plan->args_count; ++i) {
    if (plan->args[i].kind == arg_kind::fd) take(i, static_cast<int>(r.args[i]));
  }
  if (policy::call_of(*plan).new_fd && value >= 0) take(trace::arg_result, static_cast<int>(value));
}

std::string call_recorder::path_of(int fd) {
  if (fd < 0) return {};
  char path[256];
  const ssize_t bytes = ::readlink(("/proc/self/fd/" + std::to_string(fd)).c_str(), path, sizeof path);
  const std::lock_guard hold(lock_);
  if (std::exchange(paths_of_, to_.started()) != to_.started()) paths_.clear();
  if (bytes > 0) return paths_[fd] = std::string(path, static_cast<std::size_t>(bytes));
  const auto last = paths_.extract(fd);  // a kernel may make up any number, so only open ones are kept
  return last ? last.mapped() : std::string();
}

}  // namespace genesys::detail
