// SPDX-License-Identifier: Apache-2.0
// Who stores abort flags (N2 to N5, genesys/detail/wire/abort.h): a copy, or a resident raiser. The
// abort table's thread calls it.
#pragma once

#include <array>

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

// Copies that nobody waits for: they begin at once, whatever runs.
class flag_copies {
 public:
  virtual ~flag_copies() = default;
  // To device memory, from pinned memory that does not change until the copy has ended.
  virtual void copy_flags(void* to, const void* from, std::size_t bytes) = 0;
  // Passed when all of these copies so far have ended; 0 is no mark.
  virtual detail::u64 mark_of_flags() = 0;
  virtual bool passed(detail::u64 mark) = 0;
  // Returns when all of these copies so far have ended.
  virtual void wait_for_flags() = 0;
};

// Copies. raise() returns when the flags are stored; or, with `copies`, mostly at once. These need pinned memory for as
// many `lines` as the flags have.
class copy_raiser final : public flag_raiser {
 public:
  // More are not under way: each of them keeps an index, and something else may keep the copies waiting.
  static constexpr detail::u32 under_way_max = 8;

  copy_raiser(detail::device_memory& on, detail::aborts::flag_line* flags, detail::u32 replicas,
              flag_copies* copies = nullptr, detail::aborts::flag_line* lines = nullptr)
      : on_(on), flags_(flags), replicas_(replicas), copies_(copies), lines_(lines) {}
  void raise(detail::u32 index, detail::u32 epoch) override;
  bool settled(detail::u32 index) override;

 private:
  struct copy_state {
    bool is_under_way = false;
    detail::u64 mark = 0;  // 0: not asked for yet
  };
  detail::device_memory& on_;
  detail::aborts::flag_line* flags_;
  const detail::u32 replicas_;
  flag_copies* const copies_;
  detail::aborts::flag_line* const lines_;
  std::array<copy_state, detail::aborts::indices> states_;
  detail::u32 under_way_ = 0;
};

// A resident raiser stores the flags. Until it is there, and after it has left, a copy does.
class resident_raiser final : public flag_raiser {
 public:
  // Throws error(no_pinned_memory). `copies`: null, or they outlive the raiser.
  resident_raiser(detail::device& on, detail::aborts::flag_line* flags, detail::u32 replicas,
                  flag_copies* copies = nullptr);
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
  detail::aborts::flag_line* lines_;  // pinned; null without flag_copies
  copy_raiser copy_;
  detail::aborts::raiser_words* words_;
};

}  // namespace genesys::schedule
