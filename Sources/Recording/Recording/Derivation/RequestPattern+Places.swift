// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiHTTPSyntax
import MockapiJSONText

extension DerivedRequest {
    /// The same request, with conditions on its values at some places.
    func told(by places: [SentPlace], of sent: SentRequest, names: [String: String], origin: String) -> DerivedRequest {
        var pattern = pattern
        for place in places { pattern.ask(for: sent.values[place], at: place, names) }
        var request = self
        if places.isEmpty { return request }
        request.ask(pattern, for: places, origin: origin)
        request.apart = places.compactMap { Self.word(of: sent.values[$0], at: $0) }
        return request
    }

    /// A word of a value for the names of files; nil for a value that the matchers of header lines say.
    private static func word(of value: [SentValue]?, at place: SentPlace) -> String? {
        if case .header = place { return nil }
        guard let value else { return "otherwise" }
        if let placeholder = value.first?.placeholder { return placeholder.word }
        let text = value.map(\.text).joined(separator: "-")
        let word = SenderName.word(text, limit: wordLimit)
        let isShort = text.utf8.count <= wordLimit && !word.isEmpty
        return isShort ? word : String(ContentHash.of(Array(text.utf8)).hexadecimal.prefix(hashLength))
    }

    /// Bytes of a value that stands in a name; a longer one does as six digits of its hash. 40.
    private static let wordLimit = 40
    private static let hashLength = 6
}

extension RequestPattern {
    /// Asks for the values that a request had at a place.
    ///
    /// - Parameters:
    ///   - value: nil if it had nothing there.
    ///   - names: the names of header lines as clients write them, by those in lower case.
    fileprivate mutating func ask(for value: [SentValue]?, at place: SentPlace, _ names: [String: String]) {
        let matchers = (value ?? []).map { value in
            switch value {
            case .bytes(let bytes): ByteMatcher.equal(to: bytes)
            case .handed(let placeholder): placeholder.matcher
            }
        }
        let several = matchers.count == 1 ? MultiValueMatcher.single(matchers[0]) : .hasExactly(matchers)
        switch place {
        case .header(let name):
            let condition = Condition.header(
                .init(names[name] ?? name, value == nil ? .single(.absent) : several))
            insert(condition) { other in
                guard case .header(let line) = other else { return !Self.isBeforeHeaders(other) }
                return name < line.name.lowercased()
            }
        case .cookie(let name):
            ask(.cookie(.init(name, matchers.first ?? .absent))) { _ in nil }
        case .parameter(let name):
            ask(.queryParameter(.init(name, several))) { known in
                guard case .queryParameter(let other) = known, other.name == name else { return nil }
                return .queryParameter(.init(name, several))
            }
        case .order: url = url.asking(order: (value ?? []).map(\.text))
        case .target: if let target = value?.first { url = .url(target.text) }
        case .field, .fieldOrder:
            let fields = (value ?? []).map { value in
                guard case .field(let name) = place, let placeholder = value.placeholder else {
                    return PatternText.escaped(value.text)
                }
                return PatternText.escaped(name) + "=" + placeholder.pattern
            }
            let condition = Condition.body(
                .value(.matching("(.*&)?" + fields.joined(separator: "&(.*&)?") + "(&.*)?")))
            guard case .field(let name) = place, fields.count == 1, let known = index(ofField: name) else {
                conditions.append(condition)
                return
            }
            conditions[known] = condition
        case .member(let place):
            let node = value?.first.flatMap { value in
                value.placeholder?.member ?? value.bytes.flatMap { try? JSONParser.parse($0) }
            }
            guard let node, let object = place.document(having: node) else { return }
            conditions.append(.body(.value(.equalToJSON(object, ignoreArrayOrder: false, ignoreExtraElements: true))))
        case .part(let name):
            for content in (value ?? []).compactMap(\.bytes) {
                conditions.append(
                    .multipart(.init(name: name.isEmpty ? nil : name, body: [SentContent.matcher(of: content)])))
            }
        case .parts:
            let pieces = (value ?? []).map { PatternText.escaped($0.text) }
            conditions.append(.body(.value(.matching(".*" + pieces.joined(separator: ".*") + ".*"))))
        case .content:
            if let content = value?.first?.bytes { conditions.append(.body(SentContent.matcher(of: content))) }
        }
    }

    /// The condition on a field of a form that is matched as present.
    private func index(ofField name: String) -> Int? {
        let text = "(.*&)?" + PatternText.escaped("\(name)=") + "[^&]+(&.*)?"
        return conditions.firstIndex {
            if case .body(.value(.matches(let pattern))) = $0 { pattern.text == text } else { false }
        }
    }

    private static func isBeforeHeaders(_ condition: Condition) -> Bool {
        switch condition {
        case .host, .port, .scheme, .clientIP, .pathParameter, .queryParameter, .onlyNamedQueryParameters, .header:
            true
        case .cookie, .basicAuth, .formParameter, .body, .multipart: false
        }
    }

    /// Puts a condition in front of the first that comes behind it.
    private mutating func insert(_ condition: Condition, before isBehind: (Condition) -> Bool) {
        conditions.insert(condition, at: conditions.firstIndex(where: isBehind) ?? conditions.endIndex)
    }

    /// Asks for something in the place of a condition, or else in front of those on the content, as stubs are written.
    ///
    /// - Parameter replacing: gives the replacement of a condition; nil for a condition that stays.
    mutating func ask(_ condition: Condition, replacing: (Condition) -> Condition?) {
        for (place, known) in conditions.enumerated() {
            guard let other = replacing(known) else { continue }
            conditions[place] = other
            return
        }
        let place = conditions.firstIndex { if case .body = $0 { true } else { false } }
        conditions.insert(condition, at: place ?? conditions.endIndex)
    }
}

extension URLMatcher {
    /// The same target, with some texts of its query in their order.
    fileprivate func asking(order texts: [String]) -> URLMatcher {
        let order = "(?=(.*&)?" + texts.map(PatternText.escaped).joined(separator: "&(.*&)?") + "(&.*)?$)"
        switch self {
        case .path(let path): return .pattern(Pattern(PatternText.escaped(path) + "\\?" + order + ".*"))
        case .pathPattern(let pattern): return .pattern(Pattern(pattern.text + "\\?" + order + ".*"))
        case .pattern(let pattern):
            return .pattern(Pattern(String(pattern.text.dropLast(2)) + order + ".*"))
        case .any, .url, .pathTemplate: return self
        }
    }
}
