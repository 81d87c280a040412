// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPSyntax

/// The statuses of responses that are recorded: whole classes, such as `2xx`, and single ones.
package struct StatusChoice: Sendable, Hashable {
    package static let all = StatusChoice(ranges: [0...Int.max])

    private let ranges: [ClosedRange<Int>]

    private init(ranges: [ClosedRange<Int>]) {
        self.ranges = ranges
    }

    /// - Parameter text: such as `2xx,3xx,404`.
    /// - Returns: nil for a text with another word than these.
    package init?(_ text: String) {
        var ranges: [ClosedRange<Int>] = []
        for part in text.split(ascii: ",", omittingEmptySubsequences: false) {
            let word = part.trimmingBlanks.lowercased()
            guard word.utf8.count == 3, let first = word.utf8.first, (0x31...0x39).contains(first) else { return nil }
            if word.hasSuffix("xx"), let start = Int(word.prefix(1) + "00") {
                ranges.append(start...start + 99)
            } else if word.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let status = Int(word) {
                ranges.append(status...status)
            } else {
                return nil
            }
        }
        self.init(ranges: ranges)
    }

    package func contains(_ status: Int) -> Bool { ranges.contains { $0.contains(status) } }
}
