// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import HTTPTypes
import MockServer

extension ContractRequirements {
    static let redirects = [
        redirect("redirect.301", "301 is followed", 301, "GET", arrives: "GET"),
        redirect("redirect.302", "302 is followed", 302, "GET", arrives: "GET"),
        redirect("redirect.303", "303 of a POST is followed by GET", 303, "POST", arrives: "GET"),
        redirect("redirect.307", "307 of a POST is followed by POST with its body", 307, "POST", arrives: "POST"),
        redirect("redirect.308", "308 of a POST is followed by POST with its body", 308, "POST", arrives: "POST"),
        location(
            "redirect.absolute", "Location may be a whole URL (RFC 9110 §10.2.2)", from: "",
            "https://contract.invalid$/there",
            to: "/there"),
        location(
            "redirect.beside", "Location may be a name beside the path (RFC 3986 §5.2)", from: "/a/b", "there",
            to: "/a/there"),
        location(
            "redirect.above", "Location may lead upwards (RFC 3986 §5.2.4)", from: "/a/b", "../there?n=1",
            to: "/there?n=1"),
        location(
            "redirect.query", "Location may be a query alone (RFC 3986 §5.2.2)", from: "/a", "?n=2", to: "/a?n=2"),
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
            followed(evidence) { second in
                let body = arrives == "POST" ? "content" : ""
                guard second.method == arrives, second.body == Array(body.utf8) else {
                    return .fail("\(second.method) with \(second.bodySize) bytes")
                }
                return .pass
            }
        }
    }

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
                let value = location.replacing("$", with: step.path)
                // The origin becomes that of this server, as the client calls it.
                let first =
                    #"{"request": {"urlPath": "\#(step.path + start)"}, "response": {"status": 302, "#
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
        return judgement == .pass ? Judging.response(evidence, 200, Array("there".utf8)) : judgement
    }

    /// The requirements on fields that are meant for one origin, or for a part of it.
    static let origins = [
        leaving(
            "redirect.credentials", "Authorization does not go to another origin (RFC 9110 §15.4)",
            field: "Authorization", ("Authorization", "Bearer contract")),
        leaving(
            "redirect.cookie", "a Cookie line does not go to another origin (RFC 9110 §15.4)", field: "Cookie",
            ("Cookie", "contract=1")),
        leaving(
            "cookie.origin", "a cookie does not go to another host than set it (RFC 6265 §5.3)", field: "Cookie", nil),
        Requirement(
            "cookie.path", "a cookie of one path does not go to another (RFC 6265 §5.1.4)", expected: "no Cookie",
            stubs: { step in
                let headers: KeyValuePairs = [
                    "Set-Cookie": "contract=path; Path=\(step.path)/inner", "Location": "\(step.path)/there",
                ]
                return [
                    RequestMatch.any(step.path).respond(302, headers: headers),
                    RequestMatch.any(step.path + "/there").respond(body: "there"),
                ]
            }
        ) { evidence in
            guard !evidence.entries.isEmpty else { return Judging.none(evidence) }
            if let silence = Judging.silence(evidence) { return silence }
            // Any later request of the run would show it, too.
            if let stray = evidence.run.first(where: { $0.values("Cookie").contains { $0.contains("contract=path") } })
            {
                return .fail("\(stray.values("Cookie").joined(separator: "; ")) at \(stray.origin)")
            }
            return evidence.entries.count > 1 ? .pass : .notApplicable("the redirection is not followed")
        },
    ]

    /// A redirection to another origin, and what must not go along.
    ///
    /// - Parameter own: a line of the request; nil where the response sets a cookie instead.
    private static func leaving(
        _ id: String, _ title: String, field: String, _ own: (name: String, value: String)?
    ) -> Requirement {
        var requirement = Requirement(
            id, title, expected: "no \(field) there", { $0.headers = own.map { [$0] } ?? [] },
            stubs: { [RequestMatch.any($0.path + "/there").respond(body: "there")] }
        ) { evidence in
            guard let first = evidence.entries.first else { return Judging.none(evidence) }
            if let silence = Judging.silence(evidence) { return silence }
            if let own, first.values(own.name).isEmpty { return .notApplicable("the client sends no \(own.name)") }
            guard let there = evidence.entries.first(where: { $0.origin.hasSuffix("/there") }) else {
                return .notApplicable("the redirection to another origin is not followed")
            }
            let values = there.values(field).filter { $0.contains("contract") }
            guard values.isEmpty else {
                return .fail("\(field): \(values.joined(separator: "; ")) at \(there.request.authority ?? "")")
            }
            return Judging.response(evidence, 200, Array("there".utf8))
        }
        let path = requirement.step.path
        requirement.redirecting = { elsewhere in
            let cookie = own == nil ? ["Set-Cookie: contract=origin; Path=/"] : []
            let lines = (cookie + ["Location: \(elsewhere)\(path)/there"]).map { #""\#($0)""# }
            return [
                MockStub(
                    json: #"{"request": {"urlPath": "\#(path)"}, "#
                        + #""response": {"status": 302, "headers": [\#(lines.joined(separator: ", "))]}}"#)
            ]
        }
        return requirement
    }
}
