# SPDX-License-Identifier: Apache-2.0
"""Processes that tests start. Each ends with its test, and each wait has a limit."""

import errno
import os
import select
import signal
import subprocess
import time

LIMIT_S = 30  # for what takes milliseconds on a machine that does nothing else


def start(test, words, **more):
    """A process that is killed at the end of the test, if it has not ended."""
    process = subprocess.Popen(words, **more)

    def end():
        process.kill()
        process.wait(LIMIT_S)
        for pipe in (process.stdin, process.stdout, process.stderr):
            try:
                if pipe is not None:
                    pipe.close()
            except BrokenPipeError:
                pass

    test.addCleanup(end)
    return process


def wait_for(test, process, what, find):
    """What `find` returns at last, while the process runs."""
    end = time.monotonic() + LIMIT_S
    while time.monotonic() < end and process.poll() is None:
        found = find()
        if found is not None:
            return found
        time.sleep(0.01)
    test.fail(f"{process.args}: {what}; status {process.poll()}")


def wait_for_output(test, process):
    test.assertTrue(select.select([process.stdout], [], [], LIMIT_S)[0], f"{process.args} prints nothing")


def first_output(test, process):
    """The first bytes that the process prints; its stdout is a pipe without a buffer here (bufsize=0)."""
    wait_for_output(test, process)
    return process.stdout.read(10)


def open_to_write(test, process, fifo):
    """A descriptor of a FIFO's end for writing, as soon as the process has opened the other one."""
    def find():
        try:
            return os.open(fifo, os.O_WRONLY | os.O_NONBLOCK)
        except OSError as error:
            test.assertEqual(error.errno, errno.ENXIO)
            return None

    return wait_for(test, process, f"does not open {fifo}", find)


def has_open(process, path):
    """Whether the process has the file open."""
    for number in os.listdir(f"/proc/{process.pid}/fd"):
        try:
            if os.path.samefile(f"/proc/{process.pid}/fd/{number}", path):
                return True
        except FileNotFoundError:  # it is closed
            pass
    return False


def wait_until_open(test, process, path):
    """Until the process has the file open, and a little longer."""
    wait_for(test, process, f"does not open {path}", lambda: has_open(process, path) or None)
    time.sleep(0.2)


def wait_until_closed(test, process, path):
    """Until the process has the file open no more."""
    wait_for(test, process, f"does not close {path}", lambda: not has_open(process, path) or None)


def interrupt(test, process):
    """Ctrl-C: the program has not ended before, and ends by the signal at once."""
    test.assertIsNone(process.poll(), process.args)
    process.send_signal(signal.SIGINT)
    test.assertEqual(process.wait(LIMIT_S), -signal.SIGINT, process.args)


def interrupt_reader(test, words, fifo, **more):
    """Ctrl-C while a program reads a FIFO that nobody writes. The program prints nothing."""
    process = start(test, words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, **more)
    writer = open_to_write(test, process, fifo)
    test.addCleanup(os.close, writer)
    interrupt(test, process)
    test.assertEqual(process.stdout.read(), b"", words)


def with_closed_output(words, **more):
    """The finished process of a program whose standard output is a pipe that nobody reads."""
    reads, writes = os.pipe()
    os.close(reads)
    try:
        return subprocess.run(words, stdout=writes, stderr=subprocess.PIPE, timeout=LIMIT_S, check=False, **more)
    finally:
        os.close(writes)
