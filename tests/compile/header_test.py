#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Each header of include/, public and detail, compiles alone and twice, without a warning.

    header_test.py [COMPILER]...

A COMPILER is a g++, a clang++ or an nvcc; without one it is $CXX or c++. Ends in a line 'N passed, N failed'.
"""
import concurrent.futures
import os
import pathlib
import subprocess
import sys
import tempfile

INCLUDE = pathlib.Path(__file__).resolve().parents[2] / "include"
CUDA_ONLY = {"genesys/detail/target/cuda.h", "genesys/detail/target/cuda_atomic.h", "genesys/cooperative_groups.h"}
IN_PAIRS = {"genesys/shadow/begin.h", "genesys/shadow/end.h"}  # tests/libc/shadow_test.cpp has both
COMPILE_TIMEOUT_S = 120


def command(compiler):
    common = [compiler, "-std=c++20", f"-I{INCLUDE}"]
    if "nvcc" in pathlib.Path(compiler).name:
        return [*common, "-arch=sm_80", "-x", "cu", "-ptx", "-Werror=all-warnings", "-o", os.devnull]
    return [*common, "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-fsyntax-only"]


def complaint(work):
    """Compiles one header. Returns the compiler's output if that fails."""
    compiler, header, folder = work
    source = pathlib.Path(folder, f"{pathlib.Path(compiler).name}_{header.replace('/', '_')}.cpp")
    source.write_text(f"#include <{header}>\n#include <{header}>\n")
    done = subprocess.run([*command(compiler), source], stdin=subprocess.DEVNULL, capture_output=True, text=True,
                          timeout=COMPILE_TIMEOUT_S, check=False)
    if done.returncode == 0:
        return None
    return f"{compiler}, {header}:\n{done.stdout}{done.stderr}"


def main():
    if sys.argv[1:2] == ["--help"]:
        print(__doc__.strip())
        return 0
    compilers = sys.argv[1:] or [os.environ.get("CXX", "c++")]
    headers = sorted(str(header.relative_to(INCLUDE)) for header in INCLUDE.rglob("*.h"))
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        work = [(compiler, header, folder) for compiler in compilers for header in headers
                if header not in IN_PAIRS and (header not in CUDA_ONLY or "nvcc" in pathlib.Path(compiler).name)]
        complaints = [text for text in pool.map(complaint, work) if text]
    for text in complaints:
        print(f"FAIL: {text}", file=sys.stderr)
    print(f"{len(work) - len(complaints)} passed, {len(complaints)} failed")
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
