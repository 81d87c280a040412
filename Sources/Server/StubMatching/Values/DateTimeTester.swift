// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiDateTimes
import MockapiFixtures

extension DateTimePattern: TestedLeaf {
    func tester(_: inout PatternLibrary) throws(BrokenOperand) -> any ValueTester { try DateTimeTester(self) }
}

/// Compares a date and time with another, or with the present.
struct DateTimeTester: ValueTester {
    private enum Expected {
        case fixed(DateTime)
        case now(DateTimeShift)
    }

    private let relation: DateTimePattern.Relation
    private let expected: Expected
    private let offset: DateTimeShift?
    private let format: DateTimeFormat?
    private let truncateExpected: DateTimeTruncation?
    private let truncateActual: DateTimeTruncation?
    private let truncatesLast: Bool
    var weight: BodyWeight { .text }

    init(_ pattern: DateTimePattern) throws(BrokenOperand) {
        relation = pattern.relation
        expected = try Self.read(pattern.expected, "date") { text throws(DateTimeError) in
            if let shift = try? DateTimeShift(parsing: text) { return .now(shift) }
            return .fixed(try DateTime(parsing: text))
        }
        format = try pattern.actualFormat.map { format throws(BrokenOperand) in
            try Self.read(format, "format") { text throws(DateTimeError) in
                try DateTimeFormat(parsing: text, letters: .dateTimeFormatter)
            }
        }
        truncateExpected = try Self.truncation(pattern.truncateExpected)
        truncateActual = try Self.truncation(pattern.truncateActual)
        let unit = DateTimeShift.Unit(name: pattern.offsetUnit ?? "days") ?? .days
        offset = pattern.offset.map { DateTimeShift(amount: $0, unit: unit) }
        truncatesLast = pattern.truncatesLast
    }

    private static func truncation(_ text: Expression?) throws(BrokenOperand) -> DateTimeTruncation? {
        guard let text else { return nil }
        return try read(text, "truncation") { text throws(DateTimeError) in try DateTimeTruncation(parsing: text) }
    }

    private static func read<Value>(
        _ expression: Expression, _ name: String, _ read: (String) throws(DateTimeError) -> Value
    ) throws(BrokenOperand) -> Value {
        do throws(DateTimeError) {
            return try read(expression.text)
        } catch {
            let text = "the \(name) is broken at its byte \(error.offset): \(error.message)"
            throw BrokenOperand(text: text, place: expression.place)
        }
    }

    /// The date and time that values are compared with.
    private func expected(_ program: Program, _ state: inout RequestState) -> DateTime? {
        var time: DateTime?
        var shift = offset
        switch expected {
        case .fixed(let fixed): time = fixed
        case .now(let relative):
            let now = state.now(program.clock)
            time = DateTime(seconds: now.seconds, nanoseconds: now.nanoseconds)
            if relative != .none { shift = relative }
        }
        if !truncatesLast, let truncateExpected { time = time.flatMap { truncateExpected.applied(to: $0) } }
        if let shift { time = time.flatMap { shift.applied(to: $0) } }
        if truncatesLast, let truncateExpected { time = time.flatMap { truncateExpected.applied(to: $0) } }
        return time
    }

    private func actual(_ value: Bytes) -> DateTime? {
        guard value.count <= 256 else { return nil }
        let time = format.map { try? $0.parse(value.text) } ?? (try? DateTime(parsing: value.text))
        guard let time, let truncateActual else { return time }
        return truncateActual.applied(to: time)
    }

    func passes(_ value: Bytes, isBody: Bool, _ program: Program, _ state: inout RequestState) -> Bool {
        guard let actual = actual(value), let expected = expected(program, &state) else { return false }
        return switch relation {
        case .before: actual < expected
        case .after: expected < actual
        case .equal: actual == expected
        }
    }

    func mismatch(_ value: Bytes, isBody: Bool, _ program: Program, _ state: inout RequestState) -> Mismatch? {
        actual(value) == nil ? Mismatch(found: Words.quoted(value) + ", which is not a date of that form") : nil
    }
}
