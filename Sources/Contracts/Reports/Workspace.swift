// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiHTTPSyntax

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The base of the paths that readers of a report see: the repository, wherever in it a command was started.
package struct Workspace: Sendable {
    /// The variables in which CI services name their checkout; the second counts if there is the first.
    private static let variables = [
        (name: "GITHUB_WORKSPACE", mark: "GITHUB_WORKSPACE"), (name: "CI_PROJECT_DIR", mark: "CI_PROJECT_DIR"),
        (name: "WORKSPACE", mark: "JENKINS_URL"),
    ]

    /// The working directory, absolute.
    private let directory: String
    /// Real paths, the first that a file lies in counts.
    private let tops: [String]

    /// - Parameters:
    ///   - directory: the absolute path that relative paths start from.
    ///   - tops: absolute paths; a file in none of them is named from the top of its work tree.
    package init(directory: String, tops: [String] = []) {
        self.directory = directory
        self.tops = tops.map { Self.real($0) ?? $0 }
    }

    /// That of this process.
    package static var current: Workspace {
        Workspace(directory: real(".") ?? "/", tops: tops { name in getenv(name).map { String(cString: $0) } })
    }

    /// The checkouts that variables name.
    static func tops(_ value: (String) -> String?) -> [String] {
        variables.compactMap { value($0.mark) == nil ? nil : value($0.name) }.filter { $0.hasPrefix("/") }
    }

    /// The path of a file from the top of the repository; for a file outside of any, the given path.
    package func path(_ given: String) -> String {
        let whole = given.hasPrefix("/") ? given : "\(directory)/\(given)"
        for place in [Self.real(whole), Self.normal(whole)].compactMap(\.self) {
            let folder = String(place[..<(place.lastIndex(of: "/") ?? place.startIndex)])
            for top in tops + [WorkTree.top(of: folder)].compactMap(\.self) {
                let start = top.hasSuffix("/") ? top : "\(top)/"
                if place.hasPrefix(start), place != start { return String(place.dropFirst(start.count)) }
            }
        }
        return given.hasPrefix("./") ? String(given.dropFirst(2)) : given
    }

    private static func real(_ path: String) -> String? {
        guard let real = realpath(path, nil) else { return nil }
        defer { free(real) }
        return String(cString: real)
    }

    /// An absolute path without `.` and `..`.
    private static func normal(_ path: String) -> String {
        var parts: [Substring] = []
        for part in path.split(ascii: "/") where part != "." {
            if part == ".." { _ = parts.popLast() } else { parts.append(part) }
        }
        return "/" + parts.joined(separator: "/")
    }
}
