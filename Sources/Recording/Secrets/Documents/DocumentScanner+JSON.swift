// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPSyntax
import MockapiJSONText

/// Where in a JSON text a value stands.
struct JSONPosition {
    /// The names and indexes that lead to it.
    var steps: [String] = []
    /// The naming of the nearest secret name.
    var naming = JSONNaming()
    var isInArray = false
    var isInTalk = false
    /// Whether it stays, whatever it is.
    var isAllowed = false
}

extension DocumentScanner {
    /// Looks through a JSON value.
    ///
    /// - Parameter start: where the text begins that the value was read from.
    mutating func visit(_ node: JSONNode, from start: Int) {
        var chosen = chosen
        for path in paths { chosen.formUnion(path.values(in: node).map(\.offset)) }
        var allowed: Set<Int> = []
        for path in allowedPaths { allowed.formUnion(path.values(in: node).map(\.offset)) }
        var position = JSONPosition()
        visit(node, from: start, chosen, allowed, &position)
    }

    private mutating func visit(
        _ node: JSONNode, from start: Int, _ chosen: Set<Int>, _ allowed: Set<Int>, _ position: inout JSONPosition
    ) {
        if !allowed.isEmpty, !position.isAllowed, allowed.contains(node.offset) {
            position.isAllowed = true
            visit(node, from: start, chosen, allowed, &position)
            position.isAllowed = false
            return
        }
        if !chosen.isEmpty, !position.isAllowed, chosen.contains(node.offset),
            replaceWhole(node, at: start + node.offset, position)
        {
            return
        }
        switch node.value {
        case .null, .bool: return
        case .number(let number): visit(number, at: start + node.offset, position)
        case .string: visitString(at: start + node.offset, position, isName: false)
        case .array(let elements):
            let before = position.isInArray
            position.isInArray = true
            for (index, element) in elements.enumerated() {
                position.steps.append(String(index))
                visit(element, from: start, chosen, allowed, &position)
                position.steps.removeLast()
            }
            position.isInArray = before
        case .object(let object):
            let before = position
            let roles = JSONRoles(object, below: before.naming)
            for member in object.members {
                visitName(at: start + member.nameOffset, position)
                enter(member.name, &position)
                if let naming = roles.naming(of: member, position.naming) { position.naming = naming }
                if let variables = roles.variables, member.name == "variables" {
                    visit(variables: member.value, variables, from: start, chosen, allowed, &position)
                    position.steps.removeLast()
                    position.naming = before.naming
                    continue
                }
                visit(member.value, from: start, chosen, allowed, &position)
                position.steps.removeLast()
                position.naming = before.naming
                position.isInArray = before.isInArray
                position.isInTalk = before.isInTalk
            }
        }
    }

    /// Looks through the variables of a call of GraphQL, each by the name of the argument that it is passed to.
    private mutating func visit(
        variables node: JSONNode, _ arguments: [String: String], from start: Int, _ chosen: Set<Int>,
        _ allowed: Set<Int>, _ position: inout JSONPosition
    ) {
        guard let object = node.object else { return visit(node, from: start, chosen, allowed, &position) }
        for member in object.members {
            visitName(at: start + member.nameOffset, position)
            let before = position
            enter(member.name, &position)
            if position.naming.rule == nil, let argument = arguments[member.name] {
                position.naming = JSONNaming(argument)
            }
            visit(member.value, from: start, chosen, allowed, &position)
            position = before
        }
    }

    private mutating func enter(_ name: String, _ position: inout JSONPosition) {
        let naming: JSONNaming
        if let cached = namings[name] ?? found[name] {
            naming = cached
        } else {
            naming = JSONNaming(name)
            found[name] = naming
        }
        position.steps.append(name)
        if naming.isMatcher { return }
        position.naming = naming
        position.isInArray = false
        if naming.isTalk { position.isInTalk = true }
    }

    /// The name of a place in the document.
    private func place(_ position: JSONPosition) -> String {
        ([base]
            + position.steps.map { step in
                Placeholder.holdsSecret(step, known: known, hasRuns: true) ? Placeholder.unnamed : step
            }).joined(separator: ".")
    }

    /// Takes a value that a path of the rules chose; false if it is a placeholder or empty.
    private mutating func replaceWhole(_ node: JSONNode, at offset: Int, _ position: JSONPosition) -> Bool {
        if node.isNull || node.string?.isEmpty == true { return true }
        let range = offset..<JSONExtent.end(of: offset, in: bytes)
        let value = node.string.map { Array($0.utf8) } ?? Array(bytes[range])
        if value.withUnsafeBufferPointer({ Placeholder.isWhole($0) }) { return true }
        hits.append(
            SecretHit(
                range: range, value: value, kind: .rule, place: place(position), spread: .ifOwn, needsQuotes: true,
                node: offset))
        return true
    }

    private mutating func visit(_ number: JSONNumber, at offset: Int, _ position: JSONPosition) {
        let isNamed =
            switch position.naming.rule {
            case .any: true
            case .digits(let lengths): lengths.contains(number.literal.utf8.count)
            default: false
            }
        let isKnown = !known.isEmpty && number.literal.utf8.count >= 8
        guard isNamed && strictness == .redaction && !position.isInTalk || isKnown else { return }
        let range = offset..<offset + number.literal.utf8.count
        if isNamed, strictness == .redaction, !position.isInTalk {
            hits.append(
                SecretHit(
                    range: range, value: Array(bytes[range]), kind: .named(position.naming.name),
                    place: place(position),
                    spread: .ifOwn, needsQuotes: true, node: offset, isAllowed: position.isAllowed))
            return
        }
        var found: [UInt8]?
        // Never a part of a number.
        known.search(bytes.slice(range)) { place, value in if place.count == range.count { found = value } }
        guard let found else { return }
        hits.append(
            SecretHit(
                range: range, value: found, kind: .known(""), place: place(position), needsQuotes: true, node: offset,
                isAllowed: position.isAllowed))
    }

    private mutating func visitName(at offset: Int, _ position: JSONPosition) {
        visitString(at: offset, position, isName: true)
    }

    private mutating func visitString(at offset: Int, _ position: JSONPosition, isName: Bool) {
        let (end, isEscaped) = JSONExtent.string(at: offset, in: bytes)
        let content = offset + 1..<end - 1
        if content.isEmpty { return }
        if isName || position.naming.rule == nil, content.count < 6 { return }
        if isEscaped {
            let mapped = MappedText(json: bytes.slice(content))
            mapped.bytes.withUnsafeBufferPointer { text in
                look(at: text, position, isName: isName, content: content) { mapped.range($0) }
            }
        } else {
            look(at: bytes.slice(content), position, isName: isName, content: content) { $0 }
        }
    }

    /// Looks through the text of a string.
    ///
    /// - Parameters:
    ///   - content: where the string stands between its quotes.
    ///   - written: where a range of the text stands between the quotes.
    private mutating func look(
        at text: Bytes, _ position: JSONPosition, isName: Bool, content: Range<Int>, written: (Range<Int>) -> Range<Int>
    ) {
        let node = isName ? nil : content.lowerBound - 1
        if !isName, let (kind, spread) = whole(text, position) {
            hits.append(
                SecretHit(
                    range: content, value: Array(text), kind: SecretKind.shape(of: text) ?? kind,
                    place: place(position), spread: spread, node: node, isAllowed: position.isAllowed))
            return
        }
        if let node, var recorded = recorded[node], let template = recorded.withUTF8(PlaceholderTemplate.init) {
            for (range, place) in template.holes(in: text) {
                let inner = written(range)
                hits.append(
                    SecretHit(
                        range: content.lowerBound + inner.lowerBound..<content.lowerBound + inner.upperBound,
                        value: Array(text[range]), kind: .rule, place: place, spread: .ifOwn, node: node,
                        isAllowed: position.isAllowed))
            }
        }
        let matches = TextScanner.matches(
            in: text, strictness: strictness, known: known, trustsQuotedNames: isOfRequest,
            hasRuns: !isName && !position.naming.isExempt && !position.naming.isPublic(text))
        if matches.isEmpty { return }
        let place = place(position) + (isName ? ".name" : "")
        for match in matches {
            let range = written(match.range)
            add(match, at: content.lowerBound + range.lowerBound..<content.lowerBound + range.upperBound, place: place)
            hits[hits.count - 1].node = node
            hits[hits.count - 1].isAllowed = position.isAllowed
        }
    }

    /// The kind of secret that the text of a string is as a whole, and how far it is looked for.
    private func whole(_ text: Bytes, _ position: JSONPosition) -> (SecretKind, SecretSpread)? {
        let naming = position.naming
        if let rule = naming.rule {
            guard rule.matches(text), !naming.isPublic(text) else { return nil }
            if strictness == .redaction, known.isWord(text) { return (.named(naming.name), .ifOwn) }
            if strictness == .redaction, case .digits = rule { return (.named(naming.name), .everywhere) }
            let traits = TextTraits(text)
            // Nothing in a request is a text for people.
            if !isOfRequest, Label.isOne(text, traits, rule) { return nil }
            let isBelieved =
                switch strictness {
                case .scan: traits.isRealToken
                case .redaction: !(position.isInArray || position.isInTalk) || traits.isToken(least: 8)
                }
            guard isBelieved else { return nil }
            let isSpread = !traits.isCommon || base != MessageSide.response.rawValue && rule == .any
            return (.named(naming.name), isSpread ? .everywhere : .ifOwn)
        }
        if naming.isBase64, strictness == .scan { return contained(in: text).map { ($0, .everywhere) } }
        if strictness == .redaction, let kind = EncodedJSON.secret(in: text) { return (kind, .everywhere) }
        return !naming.isExempt && TextTraits.mayBeRun(text) && TextTraits(text).isHighEntropy
            ? (.highEntropy, .everywhere) : nil
    }

    /// The first secret in a text that stands in Base64.
    private func contained(in text: Bytes) -> SecretKind? {
        guard let decoded = Base64.decode(text, .found), !decoded.contains(0) else { return nil }
        return decoded.withUnsafeBufferPointer {
            TextScanner.matches(in: $0, strictness: .scan, known: known).first?.kind
        }
    }
}
