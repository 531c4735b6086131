// SPDX-License-Identifier: Apache-2.0
// Launches on the CPU device (kernel_launcher.h): the non-stop kernel has one stream handle, requests have others.
#include <dlfcn.h>

#include <utility>
#include <vector>

#include "service/kernel_launcher.h"

namespace genesys::detail::services {
namespace {

// Functions of shared objects, by the row of their service.
class function_table {
 public:
  explicit function_table(const kernel_image& image) : kept_(image.kept) {
    for (const auto& each : image.functions) {
      libraries_.push_back(std::unique_ptr<void, int (*)(void*)>(
          ::dlopen(each.library.c_str(), RTLD_NOW | RTLD_LOCAL), +[](void* opened) { return ::dlclose(opened); }));
      void* const found = libraries_.back() ? ::dlsym(libraries_.back().get(), each.symbol.c_str()) : nullptr;
      if (found == nullptr) {
        const char* const why = ::dlerror();
        throw error(error_code::bad_option, each.symbol + " cannot be loaded: " + (why != nullptr ? why : "no symbol"));
      }
      addresses_[each.row] = reinterpret_cast<u64>(found);
    }
  }
  const u64* addresses() const { return addresses_; }

 private:
  std::vector<std::shared_ptr<const void>> kept_;
  std::vector<std::unique_ptr<void, int (*)(void*)>> libraries_;
  u64 addresses_[rows_max] = {};
};

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
    serve_context parameter = with;
    parameter.loaded = now_ != nullptr ? now_->addresses() : nullptr;
    launches_->start(
        {shape.blocks}, {shape.threads}, 0, [body, parameter] { body(parameter); }, nullptr);
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

  link_target target() override { return {}; }
  void swap(const kernel_image& image, unsigned) override {
    before_ = std::exchange(now_, std::make_unique<function_table>(image));
  }
  void swap_back() override { now_ = std::move(before_); }

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
  // `before_` stays until the next swap().
  std::unique_ptr<function_table> now_, next_, before_;
  std::unique_ptr<launches> launches_, requests_[request_streams];
  u32 last_ = 0;
};

}  // namespace

std::unique_ptr<kernel_launcher> cpu_launcher(device& on, const program& what) {
  return std::make_unique<on_cpu>(on, what);
}

}  // namespace genesys::detail::services
