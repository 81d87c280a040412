// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation
import MockServerXCTesting
import XCTest

#if CLASSIC
    @testable import ClassicApp
#else
    @testable import ModernApp
#endif

/// What the app sends, and what it shows of pictures.
@MainActor final class SendingXCTests: MockServerTestCase {
    private var made: AppClient?

    override func setUp() async throws {
        try await super.setUp()
        made = AppClient(base: server.baseURL)
    }

    override func tearDown() async throws {
        made = nil
        try await super.tearDown()
    }

    private func client() throws -> AppClient { try XCTUnwrap(made) }

    private static nonisolated let article =
        #"{"id": 5, "title": "A", "published": "2026-01-02T03:04:05Z", "likes": 0, "liked": false}"#

    // MARK: Photos

    func testAPhoto() async throws {
        try server.add(RequestMatch.post("/photos").respond(json: #"{"id": "a", "size": 4}"#, status: 201))
        let upload = UploadModel(try client())
        await upload.send(Data([0, 255, 13, 10]), named: "a.jpg")
        XCTAssertEqual(upload.state, .done(Photo(id: "a", size: 4)))
        expect(.post("/photos").part(.part("photo").body(.equalTo(bytes: [0, 255, 13, 10]))), .once)
    }

    func testAPhotoOfTwoMegabytes() async throws {
        try server.add(
            RequestMatch.post("/photos").respond { request in
                .json(#"{"id": "a", "size": \#(request.body.count)}"#, status: 201)
            })
        let upload = UploadModel(try client())
        await upload.send(Data(count: 2_000_000), named: "a.jpg")
        guard case .done(let photo) = upload.state else { return XCTFail("\(upload.state)") }
        XCTAssertGreaterThan(photo.size, 2_000_000)
    }

    func testAPhotoThatIsRefused() async throws {
        try server.add(RequestMatch.post("/photos").respond(413))
        let upload = UploadModel(try client())
        await upload.send(Data([1]), named: "a.jpg")
        XCTAssertEqual(upload.state, .failed("The photo is too large."))
    }

    func testAPhotoBehindAnother() async throws {
        try server.add(RequestMatch.post("/photos").respond(json: #"{"id": "a", "size": 4}"#))
        let upload = UploadModel(try client())
        await upload.send(Data([1]), named: "a.jpg")
        await upload.send(Data([2]), named: "b.jpg")
        expectInOrder(
            .post("/photos").part(.part("photo").fileName("a.jpg")),
            .post("/photos").part(.part("photo").fileName("b.jpg")))
    }

    func testCancellingNothing() async throws {
        let upload = UploadModel(try client())
        upload.cancel()
        XCTAssertEqual(upload.state, .idle)
    }

    // MARK: Drafts

    func testADraft() async throws {
        try server.add(RequestMatch.post("/articles").respond(json: Self.article, status: 201))
        let compose = ComposeModel(try client())
        compose.draft = Draft(title: "Käse", text: "\"Brie\"\n")
        await compose.publish()
        XCTAssertEqual(compose.draft.title, "")
        expect(.post("/articles").body(.equalToJSON(#"{"title": "Käse", "text": "\"Brie\"\n"}"#)), .once)
    }

    func testADraftThatIsRefused() async throws {
        try server.add(RequestMatch.post("/articles").respond(422, body: .text(#"{"message": "Too short."}"#)))
        let compose = ComposeModel(try client())
        compose.draft.title = "B"
        await compose.publish()
        XCTAssertEqual(compose.state, .failed("Too short."))
        XCTAssertEqual(compose.draft.title, "B")
    }

    func testADraftWithoutATitle() async throws {
        let compose = ComposeModel(try client())
        await compose.publish()
        expect(.anyURL(), .never)
    }

    func testWhatCameOfADraftIsNotUnderstood() async throws {
        try server.add(RequestMatch.post("/articles").respond(json: #"{"id": 5}"#, status: 201))
        let compose = ComposeModel(try client())
        compose.draft.title = "B"
        await compose.publish()
        guard case .failed(let text) = compose.state else { return XCTFail("\(compose.state)") }
        XCTAssertTrue(text.hasPrefix("The service sent something unknown at "), text)
    }

    // MARK: Pictures

    func testAPicture() async throws {
        try server.add(RequestMatch.get("/a.png").respond(body: .bytes([1, 2, 3])))
        let data = await ImageLoader(try client()).picture("a.png")
        XCTAssertEqual(data, Data([1, 2, 3]))
    }

    func testAPictureThatIsStillTheNewest() async throws {
        try server.add(RequestMatch.get("/a.png").respond(headers: ["ETag": "\"x\""], body: .bytes([1, 2, 3])))
        let loader = ImageLoader(try client())
        for _ in 0..<3 {
            let data = await loader.picture("a.png")
            XCTAssertEqual(data, Data([1, 2, 3]))
        }
        expect(.get("/a.png").header("If-None-Match", "\"x\""), .times(2))
        XCTAssertEqual(server.journal.entries.map(\.status), [200, 304, 304])
    }

    func testAPictureThatIsNotThere() async throws {
        try server.add(RequestMatch.get("/a.png").respond(404))
        let data = await ImageLoader(try client()).picture("a.png")
        XCTAssertNil(data)
    }

    func testTwoPictures() async throws {
        try server.add(RequestMatch.get("/{name}").respond { .json("\"\($0.pathParameters["name"] ?? "")\"") })
        let loader = ImageLoader(try client())
        async let first = loader.picture("a")
        async let second = loader.picture("b")
        let found = await [first, second]
        XCTAssertEqual(found, [Data("\"a\"".utf8), Data("\"b\"".utf8)])
    }

    // MARK: Tokens

    private func signIn() async throws {
        try server.add(
            RequestMatch.post("/login").respond(
                json: #"{"token": "first", "refresh": "again", "user": {"name": "Ann", "admin": false}}"#))
        _ = try await client().signIn("ann", "secret")
    }

    func testATokenThatIsRenewed() async throws {
        try server.add(
            RequestMatch.get("/articles/5").header("Authorization", "Bearer second").respond(json: Self.article),
            RequestMatch.get("/articles/5").respond(401, priority: 9),
            RequestMatch.post("/token").respond(json: #"{"token": "second"}"#))
        try await signIn()
        let article = try await client().article(5)
        XCTAssertEqual(article.id, 5)
        expectInOrder(
            .get("/articles/5").header("Authorization", "Bearer first"), .post("/token").form("refresh", "again"),
            .get("/articles/5").header("Authorization", "Bearer second"))
    }

    func testATokenThatIsNotRenewed() async throws {
        try server.add(RequestMatch.get("/articles/5").respond(401), RequestMatch.post("/token").respond(400))
        try await signIn()
        do {
            _ = try await client().article(5)
            XCTFail("there is no token")
        } catch {
            XCTAssertEqual(error as? AppError, .signedOut)
        }
        let isSignedIn = try await client().isSignedIn
        XCTAssertFalse(isSignedIn)
    }

    func testWhoIsSignedInHasAToken() async throws {
        let before = try await client().isSignedIn
        XCTAssertFalse(before)
        try await signIn()
        let after = try await client().isSignedIn
        XCTAssertTrue(after)
    }

    func testTwoWhoReadHaveTheirOwnTokens() async throws {
        try server.add(RequestMatch.get("/articles/5").respond(json: Self.article))
        try await signIn()
        _ = try await client().article(5)
        _ = try await AppClient(base: server.baseURL).article(5)
        expect(.get("/articles/5").header("Authorization", "Bearer first"), .once)
        expect(.get("/articles/5").header("Authorization", .absent), .once)
    }
}
