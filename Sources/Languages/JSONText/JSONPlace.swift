// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// A place in JSON, or all places of one form: `$.items[*].id` as a path, `/items/*/id` as a pointer.
///
/// A path may have names, indices, `*` and `..`; filters and slices are the matchers' (`JSONPath`).
package struct JSONPlace: Hashable, Sendable {
    package enum Step: Hashable, Sendable {
        case member(String)
        case item(Int)
        /// A pointer's token: the item of this index, or the member of this name.
        case token(String)
        /// `*`: each item, or each member.
        case every
        /// `..` of a path, `**` of a pointer: the value there, and all values within it.
        case anyDepth
    }

    package var steps: [Step]

    package static let root = JSONPlace([])

    package init(_ steps: [Step]) {
        self.steps = steps
    }

    /// - Parameter pointer: a JSON pointer (RFC 6901) in which `*` stands for each item or member, and `**` for any depth.
    package init(pointer: String) {
        steps = JSONPointer.tokens(pointer).map { token in
            switch token {
            case "*": .every
            case "**": .anyDepth
            default: .token(token)
            }
        }
    }

    package func member(_ name: String) -> JSONPlace { JSONPlace(steps + [.member(name)]) }
    package var each: JSONPlace { JSONPlace(steps + [.every]) }

    /// The names on the way to the place; nil if there is anything else on it.
    package var names: [String]? {
        var names: [String] = []
        for step in steps {
            guard case .member(let name) = step else { return nil }
            names.append(name)
        }
        return names
    }

    /// The least document that has a value at this place; nil if anything but names leads to it.
    package func document(having value: JSONNode) -> JSONNode? {
        names?.reversed().reduce(value) { inner, name in
            JSONNode(.object(JSONObject([.init(name: name, value: inner)])))
        }
    }

    // MARK: Values

    /// The values of a document at the place, each once, in the document's order.
    package func values(in node: JSONNode) -> [JSONNode] {
        var values: [JSONNode] = []
        walk(node, start) { node, steps in
            if steps.contains(self.steps.count) { values.append(node) }
        }
        return values
    }

    /// Whether a document certainly has no such place: an empty list and null may have it another time.
    package func isAbsent(from node: JSONNode) -> Bool {
        var isAbsent = true
        walk(node, start) { node, steps in
            let isOpen = node.isNull || node.array?.isEmpty ?? false
            if isOpen || steps.contains(self.steps.count) { isAbsent = false }
        }
        return isAbsent
    }

    /// Visits the values on the way to the place, each once, however many `..` there are.
    ///
    /// - Parameter open: the numbers of the steps that may come next; that of the last plus one at the place itself.
    private func walk(_ node: JSONNode, _ open: [Int], _ visit: (JSONNode, [Int]) -> Void) {
        visit(node, open)
        switch node.value {
        case .array(let items):
            for (index, item) in items.enumerated() {
                let next = after(open, .item(index))
                if !next.isEmpty { walk(item, next, visit) }
            }
        case .object(let object):
            for member in object.members {
                let next = after(open, .member(member.name))
                if !next.isEmpty { walk(member.value, next, visit) }
            }
        default: return
        }
    }

    // MARK: Places

    /// Whether a place is this one, or one of these.
    package func matches(_ place: JSONPlace) -> Bool {
        place.steps.reduce(start) { after($0, $1) }.contains(steps.count)
    }

    /// Whether a place is this one or stands in it.
    package func contains(_ place: JSONPlace) -> Bool {
        var open = start
        for step in place.steps where !open.contains(steps.count) { open = after(open, step) }
        return open.contains(steps.count)
    }

    /// Whether this place is the other one or stands in it.
    package func isWithin(_ place: JSONPlace) -> Bool {
        !place.steps.reduce(start) { after($0, $1, isPart: true) }.isEmpty
    }

    // MARK: Steps

    private var start: [Int] { reached(0) }

    /// A step, and those behind each `..` from there on, which may stand for nothing.
    private func reached(_ number: Int) -> [Int] {
        let end = steps[number...].firstIndex { $0 != .anyDepth } ?? steps.count
        return Array(number...end)
    }

    /// The steps that may come next behind a step that was taken.
    private func after(_ open: [Int], _ taken: Step, isPart: Bool = false) -> [Int] {
        var next: [Int] = []
        for number in open where number < steps.count {
            let reached =
                if steps[number] == .anyDepth {
                    reached(number)
                } else {
                    steps[number].fits(taken, isPart: isPart) ? reached(number + 1) : []
                }
            for number in reached where !next.contains(number) { next.append(number) }
        }
        return next
    }
}

extension JSONPlace.Step {
    /// Whether this is a step that was taken.
    ///
    /// - Parameter isPart: whether the taken step may stand for this one among others.
    fileprivate func fits(_ taken: Self, isPart: Bool) -> Bool {
        switch (self, taken) {
        case (.every, _), (.anyDepth, _): true
        case (_, .every), (_, .anyDepth): isPart || index != nil
        case (.item, .item), (.item, .token), (.token, .item): index == taken.index
        case (.member(let name), .member(let other)), (.member(let name), .token(let other)),
            (.token(let name), .member(let other)), (.token(let name), .token(let other)):
            name.utf8.elementsEqual(other.utf8)
        case (.item, .member), (.member, .item): false
        }
    }

    private var index: Int? {
        switch self {
        case .item(let index): index
        case .token(let name): Int(name)
        case .member, .every, .anyDepth: nil
        }
    }
}
