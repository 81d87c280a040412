"""Puts Python's httpx to the contract, over HTTP/1.1 or, with the argument h2, over HTTP/2."""
import asyncio, base64, json, os, ssl, sys, urllib.request

import httpx

URL = os.environ["MOCKAPI_URL"]
ERRORS = [(httpx.TimeoutException, "timeout"), (httpx.TooManyRedirects, "redirects"), (httpx.DecodingError, "decoding"),
          (httpx.ProtocolError, "protocol"), (httpx.NetworkError, "connection"), (ssl.SSLError, "certificate")]


def arrived(step):
    urllib.request.urlopen(step["cancelWhen"]).read()

async def cancel_all(client, step):
    for round in step.get("cancelled", []):
        tasks = [asyncio.create_task(client.get(round["url"])) for _ in range(round["times"])]
        await asyncio.sleep(round["afterMilliseconds"] / 1000)
        await asyncio.gather(*(task for task in tasks if task.cancel() or True), return_exceptions=True)

async def pieces(step):
    for piece in step["pieces"]: yield piece.encode()

async def take(client, step, index):
    url = step["urls"][index] if "urls" in step else step["url"]
    body = base64.b64decode(step["bodyBase64"]) if "bodyBase64" in step else step.get("body", "").encode() or None
    parts = {"params": [tuple(pair) for pair in step["query"]]} if "query" in step else {}
    if "user" in step: parts["auth"] = (step["user"], step["password"])
    options = {"headers": step["headers"], "content": pieces(step) if "pieces" in step else body, "timeout": step["timeoutSeconds"]}
    task = asyncio.create_task(client.request(step["method"], step.get("base", url), **options, **parts))
    used = [name for name in ("query", "pieces", "user", "cancelled") if name in step]
    try:
        if "cancelWhen" in step and index == 0:
            await asyncio.get_running_loop().run_in_executor(None, arrived, step)
            task.cancel()
        answer = await task
    except asyncio.CancelledError:
        return {"error": "cancelled"}
    except (httpx.HTTPError, ssl.SSLError) as error:
        return {"error": next((name for kind, name in ERRORS if isinstance(error, kind)), "other"), "detail": repr(error), "used": used}
    content = base64.b64encode(answer.content).decode()
    return {"status": answer.status_code, "headers": dict(answer.headers), "bodyBase64": content, "used": used}

def report(step, outcome):
    urllib.request.urlopen(URL + "/__contract/report", json.dumps({"step": step["id"], **outcome}).encode()).read()

async def main():
    version = {"http1": False, "http2": True} if "h2" in sys.argv else {}
    plan = json.load(urllib.request.urlopen(URL + "/__contract/plan"))
    async with httpx.AsyncClient(follow_redirects=True, verify=plan.get("authority", True), **version) as client:
        urllib.request.urlopen(URL + "/__contract/report", b'{"has": ["cookies"]}').read()
        for step in plan["steps"]:
            await cancel_all(client, step)
            outcomes = await asyncio.gather(*(take(client, step, index) for index in range(step["times"])))
            for index, outcome in enumerate(outcomes):
                # Beside the loop: the answer to a report may wait for what the loop has to do.
                await asyncio.get_running_loop().run_in_executor(None, report, step, {"index": index, **outcome})


asyncio.run(main())
