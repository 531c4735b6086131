// SPDX-License-Identifier: Apache-2.0
// Clients that load and unload services (door.h): who may, and what the door does before and after the loading thread.
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "schedule/daemon/message.h"
#include "service/daemon/check.h"
#include "service/daemon/door.h"

namespace genesys::detail::serving {

namespace ipc = schedule::processes;

namespace {

constexpr std::size_t files_max = 2;  // of a service

}  // namespace

// What a file holds runs in the daemon, with its rights and in reach of all clients' memory.
bool may_load(uid_t asks, uid_t own) { return asks == 0 || asks == own; }

// The refusal's errno is 0 if the order is taken.
reply door::take_order(newcomer& from, const hello& asked, std::vector<descriptor> files) {
  if (!may_load(from.who.uid, ::geteuid()))
    return refusal(EPERM, "only root and the daemon's user load and unload services");
  if (!loading_.has_space()) return refusal(EAGAIN, "too many services wait to be loaded: try again");
  const std::string name = asked.name.data();
  if (std::ranges::any_of(name, [](unsigned char c) { return c < ' ' || c > '~'; }) || name.empty())
    return refusal(EINVAL, "the name is no text");
  order made;
  made.name = name;
  try {
    if (asked.kind == hello_kind::unload) {
      made.to_unload = services_.close(name);
    } else if (files.empty() || files.size() > files_max) {
      return refusal(EINVAL, "one or two files are passed");
    } else {
      services_.reserve(name);
      made.files = std::move(files);
    }
  } catch (const refused_order& caught) {
    return refusal(caught.number(), caught.what());
  }
  made.client = std::move(from.socket);
  loading_.add(std::move(made));
  return {};
}

void door::finish_orders() {
  for (order& each : loading_.take_done()) {
    finish(each);
    reply ended = refusal(each.error, each.why);
    if (each.error == 0) ended.kind = reply_kind::end;
    ipc::send_packet(each.client.get(), &ended, sizeof ended);  // the client may have gone: the order is done
  }
}

void door::finish(order& done) {
  if (done.to_unload != nullptr) {
    if (done.error == 0) serving_.remove(services_.release(done.name));
  } else if (done.error == 0) {
    serving_.add(services_.open(done.name, std::move(done.loaded)));
  } else {
    services_.release(done.name);
  }
}

}  // namespace genesys::detail::serving
