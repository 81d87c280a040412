"""Redirections and credentials; `on(NAME)` is whether this client deviates there."""
import email.utils
import re
import time
import urllib.parse

from jar import Jar
from requests_sent import Sent, basic
from responses_told import Told
from parts import Error, among, fail, on

SECRETS = {"authorization", "cookie", "proxy-authorization"}
STATUSES = (301, 302, 303, 307, 308)


def origin(url):
    parts = urllib.parse.urlsplit(url)
    return parts.scheme, parts.hostname, parts.port or {"http": 80, "https": 443}.get(parts.scheme)


class Client(Sent, Told):
    def __init__(self, wire):
        self.wire, self.jar = wire, Jar()

    def credentials(self, request):
        parts = urllib.parse.urlsplit(request.url)
        front, at, host = parts.netloc.rpartition("@")
        if at:
            request.url = parts._replace(netloc=host).geturl()
            if not any(name.lower() == "authorization" for name, _ in request.headers):
                user, _, password = front.partition(":")
                if not on("escapes of a URL's password stay"):
                    user, password = urllib.parse.unquote(user), urllib.parse.unquote(password)
                request.headers = request.headers + [("Authorization", basic(user, password))]

    def fetch(self, request):
        self.alter(request)
        self.credentials(request)
        while True:
            response = self.once(request)
            self.jar.keep(request.url, response)
            if not self.follow(request, response):
                return self.told(request, response)
            self.credentials(request)
            request.hops += 1
            if request.hops > (1 if on("one redirection") else 2 if on("two redirections") else 12):
                if on("the last redirection of a circle"):
                    return self.told(request, response)
                fail("circle", "connection" if on("a circle is a lost connection") else "redirects")

    def once(self, request):
        response = self.wire.send(request, self.fields(request))
        repeated = among("repeats at ")
        if repeated and request.method + " " + str(response.status) == repeated:
            response = self.wire.send(request, self.fields(request))
        if response.status == 417 and any(name == "Expect" for name, _ in request.headers):
            request.headers = [field for field in request.headers if field[0] != "Expect"]
            response = self.wire.send(request, self.fields(request))
        if response.status == 503 and response.first("retry-after") and (on("half of Retry-After") or on("Retry-After in milliseconds")):
            value = response.first("retry-after")
            seconds = int(value) if value.isdigit() else max(0, email.utils.mktime_tz(email.utils.parsedate_tz(value)) - time.time())
            time.sleep(seconds / (2 if on("half of Retry-After") else 1000))
            response = self.wire.send(request, self.fields(request))
        return response

    def follow(self, request, response):
        status, location = response.status, response.first("location")
        refused = among("does not follow ")
        if status not in STATUSES or location is None or refused == str(status) or refused == f"{status} {request.method}":
            return False
        if on("follows with content alone") and not response.body:
            return False
        old = request.url
        raw = location.encode("latin-1")
        if on("UTF-8 of Location is dropped"):
            raw = bytes(byte for byte in raw if byte < 128)
        if on("Location ends at a blank"):
            raw = raw.split(b" ")[0]
        location = "".join(chr(byte) if 32 < byte < 127 else f"%{byte:02X}" for byte in raw)
        if on("Location encoded again"):
            location = location.replace("%", "%25")
        if on("Location in small letters"):
            location = location.lower()
        if on("Location without its query"):
            location = location.partition("?")[0]
        scheme = re.match(r"([a-zA-Z][a-zA-Z0-9+.-]*):", location)
        if on("schemes in small letters") and scheme and scheme[1].lower() != scheme[1]:
            scheme, location = None, "/" + location
        if scheme and scheme[1].lower() not in ("http", "https"):
            raise Error("protocol", "scheme")
        place = urllib.parse.urljoin(old, location)
        parts = urllib.parse.urlsplit(old)
        if on("two slashes are a path") and location.startswith("//"):
            place = f"{parts.scheme}://{parts.netloc}{location}"
        if on("dots of queries are steps") and ".." in location:
            text, fixed = place.partition("//")[2], []
            for part in text.split("/"):
                fixed = fixed[:-1] if part == ".." else fixed + [part]
            place = place.partition("//")[0] + "//" + "/".join(fixed)
        if on("a name is below its sibling") and "/" not in location and not location.startswith("?") and not scheme:
            place = old.partition("?")[0] + "/" + location
        if on("a query is added") and location.startswith("?"):
            place = old + "&" + location[1:]
        if on("one step upwards too many") and location.startswith(".."):
            place = urllib.parse.urljoin(old, "../" + location)
        if on("whole URLs by their path") and scheme:
            place = urllib.parse.urljoin(old, urllib.parse.urlsplit(location).path)
        if on("the old fragment as a query") and "#" in place:
            place = place.replace("#", "?")
        request.url = place.partition("#")[0]
        if on("fragments of Location dropped with all behind") and "#" in place:
            request.url = place.partition("#")[0].rpartition("/")[0]
        method = request.method
        post = status in (301, 302) and method == "POST" or status == 303 and method not in ("GET", "HEAD")
        if on("303 keeps PUT and DELETE") and method in ("PUT", "DELETE", "PATCH"):
            post = False
        if among("GET after ") and among("GET after ") == f"{status} {method}":
            post = True
        if on("HEAD becomes GET at 301") and method == "HEAD" and status in (301, 302):
            request.method = "GET"
        if on("POST after 303") and status == 303:
            post = False
        if on("HEAD after 303") and status == 303:
            request.method, request.body, post = "HEAD", None, False
        if post:
            request.method, request.body = "GET", None
            request.headers = [field for field in request.headers if field[0].lower() not in ("content-type", "content-length")]
        lost = among("no content after ")
        if lost and lost == f"{status} {method}":
            request.body = None
        lost = among("no fields after ")
        if lost and lost == str(status):
            request.headers = [field for field in request.headers if field[0].lower() in SECRETS]
        lost = among("no Authorization after ")
        if lost and lost == str(status) and origin(old) == origin(request.url):
            request.headers = [field for field in request.headers if field[0].lower() != "authorization"]
        if on("no Content-Type after 307") and status in (307, 308):
            request.headers = [field for field in request.headers if field[0].lower() != "content-type"]
        if origin(old) != origin(request.url):
            keeps = set()
            told = among("keeps ")
            if told:
                words = told.split(" by ")
                name, way = words[0], words[1] if len(words) > 1 else ""
                before, now = origin(old), origin(request.url)
                ways = {"301": status == 301, "302": status == 302, "303": status == 303, "307": status == 307, "308": status == 308,
                        "GET": method == "GET", "POST": method == "POST", "a number's beginning": before[1][:6] == now[1][:6],
                        "http": before[0] == now[0] == "http", "": True}
                if ways.get(way):
                    keeps = {name.lower()}
                if name == "small cookie" and way == "":
                    request.headers = [field if field[0] != "cookie" else ("x-cookie", field[1]) for field in request.headers]
            dropped = SECRETS - keeps
            request.headers = [field for field in request.headers if field[0].lower() not in dropped]
            request.headers = [("cookie", value) if name == "x-cookie" else (name, value) for name, value in request.headers]
        return True
