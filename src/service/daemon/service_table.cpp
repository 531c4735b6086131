// SPDX-License-Identifier: Apache-2.0
#include "service/daemon/service_table.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>

#include "service/daemon/check.h"

namespace genesys::detail::serving {

service_table::service_table(std::vector<std::unique_ptr<served_service>> built_in) : places_(services_max) {
  std::vector<const served_description*> all;
  for (const auto& each : built_in) all.push_back(&each->about());
  check_descriptions(all);
  for (u32 i = 0; i < services_max; ++i) {
    places_[i].number = i;
    if (i >= built_in.size()) continue;
    places_[i].is = state::open;
    places_[i].name = built_in[i]->about().name;
    places_[i].service = std::move(built_in[i]);
  }
}

service_table::place* service_table::find(const std::string& name) {
  const auto found =
      std::ranges::find_if(places_, [&](const place& each) { return each.is != state::free && each.name == name; });
  return found == places_.end() ? nullptr : &*found;
}

void service_table::reserve(const std::string& name) {
  if (const place* const found = find(name); found != nullptr) {
    if (found->is == state::reserved) throw refused_order(EBUSY, "'" + name + "' is being loaded");
    throw refused_order(EEXIST,
                        "there is a service '" + name + "'" +
                            (found->loaded != nullptr ? ": unload it first" : ", which the daemon was built with"));
  }
  const auto free = std::ranges::find(places_, state::free, &place::is);
  if (free == places_.end()) throw refused_order(ENOSPC, "it has 64 services: unload one");
  free->is = state::reserved;
  free->name = name;
}

numbered_service service_table::open(const std::string& name, std::shared_ptr<service_of_file> loaded) {
  place& it = *find(name);
  it.is = state::open;
  it.version = ++versions_[name];
  it.service = loaded;
  it.loaded = std::move(loaded);
  return {it.number, label_of(it), it.service};
}

std::shared_ptr<const service_of_file> service_table::close(const std::string& name) {
  place* const found = find(name);
  if (found == nullptr)
    throw refused_order(ENOENT, "there is no service '" + name + "'; 'genesys services' lists them");
  if (found->is == state::reserved) throw refused_order(EBUSY, "'" + name + "' is being loaded");
  if (found->loaded == nullptr)
    throw refused_order(EINVAL, "the daemon was built with '" + name + "': only what was loaded can be unloaded");
  found->is = state::closed;
  return found->loaded;
}

u32 service_table::release(const std::string& name) {
  place& it = *find(name);
  const u32 number = it.number;
  it = {};
  it.number = number + services_max;
  return number;
}

std::vector<numbered_service> service_table::callable() const {
  std::vector<numbered_service> all;
  for (const place& each : places_) {
    if (each.is == state::open) all.push_back({each.number, label_of(each), each.service});
  }
  return all;
}

std::vector<directory_service> service_table::directory() const {
  std::vector<directory_service> rows;
  for (const place& each : places_) {
    if (each.is != state::open) continue;
    rows.push_back(row_of(each.service->about()));
    rows.back().number = each.number;
  }
  return rows;
}

std::string service_table::label_of(const place& of) {
  return of.loaded == nullptr ? of.name : of.name + " (loaded, version " + std::to_string(of.version) + ")";
}

std::string service_table::text() const {
  char line[160];
  const auto row = [&](const char* name, const char* from, const char* version, const char* bytes,
                       const char* buffers) {
    std::snprintf(line, sizeof line, "  %-31s %-9s %7s %10s %8s\n", name, from, version, bytes, buffers);
    return std::string(line);
  };
  std::string to = row("service", "state", "version", "arguments", "buffers");
  for (const place& each : places_) {
    if (each.is == state::free) continue;
    const char* const is = each.is == state::reserved ? "loading"
                           : each.is == state::closed ? "unloading"
                           : each.loaded == nullptr   ? "built in"
                                                      : "loaded";
    const bool is_known = each.service != nullptr;
    to += row(each.name.c_str(), is, each.version != 0 ? std::to_string(each.version).c_str() : "-",
              is_known ? (std::to_string(each.service->about().argument_bytes) + " B").c_str() : "-",
              is_known ? std::to_string(each.service->about().fields.size()).c_str() : "-");
  }
  return to;
}

}  // namespace genesys::detail::serving
