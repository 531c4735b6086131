// SPDX-License-Identifier: Apache-2.0
// All services that come with genesys, as a list for a server. docs/service-list.md.
#pragma once

#include "genesys/services/aes.h"
#include "genesys/services/blake3.h"
#include "genesys/services/lz4.h"
#include "genesys/services/raid6.h"
#include "genesys/services/search.h"
#include "genesys/services/sha256.h"

namespace genesys::services {

using all = service_list<sha256, blake3, lz4, search, aes, raid6, raid6_rebuild>;

}  // namespace genesys::services
