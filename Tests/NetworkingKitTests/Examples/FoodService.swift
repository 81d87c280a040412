// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation
import NetworkingKit

struct Food: Codable, Equatable {
    let id: Int
    var name: String
}

struct FoodService: Gettable, Creatable, Updatable, Deletable {
    struct Draft: Codable {
        let name: String
    }

    let foods: JSONResource

    init(api: URL, networking: any Networking) {
        foods = JSONResource(api.appendingPathComponent("foods"), networking: networking)
    }

    func get() async throws -> [Food] { try await foods.get() }
    func create(_ draft: Draft) async throws -> Food { try await foods.post(draft) }
    func update(_ food: Food) async throws -> Food { try await foods.item(food.id).put(food) }
    func delete(_ id: Int) async throws { try await foods.item(id).delete() }
}
