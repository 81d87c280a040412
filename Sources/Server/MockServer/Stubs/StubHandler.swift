// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiHTTPServer
import MockapiJSONText

/// The code that computes the responses of a stub, and where it is written.
final class StubHandler: Sendable {
    /// Bytes of an error's text that are shown. 4 KiB.
    private static let shownError = 4096

    private let label: String
    /// The path of the stub if it has variables.
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
        /// Whether nobody waits for it any longer.
        var isCancelled = false
    }

    /// Runs the code for a request, and reads its response as a stub of its own.
    ///
    /// - Parameter root: the fixture directory, for files that a response names.
    func respond(to note: PendingEntry, root: String) async throws(Failure) -> Stub {
        let response: MockResponse
        do {
            response = try await compute(StubRequest(note, template: template))
        } catch {
            // Code may throw CancellationError to a client that still waits: the type of the error says nothing of that.
            if Task.isCancelled {
                throw Failure(text: "the response of \(label) was cancelled", isCancelled: true)
            }
            let told = String(decoding: "\(error)".utf8.prefix(Self.shownError), as: UTF8.self)
            throw Failure(text: "the response of \(label) could not be computed: \(told)".printable)
        }
        let node = StubWriter.stub(request: StubWriter.request(RequestPattern()), steps: [response.node])
        // Looking for files takes a walk through the directory.
        let read = AddedStub(
            JSONWriter.compact(node), label: label, number: 0, root: response.namesFile ? root : "")
        guard let stub = read.stub else {
            let errors = read.findings.filter { $0.severity == .error }.map(\.description)
            throw Failure(text: "the response of \(label) cannot be sent: \(errors.joined(separator: "; "))".printable)
        }
        return stub
    }
}
