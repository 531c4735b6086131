// SPDX-License-Identifier: Apache-2.0
// semctl(2) GETALL and SETALL: Linux knows the number of values from the set; the call does not say it. So the call has
// a fifth argument here, the size of the memory that the fourth points to. The handler makes the call on a copy.
#include <sys/sem.h>

#include <vector>

#include "execute/generated/custom.h"

namespace genesys::detail::custom {
namespace {

union semun {
  semid_ds* status;
  unsigned short* values;
};

// Stores the number of values. Returns 0, or -errno: -EINVAL if they do not fit.
i64 count_values(int set, u64 bytes, u64& count) {
  semid_ds status{};
  semun into{};
  into.status = &status;
  // A process that may not read the status may not read the values either, and gets this error.
  if (::semctl(set, 0, IPC_STAT, into) == -1) return -errno;
  count = status.sem_nsems;
  return bytes / sizeof(unsigned short) < count ? -EINVAL : 0;
}

}  // namespace

i64 semctl_GETALL(const user_memory& memory, policy&, u64 (&args)[args_max]) {
  const int set = static_cast<int>(args[0]);
  u64 count = 0;
  if (const i64 failed = count_values(set, args[4], count); failed != 0) return failed;
  std::vector<unsigned short> copy(count);
  semun into{};
  into.values = copy.data();
  if (::semctl(set, 0, GETALL, into) == -1) return -errno;
  const u64 bytes = count * sizeof(unsigned short);
  return memory.capacity_at(args[3]) >= bytes && memory.copy_out(args[3], copy.data(), bytes) ? 0 : -EFAULT;
}

i64 semctl_SETALL(const user_memory& memory, policy&, u64 (&args)[args_max]) {
  const int set = static_cast<int>(args[0]);
  u64 count = 0;
  if (const i64 failed = count_values(set, args[4], count); failed != 0) return failed;
  std::vector<unsigned short> copy(count);
  const u64 bytes = count * sizeof(unsigned short);
  if (memory.capacity_at(args[3]) < bytes || !memory.copy_in(copy.data(), args[3], bytes)) return -EFAULT;
  semun from{};
  from.values = copy.data();
  return ::semctl(set, 0, SETALL, from) == -1 ? -errno : 0;
}

}  // namespace genesys::detail::custom
