// SPDX-License-Identifier: Apache-2.0
// The streams that the program has made, to know which work runs beside a launch. Any thread may call it.
#pragma once

#include <mutex>
#include <unordered_map>

#include "schedule/standin/driver_api.h"

namespace genesys::schedule::standin {

class stream_list {
 public:
  // There is one, which is never destroyed.
  static stream_list& only();

  void add(CUstream stream, unsigned flags);
  // The program destroys it. Work that is still in it goes on where nobody can ask for it.
  void remove(CUstream stream);
  // A context has ended, and its streams with it. Which they were, nobody says, so work in the others is lost as well.
  void clear();

  // Whether what is in one stream may wait for what is in the other one, without an event: they are the same, or one is
  // the context's default stream and the other one does not refuse to wait for that.
  bool are_ordered(CUstream one, CUstream other) const;
  // Whether nothing of the program can be in a stream other than `own`, as far as the driver says. Never waits.
  bool others_are_idle(CUstream own) const;

 private:
  bool waits_for_default(CUstream stream) const;

  mutable std::mutex changing_;
  std::unordered_map<CUstream, bool> waits_for_default_;
  bool has_lost_work_ = false;  // perhaps there is work in a stream that is not in the list any more
};

}  // namespace genesys::schedule::standin
