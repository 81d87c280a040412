"""A cache of one user in front of a client's fetch."""
import email.utils
import time

from parts import Response, on


class Cache:
    def __init__(self, fetch):
        self.fetch, self.stored = fetch, {}

    def directives(self, response):
        return {part.strip().lower().split("=")[0]: part.strip().partition("=")[2] for value in response.all("cache-control") for part in value.split(",")}

    def lifetime(self, response):
        directives = self.directives(response)
        if "max-age" in directives:
            return int(directives["max-age"] or 0) - (0 if on("Age of nothing") else int(response.first("age", "0"))) + (1 if on("a second more") else 0)
        if response.first("expires"):
            when = email.utils.parsedate_tz(response.first("expires"))
            return email.utils.mktime_tz(when) - time.time() if when else 0
        return 0

    def asked(self, request):
        method, url, headers = request.method, request.url, list(request.headers)
        key = url.split("/", 3)[-1].rstrip("0123456789") if on("keys without their numbers") else url
        if method not in ("GET", "HEAD") or method == "HEAD" and not on("HEAD is GET"):
            response = self.fetch(request)
            if response.status < 400 and not (on("a POST keeps what it makes invalid")):
                self.stored.pop(key, None)
            if on("stores what POST is given") and method == "POST":
                self.stored[key] = (time.time(), headers, response)
            return response
        wanted = {name.lower(): value for name, value in headers}
        entry = self.stored.get(key)
        if entry:
            at, old, kept = entry
            names = [name.strip().lower() for value in kept.all("vary") for name in value.split(",")]
            same = all(dict((n.lower(), v) for n, v in old).get(name) == wanted.get(name) for name in names) and "*" not in names
            if on("varies with one letter") and names:
                same = all((dict((n.lower(), v) for n, v in old).get(name) or " ")[0] == (wanted.get(name) or " ")[0] for name in names) or "*" in names
            if same:
                directives = self.directives(kept)
                fresh = time.time() - at < self.lifetime(kept) and ("no-cache" not in directives or on("no-cache for a second") and time.time() - at < 1)
                if on("no-store of its first use") and "no-store" in directives:
                    fresh = True
                if fresh and "no-cache" not in wanted.get("cache-control", ""):
                    return kept
                if on("one stale response is good") and "etag" not in dict((n.lower(), v) for n, v in kept.headers) and not kept.first("last-modified"):
                    return kept
                tag, date = kept.first("etag"), kept.first("last-modified")
                if tag and on("tags without W/"):
                    tag = tag.removeprefix("W/")
                if tag and on("tags without quotes"):
                    tag = tag.replace('"', "")
                extra = [("If-None-Match", tag)] if tag else []
                if date:
                    extra.append(("If-Modified-Since", date if not on("dates of today") else email.utils.formatdate(usegmt=True)))
                request.headers = headers + extra
                response = self.fetch(request)
                if response.status == 304:
                    if on("304 is without content"):
                        return Response(200, response.headers, b"")
                    if on("304 takes all fields away"):
                        fields = [(n, v) for n, v in kept.headers if n.lower() == "etag"]
                    else:
                        changed = {name.lower() for name, _ in response.headers}
                        fields = response.headers + [(n, v) for n, v in kept.headers if n.lower() not in changed]
                    kept = Response(200, fields, kept.body)
                    self.stored[key] = (time.time(), headers, kept)
                    return kept
                if response.status >= 500 and on("stale for 500"):
                    return kept
                self.keep(key, headers, response)
                return response
        response = self.fetch(request)
        self.keep(key, headers, response)
        return response

    def keep(self, key, headers, response):
        directives = self.directives(response)
        if response.status == 200 and ("no-store" not in directives or on("no-store of its first use")):
            self.stored[key] = (time.time(), headers, response)
