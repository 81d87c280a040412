// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiHTTPSyntax
import MockapiJSONText
import MockapiMetering

/// A value matcher that takes more than comparing bytes, compiled: it matches, and reports beside that which value it found instead.
protocol ValueTester: Sendable {
    /// How much it can take beside reading the value's bytes.
    var weight: BodyWeight { get }
    /// The work that is given up if it takes more than it may.
    var kind: GivenUp { get }

    /// Whether a value that is there passes. A test that is given up is noted in the state, and the value does not
    /// pass.
    func passes(_ value: Bytes, isBody: Bool, _ program: Program, _ state: inout RequestState) -> Bool

    /// The reason that a value does not pass; nil if the value itself says it.
    func mismatch(_ value: Bytes, isBody: Bool, _ program: Program, _ state: inout RequestState) -> Mismatch?
}

/// A leaf matcher and its compiled form; each stands beside its tester.
protocol TestedLeaf: LeafMatcher {
    /// - Parameter library: compiles its patterns.
    func tester(_ library: inout PatternLibrary) throws(BrokenOperand) -> any ValueTester
}

extension ValueTester {
    var weight: BodyWeight { .engine }
    var kind: GivenUp { .text }

    func mismatch(_ value: Bytes, isBody: Bool, _ program: Program, _ state: inout RequestState) -> Mismatch? { nil }
}

/// How much matching a body can take, beside its size.
package enum BodyWeight: Int, Comparable, Sendable {
    /// No stub asks anything of it.
    case nothing
    /// It is compared as text.
    case text
    /// It is compared as JSON, or paths are looked up in it: few steps if it is small.
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

    /// The same, for a client that has ended its side.
    static let shortened = Mismatch(
        found: nil, note: "given up: the client has ended its side, which left a quarter of the steps")

    static let otherParameters = Mismatch(found: nil, note: "only the parameters differ")
}

extension Program {
    /// The reason that a value does not pass a test, if an engine says more than the value itself.
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
    /// Whether WireMock refuses it as well.
    var isRefused = false

    /// WireMock accepts a stub with most such operands, and reports with each request that they cannot be used.
    func finding(in dialect: FixtureSet.Dialect) -> Finding {
        dialect == .wireMock && !isRefused
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
        // A result that was not paid for is not known.
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
    let kind: GivenUp

    func passes(_ value: Bytes, isBody: Bool, _ program: Program, _ state: inout RequestState) -> Bool {
        let refusals = state.budget.meter.refusals
        let found = program.extraction(extractor, value, isBody: isBody, &state)
        if found.isGivenUp || state.budget.meter.refusals != refusals { state.givenUp.insert(kind) }
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

extension MediaTypePattern: TestedLeaf {
    func tester(_: inout PatternLibrary) -> any ValueTester {
        MediaTypeTester(text: Array(text.utf8), form: Array(form.utf8))
    }
}

/// Compares a media type with another, in whichever spelling.
struct MediaTypeTester: ValueTester {
    let text: [UInt8]
    let form: [UInt8]
    var weight: BodyWeight { .text }

    func passes(_ value: Bytes, isBody: Bool, _ program: Program, _ state: inout RequestState) -> Bool {
        if value.elementsEqual(text) { return true }
        guard state.budget.meter.pay(value.count) else {
            state.givenUp.insert(kind)
            return false
        }
        return MediaType.form(of: value) == form
    }

    func mismatch(_ value: Bytes, isBody: Bool, _ program: Program, _ state: inout RequestState) -> Mismatch? {
        guard state.budget.meter.pay(value.count), let found = MediaType.form(of: value) else { return nil }
        if found == form { return .givenUp }
        let (one, other) = (found.prefix { $0 != ASCII.semicolon }, form.prefix { $0 != ASCII.semicolon })
        return one == other ? .otherParameters : nil
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
        // The places at which the pieces so far can end, a byte for each: linear in the value for each piece.
        var ends = [Bool](repeating: false, count: value.count + 1)
        ends[0] = true
        for piece in template.pieces {
            guard let next = self.ends(of: piece, from: ends, in: value, state.budget.meter) else {
                state.givenUp.insert(kind)
                return false
            }
            ends = next
        }
        return ends[value.count]
    }

    /// The places at which a piece can end that begins at one of some; nil if they could not be paid for.
    private func ends(of piece: PathTemplate.Piece, from starts: [Bool], in value: Bytes, _ meter: Meter) -> [Bool]? {
        guard meter.pay(Meter.step + value.count) else { return nil }
        var ends = [Bool](repeating: false, count: value.count + 1)
        switch piece {
        case .literal(let bytes):
            guard bytes.count <= value.count else { break }
            for start in 0...(value.count - bytes.count) where starts[start] && value[start] == bytes[0] {
                guard meter.pay(bytes.count) else { return nil }
                ends[start + bytes.count] = value.slice(start, start + bytes.count).elementsEqual(bytes)
            }
        case .variable:
            var isOpen = false
            for place in 0..<value.count {
                isOpen = (isOpen || starts[place]) && value[place] != ASCII.slash
                ends[place + 1] = isOpen
            }
        case .rest:
            var isOpen = false
            for place in 0...value.count {
                isOpen = isOpen || starts[place]
                ends[place] = isOpen
            }
        }
        return ends
    }
}
