// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

package import MockapiFixtures
import MockapiJSONText

/// The lines that findings are about, as they stand in their files; the file that was read last is kept.
package struct SourceLines {
    /// 64 MiB: of a larger file no line is shown, and columns are counted in bytes.
    private static let fileLimit = 64 * 1024 * 1024
    /// The white space in front of a line that is shown.
    private static let margin = "    "

    private var path: String?
    private var bytes: [UInt8] = []
    private var lines = LineMap([])

    package init() {}

    /// A line in two parts: in front of a place, and from it on.
    struct Line {
        let before: ArraySlice<UInt8>
        let after: ArraySlice<UInt8>
    }

    /// The line of a place; nil if the file does not have it.
    mutating func line(at place: Place, in path: String) -> Line? {
        guard place.column > 0 else { return nil }
        if self.path != path {
            self.path = path
            bytes = FixtureLoader.content(of: path, limit: Self.fileLimit) ?? []
            lines = LineMap(bytes)
        }
        guard let start = lines.start(ofLine: place.line) else { return nil }
        let end = bytes[start...].firstIndex { $0 == 0x0A || $0 == 0x0D } ?? bytes.count
        guard start + place.column - 1 <= end else { return nil }
        return Line(before: bytes[start..<start + place.column - 1], after: bytes[start + place.column - 1..<end])
    }

    /// A finding as a terminal shows it: its line, the source line, and a caret below the column.
    ///
    /// The line of a secret is not shown, and neither is a line of UTF-16.
    ///
    /// - Parameters:
    ///   - finding: with a path that can be opened.
    ///   - width: the columns of the terminal; of a longer line the part around the caret is shown.
    package mutating func text(of finding: Finding, isColored: Bool, width: Int = 80) -> String {
        var severity = "\(finding.severity.rawValue):"
        if isColored { severity = "\u{1B}[\(finding.severity == .error ? 31 : 33)m\(severity)\u{1B}[0m" }
        let head = "\(finding.position.printable): \(severity) \(finding.message.printable)"
        guard finding.kind != .secret, let line = line(at: finding.place, in: finding.place.path),
            !line.before.contains(0), !line.after.contains(0)
        else { return head }
        let room = max(20, width - Self.margin.count)
        let before = Self.shown(line.before.suffix(4 * room)).suffix(room * 2 / 3)
        let after = Self.shown(line.after.prefix(4 * room)).prefix(room - before.count)
        let caret = isColored ? "\u{1B}[32m^\u{1B}[0m" : "^"
        return
            "\(head)\n\(Self.margin)\(before)\(after)\n\(Self.margin)\(String(repeating: " ", count: before.count))\(caret)"
    }

    private static func shown(_ bytes: ArraySlice<UInt8>) -> String {
        // A part that begins within a character begins with the next.
        let whole = bytes.drop { $0 & 0xC0 == 0x80 }
        return String(decoding: whole.map { $0 == 0x09 ? 0x20 : $0 }, as: UTF8.self).printable
    }
}
