// SPDX-License-Identifier: Apache-2.0
// The functions of genesys/service_client.h.
#include "genesys/service_client.h"

#include <algorithm>
#include <cerrno>
#include <utility>

#include "service/client/connection.h"

namespace genesys {

using namespace detail::serving;

service_client::service_client(const service_client_options& options)
    : connection_(std::make_shared<connection>(options)) {}
service_client::~service_client() = default;

const std::vector<remote_description>& service_client::services() const { return connection_->services(); }

remote_service_number service_client::find(std::string_view name) const {
  for (const remote_description& each : services()) {
    if (each.name == name) return {each.number};
  }
  throw service_client_error(
      error_code::bad_option, ENOENT,
      "the daemon has no service '" + std::string(name) + "'; 'genesys serve --status' lists them");
}

std::uint32_t service_client::find_known(const known_service& what) const {
  const remote_description& found = services()[find(what.name).number];
  const auto is_same = [](const service_field& one, const service_field& other) {
    return one.offset == other.offset && one.is == other.is;
  };
  std::vector<service_field> buffers;
  for (const remote_member& each : found.members) {
    if (each.kind == 0) buffers.push_back({each.offset, each.direction});
  }
  const bool fits = found.argument_bytes == what.argument_bytes && buffers.size() == what.fields_count &&
                    std::is_permutation(what.fields, what.fields + what.fields_count, buffers.begin(), is_same);
  if (fits) return found.number;
  throw service_client_error(error_code::layout_mismatch, EPROTO,
                             "the daemon's service '" + found.name +
                                 "' has other arguments than this program: compile both with the same headers");
}

void* service_client::allocate(std::size_t bytes) { return connection_->allocate(bytes); }
void service_client::free(void* memory) { connection_->free(memory); }
std::size_t service_client::memory_bytes() const { return connection_->memory_bytes(); }

long service_client::call_bytes(remote_service_number which, const void* arguments, std::size_t bytes,
                                const remote_call& how) {
  std::uint32_t slot = 0, use = 0;
  const long refused = connection_->submit(which.number, arguments, bytes, how, slot, use);
  return refused != 0 ? refused : connection_->wait(slot, use);
}

remote_ticket service_client::submit_bytes(remote_service_number which, const void* arguments, std::size_t bytes,
                                           const remote_call& how) {
  remote_ticket made;
  made.connection_ = connection_;
  made.result_ = connection_->submit(which.number, arguments, bytes, how, made.slot_, made.use_);
  made.is_under_way_ = made.result_ == 0;
  return made;
}

remote_ticket::remote_ticket(remote_ticket&& other) noexcept
    : connection_(std::move(other.connection_)),
      slot_(other.slot_),
      use_(other.use_),
      is_under_way_(std::exchange(other.is_under_way_, false)),
      result_(other.result_) {}

remote_ticket& remote_ticket::operator=(remote_ticket&& other) noexcept {
  if (this == &other) return *this;
  drop();
  connection_ = std::move(other.connection_);
  slot_ = other.slot_, use_ = other.use_;
  is_under_way_ = std::exchange(other.is_under_way_, false);
  result_ = other.result_;
  return *this;
}

remote_ticket::~remote_ticket() { drop(); }

void remote_ticket::drop() {
  if (std::exchange(is_under_way_, false)) connection_->abandon(slot_);
}

bool remote_ticket::is_done() {
  if (is_under_way_ && connection_->collect(slot_, use_, result_)) is_under_way_ = false;
  return !is_under_way_;
}

long remote_ticket::wait() {
  if (std::exchange(is_under_way_, false)) result_ = connection_->wait(slot_, use_);
  return result_;
}

}  // namespace genesys
