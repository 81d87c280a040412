#!/usr/bin/env python3
"""A driver for the client: driver.py [DEVIATION [has…]]"""
import base64
import concurrent.futures
import json
import os
import sys
import threading
import time
import urllib.request

from cache import Cache
from client import Client
from requests_sent import basic
from parts import Error, Request, on
from wire import Wire

URL = os.environ["MOCKAPI_URL"]
DIRECT = urllib.request.build_opener(urllib.request.ProxyHandler({}))
HAS = sys.argv[2:]


def post(value):
    DIRECT.open(URL + "/__contract/report", json.dumps(value).encode()).read()


PLAN = json.load(DIRECT.open(URL + "/__contract/plan"))
wire = Wire(PLAN.get("authority"))
client = Client(wire)
cache = Cache(client.fetch)


def request_of(step, index):
    body = base64.b64decode(step["bodyBase64"]) if "bodyBase64" in step else step["body"].encode() if "body" in step else None
    url = step["urls"][index] if "urls" in step else step["url"]
    headers = [tuple(pair) for pair in step["headers"]]
    used = [name for name in ("pieces", "user", "cancelled") if name in step]
    if "user" in step:
        headers.append(("Authorization", basic(step["user"], step["password"])))
    pieces = [piece.encode() for piece in step["pieces"]] if "pieces" in step else None
    return Request(step["method"], url, headers, body, step["timeoutSeconds"], pieces), used


def outcome(send, request, used):
    try:
        response = send(request)
        return {"status": response.status, "headers": response.headers, "bodyBase64": base64.b64encode(response.body).decode(), "used": used}
    except Error as error:
        kind = error.kind
        if on("every error is a reset") and kind in ("protocol", "decoding", "timeout"):
            kind = "connection"
        return {"error": kind, "detail": str(error), "used": used}


def give_up(step, request):
    DIRECT.open(step["cancelWhen"]).read()
    if on("cancels nothing"):
        return
    if on("cancels five seconds late"):
        time.sleep(9)
    request.cancel()


def take(step, index):
    request, used = request_of(step, index)
    if "cancelWhen" in step and index == 0:
        threading.Thread(target=give_up, args=(step, request), daemon=True).start()
    return outcome(client.fetch, request, used)


def main():
    if HAS:
        post({"has": HAS})
    for step in PLAN["steps"]:
        for round in step.get("cancelled", []):
            requests = [Request("GET", round["url"], [], None, 20) for _ in range(round["times"])]
            def gone(request):
                try:
                    client.fetch(request)
                except (Error, OSError):
                    pass
            threads = [threading.Thread(target=gone, args=(request,)) for request in requests]
            [thread.start() for thread in threads]
            time.sleep(round["afterMilliseconds"] / 1000)
            [request.cancel() for request in requests]
            [thread.join() for thread in threads]
        if "turns" in step and "cache" in HAS:
            for index, turn in enumerate(step["turns"]):
                time.sleep(turn["afterMilliseconds"] / 1000)
                request, used = request_of({**step, **turn}, 0)
                post({"step": step["id"], "index": index, **outcome(cache.asked, request, used)})
            continue
        with concurrent.futures.ThreadPoolExecutor(step["times"]) as pool:
            outcomes = list(pool.map(lambda index: take(step, index), range(step["times"])))
        if on("answers in turn") and len(outcomes) > 10:
            outcomes = outcomes[1:] + outcomes[:1]
        post([{"step": step["id"], "index": index, **one} for index, one in enumerate(outcomes)])


main()
