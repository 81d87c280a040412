// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiJSONText
import MockapiMetering
import MockapiStubMatching
import MockapiXMLText

/// A form that the nearest stubs compare the content of an unmatched request in.
enum ContentForm: Int {
    case json, jsonPath, xml

    private init?(_ matcher: BodyMatcher) {
        switch matcher {
        case .value(.equalToJSON): self = .json
        case .value(.jsonPath): self = .jsonPath
        case .value(.xPath): self = .xml
        case .value(.leaf(let leaf)) where leaf is XMLPattern: self = .xml
        default: return nil
        }
    }

    /// The reasons why the content of a miss cannot be read as the nearest stubs compare it, as events: one for each form.
    static func unread(_ miss: Miss) -> [SubEvent] {
        guard miss.fixtures.dialect == .wireMock, !miss.content.bytes.isEmpty else { return [] }
        let stubs = miss.nearest.compactMap { near -> Stub? in
            guard case .stub(let ordinal) = near.subject, near.differences.contains(where: \.isOfBody) else {
                return nil
            }
            return miss.fixtures.stubs[ordinal]
        }
        let forms = Set(stubs.flatMap(\.request.body).compactMap { ContentForm($0.compared) })
        return forms.sorted { $0.rawValue < $1.rawValue }.compactMap { $0.event(miss.content.bytes) }
    }

    /// Nil for a content of the form.
    private func event(_ content: [UInt8]) -> SubEvent? {
        switch self {
        case .json: Self.reason(notJSON: content).map { .unreadJSON($0) }
        case .jsonPath:
            Self.reason(notJSON: content).map { .warning("a JSON path finds nothing, as the body is not JSON: \($0)") }
        case .xml: Self.reason(notXML: content).map { .warning("the body is not XML: \($0)") }
        }
    }

    private static func reason(notJSON content: [UInt8]) -> String? {
        do throws(JSONError) {
            _ = try JSONParser.parse(content)
            return nil
        } catch {
            let place = LineMap(content).position(of: error.offset)
            return "\(error.message) (line \(place.line), column \(place.column))"
        }
    }

    /// Nil if libxml2 is not there to say it, too.
    private static func reason(notXML content: [UInt8]) -> String? {
        do throws(XMLError) {
            _ = try XMLDocument(parsing: content, meter: Meter())
            return nil
        } catch {
            return error.cause == .text ? error.description : nil
        }
    }
}
