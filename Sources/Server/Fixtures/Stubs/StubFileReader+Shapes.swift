// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiJSONText

extension StubFileReader {
    /// Reports values of another shape than they should have: unknown and repeated keys, wrong types, keys of later work.
    ///
    /// - Parameter deep: whether lists inside of an object are looked into.
    mutating func check(_ cursor: Cursor, against shape: ValueShape, deep: Bool = true) {
        if !shape.accepts(cursor.node) {
            let cure = Self.cure(cursor, shape).map { "; \($0)" } ?? ""
            report(.error, "expected \(shape.expectation), found \(found(cursor.node, shape))\(cure)", at: cursor)
            return
        }
        switch shape {
        case .object(let object): checkMembers(cursor, of: object, deep: deep)
        case .freeObject: checkRepeats(cursor)
        case .map(let value):
            checkRepeats(cursor)
            for member in cursor.members { check(member.value, against: value) }
        case .list(let element, _) where deep:
            for value in cursor.elements { check(value, against: element) }
        case .either(let shapes):
            if let fitting = shapes.first(where: { $0.accepts(cursor.node) }) { check(cursor, against: fitting) }
        default: break
        }
    }

    /// The text to write in the place of a value of the wrong kind; nil if several could be meant.
    private static func cure(_ cursor: Cursor, _ shape: ValueShape) -> String? {
        let node = cursor.node
        guard case .member(let name, _) = cursor.pointer else { return nil }
        switch name {
        case "body" where node.object != nil || node.array != nil: return "write \"jsonBody\" for JSON"
        case "method" where node.array != nil: return "write a stub for each, or \"ANY\""
        case "equalTo" where node.number != nil:
            return node.number.map { "write \"\($0.literal)\" in quotes, or \"equalToNumber\"" }
        default: break
        }
        if let text = node.string, let value = try? JSONParser.parse(text), shape.accepts(value) {
            return "write \(text) without quotes"
        }
        if let number = node.number, shape.accepts(.string(number.literal)) {
            return "write \"\(number.literal)\" in quotes"
        }
        if case .list(let element, _) = shape, element.accepts(node) { return "write it in [ ]" }
        return nil
    }

    private func found(_ node: JSONNode, _ shape: ValueShape) -> String {
        if case .choice = shape, let text = node.string { return "\"\(text)\"" }
        return Self.name(of: node)
    }

    private mutating func checkMembers(_ cursor: Cursor, of shape: ObjectShape, deep: Bool) {
        let members = cursor.node.object?.members ?? []
        // Of so many some are unknown, or stand there twice.
        let isFlood = members.count > Self.mostFindings + shape.keys.count
        if !isFlood { checkRepeats(cursor) }
        defer { if isFlood, !isExhausted { checkRepeats(cursor) } }
        for member in members {
            if isExhausted { return }
            let pointer = Pointer.member(member.name, of: cursor.pointer)
            guard let key = shape.key(member.name) else {
                // WireMock takes the other parameters of a webhook for its templates.
                if isWireMock, shape == .webhook { continue }
                reportUnknown(member, pointer: pointer, of: shape)
                continue
            }
            if isWireMock, member.value.isNull, !key.takesNull { continue }
            switch key.standing {
            case .known:
                check(Cursor(member.value, pointer), against: value(of: key), deep: deep)
            case .notYet(let instead):
                if isWireMock, member.value.isEmpty { continue }
                report(
                    isWireMock ? .warning : .error,
                    isWireMock
                        ? "no request can reach this: \"\(key.name)\" is code, which is not run; \(instead)"
                        : "\"\(key.name)\" is not supported yet; \(instead)",
                    offset: member.nameOffset, pointer: pointer)
            case .wireMock(let word):
                if isWireMock {
                    check(Cursor(member.value, pointer), against: key.value, deep: deep)
                } else {
                    let way = word.map { "did you mean \"\($0)\"?" } ?? "WireMock knows it, but it has no meaning here"
                    report(.error, "unknown key \"\(key.name)\"; \(way)", offset: member.nameOffset, pointer: pointer)
                }
            }
        }
    }

    /// The values that a key takes: WireMock knows no bounds for some keys.
    private func value(of key: ObjectKey) -> ValueShape {
        guard isWireMock else { return key.value }
        switch key.name {
        // Its value does not count.
        case "absent": return .anything
        case _ where JacksonValues.textOperators.contains(key.name): return .anything
        case "hasExactly", "includes": return .list(.object(.matcher), minimum: 0)
        case "priority": return .integer(.min ... .max)
        case "status": return .either([.integer(0...0), key.value])
        default: return key.value
        }
    }

    /// Reports names that stood before in the same object.
    private mutating func checkRepeats(_ cursor: Cursor) {
        let members = cursor.node.object?.members ?? []
        if members.count < 2 || members.count < 16 && !Self.mayRepeat(members) { return }
        var seen: Set<ExactText> = []
        for member in members where !seen.insert(ExactText(member.name)).inserted {
            report(
                isWireMock ? .warning : .error,
                "repeated key \"\(member.name)\"" + (isWireMock ? "; the last one counts, as in WireMock" : ""),
                offset: member.nameOffset,
                pointer: .member(member.name, of: cursor.pointer))
        }
    }

    /// Whether two names of a few are equal, at least to `String`; costs less than a set of them.
    private static func mayRepeat(_ members: [JSONObject.Member]) -> Bool {
        members.indices.contains { later in
            let name = members[later].name
            return members[..<later].contains { $0.name == name }
        }
    }

    private mutating func reportUnknown(_ member: JSONObject.Member, pointer: Pointer, of shape: ObjectShape) {
        let names = isFull ? [] : shape.keys.filter { $0.isKnown || isWireMock }.map(\.name)
        var text = "unknown key \"\(member.name)\""
        if isFull {
            // The finding is not listed, so it needs no hint.
        } else if let hint = Self.hint(for: member.name, in: shape) {
            text += "; \(hint)"
        } else if let nearest = Nearest.word(to: member.name, among: names) {
            text +=
                nearest.isNear
                ? "; did you mean \"\(nearest.word)\"?" : "; the nearest known key is \"\(nearest.word)\""
        }
        let isMatcher = shape == .matcher || shape == .multiMatcher || shape == .bodyMatcher
        report(isWireMock && isMatcher ? .warning : .error, text, offset: member.nameOffset, pointer: pointer)
    }
}

extension StubFileReader {
    /// The hint for a key that is known, but elsewhere.
    private static func hint(for key: String, in shape: ObjectShape) -> String? {
        switch (shape, key) {
        case (.stub, "mappings"): "did you mean \"stubs\"?"
        case (.response, "delay"), (.response, "latency"): "did you mean \"fixedDelayMilliseconds\"?"
        case (.response, "code"), (.response, "statusCode"): "did you mean \"status\"?"
        case (.response, "json"): "did you mean \"jsonBody\"?"
        case (.request, "path"), (.request, "uri"), (.request, "endpoint"), (.request, "route"):
            "did you mean \"urlPath\"?"
        case (.request, "query"), (.request, "params"), (.request, "queryParams"): "did you mean \"queryParameters\"?"
        case (.request, "body"): "did you mean \"bodyPatterns\"?"
        case (.stubList, _) where ObjectShape.stub.key(key) != nil: "it belongs to a stub of the list"
        case (.stub, _) where ObjectShape.request.key(key) != nil: "it belongs to \"request\""
        case (.stub, _) where ObjectShape.response.key(key) != nil: "it belongs to \"response\""
        case (.request, _) where ObjectShape.response.key(key)?.isKnown == true: "it belongs to \"response\""
        case (.response, _) where ObjectShape.request.key(key)?.isKnown == true: "it belongs to \"request\""
        case (.request, _) where ObjectShape.stub.key(key)?.isKnown == true,
            (.response, _) where ObjectShape.stub.key(key)?.isKnown == true:
            "it belongs to the stub itself"
        case (.matcher, "hasExactly"), (.matcher, "includes"), (.bodyMatcher, "hasExactly"), (.bodyMatcher, "includes"):
            "it is for parts that can have several values: query parameters and headers"
        case (.matcher, "binaryEqualTo"), (.multiMatcher, "binaryEqualTo"):
            "it is for \"bodyPatterns\", and not inside of \"and\", \"or\" and \"not\""
        case (.matcher, _) where FileMatcher(rawValue: key) != nil,
            (.multiMatcher, _) where FileMatcher(rawValue: key) != nil:
            "it is for \"bodyPatterns\", and not inside of \"and\", \"or\" and \"not\""
        default: nil
        }
    }
}

extension ObjectKey {
    /// Whether null is a value of the key rather than WireMock's way to leave it out.
    fileprivate var takesNull: Bool {
        if case .anything = value, case .known = standing { true } else { false }
    }
}

extension JSONNode {
    /// Whether the value says nothing: null, an empty list, an empty object.
    fileprivate var isEmpty: Bool {
        switch value {
        case .null: true
        case .array(let elements): elements.isEmpty
        case .object(let object): object.members.isEmpty
        default: false
        }
    }
}
