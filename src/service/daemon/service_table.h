// SPDX-License-Identifier: Apache-2.0
// Which services the daemon has, by name: those that it was built with, and those that it has loaded. One thread at a
// time: the door's. The serving thread has a table of its own, by number.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "service/client/directory.h"
#include "service/daemon/service_of_file.h"

namespace genesys::detail::serving {

using u32 = std::uint32_t;

// An order that is refused, and the errno for it.
class refused_order : public error {
 public:
  refused_order(int number, const std::string& what) : error(error_code::bad_option, what), number_(number) {}
  int number() const noexcept { return number_; }

 private:
  int number_;
};

// A service that may be called.
struct numbered_service {
  u32 number;
  std::string label;  // its name, and for a loaded one its version
  std::shared_ptr<const served_service> service;
};

class service_table {
 public:
  // Throws error(bad_option): a service that the daemon cannot offer.
  explicit service_table(std::vector<std::unique_ptr<served_service>> built_in);

  // A place for a service that is to be loaded. Nobody sees it yet. Throws refused_order.
  void reserve(const std::string& name);
  // It is loaded: clients that connect from here on see it.
  numbered_service open(const std::string& name, std::shared_ptr<service_of_file> loaded);
  // Clients that connect from here on do not see it. Its name stays taken until release(). Throws refused_order.
  std::shared_ptr<const service_of_file> close(const std::string& name);
  // The place is free again. The number of its service, for the serving thread.
  u32 release(const std::string& name);

  std::vector<numbered_service> callable() const;
  std::vector<directory_service> directory() const;
  // A table for people.
  std::string text() const;

 private:
  enum class state { free, reserved, open, closed };
  struct place {
    state is = state::free;
    u32 number = 0;  // of the service that is or was here; a multiple of services_max more for the next one
    u32 version = 0;
    std::string name;
    std::shared_ptr<const served_service> service;
    std::shared_ptr<const service_of_file> loaded;  // the same, if it is not built in
  };
  place* find(const std::string& name);
  static std::string label_of(const place& of);

  std::vector<place> places_;            // services_max
  std::map<std::string, u32> versions_;  // how often a name has been loaded
};

}  // namespace genesys::detail::serving
