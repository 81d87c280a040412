"""Puts a Python library to the contract: driver.py LIBRARY [h2 | --version], with the version that PYTHONPATH has.

A library of asyncio cancels its tasks; one that blocks gives a request up by a time-out.
"""
import asyncio
import base64
import concurrent.futures
import importlib
import importlib.metadata
import json
import os
import ssl
import sys
import threading
import urllib.parse
import urllib.request

URL = os.environ.get("MOCKAPI_URL", "")
DIRECT = urllib.request.build_opener(urllib.request.ProxyHandler({}))
WIDTH = 50


def post(value):
    DIRECT.open(URL + "/__contract/report", json.dumps(value).encode()).read()


def body_of(step):
    return base64.b64decode(step["bodyBase64"]) if "bodyBase64" in step else step["body"].encode() if "body" in step else None


def encoded(url, query):
    return url + "?" + urllib.parse.urlencode(query) if query else url


class Library:
    """One library: `send` takes a step's request, `kinds` are its errors in the order in which they are tried, `uses` the parts of a step that it takes."""

    uses, has, kinds = (), (), ()

    def __init__(self, authority):
        self.authority = authority

    def kind(self, error):
        kind = next((kind for type, kind in self.kinds if isinstance(error, type)), "other")
        if kind == "connection" and ("timed out" in str(error).lower() or "timeout" in str(error).lower()):
            return "timeout"
        return kind

    def request(self, step, index):
        """Method, URL, headers, body, and the parts that the library encodes itself: query, pieces, user."""
        parts = {name: step[name] for name in ("query", "pieces", "user") if name in step and name in self.uses}
        if "user" in parts:
            parts["user"] = (step["user"], step["password"])
        url = step["urls"][index] if "urls" in step else step["base"] if "query" in parts else step["url"]
        body = (piece.encode() for piece in parts["pieces"]) if "pieces" in parts else body_of(step)
        headers = [tuple(pair) for pair in step["headers"]]
        if "user" in step and "user" not in parts:
            text = base64.b64encode(f"{step['user']}:{step['password']}".encode()).decode()
            headers.append(("Authorization", "Basic " + text))
        return step["method"], url, headers, body, parts

    def outcome(self, step, response, parts):
        status, headers, content = response
        return {"status": status, "headers": list(headers), "bodyBase64": base64.b64encode(content).decode(), "used": list(parts)}

    def failed(self, error, parts):
        return {"error": self.kind(error), "detail": f"{type(error).__name__}: {error}"[:300], "used": list(parts)}


class Threaded(Library):
    """A library that blocks: requests at once are threads, and a request is given up by a time-out."""

    def take(self, step, index):
        *request, parts = self.request(step, index)
        cancelled = "cancelAfterMilliseconds" in step and index == 0
        timeout = step["cancelAfterMilliseconds"] / 1000 if cancelled else step["timeoutSeconds"]
        try:
            return self.outcome(step, self.send(*request, timeout, index, **parts), parts)
        except Exception as error:
            return self.failed(error, parts)

    def run(self, steps):
        for step in steps:
            if step["times"] == 1:
                # A library may keep connections by thread.
                post({"step": step["id"], "index": 0, **self.take(step, 0)})
                continue
            with concurrent.futures.ThreadPoolExecutor(step["times"]) as pool:
                for index, outcome in enumerate(pool.map(lambda index: self.take(step, index), range(step["times"]))):
                    post({"step": step["id"], "index": index, **outcome})


class Tasks(Library):
    """A library of asyncio: a request is a task, and is cancelled as one."""

    async def take(self, step, index):
        *request, parts = self.request(step, index)
        response = self.send(*request, step["timeoutSeconds"], index, **parts)
        try:
            if "cancelWhen" in step and index == 0:
                response = asyncio.ensure_future(response)
                await asyncio.get_running_loop().run_in_executor(None, lambda: DIRECT.open(step["cancelWhen"]).read())
                response.cancel()
            return self.outcome(step, await response, parts)
        except asyncio.CancelledError:
            return {"error": "cancelled"}
        except Exception as error:
            return self.failed(error, parts)

    async def cancel_all(self, step):
        for round in step["cancelled"]:
            tasks = [asyncio.ensure_future(self.send("GET", round["url"], [], None, 30, 0)) for _ in range(round["times"])]
            await asyncio.sleep(round["afterMilliseconds"] / 1000)
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    def run(self, steps):
        asyncio.run(self.run_all(steps))

    async def run_all(self, steps):
        await self.open()
        for step in steps:
            if "cancelled" in step:
                await self.cancel_all(step)
            # One alone is no task of its own: the loop would turn once more before it begins.
            first = [await self.take(step, 0)] if step["times"] == 1 else []
            rest = [self.take(step, index) for index in range(len(first), step["times"])]
            for index, outcome in enumerate(first + await asyncio.gather(*rest)):
                if "cancelled" in step:
                    outcome["used"] = ["cancelled"]
                report = {"step": step["id"], "index": index, **outcome}
                # The response to a report of a cancellation comes when the loop has ended the request; elsewhere a loop that stands still is one
                # that does not see its connections end.
                if "cancelWhen" in step:
                    await asyncio.get_running_loop().run_in_executor(None, post, report)
                else:
                    post(report)

    async def open(self):
        pass


class Requests(Threaded):
    """requests, and niquests, which has its interface."""

    name, uses, has = "requests", ("query", "pieces", "user"), ("cookies",)

    def __init__(self, authority):
        super().__init__(authority)
        library = importlib.import_module(self.name)
        self.session, self.version, errors = library.Session(), library.__version__, library.exceptions
        named = [("Timeout", "timeout"), ("TooManyRedirects", "redirects"), ("ContentDecodingError", "decoding"), ("SSLError", "certificate"),
                 ("ChunkedEncodingError", "protocol"), ("ConnectionError", "connection")]
        self.kinds = [(getattr(errors, name), kind) for name, kind in named if hasattr(errors, name)]

    def send(self, method, url, headers, body, timeout, index, query=None, pieces=None, user=None):
        response = self.session.request(
            method, url, params=query, headers=dict(headers), data=body, auth=user, timeout=timeout, verify=self.authority or True)
        return response.status_code, response.headers.items(), response.content


class Niquests(Requests):
    name = "niquests"


class Urllib3(Threaded):
    name = "urllib3"

    def __init__(self, authority):
        super().__init__(authority)
        import urllib3
        self.version, errors = urllib3.__version__, urllib3.exceptions
        self.pool = urllib3.PoolManager(ca_certs=authority, maxsize=WIDTH)
        self.coding = urllib3.util.make_headers(accept_encoding=True)
        self.Timeout = urllib3.Timeout
        self.uses = ("pieces",) if int(self.version.split(".")[0]) >= 2 else ()
        self.kinds = [(errors.TimeoutError, "timeout"), (errors.ResponseError, "redirects"), (errors.DecodeError, "decoding"),
                      (errors.SSLError, "certificate"), (errors.ProtocolError, "protocol"), (errors.HTTPError, "connection")]

    def kind(self, error):
        reason = getattr(error, "reason", None)
        return super().kind(reason if isinstance(reason, Exception) else error)

    def send(self, method, url, headers, body, timeout, index, pieces=None):
        response = self.pool.request(method, url, headers={**self.coding, **dict(headers)}, body=body, timeout=self.Timeout(total=timeout))
        return response.status, response.headers.items(), response.data


class HTTPX(Tasks):
    """httpx, and httpx2, which goes on from it."""

    name, uses, has = "httpx", ("query", "pieces", "user"), ("cookies",)

    def __init__(self, authority):
        super().__init__(authority)
        self.library = importlib.import_module(self.name)
        self.version, library = self.library.__version__, self.library
        self.kinds = [(library.TimeoutException, "timeout"), (library.TooManyRedirects, "redirects"), (library.DecodingError, "decoding"),
                      (library.ProtocolError, "protocol"), (ssl.SSLError, "certificate"), (library.NetworkError, "connection")]

    async def open(self):
        context = ssl.create_default_context(cafile=self.authority)
        version = {"http1": False, "http2": True} if "h2" in sys.argv else {}
        try:
            self.client = self.library.AsyncClient(verify=context, follow_redirects=True, **version)
        except TypeError:
            # Before 0.20 they were followed unless told otherwise.
            self.client = self.library.AsyncClient(verify=context, **version)

    async def send(self, method, url, headers, body, timeout, index, query=None, pieces=None, user=None):
        async def chunks():
            for piece in pieces:
                yield piece.encode()
        parts = {"params": [tuple(pair) for pair in query]} if query else {}
        if user:
            parts["auth"] = user
        response = await self.client.request(
            method, url, headers=headers, content=chunks() if pieces is not None else body, timeout=timeout, **parts)
        return response.status_code, response.headers.multi_items(), response.content


class HTTPX2(HTTPX):
    name = "httpx2"


class AIOHTTP(Tasks):
    name, uses, has = "aiohttp", ("query", "pieces", "user"), ("cookies",)

    async def open(self):
        import aiohttp
        self.library, self.version = aiohttp, aiohttp.__version__
        context = ssl.create_default_context(cafile=self.authority)
        self.session = aiohttp.ClientSession(connector=aiohttp.TCPConnector(ssl=context), cookie_jar=aiohttp.CookieJar(unsafe=True), trust_env=True)
        self.kinds = [(asyncio.TimeoutError, "timeout"), (aiohttp.TooManyRedirects, "redirects"), (aiohttp.ClientSSLError, "certificate"),
                      (aiohttp.ClientPayloadError, "protocol"), (aiohttp.ClientOSError, "connection"),
                      (aiohttp.ServerDisconnectedError, "connection"), (aiohttp.ClientError, "protocol")]

    async def send(self, method, url, headers, body, timeout, index, query=None, pieces=None, user=None):
        import yarl
        async def chunks():
            for piece in pieces:
                yield piece.encode()
        options = {"params": [tuple(pair) for pair in query]} if query else {}
        if user:
            options["auth"] = self.library.BasicAuth(*user, encoding="utf-8")
        async with self.session.request(
                method, yarl.URL(url, encoded=True), headers=headers, data=chunks() if pieces is not None else body,
                timeout=self.library.ClientTimeout(total=timeout), **options) as response:
            return response.status, list(response.headers.items()), await response.read()


class Tornado(Tasks):
    name, uses = "tornado", ("user",)

    async def open(self):
        from tornado import httpclient, iostream, version
        self.library, self.version = httpclient, version
        self.client = httpclient.AsyncHTTPClient(max_clients=100)
        timeout = getattr(__import__("tornado.simple_httpclient").simple_httpclient, "HTTPTimeoutError")
        self.kinds = [(timeout, "timeout"), (ssl.SSLError, "certificate"), (iostream.StreamClosedError, "connection"),
                      (httpclient.HTTPError, "connection"), (OSError, "connection")]

    def kind(self, error):
        return "redirects" if getattr(error, "code", 599) != 599 else super().kind(error)

    async def send(self, method, url, headers, body, timeout, index, user=None):
        from tornado.httputil import HTTPHeaders
        lines = HTTPHeaders()
        for name, value in headers:
            lines.add(name, value)
        parts = {"auth_username": user[0], "auth_password": user[1]} if user else {}
        response = await self.client.fetch(self.library.HTTPRequest(
            url, method=method, headers=lines, body=body, allow_nonstandard_methods=True, decompress_response=True, ca_certs=self.authority,
            connect_timeout=timeout, request_timeout=timeout, **parts), raise_error=False)
        if response.code == 599 or response.code in (301, 302, 303, 307, 308) and "Location" in response.headers:
            raise response.error
        return response.code, list(response.headers.get_all()), response.body or b""


class Treq(Tasks):
    """treq on Twisted's agents; its event loop is asyncio's."""

    name, uses, has = "treq", ("query", "user"), ("cookies",)

    async def open(self):
        from twisted.internet import asyncioreactor
        asyncioreactor.install(asyncio.get_running_loop())
        import treq
        import twisted
        from twisted.internet import defer, error, reactor
        from twisted.web import client
        from twisted.web import error as web
        reactor.startRunning(installSignalHandlers=False)
        self.version = f"{treq.__version__} on Twisted {twisted.__version__}"
        self.client = treq.client.HTTPClient(client.Agent(reactor, pool=client.HTTPConnectionPool(reactor)))
        self.kinds = [(defer.TimeoutError, "timeout"), (error.TimeoutError, "timeout"), (defer.CancelledError, "timeout"),
                      (web.InfiniteRedirection, "redirects"), (web.PageRedirect, "redirects"), (client.ResponseFailed, "protocol"),
                      (error.ConnectionClosed, "connection"), (error.ConnectError, "connection")]

    def kind(self, error):
        reasons = [reason.value for reason in getattr(error, "reasons", []) if self.kind(reason.value) != "other"]
        return super().kind(reasons[0] if reasons else error)

    async def send(self, method, url, headers, body, timeout, index, query=None, user=None):
        from twisted.internet import defer
        from twisted.web.http_headers import Headers
        lines = Headers()
        for name, value in headers:
            lines.addRawHeader(name.encode(), value.encode())
        parts = {"params": query} if query else {}
        exchange = defer.ensureDeferred(self.exchange(method, url, headers=lines, data=body, auth=user, **parts))
        from twisted.internet import reactor
        return await exchange.addTimeout(timeout, reactor).asFuture(asyncio.get_running_loop())

    async def exchange(self, method, url, **parts):
        response = await self.client.request(method, url, **parts)
        lines = [(name.decode(), value.decode("latin1")) for name, values in response.headers.getAllRawHeaders() for value in values]
        return response.code, lines, await response.content()


class HTTPLib2(Threaded):
    name = "httplib2"

    def __init__(self, authority):
        super().__init__(authority)
        import httplib2
        self.library, self.version, self.threads = httplib2, httplib2.__version__, {}
        self.kinds = [(httplib2.RedirectLimit, "redirects"), (httplib2.RedirectMissingLocation, "redirects"),
                      (httplib2.FailedToDecompressContent, "decoding"), (TimeoutError, "timeout"), (ssl.SSLError, "certificate"),
                      (OSError, "connection"), (httplib2.ServerNotFoundError, "connection"), (__import__("http.client").client.HTTPException, "protocol")]

    def send(self, method, url, headers, body, timeout, index):
        client = self.threads.setdefault(index, None) or self.library.Http(ca_certs=self.authority)
        self.threads[index] = client
        client.timeout = timeout
        for connection in client.connections.values():
            connection.timeout = timeout
            if connection.sock:
                connection.sock.settimeout(timeout)
        response, content = client.request(url, method, body=body, headers=dict(headers))
        return response.status, [(name, value) for name, value in response.items() if name != "status"], content


class PycURL(Threaded):
    name, uses, has = "pycurl", ("user",), ("cookies",)

    def __init__(self, authority):
        super().__init__(authority)
        import pycurl
        self.library, self.version = pycurl, pycurl.version.split()[0].removeprefix("PycURL/") + " on " + pycurl.version.split()[1]
        self.handles, self.lock = {}, threading.Lock()

    def kind(self, error):
        code = error.args[0] if isinstance(error, self.library.error) else 0
        return {28: "timeout", 47: "redirects", 61: "decoding", 60: "certificate", 35: "connection", 7: "connection", 52: "connection",
                55: "connection", 56: "connection", 18: "protocol", 1: "protocol", 8: "protocol", 16: "protocol", 92: "protocol"}.get(code, "other")

    def send(self, method, url, headers, body, timeout, index, user=None):
        import io
        curl, library = self.handles.setdefault(index, None) or self.library.Curl(), self.library
        self.handles[index] = curl
        content, lines = io.BytesIO(), []
        def take(line):
            text = line.decode("latin1").strip()
            if text.startswith("HTTP/"):
                lines.clear()
            elif ":" in text:
                name, _, value = text.partition(":")
                lines.append((name, value.strip()))
        curl.reset()
        options = {"URL": url, "FOLLOWLOCATION": 1, "ACCEPT_ENCODING": "", "COOKIEFILE": "", "CAINFO": self.authority, "NOSIGNAL": 1,
                   "TIMEOUT_MS": int(timeout * 1000), "WRITEFUNCTION": content.write, "HEADERFUNCTION": take, "MAXREDIRS": 30,
                   "HTTPHEADER": [f"{name}: {value}" for name, value in headers]}
        if method == "HEAD":
            options["NOBODY"] = 1
        elif method == "PUT":
            source = io.BytesIO(body or b"")
            def rewind(offset, origin):
                source.seek(offset, origin)
                return library.SEEKFUNC_OK
            options.update(UPLOAD=1, READFUNCTION=source.read, SEEKFUNCTION=rewind, INFILESIZE=len(body or b""))
        elif body is not None:
            options["POSTFIELDS"] = body
        if user:
            options.update(USERNAME=user[0], PASSWORD=user[1])
        if method not in ("GET", "HEAD", "PUT") and (method, body is None) != ("POST", False):
            options["CUSTOMREQUEST"] = method
        for name, value in options.items():
            if value is not None:
                curl.setopt(getattr(library, name), value)
        curl.perform()
        return curl.getinfo(library.RESPONSE_CODE), lines, content.getvalue()


class CurlCFFI(Threaded):
    name, uses, has = "curl_cffi", ("query", "user"), ("cookies",)

    def __init__(self, authority):
        super().__init__(authority)
        import curl_cffi
        from curl_cffi.requests import exceptions
        self.library, self.version = curl_cffi.requests, curl_cffi.__version__
        self.sessions = {}
        self.kinds = [(exceptions.Timeout, "timeout"), (exceptions.TooManyRedirects, "redirects"), (exceptions.CertificateVerifyError, "certificate"),
                      (exceptions.ContentDecodingError, "decoding"), (exceptions.IncompleteRead, "protocol"), (exceptions.HTTPError, "protocol"),
                      (exceptions.ConnectionError, "connection"), (exceptions.RequestException, "connection")]

    def session(self):
        """A session whose connections are not a thread's own."""
        try:
            return self.library.Session(use_thread_local_curl=False)
        except TypeError:
            # Old versions do not know it.
            return self.library.Session()

    def send(self, method, url, headers, body, timeout, index, query=None, user=None):
        session = self.sessions.setdefault(index, None) or self.session()
        self.sessions[index] = session
        parts = {"params": [tuple(pair) for pair in query]} if query else {}
        response = session.request(method, url, headers=dict(headers), data=body, timeout=timeout, verify=self.authority or True, auth=user, **parts)
        return response.status_code, response.headers.multi_items(), response.content


class Primp(Threaded):
    name, has = "primp", ()

    def __init__(self, authority):
        super().__init__(authority)
        import primp
        self.version = importlib.metadata.version("primp")
        self.client = primp.Client(ca_cert_file=authority, follow_redirects=True)
        named = [("TimeoutError", "timeout"), ("RedirectError", "redirects"), ("DecodeError", "decoding"), ("ConnectError", "connection"),
                 ("BodyError", "protocol"), ("RequestError", "connection"), ("PrimpError", "connection")]
        self.kinds = [(getattr(primp, name), kind) for name, kind in named if hasattr(primp, name)]

    def send(self, method, url, headers, body, timeout, index):
        response = self.client.request(method, url, headers=dict(headers) or None, content=body, timeout=timeout)
        return response.status_code, response.headers.items(), bytes(response.content)


class Impit(Tasks):
    name = "impit"

    async def open(self):
        import impit
        self.library, self.version = impit, importlib.metadata.version("impit")
        self.client = impit.AsyncClient(follow_redirects=True)
        named = [("TimeoutException", "timeout"), ("TooManyRedirects", "redirects"), ("DecodingError", "decoding"), ("ProtocolError", "protocol"),
                 ("NetworkError", "connection"), ("HTTPError", "connection")]
        self.kinds = [(getattr(impit, name), kind) for name, kind in named if hasattr(impit, name)]

    async def send(self, method, url, headers, body, timeout, index):
        response = await self.client.request(method, url, headers=dict(headers), content=body, timeout=timeout)
        return response.status_code, list(response.headers.items()), response.content


class Urllib(Threaded):
    """urllib.request of Python itself, which undoes no coding."""

    name, uses, has = "urllib", (), ("cookies",)

    def __init__(self, authority):
        super().__init__(authority)
        self.version = sys.version.split()[0]
        context = ssl.create_default_context(cafile=authority)
        self.opener = urllib.request.build_opener(urllib.request.HTTPSHandler(context=context), urllib.request.HTTPCookieProcessor())
        client = importlib.import_module("http.client")
        self.kinds = [(TimeoutError, "timeout"), (ssl.SSLError, "certificate"), (client.IncompleteRead, "protocol"), (client.HTTPException, "protocol"),
                      (OSError, "connection")]

    def kind(self, error):
        reason = getattr(error, "reason", None)
        return super().kind(reason if isinstance(reason, Exception) else error)

    def send(self, method, url, headers, body, timeout, index):
        request = urllib.request.Request(url, data=body, method=method)
        for name, value in headers:
            request.add_header(name, value)
        try:
            response = self.opener.open(request, timeout=timeout)
        except urllib.error.HTTPError as error:
            response = error
        with response:
            return response.status, response.headers.items(), response.read()


LIBRARIES = {library.name: library for library in
             (Requests, Niquests, Urllib3, HTTPX, HTTPX2, AIOHTTP, Tornado, Treq, HTTPLib2, PycURL, CurlCFFI, Primp, Impit, Urllib)}


def version(name):
    """What the library says that it is."""
    library = LIBRARIES[name](None)
    if isinstance(library, Tasks):
        asyncio.run(library.open())
    return library.version


if __name__ == "__main__":
    if "--version" in sys.argv:
        print(version(sys.argv[1]), flush=True)
        os._exit(0)
    plan = json.load(DIRECT.open(URL + "/__contract/plan"))
    library = LIBRARIES[sys.argv[1]](plan.get("authority"))
    if library.has:
        post({"has": list(library.has)})
    library.run(plan["steps"])
    # A reactor or a pool of threads may have more to do.
    os._exit(0)
