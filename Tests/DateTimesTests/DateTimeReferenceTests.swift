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

    private static let script = """
        import calendar, random, sys
        from datetime import date, datetime, timedelta, timezone
        from email.utils import format_datetime
        from zoneinfo import ZoneInfo
        draw, epoch = random.Random(int(sys.argv[1])), datetime(1970, 1, 1, tzinfo=timezone.utc)
        def load(name):
            if name[0] not in '+-': return ZoneInfo(name)
            return timezone((1 if name[0] == '+' else -1) * timedelta(hours=int(name[1:3]), minutes=int(name[4:])))
        def o(t, separator='', sign=1, seconds=0):
            s = int(t.utcoffset().total_seconds())
            if not sign: return s
            text = f"{'-' if s < 0 else '+'}{abs(s) // 3600:02d}{separator}{abs(s) // 60 % 60:02d}"
            return text + f"{separator}{abs(s) % 60:02d}" if seconds and s % 60 else text
        def short(t):
            text = o(t)
            if o(t, sign=0) == 0: return 'GMT'
            return f"GMT{text[0]}{int(text[1:3])}" + ('' if text[3:] == '00' else ':' + text[3:])
        def day(t, d): return date(t.year, t.month, d)
        def micro(t): return ((t.hour * 60 + t.minute) * 60 + t.second) * 1000000 + t.microsecond
        def sunday(d): return d - timedelta((d.weekday() + 1) % 7)
        def week(t):
            first = sunday(t.date())
            year = (first + timedelta(6)).year
            number = (first - sunday(date(year, 1, 1))).days // 7 + 1
            return year, number, number
        def months(t, n):
            m = t.year * 12 + t.month - 1 + n
            y, m = m // 12, m % 12 + 1
            return t.replace(year=y, month=m, day=min(t.day, calendar.monthrange(y, m)[1]))
        def stamp(t): return int((t - epoch).total_seconds() // 1)
        def instants(z):
            found = [draw.randrange(-2208988800, 4102444800) for _ in range(24)]
            for year in [draw.randrange(1902, 2099) for _ in range(9)]:
                def at(s): return datetime.fromtimestamp(s, z).utcoffset()
                start = stamp(datetime(year, 1, 1, tzinfo=timezone.utc))
                for s in range(start, start + 366 * 86400, 86400):
                    if at(s) != at(s + 86400):
                        low, high = s, s + 86400
                        while high - low > 1:
                            middle = (low + high) // 2
                            if at(middle) == at(s): low = middle
                            else: high = middle
                        found += [low, high, high + draw.randrange(7200)]
            return found
        def local(text): return datetime.strptime(text, '%Y-%m-%dT%H:%M:%S')
        for zone in sys.argv[2].split(','):
            z = load(zone)
            for s in instants(z):
                t = datetime.fromtimestamp(s, z).replace(microsecond=draw.randrange(1000000))
                print('text', zone, s, t.microsecond, *[eval(c) for c in sys.argv[3:]], sep='|')
                print('iso', zone, s, t.isoformat(), sep='|')
                if s % 5 == 0: print('http', zone, s, format_datetime(t.astimezone(timezone.utc).replace(microsecond=0), usegmt=True), t.astimezone(timezone.utc).ctime(), sep='|')
                clock = t.replace(tzinfo=None, microsecond=0) + timedelta(seconds=draw.choice((0, 0, 1, -1, 1800, -1800, 3600, -3600, 86400)))
                print('clock', zone, stamp(clock.replace(tzinfo=z, fold=0)), clock.isoformat(), sep='|')
                n, unit = draw.randrange(-40, 41), draw.choice(('seconds', 'minutes', 'hours', 'days', 'weeks', 'months', 'years'))
                naive = t.replace(tzinfo=None, microsecond=0, fold=0)
                if unit in ('seconds', 'minutes', 'hours'): moved = s + int(timedelta(**{unit: n}).total_seconds())
                elif unit in ('days', 'weeks'): moved = stamp((naive + timedelta(**{unit: n})).replace(tzinfo=z, fold=0))
                else: moved = stamp(months(naive, n * (12 if unit == 'years' else 1)).replace(tzinfo=z, fold=0))
                print('shift', zone, s, f'{n} {unit}', moved, sep='|')
                midnight = naive.replace(hour=0, minute=0, second=0)
                first, new = midnight.replace(day=1), midnight.replace(month=1, day=1)
                name, cut = draw.choice((
                    ('first second of minute', naive.replace(second=0)), ('first minute of hour', naive.replace(minute=0, second=0)),
                    ('first hour of day', midnight), ('first day of month', first), ('first day of next month', months(first, 1)),
                    ('last day of month', months(first, 1) - timedelta(1)), ('first day of year', new), ('first day of next year', months(new, 12)),
                    ('last day of year', months(new, 12) - timedelta(1))))
                print('cut', zone, s, name, stamp(cut.replace(tzinfo=z, fold=0)), sep='|')
        """

    @Test func `clocks, texts and calendars are those of Python`() async throws {
        let seed = Thoroughness.rounds(19, thorough: .random(in: 0..<1 << 31))
        let python = try Command(
            line: ["/usr/bin/env", "python3", "-c", Self.script, "\(seed)", Self.zones.joined(separator: ",")]
                + Self.columns.map(\.python))
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
