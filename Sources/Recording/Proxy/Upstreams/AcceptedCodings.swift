// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiContentCodings
import MockapiHTTPSyntax

/// Accept-Encoding of a client, reduced to the codings that can be undone.
package enum AcceptedCodings {
    /// Those that a recording is stored without, in the order they are preferred.
    package static let known = ContentCoding.allCases.map(\.rawValue)

    /// The value that goes to the upstream; `identity` if nothing is left that is known.
    ///
    /// - Parameter value: of all lines of the client.
    package static func reduced(_ value: String) -> String {
        var members: [(coding: String, text: String)] = []
        var any: Substring?
        for member in value.split(ascii: ",").map({ $0.trimmingBlanks }) where !member.isEmpty {
            let end = member.firstIndex(ascii: ";") ?? member.endIndex
            let coding = member[..<end].trimmingBlanks.lowercased()
            switch coding {
            case "*": any = member[end...]
            case "identity", "x-gzip": members.append((coding, String(member)))
            case _ where known.contains(coding): members.append((coding, String(member)))
            default: break
            }
        }
        if let any {
            // Any other would be unknown.
            let rest = known.filter { coding in !members.contains { $0.coding == coding || $0.coding == "x-" + coding }
            }
            members += rest.map { ($0, $0 + any) }
            if isNone(any), !members.contains(where: { $0.coding == "identity" }) {
                members.append(("identity", "identity" + any))
            }
        }
        return members.isEmpty ? "identity" : members.map(\.text).joined(separator: ", ")
    }

    /// Whether parameters have the weight 0 (RFC 9110 §12.4.2).
    private static func isNone(_ parameters: Substring) -> Bool {
        parameters.split(ascii: ";").contains { parameter in
            let text = parameter.filter { $0 != " " && $0 != "\t" }.lowercased()
            return text.hasPrefix("q=0") && text.dropFirst(3).allSatisfy { $0 == "." || $0 == "0" }
        }
    }
}
