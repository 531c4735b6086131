// SPDX-License-Identifier: Apache-2.0
// Launches on the CPU device (kernel_launcher.h): the non-stop kernel has one stream handle, requests have others.
#include "service/kernel_launcher.h"

namespace genesys::detail::services {
namespace {

class on_cpu final : public kernel_launcher {
 public:
  on_cpu(device& on, const program& what)
      : on_(on), body_(what.on_cpu), request_body_(what.launch_on_cpu), launches_(on.attach(this)) {
    for (auto& one : requests_) one = on.attach(&one);
  }

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
  void launch_request(unsigned threads, const launch_context& with) override {
    const auto body = request_body_;
    launches& in = idle_stream();
    cut_request(with, [&](u32 blocks, const launch_context& part) {
      in.start(
          {blocks}, {threads}, 0, [body, part] { body(part); }, nullptr);
    });
  }
  progress look_at_requests() override {
    for (auto& one : requests_) {
      if (one->look() == progress::under_way) return progress::under_way;
    }
    return progress::ended;
  }

 private:
  // Or the one after the last one, if all are busy.
  launches& idle_stream() {
    const u32 next = ++last_;
    for (u32 i = 0; i < request_streams; ++i) {
      launches& one = *requests_[(next + i) % request_streams];
      if (one.look() == progress::ended) return one;
    }
    return *requests_[next % request_streams];
  }

  device& on_;
  void (*body_)(const serve_context&);
  void (*request_body_)(const launch_context&);
  std::unique_ptr<launches> launches_, requests_[request_streams];
  u32 last_ = 0;
};

}  // namespace

std::unique_ptr<kernel_launcher> cpu_launcher(device& on, const program& what) {
  return std::make_unique<on_cpu>(on, what);
}

}  // namespace genesys::detail::services
