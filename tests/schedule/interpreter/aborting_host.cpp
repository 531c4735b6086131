// SPDX-License-Identifier: Apache-2.0
#include "aborting_host.h"

#include <array>

#include "schedule/rewrite/abort_words.h"

namespace genesys::schedule::interpreter {

aborting_host::aborting_host(machine& on, unsigned seed) : on_(on), random_(seed) {
  flags_ = on.global().allocate(std::size_t{replicas} * flag_stride);
  counts_ = on.global().allocate(std::size_t{count_replicas} * count_stride);
  latch_ = on.global().allocate(sizeof(std::uint32_t));
}

void aborting_host::prepare(launch& one, std::uint32_t context_offset) {
  one.parameters.resize(context_offset + context_bytes);
  const auto put = [&](std::uint32_t offset, const auto& value) {
    std::memcpy(one.parameters.data() + context_offset + offset, &value, sizeof value);
  };
  ++epoch_;
  put(context_flags, flags_);
  put(context_counts, counts_);
  put(context_latch, latch_);
  put(context_epoch, epoch_);
  put(context_chain, epoch_);
  put(context_mask, replicas - 1);
  put(context_ahead, std::uint32_t{0});
}

std::uint64_t aborting_host::counted(std::uint32_t which) {
  std::uint64_t sum = 0;
  for (std::uint32_t i = 0; i < count_replicas; ++i) sum += on_.global().load(counts_ + i * count_stride + which, 8);
  return sum;
}

void aborting_host::run(launch one, std::uint32_t context_offset, const host_settings& settings) {
  for (unsigned attempt = 0;; ++attempt) {
    prepare(one, context_offset);
    const std::vector<std::uint8_t> saved = on_.global().contents();
    const std::uint64_t later = counted(count_left_later), at_entry = counted(count_left_at_entry);
    std::array<std::uint64_t, replicas> when;
    const std::uint64_t raised = attempt < settings.aborts_max ? random_() % (settings.within + 1) : ~std::uint64_t{0};
    for (std::uint64_t& each : when) each = raised == ~std::uint64_t{0} ? raised : raised + random_() % 200;
    on_.meanwhile = [&](std::uint64_t step) {
      for (unsigned i = 0; i < replicas; ++i) {
        if (step >= when[i]) on_.global().store(flags_ + i * flag_stride, 4, epoch_);
      }
    };
    const ended end = on_.run(one);
    on_.meanwhile = nullptr;
    const std::uint64_t entry_now = counted(count_left_at_entry) - at_entry,
                        left_now = entry_now + counted(count_left_later) - later;
    if (left_now != end.left_early) throw std::logic_error("the counts do not say how many threads left early");
    if (left_now == 0) {
      ++report_.whole;
      return;
    }
    ++report_.aborted;
    if (settings.rolls_back) {
      on_.global().restore(saved);  // the words of the protocol as well: no flag is lost, for the epoch changes
    }
  }
}

}  // namespace genesys::schedule::interpreter
