// SPDX-License-Identifier: Apache-2.0
#include "host/recording_switch.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <utility>

#include "genesys/error.h"

namespace genesys::detail {
namespace {

constexpr unsigned data_bytes_max = 256;

// A variable of the environment that holds a number. Throws error(bad_option).
unsigned number_in(const char* name, unsigned otherwise, unsigned most) {
  const char* const text = std::getenv(name);
  if (text == nullptr || *text == 0) return otherwise;
  char* end;
  const unsigned long value = std::strtoul(text, &end, 10);
  if (*end != 0 || value > most)
    throw error(error_code::bad_option,
                std::string(name) + " is " + text + "; it has to be a number up to " + std::to_string(most));
  return static_cast<unsigned>(value);
}

}  // namespace

void recording_switch::start_as_asked(const options& chosen) {
  const recording_content content{
      .data_bytes = number_in("GENESYS_TRACE_DATA", chosen.trace_content.data_bytes, data_bytes_max),
      .paths = number_in("GENESYS_TRACE_PATHS", chosen.trace_content.paths, 1) != 0};
  if (!chosen.trace.empty()) return start(chosen.trace, chosen.trace_content);
  const char* const asked = std::getenv("GENESYS_TRACE");
  if (asked != nullptr && *asked != 0) start(asked, content);
}

void recording_switch::start(const std::string& path, const recording_content& content) {
  std::string name = path;
  for (const auto& [sign, number] : {std::pair("%p", static_cast<u32>(::getpid())), std::pair("%r", number_)}) {
    for (std::size_t at; (at = name.find(sign)) != std::string::npos;) name.replace(at, 2, std::to_string(number));
  }
  stop();
  const int file = ::open(name.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NONBLOCK, 0600);
  if (file < 0) throw error(error_code::system, "calls cannot be recorded in " + name + ": " + std::strerror(errno));
  own_descriptor to(file);
  const std::lock_guard alone(lock_);
  start_locked(std::move(to), content);
  name_ = std::move(name);
}

u64 recording_switch::start_other(own_descriptor&& to, const recording_content& content) {
  const std::lock_guard alone(lock_);
  if (recorder_.is_on()) return 0;
  start_locked(std::move(to), content);
  return started_;
}

void recording_switch::stop_other(u64 which) {
  const std::lock_guard alone(lock_);
  if (which == started_) stop_locked();
}

bool recording_switch::has(u64 which) {
  const std::lock_guard alone(lock_);
  return which == started_ && recorder_.is_on();
}

void recording_switch::start_locked(own_descriptor&& to, const recording_content& content) {
  if (content.data_bytes > data_bytes_max)
    throw error(error_code::bad_option, "data_bytes of a recording is " + std::to_string(content.data_bytes) +
                                            "; at most 256 are recorded of a buffer");
  stop_locked();
  ++started_;
  file_ = std::move(to);
  ::fcntl(file_.get(), F_SETFL, ::fcntl(file_.get(), F_GETFL) | O_NONBLOCK);  // the recorder bounds its waits
  try {
    recorder_.start({.file = file_.get(),
                     .runtime = number_,
                     .describe = describe_(),
                     .data_bytes = content.data_bytes,
                     .paths = content.paths});
  } catch (const std::exception& refused) {  // no thread, or no memory
    file_.reset();
    throw error(error_code::system, "calls cannot be recorded: " + std::string(refused.what()));
  }
  if (rings_ != nullptr) rings_->record(true);
}

void recording_switch::stop() {
  const std::lock_guard alone(lock_);
  stop_locked();
}

void recording_switch::stop_locked() {
  if (rings_ != nullptr && recorder_.is_on()) rings_->record(false);
  recorder_.stop();
  file_.reset();
  const std::string name = std::exchange(name_, {});
  if (const int failed = recorder_.so_far().error; !name.empty() && failed != 0)
    std::fprintf(stderr, "genesys: the recording %s is not complete: %s\n", name.c_str(), std::strerror(failed));
}

}  // namespace genesys::detail
