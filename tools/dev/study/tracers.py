# SPDX-License-Identifier: Apache-2.0
"""The ways to run a case: bare, or under a tracer that writes a log which genesys_trace reads.

strace is the paper's tool: it stops the process twice for each call. perf records the two tracepoints of each call in
a buffer of the kernel, which costs less than a microsecond. Its events become lines in the form of strace's, with
nanoseconds.
"""

import re
import shutil
import subprocess
from pathlib import Path

from bench_run import Failure, told_by
from genesys_trace import names

BARE, STRACE, PERF, SECCOMP = "bare", "strace", "perf", "strace --seccomp-bpf"
_TIMES = ("--syscall-times=ns",)  # -T, with nanoseconds: steps of -T's microsecond would look like peaks
_CHOSEN = "openat,read,write,close"  # of strace --seccomp-bpf
_EVENT = re.compile(r"\s*(\d+)\s+(\d+)\.(\d{9}):\s+raw_syscalls:sys_(enter|exit): NR (-?\d+) (?:\(|= (-?\d+))")
_SCRIPT_LIMIT_S = 300


def usable(tracer, folder):
    """Why a tracer cannot be used; empty if it can."""
    program = tracer.split()[0]
    if tracer == BARE:
        return ""
    if not shutil.which(program):
        return f"there is no {program}"
    log = Path(folder) / "try.log"
    try:
        done = subprocess.run(command(tracer, log, ["true"]), stdin=subprocess.DEVNULL, capture_output=True, text=True,
                              timeout=30)
        if done.returncode == 0:
            finish(tracer, log)
            return "" if log.exists() and log.stat().st_size else f"{program} records nothing here"
        return f"{program} may not trace here: {(done.stderr.strip().splitlines() or ['no reason given'])[-1]}"
    except (Failure, OSError, subprocess.SubprocessError) as wrong:
        return f"{program} cannot be used: {wrong}"
    finally:
        log.unlink(missing_ok=True)


def command(tracer, log, traced):
    """The command that runs `traced` under a tracer."""
    if tracer == STRACE:
        return ["strace", "-f", *_TIMES, "-ttt", "-o", str(log), "--", *traced]
    if tracer == SECCOMP:
        return ["strace", "-f", "--seccomp-bpf", "-e", f"trace={_CHOSEN}", *_TIMES, "-ttt", "-o",
                str(log), "--", *traced]
    if tracer == PERF:
        return ["perf", "record", "-q", "-B", "-N", "-o", f"{log}.data", "-m", "4M", "-e",
                "raw_syscalls:sys_enter", "-e", "raw_syscalls:sys_exit", "--", *traced]
    return list(traced)


def finish(tracer, log):
    """Makes the log of a run that has ended."""
    if tracer != PERF:
        return
    data = Path(f"{log}.data")
    with subprocess.Popen(["perf", "script", "-i", str(data), "--ns", "-F", "tid,time,event,trace"],
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, errors="replace") as process:
        try:
            with open(log, "w", encoding="utf-8") as file:
                file.writelines(as_strace(process.stdout))
            status = process.wait(_SCRIPT_LIMIT_S)
        finally:
            process.kill()
    data.unlink(missing_ok=True)
    if status != 0:
        raise Failure(f"perf script failed with status {status}")


def span_s(log):
    """The time from the first call of a log to the last. perf ends up to a second after the program: its own run time
    says nothing."""
    with open(log, "rb") as file:
        first = file.readline()
        file.seek(max(0, file.seek(0, 2) - 4096))
        last = file.readlines()[-1]
    return float(last.split()[1]) - float(first.split()[1])


def as_strace(lines):
    """Yields a line for each call whose two events are there. A call that does not return has no line."""
    begun = {}
    for line in lines:
        event = _EVENT.match(line)
        if not event:
            continue
        thread, seconds, part, which, number, result = event.groups()
        now = int(seconds) * 10**9 + int(part)
        if which == "enter":
            begun[thread] = (now, number)
            continue
        since, made = begun.pop(thread, (None, None))
        if since is None or made != number:
            continue
        took, error = now - since, names.error_name(int(result))
        result = f"-1 {error}" if error else result
        yield (f"{thread} {since // 10**9}.{since % 10**9:09d} {names.call_name(int(number))}() = {result} "
               f"<{took // 10**9}.{took % 10**9:09d}>\n")


def version(program):
    return told_by(program, "--version").partition("\n")[0]
