// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// The values of requests that distinguish stubs: methods, and the `equalTo` values of the host, parameters, headers, cookies and of parts
/// of the body that a path leads to.
struct SplitKeys {
    /// The value of one stub's condition under a key.
    struct KeyedValue {
        var key: Int
        /// The number of a method, or the start of the value in the pool.
        var start: UInt32
        /// The end of the value in the pool; 0 for a method.
        var end: UInt32
        var isMethod = false
        /// Which of the stub's conditions asks for this value and nothing else; nil if none does.
        var settles: UInt32?

        /// Where the value stands in the pool; nowhere for a method.
        var range: PoolRange { PoolRange(start: isMethod ? 0 : start, end: end) }

        func hash(_ program: Program, seed: UInt64) -> UInt64 {
            if isMethod { return ByteHash.combine(seed, UInt64(start)) }
            return ByteHash.hash(program.pool.slice(start, end), seed: seed)
        }

        func isSame(as other: KeyedValue, _ program: Program) -> Bool {
            isMethod
                ? start == other.start
                : program.pool.slice(start, end).equals(program.pool.slice(other.start, other.end))
        }
    }

    private struct Name: Hashable {
        var key: Split.Key
        var hash: UInt32
    }

    /// The lengths that the prefixes of patterns are cut to.
    private static let prefixLengths: [UInt32] = [2, 4, 6, 8, 12, 16, 20, 24, 32, 48, 64]

    private var keys: [Split] = []
    private var numbers: [Name: Int] = [:]

    /// The values that a stub asks for, each key at most once.
    mutating func values(of rank: UInt32, _ program: Program, usesPrefixes: Bool) -> [KeyedValue] {
        let entry = program.entries[rank]
        var values: [KeyedValue] = []
        if entry.method != 0, let key = number(.method, hash: 0, 0, 0, program) {
            values.append(KeyedValue(key: key, start: UInt32(entry.method), end: 0, isMethod: true))
        }
        if usesPrefixes {
            let prefix = program.patternPrefixes[entry.urlStart]
            for length in Self.prefixLengths where length <= prefix.end - prefix.start {
                guard let key = number(.prefix, hash: length, 0, 0, program) else { continue }
                values.append(KeyedValue(key: key, start: prefix.start, end: prefix.start + length))
            }
        }
        for number in 0..<entry.conditionCount {
            add(program.conditions[entry.conditionStart + number], number, to: &values, program)
        }
        return values
    }

    /// Adds the values that a condition, the stub's of a number, needs to be equal.
    private mutating func add(
        _ condition: Condition, _ number: UInt32, to values: inout [KeyedValue], _ program: Program
    ) {
        var found: [(kind: Split.Key, extractor: UInt32, test: ValueTest)] = []
        for index in condition.test..<(condition.test + condition.testCount) where condition.kind.hasTests {
            Self.collect(program.tests[index], Self.key(of: condition.kind), condition, program, &found)
        }
        for (kind, extractor, test) in found {
            let isPart = kind == .part
            let hash = isPart ? extractor : condition.nameHash
            let (start, end) = isPart ? (0, 0) : (condition.nameStart, condition.nameEnd)
            guard let key = self.number(kind, hash: hash, start, end, program),
                !values.contains(where: { $0.key == key })
            else { continue }
            let settles = Self.isSettled(condition, program) ? number : nil
            values.append(KeyedValue(key: key, start: test.first, end: test.second, settles: settles))
        }
    }

    /// Whether a condition needs one value to be equal, and nothing else.
    private static func isSettled(_ condition: Condition, _ program: Program) -> Bool {
        guard condition.quantifier == .single else { return false }
        let test = program.tests[condition.test]
        if test.operation == .equalTo { return condition.kind != .host }
        guard test.operation == .tester, let tester = program.testers[Int(test.first)] as? FoundTester,
            let nested = tester.nested
        else { return false }
        return program.tests[nested].operation == .equalTo && !tester.asksWhole
    }

    func split(_ key: Int) -> Split { keys[key] }

    /// The key by which a set falls into the smallest parts; nil if none makes it at least a quarter smaller.
    func best(_ members: [[KeyedValue]], _ program: Program, without used: Set<Int>) -> Int? {
        var sizes: [Int: [UInt64: Int]] = [:]
        for values in members {
            for value in values where !used.contains(value.key) {
                sizes[value.key, default: [:]][value.hash(program, seed: 0), default: 0] += 1
            }
        }
        return choose(sizes, count: members.count)
    }

    private func choose(_ sizes: [Int: [UInt64: Int]], count: Int) -> Int? {
        var best: (key: Int, cost: Double)?
        for (key, parts) in sizes.sorted(by: { $0.key < $1.key }) {
            let covered = parts.values.reduce(0, +)
            let squares = parts.values.reduce(0.0) { $0 + Double($1) * Double($1) }
            let cost = Double(count - covered) + squares / Double(count)
            if cost < best?.cost ?? .infinity { best = (key, cost) }
        }
        guard let best, best.cost < Double(count) * 0.75 else { return nil }
        return best.key
    }

    private static func key(of kind: Condition.Kind) -> Split.Key? {
        switch kind {
        case .query: .query
        case .header: .header
        case .cookie: .cookie
        case .host: .host
        default: nil
        }
    }

    /// The tests of a condition that only one value passes, and that the condition needs: of the value itself, or of the value that an
    /// extractor finds in a body.
    private static func collect(
        _ test: ValueTest, _ kind: Split.Key?, _ condition: Condition, _ program: Program,
        _ found: inout [(kind: Split.Key, extractor: UInt32, test: ValueTest)]
    ) {
        switch test.operation {
        case .equalTo:
            if let kind { found.append((kind, 0, test)) }
        case .and:
            for index in test.first..<(test.first + test.second) {
                collect(program.tests[index], kind, condition, program, &found)
            }
        case .tester where condition.kind == .body:
            guard let tester = program.testers[Int(test.first)] as? FoundTester, let nested = tester.nested,
                let equal = equalTo(program.tests[nested], program)
            else { return }
            found.append((.part, tester.extractor, equal))
        default: break
        }
    }

    private static func equalTo(_ test: ValueTest, _ program: Program) -> ValueTest? {
        if test.operation == .equalTo { return test }
        guard test.operation == .and else { return nil }
        for index in test.first..<(test.first + test.second) {
            if let found = equalTo(program.tests[index], program) { return found }
        }
        return nil
    }

    /// The number of a key; nil for a name whose hash another name has.
    private mutating func number(
        _ key: Split.Key, hash: UInt32, _ start: UInt32, _ end: UInt32, _ program: Program
    ) -> Int? {
        let name = Name(key: key, hash: hash)
        if let number = numbers[name] {
            let known = keys[number]
            let isSame = program.pool.slice(known.nameStart, known.nameEnd).equals(program.pool.slice(start, end))
            return isSame ? number : nil
        }
        numbers[name] = keys.count
        keys.append(Split(key: key, nameHash: hash, nameStart: start, nameEnd: end, rest: .empty))
        return keys.count - 1
    }
}
