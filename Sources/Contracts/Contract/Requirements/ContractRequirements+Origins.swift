// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import HTTPTypes
import MockServer

extension ContractRequirements {
    /// A line that is meant for one origin.
    private struct Secret {
        /// The part of the id that names it.
        let id: String
        let name: String
        let value: String
        /// Whether a client has no reason to keep the line back at once.
        let hasToArrive: Bool
        let routes: [Route]
        /// The status of the redirection by a way; 302 if it is not here. Clients have a place for each.
        var statuses: [Route: Int] = [:]
        /// The credentials if the client makes the line itself, and its driver lets it: a line that it has made it may make again elsewhere.
        var credentials: (user: String, password: String)?
        /// The user information that stands for it in front of the URL's host.
        var userinfo: String?

        /// Its name in titles.
        var words: String {
            if credentials != nil { return "\(name) of a user and a password" }
            if userinfo != nil { return "\(name) of a user and a password in the URL" }
            return name.first?.isLowercase == true ? "\(name), written small," : name
        }
        /// The part of a value that no other line of the client has.
        var mark: String { credentials == nil && userinfo == nil ? "contract" : value }
    }

    /// The way a redirection leaves an origin (RFC 9110 §4.3.1: scheme, host and port).
    private enum Route: CaseIterable {
        case host
        case port
        /// From https to http at one host.
        case plain
        /// To another host, and there to another path: fields that were left behind do not come back (CVE-2024-45336).
        case hops
        /// To another host, with its method and content: clients that take fields away beside the content take none away then.
        case kept

        /// All but the last.
        static let withoutContent = allCases.filter { $0 != .kept }

        /// The end of the id.
        var id: String {
            switch self {
            case .host: ""
            case .port: ".port"
            case .plain: ".plain"
            case .hops: ".hops"
            case .kept: ".307"
            }
        }

        var words: String {
            switch self {
            case .host: "to another origin"
            case .port: "to another port"
            case .plain: "from https to http"
            case .hops: "beyond another origin"
            case .kept: "to another origin by 307"
            }
        }
    }

    /// Every line that is a secret, by every way that leaves its origin; a port is not a border for cookies (RFC 6265 §8.5).
    private static let secrets = [
        Secret(
            id: "redirect.credentials", name: "Authorization", value: "Bearer contract", hasToArrive: true,
            routes: Route.allCases, statuses: [.port: 301]),
        Secret(
            id: "redirect.credentials.letters", name: "authorization", value: "Bearer contract", hasToArrive: true,
            routes: Route.withoutContent, statuses: [.host: 303, .port: 308]),
        Secret(
            id: "redirect.credentials.user", name: "Authorization", value: "Basic Y29udHJhY3Q6c2VjcmV0",
            hasToArrive: true, routes: Route.withoutContent, credentials: ("contract", "secret")),
        Secret(
            id: "redirect.credentials.url", name: "Authorization", value: "Basic Y29udHJhY3Q6c2VjcmV0",
            hasToArrive: false, routes: Route.withoutContent, userinfo: "contract:secret"),
        Secret(
            id: "redirect.credentials.proxy", name: "Proxy-Authorization", value: "Basic contract", hasToArrive: false,
            routes: Route.withoutContent),
        Secret(
            id: "redirect.cookie", name: "Cookie", value: "contract=1", hasToArrive: false,
            routes: [.host, .plain, .hops, .kept], statuses: [.plain: 301, .hops: 308]),
        Secret(
            id: "redirect.cookie.letters", name: "cookie", value: "contract=1", hasToArrive: false, routes: [.host],
            statuses: [.host: 303]),
    ]

    /// The requirements on fields that are meant for one origin, or for a part of it.
    static let origins =
        secrets.flatMap { secret in secret.routes.map { leaving(secret, $0) } } + [
            setAndLeft, kept(302), kept(301), kept(307), kept(308), keptOfUser,
            cookie(
                "cookie.path", "a cookie of one path does not go to another (RFC 6265 §5.1.4)", name: "path",
                "Path=\(Step.root)cookie.path/inner"),
            cookie(
                "cookie.domain", "a cookie of another domain is not kept (RFC 6265 §5.3)", name: "domain",
                "Domain=contract.example; Path=/"),
            cookie(
                "cookie.expired", "a cookie whose time is over is not sent (RFC 6265 §5.3)", name: "expired",
                "Max-Age=0; Path=/"),
        ]

    private static func leaving(_ secret: Secret, _ route: Route) -> Requirement {
        var requirement = Requirement(
            secret.id + route.id, "\(secret.words) does not go \(route.words) (RFC 9110 §15.4)",
            expected: "no \(secret.name) there",
            { step in
                step.parts.credentials = secret.credentials
                step.userinfo = secret.userinfo
                if route == .kept {
                    step.method = "POST"
                    step.body = Array("content".utf8)
                }
                if secret.credentials == nil, secret.userinfo == nil { step.headers = [(secret.name, secret.value)] }
            },
            stubs: { step in
                [
                    RequestMatch.any(step.path + "/there").respond(body: "there"),
                    RequestMatch.any(step.path + "/hop").respond(302, headers: ["Location": "\(step.path)/there"]),
                ]
            }
        ) { evidence in
            if route == .plain, let unsecured = unsecured(evidence) { return unsecured }
            guard let first = evidence.entries.first else {
                return secret.userinfo == nil ? Judging.none(evidence) : refusal(evidence)
            }
            if let silence = Judging.silence(evidence) { return silence }
            let judgement: Judgement
            if !first.values(secret.name).isEmpty {
                judgement = left(evidence, secret.name, mark: secret.mark)
            } else if secret.hasToArrive {
                judgement = .fail("the first request without \(secret.name)")
            } else {
                judgement = .notApplicable("the client sends no \(secret.name)")
            }
            return secret.credentials == nil ? judgement : Judging.used("user", evidence, judgement)
        }
        requirement.isOfOtherProcesses = secret.credentials != nil || secret.userinfo != nil
        if route == .plain, MockServer.Configuration.TLS.isBuilt { requirement.place = .secure(nil) }
        requirement.isOfTheWire = route == .plain
        let path = requirement.step.path
        requirement.redirecting = { origins in
            let place =
                switch route {
                case .host, .kept: origins.host + path + "/there"
                case .port: origins.port + path + "/there"
                case .plain: origins.plain + path + "/there"
                case .hops: origins.host + path + "/hop"
                }
            return [
                RequestMatch.any(path).respond(
                    route == .kept ? 307 : secret.statuses[route] ?? 302, headers: ["Location": place])
            ]
        }
        return requirement
    }

    /// Why nothing is known of a step that goes by https.
    private static func unsecured(_ evidence: StepEvidence) -> Judgement? {
        guard MockServer.Configuration.TLS.isBuilt else {
            return .notApplicable(MockServer.Configuration.TLS.unbuilt)
        }
        guard evidence.entries.isEmpty, let outcome = evidence.outcomes.first, outcome.failure != nil else {
            return nil
        }
        return .notApplicable("the client does not trust the plan's authority: \(outcome.summary)")
    }

    /// That no request at the other origin has a field with a mark in it.
    private static func left(_ evidence: StepEvidence, _ field: String, mark: String = "contract") -> Judgement {
        let elsewhere = evidence.entries.filter { $0.origin.hasSuffix("/there") || $0.origin.hasSuffix("/hop") }
        guard elsewhere.contains(where: { $0.origin.hasSuffix("/there") }) else {
            return .notApplicable("the redirection is not followed")
        }
        if let told = referer(evidence) { return told }
        for entry in elsewhere {
            let values = entry.values(field).filter { $0.contains(mark) }
            guard values.isEmpty else {
                return .fail("\(field): \(values.joined(separator: "; ")) at \(entry.request.authority ?? "")")
            }
        }
        return Judging.response(evidence, 200, Array("there".utf8))
    }

    /// A cookie that the first origin sets.
    private static var setAndLeft: Requirement {
        var requirement = Requirement(
            "cookie.origin", "a cookie does not go to another host than set it (RFC 6265 §5.3)",
            expected: "no Cookie there", stubs: { [RequestMatch.any($0.path + "/there").respond(body: "there")] }
        ) { evidence in
            guard !evidence.entries.isEmpty else { return Judging.none(evidence) }
            return Judging.silence(evidence) ?? left(evidence, "Cookie")
        }
        let path = requirement.step.path
        requirement.redirecting = { origins in
            let headers: KeyValuePairs = [
                "Set-Cookie": "contract=origin; Path=/", "Location": "\(origins.host)\(path)/there",
            ]
            return [RequestMatch.any(path).respond(302, headers: headers)]
        }
        return requirement
    }

    /// A client may drop it for security's sake; within an origin, there is nothing to protect it from.
    private static func kept(_ status: Int) -> Requirement {
        let isPlain = status == 302
        return within(
            "redirect.authorization" + (isPlain ? "" : ".\(status)"),
            "Authorization goes along \(isPlain ? "" : "by \(status) ")within its origin (RFC 9110 §15.4)", status,
            "Bearer contract"
        ) { $0.headers = [("Authorization", "Bearer contract")] }
    }

    /// A client that makes the line of a user and a password has them for all of the origin, whatever the redirection makes of the method
    /// (axios/axios#6929).
    private static var keptOfUser: Requirement {
        var requirement = within(
            "redirect.authorization.user",
            "Authorization of a user and a password goes along within its origin (RFC 9110 §15.4)",
            303, "Basic Y29udHJhY3Q6c2VjcmV0"
        ) { step in
            step.method = "POST"
            step.headers = [("Content-Type", "text/plain")]
            step.body = Array("content".utf8)
            step.parts.credentials = ("contract", "secret")
        }
        requirement.isOfOtherProcesses = true
        return requirement
    }

    private static func within(
        _ id: String, _ title: String, _ status: Int, _ value: String, _ change: (inout Step) -> Void
    ) -> Requirement {
        Requirement(
            id, title, expected: "Authorization: \(value)", change,
            stubs: { step in
                [
                    RequestMatch.any(step.path).respond(status, headers: ["Location": "\(step.path)/there"]),
                    RequestMatch.any(step.path + "/there").respond(body: "there"),
                ]
            }
        ) { evidence in
            guard !evidence.entries.isEmpty else { return Judging.none(evidence) }
            if let silence = Judging.silence(evidence) { return silence }
            guard let there = evidence.entries.first(where: { $0.origin.hasSuffix("/there") }) else {
                return .notApplicable("the redirection is not followed")
            }
            if evidence.step.parts.credentials != nil, evidence.entries[0].values("Authorization").isEmpty {
                return .notApplicable("the client sends no credentials before it is asked for them")
            }
            let isGiven = there.values("Authorization") == [value]
            let judgement = isGiven ? Judging.response(evidence, 200, Array("there".utf8)) : .fail("no Authorization")
            return evidence.step.parts.credentials == nil ? judgement : Judging.used("user", evidence, judgement)
        }
    }

    /// A cookie that is not to be sent, by whatever request of the run.
    private static func cookie(_ id: String, _ title: String, name: String, _ attributes: String) -> Requirement {
        Requirement(
            id, title, expected: "no Cookie",
            stubs: { step in
                let headers: KeyValuePairs = [
                    "Set-Cookie": "contract=\(name); \(attributes)", "Location": "\(step.path)/there",
                ]
                return [
                    RequestMatch.any(step.path).respond(302, headers: headers),
                    RequestMatch.any(step.path + "/there").respond(body: "there"),
                ]
            }
        ) { evidence in
            guard !evidence.entries.isEmpty else { return Judging.none(evidence) }
            if let silence = Judging.silence(evidence) { return silence }
            let stray = evidence.run.first { entry in
                entry.values("Cookie").contains { $0.contains("contract=\(name)") }
            }
            if let stray {
                return .fail("\(stray.values("Cookie").joined(separator: "; ")) at \(stray.origin)")
            }
            guard evidence.entries.count > 1 else {
                let outcome = evidence.outcomes.first
                return outcome?.failure == nil
                    ? .notApplicable("the redirection is not followed") : .fail(outcome?.summary ?? "nothing")
            }
            return Judging.response(evidence, 200, Array("there".utf8))
        }
    }
}
