// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPSyntax

/// A Range field for bytes (RFC 9110 §14).
enum ByteRanges {
    enum Verdict: Equatable {
        /// No range of bytes, or none that is understood: the whole is sent (§14.2).
        case ignored
        /// At least one, in the order of the request.
        case satisfiable([Range<Int>])
        /// 416.
        case unsatisfiable
    }

    /// The response to more ranges than these, or to ranges that overlap more than twice, is the whole (§17.15).
    static let maxRanges = 32

    static func evaluate(_ value: String, length: Int) -> Verdict {
        guard let equals = value.firstIndex(ascii: "="), value[..<equals].lowercased() == "bytes" else {
            return .ignored
        }
        var ranges: [Range<Int>] = []
        var members = 0
        for member in value.suffix(behind: equals).split(ascii: ",") {
            let text = member.trimmingBlanks
            if text.isEmpty { continue }
            members += 1
            guard members <= maxRanges, let bounds = parse(text) else { return .ignored }
            if let range = resolve(bounds, length) { ranges.append(range) }
        }
        if members == 0 { return .ignored }
        if ranges.isEmpty { return .unsatisfiable }
        return overlaps(ranges) > 2 ? .ignored : .satisfiable(ranges)
    }

    /// `first-last`, `first-` or `-suffix`; nil for any other text.
    private static func parse(_ text: Substring) -> (first: Int?, last: Int?)? {
        guard let dash = text.firstIndex(ascii: "-") else { return nil }
        let first = text[..<dash]
        let last = text.suffix(behind: dash)
        guard isNumber(first), isNumber(last), !first.isEmpty || !last.isEmpty else { return nil }
        let bounds = (first: number(first), last: number(last))
        if let first = bounds.first, let last = bounds.last, first > last { return nil }
        return bounds
    }

    private static func isNumber(_ text: Substring) -> Bool {
        text.utf8.allSatisfy { $0 &- 0x30 < 10 }
    }

    /// A number too large for an Int is as good as the largest.
    private static func number(_ text: Substring) -> Int? {
        text.isEmpty ? nil : Int(text) ?? .max
    }

    private static func resolve(_ bounds: (first: Int?, last: Int?), _ length: Int) -> Range<Int>? {
        switch bounds {
        case (let first?, let last):
            return first < length ? first..<min(last.map { $0 == .max ? .max : $0 + 1 } ?? length, length) : nil
        case (nil, let suffix?):
            return suffix > 0 && length > 0 ? max(0, length - suffix)..<length : nil
        default:
            return nil
        }
    }

    private static func overlaps(_ ranges: [Range<Int>]) -> Int {
        var count = 0
        for (index, range) in ranges.enumerated() {
            count += ranges[..<index].count { $0.overlaps(range) }
        }
        return count
    }
}
