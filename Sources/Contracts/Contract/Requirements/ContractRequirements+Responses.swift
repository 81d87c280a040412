// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import HTTPTypes
import MockServer

extension ContractRequirements {
    static let responses =
        [
            response(
                "answer.json", "JSON arrives as it was sent",
                #"{"name": "Zo\u00eb",  "url":"a\/b", "n": 1e2 , "m": 1.0, "n": 1}"#.utf8, "application/json"),
            response(
                "answer.blanks", "blanks and line ends around a text are part of it", " \t\r\ncontent\r\n ".utf8,
                "text/plain"),
            response(
                "answer.large", "a large response arrives whole",
                (0..<1 << 20).map { UInt8(truncatingIfNeeded: $0 &* 31) }),
        ]
        + ContractImages.all.map { image in
            response(
                "answer.\(image.name)", "a \(image.name) image arrives byte for byte", image.bytes, image.mediaType)
        } + [
            Requirement(
                "answer.header", "a header of the response is seen", expected: "X-Contract: \(seen)",
                stubs: { [RequestMatch.any($0.path).respond(headers: ["X-Contract": seen], body: "ok")] }
            ) { evidence in
                Judging.outcome(evidence) { outcome in
                    guard outcome.hasStatus(200) else { return .fail(outcome.summary) }
                    if outcome.status == nil { return .notApplicable("the response's fields are not reported") }
                    return Judging.equal(outcome.header("X-Contract") ?? "", seen)
                }
            },
            Requirement(
                "answer.none", "204 has no content", expected: "204, 0 bytes",
                stubs: { [RequestMatch.any($0.path).respond(204)] }
            ) { Judging.response($0, 204, []) },
            response(
                "answer.gzip", "a file in gzip that has no coding arrives byte for byte (RFC 9110 §8.4)",
                CodedSamples.whole.bytes, "application/gzip"),
            head, repeats, charset, longField, manyFields,
        ]

    private static let seen = "Seen,  as: \"Sent\"; q=1"

    private static let head = Requirement(
        "answer.head", "the length of a response to HEAD is not waited for (RFC 9110 §9.3.2)", expected: "200, 0 bytes",
        { step in
            step.method = "HEAD"
            step.timeout = 5
        },
        stubs: { [RequestMatch.any($0.path).respond(body: .text(String(repeating: "h", count: 1_000)))] }
    ) { evidence in
        guard !evidence.entries.isEmpty else { return Judging.none(evidence) }
        return Judging.response(evidence, 200, [])
    }

    private static let repeats = Requirement(
        "answer.repeats", "every line of a field that is repeated is seen (RFC 9110 §5.3)",
        expected: "X-Contract: 1, 2",
        stubs: { step in
            let lines: KeyValuePairs = [
                "X-Contract": "1", "Set-Cookie": "repeats=1; Path=\(step.path)", "X-Contract": "2",
                "Set-Cookie": "again=2; Path=\(step.path)",
            ]
            return [RequestMatch.any(step.path).respond(headers: lines, body: "ok")]
        }
    ) { evidence in
        Judging.outcome(evidence) { outcome in
            guard outcome.hasStatus(200) else { return .fail(outcome.summary) }
            if outcome.status == nil { return .notApplicable("the response's fields are not reported") }
            let seen = outcome.values("X-Contract").filter { $0 != " " && $0 != "\t" }
            guard seen == "1,2" else { return Judging.equal(outcome.values("X-Contract"), "1, 2") }
            let cookies = outcome.values("Set-Cookie")
            if cookies.contains("repeats=1") == cookies.contains("again=2") { return .pass }
            // A driver with a dictionary of fields keeps one line, while the client joins the others.
            let isOfLines = outcome.headers.count { $0.name.lowercased() == "x-contract" } > 1
            if isOfLines { return .fail("Set-Cookie: \(cookies)") }
            return .advice("one of two Set-Cookie lines is reported: \(cookies)")
        }
    }

    /// Content in ISO 8859-1, which a client may decode for its caller, but not if the caller asks for the bytes.
    private static let charset = Requirement(
        "answer.charset", "text that is not UTF-8 is the bytes that came, or the text that they mean",
        expected: "4 bytes as they were sent, or café",
        stubs: { step in
            let bytes = Array("caf".utf8) + [0xE9]
            return [
                RequestMatch.any(step.path).respond(
                    headers: ["Content-Type": "text/plain; charset=iso-8859-1"], body: .bytes(bytes))
            ]
        }
    ) { evidence in
        Judging.outcome(evidence) { outcome in
            guard outcome.hasStatus(200) else { return .fail(outcome.summary) }
            return outcome.body == Array("café".utf8)
                ? .pass : Judging.bytes(outcome.body, Array("caf".utf8) + [0xE9])
        }
    }

    private static let longField = many(
        "answer.field", "a field of 16 kB is reported whole", expected: "X-Contract-0: 16,000 letters",
        values: [String(repeating: "f", count: 16_000)])
    private static let manyFields = many(
        "answer.fields", "all of 100 fields are reported", expected: "X-Contract-0 to X-Contract-99",
        values: (0..<100).map { "value \($0)" })

    /// A client may have a limit, and report it as an error; it must not leave something out.
    private static func many(_ id: String, _ title: String, expected: String, values: [String]) -> Requirement {
        Requirement(
            id, title, expected: expected,
            stubs: { step in
                let lines = values.enumerated().map { #""X-Contract-\#($0.offset): \#($0.element)""# }
                return [
                    MockStub(
                        json: #"{"request": {"urlPath": "\#(step.path)"}, "response": {"body": "ok", "headers": ["#
                            + lines.joined(separator: ", ") + "]}}")
                ]
            }
        ) { evidence in
            guard !evidence.entries.isEmpty else { return Judging.none(evidence) }
            return Judging.outcome(evidence) { outcome in
                if let failure = outcome.failure {
                    // The whole response has come: a client that still waits has dropped some of it unnoticed.
                    let isLost = failure == .timeout || failure == .hang
                    return isLost ? .fail(outcome.summary) : .notApplicable("the client takes less: \(outcome.summary)")
                }
                guard outcome.hasStatus(200) else { return .fail(outcome.summary) }
                if outcome.status == nil { return .notApplicable("the response's fields are not reported") }
                let lost = values.indices.first { outcome.header("X-Contract-\($0)") != values[$0] }
                return lost.map { .fail("X-Contract-\($0) is not as it was sent") }
                    ?? Judging.bytes(outcome.body, Judging.ok)
            }
        }
    }

    private static func response(
        _ id: String, _ title: String, _ bytes: some Sequence<UInt8>, _ mediaType: String = "application/octet-stream"
    ) -> Requirement {
        let bytes = Array(bytes)
        return Requirement(
            id, title, expected: "\(bytes.count) bytes as they were sent",
            stubs: { [RequestMatch.any($0.path).respond(headers: ["Content-Type": mediaType], body: .bytes(bytes))] }
        ) { Judging.response($0, 200, bytes) }
    }

    static let statuses =
        [201, 299, 404, 401, 422, 500, 503].map { status in
            Requirement(
                "status.\(status)", "\(status) is reported with its content",
                expected: "\(status) and what the service says",
                stubs: { step in
                    let headers: KeyValuePairs =
                        status == 401
                        ? ["Content-Type": "application/json", "WWW-Authenticate": "Basic realm=\"contract\""]
                        : ["Content-Type": "application/json"]
                    return [RequestMatch.any(step.path).respond(status, headers: headers, body: #"{"error": "why"}"#)]
                }
            ) { evidence in
                // After a failure of the server the client may ask again; its own mistake stays one.
                guard evidence.entries.count <= 1 || status >= 500 else {
                    return .fail(Judging.count(evidence.entries))
                }
                return Judging.response(evidence, status, Array(#"{"error": "why"}"#.utf8))
            }
        } + [misdirected, notModified, retryAfter, retryAfterDate]

    /// A server that says that it is not responsible for a request may be asked by another connection; if it goes on saying that, it must be believed
    /// (nodejs/undici#2898).
    private static let misdirected = Requirement(
        "status.421", "421 of a POST is reported with its content (RFC 9110 §15.5.20)", expected: "421, 3 bytes",
        { step in
            step.method = "POST"
            step.headers = [("Content-Type", "text/plain")]
            step.body = Array("content".utf8)
        },
        stubs: { [RequestMatch.any($0.path).respond(421, body: "why")] }
    ) { evidence in
        guard !evidence.entries.isEmpty else { return Judging.none(evidence) }
        guard evidence.entries.count <= 3 else { return .fail(Judging.count(evidence.entries)) }
        return Judging.response(evidence, 421, Array("why".utf8))
    }

    private static let notModified = Requirement(
        "status.304", "304 is reported, and no content is waited for (RFC 9110 §15.4.5)", expected: "304, 0 bytes",
        { step in
            step.headers = [("If-None-Match", "\"contract\"")]
            step.timeout = 5
        },
        stubs: { [RequestMatch.any($0.path).respond(304, headers: ["ETag": "\"contract\""])] }
    ) { evidence in
        guard let entry = evidence.entries.first else { return Judging.none(evidence) }
        guard entry.values("If-None-Match") == ["\"contract\""] else { return .fail("a request without If-None-Match") }
        return Judging.response(evidence, 304, [])
    }

    /// A client that asks again must wait as long as the response says; a client that does not reports the 503.
    private static let retryAfter = retried(
        "status.retry-after", "a request is not sent again before Retry-After (RFC 9110 §10.2.3)", after: "1",
        seconds: 1)

    /// A client that takes a date for no number, and that for 0, asks again at once (supabase/supabase-js#2634).
    private static let retryAfterDate = retried(
        "status.retry-after.date", "a request is not sent again before the date of Retry-After (RFC 9110 §10.2.3)",
        after: "{{now offset='3 seconds' format='EEE, dd MMM yyyy HH:mm:ss' timezone='GMT'}} GMT", seconds: 2)

    /// - Parameter seconds: how long it is to be at least.
    private static func retried(_ id: String, _ title: String, after value: String, seconds: Int) -> Requirement {
        Requirement(
            id, title, expected: "503, or the next response after \(seconds) s",
            stubs: { step in
                let busy =
                    #"{"status": 503, "headers": {"Retry-After": "\#(value)"}, "body": "busy", "#
                    + #""transformers": ["response-template"]}"#
                let again = #"{"body": "again"}"#
                return [
                    MockStub(json: #"{"request": {"urlPath": "\#(step.path)"}, "responses": [\#(busy), \#(again)]}"#)
                ]
            }
        ) { evidence in
            guard let first = evidence.entries.first else { return Judging.none(evidence) }
            guard evidence.entries.count > 1 else { return Judging.response(evidence, 503, Array("busy".utf8)) }
            let wait = evidence.entries[1].receivedAt - first.receivedAt
            // A clock that is read a little earlier is not a hurry.
            guard wait > Double(seconds) - 0.05 else { return .fail("asked again after \(Int(wait * 1_000)) ms") }
            return Judging.response(evidence, 200, Array("again".utf8))
        }
    }
}
