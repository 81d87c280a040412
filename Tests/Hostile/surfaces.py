# SPDX-License-Identifier: Apache-2.0
# Copyright the mockapi authors
"""Hostile uses of each surface from a grammar: helpers and literals in loops, nested path templates, long targets, many XPaths and schemas, contents of the
admin API, and bodies in odd pieces: stubs, and the requests that are meant to exhaust a server by them."""
import json, random, urllib.parse

OK = {"status": 200}
CALLS = [
    "math 99999 '*' @index", "math 1 '/' 3", "stringFormat '%d %s %f' 1 2 3", "stringFormat '%1000000d' 1", "numberFormat 1e300 '#,##0.00'", "numberFormat @index '#,##0'",
    "now format='yyyy-MM-dd EEEE' offset='3 days'", "parseDate '2020-01-01T00:00:00Z'", "truncateDate (now) 'first day of month'", "date (parseDate '2020-01-01') format='yyyyyyyy'",
    "formData 'a=1&b=2' 'f'", "jsonPath '{\"a\":1}' '$..a'", "jsonMerge '{\"a\":1}' '{\"b\":2}'", "jsonSort '[2,1]' '$'", "xPath '<a>x</a>' '//a'", "formatXml '<a>x</a>'",
    "regexExtract 'abc' '[a-z]' default='-'", "matches 'abc' '[a-z]+'", "replace 'abc' 'b' 'c'", "wordWrap 'a b c' 1", "slugify 'é e'", "rjust 'x' size=100", "array 1 2 3 4",
    "randomValue length=50", "pickRandom 1 2 3", "systemValue key='A'", "lookup request 'url'", "''", "@index", "toJson request", "request.url", "request.headers.X", "and 1 2 3", "eq 'a' 'b'",
    "formData request.body 'g' urlDecode=true", "xPath request.body '//a[last()]'", "jsonPath request.body '$..a'", "size request.body", "trim request.body", "capitalize request.body",
]


def calls(draw, at):
    """A loop whose rounds do little, and very many of them; or lines and texts of such loops."""
    body = "".join("{{" + draw.choice(CALLS) + "}}" for _ in range(draw.choice([1, 3, 40])))
    if draw.random() < 0.3:
        body = draw.choice(["{{''}}", "x{{! }}", "{{#if x}}{{/if}}", "{{and " + "1 " * 50 + "}}"]) * 500
    for _ in range(draw.randint(1, 3)):
        body = "{{#each (range 1 100000)}}%s{{/each}}" % body
    text = draw.choice(["a=1&" * 10_000, "<r>" + "<a/>" * 8_000 + "</r>", json.dumps([{"a": n} for n in range(5_000)]), "ab " * 20_000])
    response = {"body": body, "transformers": ["response-template"]}
    if draw.random() < 0.2:
        response = {"headers": {f"X{n}": body for n in range(200)}, "transformers": ["response-template"]}
    return "helpers in loops", [{"request": {"method": "POST", "urlPath": at}, "response": response}], "POST", at, text, {"X": "1"}


def nested(draw, at):
    """Path templates of variables and rests within one another, and a path that nearly fits them."""
    pieces = draw.choice(["/{v#}/**", "/**/{v#}", "/{v#}-{w#}", "/a{v#}/**/b", "/{v#}/{w#}/**"])
    count = draw.randint(4, 28)
    text = "".join(pieces.replace("#", str(number)) for number in range(count))
    asked = [{"request": {"urlPathTemplate": f"{at}{text}/x{number}"}, "response": OK} for number in range(draw.choice([1, 64, 400]))]
    return "nested path templates", asked, "GET", at + draw.choice(["/a", "/a-b", "/ab", "/a/b", "/-"]) * draw.choice([500, 15_000]), None, {}


def targets(draw, at):
    """A target that is near those of stubs, which only the report on the miss compares."""
    count = draw.choice([100, 3_000, 7_000])
    pairs = [f"{draw.choice(['a', 'b', 'é'])}{number}={number % draw.choice([2, 99])}" for number in range(count)]
    asked = [{"request": {"url": f"{at}?" + "&".join(pairs) + f"&x{number}"}, "response": OK} for number in range(draw.choice([1, 40]))]
    asked += [{"request": {"urlPath": f"{at}/" + "b" * 3_000 + str(number)}, "response": OK} for number in range(draw.choice([1, 60]))]
    shuffled = draw.choice([pairs[::-1], pairs, [pair.upper() for pair in pairs]])
    return "near targets", asked, "GET", urllib.parse.quote(f"{at}?" + "&".join(shuffled), safe="/?&=")[:60_000], None, {}


def many(draw, at):
    """Many stubs of one kind of engine over one document."""
    kind = draw.choice(["XPath", "schema", "pattern", "contains", "equalToJson"])
    count = draw.choice([32, 200])
    letter = draw.choice("abz")
    xml = "<r>" + draw.choice([f"<{letter} b='x'/>", f"<{letter}>yyy</{letter}>", f"<{letter}><c/></{letter}>"]) * 20_000 + "</r>"
    rows = json.dumps([{"a": number, "n": letter * 20} for number in range(15_000)])
    body, matcher = {
        "XPath": (xml, lambda number: {"matchesXPath": draw.choice([f"//{letter}[@b='{number}']", f"//*[contains(., 'q{number}')]", f"//{letter}[position() = {number}]/following::c", f"//{letter}[last() - {number}][. = 'q']"])}),
        "schema": (rows, lambda number: {"matchesJsonSchema": draw.choice([{"items": {"properties": {"n": {"pattern": f".*[a-z]+x{number}"}}}}, {"contains": {"const": number - 999}}, {"items": {"required": [f"k{number}"]}}])}),
        "pattern": (letter * 300_000, lambda number: {"matches": draw.choice([f".*[a-y]{number}q", f"({letter}|{letter}{letter})+{number}q", f"(?:{letter}+)+q{number}"])}),
        "contains": (letter * 3_000_000, lambda number: {"contains": letter * draw.choice([3, 900, 40_000]) + f"!{number}"}),
        "equalToJson": (rows, lambda number: {"equalToJson": [{"a": place, "n": number} for place in range(300)], "ignoreArrayOrder": True, "ignoreExtraElements": True}),
    }[kind]
    asked = [{"request": {"method": "POST", "urlPath": at, "bodyPatterns": [matcher(number)]}, "response": OK} for number in range(count)]
    return f"many of one kind, {kind}", asked, "POST", at, body, {}


def admin(draw, at):
    """A content of the admin API that is long, deep or full of names."""
    stub = lambda **request: json.dumps({"request": {"method": "POST", "urlPath": at, **request}, "response": OK})
    body = draw.choice([
        lambda: "[" * 200_000, lambda: "[" + "1," * 3_000_000 + "1]", lambda: "{" + ",".join(f'"k{number}":1' for number in range(300_000)) + "}", lambda: "/*" + "*" * 3_000_000, lambda: "'" * 3_000_000,
        lambda: stub(bodyPatterns=[{"matches": "|".join(f"a{number}" for number in range(20_000))}]), lambda: stub(bodyPatterns=[{"equalToXml": "<a>" + "<b/>" * 100_000 + "</a>"}]),
        lambda: stub(queryParameters={f"q{number}": {"matches": f"{number}.*"} for number in range(5_000)}), lambda: stub(bodyPatterns=[{"equalToJson": list(range(200_000))}]),
        lambda: json.dumps({"response": {"body": "{{#if a}}" * 20_000, "transformers": ["response-template"]}}), lambda: json.dumps({"request": {"bodyPatterns": [json.loads('{"not":' * 200 + '{"contains":"a"}' + "}" * 200)]}, "response": OK}),
    ])()
    return "contents of the admin API", [], "POST", draw.choice(["/__admin/mappings", "/__admin/mappings/import", "/__admin/requests/count", "/__admin/near-misses/request"]), body, {}


KINDS = [calls, calls, nested, targets, many, many, admin]


def requests(count, seed):
    """Stubs and requests: (stubs, name, method, target, body, headers)."""
    draw = random.Random(f"surfaces {seed}")
    for number in range(count):
        for place, kind in enumerate(KINDS):
            name, asked, *request = kind(draw, f"/s{number}-{place}")
            yield asked, f"{name} ({number})", *request
