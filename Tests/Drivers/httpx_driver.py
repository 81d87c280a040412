"""Puts Python's httpx to the contract, over HTTP/1.1 or, with the argument h2, over HTTP/2."""
import asyncio, base64, json, os, sys, urllib.request

import httpx

URL = os.environ["MOCKAPI_URL"]
ERRORS = [
    (httpx.TimeoutException, "timeout"),
    (httpx.TooManyRedirects, "redirects"),
    (httpx.DecodingError, "decoding"),
    (httpx.ProtocolError, "protocol"),
    (httpx.NetworkError, "connection"),
]


async def take(client, step):
    body = base64.b64decode(step["bodyBase64"]) if "bodyBase64" in step else step.get("body", "").encode() or None
    request = client.request(step["method"], step["url"], headers=step["headers"], content=body, timeout=step["timeoutSeconds"])
    try:
        answer = await asyncio.wait_for(request, step.get("cancelAfterMilliseconds", 60_000) / 1000)
    except asyncio.TimeoutError:
        return {"error": "cancelled"}
    except httpx.HTTPError as error:
        return {"error": next((name for kind, name in ERRORS if isinstance(error, kind)), "other"), "detail": repr(error)}
    content = base64.b64encode(answer.content).decode()
    return {"status": answer.status_code, "headers": dict(answer.headers), "bodyBase64": content}


def report(step, outcome):
    data = json.dumps({"step": step["id"], **outcome}).encode()
    urllib.request.urlopen(urllib.request.Request(URL + "/__contract/report", data)).read()


async def main():
    version = {"http1": False, "http2": True} if "h2" in sys.argv else {}
    async with httpx.AsyncClient(follow_redirects=True, **version) as client:
        for step in json.load(urllib.request.urlopen(URL + "/__contract/plan"))["steps"]:
            for outcome in await asyncio.gather(*(take(client, step) for _ in range(step["times"]))):
                report(step, outcome)


asyncio.run(main())
