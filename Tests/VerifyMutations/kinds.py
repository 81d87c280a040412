# SPDX-License-Identifier: Apache-2.0
# Copyright the mockapi authors
"""What `run` has fixtures of: a body of each kind, and what a decoder of that kind reads in one.

A reading is the set of what a client takes from a body: places and types, elements in their namespaces, columns, the fields of a message, the
size of an image. A decoder that fails reads None. What is no part of a reading is of the day: values that keep their type, lengths of
lists, the pixels of an image, the text of a page.
"""
import csv, gzip, io, json, re, struct, urllib.parse, zipfile, zlib
import xml.etree.ElementTree as ElementTree

try:
    import yaml
except ImportError:  # documents in YAML are left out then
    yaml = None


def places(value, path=""):
    if isinstance(value, dict):
        return {(path, "object")}.union(*(places(inner, f"{path}/{name}") for name, inner in value.items()))
    if isinstance(value, list):
        return {(path, "list")}.union(*(places(inner, path + "/*") for inner in value))
    return {(path, type(value).__name__)}


def refuse(word):
    raise ValueError(word)


def read_json(body):
    return places(json.loads(body.decode("utf-8"), parse_constant=refuse))


def read_lines(body):
    lines = [line for line in body.decode("utf-8").split("\n") if line.strip()]
    return set().union(*(places(json.loads(line, parse_constant=refuse)) for line in lines))


def read_graphql(body):
    answer = json.loads(body.decode("utf-8"), parse_constant=refuse)
    return places(answer) | ({"errors"} if answer.get("errors") else set())


def read_xml(body):
    def walk(element, path):
        path = f"{path}/{element.tag}"
        found = {path} | {f"{path}/@{name}" for name in element.attrib}
        return found.union(*(walk(child, path) for child in element))

    return walk(ElementTree.fromstring(body), "")


def read_svg(body):
    return {ElementTree.fromstring(body).tag}


def read_table(body):
    rows = list(csv.reader(io.StringIO(body.decode("utf-8"), newline="")))
    rows = [row for row in rows if row]
    return {("column", place, name) for place, name in enumerate(rows[0])} | {len(row) - len(rows[0]) for row in rows[1:]}


def read_form(body):
    pairs = urllib.parse.parse_qsl(body.decode("utf-8"), keep_blank_values=True)
    names = [name for name, _ in pairs]
    return {(name, "list" if names.count(name) > 1 else "value") for name in names}


def read_events(body):
    found, name, data = set(), "", []
    for line in re.split("\r\n|\n|\r", body.decode("utf-8", "replace"))[:-1]:
        field, _, value = line.partition(":")
        value = value[1:] if value.startswith(" ") else value
        if not line:
            if data:
                text = "\n".join(data)
                try:
                    found |= {(name or "message", place) for place in places(json.loads(text, parse_constant=refuse))}
                except ValueError:
                    found.add((name or "message", "text"))
            name, data = "", []
        elif field == "event":
            name = value
        elif field == "data":
            data.append(value)
    return found


def read_png(body):
    if body[:8] != b"\x89PNG\r\n\x1a\n":
        raise ValueError("signature")
    place, parts = 8, []
    while not parts or parts[-1][0] != b"IEND":
        length, name = struct.unpack(">I4s", body[place:place + 8])
        data = body[place + 8:place + 8 + length]
        if zlib.crc32(name + data) != struct.unpack(">I", body[place + 8 + length:place + 12 + length])[0]:
            raise ValueError("sum")
        parts.append((name, data))
        place += 12 + length
    width, height, depth, colour, *_ = struct.unpack(">IIBBBBB", parts[0][1])
    pixels = zlib.decompress(b"".join(data for name, data in parts if name == b"IDAT"))
    if len(pixels) != height * (1 + (width * depth * {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}[colour] + 7) // 8):
        raise ValueError("pixels")
    return {(width, height, colour in (4, 6))}


def read_gif(body):
    if body[:6] not in (b"GIF87a", b"GIF89a"):
        raise ValueError("signature")
    width, height, flags = struct.unpack("<HHB", body[6:11])
    place, frames = 13 + (3 << (flags & 7) + 1 if flags & 128 else 0), 0
    while body[place] != 0x3B:
        if body[place] == 0x2C:
            frames += 1
            flags = body[place + 9]
            place += 11 + (3 << (flags & 7) + 1 if flags & 128 else 0)
        elif body[place] == 0x21:
            place += 2
        else:
            raise ValueError("block")
        while body[place]:
            place += body[place] + 1
        place += 1
    return {(width, height, frames > 1)} if frames else refuse("frames")


def read_jpeg(body):
    if body[:2] != b"\xFF\xD8":
        raise ValueError("signature")
    place, size = 2, None
    while True:
        mark, marker, length = struct.unpack(">BBH", body[place:place + 4])
        if mark != 255 or place + 2 + length > len(body):
            raise ValueError("segment")
        if marker in (0xC0, 0xC1, 0xC2):
            size = struct.unpack(">HH", body[place + 5:place + 9])
        place += 2 + length
        if marker == 0xDA:
            return {size} if size and b"\xFF\xD9" in body[place:] else refuse("end")


def read_zip(body):
    with zipfile.ZipFile(io.BytesIO(body)) as archive:
        names = archive.namelist()
    return {"zip"} if names else refuse("empty")


def read_gzip(body):
    gzip.decompress(body)
    return {"gzip"}


def read_pdf(body):
    """What a strict reader does first: the header, the end, the table that it names, and the objects in it."""
    if not body.startswith(b"%PDF-"):
        raise ValueError("header")
    end = re.search(rb"startxref\s+(\d+)\s+%%EOF", body[-900:])
    table = re.match(rb"xref\s+0 (\d+)\s*\n", body[int(end[1]):])
    start = int(end[1]) + table.end()
    entries = [body[start + 20 * index:start + 20 * index + 20] for index in range(int(table[1]))]
    used = set()
    for number, entry in enumerate(entries):
        place, _, kind = entry.split()
        if kind == b"n":
            if int(re.match(rb"(\d+) \d+ obj\b", body[int(place):])[1]) != number:
                raise ValueError("object")
            used.add(number)
    if int(re.search(rb"trailer\s*<<.*/Root (\d+) 0 R", body, re.S)[1]) not in used:
        raise ValueError("root")
    return {"pdf"}


def read_font(body):
    if body[:4] != b"\0\1\0\0":
        raise ValueError("version")
    found = set()
    for index in range(struct.unpack(">H", body[4:6])[0]):
        name, wanted, place, length = struct.unpack(">4sIII", body[12 + 16 * index:28 + 16 * index])
        data = body[place:place + length]
        if len(data) != length:
            raise ValueError("length")
        if name == b"head":  # the sum of the whole font stands in it
            data = data[:8] + bytes(4) + data[12:]
        data += bytes(-length % 4)
        if sum(struct.unpack(f">{len(data) // 4}I", data)) & 0xFFFFFFFF != wanted:
            raise ValueError("sum")
        found.add(name)
    return found


def read_message(body, schema=None):
    """A message by its schema: a field number to the kind that its class has."""
    schema, found, place = schema or SCHEMA, set(), 0

    def varint():
        nonlocal place
        value = 0
        for shift in range(0, 70, 7):
            byte = body[place]
            place += 1
            value |= (byte & 127) << shift
            if byte < 128:
                return value
        raise ValueError("varint")

    def take(count):
        nonlocal place
        if place + count > len(body):
            raise ValueError("cut")
        place += count
        return body[place - count:place]

    while place < len(body):
        number, kind = divmod(varint(), 8)
        if number == 0:
            raise ValueError("number")
        value = {0: varint, 1: lambda: take(8), 2: lambda: take(varint()), 5: lambda: take(4)}[kind]()
        wanted = schema.get(number)
        if wanted == "string" and kind == 2:
            value.decode("utf-8")
            found.add((number, wanted))
        elif isinstance(wanted, dict) and kind == 2:
            found |= {(number, inner) for inner in read_message(value, wanted)} | {(number, "message")}
        elif wanted == {0: "int", 1: "fixed64", 5: "fixed32"}.get(kind):
            found.add((number, wanted))
        else:
            found.add((number, "unknown", kind))
    return found


def read_yaml(body):
    class Loader(yaml.SafeLoader):
        """YAML 1.2: on and yes are texts."""

    Loader.yaml_implicit_resolvers = {
        sign: [(tag, form) for tag, form in forms if not tag.endswith(":bool") or sign in "tTfF"]
        for sign, forms in yaml.SafeLoader.yaml_implicit_resolvers.items()
    }
    return places(keyed(yaml.load(body.decode("utf-8"), Loader)))


def keyed(value):
    """The paths of a document are the keys of a map."""
    if isinstance(value, dict):
        return {"*" if str(name).startswith("/") else name: keyed(inner) for name, inner in value.items()}
    return [keyed(inner) for inner in value] if isinstance(value, list) else value


def read_document(body):
    return places(keyed(json.loads(body.decode("utf-8"), parse_constant=refuse)))


# MARK: Bodies


def chunk(name, data):
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


def png(width=4, height=3):
    rows = b"".join(b"\0" + bytes((x * 40 + y * 9) % 256 for x in range(width * 3)) for y in range(height))
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


def gif():
    frame = b"\x2C\0\0\0\0\2\0\2\0\0\2\2\x44\x01\0"
    return b"GIF89a\2\0\2\0\x80\0\0\0\0\0\xFF\xFF\xFF" + frame + b"\x3B"


def jpeg():
    def segment(marker, data):
        return struct.pack(">BBH", 255, marker, len(data) + 2) + data

    frame = struct.pack(">BHHB", 8, 2, 3, 1) + b"\1\x11\0"
    return (b"\xFF\xD8" + segment(0xE0, b"JFIF\0\1\1\0\0\1\0\1\0\0") + segment(0xDB, bytes(65)) + segment(0xC0, frame)
            + segment(0xC4, bytes(29)) + segment(0xDA, b"\1\1\0\0\x3F\0") + b"\x12\x34\x56" + b"\xFF\xD9")


def archive():
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as written:
        written.writestr(zipfile.ZipInfo("a.txt"), "some text " * 4)
        written.writestr(zipfile.ZipInfo("b.txt"), "more")
    return file.getvalue()


def pdf():
    objects = [b"<</Type /Catalog /Pages 2 0 R>>", b"<</Type /Pages /Kids [3 0 R] /Count 1>>",
               b"<</Type /Page /Parent 2 0 R /MediaBox [0 0 99 99] /Contents 4 0 R>>",
               b"<</Length 29>>\nstream\nBT /F1 9 Tf (Invoice 7) Tj ET\nendstream"]
    body, places = b"%PDF-1.4\n%\xE2\xE3\xCF\xD3\n", []
    for number, text in enumerate(objects, 1):
        places.append(len(body))
        body += b"%d 0 obj\n%s\nendobj\n" % (number, text)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    return body + b"xref\n0 5\n0000000000 65535 f \n%strailer\n<</Size 5 /Root 1 0 R>>\nstartxref\n%d\n%%%%EOF\n" % (table, len(body))


def font():
    tables = {b"cmap": bytes(range(40)), b"glyf": bytes(range(60, 130)), b"head": bytes(8) + bytes(4) + bytes(range(42))}
    place, head, data = 12 + 16 * len(tables), b"\0\1\0\0\0\3\0\x20\0\1\0\x10", b""
    for name, table in tables.items():
        padded = table + bytes(-len(table) % 4)
        total = sum(struct.unpack(f">{len(padded) // 4}I", padded)) & 0xFFFFFFFF
        head += struct.pack(">4sIII", name, total, place + len(data), len(table))
        data += padded
    return head + data


SCHEMA = {1: "int", 2: "string", 3: {1: "int", 2: "string"}, 4: "fixed64", 5: "fixed32"}
MESSAGE = (b"\x08\xAC\x02" + b"\x12\x07Ann Lee" + b"\x1A\x08\x08\x07\x12\x04Bern" + b"\x1A\x08\x08\x09\x12\x04Genf"
           + b"\x21" + struct.pack("<d", 1.5) + b"\x2D" + struct.pack("<f", 2.5))

DOCUMENT = """openapi: 3.0.3
info:
  title: shop
  version: "1.2"
paths:
  /items/{id}:
    get:
      parameters:
        - {name: id, in: path, required: true, schema: {type: integer}}
      responses:
        default:
          description: one
          content:
            application/json:
              schema:
                type: object
                required: [id, name]
                properties:
                  id: {type: integer, minimum: 1}
                  name:
                    type: string
                    maxLength: 40
""".encode()

KINDS = {
    "json": ("application/json", b'{"id":7,"name":"Ann","on":true,"price":1.5,"tags":["a"],"owner":{"mail":"x","age":3}}', read_json),
    "ndjson": ("application/x-ndjson", b'{"id":1,"name":"a"}\n{"id":2,"name":"b"}\n', read_lines),
    "xml": ("application/xml", b'<?xml version="1.0" encoding="UTF-8"?>\n<s:order xmlns:s="urn:shop" xmlns="urn:plain" s:no="7"><s:item kind="a">x</s:item><note>y</note></s:order>', read_xml),
    "svg": ("image/svg+xml", b'<svg xmlns="http://www.w3.org/2000/svg" width="9"><g/><text>a</text></svg>', read_svg),
    "csv": ("text/csv", b'id,name,city\r\n1,"Lee, Ann",Bern\r\n2,Bob,Genf\r\n3,Eve,Thun\r\n', read_table),
    "png": ("image/png", png(), read_png),
    "gif": ("image/gif", gif(), read_gif),
    "jpeg": ("image/jpeg", jpeg(), read_jpeg),
    "zip": ("application/zip", archive(), read_zip),
    "gzip": ("application/gzip", gzip.compress(b"some text " * 9, mtime=0), read_gzip),
    "pdf": ("application/pdf", pdf(), read_pdf),
    "font": ("font/ttf", font(), read_font),
    "events": ("text/event-stream", b'event: tick\ndata: {"n":1}\n\nevent: tick\ndata: {"n":2}\n\n', read_events),
    "protobuf": ("application/x-protobuf", MESSAGE, read_message),
    "form": ("application/x-www-form-urlencoded", b"token=abc&scope=read&expires=60", read_form),
    "graphql": ("application/json", b'{"data":{"user":{"__typename":"User","id":"7","posts":[{"title":"a","likes":2}]}}}', read_graphql),
    "openapi-json": ("application/vnd.oai.openapi+json", json.dumps({"openapi": "3.1.0", "info": {"title": "t", "version": "1"}, "paths": {"/a": {"get": {"responses": {"default": {"description": "x"}}}}}}).encode(), read_document),
}
if yaml:
    KINDS["openapi"] = ("application/yaml", DOCUMENT, read_yaml)
