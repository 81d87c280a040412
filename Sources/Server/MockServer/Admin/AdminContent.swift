// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiJSONText
import MockapiMetering
import MockapiStubMatching

/// The content of requests to the admin API.
enum AdminContent {
    /// Bytes of a content. 16 MiB.
    static let limit = 16 * 1024 * 1024
    /// Bytes of a content that is read on the loop that it came by. 16 KiB.
    static let shortLimit = 16 * 1024
    /// Values of a content that is JSON, those within others among them: each takes memory, however few its bytes are. 500,000.
    static let values = 500_000

    static func node(_ content: [UInt8], limit: Int = limit) throws(AdminError) -> JSONNode {
        guard content.count <= limit else {
            throw AdminError(413, "the content is longer than \(limit / 1024) KiB")
        }
        let node: JSONNode?
        do throws(JSONError) {
            node = try content.withUnsafeBufferPointer { bytes throws(JSONError) in
                try JSONParser.parse(bytes, options: [.comments, .singleQuotes, .textBehind], most: values)
            }
        } catch {
            let place = LineMap(content).position(of: error.offset)
            var failure = AdminError(422, AdminError.unreadable)
            failure.detail = "this is not JSON: \(error.message) (line \(place.line), column \(place.column))"
            throw failure
        }
        guard let node else { throw AdminError(422, "the content has more than \(values) values; send it in parts") }
        return node
    }

    /// A search for the requests that a pattern matches, which is read as the `request` of a stub is.
    static func search(_ pattern: JSONNode) throws(AdminError) -> RequestSearch {
        try search(pattern, below: "/request")
    }

    /// The ids of the stubs whose metadata a matcher matches.
    ///
    /// - Parameter stop: ends the search if nobody waits for it any more.
    static func ids(
        of stubs: [Stub], withMetadata matcher: JSONNode, _ stop: WorkStop
    ) throws(AdminError) -> Set<String> {
        var request = ObjectWriter()
        request.append(matcher, to: .bodyPatterns)
        let search = try search(request.node, below: "/request/bodyPatterns/0")
        search.boundWork(stop: stop)
        var ids: Set<String> = []
        for stub in stubs {
            guard let data = stub.source["metadata"], search.matches(content: JSONWriter.compact(data)) else {
                continue
            }
            ids.insert(stub.id)
        }
        guard !search.hasGivenUp else { throw AdminError.givenUp("the matcher takes", "the metadata of a stub") }
        return ids
    }

    private static func search(_ pattern: JSONNode, below prefix: String) throws(AdminError) -> RequestSearch {
        let text = JSONWriter.compact(StubWriter.stub(request: pattern, steps: [.object([:])]))
        let read = AddedStub(
            ofAdmin: text, label: "", number: 0, root: "", templatesAll: false, replacing: nil)
        guard let stub = read.stub else { throw AdminError(read.findings, below: prefix) }
        let index = StubIndex(FixtureSet(root: "", dialect: .wireMock, stubs: [stub]))
        let errors = index.findings.filter { $0.severity == .error }
        guard errors.isEmpty else { throw AdminError(errors, below: prefix) }
        return RequestSearch(index, method: stub.request.method)
    }
}

extension JSONNode {
    /// Whether a stub is to be written to a file.
    var isPersistent: Bool { self["persistent"].map { $0.bool ?? ($0.string?.lowercased() == "true") } ?? false }

    /// The id that a stub was written with; nil for none.
    var stubID: String? {
        let text = self["id"]?.string ?? self["uuid"]?.string ?? ""
        return text.isEmpty ? nil : text.lowercased()
    }

    /// A stub with this id, and with these members in the place of its own.
    func named(_ id: String, _ changed: JSONObject.Member...) -> JSONNode {
        let new = [JSONObject.Member(name: "id", value: .string(id))] + changed
        let kept = (object?.members ?? []).filter { member in
            member.name != "uuid" && !new.contains { $0.name == member.name }
        }
        return JSONNode(.object(JSONObject(new + kept)))
    }

    /// A stub with WireMock's defaults for the members that it leaves out.
    var withDefaults: JSONNode {
        var members = object?.members ?? []
        func isLeft(_ names: String...) -> Bool { names.allSatisfy { self[$0]?.isNull ?? true } }
        if isLeft("request", "authentication", "resource") {
            members.removeAll { $0.name == "request" }
            members.append(.init(name: "request", value: StubWriter.request(method: "ANY", url: .any).node))
        }
        if isLeft("response", "responses", "authentication", "resource") {
            members.removeAll { $0.name == "response" }
            members.append(.init(name: "response", value: StubWriter.response(ResponseDefinition())))
        }
        return JSONNode(.object(JSONObject(members)))
    }
}
