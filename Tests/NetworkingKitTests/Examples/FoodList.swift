// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import NetworkingKit

/// What a screen shows of foods.
@MainActor final class FoodList {
    private(set) var dataSource: [Food] = []
    private(set) var error: (any Error)?

    func getFood<S: Gettable>(from service: S) async where S.Value == [Food] {
        do {
            dataSource = try await service.get()
        } catch {
            self.error = error
        }
    }
}
