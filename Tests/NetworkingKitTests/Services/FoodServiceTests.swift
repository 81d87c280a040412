// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation
import HTTPTypes
import MockServer
import MockapiTestSupport
import MockapiWireSupport
import NetworkingKit
import Testing

@Suite(.supervised) @MainActor struct FoodServiceTests {
    @Test func aServiceGetsCreatesUpdatesAndDeletesOverTheWire() async throws {
        let fixtures = try FoodFixtures.directory()
        let server = try await MockServer.start(fixtures: fixtures.path)
        let service = FoodService(api: server.baseURL, networking: Networker())

        #expect(try await service.get() == [Food(id: 1, name: "Ramen"), Food(id: 2, name: "Falafel")])
        #expect(try await service.create(FoodService.Draft(name: "Pierogi")) == Food(id: 3, name: "Pierogi"))
        #expect(try await service.update(Food(id: 2, name: "Hummus")) == Food(id: 2, name: "Hummus"))
        try await service.delete(1)

        let requests = server.journal.entries
        #expect(
            server.requestLines == [
                "GET /foods", "POST /foods", "PUT /foods/2", "DELETE /foods/1",
            ])
        #expect(requests.allSatisfy { $0.request.headerFields[.accept] == "application/json" })
        #expect(
            requests.map { $0.request.headerFields[.contentType] } == [
                nil, "application/json", "application/json", nil,
            ])
        #expect(
            requests.map { String(decoding: $0.body, as: UTF8.self) } == [
                "", #"{"name":"Pierogi"}"#, #"{"id":2,"name":"Hummus"}"#, "",
            ])
        await server.stop()
    }

    @Test func aScreenShowsWhatTheServiceOverTheWireGets() async throws {
        let fixtures = try FoodFixtures.directory()
        let server = try await MockServer.start(fixtures: fixtures.path)
        let list = FoodList()
        await list.getFood(from: FoodService(api: server.baseURL, networking: Networker()))
        #expect(list.dataSource.map(\.name) == ["Ramen", "Falafel"])
        #expect(list.error == nil)
        await server.stop()
    }

    @Test func aScreenShowsWhatAFakeGets() async {
        let service = Fake_FoodService(.success([Food(id: 9, name: "Tofu")]))
        let list = FoodList()
        await list.getFood(from: service)
        #expect(service.getWasCalled)
        #expect(list.dataSource == [Food(id: 9, name: "Tofu")])
    }

    @Test func aScreenKeepsTheErrorOfAFake() async {
        let list = FoodList()
        await list.getFood(from: Fake_FoodService(.failure(URLError(.timedOut))))
        #expect((list.error as? URLError)?.code == .timedOut)
        #expect(list.dataSource.isEmpty)
    }
}
