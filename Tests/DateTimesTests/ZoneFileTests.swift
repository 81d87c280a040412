// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiTestSupport
import MockapiWireSupport
import Testing

@testable import MockapiDateTimes

/// Time zone files (RFC 9636) at random, with all that real ones never have at once, as Python's `zoneinfo` reads them.
@Suite(.supervised) struct ZoneFileTests {
    private static func bytes(_ hex: Substring) -> [UInt8] {
        let digits = hex.utf8.compactMap { UInt8(String(Unicode.Scalar($0)), radix: 16) }
        return stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
    }

    @Test func `a file's clock is Python's, and no beginning of its data is a file`() async throws {
        let seed = Thoroughness.rounds(9636, thorough: .random(in: 0..<1 << 31))
        let end = try await Command(python: "zone_files.py", ["\(seed)"]).end()
        try #require(end.code == 0, "\(end.errors)")
        for line in end.output.split(separator: "\n") {
            let parts = line.split(separator: "|")
            let file = Self.bytes(parts[0])
            let rules = try #require(TZif.read(file, name: "x"))
            for part in parts.dropFirst() {
                let words = part.split(separator: " ").map(String.init)
                let type = rules.type(at: try #require(Int(words[0])))
                #expect("\(type.offset) \(type.name)" == "\(words[1]) \(words[2])", "\(part) of \(parts[0])")
            }
            // The footer is behind the data, between two line ends; a file of the first version has none.
            let data =
                file.last == UInt8(ascii: "\n") ? file.dropLast().lastIndex(of: UInt8(ascii: "\n")) ?? 0 : file.count
            for count in 0...file.count {
                #expect(
                    (TZif.read(Array(file[..<count]), name: "x") != nil) == (count >= data), "\(count) of \(parts[0])")
            }
        }
    }

    /// A file of the first version, whose clock goes on an hour at 100 and back at 200.
    private static func file(
        times: [UInt8] = [100, 200], numbers: [UInt8] = [1, 0], types: [[UInt8]] = [[0, 0], [14, 16]]
    ) -> [UInt8] {
        Array("TZif".utf8) + [UInt8](repeating: 0, count: 16)
            + [0, 0, 0, times.count, types.count, 4].flatMap { [0, 0, 0, UInt8($0)] }
            + times.flatMap { [0, 0, 0, $0] } + numbers + types.flatMap { [0, 0] + $0 + [0, 0] } + Array("ABC\0".utf8)
    }

    @Test func `a file that contradicts itself is refused`() throws {
        let rules = try #require(TZif.read(Self.file(), name: "x"))
        #expect([99, 100, 199, 200].map { rules.type(at: $0).offset } == [0, 3600, 3600, 0])
        #expect(TZif.read(Self.file(types: []), name: "x") == nil)
        #expect(TZif.read(Self.file(times: [], numbers: [], types: []), name: "x") == nil)
        #expect(TZif.read(Self.file(times: [], numbers: []), name: "x") != nil)
        #expect(TZif.read(Self.file(numbers: [1, 2]), name: "x") == nil)
        #expect(TZif.read(Self.file(times: [100, 100]), name: "x") == nil)
        #expect(TZif.read(Self.file(times: [101, 100]), name: "x") == nil)
    }

    /// The days of a year as their numbers count them: `J` passes over the 29th of February.
    @Test func `a day of a footer is counted from the first of its year`() throws {
        for year in [2023, 2024, 1900, 2000] {
            let new = try #require(CivilDate(year: year, month: 1, day: 1)).daysSinceEpoch
            let all = (new..<new + 366).filter { CivilDate(daysSinceEpoch: $0)?.year == year }
            let without = all.filter { day in
                CivilDate(daysSinceEpoch: day).map { $0.month != 2 || $0.day != 29 } ?? false
            }
            for (letter, first, days) in [("J", 1, without), ("", 0, all)] {
                for (number, day) in days.enumerated() {
                    let text = "A0B0,\(letter)\(first + number)/0,J365/23:59:59"
                    let footer = try #require(ZoneFooter(text.utf8))
                    #expect(
                        footer.type(at: day * 86400 - 1).name == "A" && footer.type(at: day * 86400).name == "B",
                        "\(text)")
                }
            }
        }
        // A summer of no length is the whole year.
        #expect(ZoneFooter("A0B0,J9,J9".utf8)?.type(at: 0).name == "B")
    }

    @Test(arguments: [
        ("A0", true), ("<>0", true), ("A", false), ("", false), ("0", false), ("<A0", false), ("<A", false),
        ("@1", false),
        ("[1", false), ("{1", false), ("A1Z", false), ("A167", true), ("A168", false), ("A1:59:59", true),
        ("A1:60", false),
        ("A1:0:60", false), ("A:1", false), ("A1:", false), ("A-+1", false), ("A1B,0,0", true), ("A1B2,0,365", true),
        ("A1B,0", false), ("A1B,0,", false), ("A1B,0,366", false), ("A1B,J0,J9", false), ("A1B,J1,J365", true),
        ("A1B,J1,J366", false), ("A1B,M0.1.0,0", false), ("A1B,M1.1.0,M12.5.6", true), ("A1B,M13.1.0,0", false),
        ("A1B,M1.0.0,0", false), ("A1B,M1.6.0,0", false), ("A1B,M1.1.7,0", false), ("A1B,M1.1,0", false),
        ("A1B,M1,0", false), ("A1B,0/1,0/-167:59:59", true), ("A1B,0/,0", false), ("A1B,0/168,0", false),
        ("A1B,0,0x", false),
        ("A1B,0:,0", false), ("A1B,00099,0", false), ("A1B0,0;0", false), ("A1B,J,J1", false), ("A1B,J:,J1", false),
    ])
    func `a footer is read by its grammar`(text: String, isRead: Bool) {
        #expect((ZoneFooter(text.utf8) != nil) == isRead)
    }
}
