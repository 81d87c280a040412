// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation
import MockServer
import MockapiTestSupport
import MockapiWireSupport
import NetworkingKit
import Testing

/// The forms in which services and those who use them are published: a handler with a result, a generic consumer, a fake.
@Suite(.supervised) struct GettableCallSites {
    struct Meal: Codable, Equatable {
        let name: String
    }

    /// A service that is written with a completion handler only.
    struct MealService: CallbackGettable {
        let api: URL
        let networker: Networker

        func get(completionHandler: @escaping @Sendable (Result<[Meal], any Error>) -> Void) {
            JSONMeals(resource: JSONResource(api.appendingPathComponent("foods"), networking: networker))
                .get(completionHandler: completionHandler)
        }
    }

    /// A service that is written as an asynchronous function.
    struct JSONMeals: Gettable {
        let resource: JSONResource

        func get() async throws -> [Meal] { try await resource.get() }
    }

    final class Fake_MealService: CallbackGettable {
        let result: Result<[Meal], any Error> = .success([Meal(name: "Dal")])

        func get(completionHandler: @escaping @Sendable (Result<[Meal], any Error>) -> Void) {
            completionHandler(result)
        }
    }

    /// A view controller: all of it on the main actor.
    @MainActor final class MealViewController {
        var dataSource = [Meal]() {
            didSet { reloads += 1 }
        }
        private(set) var reloads = 0
        private(set) var errors: [any Error] = []

        @discardableResult
        func getMeals<S: Gettable>(fromService service: S) -> Task<Void, Never> where S.Value == [Meal] {
            service.get { [weak self] result in
                switch result {
                case .success(let meals):
                    self?.dataSource = meals
                case .failure(let error):
                    self?.errors.append(error)
                }
            }
        }
    }

    @Test @MainActor func aViewControllerGetsFromAServiceOverTheWire() async throws {
        let fixtures = try FoodFixtures.directory()
        let server = try await MockServer.start(fixtures: fixtures.path)
        let viewController = MealViewController()
        await viewController.getMeals(fromService: MealService(api: server.baseURL, networker: Networker())).value
        #expect(viewController.dataSource == [Meal(name: "Ramen"), Meal(name: "Falafel")])
        #expect(viewController.reloads == 1)
        await server.stop()
    }

    @Test @MainActor func aViewControllerGetsFromAFake() async {
        let viewController = MealViewController()
        await viewController.getMeals(fromService: Fake_MealService()).value
        #expect(viewController.dataSource == [Meal(name: "Dal")])
    }

    @Test @MainActor func aViewControllerHearsOfAnError() async throws {
        let server = try await MockServer.start(fixtures: Sample.fixtures)
        let viewController = MealViewController()
        await viewController.getMeals(fromService: MealService(api: server.baseURL, networker: Networker())).value
        #expect((viewController.errors.first as? ResponseError)?.status == 404)
        #expect(viewController.reloads == 0)
        await server.stop()
    }

    @Test func aServiceIsPassedByItsPrimaryAssociatedType() async throws {
        func names(_ service: any Gettable<[Meal]>) async throws -> [String] {
            try await service.get().map(\.name)
        }
        #expect(try await names(Fake_MealService()) == ["Dal"])
    }
}
