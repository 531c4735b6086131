// SPDX-License-Identifier: Apache-2.0
// The cipher of serve_kgpu() by the service aes, in the module's memory, without a copy. A program
// that includes this links genesys::services and libcrypto. The threads of serve_kgpu() call it.
//
// The service takes the number of a sector, as dm-crypt has it. Requests whose vector is no number (those of AF_ALG,
// and the pieces of requests over 64 KiB) are computed by OpenSSL.
#pragma once

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <list>
#include <mutex>
#include <vector>

#include "genesys/service.h"
#include "genesys/services/aes.h"
#include "service/kgpu.h"
#include "service/xts_by_openssl.h"

namespace genesys::detail::services {

class kgpu_by_aes {
 public:
  // `loaded` belongs to `server`, and so does the memory of /dev/kgpu: on a GPU it is registered.
  kgpu_by_aes(service_server& server, service<genesys::services::aes> loaded) : server_(server), aes_(loaded) {
    for (unsigned i = 0; i < keys_max; ++i) keys_.push_back({static_cast<std::byte*>(server_.allocate(key_bytes_max))});
  }
  ~kgpu_by_aes() {
    for (key_slot& one : keys_) explicit_bzero(one.round_keys, key_bytes_max);
  }
  kgpu_by_aes(const kgpu_by_aes&) = delete;
  kgpu_by_aes& operator=(const kgpu_by_aes&) = delete;

  // Throws if a request does not end: then the GPU may still write, and the daemon must end.
  void operator()(std::span<kgpu_work> works) {
    std::vector<under_way> all;
    for (kgpu_work& work : works) {
      if (std::any_of(work.iv.begin() + 8, work.iv.end(), [](std::byte one) { return one != std::byte{0}; })) {
        thread_local xts_by_openssl xts;
        work.done = xts.set_key(work.key, work.encrypts) && xts.run(work.data, work.iv);
      } else if (key_slot* const key = take_key(work)) {
        all.push_back({&work, key, submit(work, *key)});
      }
    }
    long lost = 0;
    for (under_way& one : all) {
      const long result = one.ticket.wait();
      one.work->done = result == 0;
      if (result == -ETIMEDOUT || result == -EBADMSG) lost = result;
      give_key(*one.key);
    }
    if (lost != 0) throw error(error_code::launch_failed, "a request of the Linux module does not end");
  }

 private:
  using aes = genesys::services::aes;
  static constexpr unsigned keys_max = 64, rounds_max = 14;
  static constexpr std::size_t key_bytes_max = aes::key_buffer_bytes(rounds_max, true);

  struct key_slot {
    std::byte* round_keys;
    std::uint64_t number = 0, rounds = 0;
    unsigned users = 0;
  };
  struct under_way {
    kgpu_work* work;
    key_slot* key;
    service_ticket ticket;
  };

  service_ticket submit(const kgpu_work& work, const key_slot& key) {
    using genesys::services::aes_mode;
    aes::arguments with{{work.data.data(), work.data.size()},
                        {work.data.data(), work.data.size()},
                        {key.round_keys, key_bytes_max},
                        static_cast<std::uint64_t>(work.encrypts ? aes_mode::xts_encrypt : aes_mode::xts_decrypt),
                        key.rounds};
    with.sector_bytes = work.data.size();
    for (unsigned i = 0; i < 8; ++i) with.first_sector |= static_cast<std::uint64_t>(work.iv[i]) << 8 * i;
    return server_.submit(aes_, with);
  }

  // The slot with the round keys of a request; the one used last is the first. Null: all are in use.
  key_slot* take_key(const kgpu_work& work) {
    const std::lock_guard hold(lock_);
    auto found =
        std::find_if(keys_.begin(), keys_.end(), [&](const key_slot& one) { return one.number == work.key_number; });
    if (found == keys_.end()) {
      const auto unused =
          std::find_if(keys_.rbegin(), keys_.rend(), [](const key_slot& one) { return one.users == 0; });
      if (unused == keys_.rend()) return nullptr;
      found = std::prev(unused.base());
      const std::size_t half = work.key.size() / 2;
      const auto put = genesys::services::aes_expand_key(work.key.data(), half, found->round_keys);
      genesys::services::aes_expand_key(work.key.data() + half, half, found->round_keys + put);
      found->number = work.key_number;
      found->rounds = half == 32 ? 14 : 10;
    }
    ++found->users;
    keys_.splice(keys_.begin(), keys_, found);
    return &*found;
  }
  void give_key(key_slot& key) {
    const std::lock_guard hold(lock_);
    --key.users;
  }

  service_server& server_;
  const service<aes> aes_;
  std::mutex lock_;
  std::list<key_slot> keys_;
};

}  // namespace genesys::detail::services
