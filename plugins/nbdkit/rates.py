#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Prints how fast devices of the plugin are beside nbdkit's own plugin file, with and without its luks filter.

Each device has 512 MiB in a folder of its own, of tmpfs if it can be. fio's nbd engine reads and writes.

usage: rates.py PATH-OF-nbdkit-genesys-plugin.so [--services NAME,...] [--seconds N] [--folder DIR] [--luks IMAGE]
"""
import argparse
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

SIZE = 512 << 20
JOBS = (("read, 1 MiB", "read", "1m", 8), ("write, 1 MiB", "write", "1m", 8),
        ("random reads, 64 KiB", "randread", "64k", 16), ("random writes, 64 KiB", "randwrite", "64k", 16),
        ("random reads, 4 KiB", "randread", "4k", 32), ("random writes, 4 KiB", "randwrite", "4k", 32))


def make_luks(image):
    """An empty image of LUKS, whose passphrase is in the file `word` beside it."""
    word = image.parent / "word"
    word.write_text("a word")
    luks = ["--object", f"secret,id=word,file={word}", "-f", "luks", "-o", "key-secret=word,iter-time=10"]
    subprocess.run(["qemu-img", "create", "-q", *luks, image, str(SIZE)], check=True, timeout=120)


def devices(plugin, folder, all_services, luks):
    """Names, and nbdkit's arguments."""
    def ours(name, services, *more):
        own = folder / f"{name}-{services}"
        own.mkdir()
        return [plugin, *(str(one).replace("@", str(own)) for one in more), f"services={services}"]

    (folder / "key").write_bytes(os.urandom(64))
    key, size = f"key-file={folder}/key", f"size={SIZE}"
    with open(folder / "plain", "wb") as file:
        file.truncate(SIZE)
    yield "file", ["file", folder / "plain"]
    if luks is None:
        make_luks(folder / "luks")
    else:
        shutil.copy(luks, folder / "luks")
        (folder / "word").write_text("a word")
    yield "file with the luks filter", ["--filter=luks", "file", folder / "luks", f"passphrase=+{folder}/word"]
    parts = [f"file=@/data{i}" for i in range(6)]
    for by in all_services:
        yield f"encrypted, {by}", ours("e", by, "file=@/data", size, key)
        yield f"checked, {by}", ours("c", by, "file=@/data", size, "check-file=@/checks")
        yield f"encrypted and checked, {by}", ours("ec", by, "file=@/data", size, key, "check-file=@/checks")
        yield f"parity, 4 + 2 files, {by}", ours("p", by, *parts, f"size={SIZE // 4}", "parity-log=@/log-of-parity")


def measured(folder, arguments, seconds):
    path = folder / "socket"
    path.unlink(missing_ok=True)
    server = subprocess.Popen(["nbdkit", "-f", "-t", "16", "-U", path, *arguments], stdin=subprocess.DEVNULL)
    try:
        end = time.monotonic() + 30
        while not path.exists():
            if server.poll() is not None or time.monotonic() > end:
                sys.exit("nbdkit does not start")
            time.sleep(0.02)
        for _, kind, block, depth in JOBS:
            command = ["fio", "--name=a", "--ioengine=nbd", f"--uri=nbd+unix:///?socket={path}", f"--rw={kind}",
                       f"--bs={block}", f"--iodepth={depth}", f"--size={SIZE}", "--time_based", f"--runtime={seconds}",
                       "--output-format=json", "--refill_buffers"]
            said = subprocess.run(command, capture_output=True, text=True, timeout=seconds + 120)
            if said.returncode != 0:
                sys.exit(f"fio failed: {said.stderr[-500:]}")
            job = json.loads(said.stdout[said.stdout.index("{"):])["jobs"][0]
            yield job["read" if "read" in kind else "write"]["bw_bytes"] / 1e6
    finally:
        server.terminate()
        server.wait(60)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("plugin", type=pathlib.Path)
    parser.add_argument("--services", default="auto", help="several: auto,gpu,cpu")
    parser.add_argument("--luks", type=pathlib.Path, help="an image with the words 'a word', where qemu-img is not")
    parser.add_argument("--make-luks", action="store_true", help="make that image, and measure nothing")
    parser.add_argument("--seconds", type=int, default=3)
    parser.add_argument("--folder", default="/dev/shm" if os.access("/dev/shm", os.W_OK) else None)
    asked = parser.parse_args()
    if asked.make_luks:
        make_luks(asked.luks)
        return
    for tool in ("nbdkit", "fio", *(() if asked.luks else ("qemu-img",))):
        if not shutil.which(tool):
            sys.exit(f"there is no {tool}")
    print("| device | " + " | ".join(name for name, *_ in JOBS) + " |\n|---|" + "---|" * len(JOBS))
    with tempfile.TemporaryDirectory(prefix="rates.", dir=asked.folder) as folder:
        folder = pathlib.Path(folder)
        for name, arguments in devices(asked.plugin.resolve(), folder, asked.services.split(","), asked.luks):
            rates = [f"{rate:.0f}" for rate in measured(folder, arguments, asked.seconds)]
            print(f"| {name} | " + " | ".join(rates) + " |", flush=True)
    print("\nMB/s")


if __name__ == "__main__":
    main()
