"""What a client makes of a response for its caller; `on(NAME)` is whether it deviates there."""
import gzip
import json
import zlib

from parts import Error, Partial, among, on


class Told:
    def told(self, request, response):
        bare = request.method == "HEAD" or response.status in (204, 304)
        if not bare:
            try:
                response.body = self.decoded(request, response)
            except Partial:
                pass
        told = among("tells ")
        if told and told == f"{response.status} as 200":
            response.status = 200
        if told and told == f"{response.status} as an error":
            raise Error("protocol", "status")
        if told and told == f"{response.status} without content":
            response.body = b""
        if on("tells unknown statuses as those of their class") and response.status not in (200, 201, 204, 304, 400, 401, 404, 417, 421, 422, 500, 503, 302, 103, 102):
            response.status -= response.status % 100
        if on("tells a redirection in the end") and request.hops:
            response.status = 302
        if on("tells the fields of the first response") and request.hops:
            response.headers = []
        if on("CR LF of text becomes LF") and response.first("content-type", "").startswith("text/"):
            response.body = response.body.replace(b"\r\n", b"\n")
        if on("JSON by its order") and "json" in response.first("content-type", "") and response.status == 200:
            response.body = json.dumps(json.loads(response.body), sort_keys=True).encode()
        if on("gzip files are unpacked") and response.body[:2] == b"\x1f\x8b" and not response.first("content-encoding"):
            response.body = gzip.decompress(response.body)
        if on("images end at zero") and response.first("content-type", "").startswith("image/"):
            response.body = response.body.partition(b"\0")[0]
        if on("last of repeated fields"):
            response.headers = list({name.lower(): (name, value) for name, value in response.headers}.values())
        if on("a megabyte less one") and len(response.body) >= 1 << 20:
            response.body = response.body[:(1 << 20) - 1]
        if on("content of HEAD is made up") and request.method == "HEAD":
            response.body = b"\0" * int(response.first("content-length", "0"))
        return response

    def decoded(self, request, response):
        names = [name.strip().lower() for value in response.all("content-encoding") for name in value.split(",") if name.strip()]
        if len(names) > 8 and not on("chains of any length"):
            raise Error("decoding", "chain")
        if on("codings of text alone") and not response.first("content-type", "").startswith("text/"):
            return response.body
        if on("codings of 200 alone") and response.status != 200:
            return response.body
        if on("codings of GET alone") and request.method != "GET":
            return response.body
        if on("a list of codings is one"):
            names = [",".join(response.all("content-encoding"))] if names else []
        if on("the first coding alone"):
            names = names[:1]
        body = response.body
        for name in names if on("codings in their order") else reversed(names):
            body = self.undone(name, body)
        return body

    def undone(self, name, body):
        try:
            if name in ("gzip", "x-gzip"):
                if on("gzip without flags") and body[3:4] != b"\0":
                    raise ValueError("flags")
                if on("64 KiB of decoded content"):
                    return gzip.decompress(body)[:65536]
                if on("length of gzip modulo 64 KiB") and len(body) > 8:
                    text = gzip.decompress(body)
                    return text[:len(text) % 65536]
                if on("no end of gzip needed"):
                    out, rest = b"", body
                    while rest:
                        engine = zlib.decompressobj(31)
                        out += engine.decompress(rest)
                        rest = engine.unused_data
                    return out
                if on("no checksum of the last member"):
                    out, rest = b"", body
                    while rest:
                        engine = zlib.decompressobj(-15)
                        out += engine.decompress(rest[10:])
                        if not engine.eof:
                            raise EOFError
                        rest = engine.unused_data[8:]
                    return out
                if on("an empty text for bad gzip"):
                    try:
                        return gzip.decompress(body)
                    except (OSError, EOFError, zlib.error):
                        return b""
                return gzip.decompress(body)
            if name == "deflate":
                if on("deflate without its head"):
                    return zlib.decompress(body, -15)
                return zlib.decompress(body)
        except (OSError, EOFError, zlib.error, ValueError) as error:
            if on("bad gzip as it is"):
                return body
            raise Error("timeout" if on("bad gzip is a time-out") else "decoding", str(error))
        return body
