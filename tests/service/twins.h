// SPDX-License-Identifier: Apache-2.0
// Services with twins, for the tests of failures. They run on either device.
#pragma once

#include <cstddef>

#include "testing.h"

namespace service_testing {

template <class S>
struct twin_hash : S {
  GENESYS_KERNEL long operator()(const genesys::service_block& here, const typename S::arguments& with) const {
    return S::operator()(here, with);
  }
  long on_cpu(const typename S::arguments& with, unsigned blocks) const {
    return static_cast<long>(blocks) * S::of(this->key, with);
  }
};
using twin_hash_1 = twin_hash<hash_of_1>;
using twin_hash_24 = twin_hash<hash_of_24>;

struct twin_scale : scale {
  GENESYS_KERNEL long operator()(const genesys::service_block& here, const arguments& with) const {
    return scale::operator()(here, with);
  }
  long on_cpu(const arguments& with, unsigned) const {
    for (u32 i = 0; i < with.count; ++i) with.to[i] = with.from[i] * 3 + with.add;
    return with.count;
  }
};

// On the device it waits until the word is not 0; the twin returns 5 at once.
struct stuck : wait_for {
  GENESYS_KERNEL long operator()(const genesys::service_block& here, const arguments& with) const {
    return wait_for::operator()(here, with);
  }
  long on_cpu(const arguments&, unsigned) const { return 5; }
};

// Stores to an address that is not there: the device's side dies of it.
struct wild_store {
  struct arguments {
    u64 address;
  };
  GENESYS_KERNEL long operator()(const genesys::service_block&, const arguments& with) const {
    if (genesys::thread_rank() == 0) *reinterpret_cast<volatile u32*>(with.address) = 1;
    genesys::sync_block();
    return 1;
  }
  long on_cpu(const arguments&, unsigned) const { return 2; }
};

// Counts in the word until the device's side dies.
struct keeps_writing {
  struct arguments {
    u32* word;
  };
  GENESYS_KERNEL long operator()(const genesys::service_block&, const arguments& with) const {
    genesys::atomic<u32, genesys::thread_scope::system> word(*with.word);
    for (u32 i = 1; i != 0; ++i) {
      if (genesys::thread_rank() == 0) word.store(i);
      genesys::pause();
    }
    return 0;
  }
};

// to[i] = from[i] + 1; waits at its end. Its fields say which buffer it writes.
struct increment {
  struct arguments {
    genesys::service_input from;
    genesys::service_buffer to;
    u32* word;
  };
  static constexpr genesys::service_field fields[] = {{offsetof(arguments, from), genesys::service_field::input},
                                                      {offsetof(arguments, to), genesys::service_field::output}};
  GENESYS_KERNEL long operator()(const genesys::service_block& here, const arguments& with) const {
    const auto* from = static_cast<const u32*>(with.from.data);
    auto* to = static_cast<u32*>(with.to.data);
    for (u64 i = here.thread(); i < with.to.bytes / 4; i += here.threads()) to[i] = from[i] + 1;
    genesys::atomic<u32, genesys::thread_scope::system> word(*with.word);
    while (word.load() == 0) genesys::pause();
    return 0;
  }
  long on_cpu(const arguments& with, unsigned) const {
    const auto* from = static_cast<const u32*>(with.from.data);
    auto* to = static_cast<u32*>(with.to.data);
    for (u64 i = 0; i < with.to.bytes / 4; ++i) to[i] = from[i] + 1;
    return 7;
  }
};

using twin_services = genesys::service_list<empty, twin_hash_1, twin_hash_24, twin_scale, stuck, wait_for, wild_store,
                                            keeps_writing, increment, hash_of_7>;

}  // namespace service_testing
