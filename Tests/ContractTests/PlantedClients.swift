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

    init(_ defect: String, _ wire: Wire = .h1, breaks: Set<String>, among: Set<String> = []) {
        self.defect = defect
        self.wire = wire
        self.breaks = breaks
        self.among = among
    }

    static let all = right + requests + answers + redirections + faults + connections + streams

    /// Clients that do what they may, each in a way of its own.
    static let right = [
        PlantedClient("", breaks: [], among: ["fault", "cancel", "tls", "proxy", "answer", "status"]),
        PlantedClient("asks for no coding", breaks: [], among: ["fault", "coding"]),
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

    private static let statuses = ["status.401", "status.404", "status.422", "status.500", "status.503"]

    static let requests = [
        PlantedClient("drops a header", breaks: ["header.value"]),
        PlantedClient("drops a header", .h2, breaks: ["header.value"]),
        PlantedClient("splits a header", breaks: ["header.value", "header.content-type"]),
        PlantedClient("cuts a header at its semicolon", breaks: ["header.value", "header.content-type"]),
        PlantedClient("says form for every content", breaks: ["header.content-type"]),
        PlantedClient("says Host without its port", breaks: ["header.host"]),
        PlantedClient("says Host without its port", .h2, breaks: ["header.host"]),
        PlantedClient("expects 100 of everything", breaks: ["header.expect", "body.expect"]),
        PlantedClient("expects 100 of content, and takes no for an answer", breaks: ["body.expect"]),
        PlantedClient("sends POST for PATCH", breaks: ["method.patch"]),
        PlantedClient("sends POST for PATCH", .h2, breaks: ["method.patch"]),
        PlantedClient("sends patch for PATCH", breaks: ["method.patch"]),
        PlantedClient("sends GET for HEAD", breaks: ["method.head", "answer.head"]),
        PlantedClient("sends GET for PURGE", breaks: ["method.purge"]),
        PlantedClient("sends POST for DELETE", breaks: ["method.delete"]),
        PlantedClient("sends GET for OPTIONS", breaks: ["method.options"]),
        PlantedClient("sends POST for PUT", breaks: ["method.put"]),
        PlantedClient("sends plus for a space in a path", breaks: ["url.path"]),
        PlantedClient("undoes an encoded slash", breaks: ["url.slash"]),
        PlantedClient("undoes an encoded slash", .h2, breaks: ["url.slash"]),
        PlantedClient("encodes a path twice", breaks: ["url.path", "url.slash"]),
        PlantedClient("sends a plus sign as it is", breaks: ["query.plus"]),
        PlantedClient("sends a space as nothing", breaks: ["query.space"]),
        PlantedClient("undoes a query before it encodes it", breaks: ["query.percent"]),
        PlantedClient(
            "encodes a query twice",
            breaks: ["query.brackets", "query.space", "query.plus", "query.unicode", "query.percent"]),
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
        PlantedClient("writes JSON anew", breaks: ["body.json"]),
        PlantedClient("sends 64 KiB at most", breaks: ["body.large"]),
        PlantedClient("drops a zero byte", breaks: ["body.bytes", "body.large"]),
    ]

    static let answers = [
        PlantedClient("tells no content of errors", breaks: Set(statuses + ["status.retry-after"])),
        PlantedClient(
            "calls every error 500", breaks: Set(statuses + ["status.retry-after"]).subtracting(["status.500"])),
        PlantedClient("asks again at once", breaks: ["status.retry-after"]),
        PlantedClient("takes 204 for an error", breaks: ["answer.none"]),
        PlantedClient("tells no headers", breaks: ["answer.header", "answer.repeats"]),
        PlantedClient("tells the first of repeated fields", breaks: ["answer.repeats"]),
        PlantedClient("tells the first of repeated fields", .h2, breaks: ["answer.repeats"]),
        PlantedClient("takes all text for UTF-8", breaks: ["answer.charset"]),
        PlantedClient(
            "takes content for text",
            breaks: ["answer.large", "answer.png", "answer.jpeg", "answer.gif", "answer.webp", "answer.charset"]),
        PlantedClient("strips white space", breaks: ["coding.gzip", "coding.deflate"], among: ["answer"]),
        PlantedClient("waits for the content of HEAD", breaks: ["method.head", "answer.head"]),
        PlantedClient("waits for the content of 304", breaks: ["status.304"]),
        PlantedClient("takes 1xx for the answer", breaks: ["answer.continue", "answer.interim"]),
        PlantedClient("takes 1xx for the answer", .h2, breaks: ["answer.continue", "answer.interim"]),
        PlantedClient("takes 103 for the answer", breaks: ["answer.interim"]),
        PlantedClient("takes trailers for content", breaks: ["answer.trailers"]),
        PlantedClient("takes trailers for content", .h2, breaks: ["answer.trailers"]),
        PlantedClient("knows no chunk extensions", breaks: ["answer.chunks"]),
        PlantedClient("reads no content without a length", breaks: ["answer.close", "answer.http10"]),
        PlantedClient("does not know HTTP/1.0", breaks: ["answer.http10"]),
        PlantedClient("reads content once", breaks: ["answer.large", "fault.slow"]),
        PlantedClient("never opens the window of a stream", .h2, breaks: ["answer.large"]),
        PlantedClient("leaves gzip as it is", breaks: ["coding.gzip", "fault.gzip"]),
        PlantedClient("leaves deflate as it is", breaks: ["coding.deflate"]),
        PlantedClient("asks for codings that it cannot undo", breaks: ["coding.br", "coding.zstd"]),
        PlantedClient("takes what cannot be decoded as it is", breaks: ["fault.gzip"]),
    ]

    static let redirections = [
        PlantedClient(
            "follows no redirection",
            breaks: [
                "redirect.301", "redirect.302", "redirect.303", "redirect.307", "redirect.308", "redirect.absolute",
                "redirect.beside", "redirect.above", "redirect.query", "redirect.circle",
            ]),
        PlantedClient("does not know 301", breaks: ["redirect.301"]),
        PlantedClient("does not know 308", breaks: ["redirect.308"]),
        PlantedClient("makes GET of 307", breaks: ["redirect.307", "redirect.308"]),
        PlantedClient("makes GET of 307", .h2, breaks: ["redirect.307", "redirect.308"]),
        PlantedClient("repeats POST of 303", breaks: ["redirect.303"]),
        PlantedClient("loses the content of 307", breaks: ["redirect.307", "redirect.308"]),
        PlantedClient("gives the answer of a circle", breaks: ["redirect.circle"]),
        PlantedClient(
            "takes Location for a path of the root", breaks: ["redirect.beside", "redirect.above", "redirect.query"]),
        PlantedClient(
            "takes Location for a path",
            breaks: ["redirect.absolute", "redirect.beside", "redirect.above", "redirect.query"]),
        PlantedClient("forgets the last segment before a query", breaks: ["redirect.query"]),
        PlantedClient("does not go upwards", breaks: ["redirect.above"]),
        PlantedClient("keeps credentials", breaks: ["redirect.credentials"]),
        PlantedClient("keeps credentials", .h2, breaks: ["redirect.credentials"]),
        PlantedClient("keeps a cookie line", breaks: ["redirect.cookie"]),
        PlantedClient("sends cookies everywhere", breaks: ["cookie.origin", "cookie.path"], among: ["redirect"]),
        PlantedClient("sends cookies to every path", breaks: ["cookie.path"]),
    ]

    static let faults = [
        PlantedClient("takes half of content for all", breaks: ["fault.truncated", "fault.length"]),
        PlantedClient("takes half of content for all", .h2, breaks: ["fault.length"]),
        PlantedClient("takes a broken chunk for the end", breaks: ["fault.chunk"]),
        PlantedClient("knows no chunks", breaks: ["fault.chunk", "answer.trailers", "answer.chunks"]),
        PlantedClient("takes what is not HTTP for content", breaks: ["fault.garbage"]),
        PlantedClient("takes nothing for an empty answer", breaks: ["fault.empty", "body.once"]),
        PlantedClient("takes a reset for the end", breaks: ["fault.reset"]),
        PlantedClient("takes a reset for the end", .h2, breaks: ["fault.truncated", "fault.chunk"]),
        PlantedClient("takes what came in time for all", breaks: ["fault.stall"]),
        PlantedClient("has no time for content", breaks: ["fault.slow"]),
        PlantedClient(
            "calls every error a time-out",
            breaks: [
                "fault.empty", "fault.reset", "fault.truncated", "fault.length", "fault.chunk", "fault.garbage",
                "fault.gzip", "redirect.circle", "body.once", "tls.unknown", "tls.expired", "tls.host",
            ]),
        PlantedClient("sends a lost POST again", breaks: ["body.once"]),
        PlantedClient("sends a lost POST again", .h2, breaks: ["body.once"]),
        PlantedClient("sends everything again", breaks: ["body.once"]),
        PlantedClient("has an error for everything", breaks: ["*"], among: ["fault", "tls"]),
        PlantedClient("reports nothing", breaks: ["*"], among: ["method", "answer", "fault", "tls", "h2"]),
    ]

    static let connections = [
        PlantedClient("opens a connection for each request", breaks: ["connection.reuse"], among: ["method"]),
        PlantedClient("leaves a cancelled connection open", breaks: ["cancel.ends"]),
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
        PlantedClient(
            "opens four streams and refuses the others", .h2, breaks: ["h2.streams", "concurrent.50", "h2.connection"]),
        PlantedClient(
            "opens a connection for each request", .h2, breaks: ["h2.connection", "connection.reuse"], among: ["method"]
        ),
        PlantedClient("resets with another code", .h2, breaks: ["h2.cancel"]),
        PlantedClient("leaves a stream open", .h2, breaks: ["h2.cancel", "cancel.ends"]),
        PlantedClient("closes the connection of a cancelled stream", .h2, breaks: ["h2.cancel"]),
        PlantedClient("gives up at GOAWAY", .h2, breaks: ["h2.goaway"]),
        PlantedClient("sends everything again after GOAWAY", .h2, breaks: ["h2.goaway.handled"]),
        PlantedClient("mixes up answers", .h2, breaks: ["concurrent.50"]),
    ]
}
