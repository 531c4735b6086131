// SPDX-License-Identifier: Apache-2.0
#include "openmp.h"

#include <omp.h>

#include "cpu_team.h"

namespace wordcount {

void count_by_openmp(const words& wanted, const work& all, unsigned threads) {
#pragma omp parallel num_threads(threads != 0 ? static_cast <int>(threads) : omp_get_num_procs())
  {
    cpu_team team(wanted, all);
    count_files(team, wanted, all);
  }
}

}  // namespace wordcount
