"""Puts Python's requests to the contract."""
import base64, concurrent.futures, json, os, urllib.request

import requests

URL = os.environ["MOCKAPI_URL"]
ERRORS = [
    (requests.exceptions.Timeout, "timeout"),
    (requests.exceptions.TooManyRedirects, "redirects"),
    (requests.exceptions.ContentDecodingError, "decoding"),
    (requests.exceptions.ChunkedEncodingError, "protocol"),
    (requests.exceptions.ConnectionError, "connection"),
]


def take(session, authority, step, index):
    url = step["urls"][index] if "urls" in step else step["url"]
    body = base64.b64decode(step["bodyBase64"]) if "bodyBase64" in step else step.get("body", "").encode() or None
    # requests has no other way to give a request up.
    cancelled = "cancelAfterMilliseconds" in step and index == 0
    timeout = step["cancelAfterMilliseconds"] / 1000 if cancelled else step["timeoutSeconds"]
    try:
        headers = dict(step["headers"])
        used = [name for name in ("query", "pieces", "user") if name in step]
        url, query = step.get("base", url), step.get("query")
        body = (piece.encode() for piece in step["pieces"]) if "pieces" in step else body
        auth = (step["user"], step["password"]) if "user" in step else None
        # A variable of the environment would go before what the session trusts.
        answer = session.request(
            step["method"], url, params=query, headers=headers, data=body, auth=auth, timeout=timeout, verify=authority)
    except requests.exceptions.RequestException as error:
        kind = next((name for type, name in ERRORS if isinstance(error, type)), "other")
        if kind == "connection" and "timed out" in str(error).lower():
            kind = "timeout"
        return {"error": kind, "detail": str(error)}
    content = base64.b64encode(answer.content).decode()
    return {"status": answer.status_code, "headers": dict(answer.headers), "bodyBase64": content, "used": used}


def report(step, outcome):
    data = json.dumps({"step": step["id"], **outcome}).encode()
    urllib.request.urlopen(urllib.request.Request(URL + "/__contract/report", data)).read()


with requests.Session() as session:
    plan = json.load(urllib.request.urlopen(URL + "/__contract/plan"))
    authority = plan.get("authority", True)
    urllib.request.urlopen(URL + "/__contract/report", b'{"has": ["cookies"]}').read()
    for step in plan["steps"]:
        with concurrent.futures.ThreadPoolExecutor(step["times"]) as pool:
            for index, outcome in enumerate(pool.map(lambda index: take(session, authority, step, index), range(step["times"]))):
                report(step, {"index": index, **outcome})
