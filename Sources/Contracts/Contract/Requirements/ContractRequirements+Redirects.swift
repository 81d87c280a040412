// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import HTTPTypes
import MockServer
import MockapiHTTPSyntax

extension ContractRequirements {
    static let redirects = [
        redirect("redirect.301", "301 is followed", 301, "GET", arrives: "GET"),
        redirect("redirect.302", "302 is followed", 302, "GET", arrives: "GET"),
        redirect("redirect.303", "303 of a POST is followed by GET", 303, "POST", arrives: "GET"),
        redirect("redirect.307", "307 of a POST is followed by POST with its body", 307, "POST", arrives: "POST"),
        redirect("redirect.308", "308 of a POST is followed by POST with its body", 308, "POST", arrives: "POST"),
        redirect("redirect.303.put", "303 of a PUT is followed by GET (RFC 9110 §15.4.4)", 303, "PUT", arrives: "GET"),
        redirect(
            "redirect.307.put", "307 of a PUT is followed by PUT with its body (RFC 9110 §15.4.8)", 307, "PUT",
            arrives: "PUT"),
        redirect(
            "redirect.308.put", "308 of a PUT is followed by PUT with its body (RFC 9110 §15.4.9)", 308, "PUT",
            arrives: "PUT"),
        redirect(
            "redirect.307.patch", "307 of a PATCH is followed by PATCH with its body (RFC 9110 §15.4.8)", 307, "PATCH",
            arrives: "PATCH"),
        location(
            "redirect.absolute", "Location may be a whole URL (RFC 9110 §10.2.2)", from: "",
            "https://contract.invalid$/There",
            to: "/There"),
        location(
            "redirect.beside", "Location may be a name beside the path (RFC 3986 §5.2)", from: "/a/b", "there",
            to: "/a/there"),
        location(
            "redirect.above", "Location may lead upwards (RFC 3986 §5.2.4)", from: "/a/b", "../there?n=1/../2",
            to: "/there?n=1/../2"),
        location(
            "redirect.query", "Location may be a query alone (RFC 3986 §5.2.2)", from: "/a", "?n=2", to: "/a?n=2"),
        location(
            "redirect.path", "the query of the first URL does not go to the next (RFC 3986 §5.2.2)", from: "/a?n=1",
            "$/there", to: "/there"),
        location(
            "redirect.fragment", "a fragment of Location is not sent (RFC 9110 §7.1)", from: "", "$/there#part",
            to: "/there"),
        encoded(
            "redirect.utf8", "Location in UTF-8 is encoded once (RFC 3987 §3.1)", "/caf\u{E9}",
            expects: "/caf%C3%A9"),
        encoded(
            "redirect.blank", "a blank in Location does not break the request (RFC 9112 §3.2)", "/there?q=a b",
            expects: "/there?q=a%20b", mayRefuse: true),
        elsewhere("redirect.scheme", "Location may leave its scheme out (RFC 3986 §4.2)") { place in
            String(place.dropFirst(place.prefix { $0 != "/" }.count))
        },
        elsewhere("redirect.letters", "the scheme of Location is of any letters (RFC 3986 §3.1)") { place in
            let scheme = place.prefix { $0 != ":" }
            return scheme.uppercased() + place.dropFirst(scheme.count)
        },
        several, fields, head, unfetched("redirect.file", "file:///etc/hostname"),
        unfetched("redirect.data", "data:,contract"),
        circle,
    ]

    /// A place that is written as no URL is, and how it is to be sent.
    private static func encoded(
        _ id: String, _ title: String, _ location: String, expects end: String, mayRefuse: Bool = false
    ) -> Requirement {
        Requirement(
            id, title, expected: "GET of …\(end)",
            stubs: { step in
                [
                    RequestMatch.any(step.path).respond(302, headers: ["Location": step.path + location]),
                    MockStub(
                        json: #"{"request": {"urlPathPattern": "\#(step.path)/.+"}, "response": {"body": "there"}}"#),
                ]
            }
        ) { evidence in
            guard let outcome = evidence.outcomes.first, let first = evidence.entries.first else {
                return evidence.entries.isEmpty ? Judging.none(evidence) : .fail("the client reported nothing")
            }
            let isTold = outcome.failure != nil && outcome.failure != .timeout || outcome.status == 302
            let isBroken = evidence.run.contains { $0.outcome == .refused && $0.receivedAt >= first.receivedAt }
            if mayRefuse, evidence.entries.count == 1, isTold, !isBroken {
                return .notApplicable("the client does not follow it: \(outcome.summary)")
            }
            return followed(evidence) { second in
                let rest = String(second.origin.dropFirst(evidence.step.path.count))
                let isMeant = rest.lowercased() == end.lowercased() || rest.replacing(bytesOf: "+", with: "%20") == end
                return isMeant ? .pass : Judging.equal(rest, end)
            }
        }
    }

    /// A whole URL of another origin, written in another way.
    private static func elsewhere(
        _ id: String, _ title: String, _ write: @escaping @Sendable (String) -> String
    ) -> Requirement {
        var requirement = Requirement(
            id, title, expected: "GET of …/there",
            stubs: { [RequestMatch.any($0.path + "/there").respond(body: "there")] }
        ) { evidence in
            followed(evidence) { Judging.equal($0.origin, evidence.step.path + "/there") }
        }
        let path = requirement.step.path
        requirement.redirecting = { origins in
            [RequestMatch.any(path).respond(302, headers: ["Location": write(origins.host + path + "/there")])]
        }
        return requirement
    }

    /// Three: no document has a number, and urllib3 follows no more by default.
    private static let several = Requirement(
        "redirect.several", "redirections are followed one after the other (RFC 9110 §15.4)",
        expected: "GET of …/1, …/2 and …/there",
        stubs: { step in
            [
                RequestMatch.any(step.path).respond(301, headers: ["Location": "\(step.path)/1"]),
                RequestMatch.any(step.path + "/1").respond(308, headers: ["Location": "\(step.path)/2"]),
                RequestMatch.any(step.path + "/2").respond(303, headers: ["Location": "there"]),
                RequestMatch.any(step.path + "/there").respond(body: "there"),
            ]
        }
    ) { evidence in
        guard !evidence.entries.isEmpty else { return Judging.none(evidence) }
        let ends = evidence.entries.map { String($0.origin.dropFirst(evidence.step.path.count)) }
        guard ends == ["", "/1", "/2", "/there"] else { return .fail(Judging.targets(evidence.entries)) }
        return Judging.response(evidence, 200, Array("there".utf8))
    }

    /// The caller's fields are meant for the response, wherever that is (cfug/dio#1693, Alamofire/Alamofire#798).
    private static let fields = Requirement(
        "redirect.fields", "fields of a GET go along with a redirection (RFC 9110 §15.4)", expected: "X-Contract: Kept",
        { $0.headers = [("X-Contract", "Kept")] },
        stubs: { step in
            [
                RequestMatch.any(step.path).respond(302, headers: ["Location": "\(step.path)/there"]),
                RequestMatch.any(step.path + "/there").respond(body: "there"),
            ]
        }
    ) { evidence in
        followed(evidence) { second in
            second.values("X-Contract") == ["Kept"] ? .pass : .fail("a request without X-Contract")
        }
    }

    private static let head = Requirement(
        "redirect.head", "HEAD stays HEAD (RFC 9110 §15.4)", expected: "HEAD of …/there",
        { step in
            step.method = "HEAD"
            step.timeout = 5
        },
        stubs: { step in
            [
                RequestMatch.any(step.path).respond(302, headers: ["Location": "\(step.path)/there"]),
                RequestMatch.any(step.path + "/there").respond(body: "there"),
            ]
        }
    ) { evidence in
        guard evidence.entries.count == 2 else {
            return evidence.entries.isEmpty ? Judging.none(evidence) : .fail(Judging.targets(evidence.entries))
        }
        let method = Judging.equal(evidence.entries[1].method, "HEAD")
        return method == .pass ? Judging.response(evidence, 200, []) : method
    }

    /// A place that no service has to lead a client to (CVE-2023-28155).
    private static func unfetched(_ id: String, _ location: String) -> Requirement {
        let scheme = location.prefix { $0 != ":" }
        var requirement = Requirement(
            id, "a redirection does not lead to \(scheme): (RFC 9110 §15.4)", expected: "an error, or the 302",
            stubs: { [RequestMatch.any($0.path).respond(302, headers: ["Location": location])] }
        ) { evidence in
            guard !evidence.entries.isEmpty else { return Judging.none(evidence) }
            return Judging.outcome(evidence) { outcome in
                if outcome.failure == .timeout { return .fail(outcome.summary) }
                return outcome.failure != nil || outcome.status == 302 ? .pass : .fail("a response: \(outcome.summary)")
            }
        }
        requirement.failures = Set(StepOutcome.Failure.allCases).subtracting([.timeout, .hang, .other])
        return requirement
    }

    private static var circle: Requirement {
        var requirement = Requirement(
            "redirect.circle", "a circle of redirections ends with an error", expected: "an error: redirects",
            stubs: { [RequestMatch.any($0.path).respond(302, headers: ["Location": $0.path])] }
        ) { Judging.failure($0, [.redirects]) }
        requirement.failures = [.redirects]
        return requirement
    }

    /// The content of a redirection, which browsers show if they do not follow. Some 5 kB.
    private static let moved = MockResponse.Content.text(String(repeating: "<p>moved</p> here\r\n\t ", count: 239))

    private static func redirect(
        _ id: String, _ title: String, _ status: Int, _ method: String, arrives: String
    ) -> Requirement {
        Requirement(
            id, title, expected: "\(arrives) of the new place",
            { step in
                step.method = method
                step.headers = [carried]
                if method != "GET" {
                    step.headers.append(("Content-Type", "text/plain"))
                    step.body = Array("content".utf8)
                }
            },
            stubs: { step in
                [
                    RequestMatch.any(step.path).respond(
                        status, headers: ["Location": "\(step.path)/there"], body: moved),
                    RequestMatch.any("\(step.path)/there").respond(body: "there"),
                ]
            }
        ) { evidence in
            followed(evidence) { second in
                let body = arrives == "GET" ? "" : "content"
                guard second.method == arrives, second.body == Array(body.utf8) else {
                    return .fail("\(second.method) with \(Counts.count(second.bodySize, "byte"))")
                }
                let type = second.values("Content-Type")
                if arrives != "GET" {
                    guard type == ["text/plain"] else { return .fail("Content-Type: \(type.joined(separator: ", "))") }
                }
                guard second.values(carried.name) == [carried.value] else {
                    return .fail("a request without \(carried.name)")
                }
                return method == arrives || type.isEmpty
                    ? .pass : .advice("Content-Type of content that is not sent: \(type.joined(separator: ", "))")
            }
        }
    }

    /// A field of the caller's, which goes along. What becomes of credentials is asked by `redirect.authorization` and its like.
    private static let carried = (name: "X-Contract", value: "Kept")

    /// - Parameters:
    ///   - start: where the step's request goes, below its path.
    ///   - location: the value of Location; `$` stands for the path.
    ///   - end: where the second request is to go, below the path.
    private static func location(
        _ id: String, _ title: String, from start: String, _ location: String, to end: String
    ) -> Requirement {
        Requirement(
            id, title, expected: "GET of …\(end)", { $0.suffix = start },
            stubs: { step in
                let value = location.replacing(bytesOf: "$", with: step.path)
                // The origin becomes that of this server, as the client calls it.
                let first =
                    #"{"request": {"urlPath": "\#(step.path + start.prefix { $0 != "?" })"}, "response": {"status": 302, "#
                    + #""headers": ["Location: \#(value)"], "rewriteOrigins": ["https://contract.invalid"]}}"#
                return [MockStub(json: first), RequestMatch.any(step.path + end).respond(body: "there", priority: 1)]
            }
        ) { evidence in
            if location.contains("://"), let first = evidence.entries.first, !evidence.outcomes.isEmpty,
                !evidence.reaches(first)
            {
                // The URL is that of the server as the client calls it, and leads nowhere then.
                return .notApplicable("the request's Host has not the port of its URL")
            }
            return followed(evidence) { Judging.equal($0.origin, evidence.step.path + end) }
        }
    }

    /// The second of two requests, and that its response is the client's.
    private static func followed(_ evidence: StepEvidence, _ judge: (JournalEntry) -> Judgement) -> Judgement {
        guard evidence.entries.count == 2 else {
            let said = evidence.outcomes.first.map { "; the client says \($0.summary)" } ?? ""
            return .fail("\(Judging.count(evidence.entries)): \(Judging.targets(evidence.entries))\(said)")
        }
        let judgement = judge(evidence.entries[1])
        switch judgement {
        case .fail, .notApplicable: return judgement
        case .pass, .advice:
            let response = Judging.response(evidence, 200, Array("there".utf8))
            return response == .pass ? judgement : response
        }
    }

    /// Requests that got a response and must not be sent again: nobody knows the effect of a second one (RFC 9110 §9.2.2).
    static let repetitions = [
        unrepeated("retry.500", "a POST is not sent again after 500", 500),
        unrepeated("retry.502", "a POST is not sent again after 502", 502),
        unrepeated("retry.503", "a POST is not sent again after 503", 503),
        unrepeated("retry.504", "a POST is not sent again after 504", 504),
        unrepeated("retry.patch", "a PATCH is not sent again after 503", 503, method: "PATCH"), unanswered, cut,
    ]

    private static func post(_ step: inout Step) {
        step.method = "POST"
        step.headers = [("Content-Type", "text/plain")]
        step.body = Array("order".utf8)
    }

    private static func unrepeated(
        _ id: String, _ title: String, _ status: Int, method: String = "POST"
    ) -> Requirement {
        Requirement(
            id, title, expected: "one request, and \(status)",
            { step in
                post(&step)
                step.method = method
            },
            stubs: { [RequestMatch.any($0.path).respond(status, body: "why")] }
        ) { evidence in
            guard evidence.entries.count <= 1 else { return .fail(Judging.count(evidence.entries)) }
            return evidence.entries.isEmpty
                ? Judging.none(evidence) : Judging.response(evidence, status, Array("why".utf8))
        }
    }

    /// The service has carried it out, whatever became of its response.
    private static var cut: Requirement {
        var requirement = Requirement(
            "retry.cut", "a POST whose response is cut off is not sent again",
            expected: "one request", post,
            stubs: { step in
                let body = MockResponse.Content.text(String(repeating: "f", count: 1_000))
                return [RequestMatch.any(step.path).respond(body: body, fault: .truncatedBody(afterBytes: 100))]
            }
        ) { evidence in
            guard evidence.entries.count <= 1 else { return .fail(Judging.count(evidence.entries)) }
            guard !evidence.entries.isEmpty else { return Judging.none(evidence) }
            // Half of a body that is taken for the whole is what fault.truncated is about.
            return Judging.silence(evidence) ?? .pass
        }
        requirement.failures = [.connection, .protocol]
        return requirement
    }

    private static var unanswered: Requirement {
        var requirement = Requirement(
            "retry.timeout", "a POST whose response does not come in time is not sent again",
            expected: "one request, and a time-out",
            { step in
                post(&step)
                step.timeout = judgedTimeout
            },
            stubs: { [RequestMatch.any($0.path).respond(fault: .stall())] }
        ) { evidence in
            guard evidence.entries.count <= 1 else { return .fail(Judging.count(evidence.entries)) }
            return Judging.inTime(evidence, within: patience(judgedTimeout), Judging.failure(evidence, [.timeout]))
        }
        requirement.failures = [.timeout]
        return requirement
    }
}
