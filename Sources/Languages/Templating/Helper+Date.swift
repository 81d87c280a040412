// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiDateTimes
import MockapiJSONText

extension Renderer {
    /// Helpers about dates.
    mutating func date(_ invocation: Invocation) throws(TemplateFailure) -> TemplateValue {
        switch invocation.helper {
        case .now: return try shown(currentTime(), invocation)
        case .date: return try dateOf(invocation)
        case .parseDate: return try parseDate(invocation)
        case .truncateDate: return try truncateDate(invocation)
        default: return try dateFormat(invocation)
        }
    }

    private mutating func currentTime() throws(TemplateFailure) -> DateTime {
        guard let time = Self.time(milliseconds: Int(now)) else {
            throw failure("the time is beyond the supported years")
        }
        return time
    }

    private static func time(milliseconds: Int) -> DateTime? {
        let rest = (milliseconds % 1000 + 1000) % 1000
        return DateTime(seconds: (milliseconds - rest) / 1000, nanoseconds: rest * 1_000_000)
    }

    private mutating func dateOf(_ invocation: Invocation) throws(TemplateFailure) -> TemplateValue {
        guard let subject = invocation.argument(0)?.single else { return try shown(currentTime(), invocation) }
        if case .date(let date) = subject { return try shown(date.time, invocation) }
        guard let time = Self.parsed(subject.text, nil) else { return error("\(Self.shown(subject)) is not a date") }
        return try shown(time, invocation)
    }

    /// A time moved by `offset`, in the zone of `timezone`, with `format`.
    private func shown(_ time: DateTime, _ invocation: Invocation) throws(TemplateFailure) -> TemplateValue {
        var time = time
        do throws(DateTimeError) {
            if let zone = invocation.option("timezone") {
                time = time.converted(to: try DateTimeZone(named: zone.text)) ?? time
            }
            if let offset = invocation.option("offset") {
                guard let moved = try DateTimeShift(parsing: offset.text).applied(to: time) else {
                    throw DateTimeError(offset: 0, message: "the date is beyond the supported years")
                }
                time = moved
            }
            let format = try invocation.option("format").map { value throws(DateTimeError) in
                try DateTimeFormat(parsing: value.text, letters: .simpleDateFormat)
            }
            return .date(TemplateDate(time: time, format: format))
        } catch {
            throw failure("\(invocation.helper.rawValue): \(error.message)")
        }
    }

    /// A text as a date, of UTC if it has no zone; nil for a text that is not a date.
    private static func parsed(_ text: String, _ format: DateTimeFormat?) -> DateTime? {
        guard let time = format.map({ try? $0.parse(text) }) ?? (try? DateTime(parsing: text)) else { return nil }
        return time.zone == nil ? time.converted(to: .utc) : time
    }

    private func parseDate(_ invocation: Invocation) throws(TemplateFailure) -> TemplateValue {
        let subject = invocation.subject(or: context).single
        if case .date = subject { return subject }
        guard !subject.isNull else { return .null }
        var format: DateTimeFormat?
        if let pattern = invocation.option("format") {
            do throws(DateTimeError) {
                format = try DateTimeFormat(parsing: pattern.text, letters: .dateTimeFormatter)
            } catch {
                throw failure("parseDate: \(error.message)")
            }
        }
        guard let time = Self.parsed(Self.trimmed(subject.text), format) else { return .null }
        return .date(TemplateDate(time: time, format: nil))
    }

    private func truncateDate(_ invocation: Invocation) throws(TemplateFailure) -> TemplateValue {
        guard let kind = invocation.text(1) else {
            return error("Truncation type must be specified as the first parameter to truncateDate")
        }
        guard case .date(let date) = invocation.argument(0) ?? .null else {
            return error("A date object must be passed to the truncateDate helper")
        }
        do throws(DateTimeError) {
            guard let time = try DateTimeTruncation(parsing: kind).applied(to: date.time) else {
                throw DateTimeError(offset: 0, message: "the date is beyond the supported years")
            }
            return .date(TemplateDate(time: time, format: date.format))
        } catch {
            throw failure("truncateDate: \(error.message)")
        }
    }

    private func dateFormat(_ invocation: Invocation) throws(TemplateFailure) -> TemplateValue {
        let subject = invocation.subject(or: context).single
        guard subject.isTrue else { return .string(invocation.text(1) ?? "") }
        guard case .date(let date) = subject else { throw failure("dateFormat: \(Self.shown(subject)) is not a date") }
        let name = (invocation.argument(1) ?? invocation.option("format"))?.text ?? "medium"
        let patterns = [
            "full": "EEEE, MMMM d, yyyy", "long": "MMMM d, yyyy", "medium": "MMM d, yyyy", "short": "M/d/yy",
        ]
        do throws(DateTimeError) {
            // WireMock's dates are Java's, which have no zone.
            var zone: DateTimeZone? = dialect == .wireMock ? .utc : nil
            if let name = invocation.option("tz") { zone = try DateTimeZone(named: name.text) }
            let time = zone.flatMap { date.time.converted(to: $0) } ?? date.time
            let format = try DateTimeFormat(parsing: patterns[name] ?? name, letters: .simpleDateFormat)
            return .string(format.text(of: time))
        } catch {
            throw failure("dateFormat: \(error.message)")
        }
    }
}
