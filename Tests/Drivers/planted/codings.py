"""How a client undoes content codings; each `has` is a defect that can be planted in it."""
import gzip
import zlib


class Failure(Exception):
    """There is no answer, or not all of it; the kind is one of those that a report may have."""

    def __init__(self, kind, detail=""):
        super().__init__(detail or kind)
        self.kind = kind


class Codings:
    def decoded(self, answer):
        codings = [coding.strip() for coding in ",".join(answer.values("content-encoding")).split(",")]
        if not self.has("knows codings by small letters"):
            codings = [coding.lower() for coding in codings]
        if len(codings) > 5 and not self.has("undoes any chain of codings"):
            raise Failure("decoding", "too many codings")
        for coding in codings[:1] if self.has("undoes one coding") else reversed(codings):
            answer.body = self.undone(answer, coding)
        return answer.body

    def undone(self, answer, coding):
        try:
            if coding in ("gzip", "x-gzip") and not self.has("leaves gzip as it is"):
                return self.unzipped(answer.body)
            if coding == "deflate" and not self.has("leaves deflate as it is"):
                return zlib.decompress(answer.body)
        except (OSError, EOFError, zlib.error, ValueError) as error:
            if self.has("takes what cannot be decoded as it is"):
                return answer.body
            raise Failure("decoding", str(error))
        return answer.body

    def unzipped(self, body):
        if not body and self.has("undoes codings without content"):
            raise ValueError("no content")
        stream = zlib.decompressobj(31)
        if self.has("reads the first member of gzip"):
            content = stream.decompress(body)
            if not stream.eof:
                raise ValueError("it ended too early")
            return content
        if self.has("takes gzip that is cut off"):
            return stream.decompress(body)
        if self.has("asks for no checksum of gzip"):
            raw = zlib.decompressobj(-15)
            content = raw.decompress(body[10:])
            if not raw.eof or len(raw.unused_data) < 8:
                raise ValueError("it ended too early")
            return content if len(raw.unused_data) == 8 else gzip.decompress(body)
        return gzip.decompress(body)
