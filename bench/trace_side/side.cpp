// SPDX-License-Identifier: Apache-2.0
#include "side.h"

#include <unistd.h>

#include <stdexcept>
#include <string>

#include "genesys/genesys.h"
#include "support/wrongs.h"

namespace trace_bench {
namespace {

constexpr unsigned read_bytes = 64;

// `which`: call.
struct ask_again {
  static constexpr unsigned threads_max = 256;
  GENESYS_KERNEL void operator()(genesys::os os, int which, unsigned lanes_a_warp, unsigned calls, unsigned period_ns,
                                 long parent, int file, unsigned char* into, unsigned* wrong) const {
    if (genesys::lane() >= lanes_a_warp) return;
    const unsigned rank = genesys::block_rank() * genesys::threads_in_block() + genesys::thread_rank();
    const std::uint64_t begin = genesys::clock_ns() + (period_ns == 0 ? 0 : rank * 97 % period_ns);
    for (unsigned i = 0; i < calls; ++i) {
      if (period_ns != 0) {
        while (genesys::clock_ns() < begin + std::uint64_t{i} * period_ns) genesys::pause(200);
      }
      if (which == static_cast<int>(call::getppid)) {
        if (os.getppid() != parent) baseline::wrong(wrong);
      } else {
        unsigned char* const mine = into + std::size_t{rank} * read_bytes;
        if (os.pread64(file, mine, read_bytes, 0) != static_cast<std::int64_t>(read_bytes)) baseline::wrong(wrong);
      }
    }
  }
};

class runtime_side final : public side {
 public:
  explicit runtime_side(const side_options& as) : rt_(chosen(as)), wrong_(rt_), file_(as.file) {
    into_ = static_cast<unsigned char*>(rt_.allocate_device(std::size_t{lanes_max} * read_bytes));
  }
  ~runtime_side() override { rt_.free_device(into_); }

  void ask(call which, shape in, unsigned calls, unsigned period_ns) override {
    if (in.blocks * in.threads > lanes_max) throw std::runtime_error("the shape has too many lanes");
    genesys::launch(rt_, {.blocks = {in.blocks}, .threads = {in.threads}}, ask_again{}, static_cast<int>(which),
                    in.lanes_a_warp, calls, period_ns, static_cast<long>(::getppid()), file_, into_, wrong_.on_device())
        .drain();
    wrong_.none();
  }
  void start(const char* path) override {
#if !GENESYS_WITHOUT_TRACING
    rt_.trace(path);
#else
    (void)path;
#endif
  }
  void stop() override { rt_.stop_trace(); }
  counts so_far() override {
    const genesys::statistics now = rt_.stats();
    return {now.completed, now.recorded, now.recording_dropped};
  }

 private:
  static constexpr unsigned lanes_max = 1u << 17;
  static genesys::options chosen(const side_options& as) {
    genesys::options all;
    if (as.device == std::string("cuda")) all.device = genesys::device_kind::cuda;
    if (as.device == std::string("cpu")) all.device = genesys::device_kind::cpu;
    all.workers = as.workers;
    return all;
  }

  genesys::runtime rt_;
  const baseline::wrongs wrong_;
  const int file_;
  unsigned char* into_ = nullptr;
};

}  // namespace
}  // namespace trace_bench

extern "C" [[gnu::visibility("default")]] trace_bench::side* genesys_bench_make_side(
    const trace_bench::side_options& as) {
  return new trace_bench::runtime_side(as);
}
