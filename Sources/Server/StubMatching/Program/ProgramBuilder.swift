// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiHTTPSyntax
import MockapiJSONText

/// Compiles the stubs of a set, in the order of rank.
struct ProgramBuilder {
    private var entries: [Entry] = []
    private var conditions: [Condition] = []
    private var tests: [ValueTest] = []
    private var pool: [UInt8] = []
    private var templates: [TemplateRecord] = []
    private var templatePieces: [TemplatePiece] = []
    private var templateNumbers: [ExactText: UInt32] = [:]
    private var methods: [PoolRange] = []
    private var methodNumbers: [String: UInt16] = [:]
    private var library = PatternLibrary()
    private var testers: [any ValueTester] = []
    private var extractors: [any ValueExtractor] = []
    private var extractorNumbers: [ExtractorKey: UInt32] = [:]
    private var multiparts: [Program.MultipartTest] = []
    /// The places of the entries that ask an engine.
    private var engineEntries: [Int] = []
    /// The findings on paths, schemas, XML and dates.
    private var engineFindings: [Finding] = []
    private var jsonValues: [Program.JSONTest] = []
    private var jsonPatterns: [ExactText: UInt32] = [:]
    /// Where the stub at hand stands, for findings on parts that have no place of their own.
    private var place: Place
    private let dialect: FixtureSet.Dialect

    /// - Parameter order: the ordinals of the stubs, best rank first.
    /// - Returns: the program, the findings on the operands of stubs, and the ordinals of the stubs that never match
    ///   because something of theirs is broken.
    static func build(
        _ set: FixtureSet, order: [Int], clock: MatchClock
    ) -> (program: Program, findings: [Finding], unusable: [Int]) {
        var builder = ProgramBuilder(dialect: set.dialect)
        _ = builder.methodNumber("GET")
        _ = builder.methodNumber("HEAD")
        var unusable: [Int] = []
        for ordinal in order {
            builder.place = set.stubs[ordinal].place
            let before = builder.findingCount
            builder.add(set.stubs[ordinal].request, ordinal: ordinal)
            builder.entries[builder.entries.count - 1].isGuard = set.stubs[ordinal].isGuard
            if builder.findingCount > before {
                // Whatever surrounds the pattern: `not` of a broken one must match nothing.
                builder.entries[builder.entries.count - 1].urlKind = .never
                unusable.append(ordinal)
            }
        }
        return (builder.finish(clock), builder.library.findings + builder.engineFindings, unusable.sorted())
    }

    private var findingCount: Int { library.findings.count + engineFindings.count }

    private init(dialect: FixtureSet.Dialect) {
        self.dialect = dialect
        place = Place(path: "")
    }

    private mutating func finish(_ clock: MatchClock) -> Program {
        let prefixes = library.prefixes.map { store($0) }
        return Program(
            entries: entries, conditions: conditions, tests: tests, pool: pool, templates: templates,
            templatePieces: templatePieces, methods: methods, patterns: library.expressions, patternPrefixes: prefixes,
            jsonValues: jsonValues, jsonPatterns: jsonPatterns, testers: testers, extractors: extractors,
            multiparts: multiparts, engineEntries: engineEntries, dialect: dialect, clock: clock)
    }

    private mutating func add(_ request: RequestPattern, ordinal: Int) {
        var entry = Entry(
            ordinal: UInt32(ordinal), method: request.method.map { methodNumber($0) } ?? 0, urlKind: .any)
        var names: [String] = []
        switch request.url {
        case .any: break
        case .url(let url): set(&entry, .url, store(Self.normalized(url).utf8))
        case .path(let path): set(&entry, .path, store(path.utf8))
        case .pattern(let pattern): set(&entry, .pattern, pattern)
        case .pathPattern(let pattern): set(&entry, .pathPattern, pattern)
        case .pathTemplate(let text):
            let template = PathTemplate(text)
            names = template.names
            entry.urlKind = .template
            entry.urlStart = templateNumber(text, template)
        }
        entry.conditionStart = UInt32(conditions.count)
        let firstTester = testers.count
        addConditions(request, variables: names)
        if testers[firstTester...].contains(where: { $0.weight == .engine }) { engineEntries.append(entries.count) }
        entry.conditionCount = UInt32(conditions.count) - entry.conditionStart
        entries.append(entry)
    }

    /// A `url` without an empty query: `/x?` is `/x`.
    static func normalized(_ url: String) -> Substring {
        url.utf8.last == ASCII.question
            && url.utf8.firstIndex(of: ASCII.question) == url.utf8.index(before: url.endIndex)
            ? url.dropLast() : url[...]
    }

    private func set(_ entry: inout Entry, _ kind: Entry.URLKind, _ range: PoolRange) {
        entry.urlKind = kind
        entry.urlStart = range.start
        entry.urlEnd = range.end
    }

    private mutating func set(_ entry: inout Entry, _ kind: Entry.URLKind, _ pattern: Pattern) {
        guard let number = library.number(of: pattern) else {
            entry.urlKind = .never
            return
        }
        entry.urlKind = kind
        entry.urlStart = number
    }

    /// Adds one record for each condition, in their order: code that walks a stub's conditions walks its records by the same count.
    private mutating func addConditions(_ request: RequestPattern, variables: [String]) {
        for condition in request.conditions {
            switch condition {
            case .host(let matcher): add(.host, name: "", [matcher])
            case .port(let port): conditions.append(Condition(kind: .port, nameHash: UInt32(clamping: port)))
            case .scheme(let scheme):
                conditions.append(Condition(kind: .scheme, nameHash: scheme == "https" ? 1 : scheme == "http" ? 0 : 2))
            case .clientIP(let matcher): add(.clientIP, name: "", [matcher])
            case .pathParameter(let parameter):
                let number = variables.firstIndex(of: parameter.name).map(UInt32.init) ?? .max
                add(.pathParameter, name: parameter.name, [parameter.matcher], nameHash: number)
            case .queryParameter(let parameter): add(.query, name: parameter.name, parameter.matcher)
            case .onlyNamedQueryParameters: conditions.append(Condition(kind: .onlyNamedQuery, testCount: 0))
            case .header(let header): add(.header, name: header.name, header.matcher)
            case .cookie(let cookie): add(.cookie, name: cookie.name, [cookie.matcher])
            case .basicAuth(let basic):
                let range = store(Base64.encode(Array("\(basic.username):\(basic.password)".utf8)))
                conditions.append(Condition(kind: .basicAuth, test: addTest(test(.equalTo, range))))
            case .formParameter(let parameter): add(.form, name: parameter.name, parameter.matcher)
            case .body(let body): conditions.append(Condition(kind: .body, test: addTest(body)))
            case .multipart(let pattern): addMultipart(pattern)
            }
        }
    }

    private mutating func addMultipart(_ pattern: MultipartPattern) {
        // The lines that a part is asked for are records of their own kind, which do not stand among the stub's.
        let first = conditions.count
        for header in pattern.headers { add(.header, name: header.name, header.matcher) }
        let headers = Array(conditions[first...])
        conditions.removeSubrange(first...)
        let body = pattern.body.map { addTest($0) }
        conditions.append(Condition(kind: .multipart, test: UInt32(multiparts.count)))
        multiparts.append(Program.MultipartTest(pattern: pattern, headers: headers, body: body))
    }

    private mutating func addTest(_ body: BodyMatcher) -> UInt32 {
        switch body {
        case .value(let matcher): return addTests([matcher])
        case .binaryEqualTo(let bytes): return addTest(test(.binaryEqualTo, store(bytes)))
        case .file(_, let matcher): return addTest(matcher)
        }
    }

    private mutating func addTest(_ test: ValueTest) -> UInt32 {
        tests.append(test)
        return UInt32(tests.count - 1)
    }

    private mutating func add(_ kind: Condition.Kind, name: String, _ matcher: MultiValueMatcher) {
        switch matcher {
        case .single(let matcher): add(kind, name: name, [matcher])
        case .hasExactly(let matchers): add(kind, name: name, matchers, quantifier: .hasExactly)
        case .includes(let matchers): add(kind, name: name, matchers, quantifier: .includes)
        }
    }

    private mutating func add(
        _ kind: Condition.Kind, name: String, _ matchers: [ValueMatcher],
        quantifier: Condition.Quantifier = .single, nameHash: UInt32? = nil
    ) {
        let range = store(name.utf8)
        let hash = nameHash ?? UInt32(truncatingIfNeeded: ByteHash.hash(name, seed: 0))
        let first = addTests(matchers)
        conditions.append(
            Condition(
                kind: kind, quantifier: quantifier, nameStart: range.start, nameEnd: range.end, nameHash: hash,
                test: first, testCount: UInt32(matchers.count)))
    }

    /// Adds matchers side by side and returns the first one's place.
    private mutating func addTests(_ matchers: [ValueMatcher]) -> UInt32 {
        let first = tests.count
        tests.append(contentsOf: repeatElement(ValueTest(operation: .never), count: matchers.count))
        for (offset, matcher) in matchers.enumerated() { tests[first + offset] = test(matcher) }
        return UInt32(first)
    }

    private mutating func test(_ matcher: ValueMatcher) -> ValueTest {
        switch matcher {
        case .equalTo(let text, let ignoringCase):
            return test(ignoringCase ? .equalToIgnoringCase : .equalTo, store(text.utf8))
        case .contains(let text): return test(.contains, store(text.utf8))
        case .doesNotContain(let text): return test(.doesNotContain, store(text.utf8))
        case .matches(let pattern): return test(.matches, pattern)
        case .doesNotMatch(let pattern): return test(.doesNotMatch, pattern)
        case .absent: return ValueTest(operation: .absent)
        case .anything: return ValueTest(operation: .anything)
        case .leaf, .jsonPath, .xPath, .graphQL: return engineTest(matcher)
        case .equalToJSON(let expected, let ignoreArrayOrder, let ignoreExtraElements):
            guard addPatterns(of: expected) else { return ValueTest(operation: .never) }
            let comparison = JSONComparison(
                ignoreArrayOrder: ignoreArrayOrder, ignoreExtraElements: ignoreExtraElements, dialect: dialect)
            let form = JSONForm(expected, readsPlaceholders: true)
            jsonValues.append(Program.JSONTest(expected: expected, form: form, comparison: comparison))
            return ValueTest(operation: .equalToJSON, first: UInt32(jsonValues.count - 1))
        case .and(let matchers):
            return ValueTest(operation: .and, first: addTests(matchers), second: UInt32(matchers.count))
        case .or(let matchers):
            return ValueTest(operation: .or, first: addTests(matchers), second: UInt32(matchers.count))
        case .not(let matcher): return ValueTest(operation: .not, first: addTests([matcher]), second: 1)
        }
    }

    // MARK: Engines

    /// The test of a matcher that an engine runs; if its operand is broken, a test that never passes, with a finding.
    private mutating func engineTest(_ matcher: ValueMatcher) -> ValueTest {
        do throws(BrokenOperand) {
            switch matcher {
            case .leaf(let leaf as any TestedLeaf): return add(try leaf.tester(&library))
            case .jsonPath(let path, let nested):
                let part = FoundPart(nested)
                let key = ExtractorKey(kind: "matchesJsonPath", texts: [path.text, part.rawValue])
                return add(key, try JSONPathExtractor(path, part, dialect), nested: nested)
            case .xPath(let path, let namespaces, let nested):
                let part = FoundPart(nested)
                let names = namespaces.flatMap { [$0.name, $0.matcher] }
                let key = ExtractorKey(kind: "matchesXPath", texts: [path.text, part.rawValue] + names)
                return add(key, try XPathExtractor(path, namespaces: namespaces, part), nested: nested)
            case .graphQL(let pattern): return try graphQLTest(pattern)
            default: return ValueTest(operation: .never)
            }
        } catch {
            engineFindings.append(error.finding(in: dialect))
            return ValueTest(operation: .never)
        }
    }

    /// The parts of a GraphQL request, each by a test of its own, so that stubs are told apart by each.
    private mutating func graphQLTest(_ pattern: GraphQLPattern) throws(BrokenOperand) -> ValueTest {
        let query = try pattern.normalizedQuery()
        var asked: [(GraphQLPart, ValueMatcher)] = [(.query, .equalTo(query, caseInsensitive: false))]
        if let name = pattern.operationName { asked.append((.operationName, .equalTo(name, caseInsensitive: false))) }
        if let variables = pattern.variables {
            asked.append((.variables, .equalToJSON(variables, ignoreArrayOrder: false, ignoreExtraElements: false)))
        }
        let first = tests.count
        tests.append(contentsOf: repeatElement(ValueTest(operation: .never), count: asked.count))
        for (offset, (part, matcher)) in asked.enumerated() {
            let key = ExtractorKey(kind: "graphqlQuery", texts: [part.rawValue])
            tests[first + offset] = add(key, GraphQLExtractor(part: part), nested: matcher)
        }
        return ValueTest(operation: .and, first: UInt32(first), second: UInt32(asked.count))
    }

    private mutating func add(_ tester: any ValueTester) -> ValueTest {
        testers.append(tester)
        return ValueTest(operation: .tester, first: UInt32(testers.count - 1))
    }

    /// The test of an extractor's result.
    private mutating func add(
        _ key: ExtractorKey, _ extractor: some ValueExtractor, nested: ValueMatcher?
    ) -> ValueTest {
        let number = extractorNumbers[key] ?? UInt32(extractors.count)
        if extractorNumbers[key] == nil {
            extractors.append(extractor)
            extractorNumbers[key] = number
        }
        let before = findingCount
        let test = nested.map { addTests([$0]) }
        if findingCount > before { return ValueTest(operation: .never) }
        let isXPath = key.kind == "matchesXPath"
        let kind: GivenUp = isXPath ? .xPath : key.kind == "matchesJsonPath" ? .path : .graphQL
        let whole = if case .equalToJSON = nested { !isXPath } else { false }
        // In WireMock an XPath that finds nothing matches nothing.
        let absent = if case .absent = nested { !(isXPath && dialect == .wireMock) } else { false }
        return add(
            FoundTester(
                extractor: number, nested: test, asksWhole: whole, asksAbsent: absent,
                weight: isXPath ? .engine : .path, kind: kind))
    }

    /// Whether all patterns of placeholders can be compiled.
    private mutating func addPatterns(of expected: JSONNode) -> Bool {
        var areSound = true
        for case .regex(let text) in JSONPlaceholder.all(in: expected) {
            let number = library.number(
                of: Pattern(text, at: place, isJava: dialect == .wireMock),
                named: "the pattern \(Words.quoted(text.utf8)) in equalToJson")
            jsonPatterns[ExactText(text)] = number
            if number == nil { areSound = false }
        }
        return areSound
    }

    private func test(_ operation: ValueTest.Operation, _ range: PoolRange) -> ValueTest {
        ValueTest(operation: operation, first: range.start, second: range.end)
    }

    private mutating func test(_ operation: ValueTest.Operation, _ pattern: Pattern) -> ValueTest {
        guard let number = library.number(of: pattern) else { return ValueTest(operation: .never) }
        return ValueTest(operation: operation, first: number)
    }

    private mutating func templateNumber(_ text: String, _ template: PathTemplate) -> UInt32 {
        if let number = templateNumbers[ExactText(text)] { return number }
        let first = templatePieces.count
        for piece in template.pieces {
            switch piece {
            case .literal(let bytes):
                let range = store(bytes)
                templatePieces.append(TemplatePiece(kind: .literal, start: range.start, end: range.end))
            case .variable: templatePieces.append(TemplatePiece(kind: .variable))
            case .rest: templatePieces.append(TemplatePiece(kind: .rest))
            }
        }
        let number = UInt32(templates.count)
        templates.append(TemplateRecord(first: UInt32(first), count: UInt32(template.pieces.count)))
        templateNumbers[ExactText(text)] = number
        return number
    }

    private mutating func methodNumber(_ method: String) -> UInt16 {
        if let number = methodNumbers[method] { return number }
        methods.append(store(method.utf8))
        // Beyond 65,534 methods the rest are never met.
        let number = UInt16(clamping: methods.count)
        methodNumbers[method] = number
        return number
    }

    private mutating func store(_ bytes: some Sequence<UInt8>) -> PoolRange {
        let start = UInt32(pool.count)
        pool.append(contentsOf: bytes)
        return PoolRange(start: start, end: UInt32(pool.count))
    }
}
