// SPDX-License-Identifier: Apache-2.0
#include "schedule/cache/cache_folder.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <filesystem>

#if GENESYS_WITH_CACHE
#include <zstd.h>
#endif

namespace genesys::schedule {
namespace {

namespace fs = std::filesystem;

constexpr char ending[] = ".zst";

class descriptor {
 public:
  explicit descriptor(int fd) : fd_(fd) {}
  ~descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  descriptor(const descriptor&) = delete;
  descriptor& operator=(const descriptor&) = delete;
  int get() const { return fd_; }

 private:
  int fd_;
};

// Nobody else can have written it.
bool is_own(const struct stat& what) { return what.st_uid == ::geteuid() && (what.st_mode & (S_IWGRP | S_IWOTH)) == 0; }

bool is_own_folder(const std::string& path) {
  struct stat what {};
  return ::stat(path.c_str(), &what) == 0 && S_ISDIR(what.st_mode) && is_own(what);
}

std::optional<std::string> packed_contents(const std::string& path) {
  const descriptor file(::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK));
  struct stat what {};
  if (file.get() < 0 || ::fstat(file.get(), &what) != 0 || !S_ISREG(what.st_mode) || !is_own(what)) return std::nullopt;
  if (what.st_size <= 0 || static_cast<std::size_t>(what.st_size) > cache_folder::contents_max) return std::nullopt;
  std::string bytes(static_cast<std::size_t>(what.st_size), '\0');
  std::size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t got = ::read(file.get(), bytes.data() + done, bytes.size() - done);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return std::nullopt;
    done += static_cast<std::size_t>(got);
  }
  ::futimens(file.get(), nullptr);  // make_room() keeps what is used
  return bytes;
}

bool write_all(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t put = ::write(fd, bytes.data(), bytes.size());
    if (put < 0 && errno == EINTR) continue;
    if (put <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(put));
  }
  return true;
}

#if GENESYS_WITH_CACHE
std::string pack(std::string_view contents) {
  ZSTD_CCtx* const with = ZSTD_createCCtx();
  std::string made(ZSTD_compressBound(contents.size()), '\0');
  ZSTD_CCtx_setParameter(with, ZSTD_c_checksumFlag, 1);
  const std::size_t bytes = ZSTD_compress2(with, made.data(), made.size(), contents.data(), contents.size());
  ZSTD_freeCCtx(with);
  made.resize(ZSTD_isError(bytes) != 0 ? 0 : bytes);
  return made;
}

// zstd checks the length and the checksum, if there is one. Without it the frame is not ours.
std::optional<std::string> unpack(std::string_view packed) {
  constexpr std::size_t descriptor_at = 4;  // RFC 8878: behind the magic number
  constexpr unsigned char has_checksum = 4;
  if (packed.size() <= descriptor_at || (static_cast<unsigned char>(packed[descriptor_at]) & has_checksum) == 0) {
    return std::nullopt;
  }
  const unsigned long long bytes = ZSTD_getFrameContentSize(packed.data(), packed.size());
  if (bytes == ZSTD_CONTENTSIZE_UNKNOWN || bytes == ZSTD_CONTENTSIZE_ERROR || bytes > cache_folder::contents_max) {
    return std::nullopt;
  }
  std::string contents(static_cast<std::size_t>(bytes), '\0');
  if (ZSTD_decompress(contents.data(), contents.size(), packed.data(), packed.size()) != contents.size()) {
    return std::nullopt;
  }
  return contents;
}
#endif

}  // namespace

std::optional<cache_folder> cache_folder::of_process() {
#if GENESYS_WITH_CACHE
  if (const char* const chosen = std::getenv("GENESYS_SCHEDULE_CACHE"); chosen != nullptr && *chosen != '\0') {
    if (std::string_view(chosen) == "0") return std::nullopt;
    return cache_folder(chosen);
  }
  // The specification of base folders: a relative path is ignored.
  if (const char* const cache = std::getenv("XDG_CACHE_HOME"); cache != nullptr && *cache == '/') {
    return cache_folder(std::string(cache) + "/genesys/schedule");
  }
  if (const char* const home = std::getenv("HOME"); home != nullptr && *home == '/') {
    return cache_folder(std::string(home) + "/.cache/genesys/schedule");
  }
#endif
  return std::nullopt;
}

std::optional<std::string> cache_folder::read([[maybe_unused]] const std::string& name) const {
#if GENESYS_WITH_CACHE
  if (!is_own_folder(path_)) return std::nullopt;
  if (const auto packed = packed_contents(path_ + "/" + name + ending)) return unpack(*packed);
#endif
  return std::nullopt;
}

bool cache_folder::write([[maybe_unused]] const std::string& name, [[maybe_unused]] std::string_view contents) const {
#if GENESYS_WITH_CACHE
  if (contents.size() > contents_max) return false;
  std::error_code failed;
  if (!fs::exists(path_, failed)) {
    fs::create_directories(path_, failed);
    fs::permissions(path_, fs::perms::owner_all, failed);
  }
  if (!is_own_folder(path_)) return false;
  static std::atomic<unsigned> count{0};
  const std::string place = path_ + "/" + name + ending,
                    beside = place + "." + std::to_string(::getpid()) + "-" + std::to_string(count.fetch_add(1));
  {
    const descriptor file(::open(beside.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
    if (file.get() < 0) return false;
    if (const std::string packed = pack(contents); packed.empty() || !write_all(file.get(), packed)) {
      ::unlink(beside.c_str());
      return false;
    }
  }
  if (::rename(beside.c_str(), place.c_str()) != 0) {
    ::unlink(beside.c_str());
    return false;
  }
  make_room();
  return true;
#else
  return false;
#endif
}

std::vector<cache_folder::entry> cache_folder::entries() const {
  std::vector<entry> all;
  std::error_code failed;
  for (fs::directory_iterator each(path_, failed), end; !failed && each != end; each.increment(failed)) {
    struct stat what {};
    const std::string name = each->path().filename();
    if (name.find(ending) == name.npos) continue;  // none of ours
    if (::lstat(each->path().c_str(), &what) != 0 || !S_ISREG(what.st_mode)) continue;
    all.push_back({name, static_cast<std::uint64_t>(what.st_size), what.st_mtim.tv_sec});
  }
  std::sort(all.begin(), all.end(), [](const entry& a, const entry& b) { return a.used_s > b.used_s; });
  return all;
}

std::size_t cache_folder::clear() const {
  std::size_t gone = 0;
  for (const entry& each : entries()) gone += ::unlink((path_ + "/" + each.name).c_str()) == 0;
  return gone;
}

// To look at each file takes time, so not at each write.
void cache_folder::make_room() const {
  static std::atomic<unsigned> writes{0};
  constexpr unsigned every = 64;
  if (writes.fetch_add(1) % every != 0) return;
  std::uint64_t kept = 0;
  for (const entry& each : entries()) {
    kept += each.bytes;
    if (kept > bytes_max) ::unlink((path_ + "/" + each.name).c_str());
  }
}

// FNV-1a.
std::uint64_t hash_of(std::string_view bytes) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const char c : bytes) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return hash;
}

std::string file_name(std::string_view kind, std::string_view bytes) {
  char digits[17];
  std::snprintf(digits, sizeof digits, "%016llx", static_cast<unsigned long long>(hash_of(bytes)));
  return std::string(kind) + "-" + digits;
}

}  // namespace genesys::schedule
