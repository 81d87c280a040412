# SPDX-License-Identifier: Apache-2.0
# Copyright the mockapi authors
"""Hostile heads, parts, documents and uses of a request by templates from a grammar: stubs, and the requests that are meant to exhaust a server by them."""
import json, random

PIECES = [";", ",", "=", "\"", "\\", " ", "a=b;", "a;", "a,", "\"\\\"", ";a=\"", "q=0.5,", "*/*;", "W/\"a\",", "1-2,", "%2F", "a:", "'", "()", "[", "eyJ.", "--", "\t"]
LINES = [
    "Content-Type", "Accept", "Accept-Encoding", "Range", "If-None-Match", "If-Match", "If-Modified-Since", "If-Range", "Authorization", "Cookie", "Origin",
    "Forwarded", "X-Forwarded-For", "Content-Encoding", "Content-Disposition", "Accept-Language", "TE", "Access-Control-Request-Headers",
]
TYPES = ["text/plain", "multipart/form-data", "application/x-www-form-urlencoded", "application/json"]
MATCHERS = [{"absent": True}, {"equalTo": "N"}, {"contains": "zN"}, {"matches": ".*[a-z]+N"}, {"includes": [{"equalTo": "N"}, {"matches": "zN.*"}]}, {"doesNotMatch": "N"}]
OK = {"status": 200}


def numbered(matcher, number):
    return json.loads(json.dumps(matcher).replace("N", str(number)))


def stubs(draw, ask):
    """Many stubs for one path, each of which asks something else."""
    return [{"request": ask(number), "response": OK} for number in range(draw.choice([1, 64, 256]))]


def heads(draw, at):
    """Many names of a kind, put to stubs that look through all of them; or one long line, for whatever reads it."""
    kind = draw.choice(["queryParameters", "cookies", "headers", "line"])
    if kind == "line":
        line, piece = draw.choice(LINES), draw.choice(PIECES)
        start = draw.choice(TYPES) if line == "Content-Type" else draw.choice(["", "bytes=", "Basic ", "Digest ", "form-data"])
        ask = {"method": "POST", "urlPath": at, draw.choice(["headers", "cookies"]): {line: numbered(draw.choice(MATCHERS), 1)}}
        return f"a line: {line} of {piece!r}", [{"request": ask, "response": OK}], "POST", at, "a=1&b", {line: start + piece * (30_000 // len(piece)) + "x"}
    most = {"queryParameters": 9_000, "cookies": 12_000, "headers": 480}[kind]
    names = [draw.choice(["a", f"n{n % draw.choice([2, 50])}", f"n{n}"]) for n in range(most)]
    matchers = [draw.choice(MATCHERS) for _ in range(draw.randint(1, 6))]
    asked = stubs(draw, lambda number: {"urlPath": at, kind: {f"{draw.choice(['a', 'n', 'z'])}{place}": numbered(matcher, number) for place, matcher in enumerate(matchers)}})
    if kind == "queryParameters":
        return f"names: {kind}", asked, "GET", at + "?" + "&".join(f"{name}=1" for name in names)[:60_000], None, {}
    if kind == "cookies":
        return f"names: {kind}", asked, "GET", at, None, {"Cookie": ";".join(f"{name}=1" for name in names)[:60_000]}
    return f"names: {kind}", asked, "GET", at, None, [(name, "1") for name in names]


def paths(draw, at):
    """A path of many segments, and templates that fit it in many ways until their ends."""
    parts = ["/{v#}", "/**", "/a", "/a{v#}", "/{v#}b", "**"]

    def template(number):
        drawn = [draw.choice(parts) for _ in range(draw.randint(1, 30))]
        text = "".join(part.replace("#", str(place)) for place, part in enumerate(drawn)).replace("****", "**").replace("}{", "}a{").replace("}**", "}/**")
        return {"urlPathTemplate": f"{at}{text}/x{number}"}
    return "path templates", stubs(draw, template), "GET", at + draw.choice(["/a", "/ab", "/"]) * 20_000, None, {}


def parts(draw, at):
    """Parts with many header lines or odd ones, and stubs that ask for some."""
    lines = [draw.choice(["a: b", "Content-Disposition: form-data; name=n", "Content-Disposition: form-data" + draw.choice(PIECES) * draw.choice([10, 100_000])]) for _ in range(draw.randint(1, 60))]
    part = "--B\r\n" + "\r\n".join(lines) + "\r\n\r\n" + draw.choice(["", "[1]", "a" * 1000]) + "\r\n"
    body = part * min(1_000, max(1, 3_000_000 // len(part))) + "--B--\r\n"
    matchers = [draw.choice(MATCHERS[:4]) for _ in range(draw.randint(0, 5))]

    def pattern(number):
        bodies = [draw.choice([{"equalToJson": [number]}, {"contains": f"z{number}"}, {"matchesJsonPath": f"$[{number}]"}])]
        return {"method": "POST", "urlPath": at, "multipartPatterns": [{"headers": {f"h{place}": numbered(each, number) for place, each in enumerate(matchers)}, "bodyPatterns": bodies}]}
    return "parts", stubs(draw, pattern), "POST", at, body, {"Content-Type": "multipart/form-data; boundary=B"}


def value(draw, depth=0):
    kind = draw.randrange(6 if depth < 4 else 3)
    if kind < 3:
        return draw.choice([1, "a" * draw.choice([1, 100]), None, True, 1.5])
    if kind < 5:
        return [value(draw, depth + 1)] * draw.choice([1, 3, 40])
    return {draw.choice(["a", "b", f"k{n}"]): value(draw, depth + 1) for n in range(draw.choice([1, 3, 30]))}


def documents(draw, at):
    """JSON with many values or names, put to everything that reads JSON."""
    wide = draw.choice([
        lambda: [value(draw) for _ in range(300)], lambda: {f"k{n}": n for n in range(60_000)}, lambda: [{"a": n % 7, "b": [n % 3]} for n in range(5_000)], lambda: [f"{n}" for n in range(60_000)],
    ])()
    body = json.dumps(wide) if draw.randrange(4) else "{" + ",".join(f'"a":{n}' for n in range(60_000)) + "}"
    expected = lambda number: draw.choice([[{"a": n % 5, "b": [number]} for n in range(200)], {"a": number}, [str(number)] * 50, ["${json-unit.regex}.*[0-9]+x"], {"a": "${json-unit.any-string}", "b": number}])
    asked = draw.choice([
        lambda number: {"equalToJson": expected(number), "ignoreArrayOrder": True, "ignoreExtraElements": draw.random() < 0.5},
        lambda number: {"matchesJsonPath": {"expression": draw.choice(["$..*", "$..a", "$[*]..b", "$[?(@.a > 3)]", "$..[?(@..b)]", "$[::2]"]), "contains": f"z{number}"}},
        lambda number: {"matchesJsonSchema": draw.choice([{"uniqueItems": True, "minItems": number}, {"items": {"anyOf": [{"const": n} for n in range(50)]}}, {"patternProperties": {"(a|k)+[0-9]*x": {"minimum": number}}}])},
    ])
    return "JSON", stubs(draw, lambda number: {"method": "POST", "urlPath": at, "bodyPatterns": [asked(number)]}), "POST", at, body, {}


def markup(draw, at):
    """XML with many elements, attributes or namespaces, put to documents, placeholders and XPaths."""
    many = draw.choice([
        "".join(f"<a b='{n}'>{n}</a>" for n in range(20_000)), "<a/>" * 60_000, "<a>x</a><b/>" * 20_000, "<a>" * 200 + "x" * 100_000 + "</a>" * 200, "<a " + " ".join(f"b{n}='1'" for n in range(900)) + "/>" * 1,
        "".join(f"<n:a xmlns:n='u{n}'/>" for n in range(10_000)), "x<!-- -->" * 50_000,
    ])
    asked = draw.choice([
        lambda number: {"equalToXml": f"<r><a b='{number}'>{number}</a></r>", "ignoreOrderOfSameNode": draw.random() < 0.5},
        lambda number: {"equalToXml": "<r>" + "<a b='${xmlunit.ignore}'>${xmlunit.matchesRegex(.*[0-9]+" + str(number) + "x)}</a>" * 20 + "</r>", "enablePlaceholders": True},
        lambda number: {"matchesXPath": draw.choice([f"//a[@b='z{number}']", "//a[count(preceding::a) > 100000]", f"//*[contains(., 'z{number}')]", "//a[. = //b]", f"string-length(//r) > {number}000000"])},
    ])
    return "XML", stubs(draw, lambda number: {"method": "POST", "urlPath": at, "bodyPatterns": [asked(number)]}), "POST", at, f"<r>{many}</r>", {}


def queries(draw, at):
    """GraphQL documents, and dates."""
    if draw.random() < 0.5:
        query = draw.choice(["{" + "a " * 20_000 + "}", "{a" * 150 + "}" * 150, "".join(f"fragment f{n} on T {{...f{n + 1} ...f{n + 1}}} " for n in range(60)) + "{...f0}", "{a(b: [" + "1 " * 30_000 + "])}", "{" + " ".join(f"a{n}: b" for n in range(9_000)) + "}"])
        return "GraphQL", stubs(draw, lambda number: {"method": "POST", "urlPath": at, "bodyPatterns": [{"graphqlQuery": f"{{z{number}}}"}]}), "POST", at, json.dumps({"query": query}), {}
    date = draw.choice(["2020-01-01T00:00:00" + "0" * 20_000, "9" * 20_000, "2020-01-01T00:00:00Z" + " " * 20_000, "Mon, " * 5_000, "+999999999-12-31T23:59:59Z"])
    ask = lambda number: {"urlPath": at, "headers": {"X": {"before": "2030-01-01T00:00:00Z", **draw.choice([{}, {"actualFormat": "yyyy-MM-dd'x'" * 20}, {"truncateActual": "first day of month"}])}, "Y": {"equalTo": str(number)}}}
    return "dates", stubs(draw, ask), "GET", at, None, {"X": date}


USES = [
    "{{request.query.a1}}", "{{request.headers.x}}", "{{request.cookies.a}}", "{{request.path.[9]}}", "{{#if request.path}}x{{/if}}", "{{lookup request.query 'a9'}}", "{{request.body.length}}", "{{o.k9}}", "{{lookup o 'k1'}}", "{{z}}",
    "{{request.multipart}}", "{{size request.parts}}", "{{request.parts.n.bodyAsBase64}}", "{{x.attributes.a}}", "{{x.[0].text}}", "{{f.a}}", "{{request.bodyAsBase64}}", "{{request.url}}", "{{math request.query.a1 '+' 1}}", "{{#with o}}{{y}}{{/with}}", "{{@root.request.query.a2}}",
]
LOOPS = ["(range 1 100000)", "request.query", "request.headers", "request.path", "o", "o.l", "(jsonPath request.body '$..*')", "(split request.body 'a')"]


def models(draw, at):
    """A template that asks for parts of a request, and for members of objects, over and over."""
    names = "{{assign 'o' (parseJson request.body)}}{{assign 'x' (xPath '<r><a a=\"1\">t</a></r>' '//a')}}{{formData 'a=1&b=2' 'f'}}"
    text = "".join(draw.choice(USES) for _ in range(draw.randint(1, 3)))
    for _ in range(draw.randint(1, 3)):
        text = "{{#each %s}}%s{{/each}}" % (draw.choice(LOOPS), text)
    body = json.dumps({"l": list(range(1_000)), **{f"k{n}": n for n in range(draw.choice([10, 20_000]))}})
    stub = {"request": {"method": "POST", "urlPathPattern": f"{at}.*"}, "response": {"body": names + text, "transformers": ["response-template"]}}
    target = at + "/b" * draw.choice([1, 5_000]) + "?" + "&".join(f"a{n}=1" for n in range(draw.choice([3, 5_000])))
    return "uses of a request", [stub], "POST", target, body, {"Cookie": "a=1;" * draw.choice([1, 3_000]), "X": "1"}


KINDS = [heads, heads, paths, parts, documents, markup, queries, models, models]


def requests(count, seed):
    """Stubs and requests: (stubs, name, method, target, body, headers)."""
    draw = random.Random(f"documents {seed}")
    for number in range(count):
        for place, kind in enumerate(KINDS):
            name, asked, *request = kind(draw, f"/d{number}-{place}")
            yield asked, f"{name} ({number})", *request
