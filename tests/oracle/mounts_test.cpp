// SPDX-License-Identifier: Apache-2.0
// Mounts and the system's names, in namespaces of this program's own if Linux lets it make some.
#include <linux/mount.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/statfs.h>

#include "oracle.h"
#include "world.h"

namespace oracle {
namespace {

using enum plan_id;

// Runs before the process has threads, so that all of them are in the new namespaces.
const bool alone = [] {
  if (::unshare(CLONE_NEWNS | CLONE_NEWUTS) != 0) return false;
  return ::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0;
}();

constexpr int spare_mount = 320;

class Mounts : public testing::Test {
 protected:
  void SetUp() override {
    if (!alone) GTEST_SKIP() << "no namespaces of one's own here";
  }
  void TearDown() override { unmount(); }
  // Removes the mount at `empty`, or mounts a small file system there.
  void unmount() const {
    while (::umount2((w / "empty").c_str(), MNT_DETACH) == 0) {
    }
  }
  void mounted() const {
    unmount();
    ASSERT_EQ(::mount("genesys", (w / "empty").c_str(), "tmpfs", 0, "size=64k"), 0) << std::strerror(errno);
  }
  // A file system that a test makes step by step: configured, made, or a mount without a place.
  enum class stage { fresh, made, mount };
  void begun(stage upto) const {
    const long fs = ::syscall(SYS_fsopen, "tmpfs", 1);
    ASSERT_GE(fs, 0) << std::strerror(errno);
    if (upto != stage::fresh) {
      ASSERT_EQ(::syscall(SYS_fsconfig, fs, FSCONFIG_CMD_CREATE, nullptr, nullptr, 0), 0);
    }
    const long shown = upto == stage::mount ? ::syscall(SYS_fsmount, fs, 1, 0) : fs;
    ASSERT_GE(shown, 0) << std::strerror(errno);
    ::dup3(static_cast<int>(shown), spare_mount, O_CLOEXEC);
    ::close(static_cast<int>(fs));
    if (shown != fs) ::close(static_cast<int>(shown));
  }
  world w;
  trials t;
};

TEST_F(Mounts, OldCalls) {
  const auto gone = [this] { unmount(); };
  const auto there = [this] { mounted(); };
  t.good(plan_id::mount, {text("genesys"), text(w / "empty"), text("tmpfs"), 0, text("size=64k")}).before = gone;
  t.any(plan_id::mount, {text("genesys"), text(w / "empty"), text("tmpfs"), 0, text("nonsense=1")}).before = gone;
  t.good(plan_id::mount, {nullptr, text(w / "empty"), nullptr, MS_REMOUNT | MS_RDONLY, nullptr}).before = there;
  t.good(plan_id::umount2, {text(w / "empty"), 0}).before = there;
  t.any(plan_id::umount2, {text(w / "empty"), -1}).before = there;
  t.any(plan_id::umount2, {text(w / "empty"), 0}).before = gone;
  t.good(plan_id::chroot, {text("/")});
  t.check();
}

TEST_F(Mounts, NewCalls) {
  const auto at = [this](stage upto) { return [this, upto] { begun(upto); }; };
  gives_descriptor(t.good(fsopen, {text("tmpfs"), 1}));
  t.good(fsconfig_FSCONFIG_SET_FLAG, {spare_mount, 0, text("ro"), 0, 0}).before = at(stage::fresh);
  t.good(fsconfig_FSCONFIG_SET_STRING, {spare_mount, 1, text("size"), text("64k"), 0}).before = at(stage::fresh);
  t.any(fsconfig_FSCONFIG_SET_STRING, {spare_mount, 1, text("size"), text("much"), 0}).before = at(stage::fresh);
  t.good(fsconfig_FSCONFIG_CMD_CREATE, {spare_mount, 6, 0, 0, 0}).before = at(stage::fresh);
  t.any(fsconfig_FSCONFIG_CMD_CREATE, {spare_mount, 6, 0, 0, 0}).before = at(stage::made);
  t.good(fsconfig_FSCONFIG_CMD_CREATE_EXCL, {spare_mount, 8, 0, 0, 0}).before = at(stage::fresh);
  gives_descriptor(t.good(fsmount, {spare_mount, 1, 0})).before = at(stage::made);
  trial& moved = t.good(move_mount, {spare_mount, text(""), AT_FDCWD, text(w / "empty"), MOVE_MOUNT_F_EMPTY_PATH});
  moved.before = [this] {
    unmount();
    begun(stage::mount);
  };
  gives_descriptor(t.good(fspick, {AT_FDCWD, text(w / "empty"), 0})).before = [this] { mounted(); };
  gives_descriptor(t.good(open_tree, {AT_FDCWD, text(w / "empty"), 1})).before = [this] { mounted(); };
  const u64 read_only[4] = {MOUNT_ATTR_RDONLY, 0, 0, 0};
  t.good(mount_setattr, {AT_FDCWD, text(w / "empty"), 0, object(read_only), 32}).before = [this] { mounted(); };
  t.check();
  ::close(spare_mount);
}

TEST_F(Mounts, Told) {
  mounted();
  struct ::statx about {};
  ASSERT_EQ(::statx(AT_FDCWD, (w / "empty").c_str(), 0, 0x4000u, &about), 0);  // STATX_MNT_ID_UNIQUE
  struct {
    u32 size = 24, fd = 0;
    u64 id = 0, what = 0;
  } asked;
  asked.id = about.stx_mnt_id;
  asked.what = 0x2;  // STATMOUNT_MNT_BASIC
  t.good(statmount, {object(asked), output(600), 600, 0}).unless = {ENOSYS};
  t.any(statmount, {object(asked), output(8), 8, 0});
  t.check();
}

TEST_F(Mounts, Names) {
  t.good(sethostname, {bytes("genesys"), 7});
  t.good(setdomainname, {bytes("oracle"), 6});
  t.any(sethostname, {bytes(std::string(100, 'x')), 100});
  t.check();
}

}  // namespace
}  // namespace oracle
