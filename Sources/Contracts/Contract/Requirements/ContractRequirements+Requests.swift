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
            asWritten("url.path", "a path survives encoding", "/a%20b/Caf%C3%A9/100%25"),
            slash,
            asWritten("url.slashes", "a path keeps a double slash and the last one (RFC 3986 §3.3)", "/a//b/"),
            asWritten(
                "url.delimiters", "signs that may stand in a path stay as they are (RFC 3986 §3.3)",
                "/a;b=1,2/c@d:e+f/(g)$&*!'"),
            long, origin,
            target(
                "url.fragment", "the fragment of a URL is not sent (RFC 9110 §7.1)", "?q=1#part", expected: "?q=1",
                isInParts: false
            ) { Judging.equal($0, "?q=1") },
            target(
                "query.brackets", "brackets in a query survive", "?Filter%5Bcontent_types%5D%5B%5D=Article",
                expects: "Filter[content_types][]=Article"),
            target("query.space", "a space in a query survives", "?q=a%20b", expects: "q=a b"),
            target("query.plus", "a plus sign in a query survives", "?q=1%2B1", expects: "q=1+1"),
            target(
                "query.blank", "a plus sign that stands for a space stays one of both", "?q=a+b", expects: "q=a b"),
            asWritten(
                "query.delimiters", "an ampersand and a number sign that are data stay encoded (RFC 3986 §2.2)",
                "?q=a%26b%23c&r=d"),
            posted,
            target("query.unicode", "unicode in a query survives", "?q=%E6%97%A5%E6%9C%AC", expects: "q=日本"),
            target("query.empty", "an empty value in a query survives", "?q=&r=1", expects: "q=&r=1"),
            asWritten("query.flag", "a name without a value gets none (RFC 3986 §3.4)", "?flag&q=1", isInParts: false),
            target("query.repeats", "repeated names keep their order", "?q=2&q=1&q=2", expects: "q=2&q=1&q=2"),
            target("query.percent", "a query is encoded once", "?q=100%2541", expects: "q=100%41"),
            target(
                "query.slash", "a slash, a question mark, a semicolon and an equals sign in a value survive",
                "?q=a/b?c;d%3De", expects: "q=a/b?c;d=e"),
        ]

    /// A slash that is data stays apart from those that part segments (RFC 3986 §2.2).
    private static let slash = target(
        "url.slash", "an encoded slash in a path stays encoded", "/a%2Fb", expected: "/a%2Fb"
    ) { $0.lowercased() == "/a%2fb" ? .pass : .fail($0) }

    /// A target that arrives byte for byte, but for the letters of its escapes (RFC 3986 §6.2.2.1).
    private static func asWritten(
        _ id: String, _ title: String, _ suffix: String, isInParts: Bool = true
    ) -> Requirement {
        target(id, title, suffix, expected: suffix, isInParts: isInParts) { rest in
            TargetText.withCapitalEscapes(rest) == suffix ? .pass : Judging.equal(rest, suffix)
        }
    }

    /// Longer than the limits that clients have been seen to keep to silently: 100 letters of a segment, and 1 or 2 kB of a query.
    private static let long = {
        let suffix = "/" + String(repeating: "segment", count: 40) + "?q=" + String(repeating: "query", count: 800)
        return target(
            "url.long", "a long URL arrives whole (RFC 9110 §4.1)", suffix, expected: "\(suffix.utf8.count) bytes"
        ) { $0 == suffix ? .pass : .fail(Counts.count($0.utf8.count, "byte")) }
    }()

    /// The whole URL is for proxies.
    private static let origin = Requirement(
        "url.origin", "a server is asked by path and query alone (RFC 9112 §3.2.1)", expected: "a path"
    ) { evidence in
        Judging.request(evidence) { $0.target.hasPrefix("/") ? .pass : .fail($0.target) }
    }

    private static let posted = Requirement(
        "query.post", "the query of a POST arrives beside its content", expected: "q=a b, and 7 bytes",
        {
            $0.method = "POST"
            $0.suffix = "?q=a%20b"
            $0.parts.query = [("q", "a b")]
            $0.headers = [("Content-Type", "text/plain")]
            $0.body = Array("content".utf8)
        }
    ) { evidence in
        Judging.request(evidence) { entry in
            let query = Judging.equal(
                TargetText.decoded(String(entry.origin.dropFirst(evidence.step.path.count))), "q=a b")
            return query == .pass ? Judging.bytes(entry.body, Array("content".utf8)) : query
        }
    }

    private static func target(_ id: String, _ title: String, _ suffix: String, expects: String) -> Requirement {
        target(id, title, suffix, expected: expects) { Judging.equal(TargetText.decoded($0), expects) }
    }

    /// A target that is judged by the part that arrives behind the path of its step.
    private static func target(
        _ id: String, _ title: String, _ suffix: String, expected: String, isInParts: Bool = true,
        _ judge: @escaping @Sendable (String) -> Judgement
    ) -> Requirement {
        Requirement(
            id, title, expected: expected,
            { step in
                step.suffix = suffix
                if isInParts { step.parts.query = TargetText.pairs(suffix) }
            },
            stubs: { step in
                [MockStub(json: #"{"request": {"urlPathPattern": "\#(step.path)(/.*)?"}, "response": {"body": "ok"}}"#)]
            }
        ) { evidence in
            Judging.request(evidence) { judge(String($0.origin.dropFirst(evidence.step.path.count))) }
        }
    }

    static let requestHeaders = [
        field("header.value", "a header arrives as it was set", "X-Contract", "a,  B;c=\"D  e\""),
        field(
            "header.content-type", "Content-Type arrives as it was set", "Content-Type",
            "application/vnd.api+json; charset=utf-8; profile=\"http://Example.org/A b\"", method: "POST"),
        field(
            "header.media-type", "Content-Type without a parameter gets none", "Content-Type",
            "application/vnd.api+json", method: "POST"),
        field(
            "header.authorization", "Authorization arrives as it was set", "Authorization", "Bearer Contract-1.~+/_=="),
        own, basic, host,
        Requirement(
            "header.expect", "a request without content expects no 100 (RFC 9110 §10.1.1)", expected: "no Expect"
        ) { evidence in
            Judging.request(evidence) { entry in
                let value = value("Expect", entry)
                return value.isEmpty ? .pass : .fail("Expect: \(value)")
            }
        },
    ]

    private static func field(
        _ id: String, _ title: String, _ name: String, _ text: String, method: String = "GET"
    ) -> Requirement {
        Requirement(
            id, title, expected: text,
            {
                $0.method = method
                $0.headers = [(name, text)]
                if method != "GET" { $0.body = Array("{}".utf8) }
            }
        ) { evidence in
            Judging.request(evidence) { Judging.equal(value(name, $0), text) }
        }
    }

    private static let own = {
        let fields = [
            ("Accept", "application/vnd.api+json"), ("User-Agent", "contract/1.0"), ("Accept-Language", "de"),
        ]
        return Requirement(
            "header.set", "a field that the caller sets takes the place of the client's own",
            expected: fields.map { "\($0): \($1)" }.joined(separator: ", "), { $0.headers = fields }
        ) { evidence in
            Judging.request(evidence) { entry in
                let other = fields.first { entry.values($0.0) != [$0.1] }
                return other.map { .fail("\($0.0): \(value($0.0, entry))") } ?? .pass
            }
        }
    }()

    /// A password may have a colon, and a percent sign in it does not begin an escape (RFC 7617 §2). The whole has a plus sign, a slash and an
    /// equals sign, and is longer than the lines into which some encoders part it.
    private static let basic = ofOtherProcesses(
        Requirement(
            "header.basic", "a user and a password are sent as Basic has them (RFC 7617 §2)",
            expected: "Basic \(encoded)",
            { $0.parts.credentials = ("user", "pa:ss%41 word, ~~~???>>> and longer than a line of Base64 holds") }
        ) { evidence in
            let judgement = Judging.request(evidence) {
                Judging.equal(value("Authorization", $0), "Basic \(encoded)")
            }
            return Judging.used("user", evidence, judgement)
        })

    private static let encoded =
        "dXNlcjpwYTpzcyU0MSB3b3JkLCB+fn4/Pz8+Pj4gYW5kIGxvbmdlciB0aGFuIGEgbGluZSBvZiBCYXNlNjQgaG9sZHM="

    private static let inPieces = ["foo", "", "b\u{E4}r, and more than sixteen"]

    /// A piece without bytes is not sent: as a chunk it would end the content, and the rest would be the next request. The length of the last
    /// shows a client that counts characters, or in tens.
    private static let pieces = ofOtherProcesses(
        Requirement(
            "body.pieces", "content that comes in pieces arrives whole (RFC 9112 §7.1)",
            expected: "\(inPieces.joined().utf8.count) bytes",
            { step in
                step.method = "POST"
                step.headers = [("Content-Type", "text/plain")]
                step.body = Array(inPieces.joined().utf8)
                step.parts.pieces = inPieces.map { Array($0.utf8) }
            }
        ) { evidence in
            Judging.used(
                "pieces", evidence, Judging.request(evidence) { Judging.bytes($0.body, Array(inPieces.joined().utf8)) })
        })

    /// One that is put to drivers, which alone may put parts together.
    private static func ofOtherProcesses(_ requirement: Requirement) -> Requirement {
        var requirement = requirement
        requirement.isOfOtherProcesses = true
        return requirement
    }

    /// A client that forgets the port does not reach a service behind a proxy, or gets redirections to another.
    private static let host = Requirement(
        "header.host", "Host has the port of the URL (RFC 9110 §7.2)", expected: "the host and the port of the URL"
    ) { evidence in
        Judging.request(evidence) { entry in
            let authority = entry.request.authority ?? ""
            return evidence.reaches(entry) ? .pass : .fail(authority.isEmpty ? "nothing" : authority)
        }
    }

    /// The values of a header, joined if there are several.
    private static func value(_ name: String, _ entry: JournalEntry) -> String {
        entry.values(name).joined(separator: ", ")
    }

    static let requestBodies = [
        body("body.bytes", "every byte of a body arrives", (0..<1_024).map { UInt8(truncatingIfNeeded: $0) }),
        // As no encoder writes it: an escape that need not be, two ways of numbers, blanks, and a name that is there twice.
        body(
            "body.json", "JSON arrives as it was written",
            Array(#"{"name": "Zoë",  "url":"a\u002fb","n":1.0,"m":1e2 , "n":1,"list":[1,2]}"#.utf8)),
        body("body.blanks", "blanks and line ends around a body are part of it", Array(" \t\r\ncontent\r\n ".utf8)),
        body("body.put", "the content of PUT arrives", Array("content".utf8), method: "PUT"),
        body("body.patch", "the content of PATCH arrives", Array("content".utf8), method: "PATCH"),
        body("body.delete", "the content of DELETE arrives", Array("content".utf8), method: "DELETE"),
        pieces,
        body(
            "body.large", "a large body arrives whole",
            (0..<256 * 1_024).map { UInt8(truncatingIfNeeded: $0 &* 131 &+ $0 >> 8) }),
        once("body.once", "POST", .emptyResponse), expectation, once("body.once.patch", "PATCH", .connectionReset),
    ]

    /// A client need not expect anything; a client that does must accept a refusal.
    private static let expectation = Requirement(
        "body.expect", "a client that expects 100 sends again without it if that is refused (RFC 9110 §10.1.1)",
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
        guard last.body == Array("content".utf8) else { return .fail(Counts.count(last.bodySize, "byte")) }
        return Judging.response(evidence, 200, Judging.ok)
    }

    /// On a connection that was used before, so that clients are tempted to think that the server closed it for being idle.
    private static func once(_ id: String, _ method: String, _ fault: StubFault) -> Requirement {
        var requirement = Requirement(
            id, "a \(method) whose response is lost on a connection in use is not sent again (RFC 9110 §9.2.2)",
            expected: "one request and an error",
            {
                $0.method = method
                $0.body = Array("order".utf8)
                $0.warmUp = $0.path + ".before"
            },
            stubs: { step in
                [
                    RequestMatch.any(step.path).respond(fault: fault),
                    RequestMatch.get(step.path + ".before").respond(body: "ok"),
                ]
            }
        ) { evidence in
            guard evidence.entries.count <= 1 else { return .fail(Judging.count(evidence.entries)) }
            let judgement = Judging.failure(evidence, [.connection, .protocol])
            if case .fail = judgement { return judgement }
            return evidence.isOfConnectionInUse
                ? judgement : .notApplicable("the \(method) came on a connection of its own, so none is sent again")
        }
        requirement.failures = [.connection, .protocol]
        return requirement
    }

    private static func body(
        _ id: String, _ title: String, _ bytes: [UInt8], method: String = "POST"
    ) -> Requirement {
        Requirement(
            id, title, expected: "\(bytes.count) bytes as they were sent",
            {
                $0.method = method
                $0.headers = [("Content-Type", "application/octet-stream")]
                $0.body = bytes
            }
        ) { evidence in
            Judging.request(evidence) { Judging.bytes($0.body, bytes) }
        }
    }
}
