// SPDX-License-Identifier: Apache-2.0
#include "service_each/without_aes.h"

#include <unistd.h>

#include <climits>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "genesys/services/libraries.h"
#include "service_each/compare.h"

namespace service_bench {
namespace {

constexpr const char* flag = "--rates-without-aes";
// Bits 57 (AES) and 33 (the product without carries) of the processor's features.
constexpr const char* variable = "OPENSSL_ia32cap=~0x200000200000000";

bool is_possible() {
#if defined(__x86_64__)
  return genesys::services::libraries_of_twins().find("OpenSSL") != std::string::npos;
#else
  return false;
#endif
}

// The best of three rounds of at least 10 ms.
template <class F>
double rate(std::size_t bytes, const F& once) {
  double best = 0;
  for (unsigned round = 0; round < 3; ++round) {
    const auto begin = measure::clock::now();
    std::size_t done = 0;
    do {
      once();
      done += bytes;
    } while (measure::seconds_since(begin) < 0.01);
    best = std::max(best, static_cast<double>(done) / measure::seconds_since(begin) / 1e9);
  }
  return best;
}

void print_rates(std::size_t size_max) {
  std::vector<std::uint64_t> input(size_max / 8, 1), output(size_max / 8);
  alignas(16) std::uint8_t key[176];
  const std::uint8_t plain[16] = {1, 2, 3};
  genesys::services::aes_expand_key(plain, 16, key);
  const subject of{"aes_ecb",
                   16,
                   reinterpret_cast<std::uint8_t*>(input.data()),
                   nullptr,
                   [&](std::size_t at, std::size_t count) {
                     auto* const to = reinterpret_cast<std::uint8_t*>(output.data()) + at;
                     const auto* const from = reinterpret_cast<std::uint8_t*>(input.data()) + at;
                     must_succeed(genesys::services::aes{}.on_cpu(ecb_arguments(from, to, key, count), 1));
                   },
                   nullptr};
  baseline::native_threads cores(std::max(1u, std::thread::hardware_concurrency()));
  for (std::size_t bytes = size_min; bytes <= size_max; bytes *= 2) {
    const double one = rate(bytes, [&] { of.on_core(0, bytes); });
    const double all = rate(bytes, [&] { on_all_cores(cores, of, bytes); });
    std::printf("%zu %.9g %.9g\n", bytes, one, all);
  }
}

}  // namespace

std::vector<ecb_rate> rates_without_aes(std::size_t size_max) {
  std::vector<ecb_rate> rates;
  char self[PATH_MAX] = {};
  if (!is_possible() || ::readlink("/proc/self/exe", self, sizeof self - 1) < 0) return rates;
  const std::string command =
      std::string(variable) + " timeout 60 '" + self + "' " + flag + " " + std::to_string(size_max);
  FILE* const from = ::popen(command.c_str(), "r");
  if (from == nullptr) throw measure::failure("popen failed");
  for (ecb_rate one{}; std::fscanf(from, "%zu %lf %lf", &one.bytes, &one.core, &one.cores) == 3;) rates.push_back(one);
  if (::pclose(from) != 0) throw measure::failure("the process without AES instructions failed");
  return rates;
}

bool was_without_aes(int argc, char** argv) {
  if (argc != 3 || std::string_view(argv[1]) != flag) return false;
  print_rates(std::strtoull(argv[2], nullptr, 10));
  return true;
}

}  // namespace service_bench
