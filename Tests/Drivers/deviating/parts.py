"""Requests, responses and connections. `on(NAME)` is whether this client deviates there; without a name it does right. Names are in deviations.tsv."""
import socket
import sys
import time

DEVIATION = sys.argv[1] if len(sys.argv) > 1 else ""


def on(name):
    return DEVIATION == name


def among(prefix):
    """What stands behind a prefix in the deviation's name; None if it has another."""
    return DEVIATION[len(prefix):] if DEVIATION.startswith(prefix) else None


class Error(Exception):
    def __init__(self, kind, detail=""):
        super().__init__(detail or kind)
        self.kind = kind


class Partial(Exception):
    """What a client that deviates takes for the whole."""


def fail(site, kind):
    if on("swallow " + site):
        raise Partial()
    raise Error("timeout" if on("late " + site) else kind, site)


class Request:
    def __init__(self, method, url, headers, body=None, seconds=10, pieces=None):
        self.method, self.url, self.headers, self.body, self.pieces = method, url, headers, body, pieces
        self.deadline, self.cancelled, self.conn = time.monotonic() + seconds, False, None
        self.hops = 0

    def cancel(self):
        self.cancelled = True
        if self.conn and not on("cancel leaves the socket"):
            self.conn.close()


class Response:
    def __init__(self, status, headers, body):
        self.status, self.headers, self.body = status, headers, body

    def all(self, name):
        return [value for key, value in self.headers if key.lower() == name]

    def first(self, name, default=None):
        return (self.all(name) or [default])[0]


class Conn:
    def __init__(self, sock):
        self.sock, self.buf, self.used, self.came = sock, b"", False, False

    def close(self):
        try:
            self.sock.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass
        self.sock.close()

    def fill(self, request):
        while True:
            if on("time-outs of heads ten times too late") and not self.came or on("time-outs of content ten times too late") and self.came:
                request.deadline += 0.09
            left = request.deadline - time.monotonic()
            if request.cancelled:
                raise Error("cancelled")
            if left <= 0:
                fail("time", "connection" if on("a time-out is a lost connection") else "protocol" if on("a time-out is not HTTP") else "timeout")
            try:
                self.sock.settimeout(min(left, 0.1))
                data = self.sock.recv(65536)
            except TimeoutError:
                continue
            except OSError:
                if request.cancelled:
                    raise Error("cancelled")
                fail("reset", "connection")
            if request.cancelled and not data:
                raise Error("cancelled")
            self.came = self.came or bool(data)
            self.buf += data
            return bool(data)

    def take(self, request, count, site):
        while len(self.buf) < count:
            if not self.fill(request):
                fail(site, "connection")
        data, self.buf = self.buf[:count], self.buf[count:]
        return data

    def line(self, request, site):
        while b"\r\n" not in self.buf:
            if not self.fill(request):
                fail(site, "connection")
        line, _, self.buf = self.buf.partition(b"\r\n")
        return line
