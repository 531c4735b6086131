# SPDX-License-Identifier: Apache-2.0
"""generated_names.py: for the reader in Python, the name of each number, and the kinds of each call.

The kinds are those of "Nature of System Calls in CPU-centric Computing Paradigm" (Dubeyko, Gatla, Zheng): three that
say what a call works on, which are the colours of its figures 1 to 5; and six classes of latency, its table 3. The
paper names 27 calls. The others get the kinds of the calls of their file of the table, but for the exceptions below.
Calls that fit none of the six classes, such as getpid, have no class.
"""

import text
from table import ARCHITECTURES

OUTPUT = "python/genesys_trace/generated_names.py"

SYSTEM, METADATA, USER_DATA = KINDS = ("operating system", "metadata", "user data")
MEMORY, SIGNALS, IPC, FILES, DATA, LOCKING = CLASSES = (
    "memory operations", "signal processing", "interprocess communication", "file operations",
    "user data operations", "locking operations")

# By file of the table: kind, class. Other files: operating system, no class.
DOMAINS = {
    "files": (METADATA, FILES),
    "fcntl": (SYSTEM, FILES),  # the paper: metadata by latency, operating system by colour
    "xattr": (METADATA, FILES),
    "mount": (METADATA, FILES),
    "memory": (SYSTEM, MEMORY),
    "signals": (SYSTEM, SIGNALS),
    "ipc": (SYSTEM, IPC),
    "net": (SYSTEM, IPC),
    "futex": (SYSTEM, LOCKING),
    "poll": (SYSTEM, LOCKING),
}
EXCEPTIONS = (
    ((USER_DATA, DATA), "read write pread64 pwrite64 readv writev preadv pwritev preadv2 pwritev2 sendfile splice tee "
                        "vmsplice copy_file_range fsync fdatasync sync syncfs sync_file_range readahead"),
    ((USER_DATA, MEMORY), "mmap munmap msync mremap remap_file_pages"),
    ((SYSTEM, FILES), "dup dup2 dup3 inotify_init inotify_init1 inotify_add_watch inotify_rm_watch fanotify_init "
                      "fanotify_mark"),
    ((SYSTEM, IPC), "pipe pipe2 process_vm_readv process_vm_writev"),
    ((SYSTEM, LOCKING), "wait4 waitid flock membarrier io_uring_enter io_getevents io_pgetevents"),
    ((SYSTEM, MEMORY), "memfd_create memfd_secret process_madvise process_mrelease userfaultfd"),
    ((SYSTEM, SIGNALS), "rt_sigqueueinfo pidfd_send_signal signalfd signalfd4"),
)


def emit(table):
    calls = {call.base: call for call in table.calls}
    numbers = "".join(_numbers(calls, architecture) for architecture in ARCHITECTURES)
    kinds = "".join(f'    "{name}": ({kind!r}, {latency!r}),\n'.replace("'", '"')
                    for name, (kind, latency) in _kinds(calls).items())
    return f"""{text.head("The names of the system calls of Linux 6.18, and their kinds.", mark="#")}
KINDS = {_words(KINDS)}
CLASSES = {_words(CLASSES)}

# By architecture: the name of each number.
NAMES = {{
{numbers}}}

# By name: what it works on; its class of latency, or None.
CALLS = {{
{kinds}}}
"""


def _words(words):
    return "(\n" + "".join(f'    "{word}",\n' for word in words) + ")"


def _numbers(calls, architecture):
    of = sorted((call.numbers[architecture], name) for name, call in calls.items()
                if call.numbers[architecture] is not None)
    return f'    "{architecture}": {{\n' + "".join(f'        {number}: "{name}",\n' for number, name in of) + "    },\n"


def _kinds(calls):
    kinds = {name: DOMAINS.get(call.domain, (SYSTEM, None)) for name, call in calls.items()}
    kinds.update((name, of) for of, names in EXCEPTIONS for name in names.split() if name in kinds)
    return kinds
