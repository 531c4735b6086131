#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The application display in a virtual machine with two graphics cards: each pixel of QEMU's screenshots is compared.

The cards are an ATI Rage 128, whose driver sets modes and maps the card's memory, and Bochs's, whose framebuffer DRM
emulates: a process maps a copy in ordinary memory, and Linux copies the changes to the card. The kernel of display runs
on the CPU device.

usage: display_test.py FOLDER-WITH-display [--screenshot PICTURE PNG]
With --screenshot it tests nothing: display draws the picture on the ATI card, scaled to 640x480, and the screen is
written to the PNG file.
"""
import json
import os
import pathlib
import random
import select
import socket
import struct
import subprocess
import sys
import tempfile
import time
import unittest
import zlib

from machine import HERE, KEPT, add_program, made_initramfs, made_tree, need, qemu, unpacked

PROGRAMS = pathlib.Path(sys.argv[1]).resolve()
BOOT_S = 90
COMMAND_S = 30
SCREEN_S = 10  # until Linux has copied what DRM's emulated framebuffer holds


def pixels_of(seed, width, height):
    """The lines of a picture with three bytes a pixel."""
    chance = random.Random(seed)
    return [chance.randbytes(3 * width) for _ in range(height)]


def ppm(lines, highest=255, comment=b""):
    return b"P6%s\n%d\t%d\n%d\n" % (comment, len(lines[0]) // 3, len(lines), highest) + b"".join(lines)


def bmp(lines, bits, is_top_down=False):
    width = len(lines[0]) // 3
    rows = []
    for line in lines if is_top_down else reversed(lines):
        pixels = [line[i:i + 3][::-1] + b"\xa5" * (bits // 8 - 3) for i in range(0, len(line), 3)]
        row = b"".join(pixels)
        rows.append(row + b"\x5a" * (-len(row) % 4))
    data = b"".join(rows)
    height = -len(lines) if is_top_down else len(lines)
    return (struct.pack("<2sIHHI", b"BM", 60 + len(data), 0, 0, 60) +
            struct.pack("<IiiHHIIiiII", 40, width, height, 1, bits, 0, len(data), 2835, 2835, 0, 0) + b"unused" + data)


def drawn(lines, width, height, scales=False):
    """What a screen shows: the picture in its middle, on black."""
    own_width, own_height = len(lines[0]) // 3, len(lines)
    w, h = own_width, own_height
    if scales:
        is_wide = width * h <= height * w
        w, h = (width, max(1, width * h // w)) if is_wide else (max(1, height * w // h), height)
    left, top = int((width - w) / 2), int((height - h) / 2)
    columns = [x * own_width // w for x in range(max(0, -left), min(w, width - left))]
    made, last = [], None
    for y in range(height):
        if not 0 <= y - top < h:
            made.append(bytes(3 * width))
            continue
        source = (y - top) * own_height // h
        if source != last:
            line, last = lines[source], source
            middle = b"".join([line[3 * i:3 * i + 3] for i in columns])
            row = (bytes(3 * max(0, left)) + middle).ljust(3 * width, b"\0")
        made.append(row)
    return b"".join(made)


def brightened(lines, highest):
    table = bytes(255 if v >= highest else (v * 255 + highest // 2) // highest for v in range(256))
    return [line.translate(table) for line in lines]


SMALL, ODD, LARGE, DARK, TALL = (pixels_of(*each) for each in (
    (1, 300, 200), (2, 101, 77), (3, 1500, 901), (4, 64, 48), (5, 5, 300)))
PICTURES = {
    "small.ppm": ppm(SMALL, comment=b" # a comment\n#another"),
    "odd.bmp": bmp(ODD, 24),
    "odd32.bmp": bmp(ODD, 32, is_top_down=True),
    "large.ppm": ppm(LARGE),
    "dark.ppm": ppm(DARK, 100),
    "tall.bmp": bmp(TALL, 32),
}


class Machine:
    """A machine that runs, and QEMU's monitor."""

    def __init__(self, folder, kernel, version, initramfs):
        monitor = folder / "monitor"
        command = qemu(kernel, version, initramfs, 768, "fbcon=map:9",  # no text on the screens
                       "-device", "ati-vga,id=ati", "-device", "secondary-vga,id=bochs",
                       "-serial", f"file:{KEPT / 'display_test.log'}", "-serial", "stdio",
                       "-qmp", f"unix:{monitor},server=on,wait=off")
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.buffer = b""
        self.screens = folder
        self.monitor = None
        try:
            self.until_status(BOOT_S)
            self.socket = socket.socket(socket.AF_UNIX)
            self.socket.settimeout(COMMAND_S)
            self.socket.connect(str(monitor))
            self.monitor = self.socket.makefile("rw")
            self.monitor.readline()
            self.ask("qmp_capabilities")
        except BaseException:
            self.end()
            raise

    def end(self):
        if self.monitor:
            self.monitor.close()
            self.socket.close()
        self.process.kill()
        self.process.communicate()

    def until_status(self, limit_s):
        """What a command has printed, and its exit status."""
        end = time.monotonic() + limit_s
        while True:
            text, mark, status = self.buffer.rpartition(b"status ")
            if mark and status.endswith(b"\n") and (not text or text.endswith(b"\n")):
                self.buffer = b""
                return text.decode(), int(status)
            if not select.select([self.process.stdout], [], [], max(0, end - time.monotonic()))[0]:
                raise AssertionError(f"no answer in {limit_s} s: {self.buffer!r}")
            more = os.read(self.process.stdout.fileno(), 65536)
            if not more:
                raise AssertionError(f"the machine has ended: {self.buffer!r}")
            self.buffer += more.replace(b"\r", b"")

    def run(self, command):
        self.process.stdin.write(command.encode() + b"\n")
        self.process.stdin.flush()
        return self.until_status(COMMAND_S)

    def ask(self, command, **arguments):
        self.monitor.write(json.dumps({"execute": command, "arguments": arguments}) + "\n")
        self.monitor.flush()
        while True:  # events come in between
            answer = json.loads(self.monitor.readline())
            if "return" in answer:
                return
            if "error" in answer:
                raise AssertionError(answer["error"])

    def screen(self, card):
        """Width, height and pixels of a screenshot."""
        file = self.screens / "screen.ppm"
        self.ask("screendump", filename=str(file), device=card)
        mark, size, highest, pixels = file.read_bytes().split(b"\n", 3)
        assert (mark, highest) == (b"P6", b"255")
        width, height = map(int, size.split())
        return width, height, pixels


class Display(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        need()
        kernel, version = unpacked("amd64", only=("./boot/vmlinuz-*", "./lib/modules/*/modules.*",
                                                  "./lib/modules/*/drivers/video/*", "./lib/modules/*/drivers/gpu/*",
                                                  "./lib/modules/*/drivers/i2c/algos/*"))
        folder = tempfile.TemporaryDirectory(prefix="display_test.", dir=KEPT)
        cls.addClassCleanup(folder.cleanup)
        folder = pathlib.Path(folder.name)
        root = folder / "root"
        made_tree(root, kernel, version, ("aty128fb", "bochs"))
        add_program(root, PROGRAMS / "display", "display")
        for name, content in PICTURES.items():
            (root / name).write_bytes(content)
        cls.machine = Machine(folder, kernel, version, made_initramfs(root, version, HERE / "display_machine.sh"))
        cls.addClassCleanup(cls.machine.end)

    def told(self, arguments):
        return self.machine.run(f"display --device cpu {arguments}")

    def check(self, card, width, height, wanted, bits=8):
        """The screen, within SCREEN_S, of whose values the highest bits count. Beyond width and height it may have
        anything."""
        end = time.monotonic() + SCREEN_S
        table = bytes(v >> (8 - bits) for v in range(256))
        while True:
            across, down, pixels = self.machine.screen(card)
            self.assertGreaterEqual((across, down), (width, height))
            shown = b"".join(pixels[3 * across * y:3 * (across * y + width)] for y in range(height))
            if shown.translate(table) == wanted.translate(table):
                return across, down
            if time.monotonic() > end:
                wrong = [i // 3 for i in range(len(wanted)) if table[shown[i]] != table[wanted[i]]]
                y, x = divmod(wrong[0], width)
                at = 3 * wrong[0]
                self.fail(f"{len(wrong)} values are wrong, the first at {x}, {y}: {shown[at:at + 3].hex()}, "
                          f"not {wanted[at:at + 3].hex()}")
            time.sleep(0.2)

    def draw(self, arguments, lines, width, height, bits=32, by="mmap", scales=False):
        """On the ATI card, in a mode that is set."""
        said = self.told(f"--verbose --mode {width}x{height} --bits {bits} {arguments}")
        self.assertEqual(said, (f"/dev/fb0: ATY Rage128, {width}x{height}, {bits} bits a pixel, drawn by {by}\n", 0))
        size = self.check("ati", width, height, drawn(lines, width, height, scales), 5 if bits == 16 else 8)
        self.assertEqual(size, (width, height))

    def test_modes(self):
        for width, height in ((640, 480), (1024, 768), (800, 600)):
            with self.subTest(width=width):
                self.draw("/small.ppm", SMALL, width, height)

    def test_pixels_of_16_and_24_bits(self):
        self.draw("/odd.bmp", ODD, 640, 480, bits=16)
        self.draw("/small.ppm", SMALL, 800, 600, bits=24)

    def test_pictures(self):
        self.draw("/odd.bmp", ODD, 640, 480)
        self.draw("/dark.ppm", brightened(DARK, 100), 640, 480)
        self.draw("/odd32.bmp", ODD, 640, 480)

    def test_larger_than_the_screen(self):
        self.draw("/large.ppm", LARGE, 640, 480)

    def test_scaled(self):
        self.draw("--scale /large.ppm", LARGE, 640, 480, scales=True)
        self.draw("--scale /odd.bmp", ODD, 800, 600, scales=True)
        self.draw("--scale /tall.bmp", TALL, 640, 480, scales=True)

    def test_by_pwrite(self):
        self.draw("--write /odd32.bmp", ODD, 1024, 768, by="pwrite")
        self.draw("--write --scale /small.ppm", SMALL, 640, 480, by="pwrite", scales=True)
        self.draw("--write /large.ppm", LARGE, 800, 600, bits=24, by="pwrite")

    def test_emulated_by_drm(self):
        for word, by, name, lines in (("", "mmap", "/small.ppm", SMALL), ("--write", "pwrite", "/large.ppm", LARGE)):
            self.assertEqual(self.told(f"-v --framebuffer /dev/fb1 {word} {name}"),
                             (f"/dev/fb1: bochs-drmdrmfb, 1280x800, 32 bits a pixel, drawn by {by}\n", 0))
            self.assertEqual(self.check("bochs", 1280, 800, drawn(lines, 1280, 800)), (1280, 800))
        # DRM accepts a smaller size, and the screen stays as it is: the picture is in its upper left part.
        for word, name, lines in (("", "/odd.bmp", ODD), ("--write", "/large.ppm", LARGE)):
            self.assertEqual(self.told(f"-f /dev/fb1 -m 640x400 {word} {name}"), ("", 0))
            self.assertEqual(self.check("bochs", 640, 400, drawn(lines, 640, 400)), (1280, 800))

    def test_modes_that_cannot_be_set(self):
        self.assertEqual(self.told("-f /dev/fb1 -m 5000x5000 /small.ppm"), (
            "display: /dev/fb1: cannot set 5000x5000, 32 bits a pixel: Invalid argument\n", 1))
        self.assertEqual(self.told("-f /dev/fb2 /small.ppm"), ("display: /dev/fb2: No such file or directory\n", 1))


def png(width, height, pixels):
    def part(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    lines = b"".join(b"\0" + pixels[3 * width * y:3 * width * (y + 1)] for y in range(height))
    return (b"\x89PNG\r\n\x1a\n" + part(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)) +
            part(b"IDAT", zlib.compress(lines, 9)) + part(b"IEND", b""))


def screenshot(picture, to):
    picture = pathlib.Path(picture)
    PICTURES["picture" + picture.suffix] = picture.read_bytes()
    Display.setUpClass()
    try:
        said = Display.machine.run(f"display --device cpu -v -m 640x480 -b 32 --scale /picture{picture.suffix}")
        print(said[0], end="")
        if said[1] == 0:
            pathlib.Path(to).write_bytes(png(*Display.machine.screen("ati")))
        return said[1]
    finally:
        Display.doClassCleanups()


if __name__ == "__main__":
    if sys.argv[2:3] == ["--screenshot"] and len(sys.argv) == 5:
        sys.exit(screenshot(*sys.argv[3:]))
    unittest.main(argv=sys.argv[:1] + sys.argv[2:])
