// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiHTTPSyntax
import MockapiJSONText

/// Which fixtures of a directory are verified.
package struct FixtureChoice: Sendable {
    /// Paths of fixtures, folders of them, or request paths that they match; `*` stands for anything. None: all.
    package var only: [String] = []
    /// The files that have changed; nil for all.
    package var changed: Set<String>?

    package init() {}

    package func contains(_ fixture: VerifiedFixture) -> Bool {
        if !only.isEmpty, !only.contains(where: { matches($0, fixture) }) { return false }
        guard let changed else { return true }
        return changed.contains(fixture.path) || fixture.bodyFiles.contains { changed.contains($0) }
    }

    private func matches(_ pattern: String, _ fixture: VerifiedFixture) -> Bool {
        let path = pattern.hasPrefix("./") ? String(pattern.dropFirst(2)) : pattern
        if fixture.path == path || fixture.name == path
            || fixture.path.hasPrefix(path.hasSuffix("/") ? path : path + "/")
        {
            return true
        }
        if fixture.bodyFiles.contains(path) { return true }
        return path.contains("*")
            && (Self.glob(path, fixture.path) || fixture.target.map { Self.glob(path, $0) } ?? false)
            || fixture.target == path
    }

    /// Whether a text is a pattern's, `*` being any characters.
    private static func glob(_ pattern: String, _ text: String) -> Bool {
        let parts = pattern.split(ascii: "*", omittingEmptySubsequences: false)
        guard let first = parts.first, let last = parts.last, text.hasPrefix(first) else { return false }
        var rest = text.dropFirst(first.count)
        for part in parts.dropFirst().dropLast() where !part.isEmpty {
            guard let range = rest.firstRange(of: part) else { return false }
            rest = rest[range.upperBound...]
        }
        return parts.count == 1 ? rest.isEmpty : rest.hasSuffix(last)
    }
}

extension VerifiedFixture {
    /// The body files, relative to the directory.
    var bodyFiles: [String] {
        guard let written else { return [] }
        let responses = written["response"].map { [$0] } ?? written["responses"]?.array ?? []
        return responses.compactMap { response in
            response["bodyFile"]?.string.map { FixtureSites.path(of: $0, beside: path, isWireMock: false) }
        }
    }

    /// The path and query that it matches, if there is one.
    var target: String? {
        switch source {
        case .file(let file): return file.requestPaths.first
        case .stub(let stub):
            if let label = recorded?["request"]?.string {
                return label.split(ascii: " ", maxSplits: 1).last.map(String.init)
            }
            switch stub.request.url {
            case .url(let text), .path(let text), .pathTemplate(let text): return text
            default: return nil
            }
        }
    }

    /// The request as it is written; of a plain file its path.
    var writtenRequest: String {
        guard let written else { return "file \(path)" }
        return written["request"].map { String(decoding: JSONWriter.compact($0), as: UTF8.self) } ?? "any"
    }

    /// Method and target, as far as they are known.
    var label: String {
        guard let stub else { return "GET /\(path)" }
        if let label = recorded?["request"]?.string { return label }
        let request = stub.request
        let place: String =
            switch request.url {
            case .any: "any URL"
            case .url(let text), .path(let text), .pathTemplate(let text): text
            case .pattern(let pattern), .pathPattern(let pattern): pattern.text
            }
        return "\(request.method ?? "ANY") \(place)"
    }
}
