// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiHTTPSyntax
import MockapiJSONText
import MockapiXMLText

/// The conditions of a stub beside its target, as hashes that can be compared with those of another stub.
struct StubFacts {
    /// A key whose value must be exactly this one.
    struct Fixed {
        var key: UInt64
        /// 0 if the value has to be absent.
        var value: UInt64
    }

    /// One hash for each condition.
    private(set) var conditions: [UInt64] = []
    private(set) var fixed: [Fixed] = []
    /// The keys that must be present.
    private(set) var required: [UInt64] = []
    /// Whether query parameters that are not in `named` are a mismatch.
    private(set) var isClosed = false
    private(set) var named: [UInt64] = []

    private enum Part: UInt64 {
        case method = 1, host, pathParameter, query, header, cookie, basicAuth, body, json, others, exactly, word, field
        case place, part, port, scheme, client, form, multipart, found, scenario, told, xml
    }

    init(_ stub: Stub) {
        self.init(stub.request)
        addTold(stub)
        guard let scenario = stub.scenario, let required = scenario.required else { return }
        let key = Self.key(.scenario, scenario.name)
        let value = ByteHash.hash(required, seed: 1)
        fixed.append(Fixed(key: key, value: value | 1))
        conditions.append(ByteHash.combine(key, value))
    }

    /// Recordings that the same places distinguish exclude each other, even though the overlap of their patterns is not worked out.
    private mutating func addTold(_ stub: Stub) {
        let hasPatterns = stub.request.conditions.contains {
            switch $0 {
            case .body, .multipart: true
            default: false
            }
        }
        var hasPattern = false
        if case .pattern = stub.request.url { hasPattern = true }
        guard hasPatterns || hasPattern, let told = Self.told(stub) else { return }
        fixed.append(Fixed(key: Self.key(.told, told.family), value: ByteHash.hash(told.key, seed: 1) | 1))
    }

    /// The key of a recording, and the same text for all that the same places distinguish; nil if it is not told from others.
    static func told(_ stub: Stub) -> (key: String, family: String)? {
        guard let recorded = stub.source["recorded"], let base = recorded["base"]?.string,
            let key = recorded["key"]?.string, let places = recorded["by"]?.array
        else { return nil }
        return (key, ([base] + places.compactMap(\.string)).joined(separator: "\n"))
    }

    init(_ request: RequestPattern) {
        if let method = request.method {
            fixed.append(Fixed(key: Self.key(.method, ""), value: ByteHash.hash(method, seed: 1) | 1))
        }
        for condition in request.conditions { add(condition) }
        let body = request.body
        addFields(of: body)
        addParts(of: body)
        if case .url(let url) = request.url { addQuery(of: url) }
    }

    private mutating func add(_ condition: RequestPattern.Condition) {
        switch condition {
        case .host(let host): add(.host, "", .single(host))
        case .port(let port): fix(.port, UInt64(port))
        case .scheme(let scheme): fix(.scheme, ByteHash.hash(scheme, seed: 1))
        case .clientIP(let matcher): add(.client, "", .single(matcher))
        case .pathParameter(let parameter): add(.pathParameter, parameter.name, .single(parameter.matcher))
        case .queryParameter(let parameter):
            add(.query, parameter.name, parameter.matcher)
            named.append(Self.key(.query, parameter.name))
        case .onlyNamedQueryParameters:
            isClosed = true
            // The same names closed off, in any order, are the same condition; they stand before it.
            conditions.append(ByteHash.combine(Self.key(.others, ""), named.reduce(0, &+)))
        case .header(let header): add(.header, header.name, header.matcher)
        case .cookie(let cookie): add(.cookie, cookie.name, .single(cookie.matcher))
        case .basicAuth(let basic): fix(.basicAuth, ByteHash.hash("\(basic.username):\(basic.password)", seed: 1))
        case .formParameter(let parameter): add(.form, parameter.name, parameter.matcher)
        case .body(let body): add(body)
        case .multipart(let pattern):
            conditions.append(ByteHash.combine(Self.key(.multipart, ""), MatcherHash.of(pattern)))
            if let name = pattern.name, !pattern.asksAll, pattern.body.count == 1, pattern.headers.isEmpty,
                case .value(.equalTo(let text, caseInsensitive: false)) = pattern.body[0]
            {
                fixed.append(Fixed(key: Self.key(.multipart, name), value: ByteHash.hash(text, seed: 1) | 1))
            }
        }
    }

    /// Adds a condition that only one value meets.
    private mutating func fix(_ part: Part, _ value: UInt64) {
        fixed.append(Fixed(key: Self.key(part, ""), value: value << 1 | 1))
        conditions.append(ByteHash.combine(Self.key(part, ""), value))
    }

    private static func key(_ part: Part, _ name: String) -> UInt64 {
        ByteHash.combine(part.rawValue, ByteHash.hash(name, seed: 0))
    }

    private mutating func add(_ part: Part, _ name: String, _ matcher: MultiValueMatcher) {
        let key = Self.key(part, name)
        conditions.append(ByteHash.combine(key, MatcherHash.of(matcher)))
        guard case .single(let matcher) = matcher else {
            required.append(key)
            if case .hasExactly(let matchers) = matcher { addExactly(matchers, of: key) }
            return
        }
        switch matcher {
        case .equalTo(let text, caseInsensitive: false):
            required.append(key)
            // An odd number, so that none is that of an absent value.
            fixed.append(Fixed(key: key, value: ByteHash.hash(text, seed: 1) | 1))
        case .matches(let pattern):
            required.append(key)
            if let word = RecordedPattern.word(pattern.text) {
                let key = ByteHash.combine(Part.word.rawValue, key)
                fixed.append(Fixed(key: key, value: ByteHash.hash(word, seed: 1) | 1))
            }
        case .equalTo, .contains, .equalToJSON: required.append(key)
        case .leaf(let leaf):
            required.append(key)
            guard let only = leaf.only else { return }
            let key = ByteHash.combine(key, ByteHash.hash(leaf.key, seed: 1))
            fixed.append(Fixed(key: key, value: ByteHash.hash(only, seed: 1) | 1))
        case .jsonPath(let path, let nested), .xPath(let path, namespaces: _, let nested):
            required.append(key)
            addFound(path.text, nested, of: key)
        case .graphQL(let pattern):
            required.append(key)
            addFound("graphqlQuery", .equalTo(pattern.query.text, caseInsensitive: false), of: key)
            if let name = pattern.operationName {
                addFound("operationName", .equalTo(name, caseInsensitive: false), of: key)
            }
        case .absent: fixed.append(Fixed(key: key, value: 0))
        case .and(let matchers): for matcher in matchers { addParts(of: matcher, key) }
        case .anything, .doesNotContain, .doesNotMatch, .or, .not: break
        }
    }

    /// Adds the part that one of several matchers of a value fixes.
    private mutating func addParts(of matcher: ValueMatcher, _ key: UInt64) {
        if case .jsonPath(let path, let nested) = matcher { addFound(path.text, nested, of: key) }
    }

    /// Adds the value that a path has to find; stubs that ask for different values are told apart by it, though a body
    /// may hold both.
    private mutating func addFound(_ path: String, _ matcher: ValueMatcher?, of key: UInt64) {
        let key = ByteHash.combine(key, ByteHash.hash(path, seed: Part.found.rawValue))
        switch matcher {
        case .equalTo(let text, caseInsensitive: false):
            fixed.append(Fixed(key: key, value: ByteHash.hash(text, seed: 1) | 1))
            required.append(key)
        case .absent: fixed.append(Fixed(key: key, value: 0))
        case nil: required.append(key)
        default: break
        }
    }

    /// Values that have to be just these, in any order.
    private mutating func addExactly(_ matchers: [ValueMatcher], of key: UInt64) {
        var sum: UInt64 = 0
        for matcher in matchers {
            guard case .equalTo(let text, caseInsensitive: false) = matcher else { return }
            sum &+= ByteHash.hash(text, seed: 1)
        }
        fixed.append(Fixed(key: ByteHash.combine(Part.exactly.rawValue, key), value: sum | 1))
    }

    private mutating func add(_ body: BodyMatcher) {
        let body = body.compared
        if case .value(let matcher) = body { add(.body, "", .single(matcher)) }
        switch body {
        case .binaryEqualTo(let bytes):
            let text = bytes.withUnsafeBufferPointer { ByteHash.hash($0, seed: 1) }
            fixed.append(Fixed(key: Self.key(.body, ""), value: bytes.isEmpty ? 0 : text | 1))
            conditions.append(ByteHash.combine(Self.key(.body, ""), MatcherHash.of(body)))
        // A placeholder stands for more than one value.
        case .value(.equalToJSON(let node, let ignoresOrder, let ignoresExtra)):
            if !ignoresOrder, !ignoresExtra, JSONPlaceholder.all(in: node).isEmpty {
                fixed.append(Fixed(key: Self.key(.json, ""), value: MatcherHash.of(node) | 1))
            }
            var count = 0
            addPlaces(of: node, at: "$", ignoresOrder, ignoresExtra, &count)
        case .value(.leaf(let pattern as XMLPattern)): addPlaces(of: pattern)
        case .value, .file: break
        }
    }

    /// Places of JSON whose value or kind is fixed, beside others that are not. 64.
    private static let placeLimit = 64

    /// Adds the fixed parts of JSON, place by place: two bodies that differ in one exclude each other, whatever else a
    /// placeholder leaves open.
    private mutating func addPlaces(
        of node: JSONNode, at place: String, _ ignoresOrder: Bool, _ ignoresExtra: Bool, _ count: inout Int
    ) {
        guard count < Self.placeLimit else { return }
        count += 1
        func fix(_ value: UInt64, _ part: String = "") {
            fixed.append(Fixed(key: Self.key(.place, place + part), value: value | 1))
        }
        switch node.value {
        case .string(let text) where JSONPlaceholder(text) != nil: break
        case .object(let object):
            fix(ByteHash.hash("object", seed: 1))
            let names = object.members.map { Array($0.name.utf8) }
            let isOpen = object.members.contains { $0.value.string.flatMap { JSONPlaceholder($0) } == .ignoreElement }
            // The last value of a repeated name counts.
            guard Set(names).count == names.count else { return }
            if !ignoresExtra, !isOpen {
                fix(object.members.reduce(0) { $0 &+ ByteHash.hash($1.name, seed: 2) << 1 }, "\u{0}\u{0}names")
            }
            for member in object.members {
                addPlaces(of: member.value, at: "\(place)\u{0}\(member.name)", ignoresOrder, ignoresExtra, &count)
            }
        case .array(let elements):
            fix(ByteHash.hash("array", seed: 1))
            guard !ignoresExtra else { return }
            fix(UInt64(elements.count) << 1, "\u{0}\u{0}count")
            guard !ignoresOrder else { return }
            for (index, element) in elements.enumerated() {
                addPlaces(of: element, at: "\(place)[\(index)]", ignoresOrder, ignoresExtra, &count)
            }
        default: fix(MatcherHash.of(node))
        }
    }

    /// Adds the texts and attributes of XML: two documents that are built alike exclude each other if they differ in one, as do any documents without
    /// a placeholder that leaves something open.
    private mutating func addPlaces(of pattern: XMLPattern) {
        let isPlain =
            pattern.exemptedComparisons.isEmpty && !pattern.ignoresOrderOfSameNode && pattern.openingDelimiter == nil
            && pattern.closingDelimiter == nil && pattern.namespaceAwareness ?? "STRICT" == "STRICT"
        guard isPlain, let document = try? XMLDocument(parsing: pattern.expected.text) else { return }
        var texts: [String] = []
        let make = document.normalised(isSorted: true) { value in
            texts.append(value.text)
            return ""
        }
        func isOpen(_ text: String) -> Bool { pattern.enablesPlaceholders && text.contains("xmlunit.") }
        if !texts.contains(where: isOpen) {
            let whole = ([make] + texts).joined(separator: "\u{0}")
            fixed.append(Fixed(key: Self.key(.xml, ""), value: ByteHash.hash(whole, seed: 1) | 1))
        }
        for (place, text) in texts.prefix(Self.placeLimit).enumerated() where !isOpen(text) {
            fixed.append(Fixed(key: Self.key(.xml, "\(make)\u{0}\(place)"), value: ByteHash.hash(text, seed: 1) | 1))
        }
    }

    /// The fields of a form whose names are all different, with no other field allowed.
    private mutating func addFields(of body: [BodyMatcher]) {
        let patterns = body.compactMap { matcher -> String? in
            if case .value(.matches(let pattern)) = matcher { pattern.text } else { nil }
        }
        guard let count = patterns.lazy.compactMap(RecordedPattern.fieldCount).first else { return }
        fixed.append(Fixed(key: Self.key(.field, ""), value: UInt64(count) << 1 | 1))
        let fields = patterns.compactMap(RecordedPattern.field)
        guard fields.count == count else { return }
        let values = Dictionary(grouping: fields, by: \.name).mapValues { $0.map(\.value) }
        // If several fields have one name, each has a value that no other meets.
        let areApart = values.values.allSatisfy { $0.count == 1 || !$0.contains(nil) && Set($0).count == $0.count }
        guard areApart else { return }
        for (name, values) in values where !values.contains(nil) {
            let value = values.compactMap(\.self).map { ByteHash.hash($0, seed: 1) }.reduce(0, &+)
            fixed.append(Fixed(key: Self.key(.field, name), value: value | 1))
        }
        // As many others leave no room for further ones.
        let names = fields.map { ByteHash.hash($0.name, seed: 2) }.reduce(0, &+)
        fixed.append(Fixed(key: Self.key(.field, "\u{0}"), value: names | 1))
    }

    /// The parts of a recorded form (RFC 7578) whose names are all different: no client sends two of one name then.
    private mutating func addParts(of body: [BodyMatcher]) {
        let parts = body.compactMap { matcher in
            if case .value(.contains(let text)) = matcher { RecordedPattern.part(text) } else { nil }
        }
        guard Set(parts.map(\.name)).count == parts.count else { return }
        for part in parts {
            let key = Self.key(.part, part.name)
            fixed.append(Fixed(key: key, value: ByteHash.hash(part.head, seed: 1) | 1))
            guard let content = part.content else { continue }
            fixed.append(
                Fixed(key: ByteHash.combine(Part.part.rawValue, key), value: ByteHash.hash(content, seed: 1) | 1))
        }
    }

    /// A `url` fixes the whole query.
    private mutating func addQuery(of url: String) {
        isClosed = true
        var values: [UInt64: [UInt64]] = [:]
        let query = url.utf8.drop { $0 != ASCII.question }.dropFirst()
        for pair in QueryText.pairs(of: Array(query)) {
            let key = Self.key(.query, QueryText.decoded(pair.name))
            values[key, default: []].append(ByteHash.hash(QueryText.decoded(pair.value ?? []), seed: 1) | 1)
        }
        for (key, values) in values {
            named.append(key)
            required.append(key)
            if values.count == 1 { fixed.append(Fixed(key: key, value: values[0])) }
        }
    }

    /// Whether it is plain that no request meets both: other values or absence of one thing, or a parameter that the other refuses.
    func excludes(_ other: StubFacts) -> Bool { excludesOneSided(other) || other.excludesOneSided(self) }

    private func excludesOneSided(_ other: StubFacts) -> Bool {
        for mine in fixed {
            if mine.value == 0, other.required.contains(mine.key) { return true }
            for theirs in other.fixed where theirs.key == mine.key && theirs.value != mine.value { return true }
        }
        guard isClosed else { return false }
        return other.required.contains { key in !named.contains(key) && other.named.contains(key) }
    }
}
