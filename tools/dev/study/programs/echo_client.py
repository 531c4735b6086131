# SPDX-License-Identifier: Apache-2.0
"""Starts an echo server, sends it datagrams one after another, and waits for its end (tools/dev/study).

usage: echo_client.py DATAGRAMS SERVER...
"""

import socket
import subprocess
import sys

ANSWER_LIMIT_S = 10


def main():
    datagrams, server = int(sys.argv[1]), sys.argv[2:]
    process = subprocess.Popen(server, stdout=subprocess.PIPE, text=True)
    port = int(process.stdout.readline().rpartition(":")[2])
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as client:
        client.connect(("127.0.0.1", port))
        client.settimeout(ANSWER_LIMIT_S)
        for number in range(datagrams):
            text = b"datagram %d" % number
            client.send(text)
            if client.recv(2048) != text:
                return 1
    process.stdout.read()
    return process.wait()


if __name__ == "__main__":
    sys.exit(main())
