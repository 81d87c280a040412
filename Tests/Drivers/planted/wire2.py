"""One request and one answer over HTTP/2, by the library h2; the same with defects."""
import queue
import socket
import ssl
import threading
import time
import urllib.parse

import h2.config
import h2.connection
import h2.errors
import h2.events
import h2.exceptions
import h2.settings
import h2.stream

from exchange import Answer, Failure

WINDOW = 1 << 20

# The library takes GOAWAY for the end of all streams; those that it covers are still answered (RFC 9113 §6.8).
OPEN, GOAWAY = h2.connection.ConnectionState.CLIENT_OPEN, h2.connection.ConnectionInputs.RECV_GOAWAY
h2.connection.H2ConnectionStateMachine._transitions[(OPEN, GOAWAY)] = (None, OPEN)
# How long content is to be is compared below, so that one can be planted that does not.
h2.stream.H2Stream._track_content_length = lambda *_: None


class Refused(Failure):
    """The server did not handle the request (RFC 9113 §8.7)."""


class Stream:
    def __init__(self):
        self.events, self.status, self.headers, self.body = queue.Queue(), None, [], b""


class Connection:
    def __init__(self, plain, defects):
        self.socket, self.defects = plain, defects
        configuration = h2.config.H2Configuration(header_encoding="latin-1", validate_inbound_headers=False)
        self.state = h2.connection.H2Connection(configuration)
        self.lock, self.room = threading.RLock(), threading.Condition()
        self.streams, self.dead, self.goes_away, self.settled = {}, None, False, threading.Event()
        with self.lock:
            self.state.initiate_connection()
            self.state.increment_flow_control_window(16 * WINDOW)
            if "never opens the window of a stream" not in defects:
                self.state.update_settings({h2.settings.SettingCodes.INITIAL_WINDOW_SIZE: 8 * WINDOW})
            self.flush()
        threading.Thread(target=self.read, daemon=True).start()
        self.settled.wait(5)

    def has(self, defect):
        return defect in self.defects

    def flush(self):
        try:
            self.socket.sendall(self.state.data_to_send())
        except OSError as error:
            self.end(str(error))

    def end(self, why):
        self.dead = self.dead or why
        for stream in list(self.streams.values()):
            stream.events.put(("ended", why))
        with self.room:
            self.room.notify_all()

    def close(self):
        self.dead = self.dead or "closed"
        try:
            self.socket.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass
        self.socket.close()

    def read(self):
        while True:
            try:
                bytes = self.socket.recv(65536)
            except OSError as error:
                return self.end(str(error))
            if not bytes:
                return self.end("the connection ended")
            with self.lock:
                try:
                    events = self.state.receive_data(bytes)
                except (h2.exceptions.ProtocolError, ValueError) as error:
                    self.flush()
                    return self.end("protocol: " + str(error))
                for event in events:
                    self.take(event)
                self.flush()
            # As httpcore: nothing is read until as few streams are left as the server allows from now on.
            while self.has("waits for the streams that SETTINGS take away") and len(self.streams) > self.state.remote_settings.max_concurrent_streams:
                time.sleep(0.05)
            with self.room:
                self.room.notify_all()

    def take(self, event):
        stream = self.streams.get(getattr(event, "stream_id", None))
        if isinstance(event, h2.events.RemoteSettingsChanged):
            self.settled.set()
        elif isinstance(event, h2.events.DataReceived):
            if stream:
                stream.events.put(("data", event.data))
            if not self.has("never opens the window of a stream") and event.flow_controlled_length:
                self.state.acknowledge_received_data(event.flow_controlled_length, event.stream_id)
        elif isinstance(event, h2.events.ConnectionTerminated):
            self.goes_away = True
            for number, other in list(self.streams.items()):
                if self.has("sends everything again after GOAWAY") or number > (event.last_stream_id or 0):
                    other.events.put(("refused", "GOAWAY"))
        elif stream:
            if isinstance(event, (h2.events.ResponseReceived, h2.events.InformationalResponseReceived)):
                stream.events.put(("head", event.headers))
            elif isinstance(event, h2.events.TrailersReceived) and self.has("takes trailers for content"):
                stream.events.put(("data", repr(event.headers).encode()))
            elif isinstance(event, h2.events.StreamEnded):
                stream.events.put(("end", None))
            elif isinstance(event, h2.events.StreamReset):
                code = event.error_code
                stream.events.put(("refused" if code == h2.errors.ErrorCodes.REFUSED_STREAM else "reset", str(code)))

    def open(self, request, headers):
        """Waits for room among the streams that the server allows."""
        while True:
            if request.cancelled:
                raise Failure("cancelled")
            with self.lock:
                if self.dead or self.goes_away:
                    raise Refused("connection", "the connection takes no more")
                limit = min(self.state.remote_settings.max_concurrent_streams, 1000)
                if self.has("opens more streams than are allowed"):
                    limit = 1000
                    self.state.remote_settings[h2.settings.SettingCodes.MAX_CONCURRENT_STREAMS] = 1000
                    self.state.remote_settings.acknowledge()
                if self.has("opens four streams and refuses the others") and len(self.streams) >= 4:
                    raise Failure("other", "too many at once")
                if len(self.streams) < limit:
                    number = self.state.get_next_available_stream_id()
                    stream = self.streams[number] = Stream()
                    try:
                        self.state.send_headers(number, headers, end_stream=not request.body)
                        self.flush()
                        return number, stream
                    except h2.exceptions.TooManyStreamsError:
                        # One that is given up is still to be reset.
                        del self.streams[number]
            with self.room:
                self.room.wait(0.05)
            if time.monotonic() > request.deadline:
                raise Failure("timeout")

    def send(self, number, body, deadline):
        while body:
            with self.lock:
                if self.dead:
                    return
                try:
                    size = min(self.state.local_flow_control_window(number), self.state.max_outbound_frame_size, len(body))
                    if size:
                        self.state.send_data(number, body[:size], end_stream=size == len(body))
                        body = body[size:]
                        self.flush()
                        continue
                except h2.exceptions.ProtocolError:
                    return
            with self.room:
                self.room.wait(0.05)
            if time.monotonic() > deadline:
                raise Failure("timeout")

    def reset(self, number, code):
        with self.lock:
            try:
                self.state.reset_stream(number, code)
                self.flush()
            except h2.exceptions.ProtocolError:
                pass


class HTTP2:
    def __init__(self, defects, authority=None, proxy=None):
        self.defects, self.authority, self.connections, self.lock, self.others = defects, authority, {}, threading.Lock(), []
        self.last = None

    def has(self, defect):
        return defect in self.defects

    def close(self):
        for connection in list(self.connections.values()) + self.others:
            connection.close()

    def connection(self, origin, timeout):
        with self.lock:
            known = self.connections.get(origin)
            if known and not known.dead and not known.goes_away and not self.has("opens a connection for each request"):
                return known
            if known:
                self.others.append(known)
            try:
                plain = socket.create_connection(origin[1:], timeout)
                if origin[0] == "https":
                    context = ssl.create_default_context(cafile=self.authority)
                    if self.has("takes every certificate"):
                        context = ssl._create_unverified_context()
                    context.set_alpn_protocols(["h2"])
                    plain = context.wrap_socket(plain, server_hostname=origin[1])
                plain.settimeout(None)
            except ssl.SSLError as error:
                raise Failure("certificate", str(error))
            except OSError as error:
                raise Failure("connection", str(error))
            self.connections[origin] = Connection(plain, self.defects)
            return self.connections[origin]

    def send(self, request, fields):
        parts = urllib.parse.urlsplit(request.url)
        origin = (parts.scheme, parts.hostname, parts.port or (443 if parts.scheme == "https" else 80))
        target = (parts.path or "/") + ("?" + parts.query if "?" in request.url else "")
        for attempt in range(3):
            connection = self.connection(origin, request.left())
            try:
                return self.asked(connection, request, fields, parts, target)
            except Refused:
                if attempt == 2 or self.has("gives up at GOAWAY"):
                    raise
            except Failure as failure:
                if not (self.has("sends a lost POST again") and failure.kind == "connection" and attempt == 0):
                    raise

    def asked(self, connection, request, fields, parts, target):
        authority = parts.hostname if self.has("says Host without its port") else parts.netloc
        headers = [(":method", request.method), (":scheme", parts.scheme), (":authority", authority), (":path", target)]
        headers += [(name.lower(), value) for name, value in fields]
        if request.body is not None:
            headers.append(("content-length", str(len(request.body))))
        number, stream = connection.open(request, headers)
        request.wire = (connection, number, stream)
        try:
            if request.cancelled:
                self.cancel(request)
            connection.send(number, request.body or b"", request.deadline)
            return self.answer(connection, number, stream, request)
        finally:
            if not (request.cancelled and self.has("leaves a stream open")):
                with connection.lock:
                    connection.streams.pop(number, None)

    def answer(self, connection, number, stream, request):
        while True:
            try:
                kind, value = stream.events.get(timeout=request.left())
            except queue.Empty:
                connection.reset(number, h2.errors.ErrorCodes.CANCEL)
                raise Failure("timeout")
            if kind == "head" and (stream.status is None or stream.status < 200):
                stream.status = int(dict(value)[":status"])
                stream.headers = [field for field in value if not field[0].startswith(":")]
                if stream.status < 200 and self.has("takes 1xx for the response"):
                    connection.reset(number, h2.errors.ErrorCodes.CANCEL)
                    return Answer(stream.status, stream.headers, b"")
            elif kind == "data":
                stream.body += value
            elif kind == "end":
                return self.whole(stream, request)
            elif kind == "refused":
                if self.has("takes a reset for the end") and stream.status:
                    return Answer(stream.status, stream.headers, stream.body)
                raise Refused("connection", value)
            elif kind == "reset" and self.has("takes a reset for the end") and stream.status:
                return Answer(stream.status, stream.headers, stream.body)
            elif kind == "cancelled":
                raise Failure("cancelled")
            elif kind in ("reset", "ended"):
                raise Failure("protocol" if "protocol" in value.lower() else "connection", value)

    def whole(self, stream, request):
        length = [value for name, value in stream.headers if name == "content-length"]
        if request.method != "HEAD" and stream.status not in (204, 304) and length and int(length[0]) != len(stream.body):
            if not self.has("takes half of content for all"):
                raise Failure("protocol", f"{len(stream.body)} bytes of {length[0]}")
        return Answer(stream.status, stream.headers, stream.body)

    def cancel(self, request):
        request.cancelled = True
        connection, number, stream = request.wire
        stream.events.put(("cancelled", None))
        if self.has("closes the connection of a cancelled stream"):
            connection.close()
        elif not self.has("leaves a stream open"):
            code = h2.errors.ErrorCodes.NO_ERROR if self.has("resets with another code") else h2.errors.ErrorCodes.CANCEL
            connection.reset(number, code)
