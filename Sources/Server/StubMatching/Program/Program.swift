// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiJSONText
import MockapiRegularExpressions

/// All stubs of a set, compiled: flat records in the order of rank, and one pool of their bytes.
///
/// Nothing here is counted or allocated when a request is matched.
final class Program: Sendable {
    let entries: FrozenArray<Entry>
    let conditions: FrozenArray<Condition>
    let tests: FrozenArray<ValueTest>
    let pool: FrozenArray<UInt8>
    let templates: FrozenArray<TemplateRecord>
    let templatePieces: FrozenArray<TemplatePiece>
    /// Where the methods that stubs name stand in the pool; the first is number 1.
    let methods: FrozenArray<PoolRange>
    let patterns: [RegularExpression]
    let patternPrefixes: FrozenArray<PoolRange>
    let jsonValues: [JSONTest]
    /// The numbers of the patterns that stand in expected JSON.
    let jsonPatterns: [ExactText: UInt32]
    let testers: [any ValueTester]
    let extractors: [any ValueExtractor]
    let multiparts: [MultipartTest]
    let dialect: FixtureSet.Dialect
    let clock: MatchClock
    /// Whether a stub asks anything of a body.
    let readsBodies: Bool
    /// Whether a stub compares a body as JSON, or asks for a path in it.
    private let looksIntoBodies: Bool
    /// The hashes of the exact paths whose stubs ask an engine, and whether stubs of other targets do.
    private let enginePaths: Set<UInt64>
    private let hasEnginesElsewhere: Bool
    /// How much matching values of the head can take, whatever the path.
    let valueWeight: BodyWeight
    /// Whether a stub asks for the address that a request comes from.
    let readsClients: Bool
    /// Whether a stub asks for the host of a request.
    let readsHosts: Bool

    struct JSONTest: Sendable {
        let expected: JSONNode
        let form: JSONForm
        let comparison: JSONComparison
    }

    /// The tests of the parts of a multipart body.
    struct MultipartTest: Sendable {
        let pattern: MultipartPattern
        /// Their tests, in the order of the pattern.
        let headers: [Condition]
        let body: [UInt32]
    }

    /// The number of a method that no stub names.
    static let unknownMethod = UInt16.max
    static let get: UInt16 = 1
    static let head: UInt16 = 2

    init(
        entries: [Entry], conditions: [Condition], tests: [ValueTest], pool: [UInt8], templates: [TemplateRecord],
        templatePieces: [TemplatePiece], methods: [PoolRange], patterns: [RegularExpression],
        patternPrefixes: [PoolRange],
        jsonValues: [JSONTest], jsonPatterns: [ExactText: UInt32], testers: [any ValueTester],
        extractors: [any ValueExtractor], multiparts: [MultipartTest], engineEntries: [Int],
        dialect: FixtureSet.Dialect,
        clock: MatchClock
    ) {
        self.entries = FrozenArray(entries)
        self.conditions = FrozenArray(conditions)
        readsBodies = conditions.contains { $0.kind == .body || $0.kind == .form || $0.kind == .multipart }
        let weights = Self.weights(conditions, tests, testers)
        looksIntoBodies = testers.contains { $0.weight == .path } || weights.body >= .path
        let engines = engineEntries.map { entries[$0] }
        hasEnginesElsewhere = engines.contains { $0.urlKind != .path && $0.urlKind != .never }
        enginePaths = Set(
            engines.filter { $0.urlKind == .path }.map { entry in
                pool[Int(entry.urlStart)..<Int(entry.urlEnd)].withUnsafeBufferPointer { ByteHash.hash($0, seed: 0) }
            })
        valueWeight = weights.values
        readsClients = conditions.contains { $0.kind == .clientIP }
        readsHosts = conditions.contains { $0.kind == .host }
        self.testers = testers
        self.extractors = extractors
        self.multiparts = multiparts
        self.tests = FrozenArray(tests)
        self.pool = FrozenArray(pool)
        self.templates = FrozenArray(templates)
        self.templatePieces = FrozenArray(templatePieces)
        self.methods = FrozenArray(methods)
        self.patterns = patterns
        self.patternPrefixes = FrozenArray(patternPrefixes)
        self.jsonValues = jsonValues
        self.jsonPatterns = jsonPatterns
        self.dialect = dialect
        self.clock = clock
    }

    @inline(__always)
    func bytes(_ range: PoolRange) -> Bytes { pool.slice(range.start, range.end) }

    /// How much matching the body of a request for a path can take.
    func bodyWeight(of path: Bytes) -> BodyWeight {
        if hasEnginesElsewhere { return .engine }
        if !enginePaths.isEmpty, enginePaths.contains(ByteHash.hash(path, seed: 0)) { return .engine }
        return looksIntoBodies ? .path : readsBodies ? .text : .nothing
    }

    /// How much matching the values of a request's head can take.
    func valueWeight(of path: Bytes) -> BodyWeight {
        guard valueWeight == .engine else { return valueWeight }
        return bodyWeight(of: path) == .engine ? .engine : .path
    }

    /// How much the conditions on bodies, and on the values of heads, can take.
    private static func weights(
        _ conditions: [Condition], _ tests: [ValueTest], _ testers: [any ValueTester]
    ) -> (body: BodyWeight, values: BodyWeight) {
        func weight(_ number: UInt32) -> BodyWeight {
            let test = tests[Int(number)]
            switch test.operation {
            case .tester: return testers[Int(test.first)].weight
            case .equalToJSON: return .path
            case .and, .or: return (test.first..<test.first + test.second).map(weight).max() ?? .nothing
            case .not: return weight(test.first)
            default: return .nothing
            }
        }
        var body = BodyWeight.nothing
        var values = BodyWeight.nothing
        for condition in conditions where condition.kind.hasTests {
            let most = (condition.test..<condition.test + condition.testCount).lazy.map(weight).max() ?? .nothing
            if condition.kind == .body { body = max(body, most) } else { values = max(values, most) }
        }
        return (body, values)
    }

    /// The number of a method.
    @inline(__always)
    func methodNumber(_ method: Bytes) -> UInt16 {
        for index in 0..<methods.count where bytes(methods[index]).equals(method) { return UInt16(index + 1) }
        return Self.unknownMethod
    }

    deinit {
        entries.deallocate()
        conditions.deallocate()
        tests.deallocate()
        pool.deallocate()
        templates.deallocate()
        templatePieces.deallocate()
        methods.deallocate()
        patternPrefixes.deallocate()
    }
}
