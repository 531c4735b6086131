// SPDX-License-Identifier: Apache-2.0
// Mistakes of a program, each with a message that says what to do. They run in child processes.
#include <sys/resource.h>
#include <unistd.h>

#include <cstdio>

#include "cpu_testing.h"
#include "genesys/genesys.h"

namespace {

class MisuseDeathTest : public cpu_testing::CpuDeviceDeathTest {};

const genesys::options small{.device = genesys::device_kind::cpu,
                             .workers = 1,
                             .arena_bytes = 1u << 20,
                             .bounce_bytes = 16u << 20,
                             .sigquit = false};

TEST_F(MisuseDeathTest, ACallOnTheHostIsNamed) {
  const auto on_the_host = [](auto make) {
    genesys::runtime rt(small);
    const genesys::run run = rt.attach();
    make(run.os());
  };
  EXPECT_DEATH(on_the_host([](genesys::os os) { os.getppid(); }),
               "genesys: getppid\\(\\): called on the host; genesys::os makes calls in kernels only");
  EXPECT_DEATH(on_the_host([](genesys::os os) { os.on(genesys::block()).close(3); }),
               "genesys: close\\(fd=3\\): called on the host");
  EXPECT_DEATH(on_the_host([](genesys::os os) { os.posted().close(3); }),
               "genesys: close\\(fd=3\\): called on the host");
}

// Root is not limited, so the child becomes another user.
TEST_F(MisuseDeathTest, TooFewProcessesAreNamed) {
  const auto without_threads = [] {
    const rlimit one{1, 1};
    if (::geteuid() == 0 && ::setresuid(65534, 65534, 65534) != 0) ::_exit(1);
    if (::setrlimit(RLIMIT_NPROC, &one) != 0) ::_exit(2);
    try {
      const genesys::runtime rt(small);
    } catch (const genesys::error& caught) {
      std::fprintf(stderr, "%s\n", caught.what());
      ::_exit(3);
    }
    ::_exit(0);
  };
  EXPECT_EXIT(without_threads(), testing::ExitedWithCode(3),
              "genesys: cannot start a thread \\(Resource temporarily unavailable\\): ulimit -u");
}

}  // namespace
