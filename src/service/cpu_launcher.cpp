// SPDX-License-Identifier: Apache-2.0
// The non-stop kernel on the CPU device (kernel_launcher.h): launches of one stream handle.
#include "service/kernel_launcher.h"

namespace genesys::detail::services {
namespace {

class on_cpu final : public kernel_launcher {
 public:
  on_cpu(device& on, const program& what) : on_(on), body_(what.on_cpu), launches_(on.attach(this)) {}

  void choose(unsigned& blocks, unsigned& threads) override {
    if (threads == 0) threads = warp_lanes;
    if (blocks == 0) blocks = 2;
    if ((blocks + 1) * (threads / warp_lanes) > on_.warps_resident_max()) {
      throw error(error_code::bad_option, "the CPU device has no space for " + std::to_string(blocks + 1) +
                                              " blocks of " + std::to_string(threads) +
                                              " threads: choose fewer, or a larger options.resident_threads_max");
    }
  }
  void launch(const kernel_shape& shape, const serve_context& with) override {
    const auto body = body_;
    launches_->start(
        {shape.blocks}, {shape.threads}, 0, [body, with] { body(with); }, nullptr);
  }
  progress look() override { return launches_->look(); }

 private:
  device& on_;
  void (*body_)(const serve_context&);
  std::unique_ptr<launches> launches_;
};

}  // namespace

std::unique_ptr<kernel_launcher> cpu_launcher(device& on, const program& what) {
  return std::make_unique<on_cpu>(on, what);
}

}  // namespace genesys::detail::services
