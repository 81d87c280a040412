// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import HTTPTypes
import MockServer

extension ContractRequirements {
    static let codings =
        ["gzip", "deflate", "br", "zstd"].filter(MockServer.contentCodings.contains).map(coding) + [
            coded(
                "coding.gzip.members", "every member of gzip content is decoded (RFC 1952 §2.2)", CodedSamples.members),
            coded(
                "coding.gzip.letters", "the name of a coding is of any letters (RFC 9110 §8.4.1)", CodedSamples.whole,
                name: "GZIP"),
            coded(
                "coding.gzip.alias", "x-gzip is gzip (RFC 9110 §8.4.1.3)", CodedSamples.whole, name: "x-gzip",
                mayStay: true),
            coded(
                "coding.gzip.twice", "codings are undone one after the other (RFC 9110 §8.4)", CodedSamples.twice,
                name: "gzip, gzip", mayStay: true),
            coded(
                "coding.gzip.fields", "the optional fields of a gzip member are passed over (RFC 1952 §2.3)",
                CodedSamples.named),
            // gzip that was coded by deflate before: which is undone first makes a difference.
            coded(
                "coding.order", "the coding that was applied last is undone first (RFC 9110 §8.4)",
                CodedSamples.ordered,
                name: "deflate, gzip", also: "deflate", mayStay: true),
            ofErrors, decodedWhole,
            pieces, chain, bare("coding.head", "HEAD", 200), bare("coding.none", "GET", 204),
            bare("coding.not-modified", "GET", 304),
        ]

    /// Faults in gzip content that is framed well, as a proxy sends it on whose own source died.
    static let damagedCodings = [
        damaged("fault.gzip.cut", "gzip content that is cut off is an error (RFC 1952 §2.2)", CodedSamples.cut),
        damaged(
            "fault.gzip.end", "gzip content without its last 8 bytes is an error (RFC 1952 §2.2)", CodedSamples.endless),
        damaged(
            "fault.gzip.checksum", "gzip content with another checksum is an error (RFC 1952 §2.3.1)",
            CodedSamples.altered),
    ]

    private static func coding(_ name: String) -> Requirement {
        let text = String(repeating: "\(name) ", count: 400)
        return Requirement(
            "coding.\(name)", "\(name) is undone if the client asks for it",
            expected: "the content as it was before",
            stubs: { step in
                [
                    MockStub(
                        json: #"{"request": {"urlPath": "\#(step.path)"}, "#
                            + #""response": {"body": "\#(text)", "contentEncoding": "\#(name)"}}"#)
                ]
            }
        ) { evidence in
            asking(name, evidence) { Judging.response(evidence, 200, Array(text.utf8)) }
        }
    }

    /// A client that does not ask for a coding need not handle it.
    static func asking(_ coding: String, _ evidence: StepEvidence, _ judge: () -> Judgement) -> Judgement {
        guard !evidence.entries.isEmpty else { return Judging.none(evidence) }
        guard evidence.asks(for: coding) else {
            return Judging.silence(evidence) ?? .notApplicable("the client does not ask for \(coding)")
        }
        return judge()
    }

    /// Content of a coding as it is: the response for a client that asks for gzip.
    private static func stub(
        _ step: Step, _ sample: CodedSamples.Sample, name: String, status: Int = 200, type: String = "text/plain"
    ) -> [MockStub] {
        let headers: KeyValuePairs = ["Content-Type": type, "Content-Encoding": name]
        return [RequestMatch.any(step.path).respond(status, headers: headers, body: .bytes(sample.bytes))]
    }

    /// - Parameters:
    ///   - also: a coding that the client has to ask for beside gzip.
    ///   - mayStay: whether a client may leave the content as it came, and report the coding's name.
    private static func coded(
        _ id: String, _ title: String, _ sample: CodedSamples.Sample, name: String = "gzip", also: String? = nil,
        mayStay: Bool = false
    ) -> Requirement {
        Requirement(
            id, title, expected: "the content as it was before: \(sample.text.count) bytes",
            stubs: { stub($0, sample, name: name) }
        ) { evidence in
            asking(also.map { evidence.asks(for: $0) ? "gzip" : $0 } ?? "gzip", evidence) {
                Judging.outcome(evidence) { outcome in
                    let isLeft = outcome.body == sample.bytes && outcome.header("Content-Encoding") != nil
                    if mayStay, isLeft { return .notApplicable("the client leaves it as it is, and reports its name") }
                    if mayStay, let failure = outcome.failure, Judging.broken.contains(failure) {
                        return .notApplicable("the client does not know \(name), and says so: \(outcome.summary)")
                    }
                    return Judging.response(evidence, 200, sample.text)
                }
            }
        }
    }

    /// A service codes the content of an error as its other content.
    private static let ofErrors = Requirement(
        "coding.gzip.error", "the content of an error is decoded, too (RFC 9110 §8.4)", expected: "404, 772 bytes",
        { step in
            step.method = "POST"
            step.headers = [("Content-Type", "text/plain")]
            step.body = Array("content".utf8)
        },
        stubs: { stub($0, CodedSamples.whole, name: "gzip", status: 404, type: "application/json") }
    ) { evidence in
        asking("gzip", evidence) { Judging.response(evidence, 404, CodedSamples.whole.text) }
    }

    /// Clients have limits for content that is decoded; one that cuts it off there loses the rest.
    private static let decodedWhole = {
        let text = String(repeating: "large ", count: 50_000)
        return Requirement(
            "coding.gzip.large", "large content is decoded whole, or it is an error", expected: "300,000 bytes",
            stubs: { step in
                [
                    MockStub(
                        json: #"{"request": {"urlPath": "\#(step.path)"}, "#
                            + #""response": {"body": "\#(text)", "contentEncoding": "gzip"}}"#)
                ]
            }
        ) { evidence in
            asking("gzip", evidence) {
                Judging.outcome(evidence) { outcome in
                    if let failure = outcome.failure, Judging.broken.contains(failure) {
                        return .notApplicable("the client takes less, and says so: \(outcome.summary)")
                    }
                    return Judging.response(evidence, 200, Array(text.utf8))
                }
            }
        }
    }()

    /// Clients that undo whatever chain they are sent can be had to spend hours on a few bytes (CVE-2025-66418).
    private static var chain: Requirement {
        var requirement = Requirement(
            "coding.chain", "a chain of 60 codings is not undone", expected: "an error, or the content as it came",
            { $0.timeout = 5 },
            stubs: { step in
                stub(step, CodedSamples.chain, name: Array(repeating: "gzip", count: 60).joined(separator: ", "))
            }
        ) { evidence in
            asking("gzip", evidence) {
                Judging.outcome(evidence) { outcome in
                    if outcome.failure == .timeout { return .fail(outcome.summary) }
                    if outcome.failure != nil { return .pass }
                    if outcome.body == CodedSamples.chain.text { return .fail("all 60 undone") }
                    return outcome.body == CodedSamples.chain.bytes ? .pass : .fail(outcome.summary)
                }
            }
        }
        requirement.failures = Judging.broken
        return requirement
    }

    private static let pieces = Requirement(
        "coding.gzip.pieces", "gzip content that comes in pieces is undone whole", expected: "1,000 bytes as they were",
        stubs: { step in
            let text = String(repeating: "piece ", count: 166) + "last"
            let slow = #""chunkedDribbleDelay": {"numberOfChunks": 4, "totalDuration": 400}"#
            return [
                MockStub(
                    json: #"{"request": {"urlPath": "\#(step.path)"}, "#
                        + #""response": {"body": "\#(text)", "contentEncoding": "gzip", \#(slow)}}"#)
            ]
        }
    ) { evidence in
        asking("gzip", evidence) {
            Judging.response(evidence, 200, Array((String(repeating: "piece ", count: 166) + "last").utf8))
        }
    }

    /// Responses that have a coding and no content: there is nothing to undo.
    private static func bare(_ id: String, _ method: String, _ status: Int) -> Requirement {
        Requirement(
            id, "a coding of \(status == 200 ? method : "\(status)") without content is not undone (RFC 9110 §6.4.1)",
            expected: "\(status), 0 bytes",
            { step in
                step.method = method
                step.timeout = 5
                if status == 304 { step.headers = [("If-None-Match", "\"contract\"")] }
            },
            stubs: { step in
                if status == 200 { return stub(step, CodedSamples.whole, name: "gzip") }
                return [RequestMatch.any(step.path).respond(status, headers: ["Content-Encoding": "gzip"])]
            }
        ) { evidence in
            asking("gzip", evidence) { Judging.response(evidence, status, []) }
        }
    }

    private static func damaged(_ id: String, _ title: String, _ sample: CodedSamples.Sample) -> Requirement {
        var requirement = Requirement(
            id, title, expected: "an error: \(Judging.names(Judging.broken))", { $0.timeout = 5 },
            stubs: { stub($0, sample, name: "gzip") }
        ) { evidence in
            asking("gzip", evidence) { Judging.failure(evidence, Judging.broken) }
        }
        requirement.failures = Judging.broken
        return requirement
    }
}
