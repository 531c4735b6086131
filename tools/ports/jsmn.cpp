// SPDX-License-Identifier: Apache-2.0
// The tests of jsmn as kernels, with the options that its Makefile has.
#include "run.h"

#define VARIANT test_default
#include "jsmn_variant.h"
#define VARIANT test_strict
#define JSMN_STRICT 1
#include "jsmn_variant.h"
#define VARIANT test_links
#define JSMN_PARENT_LINKS 1
#include "jsmn_variant.h"
#define VARIANT test_strict_links
#define JSMN_STRICT 1
#define JSMN_PARENT_LINKS 1
#include "jsmn_variant.h"

struct programs {
  static constexpr const char* names[] = {"test_default", "test_strict", "test_links", "test_strict_links", nullptr};
  GENESYS_KERNEL static int run(int number) {
    switch (number) {
      case 0:
        return test_default::ported_main();
      case 1:
        return test_strict::ported_main();
      case 2:
        return test_links::ported_main();
      default:
        return test_strict_links::ported_main();
    }
  }
};

int main(int argc, char** argv) { return port_main<programs>(argc, argv); }
