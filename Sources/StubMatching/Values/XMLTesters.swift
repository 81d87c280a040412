// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Fixtures
import XMLText

/// A value as XML, or why it is none.
enum XMLBody: Sendable {
    case document(XMLDocument)
    /// In words that follow the value.
    case broken(String)
}

extension RequestState {
    /// A value as XML: the body, read once a request, or another one.
    mutating func xml(_ value: Bytes, isBody: Bool) -> XMLBody {
        if isBody, let known = documents["xml"] as? XMLBody { return known }
        let read: XMLBody
        if value.isEmpty || value.count > XMLLimits.bytes {
            read = .broken(value.isEmpty ? ", which is no XML" : ", which has more than \(XMLLimits.bytes) bytes")
        } else {
            do throws(XMLError) {
                read = .document(try XMLDocument(parsing: Array(value)))
            } catch {
                read = .broken(", which is no XML: \(error.description)")
            }
        }
        if isBody { documents["xml"] = read }
        return read
    }
}

/// Looks up what an XPath leads to.
struct XPathExtractor: ValueExtractor {
    private let path: XPath

    init(
        _ expression: Expression, namespaces: [RequestPattern.Named<String>]
    ) throws(BrokenOperand) {
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
        case .document(let document):
            do throws(XPathError) {
                var found = Extraction()
                found.texts = try path.texts(document).map { Array($0.utf8) }
                found.isPresent = !found.texts.isEmpty
                // A path that comes to a truth finds something where it is true.
                if case .boolean(false) = try path.evaluate(document) { found.isPresent = false }
                return found
            } catch {
                return .givenUp
            }
        }
    }
}
