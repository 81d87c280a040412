# SPDX-License-Identifier: Apache-2.0
# Copyright the mockapi authors

"""The newsroom's app: one session against the API at MOCKAPI_URL. Writes what it saw to the file that it is given, secrets apart."""
import gzip, hashlib, json, os, sys, urllib.error, urllib.request

BASE = os.environ["MOCKAPI_URL"]
SEEN = []


class NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *arguments):
        return None


OPENER = urllib.request.build_opener(urllib.request.ProxyHandler({}), NoRedirect)


def ask(expected, method, path, value=None, body=None, **fields):
    """Makes a request, notes what came, and ends the program where that is not what the app needs: a status, or one of several."""
    data = json.dumps(value).encode() if value is not None else body
    headers = {name.replace("_", "-"): text for name, text in fields.items()}
    if value is not None:
        headers["Content-Type"] = "application/json"
    request = urllib.request.Request(BASE + path, data=data, method=method, headers=headers)
    try:
        answer = OPENER.open(request, timeout=60)
    except urllib.error.HTTPError as error:
        answer = error
    content = answer.read()
    if answer.headers.get("Content-Encoding") == "gzip":
        content = gzip.decompress(content)
    if answer.status not in (expected if isinstance(expected, tuple) else (expected,)):
        sys.exit(f"{method} {path}: expected {expected}, found {answer.status}\n{content.decode(errors='replace')}")
    if isinstance(expected, tuple):
        SEEN.append(f"{method} {path} {expected}")
        return None, answer.headers
    kind = answer.headers.get("Content-Type", "")
    result = json.loads(content) if content and "json" in kind else content
    shown = result
    if path == "/api/login" and expected == 201:
        shown = {**result, "token": "…"}
    digest = hashlib.sha256(json.dumps(shown).encode() if content and "json" in kind else content).hexdigest()[:16]
    location = answer.headers.get("Location", "").replace(BASE, "")
    # Whoever passes an answer on may make its tag a weak one.
    tag = answer.headers.get("ETag", "").removeprefix("W/")
    SEEN.append(f"{method} {path} {answer.status} {kind} {location} {tag} {digest}")
    return result, answer.headers


ask(401, "POST", "/api/login", {"name": "ann", "password": "wrong-Zx9pL4sB"})
login, _ = ask(201, "POST", "/api/login", {"name": "ann", "password": "right-Kq7vT2mX"})
token = {"Authorization": "Bearer " + login["token"]}
ask(401, "GET", "/api/me")
assert ask(200, "GET", "/api/me", **token)[0]["role"] == "editor"
for page in 1, 2, 3:
    assert ask(200, "GET", f"/api/articles?page={page}", Accept_Encoding="gzip")[0]["meta"]["page"] == page
assert ask(200, "GET", "/api/articles?q=Article%202")[0]["meta"]["total"] == 7
ask(200, "HEAD", "/api/articles/1")
_, headers = ask(200, "GET", "/api/articles/1")
# A recording asks for the whole; a replay, as the API itself, knows that nothing has changed.
ask((200, 304), "GET", "/api/articles/1", If_None_Match=headers["ETag"])
ask(404, "GET", "/api/articles/99")
ask(401, "POST", "/api/articles", {"title": "News"})
ask(422, "POST", "/api/articles", {"title": ""}, **token)
made, headers = ask(201, "POST", "/api/articles", {"title": "News", "tags": ["x"]}, **token)
place = headers["Location"].replace(BASE, "")
assert made["data"]["id"] == 26 and place == "/api/articles/26", (made, place)
assert ask(200, "GET", place)[0]["data"]["title"] == "News"
ask(200, "PATCH", place, {"title": "Newer"}, **token)
assert ask(200, "GET", place)[0]["data"]["title"] == "Newer"
ask(200, "PUT", place, {"title": "Newest"}, **token)
assert ask(200, "GET", "/api/articles?page=3")[0]["meta"]["total"] == 26
assert ask(200, "GET", place + "/comments")[0]["data"] == []
for number, text in enumerate(["text=first&mood=good", "text=second&mood=bad"], start=1):
    made, _ = ask(201, "POST", place + "/comments", body=text.encode(), Content_Type="application/x-www-form-urlencoded")
    assert made["count"] == number
assert ask(200, "GET", place + "/comments")[0]["data"] == ["first", "second"]
assert ask(200, "GET", "/images/1.png")[0].startswith(b"\x89PNG")
part = b'--XyZ\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\nhello\r\n--XyZ--\r\n'
assert ask(201, "POST", "/api/uploads", body=part, Content_Type="multipart/form-data; boundary=XyZ")[0]["bytes"] == len(part)
for name in "Ann", "Bea":
    query = {"operationName": "Hello", "query": "query Hello($name: String) { hello(name: $name) }", "variables": {"name": name}}
    assert ask(200, "POST", "/graphql", query)[0]["data"]["hello"] == "Hello " + name
_, headers = ask(302, "GET", "/latest")
ask(200, "GET", headers["Location"].replace(BASE, ""))
assert b"News &amp; more" in ask(200, "GET", "/feed.xml")[0]
ask(204, "DELETE", place, **token)
ask(404, "GET", place)
ask(404, "DELETE", place, **token)
ask(404, "GET", "/nowhere")

with open(sys.argv[1], "w") as file:
    file.write("\n".join(SEEN) + "\n")
