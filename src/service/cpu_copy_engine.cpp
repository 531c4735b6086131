// SPDX-License-Identifier: Apache-2.0
// Copies on the CPU device (copy_engine.h).
#include "service/copy_engine.h"

namespace genesys::detail::services {
namespace {

class copies_on_cpu final : public copy_engine {
 public:
  explicit copies_on_cpu(device& on) : on_(on) {}

  u64 begin(copy_way way, void* to, const void* from, std::size_t bytes) override {
    if (way == copy_way::to_device) {
      on_.copy_to_device(to, from, bytes);
    } else {
      on_.copy_to_host(to, from, bytes);
    }
    return ++ended_[static_cast<int>(way)];
  }
  u64 ended(copy_way way) override { return ended_[static_cast<int>(way)]; }

 private:
  device& on_;
  u64 ended_[2] = {};
};

}  // namespace

std::unique_ptr<copy_engine> cpu_copy_engine(device& on) { return std::make_unique<copies_on_cpu>(on); }

}  // namespace genesys::detail::services
