# SPDX-License-Identifier: Apache-2.0
"""A result of bench, beside it: what a program measured, what it was measured on, and the file it is kept in."""

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
DIGITS = 5  # of a figure that is kept


def measured(program, arguments, asked, **more):
    """The result of one run."""
    with tempfile.TemporaryDirectory(prefix="genesys-bench-") as folder:
        file = Path(folder) / f"{program.name}.json"
        run(program.name, [program, "--json", file, "--device", asked.device, *arguments], asked.timeout,
            env={**os.environ, "GENESYS_DEVICE": asked.device}, **more)
        if not file.exists():
            raise Failure(f"{program.name} ended well, but wrote nothing to the file of --json")
        return read(file)


# --- What a figure is worth nothing without.


def commit_here():
    """And whether more than earlier figures differs from it."""
    git = ("git", "-C", str(ROOT))
    commit = told_by(*git, "rev-parse", "--short", "HEAD")
    differs = told_by(*git, "status", "--porcelain", "-uno", "--", ":!bench/results", ":!docs/plots")
    return (commit or "unknown") + ("-dirty" if differs else "")


def names_in_cpp(symbols, program):
    """Without the namespaces that say nothing here, as that of the sources in a folder of their own: the program's."""
    names = told_by("c++filt", "-p", *symbols) if symbols else ""
    names = re.sub(rf"\(anonymous namespace\)::|genesys::detail::|(?<![\w:]){program}::", "", names).splitlines()
    return names if len(names) == len(symbols) else list(symbols)


def registers(program):
    """Of each kernel, by its name in C++."""
    used = cubin.resources(program)
    return dict(sorted(zip(names_in_cpp(used, program.name), used.values())))


def context(name, program, asked):
    cpu = re.search(r"^model name\s*: (.*)", Path("/proc/cpuinfo").read_text(), re.MULTILINE)
    mode = ["--quick"] if asked.quick else ["--cpu"] if asked.cpu else []
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
            say(f"{name}: {', '.join(unknown)} will be missing in its result: nvidia-smi and nvcc tell")
        told = {what: value for what, value in told.items() if value}
    return told


# --- The file.


def as_text(value, indent=""):
    """JSON, one thing a line, for git to compare: what has no objects in it stays on its line if it fits."""
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
    """No more digits than mean something; whole numbers are kept whole."""
    if isinstance(value, dict):
        return {key: rounded(item) for key, item in value.items()}
    if isinstance(value, list):
        return [rounded(item) for item in value]
    if isinstance(value, float):
        return int(value) if value.is_integer() and abs(value) < 1e15 else float(f"{value:.{DIGITS}g}")
    return value


def write(path, result):
    """The last one stays until this one is whole."""
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
    """No null, which is how JSON has what is no number."""
    if isinstance(value, (dict, list)):
        return all(map(whole, value.values() if isinstance(value, dict) else value))
    return value is not None
