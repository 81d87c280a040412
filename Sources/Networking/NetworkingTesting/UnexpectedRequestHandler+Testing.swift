// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

public import NetworkingCore
public import Testing

extension UnexpectedRequestHandler {
    /// Fails the test that runs, with the line that makes curl send the request, even if the code under test keeps errors to itself.
    ///
    ///     let networker = Networker(onUnexpected: .failTest()) { request in
    ///         request is StoriesRequest ? Data("[]".utf8) : nil
    ///     }
    public static func failTest(sourceLocation: SourceLocation = #_sourceLocation) -> UnexpectedRequestHandler {
        UnexpectedRequestHandler { error in
            Issue.record(Comment(rawValue: "\(error)"), sourceLocation: sourceLocation)
        }
    }
}
