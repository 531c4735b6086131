// SPDX-License-Identifier: Apache-2.0
// What the scheduler keeps on disk between processes: small files in one folder of the user. Each is compressed by
// zstd, with a checksum. Whatever is damaged, or may be another user's, counts as absent. Several processes and threads
// may use a folder at once: a file is written beside its place and then renamed.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace genesys::schedule {

class cache_folder {
 public:
  static constexpr std::uint64_t bytes_max = std::uint64_t{256} << 20;  // of all files
  static constexpr std::size_t contents_max = std::size_t{64} << 20;    // of one, unpacked

  // That of this process: GENESYS_SCHEDULE_CACHE, or else $XDG_CACHE_HOME/genesys/schedule, or else
  // ~/.cache/genesys/schedule. None: the variable is 0, there is no home, or genesys was built without zstd or
  // nlohmann-json.
  static std::optional<cache_folder> of_process();
  // Nothing is made before the first write().
  explicit cache_folder(std::string path) : path_(std::move(path)) {}

  const std::string& path() const { return path_; }
  // `name`: letters, digits, hyphens. None: there is no such file, or it is not to be trusted.
  std::optional<std::string> read(const std::string& name) const;
  // False: it could not be written. Then the oldest files go if there are more than bytes_max.
  bool write(const std::string& name, std::string_view contents) const;

  struct entry {
    std::string name;
    std::uint64_t bytes = 0;
    std::int64_t used_s = 0;  // since 1970: when it was last read or written
  };
  // The last used first.
  std::vector<entry> entries() const;
  // Returns how many files went.
  std::size_t clear() const;

 private:
  void make_room() const;
  std::string path_;
};

// A name for something that is known by these bytes. Others may have it, too: compare what the file says.
std::string file_name(std::string_view kind, std::string_view bytes);
std::uint64_t hash_of(std::string_view bytes);

}  // namespace genesys::schedule
