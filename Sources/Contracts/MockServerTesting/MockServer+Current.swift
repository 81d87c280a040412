// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

public import MockServer
import Testing

extension MockServer {
    /// The server of the test that runs.
    ///
    /// Code that belongs to no task of the test has none: completion handlers, blocks of a dispatch queue and detached tasks, beside tests
    /// without the trait `.mockServer(…)`. An issue says so then, and the server responds to each request with 503.
    public static var current: MockServer {
        if let server = CurrentServer.value?.server { return server }
        Issue.record(Comment(rawValue: "MockServer.current: " + OutsideOfTests.text))
        return OutsideOfTests.server
    }
}

/// Code that runs outside of the tasks of a test.
enum OutsideOfTests {
    static let text = """
        this code runs outside of the tasks of a test with a server, as completion handlers, blocks of a dispatch queue and detached \
        tasks do. Take the server before they begin: let server = MockServer.current. A test without a server needs the trait, such as \
        @Suite(.mockServer(fixtures: "Fixtures")).
        """

    /// The server of all such code, so that it goes on.
    static let server: MockServer = {
        do {
            return try MockServer.answeringEverything(503, "MockServer.current: \(text)\n")
        } catch {
            fatalError("MockServer.current: \(text) No other can be started: \(error)")
        }
    }()
}
