# SPDX-License-Identifier: Apache-2.0
# Copyright the mockapi authors
"""Holds idle connections to a server and reads what they cost it.

idle.py COUNT PORT TARGET PID...

Each connection asks once, reads the whole answer and then stays open. Prints: connections, resident KiB of the
processes before and after, the milliseconds of an answer on a new connection (median of 100), and how many of a hundred
idle connections, asked again, still answer.
"""

import resource
import socket
import statistics
import struct
import sys
import time


def resident(pids):
    total = 0
    for pid in pids:
        with open(f"/proc/{pid}/status") as status:
            total += next(int(line.split()[1]) for line in status if line.startswith("VmRSS:"))
    return total


def connect(port):
    client = socket.create_connection(("127.0.0.1", port), timeout=10)
    # Closed by a reset, so that thousands of ports do not linger.
    client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    return client


def ask(client, request):
    """Whether a whole answer of 200 came."""
    try:
        client.sendall(request)
        received = b""
        while b"\r\n\r\n" not in received:
            part = client.recv(65536)
            if not part:
                return False
            received += part
        head, _, body = received.partition(b"\r\n\r\n")
        lines = head.split(b"\r\n")
        length = next(int(line.split(b":")[1]) for line in lines[1:] if line.lower().startswith(b"content-length:"))
        missing = length - len(body)
        while missing > 0:
            part = client.recv(65536)
            if not part:
                return False
            missing -= len(part)
        return b" 200 " in lines[0]
    except OSError:
        return False


def main():
    count, port, target, pids = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3], [int(pid) for pid in sys.argv[4:]]
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard != resource.RLIM_INFINITY and hard < count + 100:
        sys.exit(f"idle.py: {count} connections need a hard descriptor limit of {count + 100}; it is {hard} (ulimit -Hn)")
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(count + 100, 1024), hard))
    request = f"GET {target} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode()

    with connect(port) as first:
        if not ask(first, request):
            sys.exit(f"idle.py: {target} is not answered with 200")
    before = resident(pids)
    clients = []
    for number in range(count):
        clients.append(connect(port))
        if not ask(clients[-1], request):
            sys.exit(f"idle.py: connection {number + 1} of {count} is not answered")
    after = resident(pids)

    times = []
    for _ in range(100):
        began = time.perf_counter()
        with connect(port) as client:
            if not ask(client, request):
                sys.exit(f"idle.py: a new connection beside {count} idle ones is not answered")
        times.append((time.perf_counter() - began) * 1000)
    again = clients[:: max(1, count // 100)][:100]
    alive = sum(ask(client, request) for client in again)
    print(f"{count} {before} {after} {statistics.median(times):.3f} {alive}/{len(again)}")


main()
