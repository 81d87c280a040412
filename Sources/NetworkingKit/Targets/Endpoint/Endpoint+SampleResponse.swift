// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

public import Foundation

extension Endpoint {
    /// What a stub answers.
    public enum SampleResponse: Sendable {
        /// A status and a content; the response has no fields.
        case networkResponse(Int, Data)
        case response(HTTPURLResponse, Data)
        /// No answer comes.
        case networkError(any Error)
    }
}
