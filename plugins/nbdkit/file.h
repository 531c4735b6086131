// SPDX-License-Identifier: Apache-2.0
// A file of the plugin: whole reads and writes at an offset. Any thread, several at once.
#pragma once

#include <string>

#include "block_store.h"

namespace genesys::nbd {

class file {
 public:
  // Throws. `creates`: the file is made if it is not there. Another process that has opened it so is refused.
  file(const std::string& path, bool creates);
  file(file&& from) noexcept : descriptor_(from.descriptor_), path_(std::move(from.path_)) { from.descriptor_ = -1; }
  ~file();

  u64 bytes() const;
  void resize(u64 bytes) const;
  // Behind the end of the file are zeros.
  void read(u64 offset, std::span<std::byte> into) const;
  void write(u64 offset, std::span<const std::byte> from) const;
  void zero(u64 offset, u64 bytes, bool gives_back) const;  // a hole, if it may be one and the file system can
  void sync() const;
  const std::string& path() const { return path_; }

 private:
  int descriptor_ = -1;
  std::string path_;
};

// A store that is one file.
class file_store final : public block_store {
 public:
  explicit file_store(file of) : file_(std::move(of)), bytes_(file_.bytes() / block_bytes * block_bytes) {}
  u64 bytes() const override { return bytes_; }
  u64 granule_bytes() const override { return block_bytes; }
  void read(u64 offset, std::span<std::byte> into) override { file_.read(offset, into); }
  void write(u64 offset, std::span<const std::byte> from) override { file_.write(offset, from); }
  void zero(u64 offset, u64 bytes, bool gives_back) override { file_.zero(offset, bytes, gives_back); }
  void trim(u64 offset, u64 bytes) override { file_.zero(offset, bytes, true); }
  void flush() override { file_.sync(); }
  void close() override { file_.sync(); }

 private:
  file file_;
  u64 bytes_;
};

}  // namespace genesys::nbd
