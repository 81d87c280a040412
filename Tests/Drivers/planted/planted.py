"""Puts clients with defects to the contract: reads a list of {"url", "client", "defects", "proxy"} from its input, and plays each by its plan.
Beside a plan's own times a client waits `PATIENCE` seconds at most, so that one that waits for what does not come is soon done."""
import base64
import concurrent.futures
import json
import sys
import threading
import time
import traceback
import urllib.request

import caching
from exchange import Exchange, Failure, Request
from wire1 import HTTP1

PATIENCE = 4
# The steps whose time-out is judged.
TIMED = {"fault.stall", "fault.silence", "retry.timeout"}
WIDTH = 6


def told(url, value):
    urllib.request.urlopen(urllib.request.Request(url, json.dumps(value).encode())).read()


class Mix:
    """Changes places of the answers of a step."""

    def __init__(self):
        self.lock, self.kept = threading.Lock(), None

    def other(self, outcome):
        with self.lock:
            outcome, self.kept = (self.kept, None) if self.kept else (outcome, outcome)
            return dict(outcome)


class Driver:
    def __init__(self, job):
        self.url, self.defects = job["url"], set(job["defects"])
        self.plan = json.load(urllib.request.urlopen(self.url + "/__contract/plan"))
        if job["client"] == "h2":
            from wire2 import HTTP2 as Wire
        else:
            Wire = HTTP1
        self.wire = Wire(self.defects, self.plan.get("authority"), job.get("proxy"))
        self.cancels = not {"never notices that it is cancelled", "leaves a stream open"} & self.defects
        self.exchange = Exchange(self.wire, self.defects, job.get("netrc"))
        self.has_cache = bool(caching.DEFECTS & self.defects)
        self.fetch = caching.Cache(self.defects, self.exchange.fetch).fetch if self.has_cache else self.exchange.fetch

    def run(self):
        has = ["cookies"] * self.exchange.jar.is_used + ["cache"] * self.has_cache
        if has:
            told(self.plan["report"], {"has": has})
        for step in self.plan["steps"]:
            if "turns" in step and self.has_cache:
                self.take_turns(step)
                continue
            if "cancelled" in step and self.cancels:
                self.cancel_all(step)
            mix = Mix()
            with concurrent.futures.ThreadPoolExecutor(step["times"]) as pool:
                outcomes = list(pool.map(lambda index: self.take(step, index, mix), range(step["times"])))
            if "reports nothing" not in self.defects:
                told(self.plan["report"], [{"step": step["id"], "index": index, **outcome}
                                           for index, outcome in enumerate(outcomes)])
        self.wire.close()

    def take_turns(self, step):
        for index, turn in enumerate(step["turns"]):
            time.sleep(turn["afterMilliseconds"] / 1000)
            outcome = self.take({**step, **turn, "times": 1}, 0, Mix())
            told(self.plan["report"], {"step": step["id"], "index": index, **outcome})

    def cancel_all(self, step):
        for round in step["cancelled"]:
            requests = [Request("GET", round["url"], [], None, time.monotonic() + 20) for _ in range(round["times"])]
            threads = [threading.Thread(target=self.give_up, args=(request,)) for request in requests]
            for thread in threads:
                thread.start()
            time.sleep(round["afterMilliseconds"] / 1000)
            for request in requests:
                request.cancelled = True
                if request.wire is not None:
                    self.wire.cancel(request)
            for thread in threads:
                thread.join()

    def give_up(self, request):
        try:
            self.exchange.fetch(request)
        except Failure:
            pass
        except Exception:
            # Who gives it up closes the socket whatever is done with that at the moment.
            if not request.cancelled:
                raise

    def take(self, step, index, mix):
        body = base64.b64decode(step["bodyBase64"]) if "bodyBase64" in step else step["body"].encode() if "body" in step else None
        url = step["urls"][index] if "urls" in step else step["url"]
        headers = [tuple(header) for header in step["headers"]]
        leaves = {"leaves out what it could put together", "encodes a plus sign"} & self.defects
        used = [name for name in ("query", "pieces", "user", "cancelled") if name in step and not leaves]
        used = used if self.cancels else [name for name in used if name != "cancelled"]
        if "query" in used:
            url = step["base"] + "?" + self.exchange.encoded(step["query"])
        if "user" in used:
            headers.append(("Authorization", self.exchange.basic(step["user"], step["password"])))
        pieces = [piece.encode() for piece in step["pieces"]] if "pieces" in used else None
        patience = 5 if step["id"].startswith("cookie.max-age") else PATIENCE if step["times"] == 1 else 20
        seconds = min(step["timeoutSeconds"], patience)
        if "never notices that it is cancelled" in self.defects and step["timeoutSeconds"] == 30:
            seconds = 10
        if "is ten times too late" in self.defects and step["id"] in TIMED:
            seconds = 10 * step["timeoutSeconds"]
        deadline = time.monotonic() + seconds
        request = Request(step["method"], url, headers, body, deadline)
        request.pieces = pieces
        if "cancelWhen" in step and index == 0 and "never notices that it is cancelled" not in self.defects:
            threading.Thread(target=self.cancel, args=(step, request)).start()
        try:
            if "has an error for everything" in self.defects:
                raise Failure("connection")
            answer = self.fetch(request)
            if "fails after it has sent" in self.defects and step["id"] != "method.get":
                raise Failure("connection")
            outcome = {"status": answer.status, "headers": answer.headers, "bodyBase64": base64.b64encode(answer.body).decode(),
                       "used": used}
        except Failure as failure:
            kind = "other" if "tells no kinds of errors" in self.defects else failure.kind
            kind = "timeout" if "calls every error a time-out" in self.defects else kind
            outcome = {"error": kind, "detail": str(failure), "used": used}
        if "mixes up answers" in self.defects and step["times"] > 1 and index:
            time.sleep(0.01 * (index % 2))
            return mix.other(outcome)
        return outcome

    def cancel(self, step, request):
        urllib.request.urlopen(step["cancelWhen"]).read()
        while request.wire is None:
            time.sleep(0.005)
        self.wire.cancel(request)


def play(job):
    try:
        Driver(job).run()
    except Exception:
        sys.stderr.write(f"{job['defects']}: {traceback.format_exc()}\n")


jobs = json.load(sys.stdin)
with concurrent.futures.ThreadPoolExecutor(WIDTH) as pool:
    list(pool.map(play, jobs))
