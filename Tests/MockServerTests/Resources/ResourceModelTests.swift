// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiJSONText
import MockapiMetering
import MockapiTestSupport
import MockapiWireSupport
import Testing

@testable import MockServer

/// A resource that is asked at random says what a list of objects would.
@Suite(.supervised) struct ResourceModelTests {
    private struct Model {
        var items: [(id: Int, n: Int)] = (1...5).map { ($0, $0 % 3) }
        var next = 6

        func place(_ id: Int) -> Int? { items.firstIndex { $0.id == id } }

        func text(_ item: (id: Int, n: Int)) -> String { #"{"id":\#(item.id),"n":\#(item.n)}"# }

        func list(_ items: [(id: Int, n: Int)]) -> String { "[\(items.map(text).joined(separator: ","))]" }

        /// Status and content of an operation.
        mutating func answer(_ operation: Int, id: Int, n: Int) -> (status: Int, text: String) {
            switch operation {
            case 0:
                items.append((next, n))
                next += 1
                return (201, text((next - 1, n)))
            case 1:
                guard place(id) == nil else { return (409, "") }
                items.append((id, n))
                next = max(next, id + 1)
                return (201, text((id, n)))
            case 2:
                guard let place = place(id) else {
                    items.append((id, n))
                    next = max(next, id + 1)
                    return (201, text((id, n)))
                }
                items[place].n = n
                return (200, text(items[place]))
            case 3, 4:
                guard let place = place(id) else { return (404, "") }
                items[place].n = n
                return (200, text(items[place]))
            case 5:
                guard let place = place(id) else { return (404, "") }
                items.remove(at: place)
                return (204, "")
            case 6:
                guard let place = place(id) else { return (404, "") }
                return (200, text(items[place]))
            case 7: return (200, list(items))
            case 8: return (200, list(items.filter { $0.n == n }))
            default:
                let sorted = items.enumerated().sorted { left, right in
                    left.element.n == right.element.n ? left.offset < right.offset : left.element.n > right.element.n
                }.map(\.element)
                return (200, list(Array(sorted.dropFirst(2 * n).prefix(2))))
            }
        }
    }

    private func ask(_ client: WireClient, _ operation: Int, id: Int, n: Int) throws -> WireResponse {
        let content = #"{"n": \#(n)}"#
        switch operation {
        case 0: return try client.request("POST", "/a", body: content)
        case 1: return try client.request("POST", "/a", body: #"{"id": \#(id), "n": \#(n)}"#)
        case 2: return try client.request("PUT", "/a/\(id)", body: content)
        case 3: return try client.request("PATCH", "/a/\(id)", body: content)
        case 4:
            return try client.request(
                "PATCH", "/a/\(id)", ["Content-Type: application/json-patch+json"],
                body: #"[{"op": "replace", "path": "/n", "value": \#(n)}]"#)
        case 5: return try client.request("DELETE", "/a/\(id)")
        case 6: return try client.request("GET", "/a/\(id)")
        case 7: return try client.request("GET", "/a")
        case 8: return try client.request("GET", "/a?n=\(n)")
        default: return try client.request("GET", "/a?_sort=-n&_page=\(n + 1)&_limit=2")
        }
    }

    @Test(arguments: [1, 2, 3] as [UInt64])
    func `random requests are answered as by a list of objects`(seed: UInt64) async throws {
        let items = (1...5).map { #"{"id": \#($0), "n": \#($0 % 3)}"# }.joined(separator: ", ")
        let files: KeyValuePairs = [
            "a.stub.json": #"{"resource": {"collection": "/a", "from": "a.json"}}"#, "a.json": "[\(items)]",
        ]
        try await TestServer.serving(files) { server throws in
            let client = try server.connect()
            var model = Model()
            var state = seed
            func draw(_ count: Int) -> Int {
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                return Int(state >> 33) % count
            }
            for round in 0..<400 {
                let (operation, id, n) = (draw(10), draw(30) + 1, draw(3))
                let expected = model.answer(operation, id: id, n: n)
                let answer = try ask(client, operation, id: id, n: n)
                #expect(answer.status == expected.status, "round \(round), operation \(operation)")
                if expected.status < 300 { #expect(answer.text == expected.text, "round \(round)") }
                if answer.status != expected.status { return }
            }
        }
    }

    @Test func `what is asked of a collection is paid for, and refused where that is more than a request may take`()
        async throws
    {
        let items = (0..<500).map { #"{"id":\#($0),"name":"\#(String(repeating: "a", count: 50))"}"# }
        let files: KeyValuePairs = [
            "r.stub.json": #"{"resource": {"collection": "/r", "from": "items.json"}}"#,
            "items.json": "[\(items.joined(separator: ","))]",
        ]
        try await TestServer.serving(files) { server throws in
            let collection = try #require(server.server.core.fixtures.stubs[0].extras?.resource)
            func refusal(of request: ResourceRequest) -> String {
                let refused = collection.respond(to: request, meter: Meter(1_000))
                return "\(refused.status) \(String(decoding: refused.body, as: UTF8.self))"
            }
            for query in ["name_like=z", "_sort=name", "name_ne=b&id_gt=5", "name=b", "id=1&_sort=-name,id"] {
                var request = ResourceRequest(method: "GET")
                request.query = query
                #expect(collection.respond(to: request).status == 200)
                let text = refusal(of: request)
                #expect(
                    text.hasPrefix("422") && text.contains("the list takes more steps than a request may"), "\(text)")
            }
            // Few bytes of a patch can make very much of an item: that is nothing for a loop.
            var patch = ResourceRequest(method: "PATCH", id: "1")
            patch.contentType = "application/json-patch+json"
            let copies = (0..<40).map { #"{"op":"copy","from":"","path":"/c\#($0)"}"# }
            patch.body = Array("[\(copies.joined(separator: ","))]".utf8)
            #expect(!collection.isShort(patch))
            let text = refusal(of: patch)
            #expect(text.hasPrefix("422") && text.contains("the patch takes more steps than a request may"), "\(text)")
            #expect(collection.respond(to: patch).status == 422)
            #expect(try server.get("/r/1").text == items[1])
        }
    }
}
