// SPDX-License-Identifier: Apache-2.0
// What a script gave through genesys against what it gave natively: values, buffers, folders.
#include <sys/resource.h>
#include <time.h>

#include <algorithm>
#include <cstdlib>

#include "script.h"

namespace contract {
namespace {

bool gives_descriptor(const step& s) {
  if (s.what == call::raw) return s.number == SYS_socket;
  return s.what == call::openat || s.what == call::dup || s.what == call::socket || s.what == call::accept4;
}
bool gives_descriptors(call what) { return what == call::pipe2 || what == call::socketpair; }

}  // namespace

std::string book::describe(std::size_t index) const {
  const step& s = steps_[index];
  const auto in =
      std::find_if(scripts_.begin(), scripts_.end(), [&](const script& r) { return index < r.first + r.count; });
  const auto which = static_cast<u32>(in - scripts_.begin());
  std::ostringstream text;
  text << "script " << which;
  if (const auto title = titles_.find(which); title != titles_.end()) text << " (" << title->second << ")";
  text << ", step " << index - in->first << ": " << name_of(s.what);
  if (s.what == call::raw) text << " " << s.number;
  for (const buffer& b : s.buffers) {
    if (b.where != memory::none)
      text << ", " << name_of(b.where) << " buffer of " << b.asked << " bytes at +" << b.at - guard_bytes;
  }
  return text.str();
}

// Each kind of byte that may differ between two calls has a check of its own; every other byte has to be the same.
void book::compare_buffer(const step& s, const buffer& b, long value, std::size_t index, const outcome& got,
                          const outcome& native, const std::string& what) const {
  std::vector<u8> mine(got.image.begin() + static_cast<long>(b.region),
                       got.image.begin() + static_cast<long>(b.region + b.bytes));
  std::vector<u8> theirs(native.image.begin() + static_cast<long>(b.region),
                         native.image.begin() + static_cast<long>(b.region + b.bytes));
  const bool as_native = expected_.count(index) == 0;
  if (as_native && value > 0 && s.what == call::getrandom) {
    const u64 n = static_cast<u64>(value);
    u64 same = 0;
    for (u64 i = 0; i < n; ++i) same += mine[b.at + i] == image_[b.region + b.at + i];
    EXPECT_LT(same, n / 8 + 8) << what << ": not random";
    std::copy_n(mine.begin() + static_cast<long>(b.at), n, theirs.begin() + static_cast<long>(b.at));
  }
  if (as_native && value < 0 && s.what == call::recvfrom && b.arg == 1) {
    // Linux took a message and then failed to store its sender's address. The message's bytes are then unspecified.
    std::copy_n(mine.begin() + static_cast<long>(b.at), b.asked, theirs.begin() + static_cast<long>(b.at));
  }
  if (as_native && value == 0 && gives_descriptors(s.what)) {
    int ends[2];
    std::memcpy(ends, mine.data() + b.at, sizeof ends);
    for (const int end : ends) EXPECT_EQ(::close(end), 0) << what << ": " << end;
    std::memcpy(ends, theirs.data() + b.at, sizeof ends);
    for (const int end : ends) EXPECT_EQ(::close(end), 0) << what << ": " << end;
    std::copy_n(mine.begin() + static_cast<long>(b.at), sizeof ends, theirs.begin() + static_cast<long>(b.at));
  }
  if (as_native && value == 0 && s.what == call::clock_gettime) {
    timespec a, t;
    std::memcpy(&a, mine.data() + b.at, sizeof a);
    std::memcpy(&t, theirs.data() + b.at, sizeof t);
    EXPECT_LT(std::abs(a.tv_sec - t.tv_sec), time_limit_s) << what;
    EXPECT_TRUE(a.tv_nsec >= 0 && a.tv_nsec < 1'000'000'000) << what;
    std::memcpy(theirs.data() + b.at, &a, sizeof a);
  }
  if (as_native && value == 0 && s.what == call::getrusage) {
    rusage a, t;
    std::memcpy(&a, mine.data() + b.at, sizeof a);
    std::memcpy(&t, theirs.data() + b.at, sizeof t);
    EXPECT_LT(std::abs(a.ru_utime.tv_sec - t.ru_utime.tv_sec), 10 * time_limit_s) << what;
    EXPECT_TRUE(a.ru_utime.tv_usec >= 0 && a.ru_utime.tv_usec < 1'000'000) << what;
    EXPECT_EQ(a.ru_maxrss > 0, t.ru_maxrss > 0) << what;
    EXPECT_EQ(a.ru_isrss, t.ru_isrss) << what;
    std::memcpy(theirs.data() + b.at, &a, sizeof a);
  }
  if (as_native && value == 0 && s.what == call::fstat) {
    struct stat a, t;
    std::memcpy(&a, mine.data() + b.at, sizeof a);
    std::memcpy(&t, theirs.data() + b.at, sizeof t);
    EXPECT_EQ(a.st_mode, t.st_mode) << what;
    EXPECT_EQ(a.st_size, t.st_size) << what;
    EXPECT_EQ(a.st_nlink, t.st_nlink) << what;
    EXPECT_EQ(a.st_uid, t.st_uid) << what;
    EXPECT_EQ(a.st_dev, t.st_dev) << what;
    EXPECT_EQ(a.st_blksize, t.st_blksize) << what;
    EXPECT_LT(std::abs(a.st_mtim.tv_sec - t.st_mtim.tv_sec), time_limit_s) << what;
    std::memcpy(theirs.data() + b.at, &a, sizeof a);
  }
  if (as_native && value > 0 && s.what == call::getdents64) {  // Linux leaves gaps behind the names
    constexpr u64 length_at = 16, name_at = 19;
    for (u64 at = 0, n = static_cast<u64>(value); at + name_at < n;) {
      std::uint16_t length;
      std::memcpy(&length, theirs.data() + b.at + at + length_at, sizeof length);
      if (length == 0 || at + length > n) break;
      const auto* name = reinterpret_cast<const char*>(theirs.data() + b.at + at + name_at);
      const u64 used = name_at + ::strnlen(name, length - name_at) + 1;
      for (u64 i = used; i < length; ++i) theirs[b.at + at + i] = mine[b.at + at + i];
      at += length;
    }
  }
  if (mine == theirs) return;
  u64 differing = 0, first = 0;
  for (u64 i = mine.size(); i-- > 0;) {
    if (mine[i] != theirs[i]) first = i, ++differing;
  }
  ADD_FAILURE() << what << ": " << differing << " bytes differ, the first at "
                << static_cast<long>(first) - static_cast<long>(b.at) << " of the buffer: " << int{mine[first]}
                << ", natively " << int{theirs[first]} << ", before " << int{image_[b.region + first]};
}

void book::compare(const outcome& got, const outcome& native) const {
  int complaints_left = 20;
  for (std::size_t i = 0; i < steps_.size() && complaints_left > 0; ++i) {
    const step& s = steps_[i];
    const std::string what = describe(i);
    const bool alike =
        got.values[i] == native.values[i] || (gives_descriptor(s) && got.values[i] >= 0 && native.values[i] >= 0);
    EXPECT_TRUE(alike) << what << ": gave " << got.values[i] << ", natively " << native.values[i];
    EXPECT_EQ(got.differing[i], 0u) << what << ": threads in which value or private memory was not as in the first";
    complaints_left -= !alike;
    for (const buffer& b : s.buffers) {
      if (b.where != memory::none && alike) compare_buffer(s, b, got.values[i], i, got, native, what);
    }
    if (testing::Test::HasFailure()) --complaints_left;
  }
}

void compare_folders(const folder& here, const folder& there) {
  const auto listed = [](const folder& in) {
    std::map<std::string, std::string> all;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(in.path())) {
      const std::string name = entry.path().string().substr(in.path().size());
      struct stat about {};
      ::lstat(entry.path().c_str(), &about);
      std::string text = std::to_string(about.st_mode) + " " + std::to_string(about.st_nlink) + ":";
      if (S_ISREG(about.st_mode)) {
        const descriptor file(::open(entry.path().c_str(), O_RDONLY | O_CLOEXEC));
        text += content_of(file.get());
      }
      all[name] = text;
    }
    return all;
  };
  const auto mine = listed(here), theirs = listed(there);
  for (const auto& [name, text] : theirs) {
    const auto found = mine.find(name);
    if (found == mine.end()) {
      ADD_FAILURE() << name << " is missing";
    } else if (found->second != text) {
      const auto at =
          std::mismatch(text.begin(), text.end(), found->second.begin(), found->second.end()).first - text.begin();
      ADD_FAILURE() << name << " differs at " << at << " of " << text.size() << " (" << found->second.size() << ")";
    }
  }
  for (const auto& [name, text] : mine) EXPECT_TRUE(theirs.count(name)) << name << " should not be there";
}

}  // namespace contract
