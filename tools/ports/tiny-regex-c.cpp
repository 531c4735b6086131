// SPDX-License-Identifier: Apache-2.0
// Tests of tiny-regex-c as kernels.
#include "run.h"

namespace test1 {
#include <genesys/shadow/begin.h>
// clang-format off
#include "re.h"
GENESYS_PORTED re_t re_compile(const char*);
GENESYS_PORTED int re_match(const char*, const char*, int*), re_matchp(re_t, const char*, int*);
GENESYS_PORTED void re_print(re_t);
GENESYS_PORTED int ported_main();
#include "re.c"
#include "tests/test1.c"
// clang-format on
#include <genesys/shadow/end.h>
}  // namespace test1

// The same library, which is in the namespace test1.
namespace test_compile {
#include <genesys/shadow/begin.h>
using test1::re_compile;
GENESYS_PORTED int ported_main();
// clang-format off
#include "tests/test_compile.c"
// clang-format on
#include <genesys/shadow/end.h>
}  // namespace test_compile

struct programs {
  static constexpr const char* names[] = {"test1", "test_compile", nullptr};
  GENESYS_KERNEL static int run(int number) { return number == 0 ? test1::ported_main() : test_compile::ported_main(); }
};

int main(int argc, char** argv) { return port_main<programs>(argc, argv); }
