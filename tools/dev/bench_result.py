# SPDX-License-Identifier: Apache-2.0
"""A result of a bench: its figures, its context (machine, commit), and its file. Imported by tools/dev/bench."""

import datetime
import json
import os
import platform
import re
import tempfile
from pathlib import Path

import cubin
from bench_run import ROOT, Failure, run, say, shown, told_by

COLUMNS_MAX = 120
DIGITS = 5  # of a stored figure


def measured(program, arguments, asked, **more):
    """Runs the program once, and returns its result."""
    with tempfile.TemporaryDirectory(prefix="genesys-bench-") as folder:
        file = Path(folder) / f"{program.name}.json"
        run(program.name, [program, "--json", file, "--device", asked.device, *arguments], asked.timeout,
            env={**os.environ, "GENESYS_DEVICE": asked.device}, **more)
        if not file.exists():
            raise Failure(f"{program.name} ended well, but wrote nothing to the file of --json")
        return read(file)


# --- The context of a result.


def commit_here():
    """The commit, with -dirty if more than results and plots differs from it."""
    git = ("git", "-C", str(ROOT))
    commit = told_by(*git, "rev-parse", "--short", "HEAD")
    differs = told_by(*git, "status", "--porcelain", "-uno", "--", ":!bench/results", ":!docs/plots")
    return (commit or "unknown") + ("-dirty" if differs else "")


def names_in_cpp(symbols, program):
    """The C++ names of symbols, without the namespaces that all of them share, such as the program's own."""
    names = told_by("c++filt", "-p", *symbols) if symbols else ""
    names = re.sub(rf"\(anonymous namespace\)::|genesys::detail::|(?<![\w:]){program}::", "", names).splitlines()
    return names if len(names) == len(symbols) else list(symbols)


def registers(program):
    """The registers and stack of each kernel, by its C++ name."""
    used = cubin.resources(program)
    return dict(sorted(zip(names_in_cpp(used, program.name), used.values())))


def context(name, program, asked):
    cpu = re.search(r"^model name\s*: (.*)", Path("/proc/cpuinfo").read_text(), re.MULTILINE)
    mode = ["--quick"] if asked.quick else ["--cpu"] if asked.cpu else []
    mode += ["--processes", str(asked.processes)] if asked.processes > 1 else []
    told = {
        "command": " ".join(["./dev bench", *mode, name, *(["--", *asked.args] if asked.args else [])]),
        "date": datetime.datetime.now(datetime.timezone.utc).date().isoformat(),
        "commit": asked.commit,
        "cpu": cpu[1] if cpu else platform.machine(),
        "cpus": len(os.sched_getaffinity(0)),
        "linux": platform.release(),
    }
    if asked.device == "cuda":
        gpu = told_by("nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader", "-i", "0")
        told["gpu"], _, told["driver"] = gpu.partition(", ")
        nvcc = re.search(r"release (.*)", told_by("nvcc", "--version"))
        told["nvcc"] = nvcc[1] if nvcc else ""
        told["registers"] = registers(program)
        unknown = [what for what in told if not told[what]]
        if unknown:
            say(f"{name}: {', '.join(unknown)} will be missing in its result: nvidia-smi or nvcc does not report it")
        told = {what: value for what, value in told.items() if value}
    return told


# --- The file.


def as_text(value, indent=""):
    """JSON with one item in each line, for git diff. A value without objects in it stays in one line if it fits."""
    flat = json.dumps(value, ensure_ascii=False)
    if not isinstance(value, (dict, list)):
        return flat
    deeper = indent + " "
    plain = not any(isinstance(item, dict) for item in (value.values() if isinstance(value, dict) else value))
    if plain and len(indent) + len(flat) <= COLUMNS_MAX:
        return flat
    if isinstance(value, dict):
        lines = [f"{json.dumps(key, ensure_ascii=False)}: {as_text(item, deeper)}" for key, item in value.items()]
    elif plain:
        lines = [""]
        for item in value:
            text = json.dumps(item, ensure_ascii=False)
            if lines[-1] and len(deeper) + len(lines[-1]) + len(text) + 2 > COLUMNS_MAX:
                lines.append("")
            lines[-1] += (", " if lines[-1] else "") + text
    else:
        lines = [as_text(item, deeper) for item in value]
    first, last = "{}" if isinstance(value, dict) else "[]"
    return first + "\n" + ",\n".join(deeper + line for line in lines) + "\n" + indent + last


def rounded(value):
    """Rounds to DIGITS significant digits; whole numbers stay whole."""
    if isinstance(value, dict):
        return {key: rounded(item) for key, item in value.items()}
    if isinstance(value, list):
        return [rounded(item) for item in value]
    if isinstance(value, float):
        return int(value) if value.is_integer() and abs(value) < 1e15 else float(f"{value:.{DIGITS}g}")
    return value


def write(path, result):
    """Writes a result. The old file stays until the new one is complete."""
    new = path.with_name(path.name + ".new")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        new.write_text(as_text(rounded(result)) + "\n", encoding="utf-8")
        os.replace(new, path)
    except OSError as wrong:
        raise Failure(f"{shown(path)} cannot be written: {wrong.strerror}") from None
    finally:
        new.unlink(missing_ok=True)


def read(path):
    try:
        result = json.loads(path.read_text(encoding="utf-8"))
        if isinstance(result["bench"] + result["about"], str) and whole(result):
            return result
    except OSError as wrong:
        raise Failure(f"{shown(path)} cannot be read: {wrong.strerror}") from None
    except (ValueError, KeyError, TypeError, AttributeError):
        pass
    raise Failure(f"{shown(path)} is not the JSON that bench/support/measure.h writes, or something in it has no value")


def whole(value):
    """Whether a value has no null in it, which JSON has in place of NaN and infinity."""
    if isinstance(value, (dict, list)):
        return all(map(whole, value.values() if isinstance(value, dict) else value))
    return value is not None
