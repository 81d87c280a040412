# SPDX-License-Identifier: Apache-2.0
# Copyright the mockapi authors
"""Sends bursts of requests to a server whose counters lie in a file, and holds what each request cost against its limit."""

import socket
import struct
import subprocess
import sys
import urllib.parse

ARTICLE = "/api/contents?filter%5Bcontent_types%5D%5B%5D=article&filter%5Bdomain_ids%5D%5B%5D=5"
BURST = 16
BURSTS = 250
KINDS = ["allocations", "receives", "sends", "waits", "changes", "others"]
# A request's share of each, in hundredths: the most that is allowed. How streams come together is up to the client, so their system calls
# have room; allocations have none.
LIMITS = {
    "HTTP/1.1, 16 requests in one write": [12, 14, 14, 100, 50, 5],
    "HTTP/1.1, one request after another": [12, 115, 115, 700, 300, 5],
    # Five allocations are nghttp2's, for the stream and its frames.
    "HTTP/2, 16 streams at once": [525, 40, 40, 200, 100, 5],
}


def counters(path):
    with open(path, "rb") as file:
        return struct.unpack("6Q", file.read(48))


def connect(url):
    parts = urllib.parse.urlsplit(url)
    return parts.netloc, socket.create_connection((parts.hostname, parts.port))


def read_answers(connection, count):
    """Reads answers with a Content-Length until there are `count`."""
    rest = b""
    while count:
        end = rest.find(b"\r\n\r\n")
        if end >= 0:
            head = rest[:end].lower()
            assert head.startswith(b"http/1.1 200 "), head
            length = int(head.split(b"content-length: ")[1].split(b"\r\n")[0])
            if len(rest) >= end + 4 + length:
                rest = rest[end + 4 + length :]
                count -= 1
                continue
        piece = connection.recv(1 << 20)
        assert piece, "the server ended the connection"
        rest += piece


def http1(url, burst, bursts):
    host, connection = connect(url)
    request = f"GET {ARTICLE} HTTP/1.1\r\nHost: {host}\r\nAccept: */*\r\n\r\n".encode()
    with connection:
        for _ in range(bursts):
            connection.sendall(request * burst)
            read_answers(connection, burst)
    return burst * bursts


def http2(url, streams, bursts):
    count = streams * bursts
    output = subprocess.run(
        ["h2load", "-c", "1", "-m", str(streams), "-n", str(count), url + ARTICLE],
        check=True, capture_output=True, text=True,
    ).stdout
    assert f"{count} succeeded" in output, output
    return count


def cost(path, load):
    load(BURSTS // 10)
    before = counters(path)
    count = load(BURSTS)
    after = counters(path)
    return [100 * (late - early) / count for early, late in zip(before, after)]


def main(path, url):
    loads = {
        "HTTP/1.1, 16 requests in one write": lambda bursts: http1(url, BURST, bursts),
        "HTTP/1.1, one request after another": lambda bursts: http1(url, 1, bursts * 4),
        "HTTP/2, 16 streams at once": lambda bursts: http2(url, BURST, bursts),
    }
    grown = False
    print(f"{'a hundred requests cost':38}" + "".join(f"{kind:>13}" for kind in KINDS))
    for name, load in loads.items():
        found = cost(path, load)
        print(f"{name:38}" + "".join(f"{value:13.0f}" for value in found))
        print(f"{'    at most':38}" + "".join(f"{limit:13}" for limit in LIMITS[name]))
        for kind, value, limit in zip(KINDS, found, LIMITS[name]):
            if value > limit:
                print(f"error: {name}: {value:.0f} {kind} for a hundred requests, where {limit} are allowed")
                grown = True
    sys.exit(1 if grown else 0)


main(*sys.argv[1:])
