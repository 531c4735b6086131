// SPDX-License-Identifier: Apache-2.0
// xts(aes) of Linux, through AF_ALG, against OpenSSL: random keys, vectors, sizes and data, several threads. Prints
// "N agree, N differ", and ends with status 0 if none differs.
//
// With 'layout' it compares what dm-crypt has stored on a disk with what nbdkit-genesys-plugin.so stores: each block of
// 4,096 bytes, encrypted with its number.
//
// usage: af_alg_check THREADS SECONDS
//        af_alg_check layout KEY-IN-HEX PLAIN-FILE DISK
#include <linux/if_alg.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <thread>
#include <vector>

#include "service/xts_by_openssl.h"

namespace {

using bytes = std::vector<std::byte>;
using iv_bytes = std::array<std::byte, 16>;

// Through one socket, which Linux gives the best cipher of the name.
class linux_xts {
 public:
  explicit linux_xts(const bytes& key) {
    sockaddr_alg address{};
    address.salg_family = AF_ALG;
    std::strcpy(reinterpret_cast<char*>(address.salg_type), "skcipher");
    std::strcpy(reinterpret_cast<char*>(address.salg_name), "xts(aes)");
    cipher_ = socket(AF_ALG, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
    if (cipher_ < 0 || bind(cipher_, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0 ||
        setsockopt(cipher_, SOL_ALG, ALG_SET_KEY, key.data(), static_cast<socklen_t>(key.size())) != 0 ||
        (call_ = accept(cipher_, nullptr, nullptr)) < 0) {
      std::perror("AF_ALG");
      std::exit(2);
    }
  }
  ~linux_xts() {
    close(call_);
    close(cipher_);
  }
  linux_xts(const linux_xts&) = delete;
  linux_xts& operator=(const linux_xts&) = delete;

  bytes run(const bytes& from, const iv_bytes& iv, bool encrypts) const {
    alignas(cmsghdr) char control[CMSG_SPACE(4) + CMSG_SPACE(sizeof(af_alg_iv) + 16)] = {};
    iovec data{const_cast<std::byte*>(from.data()), from.size()};
    msghdr message{};
    message.msg_control = control;
    message.msg_controllen = sizeof control;
    message.msg_iov = &data;
    message.msg_iovlen = 1;
    cmsghdr* header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_ALG;
    header->cmsg_type = ALG_SET_OP;
    header->cmsg_len = CMSG_LEN(4);
    const unsigned operation = encrypts ? ALG_OP_ENCRYPT : ALG_OP_DECRYPT;
    std::memcpy(CMSG_DATA(header), &operation, 4);
    header = CMSG_NXTHDR(&message, header);
    header->cmsg_level = SOL_ALG;
    header->cmsg_type = ALG_SET_IV;
    header->cmsg_len = CMSG_LEN(sizeof(af_alg_iv) + 16);
    auto* const vector = reinterpret_cast<af_alg_iv*>(CMSG_DATA(header));
    vector->ivlen = 16;
    std::memcpy(vector->iv, iv.data(), 16);
    bytes to(from.size());
    if (sendmsg(call_, &message, 0) != static_cast<ssize_t>(from.size())) return {};
    if (read(call_, to.data(), to.size()) != static_cast<ssize_t>(to.size())) return {};
    return to;
  }

 private:
  int cipher_ = -1, call_ = -1;
};

void fill(std::mt19937& random, std::span<std::byte> with) {
  for (std::byte& one : with) one = static_cast<std::byte>(random());
}

// A block, a few, some units, or so much that the module cuts it; and with ciphertext stealing.
std::size_t some_size(std::mt19937& random) {
  constexpr std::size_t most[] = {1, 32, 256, 1024, 4096, 10000};
  const std::size_t blocks = 1 + random() % most[random() % std::size(most)];
  return blocks * 16 + (random() % 8 == 0 ? random() % 16 : 0);
}

bytes file_of(const char* path, std::size_t most) {
  bytes content(most);
  FILE* const from = std::fopen(path, "rb");
  if (from == nullptr) std::abort();
  content.resize(std::fread(content.data(), 1, most, from));
  std::fclose(from);
  return content;
}

int check_layout(char** words) {
  constexpr std::size_t block_bytes = 4096;
  bytes key, plain = file_of(words[1], 1 << 20);
  const bytes stored = file_of(words[2], plain.size());
  for (const char* at = words[0]; at[0] != 0 && at[1] != 0; at += 2) {
    const char digits[] = {at[0], at[1], 0};
    key.push_back(static_cast<std::byte>(std::strtoul(digits, nullptr, 16)));
  }
  genesys::detail::services::xts_by_openssl right;
  if (!right.set_key(key, true)) std::abort();
  for (std::size_t at = 0; at < plain.size(); at += block_bytes) {
    const std::size_t number = at / block_bytes;
    iv_bytes iv{};
    std::memcpy(iv.data(), &number, sizeof number);
    if (!right.run(std::span(plain).subspan(at, block_bytes), iv)) std::abort();
  }
  std::printf("%zu blocks %s\n", plain.size() / block_bytes, plain == stored ? "agree" : "differ");
  return !plain.empty() && plain == stored ? 0 : 1;
}

}  // namespace

int main(int count, char** words) {
  if (count == 5 && std::strcmp(words[1], "layout") == 0) return check_layout(words + 2);
  const int threads = std::atoi(words[1]);
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(std::atoi(words[2]));
  std::atomic<long> agree{0}, differ{0};
  std::vector<std::jthread> running;
  for (int i = 0; i < threads; ++i) {
    running.emplace_back([&] {
      std::mt19937 random{std::random_device{}()};
      genesys::detail::services::xts_by_openssl right;
      while (std::chrono::steady_clock::now() < end) {
        bytes key(random() % 2 == 0 ? 32 : 64);
        fill(random, key);
        const linux_xts tried(key);
        for (int request = 0; request < 8; ++request) {
          bytes plain(some_size(random));
          iv_bytes iv;
          fill(random, plain);
          fill(random, iv);
          bytes expected = plain;
          if (!right.set_key(key, true) || !right.run(expected, iv)) std::abort();
          const bytes encrypted = tried.run(plain, iv, true);
          const bool same = encrypted == expected && tried.run(encrypted, iv, false) == plain;
          ++(same ? agree : differ);
          if (!same) std::printf("differs: %zu bytes, key of %zu\n", plain.size(), key.size());
        }
      }
    });
  }
  running.clear();
  std::printf("%ld agree, %ld differ\n", agree.load(), differ.load());
  return differ == 0 && agree > 0 ? 0 : 1;
}
