"""One request and one answer over HTTP/1.1, by sockets; the same with defects."""
import re
import socket
import ssl
import subprocess
import threading
import time
import urllib.parse

from exchange import Answer, Failure


class Connection:
    def __init__(self, socket):
        self.socket, self.rest, self.used, self.was_reset = socket, b"", False, False
        self.is_spoiled = False

    def close(self):
        try:
            self.socket.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass
        self.socket.close()


class HTTP1:
    def __init__(self, defects, authority=None, proxy=None):
        self.defects, self.authority, self.proxy = defects, authority, proxy
        self.idle, self.lock, self.leaked, self.open = {}, threading.Lock(), [], 0
        self.places = threading.Semaphore(100)

    def has(self, defect):
        return defect in self.defects

    def close(self):
        for connection in [connection for all in self.idle.values() for connection in all] + self.leaked:
            connection.close()

    # Connections

    def connect(self, origin, timeout):
        scheme, host, port = origin
        try:
            plain = socket.create_connection((host, port), timeout)
            return Connection(self.secured(plain, host) if scheme == "https" else plain)
        except ssl.SSLError as error:
            raise Failure("certificate", str(error))
        except TimeoutError:
            raise Failure("timeout")
        except OSError as error:
            raise Failure("connection", str(error))

    def secured(self, plain, host):
        context = ssl.create_default_context(cafile=self.authority)
        if self.has("takes every certificate"):
            context = ssl._create_unverified_context()
        if self.has("asks no certificate for its host"):
            context.check_hostname = False
        if self.has("asks no certificate for its days"):
            context.verify_flags |= 0x200000  # X509_V_FLAG_NO_CHECK_TIME
        if self.has("takes certificates of every authority"):
            context = ssl._create_unverified_context()
            # What it does look at, after the handshake, is the name and the days.
            wrapped = context.wrap_socket(plain, server_hostname=host)
            self.examined(wrapped, host)
            return wrapped
        return context.wrap_socket(plain, server_hostname=host)

    def examined(self, wrapped, host):
        text = ssl.DER_cert_to_PEM_cert(wrapped.getpeercert(True))
        for check in (["-checkend", "0"], ["-checkhost", host]):
            said = subprocess.run(["openssl", "x509", "-noout", *check], input=text, text=True, capture_output=True).stdout
            if "will expire" in said or "NOT match" in said:
                raise Failure("certificate", said)

    def taken(self, origin, timeout):
        with self.lock:
            waiting = self.idle.get(origin) or []
            if waiting and not self.has("opens a connection for each request"):
                return waiting.pop()
        return self.connect(origin, timeout)

    # One request

    def send(self, request, fields):
        parts = urllib.parse.urlsplit(request.url)
        origin = (parts.scheme, parts.hostname, parts.port or (443 if parts.scheme == "https" else 80))
        target = (parts.path or "/") + ("?" + parts.query if "?" in request.url else "")
        if parts.fragment and self.has("sends the fragment of Location"):
            target += "#" + parts.fragment
        peer = origin
        if self.proxy and (parts.hostname == "127.0.0.3" or parts.hostname.endswith("contract.test")):
            proxy = urllib.parse.urlsplit(self.proxy)
            peer = ("http", proxy.hostname, proxy.port)
            target = target if self.has("asks a proxy for a path") else request.url
        while self.has("keeps a place for each cancelled request") and not self.places.acquire(timeout=0.02):
            if request.cancelled or request.left() <= 0.001:
                raise Failure("cancelled" if request.cancelled else "timeout", "no place in the pool")
        with self.lock:
            self.open += 1
            if self.has("refuses more than six at once") and self.open > 6:
                self.open -= 1
                raise Failure("other", "too many at once")
        try:
            return self.exchanged(request, fields, peer, parts, target)
        finally:
            with self.lock:
                self.open -= 1
            if self.has("keeps a place for each cancelled request") and not request.cancelled:
                self.places.release()

    def exchanged(self, request, fields, peer, parts, target):
        if request.cancelled:
            raise Failure("cancelled")
        connection = self.taken(peer, request.left())
        request.wire = connection
        if request.cancelled:
            self.leave(connection)
            raise Failure("cancelled")
        try:
            return self.asked(connection, request, fields, peer, parts, target)
        except Failure as failure:
            self.leave(connection)
            safe = request.method in ("GET", "HEAD", "OPTIONS", "PUT", "DELETE") or self.has("sends a lost POST again")
            again = safe and not self.has("does not ask again on a connection that has ended")
            if connection.used and failure.kind == "connection" and connection.silent and again and not request.cancelled:
                request.wire = connection = self.connect(peer, request.left())
                if self.has("sends a request again without its content"):
                    request.body = None
                return self.asked(connection, request, fields, peer, parts, target)
            raise

    def leave(self, connection):
        if self.has("leaves a cancelled connection open"):
            self.leaked.append(connection)
        else:
            connection.close()

    def asked(self, connection, request, fields, peer, parts, target):
        host = parts.hostname if self.has("says Host without its port") else parts.netloc
        lines = [f"{request.method} {target} HTTP/1.1", f"Host: {host}"] + [f"{name}: {value}" for name, value in fields]
        if request.pieces is not None and request.body is not None:
            return self.asked_in_pieces(connection, request, lines, peer)
        if request.body is not None or request.method in ("POST", "PUT", "PATCH"):
            lines.append(f"Content-Length: {len(request.body or b'')}")
        return self.exchange(connection, request, lines, request.body or b"", peer)

    def asked_in_pieces(self, connection, request, lines, peer):
        pieces = request.pieces if self.has("sends an empty piece as a chunk") else [piece for piece in request.pieces if piece]
        content = b"".join(b"%x\r\n%s\r\n" % (len(piece), piece) for piece in pieces + [b""])
        return self.exchange(connection, request, lines + ["Transfer-Encoding: chunked"], content, peer)

    def exchange(self, connection, request, lines, content, peer):
        connection.silent = True
        try:
            connection.socket.settimeout(request.left())
            connection.socket.sendall("\r\n".join(lines).encode() + b"\r\n\r\n" + content)
        except OSError:
            raise Failure("cancelled" if request.cancelled else "connection", "it ended before the request was sent")
        answer, ends = self.answer(connection, request)
        if connection.rest:
            connection.is_spoiled = not self.has("leaves content of redirections on the connection")
        if ends or connection.is_spoiled or self.has("opens a connection for each request"):
            connection.close()
        else:
            connection.used = True
            with self.lock:
                self.idle.setdefault(peer, []).append(connection)
        return answer

    # One answer

    def receive(self, connection, request):
        while True:
            connection.socket.settimeout(min(request.left(), 0.1))
            try:
                bytes = connection.socket.recv(65536)
                break
            except TimeoutError:
                if request.cancelled or request.left() <= 0.001:
                    raise Failure("cancelled" if request.cancelled else "timeout")
            except OSError as error:
                if self.has("takes a reset for the end") and not request.cancelled:
                    connection.was_reset = True
                    return b""
                raise Failure("cancelled" if request.cancelled else "connection", str(error))
        if not bytes and request.cancelled:
            raise Failure("cancelled")
        if bytes:
            connection.silent = False
        return bytes

    def line(self, connection, request):
        while b"\n" not in connection.rest:
            more = self.receive(connection, request)
            if not more:
                raise Failure("connection", "it ended in the middle of a line")
            connection.rest += more
        line, _, connection.rest = connection.rest.partition(b"\n")
        return line.rstrip(b"\r").decode("latin-1")

    def head(self, connection, request):
        if self.has("takes what is not HTTP for content") and not connection.rest:
            connection.rest += self.receive(connection, request)
            if connection.rest and not connection.rest.startswith(b"HTTP/"):
                return 200, [], "HTTP/0.9"
        lenient = self.has("takes nothing for an empty answer")
        if (lenient or self.has("takes a reset for the end")) and not connection.rest:
            connection.rest += self.receive(connection, request)
            if not connection.rest and (lenient or connection.was_reset):
                return 200, [("Content-Length", "0"), ("Connection", "close")], "HTTP/1.1"
        match = re.match(r"(HTTP/1\.[01]) (\d{3})(?: |$)", self.line(connection, request))
        if not match:
            raise Failure("protocol", "no status line")
        if match[1] == "HTTP/1.0" and self.has("does not know HTTP/1.0"):
            raise Failure("protocol", "HTTP/1.0")
        headers = []
        while line := self.line(connection, request):
            name, colon, value = line.partition(":")
            headers.append((name, value.strip()))
        return int(match[2]), headers, match[1]

    def answer(self, connection, request):
        status, headers, version = self.head(connection, request)
        while 100 <= status < 200 and not self.has("takes 1xx for the response"):
            if status == 103 and self.has("takes 103 for the response"):
                break
            status, headers, version = self.head(connection, request)
        fields = {name if self.has("knows fields by their capitals") else name.lower(): value for name, value in headers}
        if self.has("knows fields by their capitals"):
            fields = {name.lower(): value for name, value in fields.items() if name.istitle()}
        lengths = {value for name, value in headers if name.lower() == "content-length"}
        if len(lengths) > 1 and not self.has("takes the last of two lengths"):
            raise Failure("protocol", "two lengths")
        ends = version != "HTTP/1.1" or "close" in re.split(r"[\s,]+", fields.get("connection", "").lower()) and not self.has("does not know Connection close")
        if version == "HTTP/0.9":
            return Answer(status, headers, connection.rest + self.rest(connection, request)), True
        bare = request.method == "HEAD" and not self.has("waits for the content of HEAD")
        if bare or status == 204 or status < 200 or status == 304 and not self.has("waits for the content of 304"):
            return Answer(status, headers, b""), ends
        if status in (301, 302, 303, 307, 308) and self.has("leaves content of redirections on the connection"):
            return Answer(status, headers, b""), ends
        coding = fields.get("transfer-encoding", "")
        if "chunked" in (coding if self.has("knows chunked in small letters") else coding.lower()) and not self.has("knows no chunks"):
            body = self.chunks(connection, request)
        elif "content-length" in fields:
            body = self.counted(connection, request, self.number(fields["content-length"], 10))
        elif self.has("reads no content without a length"):
            return Answer(status, headers, b""), True
        else:
            body, ends = connection.rest + self.rest(connection, request), True
        return Answer(status, headers, body), ends

    def counted(self, connection, request, count):
        pieces, begun = 0, time.monotonic()
        while len(connection.rest) < count:
            try:
                more = self.receive(connection, request)
            except Failure as failure:
                if self.has("takes what came in time for all") and failure.kind == "timeout":
                    count, connection.is_spoiled = len(connection.rest), True
                    break
                raise
            connection.rest, pieces = connection.rest + more, pieces + 1
            # Content that comes in large pieces is not slow, however busy the machine.
            is_slow = time.monotonic() - begun > 0.1 and len(more) < 1024 and len(connection.rest) < count
            if is_slow and self.has("has no time for content"):
                raise Failure("timeout")
            if not more or self.has("reads content once") and pieces > 1:
                if more or self.has("takes half of content for all"):
                    connection.is_spoiled = len(connection.rest) < count
                    count = min(count, len(connection.rest))
                    break
                raise Failure("connection", f"{count - len(connection.rest)} bytes are missing")
        body, connection.rest = connection.rest[:count], connection.rest[count:]
        return body

    def number(self, text, base):
        """Digits, and nothing else that a language takes for a number."""
        if self.has("reads numbers as Python does"):
            try:
                return max(0, int(text, base))
            except ValueError:
                raise Failure("protocol", f"{text} is not a number")
        if not re.fullmatch(r"[0-9]+" if base == 10 else r"[0-9a-fA-F]+", text):
            raise Failure("protocol", f"{text} is not a number")
        return int(text, base)

    def chunks(self, connection, request):
        body = b""
        while True:
            try:
                size = self.line(connection, request)
            except Failure:
                if self.has("takes a broken chunk for the end"):
                    connection.is_spoiled = True
                    return body
                raise
            if not self.has("knows no chunk extensions"):
                size = size.partition(";")[0].strip()
            count = self.number(size, 16)
            if count == 0:
                break
            body += self.counted(connection, request, count)
            self.chunk_end(connection, request)
        while trailer := self.line(connection, request):
            body += trailer.encode() if self.has("takes trailers for content") else b""
        return body

    def chunk_end(self, connection, request):
        if self.has("takes any two bytes for the end of a chunk"):
            self.counted(connection, request, 2)
        elif self.line(connection, request):
            raise Failure("protocol", "bytes behind a chunk")

    def rest(self, connection, request):
        body = b""
        while more := self.receive(connection, request):
            body += more
        return body

    def cancel(self, request):
        request.cancelled = True
        if self.has("leaves a cancelled connection open"):
            return
        request.wire.close()
