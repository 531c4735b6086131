// SPDX-License-Identifier: Apache-2.0
#include "perfetto_call.h"

#include <set>

#include "trace_text.h"

namespace genesys::command {
namespace {

// Whether the result of a call is a number of bytes.
bool gives_bytes(std::string_view name) {
  static const std::set<std::string_view> names{"copy_file_range",
                                                "fgetxattr",
                                                "flistxattr",
                                                "getdents",
                                                "getdents64",
                                                "getrandom",
                                                "getxattr",
                                                "lgetxattr",
                                                "listxattr",
                                                "llistxattr",
                                                "mq_timedreceive",
                                                "msgrcv",
                                                "pread64",
                                                "preadv",
                                                "preadv2",
                                                "pwrite64",
                                                "pwritev",
                                                "pwritev2",
                                                "read",
                                                "readlink",
                                                "readlinkat",
                                                "readv",
                                                "recvfrom",
                                                "recvmsg",
                                                "sendfile",
                                                "sendmsg",
                                                "sendto",
                                                "splice",
                                                "process_vm_readv",
                                                "process_vm_writev",
                                                "tee",
                                                "vmsplice",
                                                "write",
                                                "writev"};
  return names.count(name) != 0;
}

std::string_view maker(trace::made_by by) {
  switch (by) {
    case trace::made_by::worker:
      return "worker";
    case trace::made_by::worker_ring:
      return "worker ring";
    case trace::made_by::later:
      return "worker, later";
    case trace::made_by::kernel:
      return "kernel, through a shared ring";
    case trace::made_by::other:
      break;
  }
  return "no worker";
}

}  // namespace

// words_of() gives "name(arguments)", and "(name arguments)" for a request to the runtime.
perfetto_call::perfetto_call(const ordered_call& of, unsigned string_bytes) : words_(words_of(of.call, string_bytes)) {
  static constexpr std::string_view scopes[] = {"thread", "warp", "block", "grid"};
  std::string_view words = words_;
  if (words.starts_with('(')) words.remove_prefix(1);
  if (words.ends_with(')')) words.remove_suffix(1);
  const std::size_t at = words.find_first_of("( ");
  name_ = words.substr(0, at);
  if (at != words.npos && at + 1 < words.size()) add("arguments", words.substr(at + 1));
  const trace::call_record& raw = of.call.raw;
  add_result(of.call, string_bytes);
  add("scope", scopes[raw.scope & 3]);
  add("block", std::int64_t{raw.block});
  add("warp", std::int64_t{raw.warp});
  if (raw.run != 0) add("run", std::int64_t{raw.run});
  if (raw.by != trace::made_by::worker) add("made by", maker(raw.by));
  add_times(of);
}

void perfetto_call::add_result(const recorded_call& call, unsigned string_bytes) {
  const std::int64_t result = call.raw.result;
  const bool has_result = call.raw.has_result();
  if (has_result) add("result", result);
  if (!has_result || (result < 0 && result >= -4095)) {
    why_ = result_of(call, string_bytes);
    add(has_result ? "error" : "no result", std::string_view(why_).substr(has_result ? why_.find(' ') + 1 : 0));
  } else if (gives_bytes(name_)) {
    add("bytes", result);
  }
}

void perfetto_call::add_times(const ordered_call& of) {
  const auto add_time = [this](std::string_view name, std::int64_t ns) {
    if (ns >= 0) add(name, ns);
  };
  add_time("queued_ns", of.call.queued_ns());
  add_time("linux_ns", of.call.linux_ns());
  if (of.call.ended_ns != 0) add_time("after_ns", of.call.completed_ns - of.call.ended_ns);
  if (of.seen_ns != 0) add_time("seen_ns", of.seen_ns - of.call.completed_ns);
}

}  // namespace genesys::command
