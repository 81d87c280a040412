# SPDX-License-Identifier: Apache-2.0
# Copyright the mockapi authors
"""Hostile patterns, templates and documents from a grammar: stubs, and the requests that are meant to exhaust a server by them."""
import json, random

ATOMS = ["a", "[a-z]", "\\w", ".", "[^b]", "(?:a|aa)", "(?:a|[a-z]|\\w)"]
REPEATS = ["*", "+", "*?", "+?", "{1,}", "{0,200}", "{2,}?"]


def pattern(draw):
    """A pattern whose parts can share a text in many ways, with an end that no text has."""
    parts = []
    for _ in range(draw.randint(1, 4)):
        atom = draw.choice(ATOMS)
        part = atom + draw.choice(REPEATS)
        kind = draw.randrange(9)
        if kind == 0:
            part = f"({part}){draw.choice(['*', '+', '{2,}'])}"
        elif kind == 1:
            part = f"(?:{part}|{atom}){draw.choice(['*', '+'])}"
        elif kind == 2:
            part = f"(?={part}q)?{part}"
        elif kind == 3:
            part = f"({part})(?:\\1)*" if not parts else f"(?:{part})*"
        elif kind == 4:
            part = f"(?>{part})?{atom}*"
        elif kind == 5:
            part = f"(?i:{part}){atom}*?"
        parts.append(part)
    return draw.choice(["", "^", ".*", "(?s).*?"]) + "".join(parts) + draw.choice(["q", "q$", "[0-9]", "b\\b", "$(?!)"])


def text(draw, size):
    return draw.choice(["a", "ab", "aab", "é", "a "]) * (size // 2) + "!"


def surfaces(number, dear, draw):
    """The stubs that put one pattern to each part of a request, each with a request: (name, stub, method, target, body, headers)."""
    long, line = text(draw, 200_000), "a" * 30_000 + "!"
    at = f"/g{number}"
    documents = json.dumps({"items": [{"n": long[:60_000]}] * 4})
    regex = dear.replace("/", "\\/")
    response = {"status": 200}
    yield "body", {"bodyPatterns": [{"matches": dear}]}, response, "POST", long, {}
    yield "header", {"headers": {"X": {"matches": dear}}}, response, "GET", None, {"X": line}
    yield "path", {"urlPathPattern": f"{at}-path/{dear.lstrip('^')}"}, response, "GET", None, "a" * 12_000
    yield "JSON path", {"bodyPatterns": [{"matchesJsonPath": f"$.items[?(@.n =~ /{regex}/)]"}]}, response, "POST", documents, {}
    yield "schema", {"bodyPatterns": [{"matchesJsonSchema": {"properties": {"items": {"items": {"properties": {
        "n": {"pattern": dear}}}}}}}]}, response, "POST", documents, {}
    yield "equalToJson", {"bodyPatterns": [{"equalToJson": {"n": "${json-unit.regex}" + dear}}]}, response, "POST", json.dumps({"n": long[:60_000]}), {}
    yield "regexExtract", {}, {"body": "{{regexExtract request.body '" + dear + "' default='none'}}", "transformers": ["response-template"]}, "POST", long, {}


HELPERS = [
    "substring a 10 20", "abbreviate a 9", "trim a", "base64 a", "urlEncode a", "upper a", "capitalize a", "slugify a", "wordWrap a 7",
    "replace a 'a' 'bb'", "eq a a", "contains a 'zz'", "matches a 'x+y'", "jsonPath a '$..*'", "toJson a", "formatJson a", "size (toJson l)",
    "join l ','", "toJson l", "arrayAdd l a", "eq l l", "jsonMerge (toJson l) '{}'", "xPath a '/a'", "formatXml a", "regexExtract a 'z+' default=''",
]


def template(draw):
    """A template that reads and makes much: a long text, lists that share their parts, and loops."""
    made = "{{assign 'l' (array 1 2)}}" + "{{assign 'l' (array l l l l l l l l)}}" * draw.randint(1, 14)
    text = "{{#assign 'a'}}" + draw.choice(["abc ", "{\"a\": [1]} ", "<a>x</a> "]) * draw.randint(1, 40_000) + "{{/assign}}"
    body = "".join("{{" + draw.choice(HELPERS) + "}}" for _ in range(draw.randint(1, 3)))
    for _ in range(draw.randint(1, 3)):
        body = "{{#each (range 1 %d)}}%s{{/each}}" % (draw.choice([100, 10_000, 100_000]), body)
    return made + text + body


def requests(count, seed):
    """Stubs and requests: (stub, name, method, target, body, headers)."""
    draw = random.Random(seed)
    for number in range(count):
        dear = pattern(draw)
        for name, ask, response, method, body, headers in surfaces(number, dear, draw):
            target = f"/g{number}-{name.replace(' ', '')}"
            if isinstance(headers, str):
                target, headers = f"/g{number}-path/{headers}", {}
            else:
                ask = {"urlPath": target, **ask}
            yield {"request": {"method": method, **ask}, "response": response}, f"{name}: {dear}", method, target, body, headers
        target = f"/t{number}"
        stub = {"request": {"urlPath": target}, "response": {"body": template(draw), "transformers": ["response-template"]}}
        yield stub, f"a template of seed {seed}, number {number}", "GET", target, None, {}
