// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import HTTPTypes
import MockServer

extension ContractRequirements {
    static let methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "PURGE"].map { method in
        Requirement(
            "method.\(method.lowercased())", "\(method) arrives as written", expected: method,
            { $0.method = method }
        ) { evidence in
            Judging.request(evidence, response: method == "HEAD" ? [] : Judging.ok) {
                Judging.equal($0.request.method.rawValue, method)
            }
        }
    }

    static let urls =
        [
            target(
                "url.path", "a path survives encoding", "/a%20b/caf%C3%A9/100%25", expects: "/a b/café/100%"),
            slash,
            target(
                "query.brackets", "brackets in a query survive", "?filter%5Bcontent_types%5D%5B%5D=article",
                expects: "filter[content_types][]=article"),
            target("query.space", "a space in a query survives", "?q=a%20b", expects: "q=a b"),
            target("query.plus", "a plus sign in a query survives", "?q=1%2B1", expects: "q=1+1"),
            target("query.unicode", "unicode in a query survives", "?q=%E6%97%A5%E6%9C%AC", expects: "q=日本"),
            target("query.empty", "an empty value in a query survives", "?q=&r=1", expects: "q=&r=1"),
            target("query.repeats", "repeated names keep their order", "?q=2&q=1&q=2", expects: "q=2&q=1&q=2"),
            target("query.percent", "a query is encoded once", "?q=100%2541", expects: "q=100%41"),
        ]

    /// A slash that is data stays apart from those that part segments (RFC 3986 §2.2).
    private static let slash = Requirement(
        "url.slash", "an encoded slash in a path stays encoded", expected: "/a%2Fb", { $0.suffix = "/a%2Fb" },
        stubs: { step in
            [MockStub(json: #"{"request": {"urlPathPattern": "\#(step.path)(/.*)?"}, "response": {"body": "ok"}}"#)]
        }
    ) { evidence in
        Judging.request(evidence) { entry in
            let rest = String(entry.origin.dropFirst(evidence.step.path.count))
            return rest.lowercased() == "/a%2fb" ? .pass : .fail(rest)
        }
    }

    private static func target(
        _ id: String, _ title: String, _ suffix: String, expects: String
    ) -> Requirement {
        Requirement(
            id, title, expected: expects, { $0.suffix = suffix },
            stubs: { step in
                [MockStub(json: #"{"request": {"urlPathPattern": "\#(step.path)(/.*)?"}, "response": {"body": "ok"}}"#)]
            }
        ) { evidence in
            Judging.request(evidence) { entry in
                let rest = String(entry.origin.dropFirst(evidence.step.path.count))
                return Judging.equal(TargetText.decoded(rest), expects)
            }
        }
    }

    static let requestHeaders = [
        Requirement(
            "header.value", "a header arrives as it was set", expected: "a, b;c=\"d e\"",
            { $0.headers = [("X-Contract", "a, b;c=\"d e\"")] }
        ) { evidence in
            Judging.request(evidence) { Judging.equal(value("X-Contract", $0), "a, b;c=\"d e\"") }
        },
        Requirement(
            "header.content-type", "Content-Type arrives as it was set",
            expected: "application/vnd.api+json; charset=utf-8",
            {
                $0.method = "POST"
                $0.headers = [("Content-Type", "application/vnd.api+json; charset=utf-8")]
                $0.body = Array("{}".utf8)
            }
        ) { evidence in
            Judging.request(evidence) {
                Judging.equal(value("Content-Type", $0), "application/vnd.api+json; charset=utf-8")
            }
        },
        host,
        Requirement(
            "header.expect", "a request without content expects no 100 (RFC 9110 §10.1.1)", expected: "no Expect"
        ) { evidence in
            Judging.request(evidence) { entry in
                let value = value("Expect", entry)
                return value.isEmpty ? .pass : .fail("Expect: \(value)")
            }
        },
    ]

    /// As one that forgets the port does not reach a service behind a proxy, or gets redirections to another.
    private static let host = Requirement(
        "header.host", "Host has the port of the URL (RFC 9110 §7.2)", expected: "the host and the port of the URL"
    ) { evidence in
        Judging.request(evidence) { entry in
            let authority = entry.request.authority ?? ""
            return evidence.reaches(entry) ? .pass : .fail(authority.isEmpty ? "nothing" : authority)
        }
    }

    /// The values of a header, joined where there are several.
    private static func value(_ name: String, _ entry: JournalEntry) -> String {
        entry.values(name).joined(separator: ", ")
    }

    static let requestBodies = [
        body("body.bytes", "every byte of a body arrives", (0..<1_024).map { UInt8(truncatingIfNeeded: $0) }),
        body("body.json", "JSON arrives as it was written", Array(#"{"name":"Zoë","n":1.0,"list":[1,2]}"#.utf8)),
        body(
            "body.large", "a large body arrives whole",
            (0..<256 * 1_024).map { UInt8(truncatingIfNeeded: $0 &* 131 &+ $0 >> 8) }),
        once, expectation,
    ]

    /// Nobody has to expect anything; who does has to take a no.
    private static let expectation = Requirement(
        "body.expect", "a client that expects 100 sends again without, where that is refused (RFC 9110 §10.1.1)",
        expected: "7 bytes, without Expect in the end",
        {
            $0.method = "POST"
            $0.headers = [("Content-Type", "text/plain")]
            $0.body = Array("content".utf8)
        },
        stubs: { step in
            [
                RequestMatch.any(step.path).header("Expect", .present).respond(417, priority: 1),
                RequestMatch.any(step.path).respond(body: "ok"),
            ]
        }
    ) { evidence in
        guard let last = evidence.entries.last else { return Judging.none(evidence) }
        guard last.values("Expect").isEmpty else { return .fail("Expect: \(value("Expect", last))") }
        guard last.body == Array("content".utf8) else { return .fail("\(last.bodySize) bytes") }
        return Judging.response(evidence, 200, Judging.ok)
    }

    /// On a connection that was used before, where clients are tempted to think that the server closed it for being idle.
    private static var once: Requirement {
        var requirement = Requirement(
            "body.once", "a POST whose answer is lost on a connection in use is not sent again (RFC 9110 §9.2.2)",
            expected: "one request and an error",
            {
                $0.method = "POST"
                $0.body = Array("order".utf8)
                $0.warmUp = $0.path + ".before"
            },
            stubs: { step in
                [
                    RequestMatch.post(step.path).respond(fault: .emptyResponse),
                    RequestMatch.get(step.path + ".before").respond(body: "ok"),
                ]
            }
        ) { evidence in
            guard evidence.entries.count <= 1 else { return .fail(Judging.count(evidence.entries)) }
            return Judging.failure(evidence, [.connection, .protocol])
        }
        requirement.failures = [.connection, .protocol]
        return requirement
    }

    private static func body(_ id: String, _ title: String, _ bytes: [UInt8]) -> Requirement {
        Requirement(
            id, title, expected: "\(bytes.count) bytes as they were sent",
            {
                $0.method = "POST"
                $0.headers = [("Content-Type", "application/octet-stream")]
                $0.body = bytes
            }
        ) { evidence in
            Judging.request(evidence) { Judging.bytes($0.body, bytes) }
        }
    }
}
