// SPDX-License-Identifier: Apache-2.0
// How a connection begins and ends (connection.h).
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <bit>
#include <cerrno>
#include <cstdlib>
#include <system_error>

#include "schedule/daemon/clock.h"
#include "schedule/daemon/message.h"
#include "service/client/connection.h"
#include "service/client/directory.h"
#include "service/client/forks.h"

namespace genesys::detail::serving {

namespace ipc = schedule::processes;

namespace {

[[noreturn]] void refuse(error_code code, int number, const std::string& what) {
  throw service_client_error(code, number, what);
}
[[noreturn]] void refuse_system(int number, const std::string& what) {
  refuse(error_code::system, number, what + " (" + std::generic_category().message(number) + ")");
}

constexpr int sealed = F_SEAL_SHRINK | F_SEAL_GROW;
constexpr u64 memory_bytes_max = u64{1} << 46;

std::string text_in(const char* at, std::size_t bytes) { return {at, ::strnlen(at, bytes)}; }

}  // namespace

mapping::mapping(int fd, std::size_t bytes) {
  struct stat about {};
  const int seals = ::fcntl(fd, F_GET_SEALS);
  if (seals < 0 || (seals & sealed) != sealed || ::fstat(fd, &about) != 0 ||
      static_cast<std::size_t>(about.st_size) < bytes || bytes == 0)
    refuse(error_code::system, EPROTO, "the daemon has passed no memory of a sealed size");
  void* const at = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (at == MAP_FAILED) refuse_system(errno, "cannot map the memory that the daemon has passed");
  data_ = static_cast<std::byte*>(at);
  bytes_ = bytes;
}
mapping& mapping::operator=(mapping&& from) noexcept {
  std::swap(data_, from.data_);
  std::swap(bytes_, from.bytes_);
  return *this;
}
mapping::~mapping() {
  if (data_ != nullptr) ::munmap(data_, bytes_);
}

std::string default_client_socket() {
  const char* const named = ::secure_getenv("GENESYS_SERVE");
  if (named != nullptr && *named != '\0') return named;
  if (const char* const folder = ::secure_getenv("XDG_RUNTIME_DIR"); folder != nullptr && *folder != '\0') {
    const std::string own = std::string(folder) + "/genesys/serve.sock";
    if (::access(own.c_str(), F_OK) == 0) return own;
  }
  return "/run/genesys/serve.sock";
}

descriptor connect_to(const std::string& socket) {
  const std::string path = socket.empty() ? default_client_socket() : socket;
  sockaddr_un at{};
  at.sun_family = AF_UNIX;
  if (path.size() >= sizeof at.sun_path)
    refuse(error_code::bad_option, ENAMETOOLONG, "the socket's path '" + path + "' is longer than 107 bytes");
  std::memcpy(at.sun_path, path.c_str(), path.size() + 1);
  descriptor made(::socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0));
  if (!made) refuse_system(errno, "cannot make a socket");
  if (::connect(made.get(), reinterpret_cast<sockaddr*>(&at), sizeof at) == 0) return made;
  const int why = errno;
  if (why == ENOENT || why == ECONNREFUSED)
    refuse(error_code::system, why, "no daemon serves '" + path + "': start 'genesys serve', or name its socket");
  if (why == EACCES)
    refuse(error_code::system, why, "the daemon at '" + path + "' does not serve this user: see its --group");
  refuse_system(why, "cannot connect to '" + path + "'");
}

void send_hello(int socket, const hello& what, const std::vector<int>& passed) {
  // A daemon that has refused already has closed the socket, and its reply is there to be read.
  if (!ipc::send_packet(socket, &what, sizeof what, passed) && errno != EPIPE && errno != ECONNRESET)
    refuse_system(errno, "the daemon does not listen");
}

reply receive_reply(int socket, unsigned timeout_ms, std::vector<descriptor>& passed) {
  ipc::packet got;
  const u64 until = ipc::now_ns() + u64{timeout_ms} * 1'000'000;
  for (bool was_closed = false;;) {
    const ipc::received what = ipc::receive_packet(socket, got);
    // Linux first says that the daemon has not read what was sent, and then gives the reply.
    if (what == ipc::received::closed && !std::exchange(was_closed, true)) continue;
    if (what == ipc::received::closed) refuse(error_code::system, ECONNRESET, "the daemon has closed the connection");
    if (what == ipc::received::packet) break;
    const u64 now = ipc::now_ns();
    if (now >= until) refuse(error_code::system, ETIMEDOUT, "the daemon does not answer");
    pollfd looked{socket, POLLIN, 0};
    ::poll(&looked, 1, static_cast<int>((until - now) / 1'000'000 + 1));
  }
  const std::optional<reply> read = decode_reply(got.bytes.data(), got.size);
  if (!read) refuse(error_code::layout_mismatch, EPROTO, "the daemon is of another version of genesys");
  if (read->kind == reply_kind::refused)
    refuse(error_code::system, static_cast<int>(read->error), std::string("the daemon refuses: ") + read->text.data());
  passed = std::move(got.passed);
  return *read;
}

connection::connection(const service_client_options& options)
    : spin_us_(options.spin_us), forks_(forks_of_process()), socket_(connect_to(options.socket)) {
  hello asked;
  asked.kind = hello_kind::connect;
  asked.bytes = options.memory_bytes;
  asked.slots = options.slots;
  send_hello(socket_.get(), asked);
  std::vector<descriptor> passed;
  const reply welcome = receive_reply(socket_.get(), options.timeout_ms, passed);
  const std::size_t directory_at = ring_layout{welcome.slots}.directory_at();
  if (welcome.kind != reply_kind::welcome || passed.size() != 2 || welcome.slots == 0 ||
      welcome.slots > ring_slots_max || welcome.services > services_max || welcome.memory_bytes > memory_bytes_max ||
      welcome.ring_bytes < directory_at + welcome.services * sizeof(directory_service))
    refuse(error_code::layout_mismatch, EPROTO, "the daemon's welcome is not understood");
  ring_memory_ = mapping(passed[0].get(), welcome.ring_bytes);
  memory_ = mapping(passed[1].get(), welcome.memory_bytes);
  ring_ = ring_view(ring_memory_.data(), welcome.slots);
  blocks_max_ = welcome.blocks_max;
  read_directory(welcome.services, directory_at);

  free_ = std::make_unique<std::atomic<u64>[]>(ring_.words());
  abandoned_ = std::make_unique<std::atomic<u64>[]>(ring_.words());
  uses_ = std::make_unique<std::atomic<u32>[]>(ring_.slots());
  for (u32 slot = 0; slot < ring_.slots(); ++slot) free_[slot / 64] |= u64{1} << slot % 64;
  parts_ = std::make_unique<free_ranges>(memory_.bytes());
  end_.reset(::eventfd(0, EFD_CLOEXEC));
  if (!end_) refuse_system(errno, "cannot make a descriptor");
  sigset_t all, before;
  ::sigfillset(&all);
  ::pthread_sigmask(SIG_SETMASK, &all, &before);  // the program's signals are for its own threads
  try {
    watching_ = std::thread([this] { watch(); });
  } catch (const std::system_error& caught) {
    ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
    refuse_system(caught.code().value(), "cannot start a thread");
  }
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

connection::~connection() {
  if (forks_ != forks_of_process()) {  // the thread is the parent's
    watching_.detach();
    return;
  }
  const u64 one = 1;
  [[maybe_unused]] const ssize_t written = ::write(end_.get(), &one, sizeof one);
  watching_.join();
}

void connection::read_directory(u32 count, std::size_t at) {
  const auto* const rows = reinterpret_cast<const directory_service*>(ring_memory_.data() + at);
  for (u32 i = 0; i < count; ++i) {
    const directory_service& row = rows[i];
    if (row.argument_bytes > ring_argument_bytes_max || row.members_count > members_max)
      refuse(error_code::layout_mismatch, EPROTO, "the daemon's directory is not understood");
    remote_description made{text_in(row.name, name_bytes), i, row.argument_bytes, row.is_described != 0, {}};
    for (u32 m = 0; m < row.members_count; ++m) {
      const directory_member& member = row.members[m];
      if (member.kind == 0 && (member.offset > row.argument_bytes ||
                               row.argument_bytes - member.offset < sizeof(service_buffer) || member.offset % 8 != 0))
        refuse(error_code::layout_mismatch, EPROTO, "the daemon's directory is not understood");
      made.members.push_back({text_in(member.name, name_bytes), member.offset, member.kind, member.count,
                              static_cast<service_field::direction>(member.direction)});
    }
    services_.push_back(std::move(made));
    numbers_.push_back(row.number);
  }
}

// The watching thread. The daemon sends nothing after its welcome, so whatever comes is the end.
void connection::watch() {
  ::pthread_setname_np(::pthread_self(), "genesys-client");
  pollfd looked[] = {{socket_.get(), POLLIN | POLLRDHUP, 0}, {end_.get(), POLLIN, 0}};
  while (::poll(looked, 2, -1) < 0 && errno == EINTR) {
  }
  is_lost_.store(true);
  for (u32 slot = 0; slot < ring_.slots(); ++slot) wake_sleeper(ring_.completion(slot));
  { const std::lock_guard hold(slot_lock_); }
  slot_freed_.notify_all();
}

}  // namespace genesys::detail::serving
