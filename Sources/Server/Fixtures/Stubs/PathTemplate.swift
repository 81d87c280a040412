// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// The variables of a path template such as `/articles/{id}`.
enum PathTemplate {
    /// Segments and variables of a template. 1,000.
    static let mostParts = 1_000

    /// Whether a template has more segments and variables than it may: it is matched part by part, each within the one before.
    static func isTooLong(_ template: String) -> Bool { template.utf8.count { "/{*".utf8.contains($0) } > mostParts }

    /// Whether all question marks of a template are the ends of variables, as ASP.NET has them: `/orders/{id?}`.
    static func hasOptionalVariable(_ template: String) -> Bool {
        let marks = template.utf8.count { $0 == UInt8(ascii: "?") }
        return marks > 0 && variables(of: template).count { $0?.hasSuffix("?") == true } == marks
    }

    /// The names between braces in order; nil for a brace without its partner.
    static func variables(of template: String) -> [String?] {
        var variables: [String?] = []
        var rest = template[...]
        while let brace = rest.firstIndex(where: { $0 == "{" || $0 == "}" }) {
            let behind = rest[rest.index(after: brace)...]
            guard rest[brace] == "{", let end = behind.firstIndex(where: { $0 == "}" || $0 == "{" || $0 == "/" }),
                behind[end] == "}"
            else { return variables + [nil] }
            variables.append(String(behind[..<end]))
            rest = behind[behind.index(after: end)...]
        }
        return variables
    }
}
