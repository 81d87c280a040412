// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import HTTPTypes
import MockServer
import MockapiHTTPSyntax

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Credentials that a client takes of itself: from a URL, and from the file that `NETRC` names.
extension ContractRequirements {
    private static let user = "contract:secret"
    private static let basic = "Basic Y29udHJhY3Q6c2VjcmV0"
    /// With a colon and a percent sign in the password.
    private static let escaped = "Basic Y29udHJhY3Q6c2VjcmV0OiU="

    /// Whether a value has the credentials; the scheme is case-insensitive (RFC 9110 §11.1).
    private static func isBasic(_ value: String, _ basic: String = basic) -> Bool {
        value.prefix(6).lowercased() == "basic " && value.dropFirst(6) == basic.dropFirst(6)
    }

    /// A client that takes no URL of this kind says so.
    static func refusal(_ evidence: StepEvidence) -> Judgement {
        guard let outcome = evidence.outcomes.first, outcome.failure != nil else { return Judging.none(evidence) }
        return .notApplicable("the client takes no credentials in a URL: \(outcome.summary)")
    }

    /// A secret of a URL that stands where others read it; nil if none does.
    static func referer(_ evidence: StepEvidence) -> Judgement? {
        let values = evidence.entries.flatMap { $0.values("Referer") }
        return values.first { $0.contains("secret@") }.map { .fail("Referer: \($0)") }
    }

    private static func shown(_ entry: JournalEntry) -> Judgement? {
        let places = [entry.target, entry.request.authority ?? ""] + entry.values("Host")
        return places.first { $0.contains("secret") }.map { .fail("\(entry.method) of \($0)") }
    }

    static let userinfo = [inURL, inLocation]

    private static var inURL: Requirement {
        var requirement = Requirement(
            "header.userinfo", "a user and a password of the URL are sent as Basic, and nowhere else (RFC 9110 §4.2.4)",
            expected: escaped, { $0.userinfo = user + "%3A%25" }
        ) { evidence in
            guard let entry = evidence.entries.first else { return refusal(evidence) }
            if let silence = Judging.silence(evidence) { return silence }
            if let told = shown(entry) ?? referer(evidence) { return told }
            let values = entry.values("Authorization")
            if values.isEmpty { return .notApplicable("the client makes nothing of credentials in a URL") }
            guard values.count == 1, isBasic(values[0], escaped) else {
                return .fail("Authorization: \(values.joined(separator: "; "))")
            }
            return Judging.response(evidence, 200, Judging.ok)
        }
        requirement.isOfOtherProcesses = true
        return requirement
    }

    private static var inLocation: Requirement {
        var requirement = Requirement(
            "redirect.userinfo", "a user and a password of Location are for its origin alone (RFC 9110 §4.2.4)",
            expected: "\(basic) at …/hop or none, and none at …/there",
            stubs: { [RequestMatch.any($0.path + "/there").respond(body: "there")] }
        ) { evidence in
            guard let first = evidence.entries.first else { return Judging.none(evidence) }
            if let silence = Judging.silence(evidence) { return silence }
            for entry in evidence.entries {
                if let told = shown(entry) { return told }
            }
            if let told = referer(evidence) { return told }
            let values = first.values("Authorization")
            if !values.isEmpty {
                return .fail("Authorization: \(values.joined(separator: "; ")) in front of the redirection")
            }
            guard let hop = evidence.entries.first(where: { $0.origin.hasSuffix("/hop") }),
                let there = evidence.entries.first(where: { $0.origin.hasSuffix("/there") })
            else { return .notApplicable("the redirection is not followed") }
            if let value = there.values("Authorization").first { return .fail("Authorization: \(value) at …/there") }
            guard let value = hop.values("Authorization").first else {
                return .notApplicable("the client makes nothing of credentials in Location")
            }
            guard isBasic(value) else { return .fail("Authorization: \(value) at …/hop") }
            return Judging.response(evidence, 200, Array("there".utf8))
        }
        requirement.isOfOtherProcesses = true
        let path = requirement.step.path
        requirement.redirecting = { origins in
            let place = origins.host.replacing(bytesOf: "://", with: "://\(user)@") + path + "/hop"
            return [RequestMatch.any(path).respond(302, headers: ["Location": place])]
        }
        requirement.redirectingElsewhere = { origins in
            [RequestMatch.any(path + "/hop").respond(302, headers: ["Location": origins.port + path + "/there"])]
        }
        return requirement
    }

    // MARK: NETRC

    static let netrc = [
        ofNetrc(
            takenFrom, "what NETRC has for a host goes to that host", expected: "Basic of \(CredentialsFile.user)"
        ) { evidence in
            sent(evidence) { .pass }
        },
        ofNetrc(
            "netrc.caller", "Authorization that the caller sets takes precedence over that of NETRC",
            expected: "Bearer Contract.1",
            { $0.headers = [("Authorization", "Bearer Contract.1")] }
        ) { evidence in
            guard let entry = evidence.entries.first else { return Judging.none(evidence) }
            if let silence = Judging.silence(evidence) { return silence }
            guard takesNetrc(evidence) else { return .notApplicable("the client takes nothing from NETRC") }
            if entry.values("Authorization") == ["Bearer Contract.1"] {
                return Judging.response(evidence, 200, Judging.ok)
            }
            // No document says which goes before.
            guard password(entry) else { return .fail(entry.values("Authorization").first ?? "no Authorization") }
            return .advice("NETRC goes before what the caller sets")
        }.resting(on: takenFrom),
        leavingHost,
        leavingPort, lookedUp,
    ]

    /// The requirement whose request shows that a client takes what NETRC has.
    private static let takenFrom = "netrc.host"

    /// Whether a request has the password of the file, for whatever user.
    private static func password(_ entry: JournalEntry) -> Bool {
        entry.values("Authorization").contains { value in
            guard value.lowercased().hasPrefix("basic "), let data = Data(base64Encoded: String(value.dropFirst(6)))
            else { return false }
            return String(decoding: data, as: UTF8.self).contains(CredentialsFile.password)
        }
    }

    /// Whether a client takes credentials from the file, by the step that shows it.
    private static func takesNetrc(_ evidence: StepEvidence) -> Bool {
        evidence.run.contains { Step(takenFrom).owns($0) && password($0) }
    }

    /// A judgement on a client that takes credentials from the file.
    private static func sent(_ evidence: StepEvidence, _ judge: () -> Judgement) -> Judgement {
        guard let first = evidence.entries.first else { return Judging.none(evidence) }
        if let silence = Judging.silence(evidence) { return silence }
        guard password(first) else { return .notApplicable("the client takes nothing from NETRC") }
        let judgement = judge()
        guard judgement == .pass else { return judgement }
        let last = evidence.entries.count == 1 ? Judging.ok : Array("there".utf8)
        return Judging.response(evidence, 200, last)
    }

    private static func ofNetrc(
        _ id: String, _ title: String, expected: String, _ change: (inout Step) -> Void = { _ in },
        judge: @escaping @Sendable (StepEvidence) -> Judgement
    ) -> Requirement {
        var requirement = Requirement(
            id, title, expected: expected, change,
            stubs: { step in
                [
                    RequestMatch.any(step.path).respond(body: "ok"),
                    RequestMatch.any(step.path + "/there").respond(body: "there"),
                ]
            }, judge: judge)
        requirement.isOfNetrc = true
        requirement.isOfOtherProcesses = true
        return requirement
    }

    private static func there(_ evidence: StepEvidence, _ judge: (JournalEntry) -> Judgement) -> Judgement {
        sent(evidence) {
            guard let there = evidence.entries.first(where: { $0.origin.hasSuffix("/there") }) else {
                return .notApplicable("the redirection is not followed")
            }
            return judge(there)
        }
    }

    private static let leavingHost = leaving(
        "netrc.redirect", "what NETRC has for a host does not go to another (CVE-2024-11053)",
        expected: "the password at its host alone", to: { $0.host }
    ) { .fail("the password at \($0.request.authority ?? "another host")") }

    /// NETRC has hosts alone, so that another port may be meant, too.
    private static let leavingPort = leaving(
        "netrc.redirect.port", "whether what NETRC has for a host goes to another port of it",
        expected: "no password there", to: { $0.port }
    ) { _ in .advice("the password goes to another port, which NETRC cannot name") }

    /// A redirection to another origin, with the message for a password that goes there.
    private static func leaving(
        _ id: String, _ title: String, expected: String, to place: @escaping @Sendable (OtherOrigins) -> String,
        _ told: @escaping @Sendable (JournalEntry) -> Judgement
    ) -> Requirement {
        var requirement = ofNetrc(id, title, expected: expected) { evidence in
            there(evidence) { password($0) ? told($0) : .pass }
        }
        let path = requirement.step.path
        requirement.redirecting = { origins in
            [RequestMatch.any(path).respond(302, headers: ["Location": place(origins) + path + "/there"], priority: 1)]
        }
        return requirement
    }

    /// The text in front of `@` is a user, even if it looks like a host (CVE-2024-47081).
    private static var lookedUp: Requirement {
        var requirement = ofNetrc(
            "netrc.userinfo",
            "a host is what stands behind @, and what NETRC has for a user's name is not sent (CVE-2024-47081)",
            expected: "no password", { $0.userinfo = "127.0.0.1:" }
        ) { evidence in
            guard let entry = evidence.entries.first else { return refusal(evidence) }
            if let silence = Judging.silence(evidence) { return silence }
            guard !password(entry) else { return .fail("the password of 127.0.0.1") }
            guard takesNetrc(evidence) else { return .notApplicable("the client takes nothing from NETRC") }
            return Judging.response(evidence, 200, Judging.ok)
        }
        requirement.restsOn = takenFrom
        requirement.place = .elsewhere
        return requirement
    }
}
