// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import ArgumentParser
import MockapiHTTPSyntax

/// A server on the command line: `http://127.0.0.1:8080`, with no path.
struct ServerURL: ExpressibleByArgument, CustomStringConvertible {
    private static let scheme = "http://"

    /// The host and port as they were given, for the Host line.
    let authority: String
    /// The host alone, an IPv6 address without brackets.
    let host: String
    let port: Int

    init?(argument: String) {
        guard argument.lowercased().hasPrefix(Self.scheme) else { return nil }
        let rest = argument.dropFirst(Self.scheme.count)
        authority = String(rest.hasSuffix("/") ? rest.dropLast() : rest)
        let bytes = Array(authority.utf8)[...]
        guard Authority.isValid(bytes, allowsEmpty: false) else { return nil }
        host = String(decoding: Authority.host(bytes), as: UTF8.self)
        // After the brackets of an IPv6 address, or after a name, a colon comes before the port alone.
        let tail = authority.split(ascii: "]", omittingEmptySubsequences: false).last ?? ""
        let digits = tail.firstIndex(of: ":").map { tail[tail.index(after: $0)...] } ?? ""
        guard let port = digits.isEmpty ? 80 : Int(digits), (1...65535).contains(port) else { return nil }
        self.port = port
    }

    var description: String { Self.scheme + authority }

    var defaultValueDescription: String { description }
}
