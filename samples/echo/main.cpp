// SPDX-License-Identifier: Apache-2.0
// A UDP echo server on the device: each block receives datagrams at the same socket and sends them back.
#include <arpa/inet.h>
#include <genesys/genesys.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "number.h"

// `served`: datagrams that each block has served, followed by their sum.
struct echo {
  GENESYS_KERNEL void operator()(genesys::os os, int fd, unsigned wanted, unsigned* served) const {
    using namespace genesys;
    const auto io = os.on(block());  // each call once for the whole block
    auto& buffer = shared<char[2048]>();
    auto& from = shared<sockaddr_in>();
    auto& length = shared<unsigned>();
    const auto address = reinterpret_cast<sockaddr*>(&from);
    for (;;) {
      if (thread_rank() == 0) length = sizeof from;  // the barrier of the call orders this store
      const long n = io.recvfrom(fd, buffer, sizeof buffer, 0, address,
                                 &length);  // while it waits, it holds no thread of the host
      if (n <= 0) break;                    // an empty datagram, or the shutdown below
      io.sendto(fd, buffer, static_cast<std::size_t>(n), 0, address, length);
      if (thread_rank() != 0) continue;
      ++served[block_rank()];
      if (atomic<unsigned>(served[blocks_in_grid()]).fetch_add(1) + 1 == wanted) os.shutdown(fd, SHUT_RD);
    }
    io.shutdown(fd, SHUT_RD);  // other blocks that wait in recvfrom get 0, too
  }
};

int main(int argc, char** argv) {
  if (argc > 3 || (argc > 1 && std::strcmp(argv[1], "--help") == 0)) {
    std::puts(
        "usage: echo [DATAGRAMS] [BLOCKS]\n"
        "Echoes UDP datagrams on loopback: DATAGRAMS of them (0: no limit), or until one is empty.");
    return argc > 3 ? 2 : 0;
  }
  const unsigned wanted = argc > 1 ? number(argv[1], 0, 1u << 30) : 0;
  const unsigned blocks = argc > 2 ? number(argv[2], 1, 65535) : 4;

  const int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  sockaddr_in at{};
  at.sin_family = AF_INET;
  at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t length = sizeof at;
  const auto address = reinterpret_cast<sockaddr*>(&at);
  if (fd < 0 || bind(fd, address, length) != 0 || getsockname(fd, address, &length) != 0) {
    std::perror("echo: socket");
    return 1;
  }
  std::printf("echo: listening on 127.0.0.1:%u\n", static_cast<unsigned>(ntohs(at.sin_port)));
  std::fflush(stdout);

  genesys::runtime rt;
  auto* served = static_cast<unsigned*>(rt.allocate_arena((blocks + 1) * sizeof(unsigned)));
  std::memset(served, 0, (blocks + 1) * sizeof(unsigned));
  genesys::launch(rt, {.blocks = {blocks}, .threads = {64}}, echo{}, fd, wanted, served).drain();
  for (unsigned b = 0; b < blocks; ++b) std::printf("echo: block %u served %u\n", b, served[b]);
  std::printf("echo: %u datagrams\n", served[blocks]);
  close(fd);
}
