// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiMetering
import MockapiTestSupport
import MockapiXMLText
import Testing

/// Documents at random, compared as trees by the rules that are promised, and by `XMLEquality` as texts.
@Suite(.supervised) struct XMLEqualityPropertyTests {
    private indirect enum Tree {
        case element(prefix: String, name: String, attributes: [String: String], inner: [Tree])
        case text(String)
        case instruction(String, String)
    }

    private struct Maker {
        var random: SplitMix

        mutating func pick<Element>(_ choices: [Element]) -> Element {
            choices[Int.random(in: 0..<choices.count, using: &random)]
        }
        mutating func chance(_ share: Double) -> Bool { Double.random(in: 0..<1, using: &random) < share }

        mutating func element(_ depth: Int) -> Tree {
            var attributes: [String: String] = [:]
            while chance(0.35) { attributes[pick(["i", "j", "p:i", "q:i"])] = pick(["1", "2", "a b", ""]) }
            let count = depth > 2 ? 0 : Int.random(in: 0...4, using: &random)
            return .element(
                prefix: pick(["", "", "", "p:", "q:"]), name: pick(["a", "b", "c"]), attributes: attributes,
                inner: (0..<count).map { _ in node(depth + 1) })
        }

        mutating func node(_ depth: Int) -> Tree {
            switch Int.random(in: 0..<8, using: &random) {
            case 0, 1: .text(pick(["x", "y", "x y", "yx", "x  y", "é"]))
            case 2: .instruction(pick(["m", "n"]), pick(["1", "2"]))
            default: element(depth)
            }
        }

        /// The tree with one thing changed, or with elements in another order.
        mutating func changed(_ tree: Tree) -> Tree {
            switch tree {
            case .text: return chance(0.8) ? .text(pick(["x", "y", "yx"])) : element(3)
            case .instruction(let name, let text):
                return chance(0.5) ? .instruction(name, pick(["1", "2"])) : .instruction(pick(["m", "n"]), text)
            case .element(var prefix, var name, var attributes, var inner):
                switch Int.random(in: 0..<(inner.isEmpty ? 4 : 12), using: &random) {
                case 0: name = pick(["a", "b", "c"])
                case 1: prefix = pick(["", "p:", "q:"])
                case 2: attributes[pick(["i", "j", "p:i"])] = chance(0.5) ? nil : pick(["1", "2"])
                case 3: inner.append(node(3))
                case 4: inner.remove(at: Int.random(in: 0..<inner.count, using: &random))
                case 5, 6, 7: inner.shuffle(using: &random)
                default:
                    let index = Int.random(in: 0..<inner.count, using: &random)
                    inner[index] = changed(inner[index])
                }
                return .element(prefix: prefix, name: name, attributes: attributes, inner: inner)
            }
        }

        mutating func written(_ tree: Tree, declares: String = "") -> String {
            switch tree {
            case .text(let text): return chance(0.2) ? "<![CDATA[\(text)]]>" : text
            case .instruction(let name, let text): return "<?\(name) \(text)\(pick(["", " "]))?>"
            case .element(let prefix, let name, let attributes, let inner):
                var output = "<\(prefix)\(name)\(declares)"
                for (name, value) in attributes.shuffled(using: &random) {
                    output += " \(name)='\(pick(["", " "]))\(value)'"
                }
                output += ">"
                var isBehindText = false
                for node in inner {
                    let isText = if case .text = node { true } else { false }
                    // Space beside a text would be of the text.
                    output += isText || isBehindText ? pick(["", "<!-- c -->"]) : pick(["", " ", "\n", "<!-- c -->"])
                    output += written(node)
                    isBehindText = isText
                }
                return output + pick(["", "\n"]) + "</\(prefix)\(name)>"
            }
        }
    }

    private struct Rules {
        var awareness: XMLEquality.NamespaceAwareness
        var ignoresOrder: Bool

        /// The children as they count: texts beside each other are one.
        private func items(_ trees: [Tree]) -> [Tree] {
            var items: [Tree] = []
            for tree in trees {
                if case .text(let text) = tree, case .text(let last)? = items.last {
                    items[items.count - 1] = .text(last + text)
                } else {
                    items.append(tree)
                }
            }
            return items
        }

        private func key(_ tree: Tree) -> String {
            switch tree {
            case .text: "text"
            case .instruction: "instruction"
            case .element(let prefix, let name, _, _): awareness == .none ? prefix + name : "<" + name
            }
        }

        func areEqual(_ one: Tree, _ other: Tree) -> Bool {
            switch (one, other) {
            case (.text(let one), .text(let other)): return one == other
            case (.instruction(let name, let text), .instruction(let other, let data)):
                return name == other && text == data
            case (
                .element(let prefix, let name, let attributes, let inner),
                .element(let otherPrefix, let otherName, let others, let otherInner)
            ):
                if name != otherName || attributes != others { return false }
                // A name without a prefix has no namespace here, and asks for none.
                if awareness == .none
                    ? prefix != otherPrefix : awareness == .strict && !prefix.isEmpty && prefix != otherPrefix
                {
                    return false
                }
                return areEqual(items(inner), items(otherInner))
            default: return false
            }
        }

        private func areEqual(_ ones: [Tree], _ others: [Tree]) -> Bool {
            let groups = Dictionary(grouping: ones, by: key)
            let otherGroups = Dictionary(grouping: others, by: key)
            return groups.keys == otherGroups.keys
                && groups.allSatisfy { key, group in
                    let other = otherGroups[key] ?? []
                    guard group.count == other.count else { return false }
                    if !ignoresOrder { return zip(group, other).allSatisfy(areEqual) }
                    return canPair(group[...], other)
                }
        }

        /// Whether each has one that it equals: every way is tried.
        private func canPair(_ ones: ArraySlice<Tree>, _ others: [Tree]) -> Bool {
            guard let first = ones.first else { return true }
            return others.indices.contains { index in
                var left = others
                return areEqual(first, left.remove(at: index)) && canPair(ones.dropFirst(), left)
            }
        }
    }

    @Test(arguments: [XMLEquality.NamespaceAwareness.strict, .legacy, .none], [false, true])
    func `documents are equal as their trees are`(awareness: XMLEquality.NamespaceAwareness, ignoresOrder: Bool) throws
    {
        var maker = Maker(random: SplitMix(seed: UInt64(Thoroughness.rounds(5, thorough: .random(in: 0..<1 << 31)))))
        let declares = " xmlns:p='urn:p' xmlns:q='urn:q'"
        let rules = Rules(awareness: awareness, ignoresOrder: ignoresOrder)
        var options = XMLEquality.Options()
        options.namespaceAwareness = awareness
        options.ignoresOrderOfSameName = ignoresOrder
        var (same, different) = (0, 0)
        for _ in 0..<Thoroughness.rounds(250, thorough: 20_000) {
            let tree = Tree.element(prefix: "", name: "r", attributes: [:], inner: (0..<4).map { _ in maker.node(0) })
            var other = tree
            while maker.chance(0.5) { other = maker.changed(other) }
            if case .element(_, _, _, let inner) = other {
                other = .element(prefix: "", name: "r", attributes: [:], inner: inner)
            }
            let (text, found) = (maker.written(tree, declares: declares), maker.written(other, declares: declares))
            let equality = try XMLEquality(text, options: options)
            let document = try XMLDocument(parsing: found)
            let isEqual = rules.areEqual(tree, other)
            #expect(equality.matches(document) == isEqual, "\(text)\n\(found)")
            let differences = equality.differences(document)
            #expect(differences.isEmpty == isEqual, "\(text)\n\(found)")
            if isEqual { same += 1 } else { different += 1 }
            for most in 1..<max(1, differences.count) {
                #expect(equality.differences(document, most: most) == Array(differences.prefix(most)))
            }
        }
        #expect(same > 20 && different > 20)
    }

    /// Pairs of documents, and the comparisons by which alone they differ.
    private static let kinds: [(expected: String, actual: String, comparisons: [XMLEquality.Comparison])] = [
        ("<a/>", "<b/>", [.elementTagName]), ("<a xmlns='u'/>", "<a xmlns='v'/>", [.namespaceURI]),
        ("<a xmlns='u'/>", "<a/>", [.namespaceURI]),
        ("<a>x</a>", "<a>y</a>", [.textValue]), ("<a><?x 1?></a>", "<a><?y 1?></a>", [.instructionTarget]),
        ("<a><?x 1?></a>", "<a><?x 2?></a>", [.instructionData]),
        ("<a><?x 1?></a>", "<a><?y 2?></a>", [.instructionTarget, .instructionData]),
        ("<a i='1'/>", "<a i='2'/>", [.attributeValue]), ("<a/>", "<a i='2'/>", [.attributeCount]),
        ("<a i='1'/>", "<a/>", [.attributeCount, .attributeLookup]),
        ("<a i='1'/>", "<a j='1'/>", [.attributeLookup]),
        ("<a i='1'/>", "<a j='1' k='1'/>", [.attributeLookup, .attributeCount]),
        ("<a/>", "<a><b/></a>", [.childCount]), ("<a><b/></a>", "<a/>", [.childCount, .childLookup]),
        ("<a>y</a>", "<a><?x y?></a>", [.nodeType]), ("<a><b/></a>", "<a><c/></a>", [.elementTagName]),
        ("<a i='1'>x</a>", "<a i='2'>y</a>", [.attributeValue, .textValue]),
        (
            "<a xmlns='u' i='1'><b/></a>", "<a xmlns='v' i='2'><c/></a>",
            [.namespaceURI, .attributeValue, .elementTagName]
        ),
        (
            "<a xmlns:s='http://www.w3.org/2001/XMLSchema-instance' s:schemaLocation='1'/>",
            "<a xmlns:t='http://www.w3.org/2001/XMLSchema-instance' t:schemaLocation='2'/>", [.schemaLocation]
        ),
        (
            "<a xmlns:s='http://www.w3.org/2001/XMLSchema-instance' s:noNamespaceSchemaLocation='1'/>",
            "<a xmlns:t='http://www.w3.org/2001/XMLSchema-instance' t:noNamespaceSchemaLocation='2'/>",
            [.noNamespaceSchemaLocation]
        ),
    ]

    @Test func `what is exempted does not count, and all else does`() throws {
        for (expected, actual, comparisons) in Self.kinds {
            let document = try XMLDocument(parsing: actual)
            for mask in 0..<(1 << comparisons.count) {
                for others in [[], XMLEquality.Comparison.allCases.filter { !comparisons.contains($0) }] {
                    var options = XMLEquality.Options()
                    let own = comparisons.indices.filter { mask >> $0 & 1 == 1 }.map { comparisons[$0] }
                    options.exemptedComparisons = Set(own + others)
                    // With the lookup exempted, the children are counted instead.
                    let equality = try XMLEquality(expected, options: options)
                    let isEqual = own.count == comparisons.count
                    #expect(equality.matches(document) == isEqual, "\(expected) \(actual) \(own) \(others.isEmpty)")
                }
            }
        }
    }
}
