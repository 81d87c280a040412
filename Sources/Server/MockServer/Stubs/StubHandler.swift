// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiHTTPServer
import MockapiJSONText

extension RequestMatch {
    /// A stub whose responses code computes, each from its request.
    ///
    ///     RequestMatch.post("/api/echo").respond { request in
    ///         MockResponse(200, headers: ["Content-Type": request.header("Content-Type") ?? "text/plain"], body: .bytes(request.body))
    ///     }
    ///
    /// The code runs beside the event loops, on threads that may block; up to 256 responses of a server are under way at once, and further
    /// requests are answered with 503. It is cancelled when the client goes away or the server stops. What it throws is told by a 500 that
    /// names this line.
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

/// The code that computes the responses of a stub, and where it is written.
final class StubHandler: Sendable {
    /// Bytes of an error's text that are shown. 4 KiB.
    private static let shownError = 4096

    private let label: String
    /// The path of the stub where it has variables.
    private let template: String?
    private let compute: @Sendable (StubRequest) async throws -> MockResponse

    init(label: String, template: String?, _ compute: @escaping @Sendable (StubRequest) async throws -> MockResponse) {
        self.label = label
        self.template = template
        self.compute = compute
    }

    /// Why there is no response, in a line.
    struct Failure: Error {
        let text: String
    }

    /// - Parameter root: the fixture directory, for files that a response names.
    func respond(to note: PendingEntry, root: String) async throws(Failure) -> PreparedResponse {
        let response: MockResponse
        do {
            response = try await compute(StubRequest(note, template: template))
        } catch is CancellationError {
            throw Failure(text: "the answer of \(label) was cancelled")
        } catch {
            let told = String(decoding: "\(error)".utf8.prefix(Self.shownError), as: UTF8.self)
            throw Failure(text: "the answer of \(label) could not be computed: \(told)".printable)
        }
        let node = StubWriter.stub(request: StubWriter.request(RequestPattern()), steps: [response.node])
        // Looking for files takes a walk through the directory.
        let read = AddedStub(
            JSONWriter.compact(node), label: label, number: 0, root: response.namesFile ? root : "")
        guard let stub = read.stub else {
            let errors = read.findings.filter { $0.severity == .error }.map(\.description)
            throw Failure(text: "the answer of \(label) cannot be sent: \(errors.joined(separator: "; "))".printable)
        }
        return PreparedStub(stub).first
    }
}
