"""A client's cache (RFC 9111). Each `has` is a defect that can be planted in it."""
import email.utils
import time

from exchange import Answer, Failure

DEFECTS = {
    "has a cache", "gives what is stale", "stores what no-store forbids", "does not know no-cache", "knows directives by their letters",
    "does not know Age", "lets Expires go before max-age", "takes an Expires that is not a date for the future", "does not know Vary",
    "takes the star of Vary for a name", "gives the response of GET to POST", "keeps what a POST made invalid",
    "leaves the query out of its keys", "gives 304 as it is", "keeps old fields after 304", "compares weak tags as strong ones",
    "gives what is stale when asking fails", "keeps what came in part", "passes no-cache of a request over",
}


class Stored:
    def __init__(self, request, answer):
        self.answer, self.came = answer, time.time()
        self.varying = {name: value for name, value in request}


class Cache:
    """Gives what is stored, or what `fetch` gives."""

    def __init__(self, defects, fetch):
        self.defects, self.fetch_anew, self.stored = defects, fetch, {}

    def has(self, defect):
        return defect in self.defects

    def directives(self, answer):
        named = {}
        for part in ",".join(answer.values("cache-control")).split(","):
            name, _, value = part.strip().partition("=")
            named[name if self.has("knows directives by their letters") else name.lower()] = value
        return named

    def fetch(self, request):
        key = request.url.partition("?")[0] if self.has("leaves the query out of its keys") else request.url
        headers = [(name.lower(), value) for name, value in request.headers]
        if request.method != "GET" and not (self.has("gives the response of GET to POST") and key in self.stored):
            answer = self.fetch_anew(request)
            if not self.has("keeps what a POST made invalid"):
                self.stored.pop(key, None)
            return answer
        stored = self.stored.get(key)
        if stored and not self.is_meant(stored, headers):
            stored = None
        asks = ("cache-control", "no-cache") in headers and not self.has("passes no-cache of a request over")
        if stored and not asks and self.is_fresh(stored):
            return self.copy(stored.answer)
        return self.ask(request, key, headers, stored)

    def ask(self, request, key, headers, stored):
        tags = stored.answer.values("etag") if stored else []
        dates = stored.answer.values("last-modified") if stored else []
        if tags:
            request.headers = request.headers + [("If-None-Match", tags[0])]
        elif dates:
            request.headers = request.headers + [("If-Modified-Since", dates[0])]
        try:
            answer = self.fetch_anew(request)
        except Failure:
            if self.has("keeps what came in part"):
                self.stored[key] = Stored(headers, Answer(200, [("Cache-Control", "max-age=100")], b"fi"))
            raise
        if answer.status == 304 and stored and not self.has("gives 304 as it is"):
            if self.has("compares weak tags as strong ones") and answer.values("etag") not in ([], tags):
                request.headers = [field for field in request.headers if field[0] != "If-None-Match"]
                return self.fetch_anew(request)
            if not self.has("keeps old fields after 304"):
                names = {name.lower() for name, _ in answer.headers}
                kept = [field for field in stored.answer.headers if field[0].lower() not in names]
                stored.answer.headers = kept + answer.headers
            return self.copy(stored.answer)
        if answer.status >= 500 and stored and self.has("gives what is stale when asking fails"):
            return self.copy(stored.answer)
        if answer.status == 200 and ("no-store" not in self.directives(answer) or self.has("stores what no-store forbids")):
            self.stored[key] = Stored(headers, self.copy(answer))
        return answer

    def copy(self, answer):
        return Answer(answer.status, list(answer.headers), answer.body)

    def is_meant(self, stored, headers):
        """Whether it is for this request, as `Vary` has it."""
        if self.has("does not know Vary"):
            return True
        names = [name.strip().lower() for name in ",".join(stored.answer.values("vary")).split(",") if name.strip()]
        if "*" in names and not self.has("takes the star of Vary for a name"):
            return False
        fields = dict(headers)
        return all(fields.get(name) == stored.varying.get(name) for name in names)

    def is_fresh(self, stored):
        has, answer = self.has, stored.answer
        if has("gives what is stale"):
            return True
        directives = self.directives(answer)
        if "no-cache" in directives and not has("does not know no-cache"):
            return False
        expires = answer.values("expires")
        age = time.time() - stored.came + (0 if has("does not know Age") else int((answer.values("age") or ["0"])[0]))
        if "max-age" in directives and not (has("lets Expires go before max-age") and expires):
            return age < int(directives["max-age"])
        if not expires:
            return False
        try:
            return email.utils.mktime_tz(email.utils.parsedate_tz(expires[0])) > time.time()
        except (TypeError, ValueError):
            return has("takes an Expires that is not a date for the future")
