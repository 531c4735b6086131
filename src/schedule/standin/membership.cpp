// SPDX-License-Identifier: Apache-2.0
#include "schedule/standin/membership.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <mutex>

#include "schedule/standin/environment.h"
#include "schedule/standin/held_launches.h"
#include "schedule/standin/jump_table.h"
#include "schedule/standin/messages.h"

namespace genesys::schedule::standin {
namespace {

// As genesys::scheduler has it: the start of the UUID. 0: the driver does not say.
std::uint64_t number_of_device() {
  CUdevice device = 0;
  CUuuid uuid{};
  std::uint64_t made = 0;
  if (GENESYS_REAL(cuCtxGetDevice)(&device) == CUDA_SUCCESS &&
      GENESYS_REAL(cuDeviceGetUuid_v2)(&uuid, device) == CUDA_SUCCESS) {
    std::memcpy(&made, uuid.bytes, sizeof made);
  }
  return made;
}

held_launches* started = nullptr;  // written once, before it is attached

__attribute__((destructor)) void print_report() {
  if (started != nullptr && is_on(report_variable)) say("schedule: " + started->report());
}

}  // namespace

processes::client_options client_options_of(int nice) {
  processes::client_options made;
  made.nice = nice;
  made.device = number_of_device();
  made.say = [](const std::string& text) { say(text); };
  return made;
}

void start_membership() {
  static std::once_flag once;
  std::call_once(once, [] {
    const char* const nice = std::getenv(nice_variable);
    if (nice == nullptr || !has_real(driver_function::cuInit)) return;
    const bool may_ask = std::getenv("GENESYS_SCHEDULED") != nullptr ||
                         ::access(processes::daemon_socket_of_process().c_str(), F_OK) == 0;
    if (!may_ask) return;
    // Never destroyed: the program's threads may launch until the process ends.
    started = new held_launches(std::clamp(std::atoi(nice), -20, 19));
    observe(started);
  });
}

}  // namespace genesys::schedule::standin
