// SPDX-License-Identifier: Apache-2.0
// A service that the daemon has loaded from files. The loading thread loads and unloads it, the serving thread submits
// its requests, at the same time.
#pragma once

#include "genesys/serve.h"
#include "service/file_access.h"

namespace genesys::detail::serving {

class service_of_file final : public served_service {
 public:
  // `from`: one or two files, in any order. Throws error(bad_option).
  service_of_file(std::vector<services::file_bytes> from, const std::string& name, unsigned drain_ms);
  // Frees the files. Throws error: bad_option also if the daemon could not check requests for it.
  void load(service_server& on) override;
  // As service_server::unload().
  int unload(service_server& on, unsigned timeout_ms) const;
  service_ticket submit(service_server& on, const void* arguments, unsigned blocks) const override;

 private:
  void describe();

  services::service_bytes from_;
  const unsigned drain_ms_;
  services::file_access::loaded loaded_;
};

// A regular file of at most passed_bytes_max. Throws error(bad_option).
services::file_bytes read_service_file(const std::string& path);
// What a client has passed: a memfd with at most as many bytes, which nobody can write to any more, so that reading it
// takes no time of another one. Throws error(bad_option).
services::file_bytes read_passed_file(int fd);

}  // namespace genesys::detail::serving
