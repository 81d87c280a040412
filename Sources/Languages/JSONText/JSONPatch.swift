// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// A JSON patch (RFC 6902): operations that are applied all, or none of them.
package struct JSONPatch: Sendable {
    /// Operations of a patch. 1,000.
    package static let operationLimit = 1_000

    /// Why a patch is not applied.
    package struct Failure: Error, Equatable, Sendable {
        package enum Kind: Sendable {
            /// The patch itself is malformed.
            case malformed
            /// A value that it is about is not there.
            case missing
            /// One of its tests fails.
            case test
            /// It takes more than it may.
            case limit
        }

        package let kind: Kind
        /// Names the operation by its place in the patch.
        package let text: String
    }

    private enum Kind: String {
        case add, remove, replace, move, copy, test
    }

    private struct Operation {
        let kind: Kind
        let path: [String]
        let from: [String]
        let value: JSONNode
        /// The name of the operation in messages.
        let label: String

        func failure(_ kind: Failure.Kind, _ text: String) -> Failure { Failure(kind: kind, text: "\(label): \(text)") }
    }

    private let operations: [Operation]

    /// - Throws: `Failure` if this is not a patch (§3, §4), or is too long.
    package init(_ node: JSONNode) throws(Failure) {
        guard let elements = node.array else {
            throw Failure(kind: .malformed, text: "expected a list of operations")
        }
        guard elements.count <= Self.operationLimit else {
            throw Failure(kind: .limit, text: "a patch has at most \(Self.operationLimit) operations")
        }
        var operations: [Operation] = []
        for (number, element) in elements.enumerated() { operations.append(try Self.operation(element, number)) }
        self.operations = operations
    }

    private static func operation(_ node: JSONNode, _ number: Int) throws(Failure) -> Operation {
        func malformed(_ text: String) -> Failure { Failure(kind: .malformed, text: "operation \(number): \(text)") }
        guard let word = node["op"]?.string, let kind = Kind(rawValue: word) else {
            throw malformed("expected \"op\": add, remove, replace, move, copy or test")
        }
        guard let text = node["path"]?.string, let path = JSONPointer.tokens(strictly: text) else {
            throw malformed("expected \"path\", a JSON pointer such as \"/name\"")
        }
        var from: [String] = []
        if kind == .move || kind == .copy {
            guard let text = node["from"]?.string, let pointer = JSONPointer.tokens(strictly: text) else {
                throw malformed("expected \"from\", a JSON pointer such as \"/name\"")
            }
            from = pointer
            if kind == .move, path.count > from.count, path.starts(with: from) {
                throw malformed("a value cannot be moved into itself")
            }
        }
        let needsValue = kind == .add || kind == .replace || kind == .test
        guard let value = node["value"] ?? (needsValue ? nil : JSONNode.null) else {
            throw malformed("expected \"value\"")
        }
        return Operation(
            kind: kind, path: path, from: from, value: value, label: "operation \(number) (\(word) \(text))")
    }

    /// Takes steps, one for each value that an operation passes, moves, copies or compares and for each byte of its text; false if there are no
    /// more.
    package typealias Pay = (Int) -> Bool

    /// The value that a patch makes of another (§5).
    package func applied(to node: JSONNode, paying pay: Pay) throws(Failure) -> JSONNode {
        var root = node
        for operation in operations {
            switch operation.kind {
            case .add: try Self.add(operation.value, to: &root, operation, pay)
            case .remove: _ = try Self.change(.remove, &root, operation.path[...], operation, pay)
            case .replace:
                _ = try Self.change(.replace(operation.value), &root, operation.path[...], operation, pay)
                try Self.count(operation.value, at: operation, pay)
            case .move:
                let value = try Self.change(.remove, &root, operation.from[...], operation, pay)
                try Self.add(value, to: &root, operation, pay)
            case .copy:
                try Self.add(
                    try Self.value(at: operation.from, of: root, operation, pay), to: &root, operation, pay)
            case .test:
                let value = try Self.value(at: operation.path, of: root, operation, pay)
                try Self.count(value, at: operation, pay)
                guard value == operation.value else { throw operation.failure(.test, "the value is another") }
            }
        }
        return root
    }

    private static func add(
        _ value: JSONNode, to root: inout JSONNode, _ operation: Operation, _ pay: Pay
    ) throws(Failure) {
        try count(value, at: operation, pay)
        _ = try change(.add(value), &root, operation.path[...], operation, pay)
    }

    private enum Change {
        case add(JSONNode)
        case replace(JSONNode)
        case remove
    }

    /// Changes the value that a pointer leads to.
    ///
    /// - Returns: the value that was there.
    private static func change(
        _ change: Change, _ node: inout JSONNode, _ path: ArraySlice<String>, _ operation: Operation, _ pay: Pay
    ) throws(Failure) -> JSONNode {
        guard let name = path.first else {
            let old = node
            switch change {
            case .add(let value), .replace(let value): node = value
            case .remove: throw operation.failure(.missing, "the whole cannot be removed")
            }
            return old
        }
        let rest = path.dropFirst()
        let offset = node.offset
        switch node.value {
        case .array(var elements):
            try charge(elements.count, operation, pay)
            // So that the elements have one owner, and are changed where they lie.
            node.value = .null
            let isAdded = if case .add = change { rest.isEmpty } else { false }
            guard let index = index(name, count: elements.count, mayBeEnd: isAdded) else {
                throw operation.failure(.missing, "there is no element \"\(name)\"")
            }
            var old = JSONNode.null
            if !rest.isEmpty {
                old = try self.change(change, &elements[index], rest, operation, pay)
            } else {
                switch change {
                case .add(let value): elements.insert(value, at: index)
                case .replace(let value):
                    old = elements[index]
                    elements[index] = value
                case .remove: old = elements.remove(at: index)
                }
            }
            node = JSONNode(.array(elements), offset: offset)
            return old
        case .object(var object):
            try charge(object.members.count, operation, pay)
            node.value = .null
            let index = object.members.lastIndex { $0.name.utf8.elementsEqual(name.utf8) }
            var old = JSONNode.null
            if let index {
                if !rest.isEmpty {
                    old = try self.change(change, &object.members[index].value, rest, operation, pay)
                } else {
                    old = object.members[index].value
                    switch change {
                    case .add(let value), .replace(let value): object.members[index].value = value
                    case .remove: object.members.removeAll { $0.name.utf8.elementsEqual(name.utf8) }
                    }
                }
            } else if rest.isEmpty, case .add(let value) = change {
                object.members.append(.init(name: name, value: value))
            } else {
                throw operation.failure(.missing, "there is no member \"\(name)\"")
            }
            node = JSONNode(.object(object), offset: offset)
            return old
        default: throw operation.failure(.missing, "there is no \"\(name)\" in a \(node.kindName)")
        }
    }

    private static func value(
        at path: [String], of root: JSONNode, _ operation: Operation, _ pay: Pay
    ) throws(Failure) -> JSONNode {
        var node = root
        for name in path {
            let next: JSONNode?
            switch node.value {
            case .array(let elements): next = index(name, count: elements.count, mayBeEnd: false).map { elements[$0] }
            case .object(let object):
                try charge(object.members.count, operation, pay)
                next = object[name]
            default: next = nil
            }
            guard let next else { throw operation.failure(.missing, "there is no \"\(name)\" in a \(node.kindName)") }
            node = next
        }
        return node
    }

    /// The index that a name of a pointer is (RFC 6901 §4); nil if it is not an index, or of no element.
    private static func index(_ name: String, count: Int, mayBeEnd: Bool) -> Int? {
        if name == "-" { return mayBeEnd ? count : nil }
        let digits = name.utf8
        guard digits.allSatisfy({ (0x30...0x39).contains($0) }), digits.count == 1 || digits.first != 0x30,
            let index = Int(name), index < count || mayBeEnd && index == count
        else { return nil }
        return index
    }

    private static func charge(_ count: Int, _ operation: Operation, _ pay: Pay) throws(Failure) {
        guard pay(count + 1) else {
            throw operation.failure(.limit, "the patch takes more steps than a request may")
        }
    }

    /// Counts the values within a value, and checks that nothing is nested deeper than a text can say.
    private static func count(
        _ node: JSONNode, at operation: Operation, _ pay: Pay
    ) throws(Failure) {
        try count(node, depth: operation.path.count, operation, pay)
    }

    private static func count(
        _ node: JSONNode, depth: Int, _ operation: Operation, _ pay: Pay
    ) throws(Failure) {
        guard depth <= JSONParser.maximumDepth else {
            throw operation.failure(.limit, "the value would be nested deeper than \(JSONParser.maximumDepth) levels")
        }
        switch node.value {
        case .null, .bool: try charge(1, operation, pay)
        case .number(let number): try charge(number.literal.utf8.count, operation, pay)
        case .string(let text): try charge(text.utf8.count, operation, pay)
        case .array(let elements):
            try charge(1, operation, pay)
            for element in elements { try count(element, depth: depth + 1, operation, pay) }
        case .object(let object):
            try charge(1, operation, pay)
            for member in object.members {
                try charge(member.name.utf8.count, operation, pay)
                try count(member.value, depth: depth + 1, operation, pay)
            }
        }
    }
}

extension JSONNode {
    /// The value that a merge patch (RFC 7396 §2) makes of this one; members stay in their order, new ones go behind them.
    package func merging(_ patch: JSONNode) -> JSONNode {
        guard let changes = patch.object else { return patch }
        var members = object?.members ?? []
        var places = Dictionary(
            members.enumerated().map { (ExactName(text: $1.name), $0) }, uniquingKeysWith: { $1 })
        var removed: Set<ExactName> = []
        for change in changes.members {
            let name = ExactName(text: change.name)
            if change.value.isNull {
                removed.insert(name)
            } else if let place = places[name] {
                let old = removed.remove(name) == nil ? members[place].value : .null
                members[place].value = old.merging(change.value)
            } else {
                places[name] = members.count
                members.append(.init(name: change.name, value: JSONNode.null.merging(change.value)))
            }
        }
        if !removed.isEmpty { members.removeAll { removed.contains(ExactName(text: $0.name)) } }
        return JSONNode(.object(JSONObject(members)))
    }
}
