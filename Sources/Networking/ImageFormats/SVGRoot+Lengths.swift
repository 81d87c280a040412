// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation

extension SVGRoot {
    /// The absolute units of CSS in pixels (CSS Values 4 §6.2).
    private static let units: [String: Double] = [
        "": 1, "px": 1, "in": 96, "cm": 96 / 2.54, "mm": 96 / 25.4, "q": 96 / 101.6, "pt": 96.0 / 72, "pc": 16,
    ]

    /// The largest side that is believed.
    private static let limit = Double(Int32.max)

    /// Nil for a length that is relative to something else, such as `100%` or `2em`.
    static func pixels(_ text: String?) throws(ImageInfoError) -> Double? {
        guard let text = text?.trimmingCharacters(in: .whitespaces), text != "auto" else { return nil }
        let unit = text.reversed().prefix { $0.isLetter || $0 == "%" }.reversed()
        guard let number = Double(text.dropLast(unit.count)), number.isFinite, number >= 0 else {
            throw .malformed(.svg, "\(text.prefix(40).debugDescription) is not a length")
        }
        return units[String(unit).lowercased()].map { number * $0 }
    }

    static func box(_ text: String?) throws(ImageInfoError) -> (width: Double, height: Double)? {
        guard let text else { return nil }
        let numbers = text.split(whereSeparator: { $0 == "," || $0.isWhitespace }).map { Double($0) ?? .nan }
        guard numbers.count == 4, numbers.allSatisfy(\.isFinite), numbers[2] > 0, numbers[3] > 0 else {
            throw .malformed(.svg, "\(text.prefix(40).debugDescription) is not a viewBox")
        }
        return (numbers[2], numbers[3])
    }

    static func whole(_ length: Double) throws(ImageInfoError) -> Int {
        guard length <= limit else { throw .malformed(.svg, "its width or its height is over 2³¹ - 1") }
        return Int(length.rounded())
    }
}
