// SPDX-License-Identifier: Apache-2.0
#include "service/daemon/daemon.h"

#include <sys/eventfd.h>

#include <stdexcept>

#include "service/daemon/check.h"

namespace genesys::detail::serving {
namespace {

service_daemon_options checked(service_daemon_options options) {
  const auto refuse = [](const char* why) {
    throw error(error_code::bad_option, std::string("service_daemon_options.") + why);
  };
  if (options.client_slots_max == 0 || options.client_slots_max > ring_slots_max)
    refuse("client_slots_max: 1 to 1,024");
  if (options.slots == 0) refuse("slots: at least 1");
  if (options.blocks_max == 0) refuse("blocks_max: at least 1");
  if (options.client_bytes_max == 0 || options.bytes_max == 0) refuse("client_bytes_max, bytes_max: at least 1");
  return options;
}

}  // namespace

daemon::daemon(service_server& on, service_registry&& services, const service_daemon_options& options)
    : options_(checked(options)), ended_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
  for (const auto& each : services.services_) each->load(on);
  service_table table(std::move(services.services_));
  for (const service_to_load& each : options_.load) load(on, each, table);
  serving_ = std::make_unique<serving>(on, options_, ended_.get());
  for (numbered_service& each : table.callable()) serving_->add(std::move(each));
  try {
    door_ = std::make_unique<door>(on, *serving_, std::move(table), options_, ended_.get());
  } catch (const std::runtime_error& caught) {
    if (dynamic_cast<const error*>(&caught) != nullptr) throw;
    throw error(error_code::system, caught.what());
  }
}

void daemon::load(service_server& on, const service_to_load& what, service_table& into) const {
  std::vector<services::file_bytes> files;
  for (const std::string& each : what.files) files.push_back(read_service_file(each));
  auto made = std::make_shared<service_of_file>(std::move(files), what.name, options_.drain_ms);
  into.reserve(what.name);
  made->load(on);
  into.open(what.name, std::move(made));
}

daemon::~daemon() { finish(); }

void daemon::finish() {
  if (door_) door_->stop_loading();
  serving_->stop();
  if (door_) door_->let_go();
}

}  // namespace genesys::detail::serving

namespace genesys {

service_daemon::service_daemon(service_server& on, service_registry services, const service_daemon_options& options)
    : daemon_(std::make_unique<detail::serving::daemon>(on, std::move(services), options)) {}
service_daemon::~service_daemon() = default;
void service_daemon::run() { daemon_->run(); }
void service_daemon::stop() { daemon_->stop(); }
void service_daemon::ask_for_report() { daemon_->ask_for_report(); }
std::string service_daemon::report() { return daemon_->report(); }

}  // namespace genesys
