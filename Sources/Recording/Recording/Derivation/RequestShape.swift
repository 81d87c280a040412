// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPSyntax
import MockapiJSONText
import MockapiSecrets

/// A request without its random-looking values, which shows that a client sends the same request with other values.
struct RequestShape {
    /// The same for requests that differ in these values alone.
    let key: String
    /// The values, by the places that `--vary` names.
    let values: [String: String]

    /// - Parameter request: a stub's `request`.
    /// - Returns: nil if it has no such value.
    init?(_ request: JSONNode, origin: String) {
        var values: [String: String] = [:]
        let members = (request.object?.members ?? []).map { member in
            switch member.name {
            case "queryParameters":
                let parameters = (member.value.object?.members ?? []).map { parameter in
                    guard let text = parameter.value["equalTo"]?.string, UnsteadyValues.isRandom(text) else {
                        return parameter
                    }
                    values["query:\(parameter.name)"] = text
                    return .init(name: parameter.name, value: .null)
                }
                return JSONObject.Member(name: member.name, value: JSONNode(.object(JSONObject(parameters))))
            case "bodyPatterns":
                let patterns = (member.value.array ?? []).map { pattern in
                    pattern["equalToJson"].map { Self.shape($0, "$", &values) } ?? pattern
                }
                return .init(name: member.name, value: .array(patterns))
            default: return member
            }
        }
        if values.isEmpty { return nil }
        key = RequestKey.of(JSONNode(.object(JSONObject(members))), origin: origin)
        self.values = values
    }

    private static func shape(_ node: JSONNode, _ path: String, _ values: inout [String: String]) -> JSONNode {
        switch node.value {
        case .object(let object):
            return JSONNode(
                .object(
                    JSONObject(
                        object.members.map { member in
                            let inner = JSONPlace.member(path, member.name)
                            return .init(name: member.name, value: shape(member.value, inner, &values))
                        })))
        case .array(let elements): return .array(elements.map { shape($0, path + "[*]", &values) })
        case .string(let text) where UnsteadyValues.isRandom(text): values[path, default: ""] += text
        case .number(let number) where UnsteadyValues.isRandom(number.literal):
            values[path, default: ""] += number.literal
        default: return node
        }
        return .null
    }

    /// The note if another request of this shape has the same response; nil if all values are the same, or one is known to select it.
    func note(beside other: RequestShape, of label: String, selecting: SelectedPlaces) -> String? {
        let places = values.filter { other.values[$0.key] != $0.value }.keys.sorted()
        if places.isEmpty || places.contains(where: selecting.contain) { return nil }
        let note =
            "has the response of \(label); if they are one request, record with \(PlaceOptions.varying(places))"
        // A value in a list has no place of its own.
        guard SelectedPlaces(places) != nil, let selecting = PlaceOptions.selecting(places) else { return note }
        return "\(note), and if they are not, with \(selecting)"
    }
}
