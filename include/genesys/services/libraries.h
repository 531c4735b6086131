// SPDX-License-Identifier: Apache-2.0
// Which libraries the twins of the services use in this build of genesys::services. For host programs.
#pragma once

#include <string>

namespace genesys::services {

// "SHA-256 and AES: OpenSSL 3.0.19; RAID-6: ISA-L 2.30.0; BLAKE3, LZ4, search: own code". Any thread.
std::string libraries_of_twins();

}  // namespace genesys::services
