// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

public import MockServer

extension MockServer {
    /// The server of the test that runs.
    ///
    /// Outside of a test with the trait `.mockServer(…)` there is none: the process ends with a sentence that says what to add.
    public static var current: MockServer {
        guard let server = CurrentServer.value else {
            fatalError(
                """
                MockServer.current: this code runs outside of a test with a server. Add the trait to the test or its suite, \
                such as @Suite(.mockServer(fixtures: "Fixtures")), and start detached tasks with the server as an argument.
                """)
        }
        return server
    }
}
