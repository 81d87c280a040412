"""What a client makes of a request before it is sent; `on(NAME)` is whether it deviates there."""
import base64
import gzip
import json
import re
import urllib.parse

from parts import among, on

# What a client that deviates writes in a path in the place of what.
PATHS = (
    ("path in ISO 8859-1", "%C3%A9", "%E9"),
    ("a decoded percent sign", "%25", "%"),
    ("a blank in a path", "%20", " "),
    ("an encoded slash twice", "%2F", "%252F"),
    ("plus of a path is a blank", "+", "%20"),
    ("semicolons encoded", ";", "%3B"),
    ("equals signs encoded", "=", "%3D"),
    ("at signs doubled", "@", "@@"),
)


class Sent:
    def alter(self, request):
        """What of the request itself is wrong."""
        if among("small ") == request.method:
            request.method = request.method.lower()
        sent, _, asked = (among("sends ") or "").partition(" for ")
        if asked == request.method:
            request.method = sent
        head, question, query = request.url.partition("?")
        scheme, _, rest = head.partition("://")
        host, slash, path = rest.partition("/")
        path = slash + path
        for name, text, other in PATHS:
            if on(name):
                path = path.replace(text, other)
        if on("path cut at semicolons"):
            path = path.partition(";")[0]
        if on("no escapes of paths"):
            path = re.sub("%[0-9A-F]{2}", "", path)
        if on("segments of 100 letters"):
            path = "/".join(part[:100] for part in path.split("/"))
        if on("a slash in front"):
            path = "/" + path if path != "/" else path
        if on("path in capitals"):
            path = path[:10] + path[10:].upper()
        items = query.split("&") if question else []
        if on("query backwards"):
            items.reverse()
        if on("query names in small letters"):
            items = [item.partition("=")[0].lower() + "=" + item.partition("=")[2] if "=" in item else item for item in items]
        if on("query values in small letters"):
            items = [re.sub("%[0-9a-f]{2}", lambda m: m[0].upper(), item.lower()) for item in items]
        if on("names alone get a sign"):
            items = [item if "=" in item else item + "=" for item in items]
        if on("names alone are dropped"):
            items = [item for item in items if "=" in item]
        if on("semicolons part queries"):
            items = [part for item in items for part in item.split(";")]
        if on("a query ends at a question mark"):
            items = "&".join(items).partition("?")[0].split("&") if items else []
        if on("a value ends at an equals sign"):
            items = ["=".join(item.replace("%3D", "=").split("=")[:2]) for item in items]
        if on("numbers of queries in brackets"):
            items = [item.replace("%5B%5D", "%5B0%5D") for item in items]
        if on("a query of 1 kB"):
            items = "&".join(items)[:1024].split("&") if items else []
        if on("two values of a name"):
            seen = {}
            items = [item for item in items if seen.setdefault(item.partition("=")[0], []).append(1) or len(seen[item.partition("=")[0]]) < 3]
        if on("blanks of queries doubled"):
            items = [item.replace("%20", "%2520") for item in items]
        if on("plus of queries encoded"):
            items = [item.replace("+", "%2B") for item in items]
        if on("slashes of queries dropped"):
            items = [item.replace("/", "") for item in items]
        request.url = f"{scheme}://{host}{path}" + (question if question else "") + "&".join(items)
        body = request.body
        if body is not None:
            request.body = self.content(body, request)
        if on("PUT by pieces of one") and request.method == "PUT" and body:
            request.pieces = [body[:0]]

    def content(self, body, request):
        if on("CR LF becomes LF"):
            body = body.replace(b"\r\n", b"\n")
        if on("LF becomes CR LF"):
            body = body.replace(b"\n", b"\r\n")
        if on("content ends at zero"):
            body = body.partition(b"\0")[0]
        if on("seven bits"):
            body = bytes(byte & 127 for byte in body)
        if on("a mark in front of content"):
            body = b"\xef\xbb\xbf" + body
        if on("a line end behind content"):
            body += b"\n"
        if on("content ends at 26"):
            body = body.partition(b"\x1a")[0]
        if on("the last byte of 64 KiB"):
            body = b"".join(body[i:i + 65536][:65535] for i in range(0, len(body), 65536)) if len(body) > 65535 else body
        if on("content as JSON text"):
            body = json.dumps(body.decode("latin-1")).encode()
        if on("content by gzip"):
            request.headers = request.headers + [("Content-Encoding", "gzip")]
            body = gzip.compress(body)
        if on("content in a form"):
            body = b"body=" + urllib.parse.quote_plus(body).encode()
        if on("JSON without blanks") and body[:1] == b"{":
            body = re.sub(rb"\s+", b"", body)
        if on("JSON with escapes") and body[:1] == b"{":
            body = body.decode().encode("ascii", "backslashreplace")
        if on("content of PATCH as a difference") and request.method == "PATCH":
            body = b"+" + body
        if on("128 KiB at most"):
            body = body[:131072]
        if on("content swapped in words"):
            body = b"".join(body[i + 1:i + 2] + body[i:i + 1] for i in range(0, len(body), 2))
        return body

    def fields(self, request):
        fields = list(request.headers)
        names = {name.lower() for name, _ in fields}
        if on("joins blanks of sent fields"):
            fields = [(name, re.sub(" +", " ", value)) for name, value in fields]
        if on("takes quotes from sent fields"):
            fields = [(name, value.replace('"', "")) for name, value in fields]
        if on("no blank behind commas"):
            fields = [(name, value.replace(", ", ",")) for name, value in fields]
        if on("media types in small letters"):
            fields = [(name, value.lower() if name == "Content-Type" else value) for name, value in fields]
        if on("one parameter of a media type"):
            fields = [(name, ";".join(value.split(";")[:2]) if name == "Content-Type" else value) for name, value in fields]
        if on("no parameters of media types"):
            fields = [(name, value.split(";")[0] if name == "Content-Type" else value) for name, value in fields]
        if on("tokens without their padding"):
            fields = [(name, value.rstrip("=") if name == "Authorization" else value) for name, value in fields]
        if on("bearer in small letters"):
            fields = [(name, value.replace("Bearer", "bearer")) for name, value in fields]
        if on("authorization twice"):
            fields += [(name, value) for name, value in fields if name.lower() == "authorization"]
        if on("its own Accept"):
            fields = [(name, value) for name, value in fields if name.lower() != "accept"] + [("Accept", "*/*")]
        elif "accept" not in names:
            fields.append(("Accept", "*/*"))
        if "user-agent" not in names:
            fields.append(("User-Agent", "contract"))
        elif on("its own User-Agent"):
            fields = [(name, value) for name, value in fields if name.lower() != "user-agent"] + [("User-Agent", "contract")]
        if "accept-encoding" not in names:
            fields.append(("Accept-Encoding", "gzip, deflate"))
        if on("Expect of GET") and request.body is None:
            fields.append(("Expect", "100-continue"))
        if "cookie" not in names:
            fields += [("Cookie", line) for line in self.jar.line(request.url)]
        return fields


def basic(user, password):
    text = f"{user}:{password}".encode()
    if on("lines of Base64"):
        return "Basic " + base64.encodebytes(text).decode().strip().replace("\n", "\\n")
    if on("Base64 for URLs"):
        return "Basic " + base64.urlsafe_b64encode(text).decode()
    if on("Base64 without padding"):
        return "Basic " + base64.b64encode(text).decode().rstrip("=")
    return "Basic " + base64.b64encode(text).decode()
