// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiHTTPSyntax
import MockapiJSONText

/// The key by which a recording is found: the same for requests that the same matchers answer, in whatever order a
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

    /// The same for requests that were sent alike, whether or not their responses name header fields in Vary.
    ///
    /// - Parameter lines: those of the request's header lines that are written beside the recording.
    static func sent(_ request: JSONNode, lines: [String], origin: String) -> String {
        let members = (request.object?.members ?? []).compactMap { member -> JSONObject.Member? in
            guard member.name == "headers" else { return member }
            let headers = (member.value.object?.members ?? []).filter { !RequestHeaders.mayVary($0.name.lowercased()) }
            return headers.isEmpty ? nil : .init(name: member.name, value: JSONNode(.object(JSONObject(headers))))
        }
        let written = lines.map { line in
            let name = line.prefix(before: ":")
            return name.lowercased() + line[name.endIndex...]
        }
        return of(JSONNode(.object(JSONObject(members))), origin: ([origin] + written.sorted()).joined(separator: "\n"))
    }

    /// Matchers of header lines by their names in lower case.
    private static func lowercased(_ headers: JSONNode) -> JSONNode {
        let members = headers.object?.members ?? []
        return JSONNode(
            .object(JSONObject(members.map { .init(name: $0.name.lowercased(), value: $0.value) })))
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
                    JSONObject(members.map { .init(name: $0.element.name, value: sorted($0.element.value)) })))
        case .array(let elements): return .array(elements.map(sorted))
        default: return node
        }
    }
}
