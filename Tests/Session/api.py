# SPDX-License-Identifier: Apache-2.0
# Copyright the mockapi authors

"""The API of a small newsroom, with a state of its own: what the session's test records. Prints its port, and serves until it is ended."""
import gzip, hashlib, json, pathlib, secrets, struct, threading, urllib.parse, zlib
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

PAGE = pathlib.Path(__file__).with_name("page.html").read_bytes()
PASSWORD = "right-Kq7vT2mX"
TOKENS = set()
ARTICLES = {n: {"id": n, "title": f"Article {n}", "tags": ["a", "b"][: n % 3], "read": n * 1.5} for n in range(1, 26)}
COMMENTS = {}
NEXT = [26]
LOCK = threading.Lock()


def picture():
    """A PNG of one pixel."""
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 1, 1, 8, 2, 0, 0, 0))
            + chunk(b"IDAT", zlib.compress(b"\0\x10\x20\x30")) + chunk(b"IEND", b""))


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *arguments):
        pass

    def answer(self, status, value=None, fields=(), body=None, kind="application/json"):
        body = body if body is not None else b"" if value is None else json.dumps(value).encode()
        fields = list(fields)
        if len(body) > 400 and "gzip" in self.headers.get("Accept-Encoding", ""):
            body = gzip.compress(body, mtime=0)
            fields += [("Content-Encoding", "gzip"), ("Vary", "Accept-Encoding")]
        self.send_response(status)
        for name, text in fields:
            self.send_header(name, text)
        if status not in (204, 304):
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD" and status not in (204, 304):
            self.wfile.write(body)

    def problem(self, status, text):
        self.answer(status, {"error": {"status": status, "text": text}}, kind="application/problem+json")

    def any_method(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        target = urllib.parse.urlsplit(self.path)
        query = dict(urllib.parse.parse_qsl(target.query))
        with LOCK:
            self.route(target.path.strip("/").split("/"), query, body)

    do_GET = do_HEAD = do_POST = do_PUT = do_PATCH = do_DELETE = any_method

    def route(self, path, query, body):
        method = "GET" if self.command == "HEAD" else self.command
        user = self.headers.get("Authorization", "")[len("Bearer "):] in TOKENS
        match [method] + path:
            case ["POST", "api", "login"]:
                if json.loads(body)["password"] != PASSWORD:
                    return self.problem(401, "this is not the password")
                token = "tok_" + secrets.token_urlsafe(24)
                TOKENS.add(token)
                self.answer(201, {"token": token, "user": {"name": "Ann"}}, [("Set-Cookie", f"session={secrets.token_hex(16)}; HttpOnly")])
            case ["GET", "api", "me"]:
                self.answer(200, {"name": "Ann", "role": "editor"}) if user else self.problem(401, "who are you?")
            case ["GET", "api", "articles"]:
                page, found = int(query.get("page", 1)), [a for a in ARTICLES.values() if query.get("q", "") in a["title"]]
                self.answer(200, {"data": found[page * 10 - 10:page * 10], "meta": {"page": page, "total": len(found)}},
                            [("Link", f'</api/articles?page={page + 1}>; rel="next"')])
            case ["POST", "api", "articles"]:
                if not user:
                    return self.problem(401, "who are you?")
                fields = json.loads(body)
                if not fields.get("title"):
                    return self.problem(422, "a title is needed")
                ARTICLES[NEXT[0]] = {"id": NEXT[0], **fields}
                NEXT[0] += 1
                self.answer(201, {"data": ARTICLES[NEXT[0] - 1]}, [("Location", f"/api/articles/{NEXT[0] - 1}")])
            case [_, "api", "articles", number, *rest] if int(number) not in ARTICLES:
                self.problem(404, f"there is no article {number}")
            case ["GET", "api", "articles", number]:
                text = json.dumps({"data": ARTICLES[int(number)]})
                tag = '"' + hashlib.sha256(text.encode()).hexdigest()[:12] + '"'
                if self.headers.get("If-None-Match") == tag:
                    return self.answer(304, fields=[("ETag", tag)])
                self.answer(200, body=text.encode(), fields=[("ETag", tag)])
            case ["PUT" | "PATCH", "api", "articles", number]:
                ARTICLES[int(number)].update(json.loads(body))
                self.answer(200, {"data": ARTICLES[int(number)]})
            case ["DELETE", "api", "articles", number]:
                del ARTICLES[int(number)]
                self.answer(204)
            case ["GET", "api", "articles", number, "comments"]:
                self.answer(200, {"data": COMMENTS.get(int(number), [])})
            case ["POST", "api", "articles", number, "comments"]:
                COMMENTS.setdefault(int(number), []).append(urllib.parse.parse_qs(body.decode())["text"][0])
                self.answer(201, {"count": len(COMMENTS[int(number)])})
            case ["GET", "images", "1.png"]:
                self.answer(200, body=picture(), kind="image/png")
            case ["POST", "api", "uploads"]:
                self.answer(201, {"bytes": len(body)})
            case ["POST", "graphql"]:
                name = json.loads(body)["variables"]["name"]
                self.answer(200, {"data": {"hello": f"Hello {name}"}})
            case ["GET", "latest"]:
                self.answer(302, fields=[("Location", "/api/articles/1")], body=b"")
            case ["GET", "app"]:
                self.answer(200, body=PAGE, kind="text/html; charset=utf-8")
            case ["GET", "feed.xml"]:
                self.answer(200, body=b"<feed><title>News &amp; more</title></feed>", kind="application/xml")
            case _:
                self.problem(404, "nothing is here")


server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
print(server.server_address[1], flush=True)
server.serve_forever()
