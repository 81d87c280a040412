// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// The keys of a stub's actions after its response.
extension ObjectKey {
    static let listeners = [
        ObjectKey(
            "serveEventListeners", .list(.object(.serveEventListener), minimum: 0),
            "Requests that are sent after the stub's response."),
        wireMock(
            "postServeActions",
            .either([.list(.object(.serveEventListener), minimum: 0), .map(.object(.webhook))]),
            insteadOf: "serveEventListeners"),
    ]

    static let serveEventListener = [
        ObjectKey("name", .string, "`webhook`: a request that is sent."),
        ObjectKey(
            "requestPhases",
            .list(.choice(["BEFORE_MATCH", "AFTER_MATCH", "BEFORE_RESPONSE_SENT", "AFTER_COMPLETE"]), minimum: 0),
            "When; a webhook is sent when the response is on its way, whatever stands here."),
        ObjectKey("parameters", .object(.webhook), "The request."),
    ]

    static let webhook = [
        ObjectKey("method", .string, "The method; `GET` by default."),
        ObjectKey("url", .string, "The target, by http or https. URL, method, headers and body may be templates."),
        ObjectKey("headers", headerLines, "Field lines, written as those of a response are."),
        ObjectKey("body", .string, "The content as text. At most one of `body` and `base64Body`."),
        ObjectKey("base64Body", .string, "The content's bytes, in Base64."),
        ObjectKey("delay", .object(.delayDistribution), "A wait before it is sent, drawn from `serve --seed`."),
        ObjectKey("retry", .object(.retry), "How it is sent again if no response comes, or 429 or 5xx."),
        ObjectKey("extraParameters", .freeObject, "The `parameters` of its templates."),
        wireMock("transformers", .list(.string, minimum: 0)),
        wireMock("transformerParameters", .freeObject),
    ]

    static let retry = [
        ObjectKey("times", .integer(0...100), "How often at most."),
        ObjectKey("delay", milliseconds, "Milliseconds before each; 0 by default."),
    ]
}
