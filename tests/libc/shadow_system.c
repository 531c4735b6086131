// SPDX-License-Identifier: Apache-2.0
// A C program for shadow_test.cpp, which compiles it as code of kernels: options, sockets, mapped files, spawned
// programs. `shadow_system -n LINES --folder=PATH rest` writes what it finds into PATH/out: a line for each of C's
// headers.
#include <arpa/inet.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <inttypes.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/select.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

GENESYS_PORTED_GLOBAL(int, lines)
#define lines GENESYS_PORTED_VALUE(lines)

static void note(FILE* to, const char* header, int good) {
  fprintf(to, "%s %s\n", header, good ? "yes" : "NO");
  lines++;
}

/* A connection over TCP: what one end sends, the other one gets, after poll(). */
static int by_tcp(void) {
  struct sockaddr_in address, peer;
  socklen_t length = sizeof(address);
  struct pollfd ready;
  struct timeval limit = {5, 0};
  char text[INET_ADDRSTRLEN], got[8];
  int one = 1, listener, client, server, good;

  memset(&address, 0, sizeof(address));
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  listener = socket(AF_INET, SOCK_STREAM, 0);
  if (bind(listener, (struct sockaddr*)&address, sizeof(address)) != 0 || listen(listener, 1) != 0) return 0;
  if (getsockname(listener, (struct sockaddr*)&address, &length) != 0 || ntohs(address.sin_port) == 0) return 0;
  client = socket(AF_INET, SOCK_STREAM, 0);
  good = connect(client, (struct sockaddr*)&address, sizeof(address)) == 0 &&
         setsockopt(client, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one)) == 0 &&
         setsockopt(client, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof(limit)) == 0;
  server = accept(listener, NULL, NULL);
  ready.fd = server;
  ready.events = POLLIN;
  good = good && poll(&ready, 1, 0) == 0 && send(client, &address, 8, MSG_NOSIGNAL) == 8;
  good = good && poll(&ready, 1, 5000) == 1 && (ready.revents & POLLIN) != 0 && recv(server, got, 8, 0) == 8;
  good = good && memcmp(got, &address, 8) == 0;
  length = sizeof(peer);
  good = good && getpeername(client, (struct sockaddr*)&peer, &length) == 0 && peer.sin_port == address.sin_port;
  good = good && inet_ntop(AF_INET, &peer.sin_addr, text, sizeof(text)) == text && strcmp(text, "127.0.0.1") == 0;
  good = good && inet_pton(AF_INET, "127.0.0.1", &peer.sin_addr) == 1 &&
         peer.sin_addr.s_addr == address.sin_addr.s_addr && inet_addr("127.0.0.1") == peer.sin_addr.s_addr;
  return close(listener) == 0 && close(client) == 0 && close(server) == 0 && good;
}

static int by_socketpair(void) {
  int ends[2];
  char got[4];
  fd_set in;
  struct timeval limit = {5, 0};
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0 || write(ends[0], "abc", 3) != 3) return 0;
  FD_ZERO(&in);
  FD_SET(ends[1], &in);
  if (select(ends[1] + 1, &in, NULL, NULL, &limit) != 1 || !FD_ISSET(ends[1], &in)) return 0;
  return recvfrom(ends[1], got, 4, 0, NULL, NULL) == 3 && shutdown(ends[0], SHUT_RDWR) == 0 && close(ends[0]) == 0 &&
         close(ends[1]) == 0;
}

static int map_file(const char* path) {
  struct stat about;
  struct timespec times[2] = {{1000, 0}, {2000, 0}};
  char* at;
  int good, fd = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
  if (write(fd, times, sizeof(times)) != sizeof(times) || futimens(fd, times) != 0) return 0;
  if (fstat(fd, &about) != 0 || about.st_mtime != 2000) return 0;
  at = mmap(NULL, (size_t)about.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (at == MAP_FAILED) return 0;
  good = memcmp(at, times, sizeof(times)) == 0;
  at[0] = 'm';
  good = good && msync(at, sizeof(times), MS_SYNC) == 0 && munmap(at, sizeof(times)) == 0;
  return good && pread(fd, times, 1, 0) == 1 && *(char*)times == 'm' && close(fd) == 0;
}

/* The exit status of a shell, whose output goes to a file. */
static int run(const char* command, const char* output) {
  char shell[] = "sh", option[] = "-c", text[100];
  char* words[] = {shell, option, text, NULL};
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  sigset_t set;
  pid_t child = 0;
  int status = 0;
  strcpy(text, command);
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setsigmask(&attributes, &set);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, output, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  if (posix_spawn(&child, "/bin/sh", &actions, &attributes, words, environ) != 0) return -1;
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  if (waitpid(child, &status, 0) != child || !WIFEXITED(status)) return -1;
  return WEXITSTATUS(status);
}

static int is_visible(const struct dirent* entry) { return entry->d_name[0] != '.'; }
static int backwards(const struct dirent** a, const struct dirent** b) { return alphasort(b, a); }

static int list(const char* path) {
  struct dirent** entries;
  int i, count = scandir(path, &entries, is_visible, backwards), good;
  good = count == 3 && strcmp(entries[0]->d_name, "ran") == 0 && strcmp(entries[2]->d_name, "mapped") == 0;
  for (i = 0; i < count; i++) free(entries[i]);
  free(entries);
  return good;
}

int main(int argc, char** argv) {
  struct option all[] = {{"folder", required_argument, NULL, 'f'}, {NULL, 0, NULL, 0}};
  struct timeval now = {0, 0};
  const char* folder = NULL;
  char path[200], bytes[16];
  int c, wanted = 0, in, out;
  FILE* to;
  while ((c = getopt_long(argc, argv, "n:", all, NULL)) != -1) {
    if (c == 'n') wanted = atoi(optarg);
    if (c == 'f') folder = optarg;
  }
  if (folder == NULL || optind != argc - 1 || strcmp(argv[optind], "rest") != 0) return 1;
  snprintf(path, sizeof(path), "%s/out", folder);
  to = freopen(path, "w", stdout);
  if (to == NULL) return 1;

  optind = 0;
  note(to, "getopt.h", getopt(argc, argv, "n") == 'n' && getopt(argc, argv, "n") == -1 && optind == 2);
  note(to, "netinet/in.h", by_tcp());
  note(to, "sys/socket.h", by_socketpair());
  snprintf(path, sizeof(path), "%s/mapped", folder);
  note(to, "sys/mman.h", map_file(path));
  in = open(path, O_RDONLY);
  snprintf(path, sizeof(path), "%s/ran", folder);
  note(to, "spawn.h", run("echo $PATH | grep -c /; exit 7", path) == 7);
  out = open(path, O_RDWR | O_APPEND);
  note(to, "sys/wait.h", read(out, bytes, 2) == 2 && bytes[0] == '1');
  note(to, "sys/sendfile.h", sendfile(out, in, NULL, 5) == -1 && errno == EINVAL && close(out) == 0 && close(in) == 0);
  note(to, "dirent.h", list(folder));
  note(to, "sys/time.h", gettimeofday(&now, NULL) == 0 && now.tv_sec > 1000);
  note(to, "sys/random.h", getrandom(bytes, 16, 0) == 16 && getentropy(bytes, 300) == -1 && errno == EIO);
  note(to, "inttypes.h", strtoimax("-12", NULL, 10) == -12 && strtoumax("12", NULL, 10) == 12);
  note(to, "signal.h", kill(getpid(), 0) == 0);
  printf("%d\n", lines);
  return lines == wanted ? 0 : 2;
}
