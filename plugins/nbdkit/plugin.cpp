// SPDX-License-Identifier: Apache-2.0
// nbdkit-genesys-plugin.so: a block device over a file, encrypted and checked by services. It has nbdkit's callbacks
// and the parameters of the command line. nbdkit loads it, and forks before after_fork(), which opens the GPU. Then its
// threads call it, several at once.
#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "block_services.h"
#include "checked_store.h"
#include "encrypted_store.h"
#include "file.h"
#include "parity_store.h"
#include "plugin_services.h"
#include "whole_blocks.h"

#define NBDKIT_API_VERSION 2
#include <nbdkit-plugin.h>

namespace genesys::nbd {
namespace {

struct {
  std::vector<std::string> files;
  std::string check_file, key_file, parity_log, services = "auto";
  std::optional<u64> bytes;  // of each file
  bool discards = false, rebuilds = false;
} chosen;

key_bytes key;
std::vector<std::unique_ptr<file>> data_files;  // null: lost
u64 file_bytes = 0;
std::optional<file> check_file, log_file;
std::unique_ptr<block_services> services;
std::unique_ptr<whole_blocks> store;

// What `act` throws becomes -1 and the client's errno.
template <class Act>
int answer(Act act) noexcept {
  try {
    act();
    return 0;
  } catch (const std::system_error& wrong) {
    nbdkit_error("%s", wrong.what());
    nbdkit_set_error(wrong.code().value());
  } catch (const std::exception& wrong) {
    nbdkit_error("%s", wrong.what());
    nbdkit_set_error(EIO);
  }
  return -1;
}

std::string absolute(const char* path) {
  char* const whole = nbdkit_absolute_path(path);
  if (whole == nullptr) fail(errno, path);
  const std::string is = whole;
  std::free(whole);
  return is;
}

int config(const char* name, const char* value) {
  const std::string word = name;
  return answer([&] {
    if (word == "file") {
      chosen.files.push_back(absolute(value));
    } else if (word == "parity-log") {
      chosen.parity_log = absolute(value);
    } else if (word == "check-file") {
      chosen.check_file = absolute(value);
    } else if (word == "key-file") {
      chosen.key_file = absolute(value);
    } else if (word == "services") {
      chosen.services = value;
      if (!is_services_name(chosen.services)) fail(EINVAL, "services: auto, gpu, cpu or emulated");
    } else if (word == "size") {
      const std::int64_t bytes = nbdkit_parse_size(value);
      if (bytes <= 0) fail(EINVAL, "size");
      chosen.bytes = static_cast<u64>(bytes);
    } else if (word == "discards" || word == "rebuild") {
      const int is = nbdkit_parse_bool(value);
      if (is < 0) fail(EINVAL, word.c_str());
      (word == "discards" ? chosen.discards : chosen.rebuilds) = is != 0;
    } else {
      fail(EINVAL, ("there is no parameter " + word).c_str());
    }
  });
}

key_bytes read_key(const std::string& path) {
  const int from = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (from < 0) fail(errno, path.c_str());
  key_bytes bytes(65);
  const ssize_t got = read(from, bytes.data(), bytes.size());
  ::close(from);
  if (got != 32 && got != 64) fail(EINVAL, (path + ": a key of XTS has 32 or 64 bytes").c_str());
  bytes.resize(static_cast<std::size_t>(got));
  const auto half = bytes.begin() + got / 2;
  if (std::equal(bytes.begin(), half, half)) fail(EINVAL, (path + ": the halves of the key are equal").c_str());
  return bytes;
}

int config_complete() {
  return answer([] {
    const std::size_t count = chosen.files.size();
    if (count == 0) fail(EINVAL, "file=PATH is missing");
    if (count == 1 && !chosen.parity_log.empty()) fail(EINVAL, "parity-log is for several files");
    if (count > 1 && (count < parity_store::files_min || count > parity_store::files_max))
      fail(EINVAL, "parity needs 4 to 32 files, of which the last two are P and Q");
    if (count > 1 && chosen.parity_log.empty()) fail(EINVAL, "parity needs parity-log=PATH");
    if (count == 1 && chosen.key_file.empty() && chosen.check_file.empty())
      fail(EINVAL, "give key-file=PATH to encrypt, check-file=PATH to keep digests, or several files for parity");
    if (!chosen.key_file.empty()) key = read_key(chosen.key_file);
  });
}

// A file of several that is not there is lost, which is no error, unless all are to be made. `has_log`: the parity log
// knows the files already. Then none is made or becomes longer, but for one that is to be rebuilt, which begins empty:
// zeros would pass for what is lost.
std::unique_ptr<file> open_data(const std::string& path, bool has_log) {
  try {
    auto opened = std::make_unique<file>(path, chosen.rebuilds || (chosen.bytes.has_value() && !has_log));
    if (chosen.bytes && !has_log && opened->bytes() < *chosen.bytes) opened->resize(*chosen.bytes);
    return opened;
  } catch (const std::system_error& wrong) {
    const int number = wrong.code().value();
    if (chosen.files.size() == 1 || (number != ENOENT && number != EIO && number != ENXIO)) throw;
    return nullptr;
  }
}

int get_ready() {
  return answer([] {
    if (!chosen.parity_log.empty()) log_file.emplace(chosen.parity_log, true);
    const bool has_log = log_file && log_file->bytes() != 0;
    for (const std::string& path : chosen.files) {
      data_files.push_back(open_data(path, has_log));
      const u64 bytes = data_files.back() ? data_files.back()->bytes() : 0;
      // The least file decides. One that is to be rebuilt is still empty.
      if (bytes >= block_bytes && (file_bytes == 0 || bytes < file_bytes)) file_bytes = bytes;
    }
    if (file_bytes == 0) fail(EINVAL, (chosen.files[0] + " has no block: give size=").c_str());
    if (has_log && chosen.bytes && file_bytes < *chosen.bytes / block_bytes * block_bytes)
      fail(EINVAL, "the files are shorter than size=, and the parity log is of shorter ones");
    if (!chosen.check_file.empty()) check_file.emplace(chosen.check_file, true);
  });
}

void say_recovered(const char* what, u64 regions) {
  if (regions != 0)
    nbdkit_debug("the last server did not end: the %s of %llu regions of 16 MiB were computed anew", what,
                 static_cast<unsigned long long>(regions));
}

std::unique_ptr<block_store> lowest_store() {
  if (data_files.size() == 1) return std::make_unique<file_store>(std::move(*data_files[0]));
  auto made = std::make_unique<parity_store>(std::move(data_files), file_bytes, std::move(*log_file), *services);
  say_recovered("parity", made->recover(chosen.rebuilds));
  for (const u64 number : made->lost())
    nbdkit_debug("file %llu is lost; rebuild=yes writes it anew", static_cast<unsigned long long>(number));
  return made;
}

int after_fork() {
  return answer([] {
    services = chosen_services(chosen.services, key, [](const std::string& text) { nbdkit_debug("%s", text.c_str()); });
    erase(key);
    std::unique_ptr<block_store> top = lowest_store();
    if (check_file) {
      auto checked = std::make_unique<checked_store>(std::move(top), std::move(*check_file), *services);
      say_recovered("digests", checked->recover());
      top = std::move(checked);
    }
    if (!chosen.key_file.empty()) top = std::make_unique<encrypted_store>(std::move(top), *services, chosen.discards);
    store = std::make_unique<whole_blocks>(std::move(top));
    nbdkit_debug("services: %s", services->describe().c_str());
  });
}

void cleanup() {
  if (store) (void)answer([] { store->close(); });
  store.reset();
  services.reset();
}

void* open_connection(int) { return NBDKIT_HANDLE_NOT_NEEDED; }
std::int64_t get_size(void*) { return static_cast<std::int64_t>(store->bytes()); }
int yes(void*) { return 1; }

int block_size(void*, std::uint32_t* least, std::uint32_t* preferred, std::uint32_t* most) {
  *least = 1;
  *preferred = static_cast<std::uint32_t>(block_bytes);
  *most = 32u << 20;
  return 0;
}

// nbdkit emulates FUA by flush().
int can_fua(void*) { return NBDKIT_FUA_EMULATE; }

std::span<std::byte> as_bytes(void* data, std::uint32_t count) { return {static_cast<std::byte*>(data), count}; }

int read_at(void*, void* into, std::uint32_t count, std::uint64_t offset, std::uint32_t) {
  return answer([&] { store->read(offset, as_bytes(into, count)); });
}
int write_at(void*, const void* from, std::uint32_t count, std::uint64_t offset, std::uint32_t) {
  return answer([&] { store->write(offset, {static_cast<const std::byte*>(from), count}); });
}
int zero_at(void*, std::uint32_t count, std::uint64_t offset, std::uint32_t flags) {
  return answer([&] { store->zero(offset, count, (flags & NBDKIT_FLAG_MAY_TRIM) != 0); });
}
int trim_at(void*, std::uint32_t count, std::uint64_t offset, std::uint32_t) {
  return answer([&] { store->trim(offset, count); });
}
int flush_all(void*, std::uint32_t) {
  return answer([] { store->flush(); });
}

constexpr char help[] =
    "file=PATH          (required) The data. Several: RAID-6; the last two are P and Q.\n"
    "size=SIZE          Makes each file, or makes it longer.\n"
    "parity-log=PATH    (for several files) Which rows are being written, which files are lost.\n"
    "rebuild=BOOL       Writes lost files anew before the device is served. (default: false)\n"
    "key-file=PATH      Encrypts by AES-XTS: a file of 32 or 64 bytes.\n"
    "check-file=PATH    Keeps a digest of each block there. A block that differs cannot be read.\n"
    "discards=BOOL      Trims of an encrypted device free the file's space. (default: false)\n"
    "services=NAME      auto (the GPU, if there is one), gpu, cpu, or emulated (for tests). (default: auto)";

nbdkit_plugin make_plugin() {
  nbdkit_plugin is{};
  is.name = "genesys";
  is.longname = "genesys services";
  is.version = "0.1";
  is.description = "A block device that services encrypt and check";
  is.config = config;
  is.config_complete = config_complete;
  is.config_help = help;
  is.magic_config_key = "file";
  is.get_ready = get_ready;
  is.after_fork = after_fork;
  is.cleanup = cleanup;
  is.open = open_connection;
  is.get_size = get_size;
  is.block_size = block_size;
  is.can_write = yes;
  is.can_flush = yes;
  is.can_trim = yes;
  is.can_zero = yes;
  is.can_fua = can_fua;
  is.can_multi_conn = yes;
  is.pread = read_at;
  is.pwrite = write_at;
  is.flush = flush_all;
  is.trim = trim_at;
  is.zero = zero_at;
  return is;
}

nbdkit_plugin plugin = make_plugin();

}  // namespace
}  // namespace genesys::nbd

using genesys::nbd::plugin;
#define THREAD_MODEL NBDKIT_THREAD_MODEL_PARALLEL
NBDKIT_REGISTER_PLUGIN(plugin)
