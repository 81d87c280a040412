"""What a client makes of requests and answers, over whatever protocol: codings, redirections, cookies. Each `has` is a defect that can be
planted in it; without any it does right."""
import gzip
import json
import re
import time
import urllib.parse
import zlib

LIMIT = 10
SECRETS = ("authorization", "cookie", "proxy-authorization")
CONTENT = ("content-type", "content-length")


class Failure(Exception):
    """There is no answer, or not all of it; the kind is one of those that a report may have."""

    def __init__(self, kind, detail=""):
        super().__init__(detail or kind)
        self.kind = kind


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

    def left(self):
        return max(0.001, self.deadline - time.monotonic())


class Exchange:
    """`wire` sends one request and gives one answer, whatever its status."""

    def __init__(self, wire, defects):
        self.wire, self.defects, self.jar = wire, defects, []

    def has(self, defect):
        return defect in self.defects

    def fetch(self, request):
        self.change(request)
        hops = 0
        while True:
            answer = self.send(request)
            self.keep_cookies(request, answer)
            if not self.redirect(request, answer):
                return self.told(request, answer)
            hops += 1
            if hops > LIMIT:
                if self.has("gives the answer of a circle"):
                    return answer
                raise Failure("redirects")

    def change(self, request):
        """What is wrong with a request before it is sent."""
        headers, has = request.headers, self.has
        if has("drops a header"):
            headers[:] = [field for field in headers if field[0] != "X-Contract"]
        if has("splits a header") or has("cuts a header at its semicolon"):
            parts = [(name, part) for name, value in headers for part in value.split(";")]
            headers[:] = parts if has("splits a header") else [(name, value.split(";")[0]) for name, value in headers]
        if has("says form for every content") and request.body:
            headers[:] = [("Content-Type", "application/x-www-form-urlencoded")]
        for method, other in (("PATCH", "POST"), ("PATCH", "patch"), ("HEAD", "GET"), ("PURGE", "GET"), ("DELETE", "POST"),
                              ("OPTIONS", "GET"), ("PUT", "POST")):
            if has(f"sends {other} for {method}") and request.method == method:
                request.method = other
        request.url = self.altered(request.url)
        if request.body:
            request.body = self.content(request.body)
        if has("expects 100 of everything") or has("expects 100 of content, and takes no for an answer") and request.body:
            headers.append(("Expect", "100-continue"))

    def altered(self, url):
        has = self.has
        path, question, query = url.partition("?")
        if has("sends plus for a space in a path"):
            path = path.replace("%20", "+")
        if has("undoes an encoded slash"):
            path = path.replace("%2F", "/")
        if has("encodes a path twice"):
            path = path.replace("%", "%25")
        if has("sends a plus sign as it is"):
            query = query.replace("%2B", "+")
        if has("sends a space as nothing"):
            query = query.replace("%20", "")
        if has("undoes a query before it encodes it"):
            query = query.replace("%25", "%")
        if has("encodes a query twice"):
            query = query.replace("%", "%25")
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
        if has("writes JSON anew") and body.startswith(b'{"name"'):
            body = json.dumps(json.loads(body)).encode()
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
        cookies = [pair for pair, path, host in self.jar if self.goes(path, host, request.url)]
        return fields + ([("Cookie", "; ".join(cookies))] if cookies else [])

    def goes(self, path, host, url):
        parts = urllib.parse.urlsplit(url)
        if self.has("sends cookies everywhere"):
            return True
        return host == parts.hostname and (self.has("sends cookies to every path") or parts.path.startswith(path))

    def keep_cookies(self, request, answer):
        if not any(self.has(f"sends cookies {where}") for where in ("everywhere", "to every path", "where they belong")):
            return
        for value in answer.values("set-cookie"):
            path = re.search(r"[Pp]ath=([^;]*)", value)
            self.jar.append((value.partition(";")[0], path[1] if path else "/", urllib.parse.urlsplit(request.url).hostname))

    def send(self, request):
        try:
            answer = self.wire.send(request, self.fields(request))
        except Failure as failure:
            if self.has("repeats GET after a time-out") and failure.kind == "timeout" and request.method == "GET":
                request.deadline = time.monotonic() + 0.3
                return self.wire.send(request, self.fields(request))
            if self.has("sends everything again") and failure.kind == "connection":
                return self.wire.send(request, self.fields(request))
            raise
        if answer.status == 503 and self.has("asks again at once"):
            return self.wire.send(request, self.fields(request))
        if answer.status == 503 and self.has("asks again after Retry-After") and answer.values("retry-after"):
            time.sleep(int(answer.values("retry-after")[0]))
            return self.wire.send(request, self.fields(request))
        if answer.status == 417 and not self.has("expects 100 of content, and takes no for an answer"):
            if not self.has("expects 100 of everything"):
                request.headers = [field for field in request.headers if field[0].lower() != "expect"]
                return self.wire.send(request, self.fields(request))
        return answer

    def redirect(self, request, answer):
        """Makes a request the next one; false where there is none."""
        has, status, location = self.has, answer.status, (answer.values("location") or [None])[0]
        followed = {301, 302, 303, 307, 308} - {status for status in (301, 308) if has(f"does not know {status}")}
        if has("follows no redirection") or location is None or status not in followed:
            return False
        old = urllib.parse.urlsplit(request.url)
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
        new = urllib.parse.urlsplit(request.url)
        forgets = (status in (307, 308) and has("makes GET of 307"), status == 303 and not has("repeats POST of 303"),
                   status in (301, 302) and request.method == "POST")
        if any(forgets) and request.method != "HEAD":
            request.method, request.body = "GET", None
            request.headers = [field for field in request.headers if field[0].lower() not in CONTENT]
        if status in (307, 308) and has("loses the content of 307"):
            request.body = None
        if (old.scheme, old.netloc) != (new.scheme, new.netloc):
            kept = {"authorization"} if has("keeps credentials") else {"cookie"} if has("keeps a cookie line") else set()
            request.headers = [field for field in request.headers if field[0].lower() not in set(SECRETS) - kept]
        return True

    def told(self, request, answer):
        """The answer as the caller gets it."""
        has = self.has
        if request.method != "HEAD":
            answer.body = self.decoded(answer)
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

    def decoded(self, answer):
        coding = (answer.values("content-encoding") or ["identity"])[0]
        try:
            if coding == "gzip" and not self.has("leaves gzip as it is"):
                return gzip.decompress(answer.body)
            if coding == "deflate" and not self.has("leaves deflate as it is"):
                return zlib.decompress(answer.body)
        except (OSError, EOFError, zlib.error) as error:
            if self.has("takes what cannot be decoded as it is"):
                return answer.body
            raise Failure("decoding", str(error))
        return answer.body
