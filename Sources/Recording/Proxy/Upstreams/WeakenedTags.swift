// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPSyntax
import Synchronization

/// The strong entity tags that clients got as weak ones, since the content they got was another.
///
/// A tag from a client goes on as the upstream knows it: a weak tag never matches in If-Match (RFC 9110 §13.1.1), so that a write would be refused
/// because of the proxy's change.
package final class WeakenedTags: Sendable {
    /// Tags that are remembered; beyond them all are forgotten. 16,384.
    private static let limit = 16_384
    private static let lines: Set = ["if-match", "if-none-match", "if-range"]

    private let tags = Mutex<Set<[UInt8]>>([])

    package init() {}

    /// Takes note of a strong tag, with its quotes.
    func insert(_ tag: ArraySlice<UInt8>) {
        tags.withLock { tags in
            if tags.count >= Self.limit { tags.removeAll() }
            tags.insert(Array(tag))
        }
    }

    /// Whether a line, by its name in lower case, holds tags that a client sends back.
    static func areSent(in name: String) -> Bool { lines.contains(name) }

    /// The value of a line of this kind with each tag that was weakened as it was.
    func restored(_ value: [UInt8]) -> [UInt8] {
        tags.withLock { tags in
            guard !tags.isEmpty else { return value }
            var output: [UInt8] = []
            var index = 0
            while index < value.count {
                let rest = value[index...]
                let tag = rest.starts(with: "W/\"".utf8) ? Self.tag(in: rest.dropFirst(2)) : nil
                if let tag, tags.contains(Array(tag)) {
                    output += tag
                    index = tag.endIndex
                } else {
                    output.append(value[index])
                    index += 1
                }
            }
            return output
        }
    }

    /// The tag that a text begins with, quotes included (RFC 9110 §8.8.3).
    private static func tag(in text: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        text.dropFirst().firstIndex(of: UInt8(ascii: "\"")).map { text[text.startIndex...$0] }
    }
}
