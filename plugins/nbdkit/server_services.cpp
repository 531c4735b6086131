// SPDX-License-Identifier: Apache-2.0
// The plugin's services by a service_server, on a GPU or the CPU device. Data go through buffers of the server, in
// pieces. If a request fails, the same is computed on the CPU, from the caller's copy. nbdkit's threads call it.
#include <algorithm>
#include <cerrno>
#include <condition_variable>
#include <cstring>
#include <mutex>

#include "block_services.h"
#include "genesys/service.h"
#include "genesys/services/aes.h"
#include "genesys/services/raid6.h"
#include "genesys/services/sha256.h"
#include "plugin_services.h"

namespace genesys::nbd {
namespace {

using services::aes;
using services::aes_mode;
using services::raid6;
using services::raid6_rebuild;
using services::sha256;

constexpr u64 piece_bytes = 1 << 20;    // of data; a row of parity_store::files_max disks fits
constexpr u64 results_bytes = 1 << 20;  // digests, or parity: two blocks for each row of at least two disks
constexpr unsigned buffers_count = 16;
constexpr u64 bytes_of_a_block = 16384;  // so much of a piece for each block of the kernel
constexpr unsigned blocks_max = 16;

unsigned blocks_for(u64 bytes) {
  return static_cast<unsigned>(std::clamp<u64>(bytes / bytes_of_a_block, 1, blocks_max));
}

struct buffer {
  std::byte *data, *results;
};

class server_services final : public block_services {
 public:
  server_services(const key_bytes& key, device_kind device)
      : server_(service_list<aes, sha256, raid6, raid6_rebuild>{}, options_for(device)),
        aes_(server_.load(aes{})),
        sha256_(server_.load(sha256{})),
        raid6_(server_.load(raid6{})),
        rebuild_(server_.load(raid6_rebuild{})),
        twin_(services_on_cpu(key)) {
    for (unsigned i = 0; i < buffers_count; ++i) free_.push_back({allocate(piece_bytes), allocate(results_bytes)});
    if (key.empty()) return;
    rounds_ = key.size() == 64 ? 14 : 10;
    key_size_ = aes::key_buffer_bytes(rounds_, true);
    key_ = allocate(key_size_);
    const u64 half = key.size() / 2;
    const u64 put = services::aes_expand_key(key.data(), half, key_);
    services::aes_expand_key(key.data() + half, half, key_ + put);
  }
  ~server_services() override {
    if (key_ != nullptr) explicit_bzero(key_, key_size_);
  }

  std::string describe() const override { return server_.describe() + "; else " + twin_->describe(); }

  void encrypt(std::span<const std::byte> from, std::span<std::byte> to, u64 first_block) override {
    for (u64 at = 0; at < from.size(); at += piece_bytes) {
      const u64 bytes = std::min(piece_bytes, from.size() - at);
      if (!crypt(from.subspan(at, bytes), to.subspan(at, bytes), first_block + at / block_bytes, aes_mode::xts_encrypt))
        twin_->encrypt(from.subspan(at, bytes), to.subspan(at, bytes), first_block + at / block_bytes);
    }
  }
  void decrypt(std::span<std::byte> data, u64 first_block) override {
    for (u64 at = 0; at < data.size(); at += piece_bytes) {
      const auto part = data.subspan(at, std::min(piece_bytes, data.size() - at));
      if (!crypt(part, part, first_block + at / block_bytes, aes_mode::xts_decrypt))
        twin_->decrypt(part, first_block + at / block_bytes);
    }
  }

  void digests(std::span<const std::byte> data, std::span<digest> into) override {
    for (u64 at = 0; at < data.size(); at += piece_bytes) {
      const auto part = data.subspan(at, std::min(piece_bytes, data.size() - at));
      const auto results = into.subspan(at / block_bytes, part.size() / block_bytes);
      borrowed is(*this);
      const long done = is.call([&] {
        std::memcpy(is->data, part.data(), part.size());
        return server_.call(sha256_, {{is->data, part.size()}, block_bytes, {is->results, results.size_bytes()}},
                            {.blocks = blocks_for(part.size())});
      });
      if (done == static_cast<long>(results.size())) {
        std::memcpy(results.data(), is->results, results.size_bytes());
      } else {
        twin_->digests(part, results);
      }
    }
  }

  void parity(std::span<const std::byte> data, u64 disks, std::span<std::byte> into) override {
    each_rows(data.size(), disks, [&](u64 at, u64 bytes, u64 parity_at, u64 parity_bytes) {
      borrowed is(*this);
      const long done = is.call([&] {
        std::memcpy(is->data, &data[at], bytes);
        return server_.call(raid6_, {{is->data, bytes}, {is->results, parity_bytes}, block_bytes, disks},
                            {.blocks = blocks_for(bytes)});
      });
      if (done == 0) {
        std::memcpy(&into[parity_at], is->results, parity_bytes);
      } else {
        twin_->parity(data.subspan(at, bytes), disks, into.subspan(parity_at, parity_bytes));
      }
    });
  }
  void rebuild(std::span<std::byte> data, u64 disks, std::span<std::byte> parity, u64 first, u64 second) override {
    each_rows(data.size(), disks, [&](u64 at, u64 bytes, u64 parity_at, u64 parity_bytes) {
      borrowed is(*this);
      const long done = is.call([&] {
        std::memcpy(is->data, &data[at], bytes);
        std::memcpy(is->results, &parity[parity_at], parity_bytes);
        return server_.call(rebuild_,
                            {{is->data, bytes}, {is->results, parity_bytes}, block_bytes, disks, first, second},
                            {.blocks = blocks_for(bytes)});
      });
      if (done == 0) {
        std::memcpy(&data[at], is->data, bytes);
        std::memcpy(&parity[parity_at], is->results, parity_bytes);
      } else {
        twin_->rebuild(data.subspan(at, bytes), disks, parity.subspan(parity_at, parity_bytes), first, second);
      }
    });
  }

 private:
  static service_options options_for(device_kind device) {
    service_options chosen;
    chosen.device.device = device;
    return chosen;
  }
  std::byte* allocate(u64 bytes) { return static_cast<std::byte*>(server_.allocate(bytes)); }

  // A buffer of the server. A thread waits until there is one: each is given back after one request. A buffer that a
  // block may still use after its request has failed (docs/service-buffers.md) is not; without any there are no calls.
  class borrowed {
   public:
    explicit borrowed(server_services& of) : of_(of) {
      std::unique_lock hold(of_.lock_);
      of_.given_back_.wait(hold, [&] { return !of_.free_.empty() || of_.usable_ == 0; });
      if (of_.usable_ == 0) return;
      is_ = of_.free_.back();
      of_.free_.pop_back();
    }
    ~borrowed() {
      if (is_.data == nullptr) return;
      {
        const std::lock_guard hold(of_.lock_);
        if (is_used_) {
          --of_.usable_;
        } else {
          of_.free_.push_back(is_);
        }
      }
      of_.given_back_.notify_all();
    }
    borrowed(const borrowed&) = delete;
    borrowed& operator=(const borrowed&) = delete;
    const buffer* operator->() const { return &is_; }
    // What `make()` returns, the result of a call with this buffer; -ENOBUFS: there is none.
    template <class F>
    long call(const F& make) {
      if (is_.data == nullptr) return -ENOBUFS;
      const long result = make();
      is_used_ = may_still_use_memory(result);
      return result;
    }

   private:
    server_services& of_;
    buffer is_{};
    bool is_used_ = false;
  };

  bool crypt(std::span<const std::byte> from, std::span<std::byte> to, u64 block, aes_mode mode) {
    borrowed is(*this);
    const long done = is.call([&] {
      std::memcpy(is->data, from.data(), from.size());
      aes::arguments with{
          {is->data, from.size()}, {is->data, from.size()}, {key_, key_size_}, static_cast<u64>(mode), rounds_};
      with.sector_bytes = block_bytes;
      with.first_sector = block;
      return server_.call(aes_, with, {.blocks = blocks_for(from.size())});
    });
    if (done != 0) return false;
    std::memcpy(to.data(), is->data, to.size());
    return true;
  }

  // Cuts whole rows into pieces: `act(data offset, data bytes, parity offset, parity bytes)`.
  template <class Act>
  static void each_rows(u64 bytes, u64 disks, Act act) {
    const u64 row = disks * block_bytes, rows_at_once = piece_bytes / row;
    for (u64 at = 0; at < bytes; at += rows_at_once * row) {
      const u64 rows = std::min(rows_at_once, (bytes - at) / row);
      act(at, rows * row, at / row * 2 * block_bytes, rows * 2 * block_bytes);
    }
  }

  service_server server_;
  const service<aes> aes_;
  const service<sha256> sha256_;
  const service<raid6> raid6_;
  const service<raid6_rebuild> rebuild_;
  const std::unique_ptr<block_services> twin_;
  std::byte* key_ = nullptr;  // the round keys
  u64 key_size_ = 0, rounds_ = 0;
  std::mutex lock_;
  std::condition_variable given_back_;
  std::vector<buffer> free_;
  unsigned usable_ = buffers_count;  // free or borrowed
};

}  // namespace

std::unique_ptr<block_services> services_on_server(const key_bytes& key, bool on_gpu) {
  return std::make_unique<server_services>(key, on_gpu ? device_kind::cuda : device_kind::cpu);
}

}  // namespace genesys::nbd
