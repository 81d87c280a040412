// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiUpstream
import Testing

/// The error a request ends with; a response is an issue of the test.
func failure(
    of request: () async throws -> Void, sourceLocation: SourceLocation = #_sourceLocation
) async -> UpstreamError? {
    do {
        try await request()
        Issue.record("there was a response", sourceLocation: sourceLocation)
    } catch let error as UpstreamError {
        return error
    } catch {
        Issue.record("\(error)", sourceLocation: sourceLocation)
    }
    return nil
}
