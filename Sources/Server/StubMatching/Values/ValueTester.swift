// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiHTTPSyntax
import MockapiJSONText
import MockapiMetering

/// A value matcher that takes more than comparing bytes, compiled: it matches, and says beside that what it found instead.
protocol ValueTester: Sendable {
    /// How much it can take beside reading the value's bytes.
    var weight: BodyWeight { get }

    /// Whether a value that is there passes. A test that is given up is noted in the state, and the value does not
    /// pass.
    func passes(_ value: Bytes, isBody: Bool, _ program: Program, _ state: inout RequestState) -> Bool

    /// The reason that a value does not pass; nil if the value itself says it.
    func mismatch(_ value: Bytes, isBody: Bool, _ program: Program, _ state: inout RequestState) -> Mismatch?
}

/// A leaf matcher and what it is compiled to; each stands beside its tester.
protocol TestedLeaf: LeafMatcher {
    /// - Parameter library: compiles what patterns it has.
    func tester(_ library: inout PatternLibrary) throws(BrokenOperand) -> any ValueTester
}

extension ValueTester {
    var weight: BodyWeight { .engine }

    func mismatch(_ value: Bytes, isBody: Bool, _ program: Program, _ state: inout RequestState) -> Mismatch? { nil }
}

/// How much matching a body can take, beside its size.
package enum BodyWeight: Int, Comparable, Sendable {
    /// No stub asks anything of it.
    case nothing
    /// It is compared as text.
    case text
    /// It is compared as JSON, or paths are looked up in it: few steps where it is small.
    case path
    /// It is put to a schema or read as XML: even a small one can take all the steps there are.
    case engine

    package static func < (left: BodyWeight, right: BodyWeight) -> Bool { left.rawValue < right.rawValue }
}

/// The difference between a value and the expected one, in words.
struct Mismatch {
    /// The value that was found; nil for the value itself.
    var found: String?
    var note = ""

    /// An engine took more steps than it may.
    static let givenUp = Mismatch(found: nil, note: "given up: it takes more steps than allowed")
}

extension Program {
    /// The reason that a value does not pass a test, where an engine says more than the value itself.
    func mismatch(_ index: UInt32, _ value: Bytes, isBody: Bool, _ state: inout RequestState) -> Mismatch? {
        let test = tests[index]
        switch test.operation {
        case .tester: return testers[Int(test.first)].mismatch(value, isBody: isBody, self, &state)
        case .and:
            for child in test.first..<(test.first + test.second)
            where !passes(child, value, isBody: isBody, &state) {
                return mismatch(child, value, isBody: isBody, &state)
            }
            return nil
        default: return nil
        }
    }
}

/// An error in an operand that has a language of its own.
struct BrokenOperand: Error {
    var text: String
    var place: Place

    /// WireMock accepts a stub with such an operand, and reports with each request that it cannot be used.
    func finding(in dialect: FixtureSet.Dialect) -> Finding {
        dialect == .wireMock
            ? Finding(.warning, "no request can reach this: \(text)", at: place) : Finding(.error, text, at: place)
    }
}

/// Looks up a part of a value; for a body once per request, however many stubs ask for it.
protocol ValueExtractor: Sendable {
    func extract(_ value: Bytes, isBody: Bool, _ program: Program, _ state: inout RequestState) -> Extraction
}

/// The key that extractors have in common when they find the same.
struct ExtractorKey: Hashable {
    var kind: String
    var texts: [String]
}

/// The form in which the parts of a value are asked for, so that no other is made of them.
enum FoundPart: String {
    /// Whether they are there.
    case presence
    case texts
    /// All of them as JSON.
    case json

    init(_ nested: ValueMatcher?) {
        switch nested {
        case nil: self = .presence
        case .equalToJSON: self = .json
        default: self = .texts
        }
    }
}

extension Program {
    /// The parts that an extractor finds in a value.
    func extraction(_ number: UInt32, _ value: Bytes, isBody: Bool, _ state: inout RequestState) -> Extraction {
        if isBody, let known = state.extractions[Int(number)] { return known }
        let refusals = state.budget.refusals
        let found = extractors[Int(number)].extract(value, isBody: isBody, self, &state)
        // What was not paid for is not known.
        if isBody, state.budget.refusals == refusals { state.extractions[Int(number)] = found }
        return found
    }
}

/// Asks a matcher about the parts that an extractor finds, or whether it finds any.
struct FoundTester: ValueTester {
    let extractor: UInt32
    /// The test that one of the texts has to pass; nil if it is enough that something is there.
    let nested: UInt32?
    /// Whether all that is found is asked at once, as JSON.
    let asksWhole: Bool
    let asksAbsent: Bool
    let weight: BodyWeight

    func passes(_ value: Bytes, isBody: Bool, _ program: Program, _ state: inout RequestState) -> Bool {
        let found = program.extraction(extractor, value, isBody: isBody, &state)
        if found.isGivenUp { state.givenUp.insert(.engine) }
        if found.isGivenUp || found.problem != nil { return false }
        guard let nested else { return found.isPresent }
        if asksAbsent, found.texts.isEmpty { return true }
        let texts = asksWhole ? found.json.map { [$0] } ?? [] : found.texts
        for text in texts {
            let passes = text.withUnsafeBufferPointer { program.passes(nested, $0, isBody: false, &state) }
            if passes { return true }
        }
        return false
    }

    func mismatch(_ value: Bytes, isBody: Bool, _ program: Program, _ state: inout RequestState) -> Mismatch? {
        let found = program.extraction(extractor, value, isBody: isBody, &state)
        if let problem = found.problem { return Mismatch(found: Words.quoted(value) + problem) }
        if found.isGivenUp { return .givenUp }
        let texts = asksWhole ? found.json.map { [$0] } ?? [] : found.texts
        if texts.isEmpty { return Mismatch(found: found.json == Array("null".utf8) ? "null there" : "nothing there") }
        return Mismatch(found: Words.values(texts: texts))
    }
}

extension NumberPattern: TestedLeaf {
    func tester(_: inout PatternLibrary) -> any ValueTester { NumberTester(self) }
}

/// Compares a number with another, exactly at any size.
struct NumberTester: ValueTester {
    private let relation: NumberPattern.Relation
    private let expected: JSONNumber
    var weight: BodyWeight { .text }

    /// Bytes of a text that is read as a number. 1,024.
    private static let limit = 1024

    init(_ pattern: NumberPattern) {
        relation = pattern.relation
        expected = pattern.number
    }

    func passes(_ value: Bytes, isBody: Bool, _ program: Program, _ state: inout RequestState) -> Bool {
        guard let actual = Self.number(value) else { return false }
        let order = actual.compare(to: expected)
        return switch relation {
        case .equal: order == 0
        case .greater: order > 0
        case .greaterOrEqual: order >= 0
        case .less: order < 0
        case .lessOrEqual: order <= 0
        }
    }

    func mismatch(_ value: Bytes, isBody: Bool, _ program: Program, _ state: inout RequestState) -> Mismatch? {
        Self.number(value) == nil ? Mismatch(found: Words.quoted(value) + ", which is not a number") : nil
    }

    /// A text as a number in JSON's grammar, white space around it aside.
    private static func number(_ value: Bytes) -> JSONNumber? {
        guard value.count <= limit else { return nil }
        return Program.parse(value)?.number
    }
}

extension PathTemplatePattern: TestedLeaf {
    func tester(_: inout PatternLibrary) -> any ValueTester { PathTemplateTester(PathTemplate(template)) }
}

/// Fits a value to a path with variables.
struct PathTemplateTester: ValueTester {
    private let template: PathTemplate
    var weight: BodyWeight { .text }

    init(_ template: PathTemplate) { self.template = template }

    func passes(_ value: Bytes, isBody: Bool, _ program: Program, _ state: inout RequestState) -> Bool {
        // By piece, the ends that the pieces up to it can have: linear in the value for each piece.
        var ends: Set<Int> = [0]
        for piece in template.pieces {
            if ends.isEmpty { return false }
            switch piece {
            case .literal(let bytes):
                let next = ends.compactMap { start -> Int? in
                    let end = start + bytes.count
                    guard end <= value.count else { return nil }
                    return value.slice(start, end).elementsEqual(bytes) ? end : nil
                }
                ends = Set(next)
            case .variable:
                var next: Set<Int> = []
                var reached = 0
                for start in ends.sorted() {
                    let reach = value.firstPlace(of: ASCII.slash, from: start) ?? value.count
                    for end in max(start + 1, reached)..<max(max(start + 1, reached), reach + 1) { next.insert(end) }
                    reached = max(reached, reach + 1)
                }
                ends = next
            case .rest:
                guard let first = ends.min() else { return false }
                ends = Set(first...value.count)
            }
        }
        return ends.contains(value.count)
    }
}
