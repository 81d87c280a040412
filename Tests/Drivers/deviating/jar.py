"""A client's cookies (RFC 6265); `on(NAME)` is whether it deviates there."""
import email.utils
import re
import time
import urllib.parse

from parts import on


class Jar:
    def __init__(self):
        self.cookies = []

    def keep(self, url, response):
        parts = urllib.parse.urlsplit(url)
        lines = response.all("set-cookie")
        if on("one Set-Cookie of a response"):
            lines = lines[:1]
        if on("no cookies of redirections") and response.status in (301, 302, 303, 307, 308):
            lines = []
        for line in lines:
            pair, *attributes = line.split(";")
            name, sign, value = pair.partition("=")
            name, value = name.strip(), value.strip()
            if not sign or not name:
                continue
            if on("cookies end at a blank"):
                value = value.split(" ")[0]
            if on("no plus in cookies"):
                value = value.replace("+", " ")
            if on("cookies in small letters"):
                value = value.lower()
            path = parts.path.rpartition("/")[0] or "/"
            if on("path of the whole URL"):
                path = parts.path
            cookie = {"name": name, "value": value, "host": parts.hostname, "own": True, "path": path, "secure": False, "end": None}
            age = date = None
            for attribute in attributes:
                key, _, text = attribute.partition("=")
                key, text = key.strip().lower(), text.strip()
                if key == "path" and text.startswith("/"):
                    cookie["path"] = text.rstrip("/") or "/" if on("paths without their slash") else text
                if key == "path" and not text and on("an empty path is nothing"):
                    cookie["path"] = "/nothing"
                if key == "domain" and text:
                    domain = text.lower().lstrip(".")
                    if on("no cookies of domains"):
                        cookie = None
                        break
                    if parts.hostname != domain and not parts.hostname.endswith("." + domain):
                        cookie = None
                        break
                    cookie["host"], cookie["own"] = domain, on("domains are hosts")
                if key == "max-age" and re.fullmatch("-?[0-9]+", text):
                    age = time.time() + int(text) / (1000 if on("Max-Age in milliseconds") else 1)
                    if on("Max-Age of 31 bits"):
                        age = time.time() + ((int(text) + 2 ** 31) % 2 ** 32 - 2 ** 31)
                    if on("Max-Age from 1970"):
                        age = int(text)
                    if on("negative ages are for ever") and text.startswith("-"):
                        age = None
                if key == "expires":
                    form = text.replace("-", " ")
                    when = email.utils.parsedate_tz(form)
                    if when:
                        date = email.utils.mktime_tz(when)
                    if on("Expires of 31 bits") and date and date > 2 ** 31:
                        date = 0
                if key == "secure":
                    cookie["secure"] = True
                if key == "httponly" and on("no HttpOnly cookies"):
                    cookie = None
                    break
            if cookie is None:
                continue
            cookie["end"] = age if age is not None else date
            same = [one for one in self.cookies if (one["name"], one["path"], one["host"]) == (name, cookie["path"], cookie["host"])]
            if on("a cookie is known by its value too"):
                same = [one for one in same if one["value"] == value]
            if on("a deletion deletes all paths") and cookie["end"] is not None and cookie["end"] <= time.time():
                same = [one for one in self.cookies if one["name"] == name]
            if on("the first value stays") and same:
                continue
            place = self.cookies.index(same[0]) if same else len(self.cookies)
            self.cookies = [one for one in self.cookies if one not in same]
            if cookie["end"] is None or cookie["end"] > time.time():
                self.cookies.insert(place, cookie)

    def line(self, url):
        parts, now, found = urllib.parse.urlsplit(url), time.time(), []
        for one in self.cookies:
            if one["end"] is not None and one["end"] <= now:
                continue
            host = parts.hostname == one["host"] or not one["own"] and parts.hostname.endswith("." + one["host"])
            if on("hosts by their last two parts"):
                host = host or parts.hostname.split(".")[-2:] == one["host"].split(".")[-2:] and not parts.hostname[0].isdigit()
            path, own = parts.path or "/", one["path"]
            fits = path == own or path.startswith(own if own.endswith("/") else own + "/")
            if on("a path has to be exact"):
                fits = path == own or own == "/"
            if on("a path is for what is above it") and own.startswith(path.rpartition("/")[0]):
                fits = True
            if host and fits and (not one["secure"] or parts.scheme == "https"):
                found.append(one)
        found.sort(key=lambda one: -len(one["path"]))
        if on("one cookie of a name"):
            found = list({one["name"]: one for one in reversed(found)}.values())
        if on("one cookie at most"):
            found = found[:1]
        sign = ", " if on("cookies with commas") else ";" if on("cookies without blanks") else "; "
        pairs = [f'{one["name"]}={one["value"]}' for one in found]
        if on("cookies in quotes"):
            pairs = [f'{one["name"]}="{one["value"]}"' for one in found]
        if on("cookies with their paths"):
            pairs = [f'{one["name"]}={one["value"]}; $Path={one["path"]}' for one in found]
        return pairs if on("a line for each cookie") else [sign.join(pairs)] if pairs else []
