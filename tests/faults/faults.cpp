// SPDX-License-Identifier: Apache-2.0
// This file declares each function as taking six register arguments and two on the stack. So it may not include a
// header that declares one of them.
#include "faults.h"

#include <dlfcn.h>
#include <errno.h>

#include <new>

#if FAULTS_OF_CUDA
#include "cuda_calls.h"
#endif

extern "C" void* malloc(std::size_t) noexcept;
extern "C" void* aligned_alloc(std::size_t, std::size_t) noexcept;
extern "C" void free(void*) noexcept;

namespace {

using word = long;

// What a failing call returns, and whether it has done its work.
enum class fails { with_minus_1, with_null, with_its_error, but_is_done };

// --- Linux and libc: name, how it fails, errno. `but_is_done`: close(2) gives EINTR for a descriptor that it has
// closed.
#define CALLS_OF_LINUX(CALL)                       \
  CALL(close, but_is_done, EINTR)                  \
  CALL(epoll_create1, with_minus_1, EMFILE)        \
  CALL(epoll_ctl, with_minus_1, ENOMEM)            \
  CALL(epoll_wait, with_minus_1, EINTR)            \
  CALL(eventfd, with_minus_1, EMFILE)              \
  CALL(eventfd_read, with_minus_1, EINTR)          \
  CALL(eventfd_write, with_minus_1, EINTR)         \
  CALL(fcntl, with_minus_1, EMFILE)                \
  CALL(fstat, with_minus_1, EIO)                   \
  CALL(fstatfs, with_minus_1, EIO)                 \
  CALL(getcwd, with_null, ENOENT)                  \
  CALL(getrandom, with_minus_1, EINTR)             \
  CALL(getsockopt, with_minus_1, ENOBUFS)          \
  CALL(madvise, with_minus_1, EAGAIN)              \
  CALL(mmap, with_minus_1, ENOMEM)                 \
  CALL(mprotect, with_minus_1, ENOMEM)             \
  CALL(munmap, with_minus_1, ENOMEM)               \
  CALL(open, with_minus_1, EMFILE)                 \
  CALL(opendir, with_null, EMFILE)                 \
  CALL(pkey_alloc, with_minus_1, ENOSPC)           \
  CALL(pkey_mprotect, with_minus_1, ENOMEM)        \
  CALL(poll, with_minus_1, EINTR)                  \
  CALL(prctl, with_minus_1, EPERM)                 \
  CALL(process_vm_readv, with_minus_1, EPERM)      \
  CALL(process_vm_writev, with_minus_1, EPERM)     \
  CALL(pthread_create, with_its_error, EAGAIN)     \
  CALL(pthread_getattr_np, with_its_error, ENOMEM) \
  CALL(pthread_sigmask, with_its_error, EINVAL)    \
  CALL(read, with_minus_1, EINTR)                  \
  CALL(readdir, with_null, EIO)                    \
  CALL(readlinkat, with_minus_1, ENOMEM)           \
  CALL(sched_yield, with_minus_1, ENOSYS)          \
  CALL(shmat, with_minus_1, ENOMEM)                \
  CALL(shmctl, with_minus_1, EIDRM)                \
  CALL(sigaction, with_minus_1, EINVAL)            \
  CALL(sigaltstack, with_minus_1, ENOMEM)          \
  CALL(syscall, with_minus_1, EIO)                 \
  CALL(timerfd_create, with_minus_1, EMFILE)       \
  CALL(timerfd_settime, with_minus_1, ECANCELED)   \
  CALL(write, with_minus_1, ENOSPC)

// --- Of CUDA: name, error. What fails has done nothing. CALLS_OF_CUDA is in cuda_calls.h.
constexpr int no_memory = 2, unknown = 999;  // cudaErrorMemoryAllocation, cudaErrorUnknown
#if FAULTS_OF_CUDA
// These the library finds through cudaGetDriverEntryPointByVersion.
#define CALLS_OF_DRIVER(CALL)                  \
  CALL(cuMemAddressReserve, no_memory)         \
  CALL(cuMemAddressFree, unknown)              \
  CALL(cuMemCreate, no_memory)                 \
  CALL(cuMemGetAllocationGranularity, unknown) \
  CALL(cuMemMap, unknown)                      \
  CALL(cuMemRelease, unknown)                  \
  CALL(cuMemSetAccess, unknown)                \
  CALL(cuMemUnmap, unknown)                    \
  CALL(cuPointerGetAttributes, unknown)
#else
#define CALLS_OF_CUDA(CALL)
#define CALLS_OF_DRIVER(CALL)
#endif

struct point {
  faults::host_call said;
  unsigned made, first, times;  // changed by all threads
};

// Whether this call must fail.
bool fails_now(point& at) {
  const unsigned times = __atomic_load_n(&at.times, __ATOMIC_ACQUIRE);
  if (times == 0) return false;
  const unsigned mine = __atomic_add_fetch(&at.made, 1, __ATOMIC_RELAXED);
  return mine >= at.first && mine - at.first < times;
}

enum place : unsigned {
#define NAME(name, ...) at_##name,
  CALLS_OF_LINUX(NAME) CALLS_OF_CUDA(NAME) CALLS_OF_DRIVER(NAME)
#undef NAME
      at_entry_point,
  at_new,
  place_count
};

point points[place_count] = {
#define POINT(name, manner, error) {{#name, error, false}, 0, 0, 0},
    CALLS_OF_LINUX(POINT)
#undef POINT
#define POINT(name, error) {{#name, error, true}, 0, 0, 0},
        CALLS_OF_CUDA(POINT) CALLS_OF_DRIVER(POINT)
#undef POINT
            {{"cudaGetDriverEntryPointByVersion", unknown, true}, 0, 0, 0},
    {{"operator new", ENOMEM, false}, 0, 0, 0},
};

using function = word(word, word, word, word, word, word, word, word);

function* real(function*& known, const char* name) {
  if (known == nullptr) known = reinterpret_cast<function*>(::dlsym(RTLD_NEXT, name));
  return known;
}

// Whether the library calls, and not the CUDA driver for itself. (std::thread calls from libstdc++.)
bool is_ours(void* caller) {
  Dl_info about, own;
  if (::dladdr(caller, &about) == 0 || ::dladdr(reinterpret_cast<void*>(&is_ours), &own) == 0) return true;
  if (about.dli_fbase == own.dli_fbase) return true;
  for (const char* at = about.dli_fname; *at != 0; ++at) {
    constexpr char wanted[] = "libstdc++";
    unsigned same = 0;
    while (wanted[same] != 0 && at[same] == wanted[same]) ++same;
    if (wanted[same] == 0) return true;
  }
  return false;
}

template <fails how>
word made(point& at, function* call, int error, void* caller, const word (&w)[8]) {
  const bool now = __atomic_load_n(&at.times, __ATOMIC_RELAXED) != 0 && is_ours(caller) && fails_now(at);
  if (!now) return call(w[0], w[1], w[2], w[3], w[4], w[5], w[6], w[7]);
  if (how == fails::but_is_done) (void)call(w[0], w[1], w[2], w[3], w[4], w[5], w[6], w[7]);
  if (how == fails::with_its_error) return error;
  errno = error;
  return how == fails::with_null ? 0 : -1;
}

void* taken(std::size_t bytes, std::size_t alignment) {
  void* memory = nullptr;
  if (!fails_now(points[at_new])) {
    const std::size_t whole = (bytes + alignment - 1) / alignment * alignment;
    memory = alignment <= 16 ? malloc(bytes != 0 ? bytes : 1) : aligned_alloc(alignment, whole);
  }
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

}  // namespace

#define DEFINED(name, manner, error)                                                                      \
  extern "C" word name(word a, word b, word c, word d, word e, word f, word g, word h) {                  \
    static function* known = nullptr;                                                                     \
    return made<fails::manner>(points[at_##name], real(known, #name), error, __builtin_return_address(0), \
                               {a, b, c, d, e, f, g, h});                                                 \
  }
CALLS_OF_LINUX(DEFINED)
#undef DEFINED

#if FAULTS_OF_CUDA
// The linker calls these instead of CUDA's own functions (--wrap).
#define WRAPPED(name, error)                                                                      \
  extern "C" function __real_##name;                                                              \
  extern "C" word __wrap_##name(word a, word b, word c, word d, word e, word f, word g, word h) { \
    return fails_now(points[at_##name]) ? error : __real_##name(a, b, c, d, e, f, g, h);          \
  }
CALLS_OF_CUDA(WRAPPED)
#undef WRAPPED

namespace {
#define FOUND(name, error)                                                              \
  function* found_##name = nullptr;                                                     \
  word through_##name(word a, word b, word c, word d, word e, word f, word g, word h) { \
    return fails_now(points[at_##name]) ? error : found_##name(a, b, c, d, e, f, g, h); \
  }
CALLS_OF_DRIVER(FOUND)
#undef FOUND

bool same(const char* a, const char* b) {
  while (*a != 0 && *a == *b) ++a, ++b;
  return *a == *b;
}
}  // namespace

extern "C" function __real_cudaGetDriverEntryPointByVersion;
extern "C" word __wrap_cudaGetDriverEntryPointByVersion(word name, word entry, word c, word d, word e, word f, word g,
                                                        word h) {
  if (fails_now(points[at_entry_point])) return unknown;
  const word said = __real_cudaGetDriverEntryPointByVersion(name, entry, c, d, e, f, g, h);
  function** const at = reinterpret_cast<function**>(entry);
  if (static_cast<int>(said) != 0 || *at == nullptr) return said;
#define PUT(call, error)                                  \
  if (same(reinterpret_cast<const char*>(name), #call)) { \
    found_##call = *at;                                   \
    *at = through_##call;                                 \
  }
  CALLS_OF_DRIVER(PUT)
#undef PUT
  return said;
}
#endif

void* operator new(std::size_t bytes) { return taken(bytes, 16); }
void* operator new[](std::size_t bytes) { return taken(bytes, 16); }
void* operator new(std::size_t bytes, std::align_val_t alignment) {
  return taken(bytes, static_cast<std::size_t>(alignment));
}
void* operator new[](std::size_t bytes, std::align_val_t alignment) {
  return taken(bytes, static_cast<std::size_t>(alignment));
}
void operator delete(void* memory) noexcept { free(memory); }
void operator delete[](void* memory) noexcept { free(memory); }
void operator delete(void* memory, std::size_t) noexcept { free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { free(memory); }
void operator delete[](void* memory, std::align_val_t) noexcept { free(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { free(memory); }
void operator delete[](void* memory, std::size_t, std::align_val_t) noexcept { free(memory); }

namespace faults {
namespace {

constexpr unsigned count = place_count;
host_call copies[count];
point* armed = nullptr;

}  // namespace

std::span<const host_call> all() {
  for (unsigned i = 0; i < count; ++i) copies[i] = points[i].said;
  return copies;
}

void arm(const host_call& which, unsigned nth, unsigned times) {
  for (point& one : points) {
    if (one.said.name == which.name) armed = &one;
  }
  armed->made = 0;
  armed->first = nth;
  __atomic_store_n(&armed->times, times, __ATOMIC_RELEASE);
}

unsigned disarm() {
  __atomic_store_n(&armed->times, 0u, __ATOMIC_RELEASE);
  return __atomic_load_n(&armed->made, __ATOMIC_RELAXED);
}

}  // namespace faults
