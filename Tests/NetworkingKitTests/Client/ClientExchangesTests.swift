// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Synchronization
import TestSupport
import Testing

@testable import NetworkingKit

@Suite(.supervised) struct ClientExchangesTests {
    private struct Asked: APIRequest {
        typealias Response = Void
        var method: HTTPMethod { .get }
        let path: String
    }

    @Test func anExchangeThatIsCancelledBeforeItRunsIsCancelledWhenItRuns() {
        let cancelled = Mutex<[String]>([])
        let exchanges = ClientExchanges()
        let first = exchanges.begin(Asked(path: "1"))
        let second = exchanges.begin(Asked(path: "2"))
        exchanges.cancel { ($0 as? Asked)?.path == "1" }
        exchanges.run(first) { cancelled.withLock { $0.append("1") } }
        exchanges.run(second) { cancelled.withLock { $0.append("2") } }
        #expect(cancelled.withLock { $0 } == ["1"])
        exchanges.cancel { _ in true }
        #expect(cancelled.withLock { $0.sorted() } == ["1", "1", "2"])
    }

    @Test func anExchangeThatHasEndedIsNotCancelled() {
        let cancelled = Mutex(false)
        let exchanges = ClientExchanges()
        let ticket = exchanges.begin(Asked(path: "1"))
        exchanges.end(ticket)
        exchanges.run(ticket) { cancelled.withLock { $0 = true } }
        exchanges.cancel { _ in true }
        #expect(!cancelled.withLock { $0 })
    }
}
