// SPDX-License-Identifier: Apache-2.0
// The functions of <string.h> and <strings.h> for kernels, in the C locale. Any thread may call any function, alone.
// The results are glibc's. As in C, functions that search take const text and return a pointer that is not const.
// strlcpy and strlcat are BSD's. strstr and memmem take time in proportion to the product of both lengths.
#pragma once

#include <string.h>
#include <strings.h>

#include "genesys/posix/ctype.h"
#include "genesys/posix/detail/bytes.h"
#include "genesys/posix/detail/error_text.h"

namespace genesys::posix {

// --- Memory

GENESYS_KERNEL void* memcpy(void* to, const void* from, size_t bytes) {
  detail::libc::copy_bytes(static_cast<unsigned char*>(to), static_cast<const unsigned char*>(from), bytes);
  return to;
}

GENESYS_KERNEL void* mempcpy(void* to, const void* from, size_t bytes) {
  memcpy(to, from, bytes);
  return static_cast<char*>(to) + bytes;
}

GENESYS_KERNEL void* memmove(void* to, const void* from, size_t bytes) {
  auto* t = static_cast<unsigned char*>(to);
  const auto* f = static_cast<const unsigned char*>(from);
  if (detail::libc::address_of(to) - detail::libc::address_of(from) >= bytes)
    detail::libc::copy_bytes(t, f, bytes);
  else
    detail::libc::copy_bytes_back(t, f, bytes);
  return to;
}

GENESYS_KERNEL void* memset(void* at, int value, size_t bytes) {
  detail::libc::fill_bytes(static_cast<unsigned char*>(at), static_cast<unsigned char>(value), bytes);
  return at;
}

GENESYS_KERNEL int memcmp(const void* a, const void* b, size_t bytes) {
  const auto *x = static_cast<const unsigned char*>(a), *y = static_cast<const unsigned char*>(b);
  const size_t i = detail::libc::first_difference(x, y, bytes);
  return i == bytes ? 0 : x[i] - y[i];
}

GENESYS_KERNEL void* memchr(const void* in, int value, size_t bytes) {
  return const_cast<unsigned char*>(
      detail::libc::find_byte(static_cast<const unsigned char*>(in), static_cast<unsigned char>(value), bytes));
}

GENESYS_KERNEL void* memrchr(const void* in, int value, size_t bytes) {
  const auto* at = static_cast<const unsigned char*>(in) + bytes;
  while (bytes-- > 0)
    if (*--at == static_cast<unsigned char>(value)) return const_cast<unsigned char*>(at);
  return nullptr;
}

// Copies up to and with the first byte `value`, and returns the place after its copy; null if there is none.
GENESYS_KERNEL void* memccpy(void* to, const void* from, int value, size_t bytes) {
  const void* found = memchr(from, value, bytes);
  if (found == nullptr) {
    memcpy(to, from, bytes);
    return nullptr;
  }
  return mempcpy(to, from, static_cast<size_t>(static_cast<const char*>(found) - static_cast<const char*>(from)) + 1);
}

GENESYS_KERNEL_OUTLINE inline void* memmem(const void* in, size_t in_bytes, const void* what, size_t bytes) {
  const auto *at = static_cast<const unsigned char*>(in), *first = static_cast<const unsigned char*>(what);
  if (bytes == 0) return const_cast<unsigned char*>(at);
  for (; in_bytes >= bytes; ++at, --in_bytes) {
    const auto* next = static_cast<const unsigned char*>(memchr(at, *first, in_bytes - bytes + 1));
    if (next == nullptr) return nullptr;
    in_bytes -= static_cast<size_t>(next - at);
    at = next;
    if (memcmp(at, first, bytes) == 0) return const_cast<unsigned char*>(at);
  }
  return nullptr;
}

// BSD's names, and bits of integers: the place of the lowest bit that is set, from 1 on; 0 if none is.
GENESYS_KERNEL void bzero(void* at, size_t bytes) { memset(at, 0, bytes); }
GENESYS_KERNEL void bcopy(const void* from, void* to, size_t bytes) { memmove(to, from, bytes); }
GENESYS_KERNEL int bcmp(const void* a, const void* b, size_t bytes) { return memcmp(a, b, bytes); }
GENESYS_KERNEL int ffsll(long long of) {
#if GENESYS_ON_CUDA
  return __ffsll(of);
#else
  return __builtin_ffsll(of);
#endif
}
GENESYS_KERNEL int ffsl(long of) { return ffsll(of); }
GENESYS_KERNEL int ffs(int of) { return ffsll(of); }

// --- Length and copies of strings

GENESYS_KERNEL size_t strlen(const char* text) { return detail::libc::string_length(text); }

GENESYS_KERNEL size_t strnlen(const char* text, size_t max) {
  const void* end = memchr(text, 0, max);
  return end == nullptr ? max : static_cast<size_t>(static_cast<const char*>(end) - text);
}

// Returns the end of the copy: its null byte.
GENESYS_KERNEL char* stpcpy(char* to, const char* from) {
  const size_t length = strlen(from);
  memcpy(to, from, length + 1);
  return to + length;
}

GENESYS_KERNEL char* strcpy(char* to, const char* from) {
  stpcpy(to, from);
  return to;
}

// Writes exactly `bytes` bytes: null bytes follow a shorter string, and a longer one is cut without a null byte.
GENESYS_KERNEL char* stpncpy(char* to, const char* from, size_t bytes) {
  const size_t length = strnlen(from, bytes);
  memcpy(to, from, length);
  memset(to + length, 0, bytes - length);
  return to + length;
}

GENESYS_KERNEL char* strncpy(char* to, const char* from, size_t bytes) {
  stpncpy(to, from, bytes);
  return to;
}

GENESYS_KERNEL char* strcat(char* to, const char* from) {
  strcpy(to + strlen(to), from);
  return to;
}

// Appends at most `max` characters, and a null byte.
GENESYS_KERNEL char* strncat(char* to, const char* from, size_t max) {
  const size_t length = strnlen(from, max);
  char* end = static_cast<char*>(mempcpy(to + strlen(to), from, length));
  *end = 0;
  return to;
}

// Copies what fits into `bytes` bytes with a null byte, and returns the length of `from`.
GENESYS_KERNEL size_t strlcpy(char* to, const char* from, size_t bytes) {
  const size_t length = strlen(from);
  if (bytes == 0) return length;
  const size_t copied = length < bytes ? length : bytes - 1;
  memcpy(to, from, copied);
  to[copied] = 0;
  return length;
}

// Appends what fits. Returns the length that the whole string would have, or `bytes` + the length of `from` if `to`
// has no null byte.
GENESYS_KERNEL size_t strlcat(char* to, const char* from, size_t bytes) {
  const size_t length = strnlen(to, bytes);
  return length + strlcpy(to + length, from, bytes - length);
}

// --- Comparison

GENESYS_KERNEL int strncmp(const char* a, const char* b, size_t max) {
  for (; max > 0; ++a, ++b, --max) {
    const auto x = static_cast<unsigned char>(*a), y = static_cast<unsigned char>(*b);
    if (x != y || x == 0) return x - y;
  }
  return 0;
}

GENESYS_KERNEL int strcmp(const char* a, const char* b) { return strncmp(a, b, ~size_t{0}); }

// In the C locale the order of characters is that of their codes.
GENESYS_KERNEL int strcoll(const char* a, const char* b) { return strcmp(a, b); }

// A copy whose order by strcmp() is that of strcoll(). Returns its length; `to` has only a part if `bytes` is not
// greater.
GENESYS_KERNEL size_t strxfrm(char* to, const char* from, size_t bytes) { return strlcpy(to, from, bytes); }

GENESYS_KERNEL int strncasecmp(const char* a, const char* b, size_t max) {
  for (; max > 0; ++a, ++b, --max) {
    const int x = tolower(static_cast<unsigned char>(*a)), y = tolower(static_cast<unsigned char>(*b));
    if (x != y || x == 0) return x - y;
  }
  return 0;
}

GENESYS_KERNEL int strcasecmp(const char* a, const char* b) { return strncasecmp(a, b, ~size_t{0}); }

// --- Search

// The first `value`, or the null byte at the end.
GENESYS_KERNEL char* strchrnul(const char* text, int value) {
  while (*text != 0 && *text != static_cast<char>(value)) ++text;
  return const_cast<char*>(text);
}

GENESYS_KERNEL char* strchr(const char* text, int value) {
  char* at = strchrnul(text, value);
  return *at == static_cast<char>(value) ? at : nullptr;
}

GENESYS_KERNEL char* strrchr(const char* text, int value) {
  return static_cast<char*>(memrchr(text, value, strlen(text) + 1));
}

// BSD's names.
GENESYS_KERNEL char* index(const char* text, int value) { return strchr(text, value); }
GENESYS_KERNEL char* rindex(const char* text, int value) { return strrchr(text, value); }

GENESYS_KERNEL char* strstr(const char* text, const char* what) {
  return static_cast<char*>(memmem(text, strlen(text), what, strlen(what)));
}

GENESYS_KERNEL_OUTLINE inline char* strcasestr(const char* text, const char* what) {
  const size_t length = strlen(what);
  for (size_t left = strlen(text); left >= length; ++text, --left)
    if (strncasecmp(text, what, length) == 0) return const_cast<char*>(text);
  return nullptr;
}

// The length of the start of `text` that has only characters of `of`; strcspn: that has none of them.
GENESYS_KERNEL_OUTLINE inline size_t strspn(const char* text, const char* of) {
  size_t length = 0;
  while (text[length] != 0 && strchr(of, text[length]) != nullptr) ++length;
  return length;
}

GENESYS_KERNEL_OUTLINE inline size_t strcspn(const char* text, const char* of) {
  size_t length = 0;
  while (strchr(of, text[length]) == nullptr) ++length;  // every string ends in a null byte, so this ends
  return length;
}

GENESYS_KERNEL char* strpbrk(const char* text, const char* of) {
  text += strcspn(text, of);
  return *text != 0 ? const_cast<char*>(text) : nullptr;
}

// --- Tokens

// The next token between characters of `delimiters`, null after the last one. `*rest` keeps the place between calls.
GENESYS_KERNEL_OUTLINE inline char* strtok_r(char* text, const char* delimiters, char** rest) {
  char* begin = text != nullptr ? text : *rest;
  begin += strspn(begin, delimiters);
  char* end = begin + strcspn(begin, delimiters);
  *rest = *end != 0 ? end + 1 : end;
  if (end == begin) return nullptr;
  *end = 0;
  return begin;
}

// The same with empty tokens; `*text` is null after the last one.
GENESYS_KERNEL_OUTLINE inline char* strsep(char** text, const char* delimiters) {
  char* begin = *text;
  if (begin == nullptr) return nullptr;
  char* end = begin + strcspn(begin, delimiters);
  *text = *end != 0 ? end + 1 : nullptr;
  *end = 0;
  return begin;
}

// --- Errors

// The text of an errno. A number that Linux does not have is "Unknown error"; strerror_r() adds the number.
GENESYS_KERNEL char* strerror(int number) {
  const char* text = detail::libc::error_text(number);
  return const_cast<char*>(text != nullptr ? text : "Unknown error");
}

// POSIX's strerror_r (glibc has it as __xpg_strerror_r). Returns 0, ERANGE if the text is cut, EINVAL if the number is
// none of Linux.
GENESYS_KERNEL_OUTLINE inline int strerror_r(int number, char* to, size_t bytes) {
  const char* known = detail::libc::error_text(number);
  char made[32];
  if (known == nullptr) detail::libc::write_unknown_error(made, number);
  const size_t length = strlcpy(to, known != nullptr ? known : made, bytes);
  return known == nullptr ? EINVAL : length < bytes ? 0 : ERANGE;
}

}  // namespace genesys::posix
