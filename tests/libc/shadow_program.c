// SPDX-License-Identifier: Apache-2.0
// A C program for shadow_test.cpp, which compiles it as code of kernels. It writes what it finds into the file argv[1]:
// a line for each of C's headers.
#include <assert.h>
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <libgen.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum colour { RED = 1, BLUE = 2 };

GENESYS_PORTED_GLOBAL(int, lines)
#define lines GENESYS_PORTED_VALUE(lines)

static int order(const void* a, const void* b) { return *(const int*)a - *(const int*)b; }

static int calls_of(void) {
  GENESYS_PORTED_STATIC(int, calls, = 10);
  return ++calls;
}
// A variable of the same name, of its own.
static int other_calls_of(void) {
  GENESYS_PORTED_STATIC(int, calls, = 20);
  return ++calls;
}

static int sum(int count, ...) {
  va_list list;
  int i, all = 0;
  va_start(list, count);
  for (i = 0; i < count; i++) {
    enum colour c = va_arg(list, enum colour);
    const char* text = va_arg(list, char*);
    all += c * (int)strlen(text);
  }
  va_end(list);
  return all;
}

static void note(FILE* to, const char* header, int good) {
  fprintf(to, "%s %s\n", header, good ? "yes" : "NO");
  lines++;
}

int main(int argc, char** argv) {
  struct stat about;
  struct tm parts;
  struct timespec pause = {0, 1000}, now;
  int numbers[4] = {3, 1, 2, 0}, key = 2, fd;
  time_t day = 86400;
  char text[80];
  char path[80];
  char* made = malloc(8);
  int* found;
  int (*look)(const char*, struct stat*);
  DIR* folder;
  FILE* to = freopen(argv[1], "w", stdout);
  if (to == NULL || argc != 2) return 1;

  assert(made != NULL);
  note(to, "ctype.h", isupper('A') && tolower('A') == 'a');
  made = realloc(made, 100);
  strcpy(made, "one two");
  found = (qsort(numbers, 4, sizeof(int), order), bsearch(&key, numbers, 4, sizeof(int), order));
  note(to, "stdlib.h", !!made && numbers[0] == 0 && found == &numbers[2] && atoi("12") == 12 && abs(-2) == 2);
  note(to, "string.h", strchr(made, 't') == made + 4 && memchr(made, 'w', 8) == made + 5);
  note(to, "strings.h", strcasecmp("A", "a") == 0);
  free(made);
  note(to, "stdarg.h", sum(2, RED, "abc", BLUE, "d") == 5);
  note(to, "static", calls_of() == 11 && calls_of() == 12 && other_calls_of() == 21);

  fd = open(argv[1], O_RDONLY);
  note(to, "fcntl.h", fd >= 0);
  note(to, "unistd.h", close(fd) == 0 && close(-1) == -1);
  note(to, "errno.h", errno == EBADF);
  fflush(stdout);
  look = stat;
  note(to, "sys/stat.h", stat(argv[1], &about) == 0 && S_ISREG(about.st_mode) && about.st_size > 0 &&
                             look("/none", &about) == -1 && errno == ENOENT);
  note(to, "time.h", gmtime_r(&day, &parts) == &parts && parts.tm_mday == 2 && nanosleep(&pause, NULL) == 0 &&
                         clock_gettime(CLOCK_REALTIME, &now) == 0 && time(NULL) >= now.tv_sec);
  note(to, "stdio.h", snprintf(text, sizeof(text), "%s-%d", "a", 7) == 3 && strcmp(text, "a-7") == 0);
  strcpy(path, argv[1]);
  note(to, "libgen.h", strlen(basename(path)) > 0);
  note(to, "fnmatch.h", fnmatch("*.c", "a.c", 0) == 0);
  folder = opendir("/");
  note(to, "dirent.h", folder != NULL && readdir(folder) != NULL && closedir(folder) == 0);
  printf("%d\n", lines);
  return lines == 15 ? 0 : 2;
}
