// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// The patterns of the random stubs, each with its meaning in plain code.
package enum PatternOracle {
    package static func matches(_ pattern: String, _ text: String) -> Bool {
        meanings[pattern].map { $0(text) } ?? false
    }

    package static var patterns: [String] { meanings.keys.sorted() }

    private static let meanings: [String: @Sendable (String) -> Bool] = [
        "/api/.*": { $0.hasPrefix("/api/") },
        "/api/[a-b]/?": { ["/api/a", "/api/b", "/api/a/", "/api/b/"].contains($0) },
        "/api/a|/api/b": { ["/api/a", "/api/b"].contains($0) },
        ".*a.*": { $0.contains("a") },
        "[0-9]+": { !$0.isEmpty && $0.allSatisfy { "0123456789".contains($0) } },
        "/api/a\\?p=1.*": { $0.hasPrefix("/api/a?p=1") },
        "/ap?i?.*": { $0.hasPrefix("/a") },
        "(?i)X|1": { ["x", "X", "1"].contains($0) },
        "": { $0.isEmpty },
    ]
}

/// Path templates by trying every way to cut the path.
package enum TemplateOracle {
    package static func variables(_ template: String, _ path: String) -> [String: String]? {
        fit(Array(template), Array(path), rests: 0)
    }

    private static func fit(_ template: [Character], _ path: [Character], rests: Int) -> [String: String]? {
        guard let first = template.first else { return path.isEmpty ? [:] : nil }
        if first == "{", let end = template.firstIndex(of: "}") {
            let name = String(template[1..<end])
            let reach = path.firstIndex(of: "/") ?? path.count
            for count in stride(from: reach, to: 0, by: -1) {
                if var found = fit(Array(template[(end + 1)...]), Array(path[count...]), rests: rests) {
                    found[name] = String(path[..<count])
                    return found
                }
            }
            return nil
        }
        if template.starts(with: "**") {
            for count in 0...path.count {
                if var found = fit(Array(template[2...]), Array(path[count...]), rests: rests + 1) {
                    found[String(rests)] = String(path[..<count])
                    return found
                }
            }
            return nil
        }
        guard path.first == first else { return nil }
        return fit(Array(template[1...]), Array(path[1...]), rests: rests)
    }
}
