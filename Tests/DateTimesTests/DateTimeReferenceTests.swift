// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiDateTimes
import MockapiTestSupport
import MockapiWireSupport
import Testing

/// Dates, zones, patterns, shifts and truncations as Python's `datetime` and `zoneinfo` have them, which read the same time zone files.
///
/// No test can see how many zones are kept in memory.
@Suite(.supervised) struct DateTimeReferenceTests {
    /// What a pattern prints, as an expression of Python; `t` is the time, `o(t, separator, …)` its offset.
    private static let columns: [(pattern: String, letters: DateTimeFormat.Letters, python: String)] = [
        ("yyyy yy y", .simpleDateFormat, "t.strftime('%Y %y %Y')"),
        ("M MM MMM MMMM", .simpleDateFormat, "t.strftime('%-m %m %b %B')"),
        ("MMMMM EEEEE", .dateTimeFormatter, "t.strftime('%B')[0] + ' ' + t.strftime('%A')[0]"),
        ("d dd D DDD", .dateTimeFormatter, "t.strftime('%-d %d %-j %j')"),
        ("E EEE EEEE a", .simpleDateFormat, "t.strftime('%a %a %A %p')"),
        ("H HH h hh m mm s ss", .simpleDateFormat, "t.strftime('%-H %H %-I %I %-M %M %-S %S')"),
        ("k kk K KK", .dateTimeFormatter, "'%d %02d %d %02d' % ((t.hour or 24,) * 2 + (t.hour % 12,) * 2)"),
        ("u", .simpleDateFormat, "str(t.isoweekday())"),
        ("e c ee", .dateTimeFormatter, "'%d %d %02d' % ((t.isoweekday() % 7 + 1,) * 3)"),
        ("eee cccc", .dateTimeFormatter, "t.strftime('%a %A')"),
        (
            "F W", .simpleDateFormat,
            "f'{(t.day + 6) // 7} {sum(day(t, d).weekday() == 6 for d in range(2, t.day + 1)) + 1}'"
        ),
        ("YYYY w ww", .dateTimeFormatter, "'%d %d %02d' % week(t)"),
        ("Q QQ QQQ", .dateTimeFormatter, "'{0} 0{0} Q{0}'.format((t.month + 2) // 3)"),
        ("QQQQ", .dateTimeFormatter, "['1st', '2nd', '3rd', '4th'][(t.month - 1) // 3] + ' quarter'"),
        ("S SSSS", .simpleDateFormat, "'%d %04d' % (t.microsecond // 1000, t.microsecond // 1000)"),
        ("S SSS SSSSSS SSSSSSSSS", .dateTimeFormatter, "' '.join(t.strftime('%f000')[:n] for n in (1, 3, 6, 9))"),
        ("n A N", .dateTimeFormatter, "f'{t.microsecond * 1000} {micro(t) // 1000} {micro(t) * 1000}'"),
        ("Z", .simpleDateFormat, "o(t)"),
        ("Z ZZZ xx XX", .dateTimeFormatter, "f'{o(t)} {o(t)} {o(t)} {o(t) if o(t, sign=0) else chr(90)}'"),
        (
            "XXX xxx ZZZZZ", .dateTimeFormatter,
            "f'{o(t, chr(58)) if o(t, sign=0) else chr(90)} {o(t, chr(58))} {o(t, chr(58), seconds=1) if o(t, sign=0) else chr(90)}'"
        ),
        ("X", .simpleDateFormat, "o(t)[:3] if o(t, sign=0) else 'Z'"),
        ("x", .dateTimeFormatter, "o(t)[:3] if o(t)[3:] == '00' else o(t)"),
        ("OOOO ZZZZ", .dateTimeFormatter, "f'GMT{o(t, chr(58), seconds=1)} ' * 2 if o(t, sign=0) else 'GMT GMT '"),
        ("O", .dateTimeFormatter, "short(t)"),
        ("z", .simpleDateFormat, "t.tzname() if t.tzname().isalpha() else 'GMT' + o(t, ':', seconds=1)"),
        (
            "z v", .dateTimeFormatter,
            "(t.tzname() if t.tzname().isalpha() else o(t, ':', seconds=1)) + ' ' + (t.tzname() if t.tzname().isalpha() else o(t, ':', seconds=1))"
        ),
        ("VV G GGGG", .dateTimeFormatter, "zone + ' AD Anno Domini'"),
    ]

    private static let zones = [
        "UTC", "Europe/Paris", "Europe/Dublin", "Europe/London", "America/New_York", "America/St_Johns",
        "America/Sao_Paulo", "America/Caracas",
        "America/Santiago", "Australia/Sydney", "Australia/Lord_Howe", "Pacific/Auckland", "Pacific/Apia",
        "Pacific/Chatham", "Asia/Kolkata",
        "Asia/Kathmandu", "Asia/Tehran", "Asia/Jerusalem", "Asia/Gaza", "Africa/Casablanca", "Africa/Monrovia",
        "Antarctica/Troll", "Etc/GMT+3",
        "+05:45", "-09:30", "-00:15", "+18:00",
    ]

    @Test func `clocks, texts and calendars are those of Python`() async throws {
        let seed = Thoroughness.rounds(19, thorough: .random(in: 0..<1 << 31))
        let python = try Command(
            python: "clocks.py", ["\(seed)", Self.zones.joined(separator: ",")] + Self.columns.map(\.python))
        let end = try await python.end()
        try #require(end.code == 0, "\(end.errors)")
        let formats = try Self.columns.map { try DateTimeFormat(parsing: $0.pattern, letters: $0.letters) }
        var counts: [Substring: Int] = [:]
        for line in end.output.split(separator: "\n") {
            let parts = line.split(separator: "|", omittingEmptySubsequences: false).map(String.init)
            let zone = try DateTimeZone(named: parts[1])
            let time = try #require(Int(parts[2]).flatMap { DateTime(seconds: $0, zone: zone) })
            counts[line.prefix { $0 != "|" }, default: 0] += 1
            switch parts[0] {
            case "text":
                let time = try #require(
                    Int(parts[3]).flatMap { DateTime(seconds: time.seconds, nanoseconds: $0 * 1000, zone: zone) })
                for (format, expected) in zip(formats, parts[4...]) {
                    let printed = format.text(of: time)
                    let trimmed = expected.hasSuffix(" ") ? String(expected.dropLast()) : expected
                    if printed != trimmed {
                        Issue.record("\(parts[1]) \(time.seconds) \(format.text): \(printed), not \(trimmed)")
                    }
                }
            case "iso": #expect(try DateTime(parsing: parts[3]).seconds == time.seconds, "\(line)")
            case "http":
                for text in parts[3...] { #expect(try DateTime(parsing: text).seconds == time.seconds, "\(line)") }
            case "clock":
                #expect(try DateTime(parsing: parts[3]).converted(to: zone)?.seconds == time.seconds, "\(line)")
            case "shift":
                #expect(try DateTimeShift(parsing: parts[3]).applied(to: time)?.seconds == Int(parts[4]), "\(line)")
            default:
                #expect(
                    try DateTimeTruncation(parsing: parts[3]).applied(to: time)?.seconds == Int(parts[4]), "\(line)")
            }
        }
        #expect(counts.count == 6)
        #expect(counts.values.allSatisfy { $0 > 150 }, "\(counts)")
    }
}
