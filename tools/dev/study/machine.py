# SPDX-License-Identifier: Apache-2.0
"""Where a study is made: the machine, its system, the commit; and how busy other programs keep the machine."""

import datetime
import os
import platform
import re
import time
from pathlib import Path

from bench_result import commit_here
from bench_run import told_by

BUSY_LOOK_S = 0.2  # so long the processors' counters are watched
BUSY_MOST = 0.2  # of all processors; with more a run waits for a while


def about(name, command):
    cpu = re.search(r"^model name\s*: (.*)", Path("/proc/cpuinfo").read_text(), re.MULTILINE)
    memory = re.search(r"^MemTotal:\s*(\d+)", Path("/proc/meminfo").read_text(), re.MULTILINE)
    system = re.search(r'^PRETTY_NAME="?([^"\n]*)', _text("/etc/os-release"), re.MULTILINE)
    return {
        "machine": name,
        "command": command,
        "date": datetime.datetime.now(datetime.timezone.utc).date().isoformat(),
        "commit": commit_here(),
        "cpu": cpu[1] if cpu else platform.machine(),
        "cpus": len(os.sched_getaffinity(0)),
        "memory_gib": round(int(memory[1]) / 2**20, 1) if memory else 0,
        "linux": platform.release(),
        "system": system[1] if system else platform.system(),
        "virtual": told_by("systemd-detect-virt", "-v") or ("yes" if " hypervisor" in _text("/proc/cpuinfo") else "no"),
        "strace": told_by("strace", "-V").partition("\n")[0].rpartition(" ")[2],
        "perf": told_by("perf", "--version").rpartition(" ")[2],
        "root": os.geteuid() == 0,
    }


def has_gpu(binaries):
    """Whether programs of genesys can run on a GPU here."""
    return bool(re.search(r"^ *cuda: (?!not available)", told_by(f"{binaries}/genesys", "info"), re.MULTILINE))


def _text(path):
    try:
        return Path(path).read_text()
    except OSError:
        return ""


def default_name():
    return re.sub(r"[^\w-]+", "-", platform.node()).strip("-") or "machine"


def _processor_time():
    fields = [int(word) for word in Path("/proc/stat").read_text().split("\n", 1)[0].split()[1:]]
    idle = fields[3] + fields[4]
    return sum(fields[:8]) - idle, sum(fields[:8])


def busy():
    """The share of all processors that programs keep busy, while the study itself waits."""
    before = _processor_time()
    time.sleep(BUSY_LOOK_S)
    now = _processor_time()
    return (now[0] - before[0]) / max(1, now[1] - before[1])


def quiet(wait_s):
    """Waits until other programs leave the processors alone, but not longer than wait_s; returns how busy they are."""
    until = time.monotonic() + wait_s
    while (share := busy()) > BUSY_MOST and time.monotonic() < until:
        time.sleep(0.5)
    return round(share, 2)
