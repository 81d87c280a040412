// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPSyntax

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The variables of the environment by which programs find a proxy, and the exceptions that go past it.
///
/// A proxy of a company leads a client away from a server on this machine, unless the exceptions name that. No RFC has them: programs read
/// them in small letters, in capitals, or both, and curl reads `http_proxy` in small letters alone.
package struct ProxyVariables {
    /// The hosts by which a server on this machine is called.
    private static let own = ["127.0.0.1", "localhost", "::1"]

    private let value: (String) -> String?

    /// - Parameter value: the value of a variable; that of this process without it.
    package init(_ value: @escaping (String) -> String? = { name in getenv(name).map { String(cString: $0) } }) {
        self.value = { name in value(name).flatMap { $0.isEmpty ? nil : $0 } }
    }

    /// The first variable that names a proxy; nil if no variable does.
    var first: String? { first(of: ["http_proxy", "https_proxy", "all_proxy"]) }

    /// The first variable that names a proxy for http or for https, and the proxy; nil if no variable does.
    package func proxy(isSecure: Bool) -> (variable: String, url: String)? {
        let variable = first(of: [isSecure ? "https_proxy" : "http_proxy", "all_proxy"])
        return variable.flatMap { name in value(name).map { (name, $0) } }
    }

    /// The hosts that are asked without a proxy, those of this machine among them.
    package var direct: String {
        let known = value("no_proxy") ?? value("NO_PROXY") ?? ""
        if known.trimmingBlanks == "*" { return "*" }
        return ([known] + Self.own + ["127.0.0.0/8"]).filter { !$0.isEmpty }.joined(separator: ",")
    }

    /// Whether a host is asked without a proxy whatever the variables name: one of this machine, and those of `no_proxy` by their names, the names
    /// below them too. (An exception by a range of addresses is looked at when a request is sent.)
    ///
    /// - Parameter host: as in a URL, in small letters.
    package func isDirect(_ host: String) -> Bool {
        if direct == "*" || host.hasPrefix("127.") || host.hasSuffix(".localhost") { return true }
        let host = host.filter { $0 != "[" && $0 != "]" }
        return direct.lowercased().split { $0 == "," || $0 == " " }.contains { exception in
            let name = exception.drop { $0 == "." }
            return !name.isEmpty && (host == name || host.hasSuffix(".\(name)"))
        }
    }

    private func first(of names: [String]) -> String? {
        names.flatMap { [$0, $0.uppercased()] }.first { value($0) != nil }
    }

    /// The exceptions with the host of a server among them, in small letters and in capitals; none if no proxy is named.
    ///
    /// - Parameter url: `http://127.0.0.1:49152`.
    func exceptions(for url: String) -> [String: String?] {
        guard first != nil else { return [:] }
        let authority = url.split(ascii: "/").dropFirst().first ?? ""
        let host = authority[..<(authority.lastIndex(of: ":") ?? authority.endIndex)].filter { $0 != "[" && $0 != "]" }
        var changed: [String: String?] = [:]
        for (name, other) in [("no_proxy", "NO_PROXY"), ("NO_PROXY", "no_proxy")] {
            let known = value(name) ?? value(other) ?? ""
            var hosts = known.split { $0 == "," || $0 == " " }.map(String.init)
            // For all hosts a star stands alone.
            if hosts == ["*"] { continue }
            for own in [host] + Self.own where !own.isEmpty && !hosts.contains(own) { hosts.append(own) }
            changed.updateValue(hosts.joined(separator: ","), forKey: name)
        }
        return changed
    }
}
