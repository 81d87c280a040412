// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import HTTPTypes
import MockServer
import MockapiHTTPSyntax
import MockapiJSONText

/// Which cookies a client keeps, and which it sends (RFC 6265). Each case is a redirection: the first response sets cookies, and the
/// request that follows shows them.
extension ContractRequirements {
    /// Cookies that are set, and those that are to be sent.
    private struct Cookies {
        /// The end of the id.
        let id: String
        let title: String
        /// The values of `Set-Cookie`; `$` stands for the step's path.
        let set: [String]
        /// Those of a second response, on the way.
        var setThen: [String] = []
        /// Where the redirection leads, below the step's path; its first request goes to `/a/b`.
        var to = "/a/there"
        /// How long the way takes, in milliseconds.
        var wait = 0
        /// The pairs of `Cookie` in the last request.
        let sent: [String]
        /// In a case about domains: the host that sets the cookie, and the one that is asked next.
        var hosts: (String, String)?

        /// A text with the names of cookies that no other step has: a cookie that a client sends too often belongs to its own step.
        func own(_ text: String) -> String {
            ["one", "One", "two"].reduce(text) { $0.replacing($1, with: "\($1).\(id)") }
        }
    }

    static let cookies =
        (paths + lifetimes + texts + domains).map(resent)

    private static let paths = [
        Cookies(id: "kept", title: "a cookie is sent again (RFC 6265 §5.4)", set: ["one=AbC"], sent: ["one=AbC"]),
        Cookies(
            id: "path.default", title: "a cookie without a path is for the folder of its URL (§5.1.4)", set: ["one=1"],
            to: "/there", sent: []),
        Cookies(
            id: "path.segment", title: "a path ends at a slash, not within a name (§5.1.4)", set: ["one=1; Path=$/a"],
            to: "/ab/there", sent: []),
        Cookies(
            id: "path.slash", title: "a path may end with a slash (§5.1.4)", set: ["one=1; Path=$/a/"], sent: ["one=1"]),
        Cookies(
            id: "path.slash.end", title: "a path that ends with a slash matches only below it (§5.1.4)",
            set: ["one=1; Path=$/a/there/"], sent: []),
        Cookies(
            id: "path.same", title: "a path matches itself (§5.1.4)", set: ["one=1; Path=$/a/there"], sent: ["one=1"]),
        Cookies(
            id: "path.letters", title: "a path is compared letter for letter (§5.1.4)", set: ["one=1; Path=$/A"],
            sent: []),
        Cookies(
            id: "path.relative", title: "a path without a slash in front is ignored (§5.2.4)",
            set: ["one=1; Path=there"],
            sent: ["one=1"]),
        Cookies(
            id: "path.empty", title: "an empty path is ignored (§5.2.4)", set: ["one=1; Path="], sent: ["one=1"]),
        Cookies(
            id: "path.last", title: "of two paths the last counts (§5.3)", set: ["one=1; Path=$/x; Path=$/a"],
            sent: ["one=1"]),
        Cookies(
            id: "order.path", title: "longer paths go first (§5.4)", set: ["one=1; Path=$", "two=2; Path=$/a"],
            sent: ["two=2", "one=1"]),
        Cookies(
            id: "order.time", title: "of equal paths the older goes first (§5.4)", set: ["two=2", "one=1"],
            sent: ["two=2", "one=1"]),
        Cookies(
            id: "overwritten", title: "a cookie replaces the one of its name (§5.3)", set: ["one=1", "one=2"],
            sent: ["one=2"]),
        Cookies(
            id: "paths", title: "a name may have a cookie at each path (§5.3)",
            set: ["one=1; Path=$", "one=2; Path=$/a"],
            sent: ["one=2", "one=1"]),
    ]

    private static let lifetimes = [
        Cookies(
            id: "max-age", title: "a cookie is sent within its Max-Age (§5.2.2)", set: ["one=1; Max-Age=100"],
            wait: 300, sent: ["one=1"]),
        Cookies(
            id: "max-age.large", title: "a Max-Age beyond 31 bits is not over (§5.2.2)",
            set: ["one=1; Max-Age=3000000000"], sent: ["one=1"]),
        Cookies(
            id: "max-age.over", title: "a cookie is not sent after its Max-Age (§5.2.2)", set: ["one=1; Max-Age=1"],
            wait: 2_100, sent: []),
        Cookies(
            id: "max-age.negative", title: "a Max-Age below 0 has expired (§5.2.2)", set: ["one=1; Max-Age=-1"],
            sent: []),
        Cookies(
            id: "max-age.first", title: "Max-Age takes precedence over Expires (§5.3)",
            set: ["one=1; Max-Age=100; Expires=Thu, 01 Jan 1970 00:00:00 GMT"], sent: ["one=1"]),
        Cookies(
            id: "max-age.text", title: "a Max-Age that is not a number is ignored (§5.2.2)",
            set: ["one=1; Max-Age=soon"],
            sent: ["one=1"]),
        Cookies(
            id: "expires", title: "a cookie is sent before it expires (§5.2.1)",
            set: ["one=1; Expires=Wed, 01 Jan 2070 00:00:00 GMT"], sent: ["one=1"]),
        Cookies(
            id: "expires.over", title: "a cookie is not sent when it has expired (§5.2.1)",
            set: ["one=1; Expires=Thu, 01 Jan 1970 00:00:00 GMT"], sent: []),
        Cookies(
            id: "expires.hyphens", title: "Expires may have hyphens (§5.1.1)",
            set: ["one=1; Expires=Thu, 01-Jan-1970 00:00:01 GMT"], sent: []),
        Cookies(
            id: "expires.text", title: "an Expires that is not a date is ignored (§5.2.1)",
            set: ["one=1; Expires=soon"],
            sent: ["one=1"]),
        Cookies(
            id: "deleted", title: "a cookie is deleted by Max-Age=0 (§3.1)", set: ["one=1"],
            setThen: ["one=; Max-Age=0"], sent: []),
        Cookies(
            id: "deleted.expires", title: "a cookie is deleted by an Expires in the past (§3.1)", set: ["one=1"],
            setThen: ["one=; Expires=Thu, 01 Jan 1970 00:00:00 GMT"], sent: []),
        Cookies(
            id: "deleted.path", title: "a cookie is deleted at its own path alone (§3.1)", set: ["one=1; Path=$/a"],
            setThen: ["one=; Max-Age=0; Path=$"], sent: ["one=1"]),
    ]

    private static let texts = [
        Cookies(
            id: "httponly", title: "an HttpOnly cookie is sent by HTTP (§5.4)", set: ["one=1; HttpOnly"],
            sent: ["one=1"]),
        Cookies(
            id: "flags", title: "a flag may have a value (§5.2.6)", set: ["one=1; HttpOnly=true"], sent: ["one=1"]),
        Cookies(
            id: "quoted", title: "quotes are part of a value (§5.2)", set: [#"one="a b""#], sent: [#"one="a b""#]),
        Cookies(id: "equals", title: "a value may have an equals sign (§5.2)", set: ["one=a=b"], sent: ["one=a=b"]),
        Cookies(id: "empty", title: "a value may be empty (§5.2)", set: ["one="], sent: ["one="]),
        Cookies(
            id: "blanks", title: "blanks around a name and a value are none of them (§5.2)",
            set: ["  one  =  1  ; Path = $/a"],
            sent: ["one=1"]),
        Cookies(
            id: "letters", title: "attributes are case-insensitive (§5.2)", set: ["one=1; pAtH=$/x"], sent: []),
        Cookies(
            id: "unknown", title: "an unknown attribute is passed over (§5.2)", set: ["one=1; Contract=2; Path=$/a"],
            sent: ["one=1"]),
        Cookies(
            id: "names", title: "names are compared letter for letter (§5.3)", set: ["one=1", "One=2"],
            sent: ["one=1", "One=2"]),
        Cookies(
            id: "comma", title: "a comma is part of a value (§5.2)", set: ["one=1,two=2"], sent: ["one=1,two=2"]),
        Cookies(
            id: "comma.cookies", title: "a comma parts no cookies of a line (§5.2)",
            set: ["one=1; Contract=2, two=2; Path=$/a"], sent: ["one=1"]),
        Cookies(
            id: "semicolon", title: "a semicolon ends a value, within quotes too (§5.2)",
            set: [#"one="a; two=b"; Path=$/a"#], sent: [#"one="a"#]),
        Cookies(
            id: "line.empty", title: "an empty line sets no cookie, and takes none away (§5.2)", set: ["one=1", ""],
            sent: ["one=1"]),
        Cookies(id: "percent", title: "a value is not decoded (§5.2)", set: ["one=%61+b"], sent: ["one=%61+b"]),
    ]

    /// Hosts with names, to which a client comes by the proxy of its environment.
    private static let domains = [
        Cookies(
            id: "domain.parent", title: "a cookie of a domain goes to its hosts (§5.1.3)",
            set: ["one=1; Domain=contract.test; Path=$"], sent: ["one=1"],
            hosts: ("shop.contract.test", "api.contract.test")),
        Cookies(
            id: "domain.dot", title: "a dot in front of a domain means nothing (§5.2.3)",
            set: ["one=1; Domain=.contract.test; Path=$"], sent: ["one=1"],
            hosts: ("shop.contract.test", "api.contract.test")),
        Cookies(
            id: "domain.letters", title: "a domain is case-insensitive (§5.2.3)",
            set: ["one=1; Domain=Contract.TEST; Path=$"], sent: ["one=1"],
            hosts: ("shop.contract.test", "api.contract.test")),
        Cookies(
            id: "domain.none", title: "a cookie without a domain goes to its host alone (§5.3)", set: ["one=1; Path=$"],
            sent: [], hosts: ("contract.test", "api.contract.test")),
        Cookies(
            id: "domain.end", title: "a domain begins behind a dot, not within a name (§5.1.3)",
            set: ["one=1; Domain=contract.test; Path=$"], sent: [],
            hosts: ("contract.test", "other-contract.test")),
        Cookies(
            id: "domain.other", title: "a host sets no cookie for another (§5.3)",
            set: ["one=1; Domain=api.contract.test; Path=$"], sent: [],
            hosts: ("shop.contract.test", "api.contract.test")),
        Cookies(
            id: "secure", title: "a Secure cookie does not go by http (§5.4)", set: ["one=1; Secure; Path=$"], sent: [],
            hosts: ("shop.contract.test", "shop.contract.test")),
        Cookies(
            id: "secure.letters", title: "Secure is case-insensitive (§5.2.5)", set: ["one=1; seCURe; Path=$"],
            sent: [],
            hosts: ("shop.contract.test", "shop.contract.test")),
        Cookies(
            id: "secure.value", title: "Secure counts with any value (§5.2.5)", set: ["one=1; Secure=false; Path=$"],
            sent: [], hosts: ("shop.contract.test", "shop.contract.test")),
    ]

    private static func resent(_ cookies: Cookies) -> Requirement {
        let sent = cookies.sent.map(cookies.own)
        var requirement = Requirement(
            "cookie.\(cookies.id)", cookies.title,
            expected: sent.isEmpty ? "no Cookie" : "Cookie: \(sent.joined(separator: "; "))",
            { step in
                // A host's own cookies are of its step alone: no other step asks it.
                step.suffix = "/a/b"
            },
            stubs: { step in
                let place = (cookies.hosts.map { "http://\($0.1)" } ?? "") + step.path
                let passes = !cookies.setThen.isEmpty || cookies.wait > 0
                let first = redirecting(
                    step, "/a/b", cookies.set.map(cookies.own), to: passes ? "\(step.path)/a/then" : place + cookies.to)
                let second = redirecting(
                    step, "/a/then", cookies.setThen.map(cookies.own), to: place + cookies.to, wait: cookies.wait)
                return [first, second, RequestMatch.any(step.path + cookies.to).respond(body: "there")]
            }
        ) { evidence in
            if cookies.hosts != nil, evidence.entries.isEmpty, let outcome = evidence.outcomes.first,
                outcome.failure != nil
            {
                return .notApplicable("the client takes no proxy from its environment")
            }
            guard !evidence.entries.isEmpty else { return Judging.none(evidence) }
            if let silence = Judging.silence(evidence) { return silence }
            guard let there = evidence.entries.first(where: { $0.origin.hasSuffix("/there") }) else {
                return .notApplicable("the redirection is not followed")
            }
            let pairs = there.values("Cookie").flatMap { $0.split(ascii: ";") }.map { pair in
                String(pair.drop { $0 == " " })
            }
            let names = ["one", "two"].map(cookies.own)
            let own = pairs.filter { pair in
                names.contains(pair.prefix { $0 != "=" && $0 != " " }.lowercased())
            }
            guard own.sorted() == sent.sorted() else {
                return .fail(own.isEmpty ? "no Cookie" : "Cookie: \(own.joined(separator: "; "))")
            }
            let judgement = Judging.response(evidence, 200, Array("there".utf8))
            let lines = there.values("Cookie").count
            if !evidence.speaksHTTP2, let line = there.values("Cookie").first(where: { isMalformed($0) }) {
                return .fail("Cookie: \(line)")
            }
            if judgement == .pass, lines > 1, !evidence.speaksHTTP2 {
                return .fail("\(lines) lines Cookie instead of one (RFC 6265 §5.4)")
            }
            // The order is a SHOULD.
            if judgement == .pass, own != sent { return .advice("Cookie: \(own.joined(separator: "; "))") }
            return judgement
        }
        requirement.ability = .cookies
        requirement.isOfOtherProcesses = true
        if let hosts = cookies.hosts { requirement.place = .proxied(hosts.0) }
        return requirement
    }

    /// A pair is a name and a value, and a semicolon and a blank part two; attributes are not sent again (RFC 6265 §4.2.1).
    private static func isMalformed(_ line: String) -> Bool {
        let pairs = line.split(ascii: ";")
        return pairs.contains { $0.drop { $0 == " " }.hasPrefix("$") }
            || pairs.dropFirst().contains { !$0.hasPrefix(" ") }
    }

    /// A redirection with cookies.
    private static func redirecting(
        _ step: Step, _ suffix: String, _ cookies: [String], to place: String, wait: Int = 0
    ) -> MockStub {
        let lines =
            ["Location: \(place)"] + cookies.map { "Set-Cookie: " + $0.replacing(bytesOf: "$", with: step.path) }
        let response = JSONObject([
            .init(name: "status", value: .integer(302)),
            .init(name: "headers", value: .array(lines.map { .string($0) })),
            .init(name: "fixedDelayMilliseconds", value: .integer(wait)),
        ])
        let request = JSONObject([.init(name: "urlPath", value: .string(step.path + suffix))])
        let stub = JSONObject([
            .init(name: "request", value: JSONNode(.object(request))),
            .init(name: "response", value: JSONNode(.object(response))),
        ])
        return MockStub(json: String(decoding: JSONWriter.compact(JSONNode(.object(stub))), as: UTF8.self))
    }
}
