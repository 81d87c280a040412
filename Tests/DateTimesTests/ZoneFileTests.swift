// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiTestSupport
import MockapiWireSupport
import Testing

@testable import MockapiDateTimes

/// Time zone files (RFC 9636) at random, with all that real ones never have at once, as Python's `zoneinfo` reads them.
@Suite(.supervised) struct ZoneFileTests {
    private static let script = #"""
        import random, sys
        from datetime import datetime, timezone
        from io import BytesIO
        from zoneinfo import ZoneInfo
        draw = random.Random(int(sys.argv[1]))
        def block(version, width, times, types, names):
            counts = [0, 0, 0, len(times), len(types), len(names)]
            return (b'TZif' + version + bytes(15) + b''.join(n.to_bytes(4, 'big') for n in counts)
                + b''.join(t.to_bytes(width, 'big', signed=True) for t, _ in times) + bytes(i for _, i in times)
                + b''.join(o.to_bytes(4, 'big', signed=True) + bytes([d, n]) for o, d, n in types) + names)
        def clock(seconds, sign=True):
            text = draw.choice(('', '+')) if seconds >= 0 else '-'
            s = abs(seconds)
            return text + str(s // 3600) + (f':{s // 60 % 60:02d}' + (f':{s % 60:02d}' if s % 60 else '') if s % 3600 else draw.choice(('', '', ':00')))
        def offset(): return draw.randrange(-12, 13) * 3600 + draw.choice((0, 0, 0, 1800, 2700, 61))
        def rule():
            # The days of a year that are counted from its first are those of another year to some versions of Python.
            day = f'M{draw.randrange(2, 12)}.{draw.randrange(1, 6)}.{draw.randrange(7)}'
            return day + draw.choice(('', '', '/' + clock(draw.choice((0, 3600, 10800, 86400, 9296, 167 * 3600 + 59 * 60 + 59, -3600, -90000)))))
        def footer():
            west = offset()
            text = draw.choice(('ABC', 'Standard', '<+03>', '<-1>')) + clock(-west)
            if draw.random() < .2: return text, west
            start = rule()
            # A summer that begins when it ends is the whole year.
            end = start if draw.random() < .1 else rule()
            return text + draw.choice(('DEF', '<+9a>')) + (clock(-west) if end == start else draw.choice(('', clock(-west - draw.choice((1800, 3600, -3600)))))) + f',{start},{end}', west
        def year_of(z, s): return datetime.fromtimestamp(s, timezone.utc).year
        def look(z, s):
            t = datetime.fromtimestamp(s, z)
            return int(t.utcoffset().total_seconds()), t.tzname()
        count = 0
        while count < 120:
            names = b'LMT\0AAA\0+03\0'
            types = [(offset(), 0, draw.choice((0, 4, 5, 8))) for _ in range(draw.randrange(1, 5))]
            start, times = draw.randrange(-2000000000, 1000000000), []
            for _ in range(draw.choice((0, 1, 2, 5))):
                start += draw.choice((86400 * 30, draw.randrange(90000, 10 ** 8)))
                times.append((start, draw.randrange(len(types))))
            if not times: types = types[:1]
            rest, west = footer()
            if draw.random() < .2: data = block(b'\0', 4, times, types, names)
            else: data = block(b'3', 4, *draw.choice((([], [(0, 0, 0)], b'XX\0'), (times, types, names)))) + block(b'3', 8, times, types, names) + b'\n' + (rest.encode() if draw.random() < .8 else b'') + b'\n'
            try: z = ZoneInfo.from_file(BytesIO(data), key='x')
            except ValueError as error: sys.exit(f'{error}: {rest}')
            seen = [s + d for s, _ in times for d in (-1, 1, 3600)] + [draw.randrange(-2200000000, 4000000000) for _ in range(6)]
            for year in (draw.choice((2024, 2028, 2096)), draw.randrange(2038, 2099), draw.choice((2100, 2101))):
                new = int(datetime(year, 1, 1, tzinfo=timezone.utc).timestamp())
                for s in range(new + 86400 * 9, new + 86400 * 355, 86400 * 2):
                    low, high = s, s + 86400 * 2
                    if look(z, low) == look(z, high): continue
                    while high - low > 1:
                        middle = (low + high) // 2
                        if look(z, middle) == look(z, low): low = middle
                        else: high = middle
                    seen += [low, high]
                seen += [new + 86400 * draw.randrange(10, 355) + draw.randrange(86400) for _ in range(4)]
            # Close to a new year the two take the rules of different years; close to the last transition, Python has no footer yet.
            seen = [s for s in seen if 9 <= datetime.fromtimestamp(s, timezone.utc).timetuple().tm_yday <= 356 and not (times and 0 <= s - times[-1][0] < 10 ** 6)]
            count += 1
            print(data.hex(), *[f'{s} {look(z, s)[0]} {look(z, s)[1]}' for s in seen], sep='|')
        """#

    private static func bytes(_ hex: Substring) -> [UInt8] {
        let digits = hex.utf8.compactMap { UInt8(String(Unicode.Scalar($0)), radix: 16) }
        return stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
    }

    @Test func `a file's clock is Python's, and no beginning of its data is a file`() async throws {
        let seed = Thoroughness.rounds(9636, thorough: .random(in: 0..<1 << 31))
        let end = try await Command(line: ["/usr/bin/env", "python3", "-c", Self.script, "\(seed)"]).end()
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
