// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPSyntax

/// Readers of the values of header lines.
enum HeaderValues {
    /// The members of a list (RFC 9110 §5.6.1), none of them empty; a comma in quotes or in `<…>` parts nothing.
    static func list(_ values: [String], separator: Character = ",") -> [String] {
        values.flatMap { value in
            var members: [String] = []
            var member = ""
            var (isQuoted, isAngled) = (false, false)
            for character in value {
                if character == "\"" { isQuoted.toggle() }
                if !isQuoted, character == "<" { isAngled = true }
                if !isQuoted, character == ">" { isAngled = false }
                if character == separator, !isQuoted, !isAngled {
                    members.append(member)
                    member = ""
                } else {
                    member.append(character)
                }
            }
            return (members + [member]).map(trimmed).filter { !$0.isEmpty }
        }
    }

    static func trimmed(_ text: some StringProtocol) -> String {
        let start = text.drop { $0 == " " || $0 == "\t" }
        let end = start.lastIndex { $0 != " " && $0 != "\t" }
        return end.map { String(start[...$0]) } ?? ""
    }

    /// Values without the parts that are drawn for one response: the nonces of a Content-Security-Policy.
    static func withoutNonces(_ values: [String]) -> [String] {
        values.map { value in
            value.contains("'nonce-")
                ? value.split(ascii: " ").map { $0.hasPrefix("'nonce-") ? "'nonce'" : String($0) }
                    .joined(separator: " ") : value
        }
    }

    /// The members of a list in lower case.
    static func words(_ values: [String]) -> Set<String> { Set(list(values).map { $0.lowercased() }) }

    /// The text in front of the first `;`, and the parameters, names in lower case and values without quotes.
    static func parameters(_ value: String) -> (head: String, parameters: [String: String]) {
        let parts = list([value], separator: ";")
        var parameters: [String: String] = [:]
        for part in parts.dropFirst() {
            let sides = part.split(ascii: "=", maxSplits: 1, omittingEmptySubsequences: false)
            var text = sides.count > 1 ? trimmed(sides[1]) : ""
            if text.count > 1, text.hasPrefix("\""), text.hasSuffix("\"") { text = String(text.dropFirst().dropLast()) }
            parameters[trimmed(sides[0]).lowercased()] = text
        }
        return (parts.first ?? "", parameters)
    }

    /// The relations of Link lines (RFC 8288 §3), in lower case.
    static func relations(_ values: [String]) -> Set<String> {
        Set(
            list(values).flatMap { link -> [String] in
                let relation = parameters(link).parameters["rel"] ?? ""
                return relation.lowercased().split(ascii: " ").map(String.init)
            })
    }

    /// The schemes of WWW-Authenticate (RFC 9110 §11.6.1): the tokens that no `=` follows at once.
    static func schemes(_ values: [String]) -> Set<String> {
        Set(
            list(values).compactMap { member in
                let first = member.prefix { $0 != " " }
                guard !first.contains("=") else { return nil }
                return first.lowercased()
            })
    }

    /// The directives of Cache-Control, their values if they have some.
    static func directives(_ values: [String]) -> [String: String] {
        var directives: [String: String] = [:]
        for member in list(values) {
            let sides = member.split(ascii: "=", maxSplits: 1, omittingEmptySubsequences: false)
            directives[trimmed(sides[0]).lowercased()] = sides.count > 1 ? trimmed(sides[1]) : ""
        }
        return directives
    }

    /// A cookie as a Set-Cookie line sets it, without its value and its parts of the moment.
    struct Cookie: Sendable {
        let name: String
        let attributes: [String: String]

        init?(_ line: String) {
            let (head, parameters) = HeaderValues.parameters(line)
            guard let sign = head.firstIndex(of: "="), sign != head.startIndex else { return nil }
            name = String(head[..<sign])
            attributes = parameters.filter { ["path", "domain", "secure", "httponly", "samesite"].contains($0.key) }
                .mapValues { $0.lowercased() }
        }

        /// The attributes in a fixed order.
        var text: String {
            attributes.keys.sorted().map { name in
                attributes[name].map { $0.isEmpty ? name : "\(name)=\($0)" } ?? name
            }.joined(separator: "; ")
        }
    }
}
