"""What a client makes of requests and answers, over whatever protocol: codings, redirections, cookies. Each `has` is a defect that can be
planted in it; without any it does right."""
import email.utils
import json
import re
import time
import urllib.parse

from codings import Codings, Failure
from credentials import Credentials
from jar import Jar

LIMIT = 10
SECRETS = ("authorization", "cookie", "proxy-authorization")
CONTENT = ("content-type", "content-length")

# What a defect writes in the place of what.
PATHS = (
    ("sends plus for a space in a path", "%20", "+"),
    ("sends a path in NFD", "%C3%A9", "e%CC%81"),
    ("sends a path in small letters", "/Caf", "/caf"),
    ("undoes an encoded slash", "%2F", "/"),
    ("encodes a path twice", "%", "%25"),
)
QUERIES = (
    ("undoes an ampersand that is data", "%26", "&"),
    ("undoes a number sign that is data", "%23", "#"),
    ("encodes a plus sign", "+", "%2B"),
    ("sends a plus sign as it is", "%2B", "+"),
    ("sends a space as nothing", "%20", ""),
    ("undoes a query before it encodes it", "%25", "%"),
    ("encodes a query twice", "%", "%25"),
)


class Answer:
    def __init__(self, status, headers, body):
        self.status, self.headers, self.body = status, headers, body

    def values(self, name):
        return [value for field, value in self.headers if field.lower() == name]


class Request:
    def __init__(self, method, url, headers, body, deadline):
        self.method, self.url, self.headers, self.body, self.deadline = method, url, headers, body, deadline
        # Set by who gives it up; `wire` is what has to be told of that.
        self.cancelled, self.wire = False, None
        # Content whose length is not known; None where it is.
        self.pieces = None

    def left(self):
        return max(0.001, self.deadline - time.monotonic())


class Exchange(Codings, Credentials):
    """`wire` sends one request and gives one answer, whatever its status."""

    def __init__(self, wire, defects, credentials=None):
        self.wire, self.defects, self.jar = wire, defects, Jar(defects)
        self.know(credentials)

    def has(self, defect):
        return defect in self.defects

    def fetch(self, request):
        self.take_credentials(request)
        self.change(request)
        hops = 0
        while True:
            answer = self.send(request)
            self.jar.keep(request.url, answer.values("set-cookie"))
            if not self.redirect(request, answer):
                return self.told(request, answer)
            self.take_credentials(request)
            hops += 1
            if hops > LIMIT:
                if self.has("gives the response of a circle"):
                    return answer
                raise Failure("redirects")

    def encoded(self, pairs):
        quote = urllib.parse.quote
        if self.has("takes a percent sign for an escape"):
            pairs = [(name, urllib.parse.unquote(value)) for name, value in pairs]
        safe = "+" if self.has("leaves a plus sign as it is") else "&" if self.has("leaves an ampersand as it is") else ""
        return "&".join(f"{quote(name, safe='')}={quote(value, safe=safe)}" for name, value in pairs)

    def change(self, request):
        """What is wrong with a request before it is sent."""
        headers, has = request.headers, self.has
        if has("drops a header"):
            headers[:] = [field for field in headers if field[0] != "X-Contract"]
        if has("splits a header") or has("cuts a header at its semicolon"):
            parts = [(name, part) for name, value in headers for part in value.split(";")]
            headers[:] = parts if has("splits a header") else [(name, value.split(";")[0]) for name, value in headers]
        if has("sends values in small letters"):
            headers[:] = [(name, value.lower()) for name, value in headers]
        if has("names a charset of every content"):
            headers[:] = [(name, value + "; charset=utf-8" if name == "Content-Type" and ";" not in value else value)
                          for name, value in headers]
        for name in ("Authorization", "If-None-Match"):
            if has(f"drops {name}"):
                headers[:] = [field for field in headers if field[0].lower() != name.lower()]
        if has("says form for every content") and request.body:
            headers[:] = [("Content-Type", "application/x-www-form-urlencoded")]
        for method in ("PUT", "PATCH", "DELETE"):
            if has(f"sends no content with {method}") and request.method == method:
                request.body = None
        if has("drops the query of POST") and request.method == "POST":
            request.url = request.url.partition("?")[0]
        for method, other in (("PATCH", "POST"), ("PATCH", "patch"), ("HEAD", "GET"), ("PURGE", "GET"), ("DELETE", "POST"),
                              ("OPTIONS", "GET"), ("PUT", "POST")):
            if has(f"sends {other} for {method}") and request.method == method:
                request.method = other
        request.url = self.altered(request.url)
        if request.body:
            request.body = self.content(request.body)
        if has("expects 100 of everything") or has("expects 100 of content, and takes no for a response") and request.body:
            headers.append(("Expect", "100-continue"))

    def altered(self, url):
        has = self.has
        path, question, query = url.partition("?")
        if has("joins double slashes"):
            path = path[:8] + path[8:].replace("//", "/")
        if has("drops the last slash"):
            path = path.rstrip("/")
        for defect, text, other in PATHS:
            if has(defect):
                path = path.replace(text, other)
        for defect, text, other in QUERIES:
            if has(defect):
                query = query.replace(text, other)
        if has("sends latin-1") and "%E" in query:
            query = urllib.parse.quote(urllib.parse.unquote(query).encode("latin-1", "replace"), safe="=&[]")
        if has("drops brackets"):
            query = query.replace("%5B", "").replace("%5D", "")
        items = query.split("&")
        if has("drops empty items"):
            items = [item for item in items if not item.endswith("=")]
        if has("drops the sign of empty values"):
            items = [item.removesuffix("=") for item in items]
        if has("sorts a query"):
            items = sorted(items)
        if has("keeps the first of a name"):
            items = list({item.partition("=")[0]: item for item in reversed(items)}.values())[::-1]
        if has("keeps the last of a name"):
            items = list({item.partition("=")[0]: item for item in items}.values())
        if has("joins values of a name") and "q=2&q=1" in query:
            items = ["q=2,1,2"]
        return path + question + "&".join(items)

    def content(self, body):
        has = self.has
        if has("sends content as text"):
            body = body.decode("utf-8", "replace").encode()
        if has("writes JSON again") and body.startswith(b'{"name"'):
            body = json.dumps(json.loads(body), ensure_ascii=False).encode()
        if has("strips content"):
            body = body.strip()
        if has("sends 64 KiB at most"):
            body = body[:65536]
        if has("drops a zero byte"):
            body = body.replace(b"\0", b"")
        return body

    def codings(self):
        if self.has("asks for no coding"):
            return None
        named = "gzip, deflate"
        return named + ", br, zstd" if self.has("asks for codings that it cannot undo") else named

    def fields(self, request):
        """The field lines of a request but those of its framing."""
        codings = self.codings()
        fields = list(request.headers) + ([("Accept-Encoding", codings)] if codings else [])
        cookies = self.jar.line(request.url)
        return fields + ([("Cookie", cookies)] if cookies else [])

    def send(self, request):
        try:
            answer = self.wire.send(request, self.fields(request))
        except Failure as failure:
            if self.has("repeats GET after a time-out") and failure.kind == "timeout" and request.method == "GET":
                request.deadline = time.monotonic() + 0.3
                return self.wire.send(request, self.fields(request))
            if self.has("sends a POST again after a time-out") and failure.kind == "timeout" and request.method == "POST":
                request.deadline = time.monotonic() + 1
                return self.wire.send(request, self.fields(request))
            if self.has("sends everything again") and failure.kind == "connection":
                return self.wire.send(request, self.fields(request))
            raise
        for status in (401, 500, 503):
            if answer.status == status and self.has(f"sends again what {status} answers"):
                return self.wire.send(request, self.fields(request))
        if answer.status == 503 and self.has("asks again at once"):
            return self.wire.send(request, self.fields(request))
        waits = self.has("asks again after Retry-After") or self.has("takes Retry-After for seconds alone")
        if answer.status == 503 and waits and answer.values("retry-after"):
            time.sleep(self.wait(answer.values("retry-after")[0]))
            request.deadline = time.monotonic() + 2
            return self.wire.send(request, self.fields(request))
        if answer.status == 421 and self.has("takes 421 for a lost connection"):
            raise Failure("connection", "421")
        if answer.status == 417 and not self.has("expects 100 of content, and takes no for a response"):
            if not self.has("expects 100 of everything"):
                request.headers = [field for field in request.headers if field[0].lower() != "expect"]
                return self.wire.send(request, self.fields(request))
        return answer

    def wait(self, value):
        """How long `Retry-After` says, in seconds."""
        if value.isdigit():
            return int(value)
        if self.has("takes Retry-After for seconds alone"):
            return 0
        return max(0, email.utils.mktime_tz(email.utils.parsedate_tz(value)) - time.time())

    def redirect(self, request, answer):
        """Makes a request the next one; false where there is none."""
        has, status, location = self.has, answer.status, (answer.values("location") or [None])[0]
        followed = {301, 302, 303, 307, 308} - {status for status in (301, 308) if has(f"does not know {status}")}
        if has("follows no redirection") or location is None or status not in followed:
            return False
        if has("follows one redirection") and getattr(request, "hops", 0):
            return False
        request.hops = getattr(request, "hops", 0) + 1
        old = urllib.parse.urlsplit(request.url)
        if re.match(r"(file|data|ftp):", location):
            if has("follows to whatever scheme"):
                answer.status, answer.body, answer.headers = 200, b"contract", []
                return False
            raise Failure("protocol", "a redirection to " + location)
        # Field values are read as ISO 8859-1; what of them is no ASCII is encoded once.
        raw = location.encode("latin-1") if not has("takes Location for ISO 8859-1") else location.encode()
        if not has("sends a blank of Location as it is"):
            raw = raw.replace(b" ", b"%20")
        location = "".join(chr(byte) if byte < 128 else f"%{byte:02X}" for byte in raw)
        if not has("sends the fragment of Location"):
            location = location.partition("#")[0]
        if has("takes Location for a path"):
            location = "/" + location.lstrip("/")
            request.url = f"{old.scheme}://{old.netloc}{location}"
        elif has("takes Location for a path of the root") and "://" not in location:
            request.url = urllib.parse.urljoin(f"{old.scheme}://{old.netloc}/", location)
        elif has("forgets the last segment before a query") and location.startswith("?"):
            request.url = request.url.rpartition("/")[0] + "/" + location
        elif has("does not go upwards") and location.startswith(".."):
            request.url = request.url.rpartition("/")[0] + "/" + location.removeprefix("../")
        else:
            request.url = urllib.parse.urljoin(request.url, location)
        if has("takes the query along") and old.query and "?" not in request.url:
            request.url += "?" + old.query
        new = urllib.parse.urlsplit(request.url)
        forgets = (status in (307, 308) and has("makes GET of 307"), status == 303 and not has("repeats POST of 303"),
                   status in (301, 302) and request.method == "POST")
        if has("makes GET of HEAD") and request.method == "HEAD":
            request.method = "GET"
        if has("loses fields of GET") and request.method == "GET":
            request.headers = []
        if has("loses Authorization within its origin") or status == 303 and has("loses Authorization after 303"):
            request.headers = [field for field in request.headers if field[0].lower() != "authorization"]
        if status in (307, 308) and has("loses the fields of 307"):
            request.headers = []
        if any(forgets) and request.method != "HEAD":
            request.method, request.body = "GET", None
            request.headers = [field for field in request.headers if field[0].lower() not in CONTENT]
        if status in (307, 308) and has("loses the content of 307"):
            request.body = None
        if has("sends Referer as it is"):
            request.headers = request.headers + [("Referer", getattr(request, "whole", request.url))]
        if (old.scheme, old.netloc) != (new.scheme, new.netloc.rpartition("@")[2]):
            self.leave(request, old, new)
        elif has("gives credentials back at the second hop"):
            request.headers = getattr(request, "secrets", []) + request.headers
            request.secrets = []
        return True

    def leave(self, request, old, new):
        """Takes from a request what is meant for the origin it leaves."""
        has = self.has
        kept = {"authorization"} if has("keeps credentials") else {"cookie"} if has("keeps a cookie line") else set()
        if has("keeps credentials of a proxy"):
            kept = {"proxy-authorization"}
        if has("keeps credentials of a user") and any(value.startswith("Basic ") for name, value in request.headers if name == "Authorization"):
            kept = {"authorization"}
        if has("keeps credentials of 307") and request.method == "POST":
            kept = set(SECRETS)
        if has("keeps credentials of a URL") and hasattr(request, "whole"):
            kept = {"authorization"}
        if has("keeps credentials to another port") and old.hostname == new.hostname and old.scheme == new.scheme:
            kept = set(SECRETS)
        if has("keeps credentials from https to http") and old.hostname == new.hostname and old.scheme != new.scheme:
            kept = set(SECRETS)
        if has("gives credentials back at the second hop"):
            request.secrets = [field for field in request.headers if field[0].lower() in SECRETS]
        dropped = set(SECRETS) - kept

        def goes(name):
            return name.lower() not in dropped or has("knows Authorization by its capitals") and name == "authorization"

        request.headers = [field for field in request.headers if goes(field[0])]

    def told(self, request, answer):
        """The answer as the caller gets it."""
        has = self.has
        if request.method != "HEAD" and answer.status not in (204, 304) or has("undoes codings without content"):
            answer.body = self.decoded(answer)
        if has("tells values in small letters"):
            answer.headers = [(name, value.lower()) for name, value in answer.headers]
        if has("tells 50 fields at most"):
            answer.headers = answer.headers[:50]
        if has("cuts fields at 8 kB"):
            answer.headers = [(name, value[:8192]) for name, value in answer.headers]
        if has("reads JSON and writes it") and "json" in "".join(answer.values("content-type")):
            answer.body = json.dumps(json.loads(answer.body)).encode()
        if has("tells no content of errors") and answer.status >= 400:
            answer.body = b""
        if has("calls every error 500") and answer.status >= 400:
            answer.status = 500
        if has("takes 204 for an error") and answer.status == 204:
            raise Failure("protocol", "no content")
        if has("tells no headers"):
            answer.headers = []
        if has("tells the first of repeated fields"):
            answer.headers = list({name.lower(): (name, value) for name, value in reversed(answer.headers)}.values())
        kind = (answer.values("content-type") or [""])[0]
        if has("takes all text for UTF-8") and kind.startswith("text/"):
            answer.body = answer.body.decode("utf-8", "replace").encode()
        if has("decodes text by its charset") and "8859-1" in kind:
            answer.body = answer.body.decode("latin-1").encode()
        if has("takes content for text") and answer.status == 200:
            answer.body = answer.body.decode("utf-8", "replace").encode()
        if has("strips white space") and answer.body:
            answer.body = answer.body.strip()
        return answer
