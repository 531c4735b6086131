// SPDX-License-Identifier: Apache-2.0
// Services: functions that a kernel offers to the CPU. A kernel stays on the device; a call costs a request over the
// link and its completion instead of a launch, copies and a synchronisation. For host programs; docs/service.md.
//
//   struct add {
//     struct arguments { const float *a, *b; float* sum; unsigned n; };
//     GENESYS_KERNEL long operator()(const genesys::service_block& here, const arguments& with) const {
//       for (auto i = here.thread(); i < with.n; i += here.threads()) with.sum[i] = with.a[i] + with.b[i];
//       return 0;
//     }
//   };
//   genesys::service_server server(genesys::service_list<add>{});
//   const auto adds = server.load(add{});
//   long failed = server.call(adds, {a, b, sum, 1024}, {.blocks = 4});
//
// A service is a functor that all threads of a block call. They make the same barrier calls, and shared memory is free
// again when the block's last thread has returned. Its result is the value of thread 0 (void: 0). If a request has
// several blocks, the result is the sum of theirs, or the least if one is negative. A result has 48 bits.
//
// A service that uses no memory but its arguments, its members and shared memory may have
// `static constexpr bool quiet = true;`. On a GPU its requests are then faster by two fences.
//
// A service may have a twin: `long on_cpu(const arguments& with, unsigned blocks) const`, a function of the host that
// computes the result of the whole request and writes the same bytes. Any thread calls it, several at once. It answers
// when the GPU cannot (docs/service-failures.md). A service that changes what it reads says `static constexpr bool
// repeatable = false;`: its twin does not do again what the GPU may have begun.
//
// transform_words() is a loop for services that read and write pinned memory (genesys/detail/service/transform.h).
#pragma once

#include <cerrno>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <iosfwd>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <typeindex>
#include <vector>

#include "genesys/detail/service/copy_data.h"
#include "genesys/detail/service/run_launch.h"
#include "genesys/detail/service/serve.h"
#include "genesys/error.h"
#include "genesys/options.h"
#include "genesys/resident_kernel.h"
#include "genesys/service_buffer.h"

namespace genesys {

// Who answers a request: the kernel that stays (gpu), a launch of its own with as many blocks as the request wants, or
// the service's twin in the thread that calls (cpu; for tickets, in a thread of the server). automatic: whichever is
// expected to be faster for a request of this size, as the server has learnt it from the calls. The twin is considered
// if the service has fields (genesys/service_buffer.h), a launch if the request wants more blocks than are resident.
enum class service_path { by_server, gpu, cpu, automatic, launch };

// Zero: the server chooses a value for the device; describe() reports it.
struct service_options {
  options device = {};      // of the CPU device; `device.device` chooses the device
  unsigned blocks = 0;      // that run requests, at most 128. One more block dispatches. 0: an eighth of a GPU
  unsigned threads = 0;     // of each block: a multiple of 32, at most 1,024
  unsigned slots = 256;     // requests in flight: a power of two from 16 to 4,096
  unsigned idle_us = 2000;  // the kernel leaves when it has had nothing to do for so long. The next request launches it
  // The kernel leaves after this time even if there are requests, and comes back at once. A program that synchronizes
  // with the device or frees device memory waits for the kernel. 0: it leaves only when it is idle.
  unsigned stay_ms = 50;
  // The block that dispatches runs a request itself if it takes no longer, as the service's last runs did, and no other
  // request waits. It dispatches nothing meanwhile. 0: never.
  unsigned short_us = 8;
  unsigned spin_us = 50;     // a thread looks for its completion so long, and then sleeps
  unsigned monitor_us = 50;  // how often the monitor looks for threads that sleep and for tickets
  // A request that takes longer gets -ETIMEDOUT, and what it uses stays with the kernel. 0: no limit.
  unsigned limit_ms = 10'000;
  unsigned shutdown_timeout_ms = 2000;  // how long the destructor waits for requests and for the kernel
  // The GPU's side runs in a child process. The server replaces the child when it fails or dies, or when a request
  // takes longer than limit_ms; twins answer meanwhile. CUDA must not be in use in this process: make the server first.
  bool isolated = false;
  service_path where = service_path::gpu;  // for calls whose `where` is by_server
  unsigned child_start_ms = 20'000;        // how long a child may take to start
  unsigned twin_threads = 0;  // of the server, for tickets that twins answer. 0: one for each core, at most 8
  // The most that allocate() gives. Pages are taken and pinned when they are needed, in steps that double.
  unsigned pool_mib = 1024;
};

// What a call does if as many requests are in flight as there are slots, and what allocate() does if the pool is full.
enum class when_full { wait, refuse };  // refuse: -EAGAIN, or nullptr

struct service_call {
  unsigned blocks = 1;  // that the request wants, of the server's threads each. There may be more than are resident
  when_full full = when_full::wait;
  // cpu, and the service has no twin: -EOPNOTSUPP. Blocks of a launch run beside the kernel, wherever the device has
  // space
  service_path where = service_path::by_server;
  // The twin may answer if the GPU fails, or by `where`. Say false if the request uses memory of the device alone.
  bool may_use_twin = true;
};

// Whether a block may still use the memory of a request with this result (docs/service-buffers.md). A service that
// returns one of these itself looks the same.
inline bool may_still_use_memory(long result) {
  return result == -ETIMEDOUT || result == -EBADMSG || result == -EIO || result == -ECANCELED;
}

// What a server has done so far.
struct service_counts {
  std::uint64_t requests = 0;   // submitted
  std::uint64_t launches = 0;   // of the kernel
  std::uint64_t launched = 0;   // requests that had a launch of their own
  std::uint64_t malformed = 0;  // completions that the host refused
  std::uint64_t timed_out = 0;
  std::uint64_t by_twins = 0;   // requests that twins have answered
  std::uint64_t by_choice = 0;  // of these, those that went there by service_call::where
  std::uint64_t redone = 0;     // of these, those that the GPU had and lost
  std::uint64_t lost = 0;       // requests that got -EIO because the GPU's side failed
  std::uint64_t replaced = 0;   // children that were replaced
  // Services that load_file() has loaded; each brought another kernel. The times are those of the last one.
  std::uint64_t files_loaded = 0;
  std::uint64_t link_us = 0;  // linking, while the kernel before runs on
  std::uint64_t load_us = 0;  // loading the linked code into the device: a part of pause_us
  // From the moment that the kernel before is told to leave until the new one has begun. Requests wait so long.
  std::uint64_t pause_us = 0, pause_us_most = 0;
};

// Of an isolated server, the numbers of its processes; 0: there is none now.
struct service_processes {
  int child = 0, zygote = 0;  // the GPU's side; the process that forks it
};

// A service's files (genesys/loadable_service.h, docs/service-loading.md). On a GPU `gpu` is loaded: PTX, or a fatbin
// that has PTX; `cpu`, if it is not empty, has the twin. On the CPU device `cpu` is loaded: a shared object.
struct service_file {
  std::string gpu, cpu;
};

// For load_file() if the program does not have the functor, only its arguments.
template <class Arguments>
struct loaded_service {
  using arguments = Arguments;
};

// The memory of allocate().
struct service_pool_counts {
  std::uint64_t bytes_max = 0;         // what the pool can have
  std::uint64_t pinned_bytes = 0;      // what it has
  std::uint64_t taken_bytes = 0;       // what is allocated now
  std::uint64_t taken_bytes_most = 0;  // at a time
  std::uint64_t allocations = 0;
  std::uint64_t refused = 0;  // allocations that found the pool full
  std::uint64_t waited = 0;   // allocations that waited for memory
};

// The services that a kernel is compiled with. The compiler gives it as many registers as the services want, so it may
// not fit blocks of 1,024 threads.
template <class... S>
struct service_list {};
// The same for blocks of at most `threads` threads, as CUDA's __launch_bounds__ does it.
template <unsigned threads, class... S>
struct bounded_service_list {};

namespace detail::services {
class core;
struct call_state;
struct stream_access;
struct file_access;

// A service and its twin, for code that does not know its type. `run` is null if there is no twin.
struct twin_entry {
  long (*run)(const void* object, const void* arguments, unsigned blocks) = nullptr;
  // Whether what a request reads is still there after a part of it has run.
  bool (*repeatable)(const void* arguments) = nullptr;
  std::uint64_t (*bytes)(const void* arguments) = nullptr;  // that a request moves; null: unknown
  const char* name = nullptr;
};

template <class T>
T plain_copy(const void* from) {
  union holder {
    holder() {}
    T value;
    char nothing;
  } made;
  std::memcpy(static_cast<void*>(&made.value), from, sizeof(T));
  return made.value;
}

inline service_input buffer_at(const void* arguments, const service_field& field) {
  return plain_copy<service_input>(static_cast<const unsigned char*>(arguments) + field.offset);
}
inline bool overlap(const service_input& a, const service_input& b) {
  const auto at_a = reinterpret_cast<std::uintptr_t>(a.data), at_b = reinterpret_cast<std::uintptr_t>(b.data);
  return at_a < at_b ? at_b - at_a < a.bytes : at_a - at_b < b.bytes;
}

template <class S>
constexpr bool has_twin() {
  return requires(const S& service, const typename S::arguments& with, unsigned blocks) {
    { service.on_cpu(with, blocks) } -> std::convertible_to<long>;
  };
}

// What a program says of a service that it loads from a file.
struct wanted_service {
  std::string symbol;
  std::uint32_t argument_bytes = 0;  // 0: empty
  bool any_arguments = false;        // the caller compares them itself
  bool is_quiet = false;
  const void* object = nullptr;
  std::uint32_t object_bytes = 0;  // 0: empty
  unsigned drain_ms = 0;
};

// A kernel with its services.
struct program {
  std::vector<std::type_index> types;  // in the order of their codes
  void (*on_cpu)(const serve_context&) = nullptr;
  const void* on_cuda = nullptr;       // a __global__ function of a serve_context; null: not compiled by nvcc
  std::vector<twin_entry> twins = {};  // in the order of the codes
  // The same services for a request that is launched. Null: there are no such launches.
  void (*launch_on_cpu)(const launch_context&) = nullptr;
  const void* launch_on_cuda = nullptr;  // a __global__ function of a launch_context
  bool has_loadable = false;             // loadable_services is in the list
};

// A service says it, or its fields do: no buffer that it writes overlaps one that it reads.
template <class S>
bool is_repeatable([[maybe_unused]] const void* arguments) {
  if constexpr (requires { S::repeatable; }) {
    return S::repeatable;
  } else if constexpr (requires { S::fields; }) {
    for (const service_field& to : S::fields) {
      if (to.is == service_field::both) return false;
      if (to.is != service_field::output) continue;
      for (const service_field& from : S::fields) {
        if (from.is == service_field::input && overlap(buffer_at(arguments, from), buffer_at(arguments, to)))
          return false;
      }
    }
  }
  return true;
}

template <class S>
std::uint64_t moved_bytes(const void* arguments) {
  std::uint64_t sum = 0;
  for (const service_field& field : S::fields)
    sum += (field.is == service_field::both ? 2 : 1) * buffer_at(arguments, field).bytes;
  return sum;
}

template <class S>
twin_entry twin_of() {
  twin_entry made;
  if constexpr (has_twin<S>()) {
    made.run = [](const void* object, const void* arguments, unsigned blocks) -> long {
      return plain_copy<S>(object).on_cpu(plain_copy<typename S::arguments>(arguments), blocks);
    };
    made.repeatable = &is_repeatable<S>;
  }
  if constexpr (requires { S::fields; }) made.bytes = &moved_bytes<S>;
  if constexpr (requires { S::name; }) made.name = S::name;
  return made;
}

#if defined(__CUDACC__)
template <class... S>
__global__ void serve_entry(serve_context c) {
  serve<S...>(c);
}
template <unsigned threads, class... S>
__global__ void __launch_bounds__(threads) serve_entry_bounded(serve_context c) {
  serve<S...>(c);
}
template <class... S>
__global__ void launch_entry(const __grid_constant__ launch_context c) {
  run_launch<S...>(c);
}
template <unsigned threads, class... S>
__global__ void __launch_bounds__(threads) launch_entry_bounded(const __grid_constant__ launch_context c) {
  run_launch<S...>(c);
}
#endif

// threads: of a bounded_service_list, or 0.
template <unsigned threads, class... S>
program program_of() {
  program p{{std::type_index(typeid(S))...},
            [](const serve_context& c) { serve<S...>(c); },
            nullptr,
            {twin_of<S>()...},
            [](const launch_context& c) { run_launch<S...>(c); },
            nullptr,
            has_loadable<S...>};
#if defined(__CUDACC__)
  if constexpr (threads == 0) {
    p.on_cuda = reinterpret_cast<const void*>(&serve_entry<S...>);
    p.launch_on_cuda = reinterpret_cast<const void*>(&launch_entry<S...>);
  } else {
    p.on_cuda = reinterpret_cast<const void*>(&serve_entry_bounded<threads, S...>);
    p.launch_on_cuda = reinterpret_cast<const void*>(&launch_entry_bounded<threads, S...>);
  }
#endif
  return p;
}

struct packed_arguments {
  u64 words[argument_words_max];
  u32 count;  // of words
  bool quiet = false;
};

template <class S>
constexpr bool is_quiet_service() {
  if constexpr (requires { S::quiet; }) return S::quiet;
  return false;
}

template <class T>
void pack(packed_arguments& into, const T& value) {
  static_assert(std::is_trivially_copyable_v<T> && alignof(T) <= 16, "services take plain values");
  static_assert(sizeof(T) <= argument_bytes_max, "arguments have at most 192 bytes: pass a pointer to more");
  into.count = std::is_empty_v<T> ? 0 : static_cast<u32>((sizeof(T) + 7) / 8);
  if (into.count != 0) into.words[into.count - 1] = 0;
  std::memcpy(into.words, &value, std::is_empty_v<T> ? 0 : sizeof(T));
}
}  // namespace detail::services

template <class S>
class service_stream;  // genesys/service_stream.h

// A loaded service. It belongs to its server, until it is unloaded. A plain value.
template <class S>
class service {
 private:
  friend class service_server;
  template <class>
  friend class service_stream;
  std::uint32_t row_ = 0, version_ = 0;
};

// A request under way. Wait for it once. If it is destroyed before, the request goes on, and nobody gets the result.
class service_ticket {
 public:
  service_ticket(service_ticket&&) noexcept;
  service_ticket& operator=(service_ticket&&) noexcept;
  ~service_ticket();

  bool is_done();
  // The request's result, as call() returns it.
  long wait();

 private:
  friend class service_server;
  friend struct detail::services::stream_access;
  service_ticket() = default;
  void drop();
  std::shared_ptr<detail::services::core> core_;
  detail::services::call_state* state_ = nullptr;  // null: the request was not submitted, or its result is known
  long result_ = 0;
};

// Memory of the program that services may use while this object exists. Its end waits for the kernel (stay_ms); no
// request may use the memory then. If the server has ended and its kernel still runs, the pages stay pinned.
class service_registration {
 public:
  service_registration() = default;  // of nothing
  service_registration(service_registration&&) noexcept;
  service_registration& operator=(service_registration&&) noexcept;
  ~service_registration();

  // Of register_shared(): the memory, by the address that services use.
  void* data() const { return first_page_; }

 private:
  friend class service_server;
  void end();
  std::shared_ptr<detail::services::core> core_;
  void* first_page_ = nullptr;
  bool is_mapped_ = false;
};

// Any thread may call these functions, several at once.
class service_server {
 public:
  // Throws error: not_built, no_driver, no_device, no_memory, no_pinned_memory, bad_option.
  template <class... S>
  explicit service_server(service_list<S...>, const service_options& chosen = {}) {
    open(detail::services::program_of<0, S..., detail::services::copy_data>(), chosen);
  }
  template <unsigned threads, class... S>
  explicit service_server(bounded_service_list<threads, S...>, const service_options& chosen = {}) {
    open(detail::services::program_of<threads, S..., detail::services::copy_data>(), chosen);
  }
  // Waits for requests and for the kernel, as long as the options say. What the kernel may still use is then not freed.
  ~service_server();
  service_server(const service_server&) = delete;
  service_server& operator=(const service_server&) = delete;

  device_kind kind() const;
  std::string describe() const;
  // The non-stop kernel, for scheduler_options::resident of one scheduler at a time.
  std::shared_ptr<resident_kernel> resident();

  // Makes a service of the list callable. The functor is copied to the device. At most 64 are loaded at a time. Throws
  // error(bad_option): S is not in the list, or too many are loaded.
  template <class S>
  service<S> load(const S& functor = {}) {
    static_assert(std::is_trivially_copyable_v<S> && alignof(S) <= 16, "services are plain values");
    static_assert(sizeof(S) <= detail::services::object_bytes_max, "a service has at most 120 bytes");
    service<S> loaded;
    load_row(typeid(S), &functor, sizeof(S), loaded.row_, loaded.version_);
    return loaded;
  }
  // Makes a service of a file callable, by its symbol, while other requests go on; the list has loadable_services. S
  // has the type `arguments`, and no other members unless it is the file's functor: the program's own type, or a
  // loaded_service. The code is linked with the kernel's; then the kernel leaves, and another one takes its place.
  // Other requests wait meanwhile, and none is lost. `drain_ms`: how long the kernel may take to leave, for it waits
  // for its requests. If a step fails, the server goes on as before. unload() closes the service; its code goes with
  // the next load. Throws error: bad_option (the files, the symbol, the list; the text says what to do), not_built,
  // no_memory, launch_failed (the kernel has failed, or did not leave).
  template <class S>
  service<S> load_file(const service_file& from, const std::string& symbol, const S& functor = {},
                       unsigned drain_ms = 2000) {
    static_assert(std::is_trivially_copyable_v<S> && alignof(S) <= 16, "services are plain values");
    static_assert(sizeof(S) <= detail::services::object_bytes_max, "a service has at most 120 bytes");
    using A = typename S::arguments;
    service<S> loaded;
    load_row(from,
             {.symbol = symbol,
              .argument_bytes = std::is_empty_v<A> ? 0 : std::uint32_t{sizeof(A)},
              .is_quiet = detail::services::is_quiet_service<S>(),
              .object = &functor,
              .object_bytes = std::is_empty_v<S> ? 0 : std::uint32_t{sizeof(S)},
              .drain_ms = drain_ms},
             loaded.row_, loaded.version_);
    return loaded;
  }
  // No request can begin any more; waits for those under way. 0; -ENOENT: it is not loaded; -ETIMEDOUT: there still are
  // requests, and none can begin: call it again.
  template <class S>
  int unload(const service<S>& which, unsigned timeout_ms = 10'000) {
    return unload_row(which.row_, which.version_, timeout_ms);
  }

  // Calls the service and waits. Its result, or: -EAGAIN (full), -ENOENT (unloaded), -EINVAL (blocks), -ETIMEDOUT,
  // -EIO (the kernel has failed), -EBADMSG (its completion is malformed), -EOVERFLOW (48 bits), -ECANCELED (the end of
  // the server). Pointers among the arguments must be valid on the device.
  template <class S>
  long call(const service<S>& which, const typename S::arguments& with, const service_call& how = {}) {
    detail::services::packed_arguments packed;
    detail::services::pack(packed, with);
    packed.quiet = detail::services::is_quiet_service<S>();
    return call_row(which.row_, which.version_, packed, how);
  }
  // The same without waiting. (If all slots are taken, it waits for one, as `how` says.)
  template <class S>
  [[nodiscard]] service_ticket submit(const service<S>& which, const typename S::arguments& with,
                                      const service_call& how = {}) {
    detail::services::packed_arguments packed;
    detail::services::pack(packed, with);
    packed.quiet = detail::services::is_quiet_service<S>();
    return submit_row(which.row_, which.version_, packed, how);
  }

  // A request for each element, with one look at the slots and one sequence of numbers for many. The tickets have the
  // order of the elements. If the slots are taken and `how` says refuse, the rest gets -EAGAIN.
  template <class S>
  [[nodiscard]] std::vector<service_ticket> submit_batch(const service<S>& which,
                                                         std::span<const typename S::arguments> with,
                                                         const service_call& how = {}) {
    std::vector<detail::services::packed_arguments> packed(with.size());
    for (std::size_t i = 0; i < with.size(); ++i) {
      detail::services::pack(packed[i], with[i]);
      packed[i].quiet = detail::services::is_quiet_service<S>();
    }
    return submit_rows(which.row_, which.version_, packed, how);
  }

  // Memory of the pool, which both sides address: zeroed, aligned to 4,096 bytes if there are as many, else to 256. It
  // is there until free(), or until the server ends. Throws error: no_pinned_memory (the pool is full, or Linux or the
  // device gives no more), bad_option (the pool can never have so much).
  void* allocate(std::size_t bytes);
  // If the pool is full: nullptr, or it waits for free(). nullptr also at the end of the server.
  void* allocate(std::size_t bytes, when_full full);
  // No request may use the memory any more: after -ETIMEDOUT, -EIO, -EBADMSG and -ECANCELED a block still may. Null is
  // allowed. Throws error(bad_option): allocate() did not return this address, or it is free already.
  void free(void* memory);
  service_pool_counts pool_counts() const;

  // Lets services use memory of the program, at its own address, without copies. Whole pages are registered, so what
  // shares a page is registered, too. Throws error: bad_option (no memory is there, the process may not write to it, or
  // a part is registered), no_pinned_memory (the device refuses it).
  [[nodiscard]] service_registration register_memory(void* memory, std::size_t bytes);

  // Maps and registers memory of another process, a memfd of at least `bytes` whose size is sealed. The registration
  // unmaps it. For an isolated server this is the only memory beside that of allocate(). Throws error: bad_option,
  // no_pinned_memory.
  [[nodiscard]] service_registration register_shared(int fd, std::size_t bytes);

  service_counts counts() const;
  // Prints what the server has done: by service its requests, who had them, their bytes, and how long the stages of one
  // call of 32 took; and what is in flight.
  void report(std::ostream& to) const;
  service_processes processes() const;

 private:
  friend struct detail::services::stream_access;
  friend struct detail::services::file_access;
  void open(detail::services::program, const service_options&);
  void load_row(const std::type_info&, const void* object, std::size_t bytes, std::uint32_t& row,
                std::uint32_t& version);
  // The description of the service: for callers that do not know its arguments.
  detail::services::loadable_description load_row(const service_file& from,
                                                  const detail::services::wanted_service& wanted, std::uint32_t& row,
                                                  std::uint32_t& version);
  int unload_row(std::uint32_t row, std::uint32_t version, unsigned timeout_ms);
  long call_row(std::uint32_t, std::uint32_t, const detail::services::packed_arguments&, const service_call&);
  service_ticket submit_row(std::uint32_t, std::uint32_t, const detail::services::packed_arguments&,
                            const service_call&);
  std::vector<service_ticket> submit_rows(std::uint32_t, std::uint32_t,
                                          std::span<const detail::services::packed_arguments>, const service_call&);
  std::shared_ptr<detail::services::core> core_;
};

}  // namespace genesys
