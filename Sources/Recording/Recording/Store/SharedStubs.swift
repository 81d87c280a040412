// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

package import MockapiFixtures
import MockapiJSONText

/// Recorded stubs that may serve several requests with one sequence, since an earlier version did not note which request got which response.
package enum SharedStubs {
    /// A warning for each.
    package static func findings(in set: FixtureSet) -> [Finding] {
        set.stubs.compactMap { stub in
            guard stub.sent == nil, stub.source["recorded"]?["key"] != nil,
                (stub.source["responses"]?.array?.count ?? 0) > 1, let request = stub.source["request"]
            else { return nil }
            let places = places(in: request, of: stub)
            let content = stub.request.body.map { StubWriter.matcher($0.compared) }
            if places.isEmpty, !takesAny(request), !content.contains(where: takesAny) { return nil }
            let anything = places.isEmpty ? "a value that it takes" : places.joined(separator: ", ")
            return Finding(
                .warning,
                "answers a sequence whatever \(anything) is, which may be several requests; record them again to have each told apart",
                at: stub.place, kind: .recording)
        }
    }

    /// Whether matchers that recordings write take any value of a place.
    private static func takesAny(_ request: JSONNode) -> Bool {
        switch request.value {
        case .object(let object): object.members.contains { takesAny($0.value) }
        case .array(let elements): elements.contains(where: takesAny)
        case .string(let text):
            [".+", "[^/]+", "[^&]+", "(?s).*"].contains(where: text.hasSuffix) || text.hasPrefix("${json-unit.any")
        default: false
        }
    }

    /// The places whose values are ids by their names, and are not asked for.
    private static func places(in request: JSONNode, of stub: Stub) -> [String] {
        var places: [String] = []
        for member in request["queryParameters"]?.object?.members ?? []
        where member.value["matches"]?.string == ".+" && UnsteadyValues.isOfOneRequest(member.name) {
            places.append("query:\(member.name)")
        }
        for pattern in stub.request.body.map({ StubWriter.matcher($0.compared) }) {
            if let node = pattern["equalToJson"] { add(node, "$", &places) }
            guard let text = pattern["matches"]?.string, text.hasPrefix("(.*&)?"), text.hasSuffix("=[^&]+(&.*)?") else {
                continue
            }
            let name = String(text.dropFirst(6).dropLast(12))
            if UnsteadyValues.isOfOneRequest(name) { places.append("form:\(name)") }
        }
        return places
    }

    private static func add(_ node: JSONNode, _ path: String, _ places: inout [String]) {
        for element in node.array ?? [] { add(element, path + "[*]", &places) }
        for member in node.object?.members ?? [] {
            let inner = JSONPlace.member(path, member.name)
            if member.value.string == "${json-unit.any-string}", UnsteadyValues.isOfOneRequest(member.name) {
                if !places.contains(inner) { places.append(inner) }
            }
            add(member.value, inner, &places)
        }
    }
}
