// SPDX-License-Identifier: Apache-2.0
// The CPU's counterpart of samples/echo for tools/dev/study: threads that echo UDP datagrams on loopback.
#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <thread>
#include <vector>

namespace {

std::atomic<long> served{0};

void serve(int fd, long wanted) {
  char buffer[2048];
  for (;;) {
    sockaddr_in from{};
    socklen_t length = sizeof from;
    const auto n = recvfrom(fd, buffer, sizeof buffer, 0, reinterpret_cast<sockaddr*>(&from), &length);
    if (n <= 0) break;  // the shutdown below
    sendto(fd, buffer, static_cast<std::size_t>(n), 0, reinterpret_cast<sockaddr*>(&from), length);
    if (served.fetch_add(1) + 1 == wanted) break;
  }
  shutdown(fd, SHUT_RD);  // the other threads that wait in recvfrom get 0
}

}  // namespace

int main(int argc, char** argv) {
  const long wanted = argc > 1 ? std::atol(argv[1]) : 100;
  const int threads = argc > 2 ? std::atoi(argv[2]) : 4;
  const int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  sockaddr_in at{};
  at.sin_family = AF_INET;
  at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t length = sizeof at;
  const auto address = reinterpret_cast<sockaddr*>(&at);
  if (fd < 0 || bind(fd, address, length) != 0 || getsockname(fd, address, &length) != 0) {
    std::perror("echo_server: socket");
    return 1;
  }
  std::printf("echo: listening on 127.0.0.1:%u\n", static_cast<unsigned>(ntohs(at.sin_port)));
  std::fflush(stdout);
  std::vector<std::thread> others;
  for (int i = 0; i < threads; ++i) others.emplace_back(serve, fd, wanted);
  for (auto& one : others) one.join();
}
