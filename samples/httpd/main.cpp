// SPDX-License-Identifier: Apache-2.0
// httpd: each thread of a block accepts a connection, reads a request, and answers with a file. Linux sends the file
// (sendfile): none of it crosses the link.
#include <genesys/stdio.h>
#include <netinet/in.h>
#include <netinet/tcp.h>

#include "kernel_main.h"
#include "uri.h"

namespace posix = genesys::posix;

struct httpd {
  GENESYS_KERNEL int operator()(genesys::os os, int, char* const* argv) const {
    posix::library c(os);
    int& listener = genesys::shared<int>();
    if (genesys::thread_rank() == 0) listener = listen_at(argv[1], argv[2]);
    genesys::sync_block();
    while (listener >= 0) {
      const int fd = posix::accept4(listener, nullptr, nullptr, SOCK_CLOEXEC);
      if (fd < 0 && errno != ECONNABORTED) posix::usleep(10'000);  // as EMFILE: the connection waits
      if (fd < 0) continue;
      const struct timeval limit { 5, 0 };
      const unsigned limit_ms = 5000;
      posix::setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
      posix::setsockopt(fd, IPPROTO_TCP, TCP_USER_TIMEOUT, &limit_ms, sizeof limit_ms);
      posix::FILE* const peer = posix::fdopen(fd, "r+");
      if (peer != nullptr) answer(peer);
      peer != nullptr ? posix::fclose(peer) : posix::close(fd);
    }
    return 1;
  }

  // Returns the descriptor of a socket on the loopback interface, or -1 after a message. The folder becomes the working
  // folder.
  GENESYS_KERNEL static int listen_at(const char* port, const char* folder) {
    char* end;
    const unsigned long number = posix::strtoul(port, &end, 10);
    if (end == port || *end != 0 || number > 65535) return posix::dprintf(2, "httpd: %s: not a port\n", port), -1;
    const auto network_port = posix::htons(static_cast<unsigned short>(number));
    sockaddr_in at = {AF_INET, network_port, {posix::htonl(INADDR_LOOPBACK)}, {}};
    socklen_t bytes = sizeof at;
    const int fd = posix::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), on = 1;
    auto* const address = reinterpret_cast<struct sockaddr*>(&at);
    if (posix::chdir(folder) != 0 || posix::setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) != 0 ||
        posix::bind(fd, address, bytes) != 0 || posix::listen(fd, 128) != 0 ||
        posix::getsockname(fd, address, &bytes) != 0) {
      posix::fprintf(posix::standard_error(), "httpd: %s, %s: %m\n", port, folder);
      return -1;
    }
    posix::printf("httpd: http://127.0.0.1:%u/\n", unsigned{posix::ntohs(at.sin_port)});
    return fd;
  }

  // Reads a request (RFC 9110), and writes the answer.
  GENESYS_KERNEL static void answer(posix::FILE* peer) {
    char line[2048], header[512];
    if (posix::fgets(line, sizeof line, peer) == nullptr) return;
    const bool is_whole = posix::strchr(line, '\n') != nullptr, is_long = posix::strlen(line) + 1 == sizeof line;
    bool is_ended = false, begins = true;
    while ((is_whole || is_long) && !is_ended && posix::fgets(header, sizeof header, peer) != nullptr) {
      is_ended = begins && (header[0] == '\r' || header[0] == '\n');
      begins = posix::strchr(header, '\n') != nullptr;
    }
    char *rest = line, *method = posix::strtok_r(line, " \r\n", &rest),
         *path = posix::strtok_r(nullptr, " ?\r\n", &rest);
    const bool is_head = method != nullptr && posix::strcmp(method, "HEAD") == 0;
    if (!is_whole && is_long) return fail(peer, "414 URI Too Long", is_head);
    if (!is_ended || path == nullptr || path[0] != '/' || !decode(path)) return fail(peer, "400 Bad Request", is_head);
    if (!is_head && posix::strcmp(method, "GET") != 0) return fail(peer, "405 Method Not Allowed", is_head);
    if (is_outside(path)) return fail(peer, "403 Forbidden", is_head);
    while (*path == '/') ++path;
    const int file = posix::open(*path == 0 ? "index.html" : path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    struct stat about;
    if (file < 0) return fail(peer, posix::error_number() == EACCES ? "403 Forbidden" : "404 Not Found", is_head);
    if (posix::fstat(file, &about) != 0 || !S_ISREG(about.st_mode)) {
      posix::close(file);
      return fail(peer, "404 Not Found", is_head);
    }
    posix::fprintf(peer, "HTTP/1.1 200 OK\r\nContent-Length: %ld\r\nConnection: close\r\n\r\n", about.st_size);
    posix::fflush(peer);
    for (long left = is_head ? 0 : about.st_size, n = 1; left > 0 && n > 0; left -= n)
      n = posix::sendfile(posix::fileno(peer), file, nullptr, static_cast<std::size_t>(left));
    posix::close(file);
  }

  GENESYS_KERNEL static void fail(posix::FILE* peer, const char* why, bool is_head) {
    posix::fprintf(peer, "HTTP/1.1 %s\r\nContent-Length: %zu\r\nConnection: close\r\n\r\n", why,
                   posix::strlen(why) + 1);
    if (!is_head) posix::fprintf(peer, "%s\n", why);
  }
};

int main(int argc, char** argv) {
  return kernel_main(httpd{}, argc, argv, 2,
                     "usage: httpd PORT FOLDER\nServes the folder's files on the loopback interface; port 0: any.",
                     {.threads = {64}});
}
