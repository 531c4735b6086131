// SPDX-License-Identifier: Apache-2.0
#include "service/daemon/check.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <set>

namespace genesys::detail::serving {
namespace {

constexpr u64 buffer_alignment = 8;

[[noreturn]] void refuse(const served_description& of, const std::string& why) {
  throw error(error_code::bad_option, "service '" + of.name + "': " + why);
}

bool is_buffer_at(const served_description& of, u32 offset) {
  return std::any_of(of.fields.begin(), of.fields.end(), [&](const service_field& f) { return f.offset == offset; });
}

u64 bytes_of(const service_member& member) {
  if (member.kind == service_member::buffer) return sizeof(service_buffer) * u64{member.count};
  static constexpr u64 sizes[] = {16, 1, 1, 2, 2, 4, 4, 8, 8, 4, 8};
  return sizes[member.kind] * member.count;
}

void check_description(const served_description& of) {
  if (of.name.empty() || of.name.size() >= name_bytes) refuse(of, "a name has 1 to 31 bytes");
  if (of.argument_bytes > ring_argument_bytes_max) refuse(of, "arguments have at most 192 bytes");
  if (of.members.size() > members_max || of.fields.size() > members_max) refuse(of, "it has too many members");
  std::set<u32> offsets;
  for (const service_field& each : of.fields) {
    if (each.offset % alignof(service_buffer) != 0 || each.offset > of.argument_bytes ||
        of.argument_bytes - each.offset < sizeof(service_buffer) || each.is > service_field::both)
      refuse(of, "a field is not within its arguments");
    offsets.insert(each.offset);
  }
  if (offsets.size() != of.fields.size()) refuse(of, "two fields have the same offset");
  for (const service_member& each : of.members) {
    if (each.kind > service_member::f64 || each.count == 0 || each.offset > of.argument_bytes ||
        bytes_of(each) > of.argument_bytes - each.offset || std::strlen(each.name) >= name_bytes)
      refuse(of, std::string("the member '") + each.name + "' is not within its arguments");
    // A pointer that `fields` does not name would reach the service unchecked.
    if (each.kind == service_member::buffer && (each.count != 1 || !is_buffer_at(of, each.offset)))
      refuse(of, std::string("the buffer '") + each.name + "' is not among its fields");
  }
}

}  // namespace

long check_request(const served_description& of, const ring_request& asked, const client_range& memory,
                   std::uint32_t blocks_max, checked_request& into) {
  if (asked.argument_bytes != of.argument_bytes || asked.blocks == 0 || asked.blocks > blocks_max) return -EINVAL;
  std::memcpy(into.arguments, asked.arguments, of.argument_bytes);
  for (const service_field& each : of.fields) {
    u64 offset = 0, bytes = 0;
    std::memcpy(&offset, into.arguments + each.offset, sizeof offset);
    std::memcpy(&bytes, into.arguments + each.offset + offsetof(service_buffer, bytes), sizeof bytes);
    if (offset > memory.bytes || bytes > memory.bytes - offset) return -EFAULT;
    if (offset % buffer_alignment != 0) return -EINVAL;
    void* const at = memory.data + offset;
    std::memcpy(into.arguments + each.offset, &at, sizeof at);
    if (each.is != service_field::output) into.bytes_in += bytes;
    if (each.is != service_field::input) into.bytes_out += bytes;
  }
  return 0;
}

void check_descriptions(const std::vector<const served_description*>& all) {
  if (all.empty() || all.size() > services_max)
    throw error(error_code::bad_option, "a daemon has 1 to 64 services, not " + std::to_string(all.size()));
  std::set<std::string> names;
  for (const served_description* each : all) {
    check_description(*each);
    if (!names.insert(each->name).second) refuse(*each, "another service has this name, too");
  }
}

directory_service row_of(const served_description& of) {
  directory_service row{};
  std::memcpy(row.name, of.name.c_str(), of.name.size());
  row.argument_bytes = of.argument_bytes;
  row.is_described = of.members.empty() && of.argument_bytes != 0 ? 0 : 1;
  const auto direction_at = [&](u32 offset) -> u32 {
    for (const service_field& each : of.fields) {
      if (each.offset == offset) return each.is;
    }
    return 0;
  };
  for (const service_member& each : of.members) {
    directory_member& to = row.members[row.members_count++];
    std::memcpy(to.name, each.name, std::strlen(each.name));
    to.offset = each.offset, to.kind = each.kind, to.count = each.count, to.direction = direction_at(each.offset);
  }
  if (of.members.empty()) {
    for (const service_field& each : of.fields)
      row.members[row.members_count++] = {{}, each.offset, service_member::buffer, 1, each.is};
  }
  return row;
}

}  // namespace genesys::detail::serving
