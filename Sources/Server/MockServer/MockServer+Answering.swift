// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

extension MockServer {
    /// A server that responds to each request alike.
    package static func answeringEverything(_ status: Int, _ text: String) throws(MockServerError) -> MockServer {
        let configuration = Configuration()
        let stub = RequestMatch.anyURL().respond(status, body: .text(text))
        return try MockServer(LoadedFixtures(usable(nil, [stub], configuration)), configuration)
    }
}
