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

/// Many tests at once, each with a session of its own.
@Suite(.mockServer()) @MainActor struct CrowdTests {
    @Test(arguments: 0..<250) func `each of many has its own response`(number: Int) async throws {
        try MockServer.current.add(RequestMatch.get("/articles/{id}").respond(json: Served.article(number)))
        let article = try await AppClient(base: MockServer.current.baseURL).article(number)
        #expect(article.id == number)
        expect(.get("/articles/\(number)"), .once)
        expect(.anyURL(), .once)
    }
}
