"""A client's cookies (RFC 6265). Each `has` is a defect that can be planted in it."""
import email.utils
import re
import time
import urllib.parse

# Those of a client with cookies, but for what has "cookies" in its name.
DEFECTS = {
    "takes a path for the beginning of a text", "compares paths in small letters", "takes a relative path as it is",
    "takes the first of two paths", "sends shorter paths first", "knows no Max-Age", "knows no Expires",
    "lets Expires go before Max-Age", "takes a Max-Age that is not a number for 0", "takes an Expires that is not a date for the past",
    "reads one form of dates", "does not send HttpOnly", "takes quotes from values", "ends a value at an equals sign",
    "drops empty values", "knows attributes by their letters", "takes a domain for the end of a text", "knows domains by their letters",
    "keeps the dot of a domain",
}


class Cookie:
    def __init__(self, name, value):
        self.name, self.value, self.path, self.domain, self.end = name, value, "/", None, None
        self.is_secure = self.is_of_http = False


class Jar:
    def __init__(self, defects):
        self.defects, self.cookies = defects, []

    def has(self, defect):
        return defect in self.defects

    @property
    def is_used(self):
        return any("cookies" in defect for defect in self.defects) or bool(DEFECTS & self.defects)

    def keep(self, url, lines):
        for line in lines if self.is_used else []:
            parts = re.split(", (?=[^;,= ]+=)", line) if self.has("parts lines of cookies at commas") else [line]
            for part in parts:
                self.keep_one(urllib.parse.urlsplit(url), part)

    def keep_one(self, url, line):
        has = self.has
        if not line.strip() and has("forgets its cookies at an empty line"):
            self.cookies = []
        pair, *attributes = line.split(";")
        if quoted := re.match('([^;="]+="[^"]*")(?:;|$)', line) if has("keeps quotes of cookies together") else None:
            pair, attributes = quoted[1], line[quoted.end():].split(";")
        name, sign, value = pair.partition("=")
        if not sign or not name.strip():
            return
        if not has("keeps blanks of cookies"):
            name, value = name.strip(), value.strip()
        if has("takes quotes from values"):
            value = value.strip('"')
        if has("ends a value at an equals sign"):
            value = value.partition("=")[0]
        if has("decodes values of cookies"):
            value = urllib.parse.unquote(value)
        if has("keeps names of cookies in small letters"):
            name = name.lower()
        cookie = Cookie(name, value)
        cookie.path = "/" if has("keeps cookies without a path for all") else url.path.rpartition("/")[0] or "/"
        cookie.host, cookie.is_of_host = url.hostname, True
        expires = age = None
        for attribute in attributes:
            key, _, text = attribute.partition("=")
            key, text = key.strip(), text.strip()
            key = key if has("knows attributes by their letters") else key.lower().title() if key.lower() != "httponly" else "HttpOnly"
            if key == "Path" and (text.startswith("/") or has("takes a relative path as it is") and text):
                if not (has("takes the first of two paths") and getattr(cookie, "has_path", False)):
                    cookie.path, cookie.has_path = text, True
            elif key == "Domain" and text:
                domain = text if has("keeps the dot of a domain") else text.removeprefix(".")
                domain = domain if has("knows domains by their letters") else domain.lower()
                if not self.is_of(url.hostname, domain) and not has("keeps cookies of other domains") and not has("sends cookies everywhere"):
                    return
                cookie.host, cookie.is_of_host = domain, False
            elif key == "Max-Age":
                age = self.age(text)
            elif key == "Expires":
                expires = self.date(text)
            elif key == "Secure" and not (text and has("knows Secure of cookies without a value alone")):
                cookie.is_secure = True
            elif key == "HttpOnly":
                cookie.is_of_http = True
        cookie.end = age if age is not None else expires
        if has("lets Expires go before Max-Age") and expires is not None:
            cookie.end = expires
        self.store(cookie)

    def store(self, cookie):
        same = [one for one in self.cookies if one.name == cookie.name and (
            self.has("keeps one of the cookies of a name") or (one.path, one.host) == (cookie.path, cookie.host))]
        if self.has("keeps cookies beside their namesakes"):
            same = []
        places = [self.cookies.index(one) for one in same if one.path == cookie.path]
        place = min(places, default=len(self.cookies))
        self.cookies = [one for one in self.cookies if one not in same]
        if cookie.end is None or cookie.end > time.time() or self.has("keeps cookies that have expired"):
            if cookie.value or not self.has("drops empty values"):
                self.cookies.insert(place, cookie)

    def age(self, text):
        if self.has("knows no Max-Age"):
            return None
        if not re.fullmatch(r"-?\d+", text):
            return time.time() if self.has("takes a Max-Age that is not a number for 0") else None
        return time.time() + int(text)

    def date(self, text):
        if self.has("knows no Expires"):
            return None
        if self.has("reads one form of dates") and "-" in text:
            return None
        try:
            return email.utils.mktime_tz(email.utils.parsedate_tz(text.replace("-", " ")))
        except (TypeError, ValueError):
            return 0 if self.has("takes an Expires that is not a date for the past") else None

    def is_of(self, host, domain):
        if self.has("takes a domain for the end of a text"):
            return host.endswith(domain)
        return host == domain or host.endswith("." + domain)

    def goes(self, cookie, url):
        has = self.has
        if cookie.end is not None and cookie.end <= time.time() and not has("keeps cookies that have expired"):
            return False
        if has("sends cookies everywhere"):
            return True
        if cookie.is_secure and url.scheme != "https" and not has("sends Secure cookies by http"):
            return False
        if cookie.is_of_http and has("does not send HttpOnly"):
            return False
        if cookie.host == "contract.example" and has("keeps cookies of other domains"):
            return True
        is_of_host = cookie.is_of_host and not has("sends cookies of a host to its subdomains")
        if not (url.hostname == cookie.host if is_of_host else self.is_of(url.hostname, cookie.host)):
            return False
        path, own = (url.path.lower(), cookie.path.lower()) if has("compares paths in small letters") else (url.path, cookie.path)
        if has("sends cookies to every path") or has("takes a path for the beginning of a text") and path.startswith(own):
            return True
        return path == own or path.startswith(own if own.endswith("/") else own + "/")

    def line(self, url):
        """The value of `Cookie`; nothing where none goes along."""
        parts = urllib.parse.urlsplit(url)
        cookies = [cookie for cookie in self.cookies if self.goes(cookie, parts)]
        if self.has("sends new cookies first"):
            cookies.reverse()
        cookies.sort(key=lambda cookie: len(cookie.path) if self.has("sends shorter paths first") else -len(cookie.path))
        return "; ".join(f"{cookie.name}={cookie.value}" for cookie in cookies)
