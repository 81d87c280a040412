// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiMetering
import MockapiXMLText

/// A value as XML, or the reason that it is not XML.
enum XMLBody: Sendable {
    case document(XMLDocument)
    /// In words that follow the value.
    case broken(String)
    /// It was not read, since the request has taken all the work it may.
    case givenUp
}

extension RequestState {
    /// A value as XML: the body, read once per request, or another value.
    mutating func xml(_ value: Bytes, isBody: Bool) -> XMLBody {
        if isBody {
            if let known = documents["xml"] as? XMLBody { return known }
            if isTooLargeToExplain { return .broken(", which is not looked into") }
        }
        guard budget.meter.pay(value.count) else { return giveUpXML() }
        let read: XMLBody
        if value.isEmpty || value.count > XMLLimits.bytes {
            read = .broken(value.isEmpty ? ", which is not XML" : ", which has more than \(XMLLimits.bytes) bytes")
        } else {
            do throws(XMLError) {
                read = .document(try XMLDocument(parsing: Array(value), meter: budget.meter))
            } catch {
                if error.cause == .work { return giveUpXML() }
                read = .broken(", which is not XML: \(error.description)")
            }
        }
        if isBody { documents["xml"] = read }
        return read
    }

    private mutating func giveUpXML() -> XMLBody {
        givenUp.insert(.xml)
        return .givenUp
    }
}

/// Looks up the nodes at an XPath.
struct XPathExtractor: ValueExtractor {
    private let path: XPath
    private let part: FoundPart

    init(
        _ expression: Expression, namespaces: [RequestPattern.Named<String>], _ part: FoundPart
    ) throws(BrokenOperand) {
        // Texts of nodes are not JSON, whatever they are compared with.
        self.part = part == .json ? .texts : part
        let names = Dictionary(namespaces.map { ($0.name, $0.matcher) }, uniquingKeysWith: { $1 })
        do throws(XPathError) {
            path = try XPath(parsing: expression.text, namespaces: names)
        } catch {
            let text = "the XPath is broken at its byte \(error.offset): \(error.message)"
            throw BrokenOperand(text: text, place: expression.place)
        }
    }

    func extract(_ value: Bytes, isBody: Bool, _ program: Program, _ state: inout RequestState) -> Extraction {
        switch state.xml(value, isBody: isBody) {
        case .broken(let problem): return Extraction(problem: problem)
        case .givenUp: return .givenUp
        case .document(let document):
            do throws(XPathError) {
                var found = Extraction()
                if part == .presence {
                    found.isPresent = try path.evaluate(document, meter: state.budget.meter).isPresent
                } else {
                    found.texts = try path.texts(document, meter: state.budget.meter).map { Array($0.utf8) }
                    found.made = found.texts.reduce(0) { $0 + $1.count }
                }
                return found
            } catch {
                return .givenUp
            }
        }
    }
}

extension XMLDifference {
    /// Whether it says no more than that the documents were not compared to their ends.
    fileprivate var isGivenUp: Bool { path == "/" && message.hasPrefix("the documents are too large") }
}

extension XMLPattern: TestedLeaf {
    func tester(_: inout PatternLibrary) throws(BrokenOperand) -> any ValueTester { try XMLEqualityTester(self) }
}

/// Compares XML with another document.
struct XMLEqualityTester: ValueTester {
    private let equality: XMLEquality
    var kind: GivenUp { .xml }

    init(_ pattern: XMLPattern) throws(BrokenOperand) {
        var options = XMLEquality.Options()
        options.exemptedComparisons = Set(
            pattern.exemptedComparisons.compactMap { XMLEquality.Comparison(rawValue: $0) })
        options.ignoresOrderOfSameName = pattern.ignoresOrderOfSameNode
        options.hasPlaceholders = pattern.enablesPlaceholders
        options.openingDelimiter = pattern.openingDelimiter?.text
        options.closingDelimiter = pattern.closingDelimiter?.text
        if let awareness = pattern.namespaceAwareness.flatMap({ XMLEquality.NamespaceAwareness(rawValue: $0) }) {
            options.namespaceAwareness = awareness
        }
        do throws(XMLError) {
            equality = try XMLEquality(pattern.expected.text, options: options)
        } catch {
            let text = "the XML is broken at its \(error.description)"
            throw BrokenOperand(
                text: error.line > 0 ? text : "equalToXml: \(error.description)", place: pattern.expected.place,
                isRefused: error.line > 0)
        }
    }

    func passes(_ value: Bytes, isBody: Bool, _ program: Program, _ state: inout RequestState) -> Bool {
        guard case .document(let document) = state.xml(value, isBody: isBody) else { return false }
        let outcome = equality.outcome(document, meter: state.budget.meter)
        if outcome == .givenUp { state.givenUp.insert(kind) }
        return outcome == .equal
    }

    func mismatch(_ value: Bytes, isBody: Bool, _ program: Program, _ state: inout RequestState) -> Mismatch? {
        switch state.xml(value, isBody: isBody) {
        case .broken(let problem): return Mismatch(found: Words.quoted(value) + problem)
        case .givenUp: return .givenUp
        case .document(let document):
            let first = equality.differences(document, most: 1, meter: state.budget.meter).first
            return first.map { $0.isGivenUp ? .givenUp : Mismatch(found: nil, note: $0.description) }
        }
    }
}
