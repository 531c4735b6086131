// SPDX-License-Identifier: Apache-2.0
// One run() of a stream: its pieces, each in a buffer, go from stage to stage. Piece n has buffer n modulo their
// number. All threads of the run do the same: they move pieces on, and fill and drain, until no piece is left. run()'s
// caller makes the object.
//
// A copy engine needs some microseconds for each copy. So pieces that lie side by side are copied together: while two
// copies of a way are under way, further pieces wait for the next one.
#pragma once

#include <atomic>
#include <exception>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "service/pipeline.h"

namespace genesys::detail::services {

class pipeline_run {
 public:
  struct usable {  // spans that the device can use, so that no buffer is needed
    bool input, output;
  };
  // `only_copies`: in place of the service the pieces pass through the one that copies.
  pipeline_run(pipeline& of, service_transfer way, const stream_job& job, const usable& spans, bool only_copies);

  // Throws what a callable threw, or error.
  service_stream_result run();

 private:
  // Who owns a piece: nobody; the thread that fills it; nobody; the thread that moves pieces on; nobody; the thread
  // that drains it.
  enum class stage : u32 { free, filling, filled, moving, done, draining };
  struct piece_state {
    std::atomic<stage> at{stage::free};
    service_piece piece;          // as the service sees it
    const void* input = nullptr;  // in pinned memory
    void* output = nullptr;       // in pinned memory
    std::optional<service_ticket> ticket;
    u64 copy = 0;      // the number of its last copy
    u64 since_ns = 0;  // when that began
    long result = 0;
  };

  // pipeline_run.cpp
  void work();
  bool is_over();
  bool fill_one();
  std::size_t fill_by_call(u64 number);
  std::size_t fill_from_span(u64 number);
  void prepare(piece_state& p, u64 number, std::size_t bytes);
  bool drain_one();
  piece_state* claim_done();
  void drain_now(const piece_state& p);
  void finish(piece_state& p, bool drained);
  void stop(std::exception_ptr thrown);

  // pipeline_stages.cpp
  bool move_on();
  template <class F>
  bool sweep(std::vector<u64>& pieces, unsigned unfinished_max, const F& leaves);
  bool is_filled(u64 number);
  bool drops(u64 number);
  bool begin_inputs();
  void begin_input(u64 number);
  bool ends_input(u64 number);
  void begin_request(u64 number);
  bool ends_request(u64 number);
  bool ends_output(u64 number);
  bool begin_input_copies();
  bool begin_output_copies();
  std::size_t copy_together(copy_way which, const std::vector<u64>& pieces);
  bool copy_together(copy_way which, std::span<const u64> pieces, u64 bytes);
  bool has_moved(u64 number, copy_way which, long& result);
  bool has_ended(u64 copy, copy_way which);
  u64 begin_copies(copy_way which, void* to, const void* from, u64 bytes);
  bool finish_moving(u64 number, long result);
  void fail_moving(u64 number);

  piece_state& state_of(u64 number) { return states_[number % states_.size()]; }
  stream_buffer& buffer_of(u64 number) { return of_.buffers()[number % states_.size()]; }
  u64 length_of_output(u64 input_bytes) const;

  pipeline& of_;
  const service_transfer way_;
  const stream_job& job_;
  const usable usable_;
  const bool only_copies_;
  const u64 pieces_;  // of spans; otherwise as many as there will be
  std::vector<piece_state> states_;

  std::mutex moving_;                                     // one thread moves pieces on; guards what follows
  u64 begun_ = 0;                                         // pieces that filling has handed on
  std::vector<u64> to_device_, running_, ran_, to_host_;  // the numbers of the pieces in each stage
  std::vector<u64> side_by_side_;                         // for one look
  u64 copies_begun_[2] = {}, copies_ended_[2] = {};       // of the engine, by copy_way
  bool looked_[2] = {};                                   // at the engine, while all pieces are looked at
  bool stuck_[2] = {};                                    // a copy has taken too long

  std::mutex lock_;           // guards what follows
  std::atomic<u64> next_{0};  // the next piece to fill; written under lock_
  u64 finished_ = 0;          // pieces that were drained or dropped
  bool filling_ = false, filled_all_ = false;
  std::atomic<bool> dropping_{false};  // pieces are not drained any more
  std::exception_ptr thrown_;
  service_stream_result result_;
  u64 failed_piece_ = ~u64{0};
};

}  // namespace genesys::detail::services
