// SPDX-License-Identifier: Apache-2.0
#include "schedule/daemon/listening_socket.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <stdexcept>

namespace genesys::schedule::processes {
namespace {

std::runtime_error cannot(const std::string& what) { return std::runtime_error(what + ": " + std::strerror(errno)); }

}  // namespace

listening_socket::listening_socket(const listening_place& place) {
  const std::string& path = place.path;
  sockaddr_un at{};
  at.sun_family = AF_UNIX;
  if (path.empty() || path.size() >= sizeof at.sun_path)
    throw std::runtime_error("the socket's path '" + path + "' is empty or longer than 107 bytes");
  std::memcpy(at.sun_path, path.c_str(), path.size() + 1);
  // The lock says whether a daemon is there; a socket that was left says nothing.
  lock_.reset(::open((path + ".lock").c_str(), O_CREAT | O_RDWR | O_CLOEXEC | O_NOFOLLOW, 0600));
  if (!lock_) throw cannot("cannot make '" + path + ".lock' (mkdir, or --socket PATH)");
  if (::flock(lock_.get(), LOCK_EX | LOCK_NB) != 0)
    throw std::runtime_error("another '" + place.daemon + "' serves '" + path + "'");
  struct stat left {};
  if (::lstat(path.c_str(), &left) == 0 && S_ISSOCK(left.st_mode)) ::unlink(path.c_str());
  descriptor made(::socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!made || ::bind(made.get(), reinterpret_cast<sockaddr*>(&at), sizeof at) != 0)
    throw cannot("cannot make the socket '" + path + "'");
  // Nobody can connect before listen(), so the permissions are in force from the beginning.
  const mode_t mode = place.group ? 0660 : place.is_for_all ? 0666 : 0600;
  const bool permitted = (!place.group || ::chown(path.c_str(), static_cast<uid_t>(-1), *place.group) == 0) &&
                         ::chmod(path.c_str(), mode) == 0;
  if (!permitted || ::listen(made.get(), place.waiting_max) != 0) {
    const std::runtime_error why = cannot("cannot set the group of the socket '" + path + "', or listen");
    ::unlink(path.c_str());
    throw why;
  }
  socket_ = std::move(made);
  path_ = path;
}

listening_socket::~listening_socket() {
  if (socket_ && !path_.empty()) ::unlink(path_.c_str());
}

void listening_socket::note_process() const {
  if (lock_ && ::ftruncate(lock_.get(), 0) == 0) ::dprintf(lock_.get(), "%d\n", static_cast<int>(::getpid()));
}

}  // namespace genesys::schedule::processes
