// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

package import MockapiFixtures
import MockapiHTTPSyntax

/// An observer of every response of a server.
package protocol ResponseObserver: Sendable {
    /// Called on the event loop that the response goes out on, which it must not hold up.
    func didServe(_ request: ServedRequest)
}

/// A request and the source of its response, as far as it is counted.
package struct ServedRequest: Sendable {
    /// The source of the response to a request.
    package enum Source: Hashable, Sendable {
        /// A step of a stub, counted from 0.
        case stub(id: String, step: Int)
        /// A fault that one of the rules of a stub's step had instead of the response.
        case fault(id: String, step: Int, kind: Fault.Kind)
        /// A plain file, by its path.
        case file(String)
        /// Nothing matched.
        case miss
        /// The message was refused before it was matched.
        case refused
        /// It was turned away by a stub, proxied, or the server's own preflight.
        case other
    }

    package let source: Source
    /// `HTTP/1.1`, `HTTP/1.0` or `HTTP/2.0`.
    package let protocolName: String
    package let isEncrypted: Bool
    /// Counts the connections of the process from 1.
    package let connection: UInt64

    init(_ record: JournalRecord, _ served: ServedResponse, in fixtures: ServedFixtures) {
        source =
            switch served.outcome {
            case .stub where served.isRefusal: .other
            case .stub: Self.source(of: served, fixtures.set.stubs[served.ordinal])
            case .file: .file(fixtures.set.files[served.ordinal].path)
            case .miss: .miss
            case .refused: .refused
            case .proxied, .preflight: .other
            }
        protocolName = (HTTPVersion(rawValue: UInt8(record.version)) ?? .http11).name
        isEncrypted = record.tls != 0
        connection = record.connection
    }

    private static func source(of served: ServedResponse, _ stub: Stub) -> Source {
        guard let kind = served.fault, stub.responses.indices.contains(served.step),
            stub.responses[served.step].faultKinds.contains(kind)
        else { return .stub(id: stub.id, step: served.step) }
        return .fault(id: stub.id, step: served.step, kind: kind)
    }
}
