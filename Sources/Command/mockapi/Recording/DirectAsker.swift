// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockServer
import MockapiProxy
import MockapiRecording
import MockapiUpstream

/// Makes the requests of `--get` and `--requests`.
struct DirectAsker: Sendable {
    let session: RecordingSession
    /// The fixtures whose responses need not be asked for; nil if all are.
    let lookupDirectory: String?
    /// Whether requests that match no fixture go to the service; an error otherwise.
    let isAsking: Bool
    let printer: RecordingPrinter

    /// The fields that go with a request that has none of the name.
    private static let fields = [
        UpstreamField("Accept", "*/*"), UpstreamField("Accept-Encoding", AcceptedCodings.known.joined(separator: ", ")),
        UpstreamField("User-Agent", "mockapi/\(mockapiVersion)"),
    ]

    func ask(_ requests: [DirectRequest]) async throws {
        for request in requests where !Task.isCancelled {
            if let lookupDirectory, try lookup(lookupDirectory).hasMatch(for: request) {
                printer.finished(session.matched(request))
                continue
            }
            guard isAsking else {
                printer.finished(session.missing(request))
                continue
            }
            await session.send(request, fields: Self.fields)
            // The response may serve the next request.
            if lookupDirectory != nil { await session.drain() }
        }
    }

    private func lookup(_ directory: String) throws -> FixtureLookup {
        do throws(MockServerError) {
            return try FixtureLookup(directory: directory)
        } catch {
            Output.note("error: \(error)")
            throw Exit.unusableFixtures
        }
    }
}
