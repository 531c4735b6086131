// SPDX-License-Identifier: Apache-2.0
#include "info.h"

#include <sys/utsname.h>

#include <ostream>

#include "execute/shared_rings.h"
#include "execute/worker_ring.h"
#include "genesys/error.h"
#include "genesys/runtime.h"
#include "reference.h"

namespace genesys::command {
namespace {

// A device is available if a runtime can be made on it.
bool print_device(std::ostream& to, const char* name, device_kind which) {
  try {
    options chosen;
    chosen.device = which;
    chosen.sigquit = false;
    const runtime rt(chosen);
    to << "  " << rt.describe() << "\n";
    return true;
  } catch (const error& missing) {
    to << "  " << name << ": not available: " << missing.what() << "\n";
    return false;
  }
}

std::string available(const std::string& lacking, const char* name) {
  if (!lacking.empty()) return "not available: " + lacking;
  return std::string("available with either device (GENESYS_EXECUTOR=") + name + ")";
}

}  // namespace

int print_info(std::ostream& to) {
  utsname system{};
  ::uname(&system);
  unsigned callable = 0, calls = 0, lines = 0;
  const char* last = "";
  for (const reference& r : all_references()) {
    lines += r.is_callable();
    if (std::string_view(r.base) == last || r.numbers[0] < 0) continue;
    last = r.base;
    ++calls;
    callable += r.is_callable();
  }
  to << "genesys " GENESYS_VERSION "\n"
     << "Linux " << system.release << " on " << system.machine << "; the table is that of Linux 6.18: " << callable
     << " of " << calls << " calls of x86-64 can be made (" << lines << " with their variants)\n"
     << "devices:\n";
  const bool cuda = print_device(to, "cuda", device_kind::cuda);
  const bool cpu = print_device(to, "cpu", device_kind::cpu);
  to << "executors:\n"
     << "  threads: a pool of threads of the host makes the calls; available with either device\n"
     << "  uring: calls that would wait for a disk go through io_uring; "
     << available(detail::worker_ring::why_not(), "uring") << "\n"
     << "  direct: kernels submit to Linux themselves, under the policies all and strict; "
     << available(detail::shared_rings::why_not(), "direct") << "\n";
  if (!cuda && cpu) to << "Kernels run on the CPU device here, from the same source.\n";
  return cuda || cpu ? 0 : 1;
}

}  // namespace genesys::command
