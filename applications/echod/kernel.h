// SPDX-License-Identifier: Apache-2.0
// echod's kernel: each block is a server, and makes its calls at block scope.
#pragma once

#include "genesys/genesys.h"
#include "serve.h"

namespace echod {

struct block_team {
  const genesys::os& os;

  GENESYS_KERNEL auto calls() const { return os.on(genesys::block()); }
  GENESYS_KERNEL void pause_ms(u32 length) const {
    for (u32 i = 0; i < length * 10; ++i) genesys::pause(100'000);
  }
  GENESYS_KERNEL bool is_first() const { return genesys::thread_rank() == 0; }
  GENESYS_KERNEL bool agrees(bool first_says) const { return genesys::sync_block_count(first_says) > 0; }
};

struct serve {
  GENESYS_KERNEL void operator()(genesys::os os, task t) const {
    const u32 number = genesys::block_rank();
    const block_team team{os};
    if (team.is_first())
      genesys::atomic<u32, genesys::thread_scope::system>(t.servers[number].has_started).store(1, order::relaxed);
    number < t.udp_servers ? serve_udp(team, t, number) : serve_tcp(team, t, number);
  }
};

}  // namespace echod
