// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation
import MockServer
import MockapiTestSupport
import MockapiWireSupport
import NetworkingKit
import Testing

/// The examples of `docs/networking/services.md` that call something.
@Suite(.supervised) struct ServicesExamples {
    struct OldFoodService: Gettable {
        let cache: [Food]

        func get(completionHandler: @escaping @Sendable (Result<[Food], any Error>) -> Void) {
            completionHandler(.success(cache))
        }
    }

    @Test func aServiceOverTheWire() async throws {
        let fixtures = try FoodFixtures.directory()
        let server = try await MockServer.start(fixtures: fixtures.path)
        let api = server.baseURL

        let service = FoodService(api: api, networking: Networker())
        let foods = try await service.get()
        let pierogi = try await service.create(FoodService.Draft(name: "Pierogi"))

        #expect(foods.count == 2)
        #expect(pierogi.id == 3)
        await server.stop()
    }

    @Test @MainActor func aFakeInAScreen() async {
        let list = FoodList()
        let fake = Fake_FoodService(.success([Food(id: 1, name: "Ramen")]))
        await list.getFood(from: fake)
        #expect(fake.getWasCalled)
        #expect(list.dataSource == [Food(id: 1, name: "Ramen")])
    }

    @Test func aServiceOfHandlersIsAwaited() async throws {
        #expect(try await OldFoodService(cache: [Food(id: 1, name: "Ramen")]).get().count == 1)
    }

    @MainActor final class Screen {
        var shown = ""

        func load(_ service: some Gettable<[Food]>) -> Task<Void, Never> {
            service.get { result in
                switch result {
                case .success(let foods): self.shown = "\(foods.count) foods"
                case .failure(let error): self.shown = "\(error)"
                }
            }
        }
    }

    @Test @MainActor func aHandlerChangesItsScreen() async {
        let screen = Screen()
        await screen.load(Fake_FoodService(.success([]))).value
        #expect(screen.shown == "0 foods")
    }
}
