// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPSyntax

/// The conditions on clients of the admin API that WireMock's command has; none unless they are asked for.
package struct AdminAccess: Sendable {
    /// A name and a password with a colon between, which each request has to bring by the scheme Basic (RFC 7617); nil for none.
    package var credentials: String?
    /// Whether requests have to come over TLS.
    package var needsTLS = false

    package init() {}

    /// Why a request is turned away; nil for one that is let in.
    func refusal(of head: borrowing RequestHead) -> (status: Int, text: String)? {
        if needsTLS, !head.isSecure {
            return (403, "HTTPS is required for accessing the admin API")
        }
        guard let credentials else { return nil }
        let given = AuthorizationField(head).flatMap { $0.scheme == "basic" ? $0.nameAndPassword : nil }
        if let given, Self.areEqual(Array("\(given.name):\(given.password)".utf8), Array(credentials.utf8)) {
            return nil
        }
        return (401, "the admin API needs its name and password, by the scheme Basic")
    }

    /// Compares a real password, in a time that does not tell how much of it is right.
    private static func areEqual(_ given: [UInt8], _ own: [UInt8]) -> Bool {
        var difference: UInt8 = given.count == own.count ? 0 : 1
        for (index, byte) in given.enumerated() { difference |= byte ^ (own.isEmpty ? 0 : own[index % own.count]) }
        return difference == 0
    }
}
