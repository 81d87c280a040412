// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPSyntax

/// Lists whose members carry a weight (RFC 9110 §12.4.2).
enum WeightedList {
    /// The members in lower case without parameters other than `q`, and their weights in thousandths.
    static func parse(_ text: String) -> [(value: String, weight: Int)] {
        text.split(ascii: ",").compactMap { member in
            let parts = member.split(ascii: ";").map { $0.trimmingBlanks.lowercased() }
            guard let value = parts.first, !value.isEmpty else { return nil }
            let weight = parts.dropFirst().first { $0.hasPrefix("q=") }.map { thousandths($0.dropFirst(2)) } ?? 1000
            return (value, weight)
        }
    }

    private static func thousandths(_ text: Substring) -> Int {
        guard let value = Double(text), value >= 0 else { return 0 }
        return Int((min(value, 1) * 1000).rounded())
    }
}
