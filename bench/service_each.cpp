// SPDX-License-Identifier: Apache-2.0
// The services that come with genesys beside the best libraries for CPUs (docs/service-list.md). A part for each:
//
//   sha256   pieces of 4 KiB                        OpenSSL
//   blake3   pieces of 4 KiB                        the twin: Debian 12 has no library
//   lz4      pieces of 64 KiB of words              LZ4_compress_default
//   search   200 literals in the same words         Hyperscan, without the beginnings of matches
//   aes_xts  AES-256, sectors of 4,096 bytes        OpenSSL
//   aes_ecb  AES-128-ECB, as in the paper           OpenSSL, with AES instructions and without
//   raid6    P and Q of 8 strips of 8 KiB           ISA-L
//
// Each part first compares the service's results with those of its twin. The bench's main thread calls.
#include <cstdio>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "genesys/service.h"
#include "genesys/services/libraries.h"
#include "genesys/services/services.h"
#include "service_each/compare.h"
#include "service_each/peers.h"
#include "service_each/without_aes.h"
#include "support/measure.h"

namespace service_bench {
namespace {

namespace services = genesys::services;
using measure::bench;
using services::u32;
using services::u64;
using services::u8;

unsigned blocks_wanted = 0, largest_mib = 0;

unsigned resident_blocks([[maybe_unused]] bench& all) {
  if (blocks_wanted != 0) return blocks_wanted;
#if defined(__CUDACC__)
  int device = 0, multiprocessors = 0;
  if (all.on_gpu() && cudaGetDevice(&device) == cudaSuccess &&
      cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device) == cudaSuccess)
    return static_cast<unsigned>(std::clamp(multiprocessors - 4, 1, 128));
#endif
  return 2;
}
std::size_t size_max(bench& all) {
  if (largest_mib != 0) return std::size_t{largest_mib} << 20;
  if (!all.on_gpu()) return all.quick() ? 128u << 10 : 1u << 20;
  return all.quick() ? 16u << 20 : 256u << 20;
}

// A server with one loaded service, and memory.
template <class S>
class with_service {
 public:
  explicit with_service(bench& all)
      : blocks_(resident_blocks(all)), server_(services::all{}, options_of(all, blocks_)) {
    loaded_ = server_.load(S{});
  }
  template <class T = u8>
  T* allocate(std::size_t bytes) {
    return static_cast<T*>(server_.allocate(bytes));
  }
  // With a block for each `bytes_each` of the input, as long as there are some.
  genesys::service_ticket submit(const typename S::arguments& with, std::size_t bytes, std::size_t bytes_each) {
    const std::size_t wanted = std::max<std::size_t>(1, (bytes + bytes_each - 1) / bytes_each);
    return server_.submit(loaded_, with, {.blocks = static_cast<unsigned>(std::min<std::size_t>(wanted, blocks_))});
  }
  // The service and its twin must write the same.
  void check(const typename S::arguments& with, std::size_t bytes, std::size_t bytes_each, void* output,
             std::size_t output_bytes) {
    std::memset(output, 0x5a, output_bytes);
    const long result = submit(with, bytes, bytes_each).wait();
    const u8* const begin = static_cast<const u8*>(output);
    const std::vector<u8> found(begin, begin + output_bytes);
    std::memset(output, 0x5a, output_bytes);
    const long expected = S{}.on_cpu(with, 1);
    if (result != expected || result < 0 || std::memcmp(found.data(), output, output_bytes) != 0)
      throw measure::failure(std::string(S::name) + " and its twin differ");
  }

 private:
  static genesys::service_options options_of(bench& all, unsigned blocks) {
    genesys::service_options chosen;
    chosen.device = all.runtime_options();
    chosen.blocks = blocks;
    chosen.threads = all.on_gpu() ? 256 : 64;
    chosen.limit_ms = 60'000;
    chosen.spin_us = 5'000;  // how long a thread sleeps is no property of a service
    return chosen;
  }
  unsigned blocks_;
  genesys::service_server server_;
  genesys::service<S> loaded_;
};

void fill_random(u8* to, std::size_t bytes) {
  std::mt19937_64 random(1);
  for (std::size_t i = 0; i + 8 <= bytes; i += 8) {
    const u64 word = random();
    std::memcpy(to + i, &word, 8);
  }
}

std::string random_word(std::mt19937_64& random, std::size_t least, std::size_t most) {
  std::string word;
  for (std::size_t k = least + random() % (most - least + 1); k != 0; --k)
    word += static_cast<char>('a' + random() % 26);
  return word;
}
// Lines of words. Some are much more frequent than others, and half of them come from the few of a paragraph; there are
// numbers.
void fill_words(u8* to, std::size_t bytes) {
  constexpr std::size_t paragraph = 4096;
  std::mt19937_64 random(2);
  std::vector<std::string> words, few(64);
  for (int i = 0; i < 4096; ++i) words.push_back(random_word(random, 2, 11));
  const auto any = [&] {
    const double share = static_cast<double>(random() >> 40) / (1 << 24);
    return words[static_cast<std::size_t>(share * share * share * 4095)];
  };
  std::size_t ends = 0;
  for (std::size_t at = 0; at < bytes;) {
    if (at >= ends) {
      for (std::string& word : few) word = any();
      ends = at + paragraph;
    }
    const u64 chosen = random();
    std::string word = chosen % 13 == 0  ? std::to_string(chosen % 10007)
                       : chosen % 2 == 0 ? few[chosen / 32 % few.size()]
                                         : any();
    word += chosen / 65536 % 12 == 0 ? '\n' : ' ';
    const std::size_t count = std::min(word.size(), bytes - at);
    std::memcpy(to + at, word.data(), count);
    at += count;
  }
}

template <class S>
void hashes(bench& all, const char* name) {
  constexpr std::size_t piece = 4096, bytes_each = 32 * piece;
  const std::size_t bytes = size_max(all);
  with_service<S> on(all);
  u8* const input = on.allocate(bytes);
  u8* const digests = on.allocate(bytes / piece * S::digest_bytes);
  fill_random(input, bytes);
  const auto arguments = [=](const u8* from, std::size_t at, std::size_t count) -> typename S::arguments {
    return {{from + at, count}, piece, {digests + at / piece * S::digest_bytes, count / piece * S::digest_bytes}};
  };
  on.check(arguments(input, 0, bytes), bytes, bytes_each, digests, bytes / piece * S::digest_bytes);
  compare(
      all,
      {name, piece, input,
       [&](const u8* from, std::size_t at, std::size_t count) {
         return on.submit(arguments(from, at, count), count, bytes_each);
       },
       [&](std::size_t at, std::size_t count) { must_succeed(S{}.on_cpu(arguments(input, at, count), 1)); }, nullptr},
      bytes);
}
void sha256(bench& all) { hashes<services::sha256>(all, "sha256"); }
void blake3(bench& all) { hashes<services::blake3>(all, "blake3"); }

void lz4(bench& all) {
  constexpr std::size_t piece = 64u << 10, slot = services::lz4::bound(piece);
  const std::size_t bytes = size_max(all), pieces = bytes / piece;
  with_service<services::lz4> on(all);
  u8* const input = on.allocate(bytes);
  u8* const slots = on.allocate(pieces * slot);
  u32* const sizes = on.allocate<u32>(pieces * sizeof(u32));
  fill_words(input, bytes);
  const auto arguments = [=](const u8* from, std::size_t at, std::size_t count) -> services::lz4::arguments {
    const std::size_t first = at / piece, of = count / piece;
    return {{from + at, count}, piece, {slots + first * slot, of * slot}, slot, {sizes + first, of * sizeof(u32)}};
  };
  on.check(arguments(input, 0, bytes), bytes, piece, slots, pieces * slot);
  std::vector<u8> own(pieces * slot);
  const auto by_library = [&](std::size_t at, std::size_t count) {
    std::size_t sum = 0;
    for (std::size_t i = at; i < at + count; i += piece) {
      const std::size_t size = lz4_by_library(input + i, piece, own.data() + i / piece * slot, slot);
      if (size == 0) throw measure::failure("liblz4 failed");
      sum += size;
    }
    return sum;
  };
  double sum = 0;
  for (std::size_t i = 0; i < pieces; ++i) sum += sizes[i];
  all.keep("lz4_compressed", "%", 100 * sum / static_cast<double>(bytes));
  if (has_lz4()) {
    all.keep("lz4_compressed_by_library", "%",
             100 * static_cast<double>(by_library(0, bytes)) / static_cast<double>(bytes));
  }
  compare(all,
          {"lz4", piece, input,
           [&](const u8* from, std::size_t at, std::size_t count) {
             return on.submit(arguments(from, at, count), count, piece);
           },
           [&](std::size_t at, std::size_t count) {
             if (has_lz4()) {
               by_library(at, count);
             } else {
               must_succeed(services::lz4{}.on_cpu(arguments(input, at, count), 1));
             }
           },
           nullptr},
          bytes);
}

void search(bench& all) {
  constexpr std::size_t piece = 16u << 10;
  const std::size_t bytes = size_max(all);
  with_service<services::search> on(all);
  u8* const input = on.allocate(bytes);
  u64* const counts = on.allocate<u64>(bytes / piece * sizeof(u64));
  fill_words(input, bytes);
  // Most do not occur.
  std::mt19937_64 random(3);
  std::vector<std::string> literals{"\n1000 ", " 9999\n"};
  while (literals.size() < 200) literals.push_back(random_word(random, 5, 16));
  const std::vector<u8> compiled = services::compile_search_set(literals);
  void* const set = all.runtime().allocate_device(compiled.size());
  all.runtime().copy_to_device(set, compiled.data(), compiled.size());
  const auto arguments = [=](const u8* from, std::size_t at, std::size_t count,
                             const void* of) -> services::search::arguments {
    return {{from + at, count}, piece, {of, compiled.size()}, {counts + at / piece, count / piece * sizeof(u64)},
            {nullptr, 0},       0};
  };
  u8* const pinned_set = on.allocate(compiled.size());
  std::memcpy(pinned_set, compiled.data(), compiled.size());
  on.check(arguments(input, 0, bytes, pinned_set), bytes, piece, counts, bytes / piece * sizeof(u64));
  const hyperscan peer(literals);
  const long found = on.submit(arguments(input, 0, bytes, set), bytes, piece).wait();
  all.keep("search_found_in_GB", "", static_cast<double>(found) * 1e9 / static_cast<double>(bytes));
  if (hyperscan::is_there() && peer.count(input, bytes) != static_cast<u64>(found))
    throw measure::failure("Hyperscan finds " + std::to_string(peer.count(input, bytes)) + ", the service " +
                           std::to_string(found));
  compare(all,
          {"search", piece, input,
           [&](const u8* from, std::size_t at, std::size_t count) {
             return on.submit(arguments(from, at, count, set), count, piece);
           },
           [&](std::size_t at, std::size_t count) {
             if (hyperscan::is_there()) {
               peer.count(input + at, count);
             } else {
               must_succeed(services::search{}.on_cpu(arguments(input, at, count, compiled.data()), 1));
             }
           },
           nullptr},
          bytes);
  all.runtime().free_device(set);
}

void aes_xts(bench& all) {
  constexpr std::size_t sector = 4096, bytes_each = 8u << 10;
  const std::size_t bytes = size_max(all);
  with_service<services::aes> on(all);
  u8* const input = on.allocate(bytes);
  u8* const output = on.allocate(bytes);
  u8* const key = on.allocate(480);
  fill_random(input, bytes);
  u8 plain_key[64];
  fill_random(plain_key, sizeof plain_key);
  services::aes_expand_key(plain_key, 32, key);
  services::aes_expand_key(plain_key + 32, 32, key + 240);
  const auto arguments = [=](const u8* from, std::size_t at, std::size_t count) -> services::aes::arguments {
    return {{from + at, count},
            {output + at, count},
            {key, 480},
            static_cast<u64>(services::aes_mode::xts_encrypt),
            14,
            sector,
            at / sector,
            {0, 0}};
  };
  on.check(arguments(input, 0, bytes), bytes, bytes_each, output, bytes);
  compare(
      all,
      {"aes_xts", sector, input,
       [&](const u8* from, std::size_t at, std::size_t count) {
         return on.submit(arguments(from, at, count), count, bytes_each);
       },
       [&](std::size_t at, std::size_t count) { must_succeed(services::aes{}.on_cpu(arguments(input, at, count), 1)); },
       [&](std::size_t at, std::size_t count) { return std::pair<const u8*, std::size_t>(output + at, count); }},
      bytes);
}

// Figure 2 of the paper, with a line for a CPU as it had one.
void aes_ecb(bench& all) {
  constexpr std::size_t bytes_each = 8u << 10;
  const std::size_t bytes = std::min<std::size_t>(size_max(all), 64u << 20);
  with_service<services::aes> on(all);
  u8* const input = on.allocate(bytes);
  u8* const output = on.allocate(bytes);
  u8* const key = on.allocate(176);
  fill_random(input, bytes);
  const u8 plain[16] = {1, 2, 3};
  services::aes_expand_key(plain, 16, key);
  on.check(ecb_arguments(input, output, key, bytes), bytes, bytes_each, output, bytes);
  compare(all,
          {"aes_ecb", 16, input,
           [&](const u8* from, std::size_t at, std::size_t count) {
             return on.submit(ecb_arguments(from, output + at, key, count), count, bytes_each);
           },
           [&](std::size_t at, std::size_t count) {
             must_succeed(services::aes{}.on_cpu(ecb_arguments(input + at, output + at, key, count), 1));
           },
           [&](std::size_t at, std::size_t count) { return std::pair<const u8*, std::size_t>(output + at, count); }},
          bytes);
  for (const ecb_rate& one : rates_without_aes(bytes)) {
    const double kib = static_cast<double>(one.bytes) / 1024;
    all.keep_at("aes_ecb", "one core without AES instructions", "KiB", kib, "GB/s", {one.core});
    all.keep_at("aes_ecb", "all cores without AES instructions", "KiB", kib, "GB/s", {one.cores});
    if (one.bytes == bytes) all.keep("aes_ecb_core_without_aes", "GB/s", one.core);
  }
}

void raid6(bench& all) {
  constexpr std::size_t strip = 8u << 10, disks = 8, stripe = strip * disks, bytes_each = stripe / 2;
  const std::size_t bytes = size_max(all);
  with_service<services::raid6> on(all);
  u8* const data = on.allocate(bytes);
  u8* const parity = on.allocate(bytes / disks * 2);
  fill_random(data, bytes);
  const auto arguments = [=](const u8* from, std::size_t at, std::size_t count) -> services::raid6::arguments {
    return {{from + at, count}, {parity + at / disks * 2, count / disks * 2}, strip, disks};
  };
  on.check(arguments(data, 0, bytes), bytes, bytes_each, parity, bytes / disks * 2);
  compare(all,
          {"raid6", stripe, data,
           [&](const u8* from, std::size_t at, std::size_t count) {
             return on.submit(arguments(from, at, count), count, bytes_each);
           },
           [&](std::size_t at, std::size_t count) {
             must_succeed(services::raid6{}.on_cpu(arguments(data, at, count), 1));
           },
           [&](std::size_t at, std::size_t count) {
             return std::pair<const u8*, std::size_t>(parity + at / disks * 2, count / disks * 2);
           }},
          bytes);
}

}  // namespace
}  // namespace service_bench

int main(int argc, char** argv) {
  using namespace service_bench;
  if (was_without_aes(argc, argv)) return 0;
  measure::bench all("service_each", "The services that come with genesys, beside one core and all cores, by size.");
  all.option("--blocks", blocks_wanted, "resident blocks of the server (0: all multiprocessors but four)");
  all.option("--largest", largest_mib, "the largest input, in MiB (0: 256 on a GPU)");
  all.part("sha256", "SHA-256 of pieces of 4 KiB, beside OpenSSL", sha256);
  all.part("blake3", "BLAKE3 of pieces of 4 KiB, beside the twin", blake3);
  all.part("lz4", "LZ4 of pieces of 64 KiB, beside liblz4", lz4);
  all.part("search", "200 literals, beside Hyperscan", search);
  all.part("aes_xts", "AES-256-XTS of sectors of 4,096 bytes, beside OpenSSL", aes_xts);
  all.part("aes_ecb", "AES-128-ECB, beside OpenSSL with AES instructions and without (the paper's Figure 2)", aes_ecb);
  all.part("raid6", "P and Q of 8 strips, beside ISA-L", raid6);
  std::printf("twins: %s\npeers: %s\n", genesys::services::libraries_of_twins().c_str(), peers().c_str());
  return all.main(argc, argv);
}
