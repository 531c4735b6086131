// SPDX-License-Identifier: Apache-2.0
// The daemon of these tests: bin/tests/service_daemon. It is a daemon as a user writes one.
#include "services.h"

int main(int argc, char** argv) {
  using namespace daemon_services;
  return genesys::serve_main<genesys::loadable_services, nothing, mask, wait_for, numbers>(argc, argv);
}
