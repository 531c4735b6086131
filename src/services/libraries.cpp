// SPDX-License-Identifier: Apache-2.0
// Names the libraries of the twins, with the versions that run. Any thread.
#include "genesys/services/libraries.h"

#if GENESYS_WITH_OPENSSL
#include <openssl/crypto.h>
#endif
#if GENESYS_WITH_ISAL
#include <isa-l.h>
#endif

namespace genesys::services {

std::string libraries_of_twins() {
  std::string text = "SHA-256 and AES: ";
#if GENESYS_WITH_OPENSSL
  text += std::string("OpenSSL ") + OpenSSL_version(OPENSSL_VERSION_STRING);
#else
  text += "own code";
#endif
  text += "; RAID-6: ";
#if GENESYS_WITH_ISAL
  text += "ISA-L " + std::to_string(ISAL_MAJOR_VERSION) + "." + std::to_string(ISAL_MINOR_VERSION) + "." +
          std::to_string(ISAL_PATCH_VERSION);
#else
  text += "own code";
#endif
  return text + "; BLAKE3, LZ4, search: own code";
}

}  // namespace genesys::services
