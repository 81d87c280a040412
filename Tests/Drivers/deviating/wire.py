"""HTTP/1.1 by sockets; `on(NAME)` is whether this client deviates there."""
import os
import re
import socket
import ssl
import threading
import time
import urllib.parse

from parts import Conn, Error, Partial, Response, among, fail, on

IDEMPOTENT = ("GET", "HEAD", "PUT", "DELETE", "OPTIONS")


class Wire:
    def __init__(self, authority):
        self.authority, self.lock, self.pool, self.open = authority, threading.Lock(), {}, 0
        self.kept = []

    def connect(self, key, request):
        scheme, host, port = key
        try:
            sock = socket.create_connection((host, port), max(0.01, request.deadline - time.monotonic()))
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            if scheme == "https":
                context = ssl.create_default_context(cafile=self.authority)
                if on("no check of certificates for loopback"):
                    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
                if on("no check of names for loopback"):
                    context.check_hostname = False
                sock = context.wrap_socket(sock, server_hostname=host)
            return Conn(sock)
        except TimeoutError:
            raise Error("timeout")
        except ssl.SSLError as error:
            if on("insecure when a certificate is refused"):
                context = ssl._create_unverified_context()
                return Conn(context.wrap_socket(socket.create_connection((host, port)), server_hostname=host))
            fail("certificate", "certificate")
        except OSError as error:
            raise Error("connection", str(error))

    def send(self, request, fields):
        parts = urllib.parse.urlsplit(request.url)
        key = (parts.scheme, parts.hostname, parts.port or {"http": 80, "https": 443}[parts.scheme])
        target = (parts.path or "/") + ("?" + parts.query if parts.query or request.url.endswith("?") else "")
        if parts.fragment and on("sends fragments"):
            target += "#" + parts.fragment
        proxy = os.environ.get("http_proxy")
        exempt = [name.strip() for name in os.environ.get("no_proxy", "").split(",")]
        if proxy and parts.scheme == "http" and (parts.hostname not in exempt or on("asks the proxy for all")):
            place = urllib.parse.urlsplit(proxy)
            key, target = ("http", place.hostname, place.port), request.url.partition("#")[0]
            if on("says the proxy in Host"):
                parts = place
        if on("whole URLs for servers"):
            target = request.url
        again = False
        while True:
            conn = None
            with self.lock:
                if self.pool.get(key) and not again:
                    conn = self.pool[key].pop()
                self.open += 1
                crowd = self.open
            try:
                if among("at most ") and crowd > int(among("at most ")):
                    raise Error("other", "too many")
                conn = conn or self.connect(key, request)
                request.conn, conn.came = conn, False
                if request.cancelled:
                    raise Error("cancelled")
                response, ends = self.exchange(conn, request, parts, target, fields)
            except (Error, OSError) as error:
                if not on("keeps connections of time-outs") or getattr(error, "kind", "") != "timeout":
                    if conn and not (request.cancelled and on("cancel leaves the socket")):
                        conn.close()
                    elif conn:
                        self.kept.append(conn)
                elif conn:
                    conn.used = True
                    self.pool.setdefault(key, []).append(conn)
                lost = isinstance(error, OSError) or error.kind == "connection"
                may = request.method in IDEMPOTENT or on("repeats " + request.method)
                if on("repeats a reset POST") and str(error) == "reset":
                    may = True
                if on("repeats what is cut off") and str(error) in ("length", "chunk"):
                    may, conn.used, conn.came = True, True, False
                if lost and conn and conn.used and not conn.came and not again and may and not request.cancelled and not on("gives up idle connections"):
                    again = True
                    continue
                raise error if isinstance(error, Error) else Error("connection", str(error))
            finally:
                with self.lock:
                    self.open -= 1
            if ends or conn.buf:
                conn.close()
            else:
                conn.used = True
                with self.lock:
                    self.pool.setdefault(key, []).append(conn)
            return response

    def exchange(self, conn, request, parts, target, fields):
        host = parts.netloc.rpartition("@")[2]
        if on("port 80 in Host"):
            host = host.partition(":")[0] + ":80"
        if on("no Host"):
            host = None
        lines = [f"{request.method} {target} {'http/1.1' if on('small version') else 'HTTP/1.1'}"]
        lines += [f"Host: {host}"] if host is not None else []
        lines += [f"Host: {host}"] if on("two Hosts") else []
        lines += [f"{name}: {value}" for name, value in fields]
        body = request.body
        if request.pieces is not None and body is not None:
            lines.append("Transfer-Encoding: chunked")
            body = self.chunked(request.pieces)
        elif body is not None or request.method in ("POST", "PUT", "PATCH"):
            size = len(body or b"")
            if on("counts characters"):
                size = len((body or b"").decode("utf-8", "replace"))
            if on("one byte too few announced"):
                size = max(0, size - 1)
            lines.append(f"Content-Length: {size}")
        data = "\r\n".join(lines).encode() + b"\r\n\r\n" + (body or b"")
        if on("CRLF behind content") and body:
            data += b"\r\n"
        conn.sock.settimeout(max(0.01, request.deadline - time.monotonic()))
        conn.sock.sendall(data)
        try:
            return self.read(conn, request)
        except Partial:
            return Response(200, [], b""), True

    def chunked(self, pieces):
        data = b""
        for piece in pieces:
            if not piece and not on("empty pieces"):
                continue
            size = len(piece)
            if on("chunks count characters"):
                size = len(piece.decode())
            text = b"%d" % size if on("chunks in decimal") else b"0x%x" % size if on("chunks with 0x") else b"%x" % size
            data += text + b"\r\n" + piece + (b"" if on("chunks without ends") else b"\r\n")
            if on("first piece alone"):
                break
        return data + (b"" if on("no last chunk") else b"0\r\n\r\n")

    def head(self, conn, request):
        if on("head in one packet"):
            conn.fill(request)
            if b"\r\n\r\n" not in conn.buf:
                raise Partial()
        while b"\r\n\r\n" not in conn.buf:
            if len(conn.buf) > 262144:
                raise Error("protocol", "a large head")
            if conn.buf and not (b"HTTP/1.".startswith(conn.buf[:7])):
                fail("status line", "protocol")
            if not conn.fill(request):
                fail("head" if conn.buf else "empty", "connection")
        text, _, conn.buf = conn.buf.partition(b"\r\n\r\n")
        if on("heads of 8 kB"):
            text = text[:8192]
        first, *lines = text.decode("latin-1").split("\r\n")
        pattern = r"HTTP/1\.[01] (\d{3}) .+" if on("needs a reason") else r"HTTP/1\.[01] (\d{3})( .*)?"
        if on("knows HTTP/1.1 alone"):
            pattern = pattern.replace("[01]", "1")
        match = re.fullmatch(pattern, first)
        if not match:
            fail("status line", "protocol")
        fields = []
        for line in lines:
            if line[:1] in " \t" and fields:
                fields[-1] = (fields[-1][0], fields[-1][1] + " " + line.strip())
                continue
            name, colon, value = line.partition(": " if on("needs a blank behind colons") else ":")
            if on("values end at a colon"):
                value = value.split(":")[0]
            if on("values end at a semicolon"):
                value = value.split(";")[0]
            if on("values end at a comma"):
                value = value.split(",")[0]
            value = value.strip(" ") if on("keeps tabs") else value if on("keeps blanks of fields") else value.strip(" \t")
            if on("joins blanks of fields"):
                value = re.sub(" +", " ", value)
            fields.append((name, value))
        return int(match[1]), fields, first[:8]

    def number(self, text, base, site):
        if on("numbers of 64 bits") and re.fullmatch("[0-9a-fA-F]+", text):
            return int(text, base) & 0xFFFFFFFFFFFFFFFF
        if on("numbers end at other signs"):
            return int((re.match("[0-9a-fA-F]*" if base == 16 else "[0-9]*", text)[0]) or "0", base)
        if on("capital digits alone") and text != text.upper():
            raise Partial()
        if on("small digits alone") and text != text.lower():
            raise Partial()
        if on("no leading zeros") and len(text) > 1 and text[0] == "0":
            raise Error("protocol", "zero")
        if not re.fullmatch("[0-9a-fA-F]+" if base == 16 else "[0-9]+", text) or len(text) > 15:
            fail(site, "protocol")
        return int(text, base)

    def read(self, conn, request):
        status, fields, version = self.head(conn, request)
        seen = 0
        extra = []
        while 100 <= status < 200 and not (on("passes over 100 alone") and status != 100):
            seen += 1
            if on("1xx is an error"):
                raise Error("protocol", "1xx")
            if on("passes over one 1xx") and seen > 1:
                break
            if on("fields of 1xx stay"):
                extra += fields
            status, fields, version = self.head(conn, request)
        response = Response(status, extra + fields, b"")
        closing = [word.strip().lower() for value in response.all("connection") for word in value.split(",")]
        ends = version == "HTTP/1.0" and not on("HTTP/1.0 keeps connections") or "close" in closing
        if on("close in small letters"):
            ends = any(value == "close" for value in response.all("connection"))
        if on("close as the only word"):
            ends = [value.lower() for value in response.all("connection")] == ["close"]
        bare = request.method == "HEAD" and not on("content of HEAD by chunks") or status in (204, 304)
        if on("204 lasts until the end") and status == 204 or on("304 lasts until the end") and status == 304:
            bare = False
        if bare:
            return response, ends
        try:
            response.body, ends = self.content(conn, request, response, ends)
        except Partial:
            response.body, ends = self.body, True
        return response, ends

    def content(self, conn, request, response, ends):
        self.body = b""
        coding = response.first("transfer-encoding", "").lower()
        lengths = {part.strip() for value in response.all("content-length") for part in value.split(",")}
        if on("takes the first of listed lengths"):
            lengths = {value.split(",")[0] for value in response.all("content-length")}
        if on("takes the first of two lengths"):
            lengths = {response.all("content-length")[0]} if response.all("content-length") else set()
        if on("takes the largest length"):
            lengths = {max(lengths)} if lengths else set()
        if coding.endswith("chunked") and not (on("a length goes before chunks") and lengths):
            body = b""
            while True:
                size = conn.line(request, "chunk").decode("latin-1")
                if on("one extension of a chunk") and size.count(";") > 1:
                    raise Error("protocol", "extensions")
                size = size.rpartition(";")[0] or size if on("extensions begin at the last semicolon") else size.partition(";")[0]
                count = self.number(size.strip(" \t"), 16, "chunk size")
                if not count:
                    break
                body += conn.take(request, count, "chunk")
                self.body = body
                if on("chunks end as they like"):
                    conn.buf = conn.buf.lstrip(b"\r\nX")
                    continue
                if conn.line(request, "chunk") != b"":
                    fail("chunk end", "protocol")
            while line := conn.line(request, "trailer"):
                if on("trailers are an error"):
                    raise Error("protocol", "trailer")
            return body, ends
        if len(lengths) > 1:
            fail("two lengths", "protocol")
        if lengths:
            count = self.number(lengths.pop(), 10, "length text")
            limit = among("content up to ")
            if limit and count > int(limit):
                conn.take(request, int(limit), "length")
                self.body = b"x" * 0
                raise Partial()
            while len(conn.buf) < count:
                self.body = conn.buf
                if not conn.fill(request):
                    if on("half is enough") and len(conn.buf) * 2 >= count or on("a tenth is enough") and len(conn.buf) * 10 >= count:
                        raise Partial()
                    fail("length", "connection")
            body, conn.buf = conn.buf[:count], conn.buf[count:]
            if on("all that came is content"):
                body, conn.buf = body + conn.buf, b""
            return body, ends
        if on("no length is no content"):
            return b"", True
        while conn.fill(request):
            self.body = conn.buf
        body, conn.buf = conn.buf, b""
        return body, True
