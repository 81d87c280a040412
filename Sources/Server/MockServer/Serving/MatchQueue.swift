// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPServer
import MockapiStubMatching
import MockapiSystemIO

/// Matches requests with large bodies, and explains those that match nothing, beside the event loops, which go first if processors are short: some at a time, in the order they came.
final class MatchQueue: Sendable {
    /// Bytes of a body that is matched on the loop it came by. 64 KiB: that takes a few milliseconds at most.
    static let bodyLimit = 64 * 1024
    /// Bytes of a body that is matched on the loop if stubs ask for paths in it, such as `matchesJsonPath`. 4 KiB.
    static let pathBodyLimit = 4 * 1024
    /// Bytes of a head that is matched on the loop if stubs ask for paths or JSON in its values. 4 KiB.
    static let headLimit = 4 * 1024

    /// Bytes of a body that is matched on the loop it came by: none if a stub of its path has a schema or XML.
    static func bodyLimit(_ weight: BodyWeight) -> Int {
        switch weight {
        case .nothing: .max
        case .text: bodyLimit
        case .path: pathBodyLimit
        case .engine: 0
        }
    }

    /// Bytes of a body beyond which requests are matched one at a time, lest the memory for several is taken at once. 256 KiB.
    static let soleLimit = 256 * 1024

    private let workers: BackgroundWorkers<MatchScratch>
    /// Requests that wait; the response to more is 503.
    var limit: Int { workers.limit }

    /// - Parameter width: how many requests are matched at once.
    init(width: Int, limit: Int) {
        workers = BackgroundWorkers(width: width, limit: limit) { MatchScratch() }
    }

    /// Whether a request that is added now is matched at once: one that matches nothing is then explained here, and else on its loop, since others
    /// may take long.
    var isFree: Bool { limit > 0 && workers.isFree }

    /// Adds work; false if too much waits already.
    func add(_ work: @escaping BackgroundWorkers<MatchScratch>.Work) -> Bool { workers.add(work) }
}
