// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// A client of another language that is wrong in one way, and the requirements it does not meet for that; `Tests/Drivers/planted` has it.
struct PlantedClient: Sendable {
    enum Wire: String, Sendable {
        case h1
        case h2
    }

    /// The defect as the client calls it.
    let defect: String
    let wire: Wire
    /// The ids of the requirements it breaks; none of a client that is right in a way of its own, `*` of one that can nothing.
    let breaks: Set<String>
    /// Groups that are asked beside those it breaks, since a judgement might take what is right there for wrong.
    let among: Set<String>
    /// Of one that can nothing else: what it meets nevertheless.
    let meets: Set<String>
    /// Of those it breaks: what it meets on a busy machine, where all of the content has come before it reads.
    let meetsLate: Set<String>

    init(
        _ defect: String, _ wire: Wire = .h1, breaks: Set<String>, among: Set<String> = [], meets: Set<String> = [],
        meetsLate: Set<String> = []
    ) {
        self.meets = meets
        self.meetsLate = meetsLate
        self.defect = defect
        self.wire = wire
        self.breaks = breaks
        self.among = among
    }

    static let all =
        right + requests + answers + redirections + faults + connections + streams + cookies + caches + ofCredentials

    /// Clients that do what they may, each in a way of its own.
    static let right = [
        PlantedClient("", breaks: [], among: ["fault", "cancel", "tls", "proxy", "answer", "status"]),
        PlantedClient("asks for no coding", breaks: [], among: ["fault", "coding"]),
        PlantedClient("leaves out what it could put together", breaks: [], among: ["query", "body", "header"]),
        PlantedClient("tells no kinds of errors", breaks: [], among: ["fault", "cancel", "tls", "redirect", "body"]),
        PlantedClient("repeats GET after a time-out", breaks: [], among: ["fault", "cancel"]),
        PlantedClient("asks again after Retry-After", breaks: [], among: ["status"]),
        PlantedClient("decodes text by its charset", breaks: [], among: ["answer"]),
        PlantedClient("sends cookies where they belong", breaks: [], among: ["cookie", "redirect", "answer"]),
        PlantedClient(
            "", .h2, breaks: [], among: ["fault", "cancel", "h2", "concurrent", "answer", "connection", "tls"]),
        PlantedClient("asks for no coding", .h2, breaks: [], among: ["fault", "coding"]),
        PlantedClient("tells no kinds of errors", .h2, breaks: [], among: ["fault", "cancel", "h2", "body"]),
    ]

    static let damaged = ["fault.gzip", "fault.gzip.cut", "fault.gzip.end", "fault.gzip.checksum"]
    /// What a client is asked that reports an error for nearly everything.
    private static let failing: Set = [
        "method", "body", "redirect", "cookie", "fault", "retry", "connection", "cancel", "tls",
    ]

    private static let retries = ["retry.500", "retry.502", "retry.503", "retry.504", "retry.patch"]
    private static let statuses = ["status.401", "status.404", "status.422", "status.500", "status.503"]

    static let requests = [
        PlantedClient(
            "drops a header",
            breaks: [
                "header.value", "redirect.307", "redirect.308", "redirect.fields", "redirect.301", "redirect.302",
                "redirect.303", "redirect.303.put", "redirect.307.put", "redirect.308.put", "redirect.307.patch",
            ]),
        PlantedClient(
            "drops a header", .h2,
            breaks: [
                "header.value", "redirect.307", "redirect.308", "redirect.fields", "redirect.301", "redirect.302",
                "redirect.303", "redirect.303.put", "redirect.307.put", "redirect.308.put", "redirect.307.patch",
            ]),
        PlantedClient("splits a header", breaks: ["header.value", "header.content-type"]),
        PlantedClient("cuts a header at its semicolon", breaks: ["header.value", "header.content-type"]),
        PlantedClient(
            "says form for every content",
            breaks: [
                "header.content-type", "header.media-type", "redirect.307", "redirect.308", "redirect.credentials.307",
                "redirect.303", "redirect.303.put", "redirect.307.put", "redirect.308.put", "redirect.307.patch",
            ]),
        PlantedClient(
            "sends values in small letters",
            breaks: Set(
                keptWithin + [
                    "header.value", "header.authorization", "header.basic", "header.userinfo",
                    "redirect.authorization.user", "redirect.307", "redirect.308", "redirect.fields",
                    "header.content-type", "redirect.301", "redirect.302", "redirect.303", "redirect.303.put",
                    "redirect.307.put", "redirect.308.put", "redirect.307.patch",
                ])),
        PlantedClient("says Host without its port", breaks: ["header.host"]),
        PlantedClient("says Host without its port", .h2, breaks: ["header.host"]),
        PlantedClient("expects 100 of everything", breaks: ["header.expect", "body.expect"]),
        PlantedClient("expects 100 of content, and takes no for a response", breaks: ["body.expect"]),
        PlantedClient("sends POST for PATCH", breaks: ["method.patch"]),
        PlantedClient("sends POST for PATCH", .h2, breaks: ["method.patch"]),
        PlantedClient("sends patch for PATCH", breaks: ["method.patch"]),
        PlantedClient("sends GET for HEAD", breaks: ["method.head", "answer.head", "redirect.head", "coding.head"]),
        PlantedClient("sends GET for PURGE", breaks: ["method.purge"]),
        PlantedClient("sends POST for DELETE", breaks: ["method.delete"]),
        PlantedClient("sends GET for OPTIONS", breaks: ["method.options"]),
        PlantedClient("sends POST for PUT", breaks: ["method.put"]),
        PlantedClient("sends plus for a space in a path", breaks: ["url.path"]),
        PlantedClient("undoes an encoded slash", breaks: ["url.slash"]),
        PlantedClient("undoes an encoded slash", .h2, breaks: ["url.slash"]),
        PlantedClient("encodes a path twice", breaks: ["url.path", "url.slash"]),
        PlantedClient("sends a plus sign as it is", breaks: ["query.plus"]),
        PlantedClient("sends a space as nothing", breaks: ["query.space", "query.blank", "query.post"]),
        PlantedClient("undoes a query before it encodes it", breaks: ["query.percent"]),
        PlantedClient(
            "encodes a query twice",
            breaks: [
                "query.brackets", "query.space", "query.plus", "query.unicode", "query.percent", "query.delimiters",
                "query.post", "query.blank", "query.slash",
            ]),
        PlantedClient("sends latin-1", breaks: ["query.unicode"]),
        PlantedClient("drops brackets", breaks: ["query.brackets"]),
        PlantedClient("drops empty items", breaks: ["query.empty"]),
        PlantedClient("drops the sign of empty values", breaks: ["query.empty"]),
        PlantedClient("sorts a query", breaks: ["query.repeats"]),
        PlantedClient("sorts a query", .h2, breaks: ["query.repeats"]),
        PlantedClient("keeps the first of a name", breaks: ["query.repeats"]),
        PlantedClient("keeps the last of a name", breaks: ["query.repeats"]),
        PlantedClient("joins values of a name", breaks: ["query.repeats"]),
        PlantedClient("sends content as text", breaks: ["body.bytes", "body.large"]),
        PlantedClient("writes JSON again", breaks: ["body.json"]),
        PlantedClient("sends 64 KiB at most", breaks: ["body.large"]),
        PlantedClient("drops a zero byte", breaks: ["body.bytes", "body.large"]),
        PlantedClient("names a charset of every content", breaks: ["header.media-type"], among: ["body"]),
        PlantedClient(
            "drops Authorization",
            breaks: Set(credentials + keptWithin + ["header.authorization", "header.basic"])),
        PlantedClient("drops If-None-Match", breaks: ["status.304"]),
        PlantedClient("sends no content with PUT", breaks: ["body.put"]),
        PlantedClient("sends no content with PATCH", breaks: ["body.patch"]),
        PlantedClient("sends no content with PATCH", .h2, breaks: ["body.patch"]),
        PlantedClient("sends no content with DELETE", breaks: ["body.delete"]),
        PlantedClient("strips content", breaks: ["body.blanks"]),
        PlantedClient("drops the query of POST", breaks: ["query.post"]),
        PlantedClient("drops the query of POST", .h2, breaks: ["query.post"]),
        PlantedClient("sends a path in NFD", breaks: ["url.path"]),
        PlantedClient("sends a path in small letters", breaks: ["url.path"]),
        PlantedClient("joins double slashes", breaks: ["url.slashes"]),
        PlantedClient("drops the last slash", breaks: ["url.slashes"]),
        PlantedClient("undoes an ampersand that is data", breaks: ["query.delimiters"]),
        PlantedClient("undoes a number sign that is data", breaks: ["query.delimiters"]),
        PlantedClient("encodes a plus sign", breaks: ["query.blank"]),
        PlantedClient("takes a percent sign for an escape", breaks: ["query.percent"]),
        PlantedClient("takes a percent sign for an escape", .h2, breaks: ["query.percent"]),
        PlantedClient("leaves a plus sign as it is", breaks: ["query.plus"]),
        PlantedClient("leaves an ampersand as it is", breaks: ["query.delimiters"]),
        PlantedClient("ends a password at its colon", breaks: ["header.basic", "header.userinfo"]),
        PlantedClient("undoes escapes of a password", breaks: ["header.basic"]),
        PlantedClient("sends an empty piece as a chunk", breaks: ["body.pieces"]),
    ]

    static let answers = [
        PlantedClient(
            "tells no content of errors",
            breaks: Set(
                statuses + ["status.421", "status.retry-after", "status.retry-after.date"] + retries)),
        PlantedClient(
            "calls every error 500",
            breaks: Set(statuses + ["status.421", "status.retry-after", "status.retry-after.date"] + retries)
                .subtracting(["status.500", "retry.500"])),
        PlantedClient(
            "asks again at once", breaks: ["status.retry-after", "status.retry-after.date", "retry.503", "retry.patch"]),
        PlantedClient("takes Retry-After for seconds alone", breaks: ["status.retry-after.date"]),
        PlantedClient("takes 421 for a lost connection", breaks: ["status.421"]),
        PlantedClient("sends again what 401 answers", breaks: ["status.401"]),
        PlantedClient("sends again what 500 answers", breaks: ["retry.500"], among: ["status"]),
        PlantedClient(
            "sends again what 503 answers",
            breaks: ["retry.503", "status.retry-after", "status.retry-after.date", "retry.patch"]),
        PlantedClient("sends a POST again after a time-out", breaks: ["retry.timeout"]),
        PlantedClient("sends a POST again after a time-out", .h2, breaks: ["retry.timeout"]),
        PlantedClient("tells values in small letters", breaks: ["answer.header"]),
        PlantedClient("tells 50 fields at most", breaks: ["answer.fields"]),
        PlantedClient("cuts fields at 8 kB", breaks: ["answer.field"]),
        PlantedClient("reads JSON and writes it", breaks: ["answer.json"]),
        PlantedClient("knows fields by their capitals", breaks: ["answer.case"]),
        PlantedClient("knows chunked in small letters", breaks: ["answer.chunks.letters"]),
        PlantedClient("takes 204 for an error", breaks: ["answer.none"]),
        PlantedClient(
            "tells no headers", breaks: ["answer.header", "answer.repeats", "answer.field", "answer.fields"]),
        PlantedClient("tells the first of repeated fields", breaks: ["answer.repeats"]),
        PlantedClient("tells the first of repeated fields", .h2, breaks: ["answer.repeats"]),
        PlantedClient("takes all text for UTF-8", breaks: ["answer.charset"]),
        PlantedClient(
            "takes content for text",
            breaks: [
                "answer.large", "answer.png", "answer.jpeg", "answer.gif", "answer.webp", "answer.charset",
                "answer.gzip",
            ]),
        PlantedClient(
            "strips white space",
            breaks: [
                "coding.gzip", "coding.deflate", "coding.gzip.letters", "coding.gzip.alias", "answer.blanks",
                "coding.gzip.error", "coding.gzip.large",
            ]),
        PlantedClient(
            "waits for the content of HEAD", breaks: ["method.head", "answer.head", "redirect.head", "coding.head"]),
        PlantedClient(
            "waits for the content of 304",
            breaks: ["status.304", "status.304.length", "status.304.chunked", "coding.not-modified"]),
        PlantedClient("takes 1xx for the response", breaks: ["answer.continue", "answer.interim", "answer.interims"]),
        PlantedClient(
            "takes 1xx for the response", .h2, breaks: ["answer.continue", "answer.interim", "answer.interims"]),
        PlantedClient("takes 103 for the response", breaks: ["answer.interim", "answer.interims"]),
        PlantedClient("takes trailers for content", breaks: ["answer.trailers"], among: ["connection"]),
        PlantedClient("takes trailers for content", .h2, breaks: ["answer.trailers"]),
        PlantedClient("knows no chunk extensions", breaks: ["answer.chunks"]),
        PlantedClient("reads no content without a length", breaks: ["answer.close", "answer.http10"]),
        PlantedClient("does not know HTTP/1.0", breaks: ["answer.http10"]),
        PlantedClient(
            "reads content once", breaks: ["answer.large", "fault.slow", "coding.gzip.pieces"],
            meetsLate: ["fault.slow", "coding.gzip.pieces"]),
        PlantedClient("never opens the window of a stream", .h2, breaks: ["answer.large"]),
        PlantedClient(
            "leaves gzip as it is",
            breaks: Set(
                damaged + [
                    "coding.gzip", "coding.gzip.members", "coding.gzip.letters", "coding.gzip.pieces",
                    "coding.gzip.fields", "coding.gzip.error", "coding.gzip.large",
                ])),
        PlantedClient("reads the first member of gzip", breaks: ["coding.gzip.members"], among: ["fault"]),
        PlantedClient("knows codings by small letters", breaks: ["coding.gzip.letters"]),
        PlantedClient("undoes one coding", breaks: ["coding.gzip.twice"]),
        PlantedClient("undoes any chain of codings", breaks: ["coding.chain"]),
        PlantedClient(
            "undoes codings without content", breaks: ["coding.head", "coding.none", "coding.not-modified"]),
        PlantedClient(
            "takes gzip that is cut off", breaks: ["fault.gzip.cut", "fault.gzip.end", "coding.gzip.members"]),
        PlantedClient(
            "asks for no checksum of gzip", breaks: ["fault.gzip.checksum", "coding.gzip.fields"], among: ["coding"]),
        PlantedClient("leaves deflate as it is", breaks: ["coding.deflate", "coding.order"]),
        PlantedClient("asks for codings that it cannot undo", breaks: ["coding.br", "coding.zstd"]),
        PlantedClient("takes what cannot be decoded as it is", breaks: Set(damaged)),
    ]

    static let faults = [
        PlantedClient(
            "takes half of content for all", breaks: ["fault.truncated", "fault.length", "fault.length.overflow"]),
        PlantedClient("takes half of content for all", .h2, breaks: ["fault.length"]),
        PlantedClient("takes a broken chunk for the end", breaks: ["fault.chunk", "fault.chunk.last"]),
        PlantedClient(
            "knows no chunks",
            breaks: [
                "fault.chunk", "fault.chunk.end", "fault.chunk.plus", "fault.chunk.prefix", "fault.chunk.digits",
                "fault.chunk.size", "fault.chunk.last", "answer.trailers", "answer.chunks", "answer.chunks.letters",
                "answer.both", "connection.trailers", "fault.chunk.overflow",
            ]),
        PlantedClient("takes any two bytes for the end of a chunk", breaks: ["fault.chunk.end"]),
        PlantedClient(
            "reads numbers as Python does",
            breaks: [
                "fault.chunk.plus", "fault.chunk.prefix", "fault.chunk.digits", "fault.length.plus",
                "fault.length.minus", "fault.length.digits",
            ]),
        PlantedClient("takes the last of two lengths", breaks: ["fault.length.two"]),
        PlantedClient("is ten times too late", breaks: ["fault.stall", "fault.silence", "retry.timeout"]),
        PlantedClient("fails after it has sent", breaks: ["*"], among: failing, meets: ["method.get"]),
        PlantedClient("takes what is not HTTP for content", breaks: ["fault.garbage"]),
        PlantedClient("takes nothing for an empty answer", breaks: ["fault.empty", "body.once"]),
        PlantedClient("takes a reset for the end", breaks: ["fault.reset"]),
        PlantedClient("takes a reset for the end", .h2, breaks: ["fault.truncated", "fault.chunk", "h2.reset"]),
        PlantedClient("takes what came in time for all", breaks: ["fault.stall"]),
        PlantedClient("has no time for content", breaks: ["fault.slow", "coding.gzip.pieces"]),
        PlantedClient(
            "calls every error a time-out",
            breaks: [
                "fault.empty", "fault.reset", "fault.truncated", "fault.length", "fault.chunk", "fault.garbage",
                "fault.gzip", "fault.gzip.cut", "fault.gzip.end", "fault.gzip.checksum", "fault.chunk.end",
                "fault.chunk.plus", "fault.chunk.prefix", "fault.chunk.digits", "fault.chunk.size", "fault.chunk.last",
                "fault.length.plus", "fault.length.minus", "fault.length.digits", "fault.length.two", "fault.head",
                "fault.chunk.overflow", "fault.length.overflow", "fault.length.list",
                "redirect.circle", "redirect.file", "redirect.data", "body.once", "body.once.patch", "tls.unknown",
                "tls.expired", "tls.host",
            ]),
        PlantedClient("sends a lost POST again", breaks: ["body.once", "body.once.patch"]),
        PlantedClient("sends a lost POST again", .h2, breaks: ["body.once", "body.once.patch"]),
        PlantedClient("sends everything again", breaks: ["body.once", "body.once.patch"]),
        PlantedClient("has an error for everything", breaks: ["*"], among: ["fault", "tls"]),
        PlantedClient("reports nothing", breaks: ["*"], among: ["method", "answer", "fault", "tls", "h2"]),
    ]

    static let connections = [
        PlantedClient("opens a connection for each request", breaks: ["connection.reuse"], among: ["method"]),
        PlantedClient("leaves a cancelled connection open", breaks: ["cancel.ends"]),
        PlantedClient("never notices that it is cancelled", breaks: ["cancel.ends"]),
        PlantedClient("does not know Connection close", breaks: ["connection.close"], among: ["method"]),
        PlantedClient(
            "leaves content of redirections on the connection",
            breaks: [
                "redirect.301", "redirect.302", "redirect.303", "redirect.307", "redirect.308", "connection.content",
                "connection.trailers", "redirect.303.put", "redirect.307.put", "redirect.308.put", "redirect.307.patch",
            ]),
        PlantedClient("does not ask again on a connection that has ended", breaks: ["connection.idle"]),
        PlantedClient("sends a request again without its content", breaks: ["connection.idle.put"]),
        PlantedClient("keeps a place for each cancelled request", breaks: ["cancel.pool"]),
        PlantedClient("mixes up answers", breaks: ["concurrent.50"]),
        PlantedClient("refuses more than six at once", breaks: ["concurrent.50"]),
        PlantedClient("takes every certificate", breaks: ["tls.unknown", "tls.expired", "tls.host"]),
        PlantedClient("takes every certificate", .h2, breaks: ["tls.unknown", "tls.expired", "tls.host"]),
        PlantedClient("takes certificates of every authority", breaks: ["tls.unknown"]),
        PlantedClient("asks no certificate for its host", breaks: ["tls.host"]),
        PlantedClient("asks no certificate for its days", breaks: ["tls.expired"]),
        PlantedClient("asks a proxy for a path", breaks: ["proxy.environment"]),
    ]

    /// Those of HTTP/2 alone.
    static let streams = [
        PlantedClient("opens more streams than are allowed", .h2, breaks: ["h2.streams", "concurrent.50"]),
        PlantedClient("waits for the streams that SETTINGS take away", .h2, breaks: ["h2.settings"]),
        PlantedClient(
            "opens four streams and refuses the others", .h2,
            breaks: ["h2.streams", "concurrent.50", "h2.connection", "h2.settings"]),
        PlantedClient(
            "opens a connection for each request", .h2, breaks: ["h2.connection", "connection.reuse"], among: ["method"]
        ),
        PlantedClient("resets with another code", .h2, breaks: ["h2.cancel"]),
        PlantedClient("leaves a stream open", .h2, breaks: ["h2.cancel", "cancel.ends"]),
        PlantedClient("closes the connection of a cancelled stream", .h2, breaks: ["h2.cancel"]),
        PlantedClient("gives up at GOAWAY", .h2, breaks: ["h2.goaway", "h2.refused"]),
        PlantedClient("sends everything again after GOAWAY", .h2, breaks: ["h2.goaway.handled"]),
        PlantedClient("mixes up answers", .h2, breaks: ["concurrent.50"]),
    ]
}
