// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation
import MockServerTesting
import Testing

#if CLASSIC
    @testable import ClassicApp
#else
    @testable import ModernApp
#endif

@Suite(.mockServer()) @MainActor struct SendingTests {
    private let server = MockServer.current
    private let client = AppClient(base: MockServer.current.baseURL)

    private static let taken = RequestMatch.post("/photos").respond(json: #"{"id": "p1", "size": 3}"#, status: 201)

    private func photo(_ size: Int) -> Data { Data((0..<size).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ $0 >> 8) }) }

    // MARK: Photos

    @Test(arguments: [1, 255, 70_000, 1_500_000, UploadModel.limit]) func `a photo arrives byte for byte`(
        size: Int
    ) async throws {
        try server.add(Self.taken)
        let upload = UploadModel(client)
        let photo = photo(size)
        // Before it is sent: the journal does not keep the whole of a large one.
        expect(
            .post("/photos").part(
                .part("photo").fileName("a.png").header("Content-Type", "image/png").body(.equalTo(bytes: photo))
            ).part(.part("size").body(.equalTo("\(size)"))), .once)
        await upload.send(photo, named: "a.png")
        #expect(upload.state == .done(Photo(id: "p1", size: 3)))
    }

    @Test func `a photo that is too large is not sent`() async throws {
        let upload = UploadModel(client)
        await upload.send(Data(count: UploadModel.limit + 1), named: "a.png")
        #expect(upload.state == .failed("The photo is too large."))
        expect(.anyURL(), .never)
    }

    @Test(arguments: [
        (413, "The photo is too large."), (401, "Sign in to go on."), (500, "The service failed (500)."),
    ]) func `a photo that is refused is told`(status: Int, text: String) async throws {
        try server.add(RequestMatch.post("/photos").respond(status))
        let upload = UploadModel(client)
        await upload.send(photo(10), named: "a.png")
        #expect(upload.state == .failed(text))
        expect(.post("/photos"), .once)
    }

    @Test(arguments: [("a.png", "image/png"), ("A.PNG", "image/png"), ("b.jpg", "image/jpeg"), ("png", "image/jpeg")])
    func `a photo has the media type of its name`(name: String, type: String) async throws {
        try server.add(Self.taken)
        await UploadModel(client).send(photo(3), named: name)
        expect(.post("/photos").part(.part("photo").header("Content-Type", .equalTo(type))), .once)
    }

    @Test(arguments: ["Käse.png", "a b.png", "100%.png"]) func `a photo keeps its name`(name: String) async throws {
        try server.add(Self.taken)
        await UploadModel(client).send(photo(3), named: name)
        expect(.post("/photos").part(.part("photo").fileName(name)), .once)
    }

    @Test func `an upload is cancelled`() async throws {
        try server.add(Self.taken.hold("photo"))
        let upload = UploadModel(client)
        async let running: Void = upload.send(photo(1_000), named: "a.png")
        try await expect(.post("/photos"), .once, within: .seconds(20))
        #expect(upload.state == .busy)
        upload.cancel()
        await running
        #expect(upload.state == .idle)
    }

    @Test func `a photo is sent once however often it is pressed`() async throws {
        try server.add(Self.taken.hold("photo"))
        let upload = UploadModel(client)
        async let running: Void = upload.send(photo(1_000), named: "a.png")
        try await expect(.post("/photos"), .once, within: .seconds(20))
        async let second: Void = upload.send(photo(5), named: "b.png")
        try await expect(.post("/photos"), .atMost(1), within: .milliseconds(300))
        try server.release("photo")
        _ = await (running, second)
        #expect(upload.state == .done(Photo(id: "p1", size: 3)))
    }

    // MARK: Drafts

    private func compose() -> ComposeModel {
        let compose = ComposeModel(client)
        compose.draft = Draft(title: "Bread", text: "Flour, water.")
        return compose
    }

    @Test func `a draft is published`() async throws {
        try server.add(RequestMatch.post("/articles").respond(json: Served.article(9), status: 201))
        let compose = compose()
        await compose.publish()
        guard case .done(let article) = compose.state else { return #expect(Bool(false), "\(compose.state)") }
        #expect(article.id == 9)
        #expect(compose.draft == Draft(title: "", text: ""))
        expect(
            .post("/articles").body(.equalToJSON(#"{"title": "Bread", "text": "Flour, water."}"#))
                .header("Idempotency-Key", .matches("[0-9A-F-]{36}")), .once)
    }

    @Test func `one draft has one key, and the next another`() async throws {
        try server.add(
            RequestMatch.post("/articles").respond(inTurn: [
                MockResponse(500), .json(Served.article(9), status: 201), .json(Served.article(10), status: 201),
            ]))
        let compose = compose()
        for _ in 0..<2 { await compose.publish() }
        compose.draft.title = "Cake"
        await compose.publish()
        let keys = server.journal.entries.map { entry in
            entry.request.headerFields.first { $0.name.canonicalName == "idempotency-key" }?.value ?? ""
        }
        #expect(keys.count == 3)
        #expect(keys[0] == keys[1])
        #expect(keys[1] != keys[2])
    }

    @Test(arguments: [
        (422, #"{"message": "A title is there already."}"#, "A title is there already."),
        (400, "<html>", "The service refused this."), (403, "{}", "The service refused this."),
    ]) func `a draft that is refused stays, and why is told`(status: Int, body: String, text: String) async throws {
        try server.add(RequestMatch.post("/articles").respond(status, body: .text(body)))
        let compose = compose()
        await compose.publish()
        #expect(compose.state == .failed(text))
        #expect(compose.draft.title == "Bread")
    }

    @Test func `a draft without a title is not sent`() async {
        let compose = compose()
        compose.draft.title = ""
        await compose.publish()
        #expect(compose.state == .idle)
        expect(.anyURL(), .never)
    }

    @Test func `a draft is sent once however often it is pressed`() async throws {
        try server.add(RequestMatch.post("/articles").respond(json: Served.article(9), status: 201).hold("draft"))
        let compose = compose()
        async let first: Void = compose.publish()
        try await expect(.post("/articles"), .once, within: .seconds(20))
        async let second: Void = compose.publish()
        try await expect(.post("/articles"), .atMost(1), within: .milliseconds(300))
        try server.release("draft")
        _ = await (first, second)
    }

    // MARK: Again

    @Test(arguments: [408, 429, 500, 502, 503, 504]) func `what may pass is asked for again`(
        status: Int
    ) async throws {
        try server.add(
            RequestMatch.get("/articles/1").respond(inTurn: [
                MockResponse(status), MockResponse(status), .json(Served.article(1)),
            ]))
        #expect(try await client.article(1).id == 1)
        expect(.get("/articles/1"), .times(3))
    }

    @Test(arguments: [400, 404, 409, 501]) func `what does not pass is not`(status: Int) async throws {
        try server.add(RequestMatch.get("/articles/1").respond(status))
        await #expect(throws: AppError.self) { try await client.article(1) }
        expect(.get("/articles/1"), .once)
    }

    @Test func `a wait that the service asks for is taken`() async throws {
        let pauses = Pauses()
        let client = AppClient(base: server.baseURL) { pauses.take($0) }
        try server.add(
            RequestMatch.get("/articles/1").respond(inTurn: [
                MockResponse(503, headers: ["Retry-After": "7"]), .json(Served.article(1)),
            ]))
        _ = try await client.article(1)
        #expect(pauses.all == [.seconds(7)])
    }

    @Test func `what would be done twice is not sent twice`() async throws {
        try server.add(RequestMatch.post("/articles").respond(503))
        await #expect(throws: AppError.failed(503)) {
            try await client.publish(Draft(title: "T", text: ""), key: "1")
        }
        expect(.post("/articles"), .once)
    }

    @Test func `a lost connection is tried again`() async throws {
        try server.add(
            RequestMatch.get("/articles/1").respond(inTurn: [
                MockResponse(fault: .connectionReset), .json(Served.article(1)),
            ]))
        #expect(try await client.article(1).id == 1)
        expect(.get("/articles/1"), .times(2))
    }

    @Test func `a request that is given up is not tried again`() async throws {
        try server.add(RequestMatch.get("/articles/1").respond(json: Served.article(1)).hold("article"))
        let client = client
        let asking = Task { try await client.article(1) }
        try await expect(.get("/articles/1"), .once, within: .seconds(20))
        asking.cancel()
        await #expect(throws: AppError.cancelled) { try await asking.value }
    }
}
