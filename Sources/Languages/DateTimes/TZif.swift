// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPSyntax

/// Reads time zone files (RFC 9636).
enum TZif {
    /// The seconds that a clock can be ahead of UTC (§3.2).
    private static let offsets = -89_999...93_599

    /// The rules in a file's bytes; nil if they are not a file of this kind.
    static func read(_ bytes: [UInt8], name: String) -> ZoneRules? {
        var reader = Reader(bytes: bytes)
        guard var header = reader.header() else { return nil }
        var width = 4
        if header.version >= UInt8(ascii: "2") {
            // The same again in 64 bits.
            reader.index += header.length(width: 4)
            guard let second = reader.header() else { return nil }
            header = second
            width = 8
        }
        guard header.types > 0, reader.index + header.length(width: width) <= bytes.count else { return nil }
        let times = (0..<header.times).map { _ in reader.integer(width) }
        let numbers = (0..<header.times).map { _ in reader.integer(1) & 0xFF }
        let entries = (0..<header.types).map { _ in
            let offset = reader.integer(4)
            // Whether it is summer time says nothing about the clock.
            _ = reader.integer(1)
            return (offset: offset, name: reader.integer(1) & 0xFF)
        }
        guard entries.allSatisfy({ Self.offsets.contains($0.offset) }) else { return nil }
        let names = bytes[reader.index..<reader.index + header.characters]
        let types = entries.map { entry in
            let start = names.dropFirst(entry.name)
            return ZoneRules.LocalType(
                offset: entry.offset, name: String(decoding: start.prefix { $0 != 0 }, as: UTF8.self))
        }
        guard numbers.allSatisfy(types.indices.contains),
            zip(times, times.dropFirst()).allSatisfy({ $0 < $1 })
        else { return nil }
        reader.index += header.characters + header.leaps * (width + 4) + header.standards + header.universals
        var footer: ZoneFooter?
        if width == 8, reader.index < bytes.count, bytes[reader.index] == UInt8(ascii: "\n") {
            footer = ZoneFooter(bytes[(reader.index + 1)...].prefix { $0 != UInt8(ascii: "\n") })
        }
        let transitions = zip(times, numbers).map { (time: $0, type: $1) }
        return ZoneRules(name: name, transitions: transitions, types: types, footer: footer)
    }

    private struct Header {
        var version: UInt8
        var universals, standards, leaps, times, types, characters: Int

        func length(width: Int) -> Int {
            times * (width + 1) + types * 6 + characters + leaps * (width + 4) + standards + universals
        }
    }

    private struct Reader {
        let bytes: [UInt8]
        var index = 0

        init(bytes: [UInt8]) {
            self.bytes = bytes
        }

        mutating func header() -> Header? {
            let head = bytes.dropFirst(index).prefix(44)
            guard head.count == 44, head.starts(with: "TZif".utf8) else { return nil }
            let version = bytes[index + 4]
            index += 20
            var counts: [Int] = []
            for _ in 0..<6 {
                counts.append(integer(4))
            }
            guard counts.allSatisfy((0...65536).contains) else { return nil }
            return Header(
                version: version, universals: counts[0], standards: counts[1], leaps: counts[2], times: counts[3],
                types: counts[4], characters: counts[5])
        }

        /// A number with its sign, the most significant byte first, which has to be there.
        mutating func integer(_ width: Int) -> Int {
            var value: UInt64 = 0
            for byte in bytes[index..<index + width] { value = value << 8 | UInt64(byte) }
            index += width
            let shift = UInt64(64 - width * 8)
            return Int(Int64(bitPattern: value << shift) >> Int64(shift))
        }
    }
}

/// The rule for all times behind a file's last one, in POSIX' form: `CET-1CEST,M3.5.0,M10.5.0/3`.
struct ZoneFooter: Sendable {
    private let standard: ZoneRules.LocalType
    private let daylight: (type: ZoneRules.LocalType, start: Change, end: Change)?

    /// When a clock is changed in every year, by the clock as it goes before.
    private struct Change: Sendable {
        enum Day: Sendable {
            case month(Int, week: Int, weekday: Int)
            /// 1 to 365, the 29th of February never counted.
            case julian(Int)
            /// 0 to 365.
            case zeroBased(Int)
        }

        var day: Day
        var second: Int

        func localTime(in year: Int) -> Int? {
            guard let newYear = CivilDate(year: year, month: 1, day: 1)?.daysSinceEpoch else { return nil }
            switch day {
            case .month(let month, let week, let weekday):
                guard let first = CivilDate(year: year, month: month, day: 1) else { return nil }
                var day = (weekday - first.weekday + 7) % 7 + (week - 1) * 7
                if day >= GregorianDay.days(in: month, of: year) { day -= 7 }
                return (first.daysSinceEpoch + day) * 86400 + second
            case .julian(let day):
                let leap = GregorianDay.isLeap(year) && day >= 60 ? 1 : 0
                return (newYear + day - 1 + leap) * 86400 + second
            case .zeroBased(let day): return (newYear + day) * 86400 + second
            }
        }
    }

    init?(_ text: some Collection<UInt8>) {
        var reader = Reader(bytes: Array(text))
        guard let name = reader.name(), let west = reader.time() else { return nil }
        standard = ZoneRules.LocalType(offset: -west, name: name)
        if reader.isAtEnd {
            daylight = nil
            return
        }
        guard let daylightName = reader.name() else { return nil }
        var offset = -west + 3600
        if !reader.isAhead(",") {
            guard let west = reader.time() else { return nil }
            offset = -west
        }
        guard reader.take(","), let start = reader.change(), reader.take(","), let end = reader.change(), reader.isAtEnd
        else { return nil }
        daylight = (ZoneRules.LocalType(offset: offset, name: daylightName), start, end)
    }

    func type(at seconds: Int) -> ZoneRules.LocalType {
        let local = seconds + standard.offset
        guard let daylight, let year = CivilDate(daysSinceEpoch: DateTime.floorDivide(local, 86400))?.year,
            let start = daylight.start.localTime(in: year), let end = daylight.end.localTime(in: year)
        else { return standard }
        let (first, last) = (start - standard.offset, end - daylight.type.offset)
        let isDaylight = first < last ? seconds >= first && seconds < last : seconds >= first || seconds < last
        return isDaylight ? daylight.type : standard
    }

    private struct Reader {
        let bytes: [UInt8]
        var index = 0

        init(bytes: [UInt8]) {
            self.bytes = bytes
        }

        var isAtEnd: Bool { index == bytes.count }

        func isAhead(_ character: Unicode.Scalar) -> Bool {
            index < bytes.count && bytes[index] == UInt8(ascii: character)
        }

        mutating func take(_ character: Unicode.Scalar) -> Bool {
            let isHere = isAhead(character)
            if isHere { index += 1 }
            return isHere
        }

        mutating func name() -> String? {
            let start = index
            if take("<") {
                while index < bytes.count, bytes[index] != UInt8(ascii: ">") { index += 1 }
                let name = String(decoding: bytes[(start + 1)..<index], as: UTF8.self)
                return take(">") ? name : nil
            }
            while index < bytes.count, (bytes[index] | 0x20) &- UInt8(ascii: "a") < 26 { index += 1 }
            return index > start ? String(decoding: bytes[start..<index], as: UTF8.self) : nil
        }

        mutating func number() -> Int? {
            let start = index
            var value = 0
            while index < bytes.count, bytes[index] &- UInt8(ascii: "0") < 10, index < start + 4 {
                value = value * 10 + Int(bytes[index] &- UInt8(ascii: "0"))
                index += 1
            }
            return index > start ? value : nil
        }

        /// `[+-]h[h[h]][:mm[:ss]]` in seconds.
        mutating func time() -> Int? {
            let isNegative = take("-")
            if !isNegative { _ = take("+") }
            guard var value = number(), (0...167).contains(value) else { return nil }
            value *= 3600
            for unit in [60, 1] where take(":") {
                guard let part = number(), (0...59).contains(part) else { return nil }
                value += part * unit
            }
            return isNegative ? -value : value
        }

        mutating func change() -> Change? {
            let day: Change.Day
            if take("M") {
                guard let month = number(), (1...12).contains(month), take("."), let week = number(),
                    (1...5).contains(week), take("."), let weekday = number(), (0...6).contains(weekday)
                else { return nil }
                day = .month(month, week: week, weekday: weekday)
            } else if take("J") {
                guard let number = number(), (1...365).contains(number) else { return nil }
                day = .julian(number)
            } else {
                guard let number = number(), (0...365).contains(number) else { return nil }
                day = .zeroBased(number)
            }
            if !take("/") { return Change(day: day, second: 7200) }
            return time().map { Change(day: day, second: $0) }
        }
    }
}
