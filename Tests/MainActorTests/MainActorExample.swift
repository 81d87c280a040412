// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation
import MockServerTesting
import MockapiTestSupport
import NetworkingKit
import Testing

// What a request and its output are made of belongs to no actor: `nonisolated` says so.
nonisolated struct Todo: Codable {
    var title: String
}

nonisolated struct TodosRequest: Request {
    typealias Output = [Todo]
    let url: URL
    let method = HTTPMethod.get
}

nonisolated extension Todo: Equatable {}

nonisolated struct NewTodo: APIRequest {
    typealias Response = Todo
    let baseURL: URL
    let path = "todos"
    let method = HTTPMethod.post
}

/// A view model as a new project of Xcode has it: on the main actor, without a word about it.
final class TodosModel {
    private(set) var todos: [Todo] = []
    private(set) var isLoading = false
    private let networker = Networker()
    private let base: URL

    init(_ base: URL) { self.base = base }

    func load() async throws {
        isLoading = true
        defer { isLoading = false }
        todos = try await networker.value(for: TodosRequest(url: base.appendingPathComponent("todos")))
    }
}

/// The examples of `docs/networking/core.md` for a module whose default isolation is the main actor.
@Suite(.supervised, .mockServer(stubs: [RequestMatch.get("/todos").respond(json: #"[{"title": "Bread"}]"#)]))
struct MainActorExample {
    @Test func theModelShowsWhatTheServiceHas() async throws {
        let model = TodosModel(MockServer.current.baseURL)
        try await model.load()
        #expect(model.todos == [Todo(title: "Bread")])
        #expect(!model.isLoading)
        try await expect(.get("/todos"), .once, within: .seconds(5))
        expectInOrder(.get("/todos"))
    }

    @Test func aHandlerReadsTheRequest() async throws {
        try MockServer.current.add(
            RequestMatch.post("/todos").respond { _ in .json(#"{"title": "Milk"}"#, status: 201) })
        let made = try await Client().send(NewTodo(baseURL: MockServer.current.baseURL))
        #expect(made == Todo(title: "Milk"))
    }
}
