// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

extension RequestMatch {
    /// A stub whose responses code computes, each from its request.
    ///
    ///     RequestMatch.post("/api/echo").respond { request in
    ///         MockResponse(200, headers: ["Content-Type": request.header("Content-Type") ?? "text/plain"], body: .bytes(request.body))
    ///     }
    ///
    /// The code runs beside the event loops, on threads that may block; up to 256 responses of a server are under way at once, and further
    /// requests get 503. It is cancelled when the client goes away or the server stops. If it throws an error, the response is
    /// a 500 that names this line.
    public func respond(
        priority: Int? = nil, fileID: String = #fileID, line: Int = #line,
        _ compute: @escaping @Sendable (StubRequest) async throws -> MockResponse
    ) -> MockStub {
        let label = MockStub.label(fileID, line)
        return MockStub(
            stub([MockResponse()], nil, priority), label: label,
            handler: StubHandler(label: label, template: template, compute))
    }
}
