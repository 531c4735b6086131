// SPDX-License-Identifier: Apache-2.0
// The functions of genesys/service.h.
#include <cerrno>
#include <utility>

#include "service/core.h"
#include "service/stream_access.h"
#include "trace/clock.h"

namespace genesys {

using namespace detail::services;

void service_server::open(program what, const service_options& chosen) {
  core_ = std::make_shared<core>(std::move(what), chosen);
}

service_server::~service_server() {
  if (core_) core_->end();
}

device_kind service_server::kind() const { return core_->kind(); }
std::string service_server::describe() const { return core_->describe(); }
service_counts service_server::counts() const { return core_->counts(); }
void service_server::report(std::ostream& to) const { core_->report(to); }
service_processes service_server::processes() const { return core_->processes(); }

void service_server::load_row(const std::type_info& type, const void* object, std::size_t bytes, std::uint32_t& row,
                              std::uint32_t& version) {
  if (!core_->rows().load(core_->code_of(type), object, bytes, row, version))
    throw error(error_code::bad_option, "64 services are loaded: unload one");
}

loadable_description service_server::load_row(const service_file& from, const wanted_service& wanted,
                                              std::uint32_t& row, std::uint32_t& version) {
  return core_->files().load(from, wanted, row, version);
}

int service_server::unload_row(std::uint32_t row, std::uint32_t version, unsigned timeout_ms) {
  const auto forget = [this, row] { core_->files().forget(row); };
  return core_->rows().unload(row, version, timeout_ms, forget);
}

std::shared_ptr<resident_kernel> service_server::resident() { return core_; }

long service_server::call_row(std::uint32_t row, std::uint32_t version, const packed_arguments& with,
                              const service_call& how) {
  call_state call;
  const std::uint64_t called = service_counters::is_sample() ? detail::now_ns() : 0;
  const long refused = core_->submit(row, version, with, how, call);
  if (refused != 0) return refused;
  const std::uint64_t published = called != 0 ? detail::now_ns() : 0;
  const long result = core_->wait(call);
  core_->learn(call);
  if (called != 0) core_->add_times(call, published - called, detail::now_ns() - published);
  return result;
}

service_ticket service_server::submit_row(std::uint32_t row, std::uint32_t version, const packed_arguments& with,
                                          const service_call& how) {
  return stream_access::submit(core_, row, version, with, how);
}

service_ticket detail::services::stream_access::submit(const std::shared_ptr<core>& to, u32 row, u32 version,
                                                       const packed_arguments& with, const service_call& how) {
  service_ticket made;
  auto call = std::make_unique<call_state>();
  call->is_ticket = true;
  call->owners.store(2, std::memory_order_relaxed);
  made.core_ = to;
  made.result_ = to->submit(row, version, with, how, *call);
  if (made.result_ == 0) made.state_ = call.release();
  return made;
}

std::vector<service_ticket> service_server::submit_rows(std::uint32_t row, std::uint32_t version,
                                                        std::span<const packed_arguments> with,
                                                        const service_call& how) {
  std::vector<std::unique_ptr<call_state>> calls(with.size());
  for (auto& call : calls) {
    call = std::make_unique<call_state>();
    call->is_ticket = true;
    call->owners.store(2, std::memory_order_relaxed);
  }
  std::vector<long> results(with.size());
  std::vector<service_ticket> made;
  made.reserve(with.size());
  core_->submit_batch(row, version, with, how, calls, results);
  for (std::size_t i = 0; i < with.size(); ++i) {
    service_ticket one;
    one.core_ = core_;
    one.result_ = results[i];
    if (results[i] == 0) one.state_ = calls[i].release();
    made.push_back(std::move(one));
  }
  return made;
}

service_ticket::service_ticket(service_ticket&& other) noexcept
    : core_(std::move(other.core_)), state_(std::exchange(other.state_, nullptr)), result_(other.result_) {}

service_ticket& service_ticket::operator=(service_ticket&& other) noexcept {
  if (this == &other) return *this;
  drop();
  core_ = std::move(other.core_);
  state_ = std::exchange(other.state_, nullptr);
  result_ = other.result_;
  return *this;
}

service_ticket::~service_ticket() { drop(); }

void service_ticket::drop() {
  if (state_ != nullptr && state_->owners.fetch_sub(1) == 1) delete state_;
  state_ = nullptr;
}

bool service_ticket::is_done() { return state_ == nullptr || core_->collect(*state_); }

long service_ticket::wait() {
  if (state_ != nullptr) {
    result_ = core_->wait(*state_);
    drop();
  }
  return result_;
}

}  // namespace genesys
