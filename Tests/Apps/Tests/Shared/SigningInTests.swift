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

@Suite(.mockServer()) @MainActor struct SigningInTests {
    private let server = MockServer.current
    private let client = AppClient(base: MockServer.current.baseURL)

    private func login(_ stubs: MockStub...) throws -> LoginModel {
        for stub in stubs { try server.add(stub) }
        let login = LoginModel(client)
        (login.name, login.password) = ("ann", "secret")
        return login
    }

    private func signIn() async throws {
        try server.add(Served.login)
        _ = try await client.signIn("ann", "secret")
    }

    @Test func `name and password are sent as JSON`() async throws {
        let login = try login(Served.login)
        await login.submit()
        #expect(login.state == .done(User(name: "Ann", isAdmin: false)))
        expect(
            .post("/login").header("Content-Type", "application/json")
                .body(.equalToJSON(#"{"name": "ann", "password": "secret"}"#)), .once)
    }

    @Test(arguments: [
        (401, "Name or password is wrong."), (429, "Too many requests; try again later."),
        (403, "The service refused this."), (500, "The service failed (500)."),
    ]) func `a refusal is told`(status: Int, text: String) async throws {
        let login = try login(RequestMatch.post("/login").respond(status))
        await login.submit()
        #expect(login.state == .failed(text))
        #expect(await !client.isSignedIn)
        expect(.post("/login"), .once)
    }

    @Test func `a form is sent once however often it is pressed`() async throws {
        let login = try login(Served.login.hold("login"))
        async let first: Void = login.submit()
        try await expect(.post("/login"), .once, within: .seconds(20))
        #expect(login.state == .busy)
        #expect(!login.canSubmit)
        async let second: Void = login.submit()
        try await expect(.post("/login"), .atMost(1), within: .milliseconds(300))
        try server.release("login")
        _ = await (first, second)
        #expect(login.state == .done(User(name: "Ann", isAdmin: false)))
    }

    @Test(arguments: [
        ("ann", "1234", true), ("ann", "123", false), ("", "1234", false), ("  ", "1234", false),
        (" ann ", "long enough", true),
    ]) func `a form is complete with a name and four letters`(name: String, password: String, isComplete: Bool) async {
        let login = LoginModel(client)
        (login.name, login.password) = (name, password)
        #expect(login.canSubmit == isComplete)
        if !isComplete { await login.submit() }
        expect(.anyURL(), .never)
    }

    @Test func `blanks around a name are not sent`() async throws {
        let login = try login(Served.login)
        login.name = "  ann "
        await login.submit()
        expect(.post("/login").body(.matchesJSONPath("$.name", "ann")), .once)
    }

    @Test func `a password is forgotten once it was sent`() async throws {
        let login = try login(Served.login)
        await login.submit()
        #expect(login.password == "")
        #expect(login.name == "ann")
    }

    @Test func `a token goes with each request behind it, and with none before`() async throws {
        try server.add(RequestMatch.get("/articles/1").respond(json: Served.article(1)))
        _ = try await client.article(1)
        try await signIn()
        _ = try await client.article(1)
        expectInOrder(
            .get("/articles/1").header("Authorization", .absent), .post("/login").header("Authorization", .absent),
            .get("/articles/1").header("Authorization", "Bearer first"))
    }

    @Test(arguments: [204, 401, 500]) func `signing out forgets the token, whatever the service says`(
        status: Int
    ) async throws {
        try await signIn()
        try server.add(
            RequestMatch.delete("/session").respond(status), RequestMatch.post("/token").respond(400),
            RequestMatch.get("/articles/1").respond(json: Served.article(1)))
        let login = LoginModel(client)
        await login.signOut()
        #expect(login.state == .idle)
        _ = try await client.article(1)
        expect(.delete("/session").header("Authorization", "Bearer first"))
        expect(.get("/articles/1").header("Authorization", .absent), .once)
    }

    @Test func `twenty requests with an old token ask for one new one`() async throws {
        for stub in Served.guarded(by: "second") { try server.add(stub) }
        try server.add(RequestMatch.post("/token").respond(json: #"{"token": "second"}"#).hold("token"))
        try await signIn()
        let client = client
        let pages = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<20 { group.addTask { try await client.articles(topic: nil, link: nil).items.count } }
            try await expect(
                .get("/articles").header("Authorization", "Bearer first"), .times(20), within: .seconds(60))
            try server.release("token")
            var pages: [Int] = []
            for try await count in group { pages.append(count) }
            return pages
        }
        #expect(pages == Array(repeating: 1, count: 20))
        expect(.post("/token").form("refresh", "again"), .once)
        expect(.get("/articles").header("Authorization", "Bearer second"), .times(20))
    }

    @Test func `a new token is used from then on`() async throws {
        for stub in Served.guarded(by: "second") { try server.add(stub) }
        try server.add(RequestMatch.post("/token").respond(json: #"{"token": "second"}"#))
        try await signIn()
        for _ in 0..<3 { _ = try await client.articles(topic: nil, link: nil) }
        expect(.get("/articles").header("Authorization", "Bearer first"), .once)
        expect(.post("/token"), .once)
    }

    @Test(arguments: [400, 401, 500]) func `who gets no new token is signed out`(status: Int) async throws {
        for stub in Served.guarded(by: "second") { try server.add(stub) }
        try server.add(RequestMatch.post("/token").respond(status))
        try await signIn()
        await #expect(throws: AppError.signedOut) { try await client.articles(topic: nil, link: nil) }
        #expect(await !client.isSignedIn)
        expect(.post("/token"), .once)
        expect(.get("/articles"), .once)
    }

    @Test func `a token that is refused again is not renewed for ever`() async throws {
        for stub in Served.guarded(by: "third") { try server.add(stub) }
        try server.add(RequestMatch.post("/token").respond(json: #"{"token": "second"}"#))
        try await signIn()
        await #expect(throws: AppError.signedOut) { try await client.articles(topic: nil, link: nil) }
        expect(.post("/token"), .once)
        expect(.get("/articles"), .times(2))
    }

    @Test func `what is forbidden asks for no new token`() async throws {
        try server.add(RequestMatch.get("/articles/1").respond(403, body: .text(#"{"message": "For members."}"#)))
        try await signIn()
        await #expect(throws: AppError.refused("For members.")) { try await client.article(1) }
        expect(.post("/token"), .never)
        expect(.get("/articles/1"), .once)
    }

    @Test func `what is sent again for a new token is sent whole`() async throws {
        try server.add(
            RequestMatch.post("/articles").header("Authorization", "Bearer second").respond(
                json: Served.article(5), status: 201),
            RequestMatch.post("/articles").respond(401, priority: 9),
            RequestMatch.post("/token").respond(json: #"{"token": "second"}"#))
        try await signIn()
        let text = String(repeating: "Brot & Käse. ", count: 5_000)
        _ = try await client.publish(Draft(title: "T", text: text), key: "1")
        expect(
            .post("/articles").header("Authorization", "Bearer second")
                .body(.matchesJSONPath("$.text", .equalTo(text))), .once)
    }
}
