// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import HTTPTypes
import MockServer

extension ContractRequirements {
    static let answers =
        [
            answer(
                "answer.json", "JSON arrives as it was sent", #"{"name": "Zo\u00eb", "n": 1.0}"#.utf8,
                "application/json"),
            answer(
                "answer.large", "a large answer arrives whole",
                (0..<1 << 20).map { UInt8(truncatingIfNeeded: $0 &* 31) }),
        ]
        + ContractImages.all.map { image in
            answer("answer.\(image.name)", "a \(image.name) image arrives byte for byte", image.bytes, image.mediaType)
        } + [
            Requirement(
                "answer.header", "a header of the answer is seen", expected: "X-Contract: seen",
                stubs: { [RequestMatch.any($0.path).respond(headers: ["X-Contract": "seen"], body: "ok")] }
            ) { evidence in
                Judging.outcome(evidence) { outcome in
                    guard outcome.isAnswer(200) else { return .fail(outcome.summary) }
                    if outcome.status == nil { return .notApplicable("nobody is told of the answer's fields") }
                    return Judging.equal(outcome.header("X-Contract") ?? "", "seen")
                }
            },
            Requirement(
                "answer.none", "204 has no content", expected: "204, 0 bytes",
                stubs: { [RequestMatch.any($0.path).respond(204)] }
            ) { Judging.answer($0, 204, []) },
        ]

    private static func answer(
        _ id: String, _ title: String, _ bytes: some Sequence<UInt8>, _ mediaType: String = "application/octet-stream"
    ) -> Requirement {
        let bytes = Array(bytes)
        return Requirement(
            id, title, expected: "\(bytes.count) bytes as they were sent",
            stubs: { [RequestMatch.any($0.path).respond(headers: ["Content-Type": mediaType], body: .bytes(bytes))] }
        ) { Judging.answer($0, 200, bytes) }
    }

    static let statuses = [404, 401, 422, 500, 503].map { status in
        Requirement(
            "status.\(status)", "\(status) is told with its content", expected: "\(status) and what the service says",
            stubs: { step in
                let headers: KeyValuePairs =
                    status == 401
                    ? ["Content-Type": "application/json", "WWW-Authenticate": "Basic realm=\"contract\""]
                    : ["Content-Type": "application/json"]
                return [RequestMatch.any(step.path).respond(status, headers: headers, body: #"{"error": "why"}"#)]
            }
        ) { Judging.answer($0, status, Array(#"{"error": "why"}"#.utf8)) }
    }

    static let codings = [
        Requirement(
            "coding.gzip", "gzip is undone where the client asks for it", expected: "the content as it was before",
            stubs: { step in
                let text = String(repeating: "gzip ", count: 400)
                return [
                    MockStub(
                        json:
                            #"{"request": {"urlPath": "\#(step.path)"}, "response": {"body": "\#(text)", "contentEncoding": "gzip"}}"#
                    )
                ]
            }
        ) { evidence in
            asking(evidence) { Judging.answer(evidence, 200, Array(String(repeating: "gzip ", count: 400).utf8)) }
        }
    ]

    /// A client that asks for no gzip is not concerned by what it would do with it.
    static func asking(_ evidence: StepEvidence, _ judge: () -> Judgement) -> Judgement {
        guard !evidence.entries.isEmpty else { return Judging.none(evidence) }
        guard evidence.asks(for: "gzip") else {
            return evidence.outcomes.isEmpty
                ? .fail("the client reported nothing") : .notApplicable("the client does not ask for gzip")
        }
        return judge()
    }

    static let redirects = [
        redirect("redirect.302", "302 is followed", 302, "GET", arrives: "GET"),
        redirect("redirect.303", "303 of a POST is followed by GET", 303, "POST", arrives: "GET"),
        redirect("redirect.307", "307 of a POST is followed by POST with its body", 307, "POST", arrives: "POST"),
        circle,
    ]

    private static var circle: Requirement {
        var requirement = Requirement(
            "redirect.circle", "a circle of redirections ends with an error", expected: "an error: redirects",
            stubs: { [RequestMatch.any($0.path).respond(302, headers: ["Location": $0.path])] }
        ) { Judging.failure($0, [.redirects]) }
        requirement.failures = [.redirects]
        return requirement
    }

    private static func redirect(
        _ id: String, _ title: String, _ status: Int, _ method: String, arrives: String
    ) -> Requirement {
        Requirement(
            id, title, expected: "\(arrives) of the new place",
            { step in
                step.method = method
                if method == "POST" {
                    step.headers = [("Content-Type", "text/plain")]
                    step.body = Array("content".utf8)
                }
            },
            stubs: { step in
                [
                    RequestMatch.any(step.path).respond(status, headers: ["Location": "\(step.path)/there"]),
                    RequestMatch.any("\(step.path)/there").respond(body: "there"),
                ]
            }
        ) { evidence in
            guard evidence.entries.count == 2 else {
                return .fail("\(Judging.count(evidence.entries)): \(Judging.targets(evidence.entries))")
            }
            let second = evidence.entries[1]
            let body = arrives == "POST" ? "content" : ""
            guard second.request.method.rawValue == arrives, second.body == Array(body.utf8) else {
                return .fail("\(second.request.method.rawValue) with \(second.bodySize) bytes")
            }
            return Judging.answer(evidence, 200, Array("there".utf8))
        }
    }
}
