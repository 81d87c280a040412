// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiMetering

/// One comparison of two documents, within a budget.
struct XMLComparer {
    let expected: XMLDocument
    let actual: XMLDocument
    private let exempted: Set<XMLEquality.Comparison>
    private let ignoresOrder: Bool
    private let awareness: XMLEquality.NamespaceAwareness
    private let placeholders: XMLPlaceholders?
    private let most: Int
    private(set) var differences: [XMLDifference] = []
    /// The comparisons that may be made, a step each.
    private var allowance: Allowance
    private(set) var isGivenUp = false
    /// How many comparisons are only tried.
    private var trials = 0

    init(_ equality: XMLEquality, _ actual: XMLDocument, most: Int, _ meter: Meter?) {
        expected = equality.expected
        self.actual = actual
        exempted = equality.options.exemptedComparisons
        ignoresOrder = equality.options.ignoresOrderOfSameName
        awareness = equality.options.namespaceAwareness
        placeholders = equality.placeholders
        self.most = most
        let nodes = equality.expected.nodes.count + actual.nodes.count
        allowance = Allowance(
            steps: XMLLimits.comparisons + nodes * (XMLLimits.comparisonsPerNode + Self.stepsOfChild), of: meter)
    }

    mutating func compare() -> Bool {
        let isEqual = compareChildren(0, 0)
        if !isGivenUp { return isEqual }
        let message = "the documents are too large to be compared: more than \(allowance.most) pairs of nodes"
        differences = [XMLDifference(path: "/", message: message)]
        return false
    }

    /// Whether nothing more need be found out: further differences are looked for only where their words are wanted.
    private var isDone: Bool { trials > 0 || differences.count >= most || isGivenUp }

    /// Steps of an attribute, and the most of a child, that is found and put where other steps find it: some tables are made. 8.
    private static let stepsOfChild = 8
    /// Those of them for each table. 2.
    private static let stepsOfTable = 2

    /// Pays for pairs; false, and all of it is given up, if they are too many.
    private mutating func pay(_ pairs: Int) -> Bool {
        if !isGivenUp, allowance.pay(steps: pairs) { return true }
        return giveUp()
    }

    private mutating func giveUp() -> Bool {
        isGivenUp = true
        return false
    }

    private func counts(_ comparison: XMLEquality.Comparison) -> Bool { !exempted.contains(comparison) }

    /// Notes a difference; true if it does not count.
    private mutating func differ(
        _ comparison: XMLEquality.Comparison, _ place: Place, _ message: @autoclosure () -> String
    ) -> Bool {
        guard counts(comparison) else { return true }
        if trials == 0, differences.count < most {
            // The way to a node counts those beside it.
            if case .actual(let node, _) = place, !pay(1 + Int(actual.nodes[Int(actual.nodes[node].parent)].end) / 8) {
                return false
            }
            differences.append(XMLDifference(path: path(to: place), message: message()))
        }
        return false
    }

    // MARK: - Children

    /// Compares the contents of an expected node and of another.
    private mutating func compareChildren(_ parent: Int, _ other: Int) -> Bool {
        guard let wanted = expected.items(of: parent, &allowance) else { return giveUp() }
        if placeholders?.stand(for: wanted) == true { return true }
        guard let found = actual.items(of: other, &allowance) else { return giveUp() }
        var isEqual = true
        if wanted.count != found.count, exempted.contains(.childLookup) {
            let message = "expected \(wanted.count) children, got \(found.count)"
            isEqual = differ(.childCount, .expected(parent), message)
            if !isEqual, isDone { return false }
        }
        var (pairs, missing, extra) = paired(wanted, found)
        pairPartners(&pairs, &missing, &extra)
        if isGivenUp { return false }
        for (one, other) in pairs where !compare(one, other) {
            isEqual = false
            if isDone { return false }
        }
        for item in missing {
            if !differ(.childLookup, .expected(item.node), "expected \(Self.shown(item)), which is missing") {
                isEqual = false
                if isDone { return false }
            }
        }
        for item in extra where wanted.count != found.count {
            let message = "got \(Self.shown(item)), which is not expected"
            if !differ(.childCount, .actual(item.node, in: parent), message) {
                isEqual = false
                if isDone { return false }
            }
        }
        return isEqual
    }

    /// Gives an item without a partner by name a remaining one of its kind, from which it differs by its name then.
    private mutating func pairPartners(
        _ pairs: inout [(XMLItem, XMLItem)], _ missing: inout [XMLItem], _ extra: inout [XMLItem]
    ) {
        if !missing.isEmpty, !extra.isEmpty {
            for isElement in [true, false] {
                guard pay(missing.count + extra.count) else { return }
                let ones = missing.filter { ($0.kind == .element) == isElement }
                let others = extra.filter { ($0.kind == .element) == isElement }
                let new = Array(zip(ones, others))
                guard !new.isEmpty else { continue }
                pairs += new
                let gone = Set(new.map(\.0.node))
                let taken = Set(new.map(\.1.node))
                missing.removeAll { gone.contains($0.node) }
                extra.removeAll { taken.contains($0.node) }
            }
        }
        pairs.sort { $0.0.node < $1.0.node }
    }

    /// Pairs children by their kinds and names; those of one name in their order, or by equality.
    private mutating func paired(
        _ wanted: [XMLItem], _ found: [XMLItem]
    ) -> (pairs: [(XMLItem, XMLItem)], missing: [XMLItem], extra: [XMLItem]) {
        var open = wanted
        var taken: Set<Int> = []
        if ignoresOrder, wanted.count > 1 || found.count > 1 { open = withoutEquals(wanted, found, &taken) }
        var groups: [XMLItem.Key: [Int]] = [:]
        for index in found.indices.reversed() where !taken.contains(index) {
            guard pay(Self.stepsOfTable) else { break }
            groups[key(of: found[index]), default: []].append(index)
        }
        var pairs: [(XMLItem, XMLItem)] = []
        var missing: [XMLItem] = []
        for item in open {
            guard pay(Self.stepsOfTable) else { break }
            guard let index = groups[key(of: item)]?.popLast() else {
                missing.append(item)
                continue
            }
            taken.insert(index)
            pairs.append((item, found[index]))
        }
        return (pairs, missing, found.indices.filter { !taken.contains($0) }.map { found[$0] })
    }

    /// The children that nothing equals, once each of the others has its own.
    private mutating func withoutEquals(
        _ wanted: [XMLItem], _ found: [XMLItem], _ taken: inout Set<Int>
    ) -> [XMLItem] {
        // Items with different texts cannot be equal, unless texts stand for others or do not count.
        let texts = placeholders == nil && exempted.isDisjoint(with: Self.ofTexts)
        var groups: [Candidates: [Int]] = [:]
        for (index, item) in found.enumerated().reversed() {
            guard pay(Self.stepsOfTable) else { break }
            let weight = texts ? actual.weight(of: item.node) : 0
            groups[Candidates(key: key(of: item), weight: weight), default: []].append(index)
        }
        var open: [XMLItem] = []
        for item in wanted {
            guard pay(Self.stepsOfTable) else { break }
            let weight = texts ? expected.weight(of: item.node) : 0
            let candidates = Candidates(key: key(of: item), weight: weight)
            // The first one is the last of the list, and mostly the one.
            let match = groups[candidates]?.indices.reversed().first { position in
                isGivenUp || groups[candidates].map { isEqual(item, found[$0[position]]) } ?? false
            }
            guard let match, let index = groups[candidates]?.remove(at: match) else {
                open.append(item)
                continue
            }
            taken.insert(index)
        }
        return open
    }

    /// The comparisons that keep elements of different texts apart.
    private static let ofTexts: Set<XMLEquality.Comparison> = [.textValue, .childLookup, .childCount, .nodeType]

    private struct Candidates: Hashable {
        var key: XMLItem.Key
        var weight: Int
    }

    /// The key that partners share: an element's name, another node's kind.
    private func key(of item: XMLItem) -> XMLItem.Key {
        switch item.kind {
        case .element: .element(awareness == .none ? item.name.qualified : item.name.local)
        case .instruction: .instruction
        default: .text
        }
    }

    private mutating func isEqual(_ one: XMLItem, _ other: XMLItem) -> Bool {
        trials += 1
        defer { trials -= 1 }
        return compare(one, other)
    }

    // MARK: - Nodes

    private mutating func compare(_ one: XMLItem, _ other: XMLItem) -> Bool {
        guard pay(1) else { return false }
        if one.kind != other.kind {
            if !differ(.nodeType, .expected(one.node), "expected \(Self.shown(one)), got \(Self.shown(other))") {
                return false
            }
            if one.kind == .element || other.kind == .element { return true }
        }
        switch one.kind {
        case .element: return compareElements(one, other)
        case .instruction:
            if one.name.local != other.name.local,
                !differ(
                    .instructionTarget, .expected(one.node),
                    "expected the instruction \(one.name.local), got \(other.name.local)")
            {
                return false
            }
            return one.text == other.text
                || differ(
                    .instructionData, .expected(one.node),
                    "expected \(Self.quoted(one.text)), got \(Self.quoted(other.text))")
        default:
            return isSame(one.text, other.text)
                || differ(
                    .textValue, .expected(one.node), "expected \(Self.quoted(one.text)), got \(Self.quoted(other.text))"
                )
        }
    }

    private mutating func compareElements(_ one: XMLItem, _ other: XMLItem) -> Bool {
        var isEqual = true
        if key(of: one) != key(of: other) {
            isEqual = differ(
                .elementTagName, .expected(one.node), "expected <\(one.name.qualified)>, got <\(other.name.qualified)>")
            // The content of such elements differs as a whole.
            if !isEqual { return false }
        }
        if let namespace = namespace(of: one), namespace != self.namespace(of: other) {
            let found = self.namespace(of: other).map { "the namespace \(Self.quoted($0))" } ?? "none"
            isEqual =
                differ(
                    .namespaceURI, .expected(one.node), "expected the namespace \(Self.quoted(namespace)), got \(found)"
                ) && isEqual
            if !isEqual, isDone { return false }
        }
        isEqual = compareAttributes(one.node, other.node) && isEqual
        if !isEqual, isDone { return false }
        return compareChildren(one.node, other.node) && isEqual
    }

    /// The namespace that counts; nil if none does.
    private func namespace(of item: XMLItem) -> String? {
        switch awareness {
        case .strict: item.name.namespace
        case .legacy: item.name.prefix == nil ? item.name.namespace : nil
        case .none: nil
        }
    }

    /// An element's attributes by the names that count.
    private func attributes(_ document: XMLDocument, _ element: Int) -> [String: (text: String, name: XMLName)] {
        var result: [String: (text: String, name: XMLName)] = [:]
        for attribute in document.attributes(of: element) {
            let name = document.name(of: attribute)
            if document.nodes[attribute].kind == .namespace, awareness != .none { continue }
            let key =
                awareness == .strict ? "{\(name.namespace ?? "")}\(name.local)" : name.qualified
            result[key] = (document.nodes[attribute].value.trimmed, name)
        }
        return result
    }

    private mutating func compareAttributes(_ one: Int, _ other: Int) -> Bool {
        let count = expected.attributes(of: one).count + actual.attributes(of: other).count
        if count == 0 { return true }
        guard pay(count * Self.stepsOfChild) else { return false }
        let wanted = attributes(expected, one)
        let found = attributes(actual, other)
        var isEqual = true
        var ignored = 0
        for (key, value) in wanted.sorted(by: { $0.key < $1.key }) {
            let place = Place.attribute(value.name, of: one)
            let kind: XMLEquality.Comparison =
                switch key {
                case "{http://www.w3.org/2001/XMLSchema-instance}schemaLocation": .schemaLocation
                case "{http://www.w3.org/2001/XMLSchema-instance}noNamespaceSchemaLocation": .noNamespaceSchemaLocation
                default: .attributeValue
                }
            if let other = found[key] {
                if isSame(value.text, other.text)
                    || differ(kind, place, "expected \(Self.quoted(value.text)), got \(Self.quoted(other.text))")
                {
                    continue
                }
            } else if placeholders?.isIgnore(value.text) == true {
                ignored += 1
                continue
            } else if differ(
                kind == .attributeValue ? .attributeLookup : kind, place,
                "expected \(Self.quoted(value.text)), which is missing")
            {
                continue
            }
            isEqual = false
            if isDone { return false }
        }
        if wanted.count - ignored == found.count { return isEqual }
        let extra = found.filter { wanted[$0.key] == nil }.sorted { $0.key < $1.key }
        if extra.isEmpty, isEqual {
            return differ(.attributeCount, .expected(one), "expected \(wanted.count) attributes, got \(found.count)")
        }
        for (_, value) in extra {
            let place = Place.attribute(value.name, of: one)
            if !differ(.attributeCount, place, "got \(Self.quoted(value.text)), which is not expected") {
                isEqual = false
                if isDone { return false }
            }
        }
        return isEqual
    }

    private mutating func isSame(_ wanted: String, _ found: String) -> Bool {
        if wanted.utf8.count == found.utf8.count {
            guard allowance.read(wanted.utf8.count) else { return giveUp() }
            if wanted.utf8.elementsEqual(found.utf8) { return true }
        }
        guard let placeholders else { return false }
        guard allowance.read(found.utf8.count) else { return giveUp() }
        if placeholders.matches(wanted, found, &allowance) { return true }
        if allowance.isSpent { isGivenUp = true }
        return false
    }
}
