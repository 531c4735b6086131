// SPDX-License-Identifier: Apache-2.0
// Who stores abort flags (N2 to N5, genesys/detail/wire/abort.h): a copy, or a resident raiser. The
// abort table's thread calls it.
#pragma once

#include "genesys/detail/wire/abort.h"
#include "target/device_memory.h"

namespace genesys::detail {
class device;
}

namespace genesys::schedule {

class flag_raiser {
 public:
  virtual ~flag_raiser() = default;
  // N2: asks for `epoch` in all replicas of the flag. An earlier raise of the same index must be settled.
  virtual void raise(detail::u32 index, detail::u32 epoch) = 0;
  // Whether all replicas hold what was last raised, and no store of an older epoch of this index is under way or will
  // be. Ask again until it is true.
  virtual bool settled(detail::u32 index) = 0;
};

// Copies. raise() returns when the flags are stored.
class copy_raiser final : public flag_raiser {
 public:
  copy_raiser(detail::device_memory& on, detail::aborts::flag_line* flags, detail::u32 replicas)
      : on_(on), flags_(flags), replicas_(replicas) {}
  void raise(detail::u32 index, detail::u32 epoch) override {
    on_.store_words(&flags_->epoch[index], epoch, replicas_, sizeof(detail::aborts::flag_line));
  }
  bool settled(detail::u32) override { return true; }

 private:
  detail::device_memory& on_;
  detail::aborts::flag_line* flags_;
  detail::u32 replicas_;
};

// A resident raiser stores the flags. After it has left, a copy does.
class resident_raiser final : public flag_raiser {
 public:
  // Throws error(no_pinned_memory).
  resident_raiser(detail::device& on, detail::aborts::flag_line* flags, detail::u32 replicas);
  // The resident raiser has left.
  ~resident_raiser() override;
  resident_raiser(const resident_raiser&) = delete;
  resident_raiser& operator=(const resident_raiser&) = delete;

  // What the resident raiser is launched with, once. Call it only for that, when no earlier one is under way. Copies
  // store the flags until the kernel has begun, which it may never do.
  detail::aborts::raiser_context start();
  // Asks the resident raiser to leave. Its launch then ends.
  void stop();

  void raise(detail::u32 index, detail::u32 epoch) override;
  bool settled(detail::u32 index) override;

 private:
  bool is_here() const;
  bool store_for_gone(detail::u32 index);

  detail::device& on_;
  detail::aborts::flag_line* flags_;
  detail::u32 replicas_;
  copy_raiser copy_;
  detail::aborts::raiser_words* words_;
};

}  // namespace genesys::schedule
