// SPDX-License-Identifier: Apache-2.0
// Generated from table/*.sys; do not edit. To regenerate: ./dev gen (tools/gen/main.py).
// The system call numbers of the target architecture, compared with the machine's headers; and the opcodes of io_uring.
#pragma once

#include <sys/syscall.h>

#include <cstdint>

namespace genesys::detail::table::number {

#if defined(__x86_64__)
inline constexpr std::uint16_t limit = 470;  // larger than every number below
inline constexpr std::uint16_t getuid = 102;
inline constexpr std::uint16_t geteuid = 107;
inline constexpr std::uint16_t getgid = 104;
inline constexpr std::uint16_t getegid = 108;
inline constexpr std::uint16_t getresuid = 118;
inline constexpr std::uint16_t getresgid = 120;
inline constexpr std::uint16_t getgroups = 115;
inline constexpr std::uint16_t setuid = 105;
inline constexpr std::uint16_t setgid = 106;
inline constexpr std::uint16_t setreuid = 113;
inline constexpr std::uint16_t setregid = 114;
inline constexpr std::uint16_t setresuid = 117;
inline constexpr std::uint16_t setresgid = 119;
inline constexpr std::uint16_t setgroups = 116;
inline constexpr std::uint16_t capget = 125;
inline constexpr std::uint16_t landlock_create_ruleset = 444;
inline constexpr std::uint16_t landlock_add_rule = 445;
inline constexpr std::uint16_t lsm_get_self_attr = 459;
inline constexpr std::uint16_t lsm_list_modules = 461;
inline constexpr std::uint16_t add_key = 248;
inline constexpr std::uint16_t request_key = 249;
inline constexpr std::uint16_t keyctl = 250;
inline constexpr std::uint16_t landlock_restrict_self = 446;
inline constexpr std::uint16_t lsm_set_self_attr = 460;
inline constexpr std::uint16_t setfsuid = 122;
inline constexpr std::uint16_t setfsgid = 123;
inline constexpr std::uint16_t capset = 126;
inline constexpr std::uint16_t seccomp = 317;
inline constexpr std::uint16_t fcntl = 72;
inline constexpr std::uint16_t openat = 257;
inline constexpr std::uint16_t close = 3;
inline constexpr std::uint16_t read = 0;
inline constexpr std::uint16_t pread64 = 17;
inline constexpr std::uint16_t write = 1;
inline constexpr std::uint16_t pwrite64 = 18;
inline constexpr std::uint16_t lseek = 8;
inline constexpr std::uint16_t fstat = 5;
inline constexpr std::uint16_t getdents64 = 217;
inline constexpr std::uint16_t ftruncate = 77;
inline constexpr std::uint16_t fsync = 74;
inline constexpr std::uint16_t fdatasync = 75;
inline constexpr std::uint16_t dup = 32;
inline constexpr std::uint16_t unlinkat = 263;
inline constexpr std::uint16_t mkdirat = 258;
inline constexpr std::uint16_t getcwd = 79;
inline constexpr std::uint16_t pipe2 = 293;
inline constexpr std::uint16_t open = 2;
inline constexpr std::uint16_t creat = 85;
inline constexpr std::uint16_t openat2 = 437;
inline constexpr std::uint16_t stat = 4;
inline constexpr std::uint16_t lstat = 6;
inline constexpr std::uint16_t newfstatat = 262;
inline constexpr std::uint16_t statx = 332;
inline constexpr std::uint16_t access = 21;
inline constexpr std::uint16_t faccessat = 269;
inline constexpr std::uint16_t faccessat2 = 439;
inline constexpr std::uint16_t rename = 82;
inline constexpr std::uint16_t renameat = 264;
inline constexpr std::uint16_t renameat2 = 316;
inline constexpr std::uint16_t mkdir = 83;
inline constexpr std::uint16_t rmdir = 84;
inline constexpr std::uint16_t link = 86;
inline constexpr std::uint16_t linkat = 265;
inline constexpr std::uint16_t symlink = 88;
inline constexpr std::uint16_t symlinkat = 266;
inline constexpr std::uint16_t unlink = 87;
inline constexpr std::uint16_t readlink = 89;
inline constexpr std::uint16_t readlinkat = 267;
inline constexpr std::uint16_t chmod = 90;
inline constexpr std::uint16_t fchmod = 91;
inline constexpr std::uint16_t fchmodat = 268;
inline constexpr std::uint16_t fchmodat2 = 452;
inline constexpr std::uint16_t chown = 92;
inline constexpr std::uint16_t fchown = 93;
inline constexpr std::uint16_t lchown = 94;
inline constexpr std::uint16_t fchownat = 260;
inline constexpr std::uint16_t mknod = 133;
inline constexpr std::uint16_t mknodat = 259;
inline constexpr std::uint16_t truncate = 76;
inline constexpr std::uint16_t fallocate = 285;
inline constexpr std::uint16_t fadvise64 = 221;
inline constexpr std::uint16_t readahead = 187;
inline constexpr std::uint16_t utime = 132;
inline constexpr std::uint16_t utimes = 235;
inline constexpr std::uint16_t futimesat = 261;
inline constexpr std::uint16_t utimensat = 280;
inline constexpr std::uint16_t getdents = 78;
inline constexpr std::uint16_t dup2 = 33;
inline constexpr std::uint16_t dup3 = 292;
inline constexpr std::uint16_t pipe = 22;
inline constexpr std::uint16_t flock = 73;
inline constexpr std::uint16_t sync = 162;
inline constexpr std::uint16_t syncfs = 306;
inline constexpr std::uint16_t sync_file_range = 277;
inline constexpr std::uint16_t sendfile = 40;
inline constexpr std::uint16_t copy_file_range = 326;
inline constexpr std::uint16_t splice = 275;
inline constexpr std::uint16_t tee = 276;
inline constexpr std::uint16_t chdir = 80;
inline constexpr std::uint16_t fchdir = 81;
inline constexpr std::uint16_t umask = 95;
inline constexpr std::uint16_t name_to_handle_at = 303;
inline constexpr std::uint16_t open_by_handle_at = 304;
inline constexpr std::uint16_t file_getattr = 468;
inline constexpr std::uint16_t file_setattr = 469;
inline constexpr std::uint16_t cachestat = 451;
inline constexpr std::uint16_t memfd_create = 319;
inline constexpr std::uint16_t memfd_secret = 447;
inline constexpr std::uint16_t inotify_init = 253;
inline constexpr std::uint16_t inotify_init1 = 294;
inline constexpr std::uint16_t inotify_add_watch = 254;
inline constexpr std::uint16_t inotify_rm_watch = 255;
inline constexpr std::uint16_t fanotify_init = 300;
inline constexpr std::uint16_t fanotify_mark = 301;
inline constexpr std::uint16_t readv = 19;
inline constexpr std::uint16_t writev = 20;
inline constexpr std::uint16_t preadv = 295;
inline constexpr std::uint16_t pwritev = 296;
inline constexpr std::uint16_t preadv2 = 327;
inline constexpr std::uint16_t pwritev2 = 328;
inline constexpr std::uint16_t vmsplice = 278;
inline constexpr std::uint16_t close_range = 436;
inline constexpr std::uint16_t futex = 202;
inline constexpr std::uint16_t futex_wake = 454;
inline constexpr std::uint16_t futex_wait = 455;
inline constexpr std::uint16_t futex_requeue = 456;
inline constexpr std::uint16_t futex_waitv = 449;
inline constexpr std::uint16_t ioctl = 16;
inline constexpr std::uint16_t msgget = 68;
inline constexpr std::uint16_t msgsnd = 69;
inline constexpr std::uint16_t msgrcv = 70;
inline constexpr std::uint16_t msgctl = 71;
inline constexpr std::uint16_t semget = 64;
inline constexpr std::uint16_t semop = 65;
inline constexpr std::uint16_t semtimedop = 220;
inline constexpr std::uint16_t semctl = 66;
inline constexpr std::uint16_t shmget = 29;
inline constexpr std::uint16_t shmctl = 31;
inline constexpr std::uint16_t mq_open = 240;
inline constexpr std::uint16_t mq_unlink = 241;
inline constexpr std::uint16_t mq_timedsend = 242;
inline constexpr std::uint16_t mq_timedreceive = 243;
inline constexpr std::uint16_t mq_getsetattr = 245;
inline constexpr std::uint16_t shmat = 30;
inline constexpr std::uint16_t shmdt = 67;
inline constexpr std::uint16_t mq_notify = 244;
inline constexpr std::uint16_t mmap = 9;
inline constexpr std::uint16_t munmap = 11;
inline constexpr std::uint16_t madvise = 28;
inline constexpr std::uint16_t mlock = 149;
inline constexpr std::uint16_t mlock2 = 325;
inline constexpr std::uint16_t munlock = 150;
inline constexpr std::uint16_t mlockall = 151;
inline constexpr std::uint16_t munlockall = 152;
inline constexpr std::uint16_t msync = 26;
inline constexpr std::uint16_t mincore = 27;
inline constexpr std::uint16_t mbind = 237;
inline constexpr std::uint16_t set_mempolicy_home_node = 450;
inline constexpr std::uint16_t get_mempolicy = 239;
inline constexpr std::uint16_t migrate_pages = 256;
inline constexpr std::uint16_t move_pages = 279;
inline constexpr std::uint16_t brk = 12;
inline constexpr std::uint16_t mremap = 25;
inline constexpr std::uint16_t remap_file_pages = 216;
inline constexpr std::uint16_t mprotect = 10;
inline constexpr std::uint16_t pkey_mprotect = 329;
inline constexpr std::uint16_t pkey_alloc = 330;
inline constexpr std::uint16_t pkey_free = 331;
inline constexpr std::uint16_t map_shadow_stack = 453;
inline constexpr std::uint16_t mseal = 462;
inline constexpr std::uint16_t set_mempolicy = 238;
inline constexpr std::uint16_t mount = 165;
inline constexpr std::uint16_t umount2 = 166;
inline constexpr std::uint16_t pivot_root = 155;
inline constexpr std::uint16_t chroot = 161;
inline constexpr std::uint16_t statfs = 137;
inline constexpr std::uint16_t fstatfs = 138;
inline constexpr std::uint16_t ustat = 136;
inline constexpr std::uint16_t swapon = 167;
inline constexpr std::uint16_t swapoff = 168;
inline constexpr std::uint16_t acct = 163;
inline constexpr std::uint16_t fsopen = 430;
inline constexpr std::uint16_t fspick = 433;
inline constexpr std::uint16_t fsconfig = 431;
inline constexpr std::uint16_t fsmount = 432;
inline constexpr std::uint16_t open_tree = 428;
inline constexpr std::uint16_t open_tree_attr = 467;
inline constexpr std::uint16_t move_mount = 429;
inline constexpr std::uint16_t mount_setattr = 442;
inline constexpr std::uint16_t statmount = 457;
inline constexpr std::uint16_t listmount = 458;
inline constexpr std::uint16_t socket = 41;
inline constexpr std::uint16_t socketpair = 53;
inline constexpr std::uint16_t bind = 49;
inline constexpr std::uint16_t listen = 50;
inline constexpr std::uint16_t accept4 = 288;
inline constexpr std::uint16_t connect = 42;
inline constexpr std::uint16_t getsockname = 51;
inline constexpr std::uint16_t getpeername = 52;
inline constexpr std::uint16_t shutdown = 48;
inline constexpr std::uint16_t sendto = 44;
inline constexpr std::uint16_t recvfrom = 45;
inline constexpr std::uint16_t accept = 43;
inline constexpr std::uint16_t setsockopt = 54;
inline constexpr std::uint16_t getsockopt = 55;
inline constexpr std::uint16_t sendmsg = 46;
inline constexpr std::uint16_t recvmsg = 47;
inline constexpr std::uint16_t sendmmsg = 307;
inline constexpr std::uint16_t recvmmsg = 299;
inline constexpr std::uint16_t poll = 7;
inline constexpr std::uint16_t ppoll = 271;
inline constexpr std::uint16_t select = 23;
inline constexpr std::uint16_t epoll_create = 213;
inline constexpr std::uint16_t epoll_create1 = 291;
inline constexpr std::uint16_t epoll_ctl = 233;
inline constexpr std::uint16_t epoll_wait = 232;
inline constexpr std::uint16_t epoll_pwait = 281;
inline constexpr std::uint16_t epoll_pwait2 = 441;
inline constexpr std::uint16_t eventfd = 284;
inline constexpr std::uint16_t eventfd2 = 290;
inline constexpr std::uint16_t signalfd = 282;
inline constexpr std::uint16_t signalfd4 = 289;
inline constexpr std::uint16_t timerfd_create = 283;
inline constexpr std::uint16_t timerfd_settime = 286;
inline constexpr std::uint16_t timerfd_gettime = 287;
inline constexpr std::uint16_t pselect6 = 270;
inline constexpr std::uint16_t getpid = 39;
inline constexpr std::uint16_t getppid = 110;
inline constexpr std::uint16_t getrusage = 98;
inline constexpr std::uint16_t rt_sigqueueinfo = 129;
inline constexpr std::uint16_t gettid = 186;
inline constexpr std::uint16_t getpgrp = 111;
inline constexpr std::uint16_t getpgid = 121;
inline constexpr std::uint16_t getsid = 124;
inline constexpr std::uint16_t setpgid = 109;
inline constexpr std::uint16_t setsid = 112;
inline constexpr std::uint16_t getrlimit = 97;
inline constexpr std::uint16_t setrlimit = 160;
inline constexpr std::uint16_t prlimit64 = 302;
inline constexpr std::uint16_t getpriority = 140;
inline constexpr std::uint16_t setpriority = 141;
inline constexpr std::uint16_t wait4 = 61;
inline constexpr std::uint16_t waitid = 247;
inline constexpr std::uint16_t times = 100;
inline constexpr std::uint16_t kcmp = 312;
inline constexpr std::uint16_t pidfd_open = 434;
inline constexpr std::uint16_t pidfd_getfd = 438;
inline constexpr std::uint16_t pidfd_send_signal = 424;
inline constexpr std::uint16_t process_mrelease = 448;
inline constexpr std::uint16_t membarrier = 324;
inline constexpr std::uint16_t getcpu = 309;
inline constexpr std::uint16_t get_robust_list = 274;
inline constexpr std::uint16_t userfaultfd = 323;
inline constexpr std::uint16_t perf_event_open = 298;
inline constexpr std::uint16_t process_vm_readv = 310;
inline constexpr std::uint16_t process_vm_writev = 311;
inline constexpr std::uint16_t exit = 60;
inline constexpr std::uint16_t exit_group = 231;
inline constexpr std::uint16_t fork = 57;
inline constexpr std::uint16_t vfork = 58;
inline constexpr std::uint16_t clone = 56;
inline constexpr std::uint16_t clone3 = 435;
inline constexpr std::uint16_t execve = 59;
inline constexpr std::uint16_t execveat = 322;
inline constexpr std::uint16_t unshare = 272;
inline constexpr std::uint16_t setns = 308;
inline constexpr std::uint16_t set_tid_address = 218;
inline constexpr std::uint16_t set_robust_list = 273;
inline constexpr std::uint16_t rseq = 334;
inline constexpr std::uint16_t prctl = 157;
inline constexpr std::uint16_t arch_prctl = 158;
inline constexpr std::uint16_t personality = 135;
inline constexpr std::uint16_t modify_ldt = 154;
inline constexpr std::uint16_t iopl = 172;
inline constexpr std::uint16_t ioperm = 173;
inline constexpr std::uint16_t ptrace = 101;
inline constexpr std::uint16_t process_madvise = 440;
inline constexpr std::uint16_t bpf = 321;
inline constexpr std::uint16_t uprobe = 336;
inline constexpr std::uint16_t uretprobe = 335;
inline constexpr std::uint16_t sched_setparam = 142;
inline constexpr std::uint16_t sched_getparam = 143;
inline constexpr std::uint16_t sched_setscheduler = 144;
inline constexpr std::uint16_t sched_getscheduler = 145;
inline constexpr std::uint16_t sched_get_priority_max = 146;
inline constexpr std::uint16_t sched_get_priority_min = 147;
inline constexpr std::uint16_t sched_rr_get_interval = 148;
inline constexpr std::uint16_t sched_setaffinity = 203;
inline constexpr std::uint16_t sched_getaffinity = 204;
inline constexpr std::uint16_t sched_setattr = 314;
inline constexpr std::uint16_t sched_getattr = 315;
inline constexpr std::uint16_t ioprio_set = 251;
inline constexpr std::uint16_t ioprio_get = 252;
inline constexpr std::uint16_t sched_yield = 24;
inline constexpr std::uint16_t kill = 62;
inline constexpr std::uint16_t tkill = 200;
inline constexpr std::uint16_t tgkill = 234;
inline constexpr std::uint16_t rt_tgsigqueueinfo = 297;
inline constexpr std::uint16_t rt_sigpending = 127;
inline constexpr std::uint16_t rt_sigtimedwait = 128;
inline constexpr std::uint16_t rt_sigreturn = 15;
inline constexpr std::uint16_t rt_sigprocmask = 14;
inline constexpr std::uint16_t rt_sigsuspend = 130;
inline constexpr std::uint16_t sigaltstack = 131;
inline constexpr std::uint16_t rt_sigaction = 13;
inline constexpr std::uint16_t pause = 34;
inline constexpr std::uint16_t restart_syscall = 219;
inline constexpr std::uint16_t uname = 63;
inline constexpr std::uint16_t getrandom = 318;
inline constexpr std::uint16_t sysinfo = 99;
inline constexpr std::uint16_t syslog = 103;
inline constexpr std::uint16_t sethostname = 170;
inline constexpr std::uint16_t setdomainname = 171;
inline constexpr std::uint16_t reboot = 169;
inline constexpr std::uint16_t vhangup = 153;
inline constexpr std::uint16_t init_module = 175;
inline constexpr std::uint16_t finit_module = 313;
inline constexpr std::uint16_t delete_module = 176;
inline constexpr std::uint16_t kexec_file_load = 320;
inline constexpr std::uint16_t quotactl = 179;
inline constexpr std::uint16_t quotactl_fd = 443;
inline constexpr std::uint16_t sysfs = 139;
inline constexpr std::uint16_t kexec_load = 246;
inline constexpr std::uint16_t io_setup = 206;
inline constexpr std::uint16_t io_destroy = 207;
inline constexpr std::uint16_t io_submit = 209;
inline constexpr std::uint16_t io_cancel = 210;
inline constexpr std::uint16_t io_getevents = 208;
inline constexpr std::uint16_t io_pgetevents = 333;
inline constexpr std::uint16_t io_uring_setup = 425;
inline constexpr std::uint16_t io_uring_enter = 426;
inline constexpr std::uint16_t io_uring_register = 427;
inline constexpr std::uint16_t clock_gettime = 228;
inline constexpr std::uint16_t nanosleep = 35;
inline constexpr std::uint16_t time = 201;
inline constexpr std::uint16_t gettimeofday = 96;
inline constexpr std::uint16_t settimeofday = 164;
inline constexpr std::uint16_t clock_settime = 227;
inline constexpr std::uint16_t clock_getres = 229;
inline constexpr std::uint16_t clock_nanosleep = 230;
inline constexpr std::uint16_t adjtimex = 159;
inline constexpr std::uint16_t clock_adjtime = 305;
inline constexpr std::uint16_t getitimer = 36;
inline constexpr std::uint16_t setitimer = 38;
inline constexpr std::uint16_t alarm = 37;
inline constexpr std::uint16_t timer_create = 222;
inline constexpr std::uint16_t timer_settime = 223;
inline constexpr std::uint16_t timer_gettime = 224;
inline constexpr std::uint16_t timer_getoverrun = 225;
inline constexpr std::uint16_t timer_delete = 226;
inline constexpr std::uint16_t setxattr = 188;
inline constexpr std::uint16_t lsetxattr = 189;
inline constexpr std::uint16_t fsetxattr = 190;
inline constexpr std::uint16_t getxattr = 191;
inline constexpr std::uint16_t lgetxattr = 192;
inline constexpr std::uint16_t fgetxattr = 193;
inline constexpr std::uint16_t listxattr = 194;
inline constexpr std::uint16_t llistxattr = 195;
inline constexpr std::uint16_t flistxattr = 196;
inline constexpr std::uint16_t listxattrat = 465;
inline constexpr std::uint16_t removexattr = 197;
inline constexpr std::uint16_t lremovexattr = 198;
inline constexpr std::uint16_t fremovexattr = 199;
inline constexpr std::uint16_t removexattrat = 466;
inline constexpr std::uint16_t setxattrat = 463;
inline constexpr std::uint16_t getxattrat = 464;
#elif defined(__aarch64__)
inline constexpr std::uint16_t limit = 470;  // larger than every number below
inline constexpr std::uint16_t none = 3838;  // this architecture lacks the call: -ENOSYS
inline constexpr std::uint16_t getuid = 174;
inline constexpr std::uint16_t geteuid = 175;
inline constexpr std::uint16_t getgid = 176;
inline constexpr std::uint16_t getegid = 177;
inline constexpr std::uint16_t getresuid = 148;
inline constexpr std::uint16_t getresgid = 150;
inline constexpr std::uint16_t getgroups = 158;
inline constexpr std::uint16_t setuid = 146;
inline constexpr std::uint16_t setgid = 144;
inline constexpr std::uint16_t setreuid = 145;
inline constexpr std::uint16_t setregid = 143;
inline constexpr std::uint16_t setresuid = 147;
inline constexpr std::uint16_t setresgid = 149;
inline constexpr std::uint16_t setgroups = 159;
inline constexpr std::uint16_t capget = 90;
inline constexpr std::uint16_t landlock_create_ruleset = 444;
inline constexpr std::uint16_t landlock_add_rule = 445;
inline constexpr std::uint16_t lsm_get_self_attr = 459;
inline constexpr std::uint16_t lsm_list_modules = 461;
inline constexpr std::uint16_t add_key = 217;
inline constexpr std::uint16_t request_key = 218;
inline constexpr std::uint16_t keyctl = 219;
inline constexpr std::uint16_t landlock_restrict_self = 446;
inline constexpr std::uint16_t lsm_set_self_attr = 460;
inline constexpr std::uint16_t setfsuid = 151;
inline constexpr std::uint16_t setfsgid = 152;
inline constexpr std::uint16_t capset = 91;
inline constexpr std::uint16_t seccomp = 277;
inline constexpr std::uint16_t fcntl = 25;
inline constexpr std::uint16_t openat = 56;
inline constexpr std::uint16_t close = 57;
inline constexpr std::uint16_t read = 63;
inline constexpr std::uint16_t pread64 = 67;
inline constexpr std::uint16_t write = 64;
inline constexpr std::uint16_t pwrite64 = 68;
inline constexpr std::uint16_t lseek = 62;
inline constexpr std::uint16_t fstat = 80;
inline constexpr std::uint16_t getdents64 = 61;
inline constexpr std::uint16_t ftruncate = 46;
inline constexpr std::uint16_t fsync = 82;
inline constexpr std::uint16_t fdatasync = 83;
inline constexpr std::uint16_t dup = 23;
inline constexpr std::uint16_t unlinkat = 35;
inline constexpr std::uint16_t mkdirat = 34;
inline constexpr std::uint16_t getcwd = 17;
inline constexpr std::uint16_t pipe2 = 59;
inline constexpr std::uint16_t open = none;
inline constexpr std::uint16_t creat = none;
inline constexpr std::uint16_t openat2 = 437;
inline constexpr std::uint16_t stat = none;
inline constexpr std::uint16_t lstat = none;
inline constexpr std::uint16_t newfstatat = 79;
inline constexpr std::uint16_t statx = 291;
inline constexpr std::uint16_t access = none;
inline constexpr std::uint16_t faccessat = 48;
inline constexpr std::uint16_t faccessat2 = 439;
inline constexpr std::uint16_t rename = none;
inline constexpr std::uint16_t renameat = 38;
inline constexpr std::uint16_t renameat2 = 276;
inline constexpr std::uint16_t mkdir = none;
inline constexpr std::uint16_t rmdir = none;
inline constexpr std::uint16_t link = none;
inline constexpr std::uint16_t linkat = 37;
inline constexpr std::uint16_t symlink = none;
inline constexpr std::uint16_t symlinkat = 36;
inline constexpr std::uint16_t unlink = none;
inline constexpr std::uint16_t readlink = none;
inline constexpr std::uint16_t readlinkat = 78;
inline constexpr std::uint16_t chmod = none;
inline constexpr std::uint16_t fchmod = 52;
inline constexpr std::uint16_t fchmodat = 53;
inline constexpr std::uint16_t fchmodat2 = 452;
inline constexpr std::uint16_t chown = none;
inline constexpr std::uint16_t fchown = 55;
inline constexpr std::uint16_t lchown = none;
inline constexpr std::uint16_t fchownat = 54;
inline constexpr std::uint16_t mknod = none;
inline constexpr std::uint16_t mknodat = 33;
inline constexpr std::uint16_t truncate = 45;
inline constexpr std::uint16_t fallocate = 47;
inline constexpr std::uint16_t fadvise64 = 223;
inline constexpr std::uint16_t readahead = 213;
inline constexpr std::uint16_t utime = none;
inline constexpr std::uint16_t utimes = none;
inline constexpr std::uint16_t futimesat = none;
inline constexpr std::uint16_t utimensat = 88;
inline constexpr std::uint16_t getdents = none;
inline constexpr std::uint16_t dup2 = none;
inline constexpr std::uint16_t dup3 = 24;
inline constexpr std::uint16_t pipe = none;
inline constexpr std::uint16_t flock = 32;
inline constexpr std::uint16_t sync = 81;
inline constexpr std::uint16_t syncfs = 267;
inline constexpr std::uint16_t sync_file_range = 84;
inline constexpr std::uint16_t sendfile = 71;
inline constexpr std::uint16_t copy_file_range = 285;
inline constexpr std::uint16_t splice = 76;
inline constexpr std::uint16_t tee = 77;
inline constexpr std::uint16_t chdir = 49;
inline constexpr std::uint16_t fchdir = 50;
inline constexpr std::uint16_t umask = 166;
inline constexpr std::uint16_t name_to_handle_at = 264;
inline constexpr std::uint16_t open_by_handle_at = 265;
inline constexpr std::uint16_t file_getattr = 468;
inline constexpr std::uint16_t file_setattr = 469;
inline constexpr std::uint16_t cachestat = 451;
inline constexpr std::uint16_t memfd_create = 279;
inline constexpr std::uint16_t memfd_secret = 447;
inline constexpr std::uint16_t inotify_init = none;
inline constexpr std::uint16_t inotify_init1 = 26;
inline constexpr std::uint16_t inotify_add_watch = 27;
inline constexpr std::uint16_t inotify_rm_watch = 28;
inline constexpr std::uint16_t fanotify_init = 262;
inline constexpr std::uint16_t fanotify_mark = 263;
inline constexpr std::uint16_t readv = 65;
inline constexpr std::uint16_t writev = 66;
inline constexpr std::uint16_t preadv = 69;
inline constexpr std::uint16_t pwritev = 70;
inline constexpr std::uint16_t preadv2 = 286;
inline constexpr std::uint16_t pwritev2 = 287;
inline constexpr std::uint16_t vmsplice = 75;
inline constexpr std::uint16_t close_range = 436;
inline constexpr std::uint16_t futex = 98;
inline constexpr std::uint16_t futex_wake = 454;
inline constexpr std::uint16_t futex_wait = 455;
inline constexpr std::uint16_t futex_requeue = 456;
inline constexpr std::uint16_t futex_waitv = 449;
inline constexpr std::uint16_t ioctl = 29;
inline constexpr std::uint16_t msgget = 186;
inline constexpr std::uint16_t msgsnd = 189;
inline constexpr std::uint16_t msgrcv = 188;
inline constexpr std::uint16_t msgctl = 187;
inline constexpr std::uint16_t semget = 190;
inline constexpr std::uint16_t semop = 193;
inline constexpr std::uint16_t semtimedop = 192;
inline constexpr std::uint16_t semctl = 191;
inline constexpr std::uint16_t shmget = 194;
inline constexpr std::uint16_t shmctl = 195;
inline constexpr std::uint16_t mq_open = 180;
inline constexpr std::uint16_t mq_unlink = 181;
inline constexpr std::uint16_t mq_timedsend = 182;
inline constexpr std::uint16_t mq_timedreceive = 183;
inline constexpr std::uint16_t mq_getsetattr = 185;
inline constexpr std::uint16_t shmat = 196;
inline constexpr std::uint16_t shmdt = 197;
inline constexpr std::uint16_t mq_notify = 184;
inline constexpr std::uint16_t mmap = 222;
inline constexpr std::uint16_t munmap = 215;
inline constexpr std::uint16_t madvise = 233;
inline constexpr std::uint16_t mlock = 228;
inline constexpr std::uint16_t mlock2 = 284;
inline constexpr std::uint16_t munlock = 229;
inline constexpr std::uint16_t mlockall = 230;
inline constexpr std::uint16_t munlockall = 231;
inline constexpr std::uint16_t msync = 227;
inline constexpr std::uint16_t mincore = 232;
inline constexpr std::uint16_t mbind = 235;
inline constexpr std::uint16_t set_mempolicy_home_node = 450;
inline constexpr std::uint16_t get_mempolicy = 236;
inline constexpr std::uint16_t migrate_pages = 238;
inline constexpr std::uint16_t move_pages = 239;
inline constexpr std::uint16_t brk = 214;
inline constexpr std::uint16_t mremap = 216;
inline constexpr std::uint16_t remap_file_pages = 234;
inline constexpr std::uint16_t mprotect = 226;
inline constexpr std::uint16_t pkey_mprotect = 288;
inline constexpr std::uint16_t pkey_alloc = 289;
inline constexpr std::uint16_t pkey_free = 290;
inline constexpr std::uint16_t map_shadow_stack = 453;
inline constexpr std::uint16_t mseal = 462;
inline constexpr std::uint16_t set_mempolicy = 237;
inline constexpr std::uint16_t mount = 40;
inline constexpr std::uint16_t umount2 = 39;
inline constexpr std::uint16_t pivot_root = 41;
inline constexpr std::uint16_t chroot = 51;
inline constexpr std::uint16_t statfs = 43;
inline constexpr std::uint16_t fstatfs = 44;
inline constexpr std::uint16_t ustat = none;
inline constexpr std::uint16_t swapon = 224;
inline constexpr std::uint16_t swapoff = 225;
inline constexpr std::uint16_t acct = 89;
inline constexpr std::uint16_t fsopen = 430;
inline constexpr std::uint16_t fspick = 433;
inline constexpr std::uint16_t fsconfig = 431;
inline constexpr std::uint16_t fsmount = 432;
inline constexpr std::uint16_t open_tree = 428;
inline constexpr std::uint16_t open_tree_attr = 467;
inline constexpr std::uint16_t move_mount = 429;
inline constexpr std::uint16_t mount_setattr = 442;
inline constexpr std::uint16_t statmount = 457;
inline constexpr std::uint16_t listmount = 458;
inline constexpr std::uint16_t socket = 198;
inline constexpr std::uint16_t socketpair = 199;
inline constexpr std::uint16_t bind = 200;
inline constexpr std::uint16_t listen = 201;
inline constexpr std::uint16_t accept4 = 242;
inline constexpr std::uint16_t connect = 203;
inline constexpr std::uint16_t getsockname = 204;
inline constexpr std::uint16_t getpeername = 205;
inline constexpr std::uint16_t shutdown = 210;
inline constexpr std::uint16_t sendto = 206;
inline constexpr std::uint16_t recvfrom = 207;
inline constexpr std::uint16_t accept = 202;
inline constexpr std::uint16_t setsockopt = 208;
inline constexpr std::uint16_t getsockopt = 209;
inline constexpr std::uint16_t sendmsg = 211;
inline constexpr std::uint16_t recvmsg = 212;
inline constexpr std::uint16_t sendmmsg = 269;
inline constexpr std::uint16_t recvmmsg = 243;
inline constexpr std::uint16_t poll = none;
inline constexpr std::uint16_t ppoll = 73;
inline constexpr std::uint16_t select = none;
inline constexpr std::uint16_t epoll_create = none;
inline constexpr std::uint16_t epoll_create1 = 20;
inline constexpr std::uint16_t epoll_ctl = 21;
inline constexpr std::uint16_t epoll_wait = none;
inline constexpr std::uint16_t epoll_pwait = 22;
inline constexpr std::uint16_t epoll_pwait2 = 441;
inline constexpr std::uint16_t eventfd = none;
inline constexpr std::uint16_t eventfd2 = 19;
inline constexpr std::uint16_t signalfd = none;
inline constexpr std::uint16_t signalfd4 = 74;
inline constexpr std::uint16_t timerfd_create = 85;
inline constexpr std::uint16_t timerfd_settime = 86;
inline constexpr std::uint16_t timerfd_gettime = 87;
inline constexpr std::uint16_t pselect6 = 72;
inline constexpr std::uint16_t getpid = 172;
inline constexpr std::uint16_t getppid = 173;
inline constexpr std::uint16_t getrusage = 165;
inline constexpr std::uint16_t rt_sigqueueinfo = 138;
inline constexpr std::uint16_t gettid = 178;
inline constexpr std::uint16_t getpgrp = none;
inline constexpr std::uint16_t getpgid = 155;
inline constexpr std::uint16_t getsid = 156;
inline constexpr std::uint16_t setpgid = 154;
inline constexpr std::uint16_t setsid = 157;
inline constexpr std::uint16_t getrlimit = 163;
inline constexpr std::uint16_t setrlimit = 164;
inline constexpr std::uint16_t prlimit64 = 261;
inline constexpr std::uint16_t getpriority = 141;
inline constexpr std::uint16_t setpriority = 140;
inline constexpr std::uint16_t wait4 = 260;
inline constexpr std::uint16_t waitid = 95;
inline constexpr std::uint16_t times = 153;
inline constexpr std::uint16_t kcmp = 272;
inline constexpr std::uint16_t pidfd_open = 434;
inline constexpr std::uint16_t pidfd_getfd = 438;
inline constexpr std::uint16_t pidfd_send_signal = 424;
inline constexpr std::uint16_t process_mrelease = 448;
inline constexpr std::uint16_t membarrier = 283;
inline constexpr std::uint16_t getcpu = 168;
inline constexpr std::uint16_t get_robust_list = 100;
inline constexpr std::uint16_t userfaultfd = 282;
inline constexpr std::uint16_t perf_event_open = 241;
inline constexpr std::uint16_t process_vm_readv = 270;
inline constexpr std::uint16_t process_vm_writev = 271;
inline constexpr std::uint16_t exit = 93;
inline constexpr std::uint16_t exit_group = 94;
inline constexpr std::uint16_t fork = none;
inline constexpr std::uint16_t vfork = none;
inline constexpr std::uint16_t clone = 220;
inline constexpr std::uint16_t clone3 = 435;
inline constexpr std::uint16_t execve = 221;
inline constexpr std::uint16_t execveat = 281;
inline constexpr std::uint16_t unshare = 97;
inline constexpr std::uint16_t setns = 268;
inline constexpr std::uint16_t set_tid_address = 96;
inline constexpr std::uint16_t set_robust_list = 99;
inline constexpr std::uint16_t rseq = 293;
inline constexpr std::uint16_t prctl = 167;
inline constexpr std::uint16_t arch_prctl = none;
inline constexpr std::uint16_t personality = 92;
inline constexpr std::uint16_t modify_ldt = none;
inline constexpr std::uint16_t iopl = none;
inline constexpr std::uint16_t ioperm = none;
inline constexpr std::uint16_t ptrace = 117;
inline constexpr std::uint16_t process_madvise = 440;
inline constexpr std::uint16_t bpf = 280;
inline constexpr std::uint16_t uprobe = none;
inline constexpr std::uint16_t uretprobe = none;
inline constexpr std::uint16_t sched_setparam = 118;
inline constexpr std::uint16_t sched_getparam = 121;
inline constexpr std::uint16_t sched_setscheduler = 119;
inline constexpr std::uint16_t sched_getscheduler = 120;
inline constexpr std::uint16_t sched_get_priority_max = 125;
inline constexpr std::uint16_t sched_get_priority_min = 126;
inline constexpr std::uint16_t sched_rr_get_interval = 127;
inline constexpr std::uint16_t sched_setaffinity = 122;
inline constexpr std::uint16_t sched_getaffinity = 123;
inline constexpr std::uint16_t sched_setattr = 274;
inline constexpr std::uint16_t sched_getattr = 275;
inline constexpr std::uint16_t ioprio_set = 30;
inline constexpr std::uint16_t ioprio_get = 31;
inline constexpr std::uint16_t sched_yield = 124;
inline constexpr std::uint16_t kill = 129;
inline constexpr std::uint16_t tkill = 130;
inline constexpr std::uint16_t tgkill = 131;
inline constexpr std::uint16_t rt_tgsigqueueinfo = 240;
inline constexpr std::uint16_t rt_sigpending = 136;
inline constexpr std::uint16_t rt_sigtimedwait = 137;
inline constexpr std::uint16_t rt_sigreturn = 139;
inline constexpr std::uint16_t rt_sigprocmask = 135;
inline constexpr std::uint16_t rt_sigsuspend = 133;
inline constexpr std::uint16_t sigaltstack = 132;
inline constexpr std::uint16_t rt_sigaction = 134;
inline constexpr std::uint16_t pause = none;
inline constexpr std::uint16_t restart_syscall = 128;
inline constexpr std::uint16_t uname = 160;
inline constexpr std::uint16_t getrandom = 278;
inline constexpr std::uint16_t sysinfo = 179;
inline constexpr std::uint16_t syslog = 116;
inline constexpr std::uint16_t sethostname = 161;
inline constexpr std::uint16_t setdomainname = 162;
inline constexpr std::uint16_t reboot = 142;
inline constexpr std::uint16_t vhangup = 58;
inline constexpr std::uint16_t init_module = 105;
inline constexpr std::uint16_t finit_module = 273;
inline constexpr std::uint16_t delete_module = 106;
inline constexpr std::uint16_t kexec_file_load = 294;
inline constexpr std::uint16_t quotactl = 60;
inline constexpr std::uint16_t quotactl_fd = 443;
inline constexpr std::uint16_t sysfs = none;
inline constexpr std::uint16_t kexec_load = 104;
inline constexpr std::uint16_t io_setup = 0;
inline constexpr std::uint16_t io_destroy = 1;
inline constexpr std::uint16_t io_submit = 2;
inline constexpr std::uint16_t io_cancel = 3;
inline constexpr std::uint16_t io_getevents = 4;
inline constexpr std::uint16_t io_pgetevents = 292;
inline constexpr std::uint16_t io_uring_setup = 425;
inline constexpr std::uint16_t io_uring_enter = 426;
inline constexpr std::uint16_t io_uring_register = 427;
inline constexpr std::uint16_t clock_gettime = 113;
inline constexpr std::uint16_t nanosleep = 101;
inline constexpr std::uint16_t time = none;
inline constexpr std::uint16_t gettimeofday = 169;
inline constexpr std::uint16_t settimeofday = 170;
inline constexpr std::uint16_t clock_settime = 112;
inline constexpr std::uint16_t clock_getres = 114;
inline constexpr std::uint16_t clock_nanosleep = 115;
inline constexpr std::uint16_t adjtimex = 171;
inline constexpr std::uint16_t clock_adjtime = 266;
inline constexpr std::uint16_t getitimer = 102;
inline constexpr std::uint16_t setitimer = 103;
inline constexpr std::uint16_t alarm = none;
inline constexpr std::uint16_t timer_create = 107;
inline constexpr std::uint16_t timer_settime = 110;
inline constexpr std::uint16_t timer_gettime = 108;
inline constexpr std::uint16_t timer_getoverrun = 109;
inline constexpr std::uint16_t timer_delete = 111;
inline constexpr std::uint16_t setxattr = 5;
inline constexpr std::uint16_t lsetxattr = 6;
inline constexpr std::uint16_t fsetxattr = 7;
inline constexpr std::uint16_t getxattr = 8;
inline constexpr std::uint16_t lgetxattr = 9;
inline constexpr std::uint16_t fgetxattr = 10;
inline constexpr std::uint16_t listxattr = 11;
inline constexpr std::uint16_t llistxattr = 12;
inline constexpr std::uint16_t flistxattr = 13;
inline constexpr std::uint16_t listxattrat = 465;
inline constexpr std::uint16_t removexattr = 14;
inline constexpr std::uint16_t lremovexattr = 15;
inline constexpr std::uint16_t fremovexattr = 16;
inline constexpr std::uint16_t removexattrat = 466;
inline constexpr std::uint16_t setxattrat = 463;
inline constexpr std::uint16_t getxattrat = 464;
#else
#error "genesys has the system calls of x86-64 and arm64 only"
#endif

}  // namespace genesys::detail::table::number

// Opcodes of io_uring(7), Linux's IORING_OP_*; the same on every architecture.
namespace genesys::detail::uring_op {

enum code : std::uint8_t {
  readv = 1,
  writev = 2,
  fsync = 3,
  read_fixed = 4,
  write_fixed = 5,
  poll_add = 6,
  sync_file_range = 8,
  sendmsg = 9,
  recvmsg = 10,
  accept = 13,
  async_cancel = 14,
  connect = 16,
  fallocate = 17,
  statx = 21,
  read = 22,
  write = 23,
  fadvise = 24,
  send = 26,
  recv = 27,
  shutdown = 34,
  send_zc = 47,
  waitid = 50,
  futex_wait = 51,
  futex_wake = 52,
  ftruncate = 55,
  bind = 56,
  listen = 57,
  epoll_wait = 59,
};

}  // namespace genesys::detail::uring_op

#if !defined(__CUDA_ARCH__)
namespace genesys::detail::table {

#if defined(SYS_getuid)
static_assert(number::getuid == SYS_getuid, "see table/credentials.sys");
#endif
#if defined(SYS_geteuid)
static_assert(number::geteuid == SYS_geteuid, "see table/credentials.sys");
#endif
#if defined(SYS_getgid)
static_assert(number::getgid == SYS_getgid, "see table/credentials.sys");
#endif
#if defined(SYS_getegid)
static_assert(number::getegid == SYS_getegid, "see table/credentials.sys");
#endif
#if defined(SYS_getresuid)
static_assert(number::getresuid == SYS_getresuid, "see table/credentials.sys");
#endif
#if defined(SYS_getresgid)
static_assert(number::getresgid == SYS_getresgid, "see table/credentials.sys");
#endif
#if defined(SYS_getgroups)
static_assert(number::getgroups == SYS_getgroups, "see table/credentials.sys");
#endif
#if defined(SYS_setuid)
static_assert(number::setuid == SYS_setuid, "see table/credentials.sys");
#endif
#if defined(SYS_setgid)
static_assert(number::setgid == SYS_setgid, "see table/credentials.sys");
#endif
#if defined(SYS_setreuid)
static_assert(number::setreuid == SYS_setreuid, "see table/credentials.sys");
#endif
#if defined(SYS_setregid)
static_assert(number::setregid == SYS_setregid, "see table/credentials.sys");
#endif
#if defined(SYS_setresuid)
static_assert(number::setresuid == SYS_setresuid, "see table/credentials.sys");
#endif
#if defined(SYS_setresgid)
static_assert(number::setresgid == SYS_setresgid, "see table/credentials.sys");
#endif
#if defined(SYS_setgroups)
static_assert(number::setgroups == SYS_setgroups, "see table/credentials.sys");
#endif
#if defined(SYS_capget)
static_assert(number::capget == SYS_capget, "see table/credentials.sys");
#endif
#if defined(SYS_landlock_create_ruleset)
static_assert(number::landlock_create_ruleset == SYS_landlock_create_ruleset, "see table/credentials.sys");
#endif
#if defined(SYS_landlock_add_rule)
static_assert(number::landlock_add_rule == SYS_landlock_add_rule, "see table/credentials.sys");
#endif
#if defined(SYS_lsm_get_self_attr)
static_assert(number::lsm_get_self_attr == SYS_lsm_get_self_attr, "see table/credentials.sys");
#endif
#if defined(SYS_lsm_list_modules)
static_assert(number::lsm_list_modules == SYS_lsm_list_modules, "see table/credentials.sys");
#endif
#if defined(SYS_add_key)
static_assert(number::add_key == SYS_add_key, "see table/credentials.sys");
#endif
#if defined(SYS_request_key)
static_assert(number::request_key == SYS_request_key, "see table/credentials.sys");
#endif
#if defined(SYS_keyctl)
static_assert(number::keyctl == SYS_keyctl, "see table/credentials.sys");
#endif
#if defined(SYS_landlock_restrict_self)
static_assert(number::landlock_restrict_self == SYS_landlock_restrict_self, "see table/credentials.sys");
#endif
#if defined(SYS_lsm_set_self_attr)
static_assert(number::lsm_set_self_attr == SYS_lsm_set_self_attr, "see table/credentials.sys");
#endif
#if defined(SYS_setfsuid)
static_assert(number::setfsuid == SYS_setfsuid, "see table/credentials.sys");
#endif
#if defined(SYS_setfsgid)
static_assert(number::setfsgid == SYS_setfsgid, "see table/credentials.sys");
#endif
#if defined(SYS_capset)
static_assert(number::capset == SYS_capset, "see table/credentials.sys");
#endif
#if defined(SYS_seccomp)
static_assert(number::seccomp == SYS_seccomp, "see table/credentials.sys");
#endif
#if defined(SYS_fcntl)
static_assert(number::fcntl == SYS_fcntl, "see table/fcntl.sys");
#endif
#if defined(SYS_openat)
static_assert(number::openat == SYS_openat, "see table/files.sys");
#endif
#if defined(SYS_close)
static_assert(number::close == SYS_close, "see table/files.sys");
#endif
#if defined(SYS_read)
static_assert(number::read == SYS_read, "see table/files.sys");
#endif
#if defined(SYS_pread64)
static_assert(number::pread64 == SYS_pread64, "see table/files.sys");
#endif
#if defined(SYS_write)
static_assert(number::write == SYS_write, "see table/files.sys");
#endif
#if defined(SYS_pwrite64)
static_assert(number::pwrite64 == SYS_pwrite64, "see table/files.sys");
#endif
#if defined(SYS_lseek)
static_assert(number::lseek == SYS_lseek, "see table/files.sys");
#endif
#if defined(SYS_fstat)
static_assert(number::fstat == SYS_fstat, "see table/files.sys");
#endif
#if defined(SYS_getdents64)
static_assert(number::getdents64 == SYS_getdents64, "see table/files.sys");
#endif
#if defined(SYS_ftruncate)
static_assert(number::ftruncate == SYS_ftruncate, "see table/files.sys");
#endif
#if defined(SYS_fsync)
static_assert(number::fsync == SYS_fsync, "see table/files.sys");
#endif
#if defined(SYS_fdatasync)
static_assert(number::fdatasync == SYS_fdatasync, "see table/files.sys");
#endif
#if defined(SYS_dup)
static_assert(number::dup == SYS_dup, "see table/files.sys");
#endif
#if defined(SYS_unlinkat)
static_assert(number::unlinkat == SYS_unlinkat, "see table/files.sys");
#endif
#if defined(SYS_mkdirat)
static_assert(number::mkdirat == SYS_mkdirat, "see table/files.sys");
#endif
#if defined(SYS_getcwd)
static_assert(number::getcwd == SYS_getcwd, "see table/files.sys");
#endif
#if defined(SYS_pipe2)
static_assert(number::pipe2 == SYS_pipe2, "see table/files.sys");
#endif
#if defined(SYS_open)
static_assert(number::open == SYS_open, "see table/files.sys");
#endif
#if defined(SYS_creat)
static_assert(number::creat == SYS_creat, "see table/files.sys");
#endif
#if defined(SYS_openat2)
static_assert(number::openat2 == SYS_openat2, "see table/files.sys");
#endif
#if defined(SYS_stat)
static_assert(number::stat == SYS_stat, "see table/files.sys");
#endif
#if defined(SYS_lstat)
static_assert(number::lstat == SYS_lstat, "see table/files.sys");
#endif
#if defined(SYS_newfstatat)
static_assert(number::newfstatat == SYS_newfstatat, "see table/files.sys");
#endif
#if defined(SYS_statx)
static_assert(number::statx == SYS_statx, "see table/files.sys");
#endif
#if defined(SYS_access)
static_assert(number::access == SYS_access, "see table/files.sys");
#endif
#if defined(SYS_faccessat)
static_assert(number::faccessat == SYS_faccessat, "see table/files.sys");
#endif
#if defined(SYS_faccessat2)
static_assert(number::faccessat2 == SYS_faccessat2, "see table/files.sys");
#endif
#if defined(SYS_rename)
static_assert(number::rename == SYS_rename, "see table/files.sys");
#endif
#if defined(SYS_renameat)
static_assert(number::renameat == SYS_renameat, "see table/files.sys");
#endif
#if defined(SYS_renameat2)
static_assert(number::renameat2 == SYS_renameat2, "see table/files.sys");
#endif
#if defined(SYS_mkdir)
static_assert(number::mkdir == SYS_mkdir, "see table/files.sys");
#endif
#if defined(SYS_rmdir)
static_assert(number::rmdir == SYS_rmdir, "see table/files.sys");
#endif
#if defined(SYS_link)
static_assert(number::link == SYS_link, "see table/files.sys");
#endif
#if defined(SYS_linkat)
static_assert(number::linkat == SYS_linkat, "see table/files.sys");
#endif
#if defined(SYS_symlink)
static_assert(number::symlink == SYS_symlink, "see table/files.sys");
#endif
#if defined(SYS_symlinkat)
static_assert(number::symlinkat == SYS_symlinkat, "see table/files.sys");
#endif
#if defined(SYS_unlink)
static_assert(number::unlink == SYS_unlink, "see table/files.sys");
#endif
#if defined(SYS_readlink)
static_assert(number::readlink == SYS_readlink, "see table/files.sys");
#endif
#if defined(SYS_readlinkat)
static_assert(number::readlinkat == SYS_readlinkat, "see table/files.sys");
#endif
#if defined(SYS_chmod)
static_assert(number::chmod == SYS_chmod, "see table/files.sys");
#endif
#if defined(SYS_fchmod)
static_assert(number::fchmod == SYS_fchmod, "see table/files.sys");
#endif
#if defined(SYS_fchmodat)
static_assert(number::fchmodat == SYS_fchmodat, "see table/files.sys");
#endif
#if defined(SYS_fchmodat2)
static_assert(number::fchmodat2 == SYS_fchmodat2, "see table/files.sys");
#endif
#if defined(SYS_chown)
static_assert(number::chown == SYS_chown, "see table/files.sys");
#endif
#if defined(SYS_fchown)
static_assert(number::fchown == SYS_fchown, "see table/files.sys");
#endif
#if defined(SYS_lchown)
static_assert(number::lchown == SYS_lchown, "see table/files.sys");
#endif
#if defined(SYS_fchownat)
static_assert(number::fchownat == SYS_fchownat, "see table/files.sys");
#endif
#if defined(SYS_mknod)
static_assert(number::mknod == SYS_mknod, "see table/files.sys");
#endif
#if defined(SYS_mknodat)
static_assert(number::mknodat == SYS_mknodat, "see table/files.sys");
#endif
#if defined(SYS_truncate)
static_assert(number::truncate == SYS_truncate, "see table/files.sys");
#endif
#if defined(SYS_fallocate)
static_assert(number::fallocate == SYS_fallocate, "see table/files.sys");
#endif
#if defined(SYS_fadvise64)
static_assert(number::fadvise64 == SYS_fadvise64, "see table/files.sys");
#endif
#if defined(SYS_readahead)
static_assert(number::readahead == SYS_readahead, "see table/files.sys");
#endif
#if defined(SYS_utime)
static_assert(number::utime == SYS_utime, "see table/files.sys");
#endif
#if defined(SYS_utimes)
static_assert(number::utimes == SYS_utimes, "see table/files.sys");
#endif
#if defined(SYS_futimesat)
static_assert(number::futimesat == SYS_futimesat, "see table/files.sys");
#endif
#if defined(SYS_utimensat)
static_assert(number::utimensat == SYS_utimensat, "see table/files.sys");
#endif
#if defined(SYS_getdents)
static_assert(number::getdents == SYS_getdents, "see table/files.sys");
#endif
#if defined(SYS_dup2)
static_assert(number::dup2 == SYS_dup2, "see table/files.sys");
#endif
#if defined(SYS_dup3)
static_assert(number::dup3 == SYS_dup3, "see table/files.sys");
#endif
#if defined(SYS_pipe)
static_assert(number::pipe == SYS_pipe, "see table/files.sys");
#endif
#if defined(SYS_flock)
static_assert(number::flock == SYS_flock, "see table/files.sys");
#endif
#if defined(SYS_sync)
static_assert(number::sync == SYS_sync, "see table/files.sys");
#endif
#if defined(SYS_syncfs)
static_assert(number::syncfs == SYS_syncfs, "see table/files.sys");
#endif
#if defined(SYS_sync_file_range)
static_assert(number::sync_file_range == SYS_sync_file_range, "see table/files.sys");
#endif
#if defined(SYS_sendfile)
static_assert(number::sendfile == SYS_sendfile, "see table/files.sys");
#endif
#if defined(SYS_copy_file_range)
static_assert(number::copy_file_range == SYS_copy_file_range, "see table/files.sys");
#endif
#if defined(SYS_splice)
static_assert(number::splice == SYS_splice, "see table/files.sys");
#endif
#if defined(SYS_tee)
static_assert(number::tee == SYS_tee, "see table/files.sys");
#endif
#if defined(SYS_chdir)
static_assert(number::chdir == SYS_chdir, "see table/files.sys");
#endif
#if defined(SYS_fchdir)
static_assert(number::fchdir == SYS_fchdir, "see table/files.sys");
#endif
#if defined(SYS_umask)
static_assert(number::umask == SYS_umask, "see table/files.sys");
#endif
#if defined(SYS_name_to_handle_at)
static_assert(number::name_to_handle_at == SYS_name_to_handle_at, "see table/files.sys");
#endif
#if defined(SYS_open_by_handle_at)
static_assert(number::open_by_handle_at == SYS_open_by_handle_at, "see table/files.sys");
#endif
#if defined(SYS_file_getattr)
static_assert(number::file_getattr == SYS_file_getattr, "see table/files.sys");
#endif
#if defined(SYS_file_setattr)
static_assert(number::file_setattr == SYS_file_setattr, "see table/files.sys");
#endif
#if defined(SYS_cachestat)
static_assert(number::cachestat == SYS_cachestat, "see table/files.sys");
#endif
#if defined(SYS_memfd_create)
static_assert(number::memfd_create == SYS_memfd_create, "see table/files.sys");
#endif
#if defined(SYS_memfd_secret)
static_assert(number::memfd_secret == SYS_memfd_secret, "see table/files.sys");
#endif
#if defined(SYS_inotify_init)
static_assert(number::inotify_init == SYS_inotify_init, "see table/files.sys");
#endif
#if defined(SYS_inotify_init1)
static_assert(number::inotify_init1 == SYS_inotify_init1, "see table/files.sys");
#endif
#if defined(SYS_inotify_add_watch)
static_assert(number::inotify_add_watch == SYS_inotify_add_watch, "see table/files.sys");
#endif
#if defined(SYS_inotify_rm_watch)
static_assert(number::inotify_rm_watch == SYS_inotify_rm_watch, "see table/files.sys");
#endif
#if defined(SYS_fanotify_init)
static_assert(number::fanotify_init == SYS_fanotify_init, "see table/files.sys");
#endif
#if defined(SYS_fanotify_mark)
static_assert(number::fanotify_mark == SYS_fanotify_mark, "see table/files.sys");
#endif
#if defined(SYS_readv)
static_assert(number::readv == SYS_readv, "see table/files.sys");
#endif
#if defined(SYS_writev)
static_assert(number::writev == SYS_writev, "see table/files.sys");
#endif
#if defined(SYS_preadv)
static_assert(number::preadv == SYS_preadv, "see table/files.sys");
#endif
#if defined(SYS_pwritev)
static_assert(number::pwritev == SYS_pwritev, "see table/files.sys");
#endif
#if defined(SYS_preadv2)
static_assert(number::preadv2 == SYS_preadv2, "see table/files.sys");
#endif
#if defined(SYS_pwritev2)
static_assert(number::pwritev2 == SYS_pwritev2, "see table/files.sys");
#endif
#if defined(SYS_vmsplice)
static_assert(number::vmsplice == SYS_vmsplice, "see table/files.sys");
#endif
#if defined(SYS_close_range)
static_assert(number::close_range == SYS_close_range, "see table/files.sys");
#endif
#if defined(SYS_futex)
static_assert(number::futex == SYS_futex, "see table/futex.sys");
#endif
#if defined(SYS_futex_wake)
static_assert(number::futex_wake == SYS_futex_wake, "see table/futex.sys");
#endif
#if defined(SYS_futex_wait)
static_assert(number::futex_wait == SYS_futex_wait, "see table/futex.sys");
#endif
#if defined(SYS_futex_requeue)
static_assert(number::futex_requeue == SYS_futex_requeue, "see table/futex.sys");
#endif
#if defined(SYS_futex_waitv)
static_assert(number::futex_waitv == SYS_futex_waitv, "see table/futex.sys");
#endif
#if defined(SYS_ioctl)
static_assert(number::ioctl == SYS_ioctl, "see table/ioctl.sys");
#endif
#if defined(SYS_msgget)
static_assert(number::msgget == SYS_msgget, "see table/ipc.sys");
#endif
#if defined(SYS_msgsnd)
static_assert(number::msgsnd == SYS_msgsnd, "see table/ipc.sys");
#endif
#if defined(SYS_msgrcv)
static_assert(number::msgrcv == SYS_msgrcv, "see table/ipc.sys");
#endif
#if defined(SYS_msgctl)
static_assert(number::msgctl == SYS_msgctl, "see table/ipc.sys");
#endif
#if defined(SYS_semget)
static_assert(number::semget == SYS_semget, "see table/ipc.sys");
#endif
#if defined(SYS_semop)
static_assert(number::semop == SYS_semop, "see table/ipc.sys");
#endif
#if defined(SYS_semtimedop)
static_assert(number::semtimedop == SYS_semtimedop, "see table/ipc.sys");
#endif
#if defined(SYS_semctl)
static_assert(number::semctl == SYS_semctl, "see table/ipc.sys");
#endif
#if defined(SYS_shmget)
static_assert(number::shmget == SYS_shmget, "see table/ipc.sys");
#endif
#if defined(SYS_shmctl)
static_assert(number::shmctl == SYS_shmctl, "see table/ipc.sys");
#endif
#if defined(SYS_mq_open)
static_assert(number::mq_open == SYS_mq_open, "see table/ipc.sys");
#endif
#if defined(SYS_mq_unlink)
static_assert(number::mq_unlink == SYS_mq_unlink, "see table/ipc.sys");
#endif
#if defined(SYS_mq_timedsend)
static_assert(number::mq_timedsend == SYS_mq_timedsend, "see table/ipc.sys");
#endif
#if defined(SYS_mq_timedreceive)
static_assert(number::mq_timedreceive == SYS_mq_timedreceive, "see table/ipc.sys");
#endif
#if defined(SYS_mq_getsetattr)
static_assert(number::mq_getsetattr == SYS_mq_getsetattr, "see table/ipc.sys");
#endif
#if defined(SYS_shmat)
static_assert(number::shmat == SYS_shmat, "see table/ipc.sys");
#endif
#if defined(SYS_shmdt)
static_assert(number::shmdt == SYS_shmdt, "see table/ipc.sys");
#endif
#if defined(SYS_mq_notify)
static_assert(number::mq_notify == SYS_mq_notify, "see table/ipc.sys");
#endif
#if defined(SYS_mmap)
static_assert(number::mmap == SYS_mmap, "see table/memory.sys");
#endif
#if defined(SYS_munmap)
static_assert(number::munmap == SYS_munmap, "see table/memory.sys");
#endif
#if defined(SYS_madvise)
static_assert(number::madvise == SYS_madvise, "see table/memory.sys");
#endif
#if defined(SYS_mlock)
static_assert(number::mlock == SYS_mlock, "see table/memory.sys");
#endif
#if defined(SYS_mlock2)
static_assert(number::mlock2 == SYS_mlock2, "see table/memory.sys");
#endif
#if defined(SYS_munlock)
static_assert(number::munlock == SYS_munlock, "see table/memory.sys");
#endif
#if defined(SYS_mlockall)
static_assert(number::mlockall == SYS_mlockall, "see table/memory.sys");
#endif
#if defined(SYS_munlockall)
static_assert(number::munlockall == SYS_munlockall, "see table/memory.sys");
#endif
#if defined(SYS_msync)
static_assert(number::msync == SYS_msync, "see table/memory.sys");
#endif
#if defined(SYS_mincore)
static_assert(number::mincore == SYS_mincore, "see table/memory.sys");
#endif
#if defined(SYS_mbind)
static_assert(number::mbind == SYS_mbind, "see table/memory.sys");
#endif
#if defined(SYS_set_mempolicy_home_node)
static_assert(number::set_mempolicy_home_node == SYS_set_mempolicy_home_node, "see table/memory.sys");
#endif
#if defined(SYS_get_mempolicy)
static_assert(number::get_mempolicy == SYS_get_mempolicy, "see table/memory.sys");
#endif
#if defined(SYS_migrate_pages)
static_assert(number::migrate_pages == SYS_migrate_pages, "see table/memory.sys");
#endif
#if defined(SYS_move_pages)
static_assert(number::move_pages == SYS_move_pages, "see table/memory.sys");
#endif
#if defined(SYS_brk)
static_assert(number::brk == SYS_brk, "see table/memory.sys");
#endif
#if defined(SYS_mremap)
static_assert(number::mremap == SYS_mremap, "see table/memory.sys");
#endif
#if defined(SYS_remap_file_pages)
static_assert(number::remap_file_pages == SYS_remap_file_pages, "see table/memory.sys");
#endif
#if defined(SYS_mprotect)
static_assert(number::mprotect == SYS_mprotect, "see table/memory.sys");
#endif
#if defined(SYS_pkey_mprotect)
static_assert(number::pkey_mprotect == SYS_pkey_mprotect, "see table/memory.sys");
#endif
#if defined(SYS_pkey_alloc)
static_assert(number::pkey_alloc == SYS_pkey_alloc, "see table/memory.sys");
#endif
#if defined(SYS_pkey_free)
static_assert(number::pkey_free == SYS_pkey_free, "see table/memory.sys");
#endif
#if defined(SYS_map_shadow_stack)
static_assert(number::map_shadow_stack == SYS_map_shadow_stack, "see table/memory.sys");
#endif
#if defined(SYS_mseal)
static_assert(number::mseal == SYS_mseal, "see table/memory.sys");
#endif
#if defined(SYS_set_mempolicy)
static_assert(number::set_mempolicy == SYS_set_mempolicy, "see table/memory.sys");
#endif
#if defined(SYS_mount)
static_assert(number::mount == SYS_mount, "see table/mount.sys");
#endif
#if defined(SYS_umount2)
static_assert(number::umount2 == SYS_umount2, "see table/mount.sys");
#endif
#if defined(SYS_pivot_root)
static_assert(number::pivot_root == SYS_pivot_root, "see table/mount.sys");
#endif
#if defined(SYS_chroot)
static_assert(number::chroot == SYS_chroot, "see table/mount.sys");
#endif
#if defined(SYS_statfs)
static_assert(number::statfs == SYS_statfs, "see table/mount.sys");
#endif
#if defined(SYS_fstatfs)
static_assert(number::fstatfs == SYS_fstatfs, "see table/mount.sys");
#endif
#if defined(SYS_ustat)
static_assert(number::ustat == SYS_ustat, "see table/mount.sys");
#endif
#if defined(SYS_swapon)
static_assert(number::swapon == SYS_swapon, "see table/mount.sys");
#endif
#if defined(SYS_swapoff)
static_assert(number::swapoff == SYS_swapoff, "see table/mount.sys");
#endif
#if defined(SYS_acct)
static_assert(number::acct == SYS_acct, "see table/mount.sys");
#endif
#if defined(SYS_fsopen)
static_assert(number::fsopen == SYS_fsopen, "see table/mount.sys");
#endif
#if defined(SYS_fspick)
static_assert(number::fspick == SYS_fspick, "see table/mount.sys");
#endif
#if defined(SYS_fsconfig)
static_assert(number::fsconfig == SYS_fsconfig, "see table/mount.sys");
#endif
#if defined(SYS_fsmount)
static_assert(number::fsmount == SYS_fsmount, "see table/mount.sys");
#endif
#if defined(SYS_open_tree)
static_assert(number::open_tree == SYS_open_tree, "see table/mount.sys");
#endif
#if defined(SYS_open_tree_attr)
static_assert(number::open_tree_attr == SYS_open_tree_attr, "see table/mount.sys");
#endif
#if defined(SYS_move_mount)
static_assert(number::move_mount == SYS_move_mount, "see table/mount.sys");
#endif
#if defined(SYS_mount_setattr)
static_assert(number::mount_setattr == SYS_mount_setattr, "see table/mount.sys");
#endif
#if defined(SYS_statmount)
static_assert(number::statmount == SYS_statmount, "see table/mount.sys");
#endif
#if defined(SYS_listmount)
static_assert(number::listmount == SYS_listmount, "see table/mount.sys");
#endif
#if defined(SYS_socket)
static_assert(number::socket == SYS_socket, "see table/net.sys");
#endif
#if defined(SYS_socketpair)
static_assert(number::socketpair == SYS_socketpair, "see table/net.sys");
#endif
#if defined(SYS_bind)
static_assert(number::bind == SYS_bind, "see table/net.sys");
#endif
#if defined(SYS_listen)
static_assert(number::listen == SYS_listen, "see table/net.sys");
#endif
#if defined(SYS_accept4)
static_assert(number::accept4 == SYS_accept4, "see table/net.sys");
#endif
#if defined(SYS_connect)
static_assert(number::connect == SYS_connect, "see table/net.sys");
#endif
#if defined(SYS_getsockname)
static_assert(number::getsockname == SYS_getsockname, "see table/net.sys");
#endif
#if defined(SYS_getpeername)
static_assert(number::getpeername == SYS_getpeername, "see table/net.sys");
#endif
#if defined(SYS_shutdown)
static_assert(number::shutdown == SYS_shutdown, "see table/net.sys");
#endif
#if defined(SYS_sendto)
static_assert(number::sendto == SYS_sendto, "see table/net.sys");
#endif
#if defined(SYS_recvfrom)
static_assert(number::recvfrom == SYS_recvfrom, "see table/net.sys");
#endif
#if defined(SYS_accept)
static_assert(number::accept == SYS_accept, "see table/net.sys");
#endif
#if defined(SYS_setsockopt)
static_assert(number::setsockopt == SYS_setsockopt, "see table/net.sys");
#endif
#if defined(SYS_getsockopt)
static_assert(number::getsockopt == SYS_getsockopt, "see table/net.sys");
#endif
#if defined(SYS_sendmsg)
static_assert(number::sendmsg == SYS_sendmsg, "see table/net.sys");
#endif
#if defined(SYS_recvmsg)
static_assert(number::recvmsg == SYS_recvmsg, "see table/net.sys");
#endif
#if defined(SYS_sendmmsg)
static_assert(number::sendmmsg == SYS_sendmmsg, "see table/net.sys");
#endif
#if defined(SYS_recvmmsg)
static_assert(number::recvmmsg == SYS_recvmmsg, "see table/net.sys");
#endif
#if defined(SYS_poll)
static_assert(number::poll == SYS_poll, "see table/poll.sys");
#endif
#if defined(SYS_ppoll)
static_assert(number::ppoll == SYS_ppoll, "see table/poll.sys");
#endif
#if defined(SYS_select)
static_assert(number::select == SYS_select, "see table/poll.sys");
#endif
#if defined(SYS_epoll_create)
static_assert(number::epoll_create == SYS_epoll_create, "see table/poll.sys");
#endif
#if defined(SYS_epoll_create1)
static_assert(number::epoll_create1 == SYS_epoll_create1, "see table/poll.sys");
#endif
#if defined(SYS_epoll_ctl)
static_assert(number::epoll_ctl == SYS_epoll_ctl, "see table/poll.sys");
#endif
#if defined(SYS_epoll_wait)
static_assert(number::epoll_wait == SYS_epoll_wait, "see table/poll.sys");
#endif
#if defined(SYS_epoll_pwait)
static_assert(number::epoll_pwait == SYS_epoll_pwait, "see table/poll.sys");
#endif
#if defined(SYS_epoll_pwait2)
static_assert(number::epoll_pwait2 == SYS_epoll_pwait2, "see table/poll.sys");
#endif
#if defined(SYS_eventfd)
static_assert(number::eventfd == SYS_eventfd, "see table/poll.sys");
#endif
#if defined(SYS_eventfd2)
static_assert(number::eventfd2 == SYS_eventfd2, "see table/poll.sys");
#endif
#if defined(SYS_signalfd)
static_assert(number::signalfd == SYS_signalfd, "see table/poll.sys");
#endif
#if defined(SYS_signalfd4)
static_assert(number::signalfd4 == SYS_signalfd4, "see table/poll.sys");
#endif
#if defined(SYS_timerfd_create)
static_assert(number::timerfd_create == SYS_timerfd_create, "see table/poll.sys");
#endif
#if defined(SYS_timerfd_settime)
static_assert(number::timerfd_settime == SYS_timerfd_settime, "see table/poll.sys");
#endif
#if defined(SYS_timerfd_gettime)
static_assert(number::timerfd_gettime == SYS_timerfd_gettime, "see table/poll.sys");
#endif
#if defined(SYS_pselect6)
static_assert(number::pselect6 == SYS_pselect6, "see table/poll.sys");
#endif
#if defined(SYS_getpid)
static_assert(number::getpid == SYS_getpid, "see table/process.sys");
#endif
#if defined(SYS_getppid)
static_assert(number::getppid == SYS_getppid, "see table/process.sys");
#endif
#if defined(SYS_getrusage)
static_assert(number::getrusage == SYS_getrusage, "see table/process.sys");
#endif
#if defined(SYS_rt_sigqueueinfo)
static_assert(number::rt_sigqueueinfo == SYS_rt_sigqueueinfo, "see table/process.sys");
#endif
#if defined(SYS_gettid)
static_assert(number::gettid == SYS_gettid, "see table/process.sys");
#endif
#if defined(SYS_getpgrp)
static_assert(number::getpgrp == SYS_getpgrp, "see table/process.sys");
#endif
#if defined(SYS_getpgid)
static_assert(number::getpgid == SYS_getpgid, "see table/process.sys");
#endif
#if defined(SYS_getsid)
static_assert(number::getsid == SYS_getsid, "see table/process.sys");
#endif
#if defined(SYS_setpgid)
static_assert(number::setpgid == SYS_setpgid, "see table/process.sys");
#endif
#if defined(SYS_setsid)
static_assert(number::setsid == SYS_setsid, "see table/process.sys");
#endif
#if defined(SYS_getrlimit)
static_assert(number::getrlimit == SYS_getrlimit, "see table/process.sys");
#endif
#if defined(SYS_setrlimit)
static_assert(number::setrlimit == SYS_setrlimit, "see table/process.sys");
#endif
#if defined(SYS_prlimit64)
static_assert(number::prlimit64 == SYS_prlimit64, "see table/process.sys");
#endif
#if defined(SYS_getpriority)
static_assert(number::getpriority == SYS_getpriority, "see table/process.sys");
#endif
#if defined(SYS_setpriority)
static_assert(number::setpriority == SYS_setpriority, "see table/process.sys");
#endif
#if defined(SYS_wait4)
static_assert(number::wait4 == SYS_wait4, "see table/process.sys");
#endif
#if defined(SYS_waitid)
static_assert(number::waitid == SYS_waitid, "see table/process.sys");
#endif
#if defined(SYS_times)
static_assert(number::times == SYS_times, "see table/process.sys");
#endif
#if defined(SYS_kcmp)
static_assert(number::kcmp == SYS_kcmp, "see table/process.sys");
#endif
#if defined(SYS_pidfd_open)
static_assert(number::pidfd_open == SYS_pidfd_open, "see table/process.sys");
#endif
#if defined(SYS_pidfd_getfd)
static_assert(number::pidfd_getfd == SYS_pidfd_getfd, "see table/process.sys");
#endif
#if defined(SYS_pidfd_send_signal)
static_assert(number::pidfd_send_signal == SYS_pidfd_send_signal, "see table/process.sys");
#endif
#if defined(SYS_process_mrelease)
static_assert(number::process_mrelease == SYS_process_mrelease, "see table/process.sys");
#endif
#if defined(SYS_membarrier)
static_assert(number::membarrier == SYS_membarrier, "see table/process.sys");
#endif
#if defined(SYS_getcpu)
static_assert(number::getcpu == SYS_getcpu, "see table/process.sys");
#endif
#if defined(SYS_get_robust_list)
static_assert(number::get_robust_list == SYS_get_robust_list, "see table/process.sys");
#endif
#if defined(SYS_userfaultfd)
static_assert(number::userfaultfd == SYS_userfaultfd, "see table/process.sys");
#endif
#if defined(SYS_perf_event_open)
static_assert(number::perf_event_open == SYS_perf_event_open, "see table/process.sys");
#endif
#if defined(SYS_process_vm_readv)
static_assert(number::process_vm_readv == SYS_process_vm_readv, "see table/process.sys");
#endif
#if defined(SYS_process_vm_writev)
static_assert(number::process_vm_writev == SYS_process_vm_writev, "see table/process.sys");
#endif
#if defined(SYS_exit)
static_assert(number::exit == SYS_exit, "see table/process.sys");
#endif
#if defined(SYS_exit_group)
static_assert(number::exit_group == SYS_exit_group, "see table/process.sys");
#endif
#if defined(SYS_fork)
static_assert(number::fork == SYS_fork, "see table/process.sys");
#endif
#if defined(SYS_vfork)
static_assert(number::vfork == SYS_vfork, "see table/process.sys");
#endif
#if defined(SYS_clone)
static_assert(number::clone == SYS_clone, "see table/process.sys");
#endif
#if defined(SYS_clone3)
static_assert(number::clone3 == SYS_clone3, "see table/process.sys");
#endif
#if defined(SYS_execve)
static_assert(number::execve == SYS_execve, "see table/process.sys");
#endif
#if defined(SYS_execveat)
static_assert(number::execveat == SYS_execveat, "see table/process.sys");
#endif
#if defined(SYS_unshare)
static_assert(number::unshare == SYS_unshare, "see table/process.sys");
#endif
#if defined(SYS_setns)
static_assert(number::setns == SYS_setns, "see table/process.sys");
#endif
#if defined(SYS_set_tid_address)
static_assert(number::set_tid_address == SYS_set_tid_address, "see table/process.sys");
#endif
#if defined(SYS_set_robust_list)
static_assert(number::set_robust_list == SYS_set_robust_list, "see table/process.sys");
#endif
#if defined(SYS_rseq)
static_assert(number::rseq == SYS_rseq, "see table/process.sys");
#endif
#if defined(SYS_prctl)
static_assert(number::prctl == SYS_prctl, "see table/process.sys");
#endif
#if defined(SYS_arch_prctl)
static_assert(number::arch_prctl == SYS_arch_prctl, "see table/process.sys");
#endif
#if defined(SYS_personality)
static_assert(number::personality == SYS_personality, "see table/process.sys");
#endif
#if defined(SYS_modify_ldt)
static_assert(number::modify_ldt == SYS_modify_ldt, "see table/process.sys");
#endif
#if defined(SYS_iopl)
static_assert(number::iopl == SYS_iopl, "see table/process.sys");
#endif
#if defined(SYS_ioperm)
static_assert(number::ioperm == SYS_ioperm, "see table/process.sys");
#endif
#if defined(SYS_ptrace)
static_assert(number::ptrace == SYS_ptrace, "see table/process.sys");
#endif
#if defined(SYS_process_madvise)
static_assert(number::process_madvise == SYS_process_madvise, "see table/process.sys");
#endif
#if defined(SYS_bpf)
static_assert(number::bpf == SYS_bpf, "see table/process.sys");
#endif
#if defined(SYS_uprobe)
static_assert(number::uprobe == SYS_uprobe, "see table/process.sys");
#endif
#if defined(SYS_uretprobe)
static_assert(number::uretprobe == SYS_uretprobe, "see table/process.sys");
#endif
#if defined(SYS_sched_setparam)
static_assert(number::sched_setparam == SYS_sched_setparam, "see table/sched.sys");
#endif
#if defined(SYS_sched_getparam)
static_assert(number::sched_getparam == SYS_sched_getparam, "see table/sched.sys");
#endif
#if defined(SYS_sched_setscheduler)
static_assert(number::sched_setscheduler == SYS_sched_setscheduler, "see table/sched.sys");
#endif
#if defined(SYS_sched_getscheduler)
static_assert(number::sched_getscheduler == SYS_sched_getscheduler, "see table/sched.sys");
#endif
#if defined(SYS_sched_get_priority_max)
static_assert(number::sched_get_priority_max == SYS_sched_get_priority_max, "see table/sched.sys");
#endif
#if defined(SYS_sched_get_priority_min)
static_assert(number::sched_get_priority_min == SYS_sched_get_priority_min, "see table/sched.sys");
#endif
#if defined(SYS_sched_rr_get_interval)
static_assert(number::sched_rr_get_interval == SYS_sched_rr_get_interval, "see table/sched.sys");
#endif
#if defined(SYS_sched_setaffinity)
static_assert(number::sched_setaffinity == SYS_sched_setaffinity, "see table/sched.sys");
#endif
#if defined(SYS_sched_getaffinity)
static_assert(number::sched_getaffinity == SYS_sched_getaffinity, "see table/sched.sys");
#endif
#if defined(SYS_sched_setattr)
static_assert(number::sched_setattr == SYS_sched_setattr, "see table/sched.sys");
#endif
#if defined(SYS_sched_getattr)
static_assert(number::sched_getattr == SYS_sched_getattr, "see table/sched.sys");
#endif
#if defined(SYS_ioprio_set)
static_assert(number::ioprio_set == SYS_ioprio_set, "see table/sched.sys");
#endif
#if defined(SYS_ioprio_get)
static_assert(number::ioprio_get == SYS_ioprio_get, "see table/sched.sys");
#endif
#if defined(SYS_sched_yield)
static_assert(number::sched_yield == SYS_sched_yield, "see table/sched.sys");
#endif
#if defined(SYS_kill)
static_assert(number::kill == SYS_kill, "see table/signals.sys");
#endif
#if defined(SYS_tkill)
static_assert(number::tkill == SYS_tkill, "see table/signals.sys");
#endif
#if defined(SYS_tgkill)
static_assert(number::tgkill == SYS_tgkill, "see table/signals.sys");
#endif
#if defined(SYS_rt_tgsigqueueinfo)
static_assert(number::rt_tgsigqueueinfo == SYS_rt_tgsigqueueinfo, "see table/signals.sys");
#endif
#if defined(SYS_rt_sigpending)
static_assert(number::rt_sigpending == SYS_rt_sigpending, "see table/signals.sys");
#endif
#if defined(SYS_rt_sigtimedwait)
static_assert(number::rt_sigtimedwait == SYS_rt_sigtimedwait, "see table/signals.sys");
#endif
#if defined(SYS_rt_sigreturn)
static_assert(number::rt_sigreturn == SYS_rt_sigreturn, "see table/signals.sys");
#endif
#if defined(SYS_rt_sigprocmask)
static_assert(number::rt_sigprocmask == SYS_rt_sigprocmask, "see table/signals.sys");
#endif
#if defined(SYS_rt_sigsuspend)
static_assert(number::rt_sigsuspend == SYS_rt_sigsuspend, "see table/signals.sys");
#endif
#if defined(SYS_sigaltstack)
static_assert(number::sigaltstack == SYS_sigaltstack, "see table/signals.sys");
#endif
#if defined(SYS_rt_sigaction)
static_assert(number::rt_sigaction == SYS_rt_sigaction, "see table/signals.sys");
#endif
#if defined(SYS_pause)
static_assert(number::pause == SYS_pause, "see table/signals.sys");
#endif
#if defined(SYS_restart_syscall)
static_assert(number::restart_syscall == SYS_restart_syscall, "see table/signals.sys");
#endif
#if defined(SYS_uname)
static_assert(number::uname == SYS_uname, "see table/system.sys");
#endif
#if defined(SYS_getrandom)
static_assert(number::getrandom == SYS_getrandom, "see table/system.sys");
#endif
#if defined(SYS_sysinfo)
static_assert(number::sysinfo == SYS_sysinfo, "see table/system.sys");
#endif
#if defined(SYS_syslog)
static_assert(number::syslog == SYS_syslog, "see table/system.sys");
#endif
#if defined(SYS_sethostname)
static_assert(number::sethostname == SYS_sethostname, "see table/system.sys");
#endif
#if defined(SYS_setdomainname)
static_assert(number::setdomainname == SYS_setdomainname, "see table/system.sys");
#endif
#if defined(SYS_reboot)
static_assert(number::reboot == SYS_reboot, "see table/system.sys");
#endif
#if defined(SYS_vhangup)
static_assert(number::vhangup == SYS_vhangup, "see table/system.sys");
#endif
#if defined(SYS_init_module)
static_assert(number::init_module == SYS_init_module, "see table/system.sys");
#endif
#if defined(SYS_finit_module)
static_assert(number::finit_module == SYS_finit_module, "see table/system.sys");
#endif
#if defined(SYS_delete_module)
static_assert(number::delete_module == SYS_delete_module, "see table/system.sys");
#endif
#if defined(SYS_kexec_file_load)
static_assert(number::kexec_file_load == SYS_kexec_file_load, "see table/system.sys");
#endif
#if defined(SYS_quotactl)
static_assert(number::quotactl == SYS_quotactl, "see table/system.sys");
#endif
#if defined(SYS_quotactl_fd)
static_assert(number::quotactl_fd == SYS_quotactl_fd, "see table/system.sys");
#endif
#if defined(SYS_sysfs)
static_assert(number::sysfs == SYS_sysfs, "see table/system.sys");
#endif
#if defined(SYS_kexec_load)
static_assert(number::kexec_load == SYS_kexec_load, "see table/system.sys");
#endif
#if defined(SYS_io_setup)
static_assert(number::io_setup == SYS_io_setup, "see table/system.sys");
#endif
#if defined(SYS_io_destroy)
static_assert(number::io_destroy == SYS_io_destroy, "see table/system.sys");
#endif
#if defined(SYS_io_submit)
static_assert(number::io_submit == SYS_io_submit, "see table/system.sys");
#endif
#if defined(SYS_io_cancel)
static_assert(number::io_cancel == SYS_io_cancel, "see table/system.sys");
#endif
#if defined(SYS_io_getevents)
static_assert(number::io_getevents == SYS_io_getevents, "see table/system.sys");
#endif
#if defined(SYS_io_pgetevents)
static_assert(number::io_pgetevents == SYS_io_pgetevents, "see table/system.sys");
#endif
#if defined(SYS_io_uring_setup)
static_assert(number::io_uring_setup == SYS_io_uring_setup, "see table/system.sys");
#endif
#if defined(SYS_io_uring_enter)
static_assert(number::io_uring_enter == SYS_io_uring_enter, "see table/system.sys");
#endif
#if defined(SYS_io_uring_register)
static_assert(number::io_uring_register == SYS_io_uring_register, "see table/system.sys");
#endif
#if defined(SYS_clock_gettime)
static_assert(number::clock_gettime == SYS_clock_gettime, "see table/time.sys");
#endif
#if defined(SYS_nanosleep)
static_assert(number::nanosleep == SYS_nanosleep, "see table/time.sys");
#endif
#if defined(SYS_time)
static_assert(number::time == SYS_time, "see table/time.sys");
#endif
#if defined(SYS_gettimeofday)
static_assert(number::gettimeofday == SYS_gettimeofday, "see table/time.sys");
#endif
#if defined(SYS_settimeofday)
static_assert(number::settimeofday == SYS_settimeofday, "see table/time.sys");
#endif
#if defined(SYS_clock_settime)
static_assert(number::clock_settime == SYS_clock_settime, "see table/time.sys");
#endif
#if defined(SYS_clock_getres)
static_assert(number::clock_getres == SYS_clock_getres, "see table/time.sys");
#endif
#if defined(SYS_clock_nanosleep)
static_assert(number::clock_nanosleep == SYS_clock_nanosleep, "see table/time.sys");
#endif
#if defined(SYS_adjtimex)
static_assert(number::adjtimex == SYS_adjtimex, "see table/time.sys");
#endif
#if defined(SYS_clock_adjtime)
static_assert(number::clock_adjtime == SYS_clock_adjtime, "see table/time.sys");
#endif
#if defined(SYS_getitimer)
static_assert(number::getitimer == SYS_getitimer, "see table/time.sys");
#endif
#if defined(SYS_setitimer)
static_assert(number::setitimer == SYS_setitimer, "see table/time.sys");
#endif
#if defined(SYS_alarm)
static_assert(number::alarm == SYS_alarm, "see table/time.sys");
#endif
#if defined(SYS_timer_create)
static_assert(number::timer_create == SYS_timer_create, "see table/time.sys");
#endif
#if defined(SYS_timer_settime)
static_assert(number::timer_settime == SYS_timer_settime, "see table/time.sys");
#endif
#if defined(SYS_timer_gettime)
static_assert(number::timer_gettime == SYS_timer_gettime, "see table/time.sys");
#endif
#if defined(SYS_timer_getoverrun)
static_assert(number::timer_getoverrun == SYS_timer_getoverrun, "see table/time.sys");
#endif
#if defined(SYS_timer_delete)
static_assert(number::timer_delete == SYS_timer_delete, "see table/time.sys");
#endif
#if defined(SYS_setxattr)
static_assert(number::setxattr == SYS_setxattr, "see table/xattr.sys");
#endif
#if defined(SYS_lsetxattr)
static_assert(number::lsetxattr == SYS_lsetxattr, "see table/xattr.sys");
#endif
#if defined(SYS_fsetxattr)
static_assert(number::fsetxattr == SYS_fsetxattr, "see table/xattr.sys");
#endif
#if defined(SYS_getxattr)
static_assert(number::getxattr == SYS_getxattr, "see table/xattr.sys");
#endif
#if defined(SYS_lgetxattr)
static_assert(number::lgetxattr == SYS_lgetxattr, "see table/xattr.sys");
#endif
#if defined(SYS_fgetxattr)
static_assert(number::fgetxattr == SYS_fgetxattr, "see table/xattr.sys");
#endif
#if defined(SYS_listxattr)
static_assert(number::listxattr == SYS_listxattr, "see table/xattr.sys");
#endif
#if defined(SYS_llistxattr)
static_assert(number::llistxattr == SYS_llistxattr, "see table/xattr.sys");
#endif
#if defined(SYS_flistxattr)
static_assert(number::flistxattr == SYS_flistxattr, "see table/xattr.sys");
#endif
#if defined(SYS_listxattrat)
static_assert(number::listxattrat == SYS_listxattrat, "see table/xattr.sys");
#endif
#if defined(SYS_removexattr)
static_assert(number::removexattr == SYS_removexattr, "see table/xattr.sys");
#endif
#if defined(SYS_lremovexattr)
static_assert(number::lremovexattr == SYS_lremovexattr, "see table/xattr.sys");
#endif
#if defined(SYS_fremovexattr)
static_assert(number::fremovexattr == SYS_fremovexattr, "see table/xattr.sys");
#endif
#if defined(SYS_removexattrat)
static_assert(number::removexattrat == SYS_removexattrat, "see table/xattr.sys");
#endif
#if defined(SYS_setxattrat)
static_assert(number::setxattrat == SYS_setxattrat, "see table/xattr.sys");
#endif
#if defined(SYS_getxattrat)
static_assert(number::getxattrat == SYS_getxattrat, "see table/xattr.sys");
#endif

}  // namespace genesys::detail::table

namespace genesys::detail {
using namespace table;
}
#endif
