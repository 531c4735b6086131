// SPDX-License-Identifier: Apache-2.0
// Makes a call natively, with the memory of each pointer between pages without access: once against the page behind it,
// once against the page before. If Linux goes past what the table declares, the result is -EFAULT or a changed byte.
#include <sys/mman.h>
#include <sys/socket.h>

#include "oracle.h"

namespace oracle {
namespace {

constexpr u64 page = 4096;

class guarded {
 public:
  guarded(const std::string& content, bool at_the_end) : bytes_(content.size()) {
    pages_ = (bytes_ + page - 1) / page * page;
    if (pages_ == 0) pages_ = page;
    map_ = static_cast<u8*>(::mmap(nullptr, pages_ + 2 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    if (map_ == MAP_FAILED || ::mprotect(map_ + page, pages_, PROT_READ | PROT_WRITE) != 0)
      throw std::runtime_error("no memory between guard pages");
    std::memset(map_ + page, 0x3c, pages_);
    at_ = map_ + page + (at_the_end ? pages_ - bytes_ : 0);
    std::memcpy(at_, content.data(), bytes_);
  }
  ~guarded() { ::munmap(map_, pages_ + 2 * page); }
  guarded(const guarded&) = delete;
  guarded& operator=(const guarded&) = delete;
  void set(u64 at, u64 word) { std::memcpy(at_ + at, &word, sizeof word); }
  u64 address() const { return reinterpret_cast<u64>(at_); }
  std::string content() const { return {reinterpret_cast<const char*>(at_), bytes_}; }
  bool rest_is_whole() const {
    for (const u8* p = map_ + page; p < map_ + page + pages_; ++p) {
      if ((p < at_ || p >= at_ + bytes_) && *p != 0x3c) return false;
    }
    return true;
  }

 private:
  u64 bytes_, pages_;
  u8 *map_, *at_;
};

u32 word_at(const std::string& bytes, u64 at) {
  u32 word = 0;
  if (at + sizeof word <= bytes.size()) std::memcpy(&word, bytes.data() + at, sizeof word);
  return word;
}

// The size that the table's line declares for a pointer's memory.
u64 declared_bytes(const trial& t, u32 k) {
  const call_plan& plan = plans[static_cast<u32>(t.id)];
  const arg_plan& arg = plan.args[k];
  if (arg.kind == arg_kind::vector || arg.kind == arg_kind::messages)
    return arg.element_bytes * (arg.size == size_from::argument ? t.args[arg.size_arg].value : 1);
  switch (arg.size) {
    case size_from::fixed:
      return arg.fixed_bytes;
    case size_from::itself:
      return own_bytes(arg, word_at(t.args[k].content, arg.size_at));
    case size_from::argument:
      return measured_bytes(arg, t.args[arg.size_arg].value);
    case size_from::pointed:
      return word_at(t.args[arg.size_arg].content, 0);
    case size_from::none:
      return t.args[k].content.size();  // a string
  }
  return 0;
}

u64 number_at(const std::string& bytes, u64 at) {
  u64 number = 0;
  if (at + sizeof number <= bytes.size()) std::memcpy(&number, bytes.data() + at, sizeof number);
  return number;
}

// How many bytes of an argument Linux may have written if the call gave `value`.
u64 may_be_written(const trial& t, u32 k, long value, const std::vector<std::string>& after) {
  const call_plan& plan = plans[static_cast<u32>(t.id)];
  const arg_plan& arg = plan.args[k];
  const u64 all = t.args[k].content.size();
  if (arg.dir == direction::in) return 0;
  if (arg.kind == arg_kind::vector || arg.kind == arg_kind::messages) return 0;
  if (value == -EFAULT) return all;  // another pointer may be the wrong one
  if (arg.written == written_on::any) return all;
  if (arg.written == written_on::eintr) return value == -EINTR ? all : 0;
  if (value < 0) return 0;
  if (arg.by_result) return std::min(all, measured_bytes(arg, static_cast<u64>(value)));
  if (arg.size == size_from::pointed) return std::min<u64>(all, word_at(after[arg.size_arg], 0));
  return all;
}

// The same for memory that other memory points to, and for that other memory.
class nested_limits {
 public:
  nested_limits(const trial& t, const std::vector<blob>& blobs, long value, const std::vector<std::string>& after)
      : blobs_(blobs), after_(after), limit_(blobs.size()), fields_(blobs.size()) {
    for (u32 k = 0; k < t.args.size(); ++k) {
      const arg_plan& arg = plans[static_cast<u32>(t.id)].args[k];
      const bool is_nested = arg.kind == arg_kind::vector || arg.kind == arg_kind::messages;
      if (value == -EFAULT && arg.dir == direction::out && is_nested) {
        limit_[k] = t.args[k].content.size();
        all_of(k);
      }
      if (value < 0 || t.args[k].is != argument::kind::memory) continue;
      if (arg.kind == arg_kind::vector && arg.dir == direction::out)
        vector(k, static_cast<u64>(value), arg.short_lengths);
      if (arg.kind == arg_kind::messages && arg.dir != direction::in) messages(k, arg, static_cast<u64>(value));
    }
  }
  bool allows(u32 blob, u64 byte) const {
    if (byte < limit_[blob]) return true;
    for (const auto& [from, bytes] : fields_[blob]) {
      if (byte >= from && byte < from + bytes) return true;
    }
    return false;
  }

 private:
  // Another pointer may be the wrong one.
  void all_of(u32 holder) {
    for (u32 k = 0; k < blobs_.size(); ++k) {
      if (blobs_[k].holder != holder) continue;
      limit_[k] = blobs_[k].is->content.size();
      all_of(k);
    }
  }
  void set(u32 holder, u64 at, u64 limit) {
    for (u32 k = 0; k < blobs_.size(); ++k) {
      if (blobs_[k].holder == holder && blobs_[k].link_at == at)
        limit_[k] = std::min<u64>(limit, blobs_[k].is->content.size());
    }
  }
  void vector(u32 holder, u64 left, bool short_lengths) {
    const std::string& entries = blobs_[holder].is->content;
    for (u64 at = 0; at + 16 <= entries.size(); at += 16) {
      const u64 bytes = short_lengths ? word_at(entries, at + 8) : number_at(entries, at + 8);
      set(holder, at, std::min(bytes, left));
      left -= std::min(bytes, left);
    }
  }
  void messages(u32 holder, const arg_plan& arg, u64 value) {
    const bool counts = arg.element_bytes == sizeof(mmsghdr);
    for (u64 m = 0; m < (counts ? value : 1); ++m) {
      const u64 at = m * arg.element_bytes;
      if (counts) fields_[holder].emplace_back(at + 56, 4);
      if (arg.dir != direction::out) continue;
      fields_[holder].insert(fields_[holder].end(), {{at + 8, 4}, {at + 40, 8}, {at + 48, 4}});
      set(holder, at, word_at(after_[holder], at + 8));
      set(holder, at + 32, number_at(after_[holder], at + 40));
      for (u32 k = 0; k < blobs_.size(); ++k) {
        if (blobs_[k].holder == holder && blobs_[k].link_at == at + 16)
          vector(k, counts ? word_at(after_[holder], at + 56) : value, false);
      }
    }
  }

  const std::vector<blob>& blobs_;
  const std::vector<std::string>& after_;
  std::vector<u64> limit_;
  std::vector<std::vector<std::pair<u64, u64>>> fields_;
};

outcome make_once(const trial& t, bool at_the_end) {
  t.before();
  const std::vector<blob> blobs = blobs_of(t.args);
  std::vector<std::unique_ptr<guarded>> memory(blobs.size());
  u64 a[args_max] = {};
  for (u32 k = 0; k < blobs.size(); ++k) {
    const argument& is = *blobs[k].is;
    if (is.is == argument::kind::memory) memory[k] = std::make_unique<guarded>(is.content, at_the_end);
    const u64 word = memory[k] ? memory[k]->address() : is.value;
    if (k < t.args.size())
      a[k] = word;
    else
      memory[blobs[k].holder]->set(blobs[k].link_at, word);
  }
  const call_plan& plan = plans[static_cast<u32>(t.id)];
  outcome got;
  got.value = ::syscall(plan.number, a[0], a[1], a[2], a[3], a[4], a[5]);
  if (got.value == -1) got.value = -errno;
  for (u32 k = static_cast<u32>(t.args.size()); k < blobs.size(); ++k)
    memory[blobs[k].holder]->set(blobs[k].link_at, 0);
  for (u32 k = 0; k < blobs.size(); ++k) got.memory.push_back(memory[k] ? memory[k]->content() : "");
  const nested_limits within(t, blobs, got.value, got.memory);
  for (u32 k = 0; k < blobs.size(); ++k) {
    if (!memory[k]) continue;
    EXPECT_TRUE(memory[k]->rest_is_whole()) << "Linux wrote before or behind argument " << blobs[k].arg;
    const std::string &before = blobs[k].is->content, &after = got.memory[k];
    const u64 written = k < t.args.size() ? may_be_written(t, k, got.value, got.memory) : 0;
    for (u64 i = written; i < after.size(); ++i) {
      if (after[i] == before[i] || within.allows(k, i)) continue;
      ADD_FAILURE() << "Linux wrote byte " << i << " of argument " << blobs[k].arg << " (or of what it leads to, " << k
                    << "), which the table does not say; value " << got.value;
      break;
    }
  }
  t.after(got);
  return got;
}

}  // namespace

outcome make_natively(const trial& t) {
  if (t.good) {
    for (u32 k = 0; k < t.args.size(); ++k) {
      if (t.args[k].is != argument::kind::memory) continue;
      EXPECT_EQ(t.args[k].content.size(), declared_bytes(t, k)) << "argument " << k << ": not as the table declares";
    }
  }
  const outcome first = make_once(t, false), second = make_once(t, true);
  if (t.same_value)
    EXPECT_EQ(first.value, second.value) << "natively, between guard pages";
  else
    EXPECT_EQ(first.value < 0, second.value < 0) << "natively: " << first.value << ", " << second.value;
  return second;
}

}  // namespace oracle
