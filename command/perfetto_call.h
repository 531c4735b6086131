// SPDX-License-Identifier: Apache-2.0
// What a trace for Perfetto says of a call: the name of its slice, and annotations.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "calls_in_order.h"
#include "trace/perfetto_writer.h"

namespace genesys::command {

// It owns the texts that the annotations point to.
class perfetto_call {
 public:
  // With at most so many bytes of a buffer.
  perfetto_call(const ordered_call& of, unsigned string_bytes);
  perfetto_call(const perfetto_call&) = delete;
  perfetto_call& operator=(const perfetto_call&) = delete;

  std::string_view name() const { return name_; }
  std::span<const trace::annotation> annotations() const { return {annotations_, count_}; }

 private:
  template <class T>
  void add(std::string_view name, T value) {
    annotations_[count_++] = {name, value};
  }
  void add_result(const recorded_call& call, unsigned string_bytes);
  void add_times(const ordered_call& of);

  static constexpr std::size_t annotations_max = 16;

  std::string words_, why_;
  std::string_view name_;
  trace::annotation annotations_[annotations_max];
  std::size_t count_ = 0;
};

}  // namespace genesys::command
