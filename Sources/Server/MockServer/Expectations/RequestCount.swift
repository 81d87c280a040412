// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// How often requests are expected.
public struct RequestCount: Hashable, Sendable, CustomStringConvertible {
    /// No request.
    public static let never = RequestCount(0...0)
    /// One request.
    public static let once = RequestCount(1...1)

    /// As many requests.
    public static func times(_ count: Int) -> RequestCount { RequestCount(count...count) }
    /// As many requests or more.
    public static func atLeast(_ count: Int) -> RequestCount { RequestCount(count...Int.max) }
    /// As many requests or fewer.
    public static func atMost(_ count: Int) -> RequestCount { RequestCount(0...count) }

    private let range: ClosedRange<Int>

    /// Makes a count of a range.
    public init(_ range: ClosedRange<Int>) {
        self.range = range
    }

    /// Whether that many requests meet the expectation, or are too many, so that nobody need wait for more.
    func isDecided(by count: Int) -> Bool {
        count > range.upperBound || count >= range.lowerBound && (range.lowerBound > 0 || range.upperBound == .max)
    }

    /// Whether more requests are expected than so many.
    func isShort(_ count: Int) -> Bool { count < range.lowerBound }

    /// Whether it is met by some number of these.
    func mayBe(from least: Int, to most: Int) -> Bool { range.overlaps(least...most) }

    func contains(_ count: Int) -> Bool { range.contains(count) }

    /// `once`, `3 times`, `at least 2 times`.
    public var description: String {
        if range.lowerBound == range.upperBound { return Self.times(range.lowerBound) }
        if range.upperBound == .max { return "at least \(Self.times(range.lowerBound))" }
        if range.lowerBound == 0 { return "at most \(Self.times(range.upperBound))" }
        return "\(range.lowerBound) to \(range.upperBound) times"
    }

    private static func times(_ count: Int) -> String {
        switch count {
        case 0: "never"
        case 1: "once"
        default: "\(count) times"
        }
    }
}
