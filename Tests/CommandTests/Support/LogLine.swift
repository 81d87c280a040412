// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// A line of the log as text: a time, then words with at least three spaces between them.
struct LogLine: Equatable {
    /// Whether it begins with one such as `10:00:00.123`.
    let hasTime: Bool
    let words: [String]
    /// All behind the time.
    let text: String

    init(_ line: some StringProtocol) {
        let time = Array(line.utf8.prefix(13))
        let form = Array("00:00:00.000 ".utf8)
        hasTime = time.count == form.count && zip(time, form).allSatisfy { $1 == 0x30 ? 0x30...0x39 ~= $0 : $0 == $1 }
        text = String(line.dropFirst(13))
        words = text.split(separator: "   ").map { String($0.drop { $0 == " " }) }.filter { !$0.isEmpty }
    }
}
