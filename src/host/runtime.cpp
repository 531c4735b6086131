// SPDX-License-Identifier: Apache-2.0
// The public classes runtime and run; the core does the work.
#include "genesys/runtime.h"

#include <cxxabi.h>
#include <fcntl.h>

#include <cstdlib>
#include <cstring>

#include "host/core.h"
#include "host/forks.h"

namespace genesys {

std::string detail::name_of_type(const std::type_info& type) {
  int status;
  const std::unique_ptr<char, decltype(&std::free)> text(abi::__cxa_demangle(type.name(), nullptr, nullptr, &status),
                                                         &std::free);
  return text != nullptr ? text.get() : type.name();
}

namespace {

// Tries the executors in order, until Linux gives the rings that one needs.
std::shared_ptr<detail::core> started_core(const options& chosen) {
  detail::watch_forks();
  const detail::rules allowed = detail::read_rules(chosen.policy, chosen.policy_rules);
  detail::refusals refused;
  for (;;) {
    try {
      auto made = std::make_shared<detail::core>(chosen, allowed, refused);
      made->start();
      return made;
    } catch (const detail::rings_refused& why) {
      (why.executor == executor_kind::direct ? refused.direct : refused.uring) = why.what();
    }
  }
}

// Every member function comes through here. Throws error(forked).
detail::core& own(const std::shared_ptr<detail::core>& one) {
  one->must_be_own();
  return *one;
}

}  // namespace

// `chosen` may have another layout as well, so it is not read before the versions are compared.
runtime::runtime(const options& chosen, std::uint32_t layout_of_headers) {
  if (layout_of_headers != detail::layout_version) {
    throw error(error_code::layout_mismatch,
                "the headers of this program have layout " + std::to_string(layout_of_headers) + ", the library has " +
                    std::to_string(detail::layout_version) +
                    ": compile the program with the headers that were installed with the library");
  }
  core_ = started_core(chosen);
}
runtime::~runtime() {
  if (core_->is_inherited()) {
    core_->stay();
  } else {
    core_->end();
  }
}

device_kind runtime::kind() const { return own(core_).all.on->kind(); }
std::string runtime::describe() const { return own(core_).describe(); }
run runtime::attach(void* stream, const std::string& name) { return run(own(core_).attach(stream, name)); }
void runtime::drain() { own(core_).drain(); }
void runtime::coalesce(unsigned window_us, unsigned calls) { own(core_).coalesce(window_us, calls); }
void runtime::report(std::ostream& to) const { own(core_).report(to); }
statistics runtime::stats() const { return own(core_).stats(); }

void* runtime::allocate_device(std::size_t bytes) { return own(core_).all.on->allocate(bytes); }
void runtime::free_device(void* memory) {
  if (!core_->is_inherited()) core_->free_device(memory);
}
void runtime::copy_to_device(void* device, const void* host, std::size_t bytes) {
  own(core_).all.on->copy_to_device(device, host, bytes);
}
void runtime::copy_to_host(void* host, const void* device, std::size_t bytes) {
  own(core_).all.on->copy_to_host(host, device, bytes);
}
void runtime::fill_device(void* device, int byte, std::size_t bytes) { own(core_).all.on->fill(device, byte, bytes); }

void runtime::trace(const std::string& path, const recording_content& content) {
  own(core_).recordings.start(path, content);
}
void runtime::stop_trace() { own(core_).recordings.stop(); }

std::size_t runtime::free_device_bytes() const { return own(core_).all.on->memory_mapper().free_bytes(); }

void runtime::grant(int fd) {
  if (fd < 0 || static_cast<unsigned>(fd) >= detail::descriptor_set::limit || ::fcntl(fd, F_GETFD) < 0)
    throw error(error_code::bad_option, "grant(" + std::to_string(fd) + "): not an open descriptor below 65536");
  own(core_).all.rules.adopt(static_cast<std::uint64_t>(fd));
}
void runtime::revoke(int fd) {
  if (core_->is_inherited()) return;
  (void)core_->all.rules.disown(static_cast<std::uint64_t>(fd));
  if (core_->all.direct) core_->all.direct->revoke(static_cast<std::uint64_t>(fd));
}

void* runtime::allocate_arena(std::size_t bytes) {
  const std::uintptr_t at = own(core_).all.memory.arena().take(bytes);
  if (at == 0) {
    throw error(error_code::no_memory,
                "the arena has no " + std::to_string(bytes) + " bytes left: make options.arena_bytes larger");
  }
  return reinterpret_cast<void*>(at);
}

void runtime::free_arena(void* memory) {
  if (memory == nullptr || core_->is_inherited()) return;
  if (!core_->all.memory.arena().give(reinterpret_cast<std::uintptr_t>(memory))) {
    throw error(error_code::bad_option, "free_arena of an address that allocate_arena did not return");
  }
}

const detail::device_context& run::begin_launch() const {
  own(state_->of).begin_launch(*state_);
  return state_->where;
}
void run::launched() const { own(state_->of).launched(*state_); }
void run::drain() const {
  detail::core& all = own(state_->of);
  all.wait_for_end(*state_, "drain()");
  all.end_launches(*state_);
}
bool run::finished() const {
  own(state_->of);
  return state_->drained || state_->kernels->look() != detail::progress::under_way;
}

void run::start_on_cpu(dim blocks, dim threads, std::size_t shared_bytes, std::function<void()> body) const {
  own(state_->of);
  state_->kernels->start(blocks, threads, shared_bytes, std::move(body), nullptr);
}

const char* run::copy(std::string_view text) const {
  auto* to = static_cast<char*>(copy_bytes(nullptr, text.size() + 1, 1));
  std::memcpy(to, text.data(), text.size());
  to[text.size()] = 0;
  return to;
}

namespace {

// One copy: the pointers, a null pointer, and the strings behind them.
template <class Text>
const char* const* copy_all(std::span<const Text> texts, char* at) {
  auto** const pointers = reinterpret_cast<const char**>(at);
  char* to = reinterpret_cast<char*>(pointers + texts.size() + 1);
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const std::string_view text = texts[i];
    pointers[i] = to;
    std::memcpy(to, text.data(), text.size());
    to[text.size()] = 0;
    to += text.size() + 1;
  }
  pointers[texts.size()] = nullptr;
  return pointers;
}
template <class Text>
std::size_t bytes_of_all(std::span<const Text> texts) {
  std::size_t bytes = (texts.size() + 1) * sizeof(const char*);
  for (const Text& text : texts) bytes += std::string_view(text).size() + 1;
  return bytes;
}

}  // namespace

const char* const* run::copy(std::span<const char* const> texts) const {
  return copy_all(texts, static_cast<char*>(copy_bytes(nullptr, bytes_of_all(texts), alignof(const char*))));
}
const char* const* run::copy(std::span<const std::string> texts) const {
  return copy_all(texts, static_cast<char*>(copy_bytes(nullptr, bytes_of_all(texts), alignof(const char*))));
}

void* run::copy_bytes(const void* from, std::size_t bytes, std::size_t alignment) const {
  if (alignment > detail::region::alignment)
    throw error(error_code::bad_option, "run.copy() of an object aligned to more than 64 bytes");
  detail::core& all = own(state_->of);
  state_->copies.reserve(state_->copies.size() + 1);
  const std::uintptr_t at = all.all.memory.arena().take(bytes);
  if (at == 0) throw error(error_code::no_memory, "the arena is full: make options.arena_bytes larger");
  state_->copies.push_back(at);
  if (from != nullptr) std::memcpy(reinterpret_cast<void*>(at), from, bytes);
  return reinterpret_cast<void*>(at);
}

}  // namespace genesys
