// SPDX-License-Identifier: Apache-2.0
// genesys-serve, the program that `genesys serve` becomes: a daemon with all services that come with genesys, which
// also loads services from files. It is a program of its own, so that the command itself has no kernels.
#include "genesys/serve.h"
#include "genesys/services/services.h"

namespace {

template <class... S>
int serve(genesys::service_list<S...>, int argc, char** argv) {
  return genesys::serve_main<genesys::loadable_services, S...>(argc, argv);
}

}  // namespace

int main(int argc, char** argv) { return serve(genesys::services::all{}, argc, argv); }
