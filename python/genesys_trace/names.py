# SPDX-License-Identifier: Apache-2.0
"""Names of what a recording has as numbers: calls, errors, scopes, and so on; and the kinds of a call."""

import errno
import platform

from .generated_names import CALLS, CLASSES, KINDS, NAMES

__all__ = ["CLASSES", "KINDS", "OTHER_CLASS", "SCOPES", "MODES", "MADE_BY", "architecture", "call_name", "class_of",
           "error_name", "kind_of", "number_of", "is_internal"]

SCOPES = ("thread", "warp", "block", "grid")
MODES = ("blocking", "ticket", "posted", "3")
MADE_BY = ("worker", "worker_ring", "later", "other", "kernel")  # trace::made_by
IN_RING = " (ring)"  # follows the name of a call that the kernel made through a shared ring, whose time is another one
OTHER_CLASS = "other calls"  # those of none of the paper's classes

# Requests to the runtime itself (wire/request.h, internal_number).
_INTERNAL_FIRST = 0xF00
_INTERNAL = {0xF00: "(resolve_address)", 0xF01: "(wait_ready)", 0xF02: "(lost_call)", 0xF03: "(look_at_file)",
             0xF04: "(report_call)", 0xF06: "(grow_bounce)"}
# The kernel's own names of some calls, which perf trace may print.
_ALIASES = {"newstat": "stat", "newfstat": "fstat", "newlstat": "lstat", "sendfile64": "sendfile", "umount": "umount2",
            "fadvise64_64": "fadvise64", "newuname": "uname", "_newselect": "select", "fstatat64": "newfstatat"}


def architecture(machine=None):
    """The name that the table has for a machine; of this one without an argument."""
    machine = machine or platform.machine()
    return {"x86_64": "x86-64", "amd64": "x86-64", "aarch64": "arm64"}.get(machine.lower(), machine)


def is_internal(number):
    """Whether a number (or each of a column) is of a request to the runtime, not to Linux."""
    return number >= _INTERNAL_FIRST


def call_name(number, of_architecture=None):
    names = NAMES.get(of_architecture or architecture(), NAMES["x86-64"])
    return names.get(number) or _INTERNAL.get(number) or f"syscall_{number}"


def own_name(name):
    """The table's name of a call that another program names."""
    return _ALIASES.get(name, name)


def number_of(name, of_architecture=None):
    """The number of a call; None: there is no such call."""
    names = NAMES.get(of_architecture or architecture(), NAMES["x86-64"])
    return next((number for number, of in names.items() if of == name), None)


def kind_of(name):
    """Operating system, metadata, or user data."""
    return CALLS.get(plain(name), (KINDS[0], None))[0]


def class_of(name):
    """One of the six classes of latency, or OTHER_CLASS."""
    return CALLS.get(plain(name), (None, None))[1] or OTHER_CLASS


def plain(name):
    """The call's name, without what names of calls through shared rings end in."""
    return name.removesuffix(IN_RING)


def error_name(result):
    """EBADF for -9; None: the result is no error."""
    return errno.errorcode.get(-result, f"errno {-result}") if -4095 <= result < 0 else None
