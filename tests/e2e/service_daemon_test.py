#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`genesys serve` and its clients in Python, C and C++: the examples of docs/service-daemon.md, and those of
docs/service-loading.md for a daemon, run as they are printed.

    service_daemon_test.py BUILD_DIR

BUILD_DIR has bin/genesys, bin/genesys-serve and the libraries. It needs a C and a C++ compiler (CC, CXX).
"""
import hashlib
import os
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import unittest

BUILD = pathlib.Path(sys.argv[1]).resolve()
ROOT = pathlib.Path(__file__).resolve().parents[2]
GENESYS = BUILD / "bin" / "genesys"
LIBRARY = BUILD / "src" / "service" / "client" / "libgenesys_service_client.so"
PAGE = (ROOT / "docs" / "service-daemon.md").read_text()
LOADING = (ROOT / "docs" / "service-loading.md").read_text()
os.environ["GENESYS_DEVICE"] = "cpu"
os.environ["GENESYS_SERVICE_LIBRARY"] = str(LIBRARY)
sys.path.insert(0, str(ROOT / "python"))

import genesys.services  # noqa: E402


def examples(heading, page=PAGE):
    """The blocks of code below a heading of the page."""
    section = page.split(f"## {heading}\n", 1)[1].split("\n## ", 1)[0]
    found = re.findall(r"^    .*\n(?:^    .*\n|^\n)*", section, re.M)
    return ["\n".join(line[4:] for line in each.split("\n")).strip() + "\n" for each in found]


def example(heading):
    return examples(heading)[0]


def outside_libraries():
    """CUDA's runtime and zstd, if the libraries of the build use them."""
    cache = (BUILD / "CMakeCache.txt").read_text()
    found = re.findall(r"^(?:CUDA_cudart_static_LIBRARY|ZSTD_LIBRARY):\w+=(.+)$", cache, re.M)
    return [each for each in found if "NOTFOUND" not in each]


def run(*words, timeout=180, **more):
    return subprocess.run([str(word) for word in words], capture_output=True, text=True, timeout=timeout, **more)


class Daemon:
    def __init__(self, folder, *options, command=None, **more):
        self.path = folder / "sock"
        self.log = open(folder / "log", "w+")
        self.process = subprocess.Popen(
            [*(command or [GENESYS, "serve"]), "--socket", self.path, "--blocks", "2", *options], stderr=self.log,
            **more)
        for _ in range(600):
            if self.listens() or self.process.poll() is not None:
                break
            time.sleep(0.05)

    def listens(self):
        with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as connected:
            return connected.connect_ex(str(self.path)) == 0

    def end(self, how=signal.SIGTERM):
        if self.process.poll() is None:
            self.process.send_signal(how)
        try:
            return self.process.wait(timeout=30)
        finally:
            self.process.kill()

    def words(self):
        self.log.seek(0)
        return self.log.read()


class TestCase(unittest.TestCase):
    def setUp(self):
        place = tempfile.TemporaryDirectory(prefix="genesys-serve.")
        self.addCleanup(place.cleanup)
        self.folder = pathlib.Path(place.name)

    def serve(self, *options, **more):
        daemon = Daemon(self.folder, *options, **more)
        self.addCleanup(daemon.log.close)
        self.addCleanup(daemon.end)
        return daemon

    def built(self, name, text, *options):
        source = self.folder / name
        source.write_text(text)
        program = self.folder / source.stem
        compiler = os.environ.get("CC", "cc") if name.endswith(".c") else os.environ.get("CXX", "c++")
        done = run(compiler, *options, f"-I{ROOT / 'include'}", source, LIBRARY, f"-Wl,-rpath,{LIBRARY.parent}", "-o",
                   program)
        self.assertEqual(done.returncode, 0, done.stderr)
        return program


class Examples(TestCase):
    def test_python(self):
        daemon = self.serve()
        done = run(sys.executable, "-c", example("From Python"),
                   env={**os.environ, "GENESYS_SERVE": str(daemon.path), "PYTHONPATH": str(ROOT / "python")})
        self.assertEqual((done.stdout, done.returncode), ("ok\n", 0), done.stderr)

    def test_c(self):
        program = self.built("example.c", example("From C"), "-std=c11", "-pedantic", "-Wall", "-Wextra", "-Werror")
        without = run(program, env={**os.environ, "GENESYS_SERVE": str(self.folder / "none")})
        self.assertEqual(without.returncode, 1)
        self.assertIn("start 'genesys serve'", without.stderr)
        daemon = self.serve()
        done = run(program, env={**os.environ, "GENESYS_SERVE": str(daemon.path)})
        self.assertEqual((done.stdout, done.returncode), (hashlib.sha256(b"abc").hexdigest() + "\n", 0), done.stderr)

    def test_cpp(self):
        libraries = [BUILD / "src" / "service" / "client" / "libgenesys_service_client.a",
                     BUILD / "src" / "schedule" / "daemon" / "libgenesys_schedule_daemon.a"]
        source = self.folder / "example.cpp"
        source.write_text(example("From C++"))
        done = run(os.environ.get("CXX", "c++"), "-std=c++20", f"-I{ROOT / 'include'}", source, *libraries, "-pthread",
                   "-o", self.folder / "example")
        self.assertEqual(done.returncode, 0, done.stderr)
        daemon = self.serve()
        done = run(self.folder / "example", env={**os.environ, "GENESYS_SERVE": str(daemon.path)})
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_a_daemon_of_its_own(self):
        source = self.folder / "own.cpp"
        source.write_text(example("A daemon of your own"))
        folders = ("src/service/daemon/libgenesys_service_daemon.a", "src/service/client/libgenesys_service_client.a",
                   "src/service/libgenesys_service.a", "src/schedule/libgenesys_schedule.a",
                   "src/schedule/daemon/libgenesys_schedule_daemon.a", "src/libgenesys.a")
        done = run(os.environ.get("CXX", "c++"), "-std=c++20", f"-I{ROOT / 'include'}", source,
                   *(BUILD / each for each in folders), "-lboost_context", "-l:liburing.a", *outside_libraries(),
                   "-pthread", "-ldl", "-lrt", "-o", self.folder / "own")
        self.assertEqual(done.returncode, 0, done.stderr)
        daemon = self.serve(command=[self.folder / "own"])
        with genesys.services.connect(daemon.path) as services:
            numbers = services.buffer(4000)
            numbers.view[:] = b"\1\0\0\0" * 1000
            self.assertEqual(services.sum(from_=numbers, start=5), 1005)


class Python(TestCase):
    def test_each_way_to_pass_memory(self):
        daemon = self.serve()
        with genesys.services.connect(daemon.path, memory_bytes=1 << 20) as services:
            self.assertEqual(services.memory_bytes, 1 << 20)
            self.assertIn("sha256", services.names())
            self.assertEqual(services.arguments("sha256"), ["from_", "piece_bytes", "digests"])
            text = os.urandom(5000)
            wanted = hashlib.sha256(text).digest()
            data, digest = services.buffer(5000), services.buffer(64)
            data.view[:] = text
            services.sha256(from_=data, piece_bytes=5000, digests=digest[32:])
            self.assertEqual(bytes(digest[32:]), wanted)
            out = bytearray(32)
            services.sha256(from_=text, piece_bytes=5000, digests=out)  # copied, and back
            self.assertEqual(out, wanted)
            with self.assertRaises(TypeError):
                services.sha256(from_=text, piece_bytes=5000, digests=bytes(32))
            ticket = services.submit.sha256(from_=data.view[:1000], piece_bytes=1000, digests=out)
            self.assertEqual(ticket.wait(), 1)
            self.assertTrue(ticket.is_done())
            self.assertEqual(out, hashlib.sha256(text[:1000]).digest())
            dropped = 0
            while dropped < 200:  # tickets that nobody waits for
                try:
                    services.submit.sha256(from_=data, piece_bytes=5000, digests=digest[:32])
                    dropped += 1
                except BlockingIOError:  # all slots are in use
                    pass
            services.sha256(from_=data, piece_bytes=5000, digests=digest[:32])
            data.free(), digest.free()
            # The copies have given their memory back.
            services.buffer((1 << 20) - 4096).free()

    def test_numpy(self):
        try:
            import numpy
        except ImportError:
            self.skipTest("numpy is not installed")
        daemon = self.serve()
        with genesys.services.connect(daemon.path) as services:
            data = services.buffer(4096)
            array = numpy.asarray(data).view(numpy.uint32)
            self.assertEqual(array.ctypes.data, data.address)
            array[:] = numpy.arange(1024)
            digest = numpy.zeros(32, numpy.uint8)
            services.sha256(from_=array, piece_bytes=4096, digests=digest)
            self.assertEqual(digest.tobytes(), hashlib.sha256(array.tobytes()).digest())

    def test_errors(self):
        with self.assertRaises(genesys.services.ServiceError) as caught:
            genesys.services.connect(self.folder / "none")
        self.assertIn("genesys serve", str(caught.exception))
        daemon = self.serve()
        with genesys.services.connect(daemon.path) as services:
            data, digest = services.buffer(64), services.buffer(32)
            with self.assertRaises(AttributeError):
                services.sha257
            with self.assertRaises(TypeError):
                services.sha256(form=data)
            with self.assertRaises(OverflowError):
                services.sha256(from_=data, piece_bytes=1 << 64, digests=digest)
            with self.assertRaises(OSError) as wrong:
                services.sha256(from_=data, piece_bytes=0, digests=digest)
            self.assertEqual(wrong.exception.errno, 22)
            with self.assertRaises(MemoryError):
                services.buffer(1 << 40)
            daemon.end(signal.SIGKILL)
            with self.assertRaises(OSError) as lost:
                for _ in range(10000):
                    services.sha256(from_=data, piece_bytes=64, digests=digest)
            self.assertEqual(lost.exception.errno, 104)
        with self.assertRaises(OSError):
            services.buffer(1)


class Loading(TestCase):
    """The commands of docs/service-loading.md, in a folder with the files that they name."""

    def setUp(self):
        super().setUp()
        source, compile_it = examples("A service in a file", LOADING)[:2]
        (self.folder / "scale.cu").write_text(source)
        self.environment = {**os.environ, "GENESYS_SERVE": str(self.folder / "sock"), "PATH":
                            f"{GENESYS.parent}:{os.environ['PATH']}", "CPLUS_INCLUDE_PATH": str(ROOT / "include"),
                            "PYTHONPATH": str(ROOT / "python")}
        (line,) = [each for each in compile_it.split("\n") if each.startswith("g++ ")]
        self.expect(line)
        commands, _, self.python = examples("Into a daemon", LOADING)[:3]
        self.at_start, self.load, self.show, self.unload = commands.strip().split("\n")

    def shell(self, line):
        return run("bash", "-c", line, cwd=self.folder, env=self.environment)

    def expect(self, line):
        done = self.shell(line)
        self.assertEqual(done.returncode, 0, (line, done.stderr))
        return done.stdout

    def call(self):
        done = run(sys.executable, "-c", self.python, env=self.environment)
        self.assertEqual((done.stdout, done.returncode), ("ok\n", 0), done.stderr)

    def test_at_its_start(self):
        words = self.at_start.split("#")[0].split()
        self.assertEqual(words[:2], ["genesys", "serve"])
        self.serve(*words[2:], cwd=self.folder)
        self.call()
        self.assertRegex(self.expect(self.show), r"scale_by +loaded +1 +40 B +2\n")

    def test_while_it_serves(self):
        daemon = self.serve()
        self.assertNotIn("scale_by", self.expect(self.show))
        self.assertEqual(self.expect(self.load), "")
        self.call()
        shown = self.expect(self.show)
        self.assertRegex(shown, r"scale_by +loaded +1 +40 B +2\n")
        self.assertRegex(shown, r"sha256 +built in +- ")
        again = self.shell(self.load)
        self.assertEqual(again.returncode, 1)
        self.assertIn("genesys: the daemon refuses: there is a service 'scale_by': unload it first", again.stderr)
        self.assertEqual(self.expect(self.unload), "")
        self.assertNotIn("scale_by", self.expect(self.show))
        self.assertEqual(self.shell(self.unload).returncode, 1)
        self.expect(self.load)
        self.call()
        self.assertRegex(self.expect(self.show), r"scale_by +loaded +2 ")
        status = run(GENESYS, "serve", "--socket", daemon.path, "--status")
        self.assertRegex(status.stdout, r"service scale_by \(loaded, version 2\): 1 requests, 0 errors")

    def test_errors(self):
        self.serve()
        for line, code, part in (
                ("genesys services load scale.so", 2, ""),
                ("genesys services load a b c d", 2, ""),
                ("genesys services load none.so scale_by", 1, "cannot read 'none.so'"),
                ("genesys services load scale.cu scale_by", 1, "the CPU device loads a shared object"),
                ("genesys services load scale.so other", 1, "it has no service other"),
                ("genesys services load --socket none scale.so scale_by", 1, "no daemon serves"),
                ("genesys services unload sha256", 1, "only what was loaded"),
                ("genesys services unload", 2, "NAME is required"),
                ("genesys services --socket none", 1, "no daemon serves"),
                ("genesys serve --socket sock2 --load scale.so", 2, "FILE:NAME"),
                ("genesys serve --socket sock2 --load none.so:scale_by", 1, "none.so"),
                ("genesys serve --socket sock2 --load scale.so:sha256", 1, "which the daemon was built with")):
            done = self.shell(line)
            self.assertEqual(done.returncode, code, (line, done.stderr))
            self.assertIn(part, done.stderr + done.stdout, line)


class Command(TestCase):
    def test_status_signal_and_end(self):
        daemon = self.serve()
        with genesys.services.connect(daemon.path) as services:
            services.sha256(from_=b"abc", piece_bytes=3, digests=bytearray(32))
            status = run(GENESYS, "serve", "--socket", daemon.path, "--status")
            self.assertEqual(status.returncode, 0, status.stderr)
            self.assertRegex(status.stdout, r"clients: 1 now")
            self.assertRegex(status.stdout, r"service sha256: 1 requests, 0 errors")
            self.assertRegex(status.stdout, rf"client {os.getpid()} of user {os.getuid()}")
        self.assertEqual(daemon.end(), 0)
        self.assertIn("stages: published to taken", daemon.words())
        self.assertFalse(daemon.path.exists())
        status = run(GENESYS, "serve", "--socket", daemon.path, "--status")
        self.assertEqual(status.returncode, 1)
        self.assertIn("no daemon serves", status.stderr)

    def test_wrong_options(self):
        for words, code, part in (
                (["--blocks", "1000"], 1, "at most 128"),
                (["--group", "no-such-group"], 1, "no group"),
                (["--client-slots", "4000"], 1, "1 to 1,024"),
                (["--bogus"], 2, "--bogus"),
                (["--socket", "/nowhere/sock"], 1, "mkdir")):
            done = run(GENESYS, "serve", "--socket", self.folder / "sock", *words)
            if words[0] == "--socket":
                done = run(GENESYS, "serve", *words)
            self.assertEqual(done.returncode, code, (words, done.stderr))
            self.assertIn(part, done.stderr + done.stdout)

    def test_systemd_passes_a_socket_and_is_notified(self):
        told = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.addCleanup(told.close)
        told.bind(str(self.folder / "notify"))
        told.settimeout(60)
        listening = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self.addCleanup(listening.close)
        listening.bind(str(self.folder / "sock"))
        listening.listen(8)
        # A shell that becomes the daemon has its process number.
        script = f'exec 3<&{listening.fileno()}; LISTEN_PID=$$ LISTEN_FDS=1 exec "$0" serve --blocks 2'
        process = subprocess.Popen(["bash", "-c", script, GENESYS], pass_fds=[listening.fileno()],
                                   stderr=subprocess.DEVNULL,
                                   env={**os.environ, "NOTIFY_SOCKET": str(self.folder / "notify")})
        try:
            self.assertEqual(told.recv(100), b"READY=1")
            with genesys.services.connect(self.folder / "sock") as services:
                self.assertIn("sha256", services.names())
            process.send_signal(signal.SIGTERM)
            self.assertEqual(told.recv(100), b"STOPPING=1")
            self.assertEqual(process.wait(timeout=30), 0)
            self.assertTrue((self.folder / "sock").exists())  # the socket is systemd's
        finally:
            process.kill()


if __name__ == "__main__":
    if not (BUILD / "bin" / "genesys-serve").exists() or shutil.which(os.environ.get("CC", "cc")) is None:
        print("0 passed, 0 failed, 1 skipped: genesys-serve is not built, or there is no C compiler")
        sys.exit(0)
    unittest.main(argv=sys.argv[:1])
