// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiHTTPSyntax
import MockapiJSONText
import MockapiXMLText

/// The key by which a recording is found: the same for requests that meet the same matchers, in whatever order a
/// client writes its parameters, the members of its JSON and its header fields.
enum RequestKey {
    /// - Parameters:
    ///   - request: a stub's `request`; its host is left out.
    ///   - origin: of the upstream; empty to ask whether two upstreams were asked the same.
    static func of(_ request: JSONNode, origin: String) -> String {
        let members = (request.object?.members ?? []).filter { $0.name != "host" }.map { member in
            member.name == "headers" ? .init(name: member.name, value: lowercased(member.value)) : member
        }
        let node = sorted(JSONNode(.object(JSONObject(members))))
        return ContentHash.of(JSONWriter.compact(node) + Array(origin.utf8)).hexadecimal
    }

    /// The same for requests that differ only where requests with different responses do: header lines that name operation, version or
    /// form, and the order of values.
    static func base(_ request: JSONNode, origin: String) -> String {
        let members = (request.object?.members ?? []).compactMap { member -> JSONObject.Member? in
            switch member.name {
            case "headers":
                let headers = (member.value.object?.members ?? []).filter { header in
                    let name = header.name.lowercased()
                    return !RequestHeaders.mayVary(name) && !RequestHeaders.isMatched(name)
                }
                return headers.isEmpty ? nil : .init(name: member.name, value: JSONNode(.object(JSONObject(headers))))
            case "queryParameters":
                let parameters = (member.value.object?.members ?? []).map { parameter in
                    JSONObject.Member(name: parameter.name, value: unordered(parameter.value))
                }
                return .init(name: member.name, value: JSONNode(.object(JSONObject(parameters))))
            default: return member
            }
        }
        return of(JSONNode(.object(JSONObject(members))), origin: origin)
    }

    /// The matcher of a parameter with its values in byte order.
    private static func unordered(_ matcher: JSONNode) -> JSONNode {
        guard let values = matcher["hasExactly"]?.array else { return matcher }
        let sorted = values.map { (node: $0, text: JSONWriter.compact($0)) }
            .sorted { $0.text.lexicographicallyPrecedes($1.text) }
        return .object(["hasExactly": .array(sorted.map(\.node))])
    }

    /// Matchers of header lines by their names in lower case.
    private static func lowercased(_ headers: JSONNode) -> JSONNode {
        let members = headers.object?.members ?? []
        return JSONNode(
            .object(JSONObject(members.map { .init(name: $0.name.lowercased(), value: $0.value) })))
    }

    /// XML in the one form of all that are equal.
    private static func normalised(_ xml: JSONNode) -> JSONNode {
        guard let text = xml.string, let document = try? XMLDocument(parsing: text) else { return xml }
        return .string(document.normalised(isSorted: true))
    }

    /// The members of all objects in byte order; those of one name as they came.
    private static func sorted(_ node: JSONNode) -> JSONNode {
        switch node.value {
        case .object(let object):
            let members = object.members.enumerated().sorted { left, right in
                let (one, other) = (left.element.name.utf8, right.element.name.utf8)
                return one.elementsEqual(other)
                    ? left.offset < right.offset : one.lexicographicallyPrecedes(other)
            }
            return JSONNode(
                .object(
                    JSONObject(
                        members.map(\.element).map { member in
                            .init(
                                name: member.name,
                                value: member.name == KeyName.equalToXml.rawValue
                                    ? normalised(member.value) : sorted(member.value))
                        })))
        case .array(let elements): return .array(elements.map(sorted))
        default: return node
        }
    }
}
