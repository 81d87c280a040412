// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiContentCodings

extension ObjectKey {
    /// Field lines: a list of lines, or WireMock's object.
    static let headerLines = ValueShape.either([
        .list(.string, minimum: 0),
        .map(.either([.string, .number, .boolean, .list(.either([.string, .number, .boolean]), minimum: 0)])),
    ])

    static let response = [
        ObjectKey(
            .status, .template(.integer(200...999)),
            "The status; 200 by default. A template has it as a string."),
        ObjectKey(.reason, .string, "The reason phrase of HTTP/1.1, if it is not the usual one."),
        ObjectKey(
            .headers, headerLines,
            "Field lines: a list of `Name: value` that keeps order, case and repeats, or an object of names and values. "
                + "The message's framing and its date are the server's and are not replayed."),
        ObjectKey(
            .headerCharset, .choice(["UTF-8", "ISO-8859-1"]),
            "The charset of field lines, trailers and the reason: UTF-8 by default. In ISO-8859-1 each character is the byte of "
                + "its number."),
        ObjectKey(
            .bodyFile, .string,
            "The body: a file, relative to the stub file. At most one of `bodyFile`, `body`, `jsonBody` and `base64Body`."
        ),
        ObjectKey(.body, .string, "The body as text, in UTF-8."),
        ObjectKey(.jsonBody, .anything, "The body as JSON; numbers are sent as they are written here."),
        ObjectKey(.base64Body, .string, "The body's bytes, in Base64."),
        ObjectKey(
            .contentEncoding, .choice(ContentCoding.allCases.map(\.rawValue)),
            "The coding that the body is sent in if the client accepts it; the body is stored decoded."),
        ObjectKey(
            .defaultContentType, .boolean,
            "Whether a response without a Content-Type line gets one for its body; true by default."),
        ObjectKey(
            .contentLength, .integer(0...(.max)),
            "The Content-Length of a response to HEAD that was recorded without its body."),
        ObjectKey(.trailers, headerLines, "Field lines behind the body, written as `headers` are."),
        ObjectKey(
            .rewriteOrigins, .list(.string, minimum: 0),
            "Origins such as `https://images.example.com`: their absolute URLs are pointed at this server, in a text body and in Location, "
                + "Content-Location, Link and Refresh lines."
        ),
        ObjectKey(
            .ranges, .boolean,
            "Whether a request for a range gets a part, 206, or a 416. True by default; without ranges the response is "
                + "the whole, whatever Range says, and a condition such as If-None-Match still makes a 304 of it."),
        ObjectKey(
            "asWritten", .boolean,
            "Whether the response is sent as it is to a request with Range or a condition such as If-None-Match, instead of a 206, 304, 412 or "
                + "416. False by default, except for a stub that itself matches such a line and for a WireMock root."
        ),
        ObjectKey(
            "dates", .choice(["shift"]),
            "`shift` moves the dates in the body of a recorded response that were in the future when it was recorded, by the time since then."
        ),
        ObjectKey(
            .transformers, .list(.string, minimum: 0),
            "Changes of the response for each request: `response-template` renders the templates in it."),
        ObjectKey(
            "transformerParameters", .freeObject,
            "The `parameters` of templates. With `disableBodyFileTemplating` the file of the body is sent as it is."),
        ObjectKey(
            "proxyBaseUrl", .string,
            "The URL of another server that answers, of http or https; the request's path and query are put behind it. `headers` are added to its response."
        ),
        ObjectKey("proxyUrlPrefixToRemove", .string, "A prefix that is removed from the path before it goes there."),
        ObjectKey(
            "additionalProxyRequestHeaders", headerLines,
            "Lines of the request that goes there, in the place of the client's; written as `headers` are."),
        ObjectKey(
            "removeProxyRequestHeaders", .list(.string, minimum: 0), "Names of lines that do not go there, in any case."
        ),
        wireMock("bodyFileName", .string, insteadOf: "bodyFile"),
        wireMock("statusMessage", .string, insteadOf: "reason"),
        wireMock("fromConfiguredStub", .boolean),
    ]
}
