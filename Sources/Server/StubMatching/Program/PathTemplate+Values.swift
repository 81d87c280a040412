// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPSyntax

extension PathTemplate {
    /// The texts that the variables of a template stand for in a path, as in the matching of stubs: each takes as much of its segment as it
    /// can, and a rest as little as it must; none if the path does not fit.
    ///
    /// - Parameter template: the text of a `urlPathTemplate`.
    package static func values(of template: String, in path: String) -> [String: ArraySlice<UInt8>] {
        var search = ValueSearch(PathTemplate(template).pieces, Array(path.utf8))
        guard search.fits(0, 0) else { return [:] }
        return Dictionary(search.values) { first, _ in first }
    }
}

/// A search for the texts that the pieces of a template stand for.
///
/// Each possible end of a variable or rest from a place on is tried once, so that the cost is linear in the path for each piece.
private struct ValueSearch {
    private let pieces: [PathTemplate.Piece]
    private let path: [UInt8]
    private(set) var values: [(String, ArraySlice<UInt8>)] = []
    /// For each piece, the lowest place from which it was tried in vain, and how far it reached from there.
    private var dead: [(start: Int, reach: Int)]

    init(_ pieces: [PathTemplate.Piece], _ path: [UInt8]) {
        self.pieces = pieces
        self.path = path
        dead = Array(repeating: (0, -1), count: pieces.count)
    }

    /// Whether the pieces from one on fit the path from a place on.
    mutating func fits(_ number: Int, _ start: Int) -> Bool {
        guard number < pieces.count else { return start == path.count }
        switch pieces[number] {
        case .literal(let bytes):
            return path[start...].starts(with: bytes) && fits(number + 1, start + bytes.count)
        case .variable(let name):
            let reach = path[start...].firstIndex(of: ASCII.slash) ?? path.count
            let known = dead[number].reach == reach ? min(dead[number].start, reach) : reach
            var end = known
            while end > start {
                if fits(number + 1, end) {
                    values.append((name, path[start..<end]))
                    return true
                }
                end -= 1
            }
            dead[number] = (min(start, known), reach)
            return false
        case .rest:
            let known = dead[number].reach == path.count ? dead[number].start : path.count + 1
            for end in start..<max(start, known) where fits(number + 1, end) { return true }
            dead[number] = (min(start, known), path.count)
            return false
        }
    }
}
