// SPDX-License-Identifier: Apache-2.0
// Keys and keyrings by their numbers. This process makes them and opens them to its user.
#include <linux/keyctl.h>

#include "oracle.h"

namespace oracle {
namespace {

using enum plan_id;

constexpr long everything = 0x3f3f'3f3f;  // for the possessor, the user, the group and all others
constexpr long of_process = -2;           // KEY_SPEC_PROCESS_KEYRING

long key_call(long operation, long a = 0, long b = 0, long c = 0, long d = 0) {
  return ::syscall(SYS_keyctl, operation, a, b, c, d);
}

long made(const char* type, const char* description, const char* payload) {
  const u64 size = payload == nullptr ? 0 : std::strlen(payload);
  const long key = ::syscall(SYS_add_key, type, description, payload, size, of_process);
  if (key >= 0) key_call(KEYCTL_SETPERM, key, everything);
  return key;
}

TEST(Keys, All) {
  const long ring = made("keyring", "genesys-oracle-ring", nullptr), other = made("keyring", "genesys-other", nullptr);
  const long key = made("user", "genesys-oracle", "payload");
  const auto gone = [](const char* what) { GTEST_SKIP() << "no keys here: " << what; };
  if (ring < 0 || other < 0 || key < 0) return gone(std::strerror(errno));
  trials t;
  const auto linked = [=] { key_call(KEYCTL_LINK, key, ring); };
  const auto unlinked = [=] {
    key_call(KEYCTL_UNLINK, key, ring);
    key_call(KEYCTL_UNLINK, key, other);
  };
  t.good(keyctl_KEYCTL_GET_KEYRING_ID, {KEYCTL_GET_KEYRING_ID, ring, 0});
  t.good(keyctl_KEYCTL_UPDATE, {KEYCTL_UPDATE, key, bytes("payload"), 7});
  t.any(keyctl_KEYCTL_UPDATE, {KEYCTL_UPDATE, key, bytes("payload"), 0});
  t.good(keyctl_KEYCTL_SETPERM, {KEYCTL_SETPERM, key, everything});
  t.good(keyctl_KEYCTL_CHOWN, {KEYCTL_CHOWN, key, -1, -1});
  for (const u64 size : {200, 10, 0}) {
    const auto into = [size] { return size == 0 ? argument(nullptr) : output(size); };
    t.good(keyctl_KEYCTL_DESCRIBE, {KEYCTL_DESCRIBE, key, into(), size});
    t.good(keyctl_KEYCTL_READ, {KEYCTL_READ, key, into(), size});
    t.any(keyctl_KEYCTL_GET_SECURITY, {KEYCTL_GET_SECURITY, key, into(), size});
  }
  t.good(keyctl_KEYCTL_READ, {KEYCTL_READ, key, output(3), 3});
  t.good(keyctl_KEYCTL_LINK, {KEYCTL_LINK, key, ring}).before = unlinked;
  t.good(keyctl_KEYCTL_UNLINK, {KEYCTL_UNLINK, key, ring}).before = linked;
  t.any(keyctl_KEYCTL_UNLINK, {KEYCTL_UNLINK, key, ring}).before = unlinked;
  t.good(keyctl_KEYCTL_SEARCH, {KEYCTL_SEARCH, ring, text("user"), text("genesys-oracle"), 0}).before = linked;
  t.any(keyctl_KEYCTL_SEARCH, {KEYCTL_SEARCH, ring, text("user"), text("nobody's"), 0}).before = linked;
  t.good(keyctl_KEYCTL_MOVE, {KEYCTL_MOVE, key, ring, other, 0}).before = [=] {
    unlinked();
    linked();
  };
  t.good(keyctl_KEYCTL_CLEAR, {KEYCTL_CLEAR, ring}).before = linked;
  t.good(keyctl_KEYCTL_SET_TIMEOUT, {KEYCTL_SET_TIMEOUT, key, 1000});
  t.good(keyctl_KEYCTL_CAPABILITIES, {KEYCTL_CAPABILITIES, output(8), 8}).unless = {EOPNOTSUPP};
  t.any(keyctl_KEYCTL_CAPABILITIES, {KEYCTL_CAPABILITIES, output(1), 1});
  t.any(keyctl_KEYCTL_INSTANTIATE, {KEYCTL_INSTANTIATE, key, bytes("payload"), 7, 0});
  t.any(keyctl_KEYCTL_INSTANTIATE_IOV, {KEYCTL_INSTANTIATE_IOV, key, pieces({bytes("pay"), bytes("load")}), 2, 0});
  t.any(keyctl_KEYCTL_NEGATE, {KEYCTL_NEGATE, key, 10, 0});
  t.any(keyctl_KEYCTL_REJECT, {KEYCTL_REJECT, key, 10, EACCES, 0});
  t.any(keyctl_KEYCTL_GET_PERSISTENT, {KEYCTL_GET_PERSISTENT, -1, 0x7fff'0000});
  t.any(keyctl_KEYCTL_RESTRICT_KEYRING, {KEYCTL_RESTRICT_KEYRING, key, text("nothing"), text("no")});
  t.any(keyctl_KEYCTL_WATCH_KEY, {KEYCTL_WATCH_KEY, key, -1, 1});
  t.any(keyctl_KEYCTL_REVOKE, {KEYCTL_REVOKE, 0x7fff'0000});
  t.any(keyctl_KEYCTL_INVALIDATE, {KEYCTL_INVALIDATE, 0x7fff'0000});
  for (const auto& [operation, id] :
       {std::pair{KEYCTL_REVOKE, keyctl_KEYCTL_REVOKE}, {KEYCTL_INVALIDATE, keyctl_KEYCTL_INVALIDATE}}) {
    trial& ended = t.good(id, {operation, key});
    ended.before = [&ended] { ended.args[1] = made("user", "genesys-oracle-ended", "payload"); };
  }
  t.check();
  for (const long id : {key, ring, other}) key_call(KEYCTL_UNLINK, id, of_process);
}

}  // namespace
}  // namespace oracle
