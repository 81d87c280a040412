// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// The variables of a path template such as `/articles/{id}`.
enum PathTemplate {
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
