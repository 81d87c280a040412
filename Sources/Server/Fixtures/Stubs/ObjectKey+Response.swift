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
            "The status; 200 where it is left out. A template has it as a string."),
        ObjectKey(.reason, .string, "The reason phrase of HTTP/1.1, where it is not the usual one."),
        ObjectKey(
            .headers, headerLines,
            "Field lines: a list of `Name: value` that keeps order, case and repeats, or an object of names and values. "
                + "The message's framing and its date are the server's and are not replayed."),
        ObjectKey(
            .headerCharset, .choice(["UTF-8", "ISO-8859-1"]),
            "What field lines, trailers and the reason are sent in: UTF-8 where it is left out. In ISO-8859-1 each character is the byte of "
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
            "The coding that the body is sent in where the client accepts it; the body is stored decoded."),
        ObjectKey(
            .defaultContentType, .boolean,
            "Whether a response without a Content-Type line has one by what its body is; true where it is left out."),
        ObjectKey(
            .contentLength, .integer(0...(.max)),
            "What Content-Length says in a response to HEAD that was recorded without its body."),
        ObjectKey(.trailers, headerLines, "Field lines behind the body, written as `headers` are."),
        ObjectKey(
            .rewriteOrigins, .list(.string, minimum: 0),
            "Origins such as `https://images.example.com`: their absolute URLs are pointed at this server, in a text body and in Location, "
                + "Content-Location, Link and Refresh lines."
        ),
        ObjectKey(
            .ranges, .boolean,
            "Whether a request for a range is answered by a part, 206, or by 416. True where it is left out; without ranges the response is "
                + "the whole, whatever Range says, and a condition such as If-None-Match still makes a 304 of it."),
        ObjectKey(
            "asWritten", .boolean,
            "Whether the response is sent as it is to a request with Range or a condition such as If-None-Match, of which a 206, 304, 412 or "
                + "416 would be made. False where it is left out, but for a stub that itself matches such a line and for a WireMock root."
        ),
        ObjectKey(
            .transformers, .list(.string, minimum: 0),
            "What is done to the response for each request: `response-template` renders the templates in it."),
        ObjectKey(
            "transformerParameters", .freeObject,
            "What templates have as `parameters`. `disableBodyFileTemplating` has the file of the body sent as it is."),
        ObjectKey(
            "proxyBaseUrl", .string,
            "Another server that answers, of http or https: the request's path and query are put behind it. `headers` are added to its response."
        ),
        ObjectKey("proxyUrlPrefixToRemove", .string, "What the path loses at its beginning before it goes there."),
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
