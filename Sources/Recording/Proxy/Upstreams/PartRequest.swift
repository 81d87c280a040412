// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPSyntax
package import MockapiUpstream

/// A request for one range of bytes, which shows whether a service has ranges: the response is then 206 or 416, else the whole.
///
/// A request for several ranges, or with If-Range, shows nothing: a service may send the whole all the same (RFC 9110 §14.2, §13.1.5).
package struct PartRequest {
    /// The first byte; nil for so many at the end.
    private let first: Int?
    /// The last byte, or how many at the end; nil for all that follow.
    private let last: Int?

    /// - Returns: nil for a request that asks for something else.
    package init?(method: String, _ fields: [UpstreamField]) {
        guard method == "GET", !fields.contains(where: { $0.name.lowercased() == "if-range" }) else { return nil }
        let ranges = fields.filter { $0.name.lowercased() == "range" }.map(\.value)
        guard let range = ranges.first, ranges.count == 1, range.lowercased().hasPrefix("bytes=") else { return nil }
        let ends = range.dropFirst(6).trimmingBlanks.split(ascii: "-", omittingEmptySubsequences: false)
        guard ends.count == 2, let first = Self.number(ends[0]), let last = Self.number(ends[1]),
            first != nil || last != nil
        else { return nil }
        // A range that ends before it begins is ignored (RFC 9110 §14.1.1).
        if let first, let last, last < first { return nil }
        self.first = first
        self.last = last
    }

    /// - Returns: nil if it is not a number; nil within for nothing.
    private static func number(_ text: Substring) -> Int?? {
        if text.isEmpty { return .some(nil) }
        guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return .some(Int(text) ?? .max)
    }

    /// Whether some of a content is asked for, and not all of it: some servers respond to a range of all with 200.
    package func isLess(than count: Int) -> Bool {
        guard let first else { return last.map { $0 > 0 && $0 < count } ?? false }
        return first < count && (first > 0 || last.map { $0 < count - 1 } ?? false)
    }
}
