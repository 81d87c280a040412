// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiTestSupport
import Testing

@testable import MockapiProxy

@Suite(.supervised) struct CopyBudgetTests {
    @Test func `what finds no room takes none, and what is given back is room again`() {
        let budget = CopyBudget(limit: 10)
        #expect(budget.take(10))
        #expect(!budget.take(1))
        budget.giveBack(4)
        #expect(!budget.take(5))
        #expect(budget.take(4))
    }
}
