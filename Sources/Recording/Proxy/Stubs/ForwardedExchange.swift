// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

package import MockapiHTTPServer
import MockapiHTTPSyntax
import MockapiHTTPWire
package import MockapiUpstream

/// A request that a stub forwarded, as the client sent it, and the response of the other server.
package struct ForwardedExchange: Sendable {
    /// Bytes of content that are kept. 16 MiB.
    package static let contentLimit = 16 * 1024 * 1024

    /// Its number among the requests of the server.
    package let number: UInt64
    /// Scheme, authority and the beginning of the path, as the stub names them.
    package let base: String
    package let method: String
    /// The path and query that the client asked for.
    package let target: String
    /// The lines that came from the client and went on.
    package let fields: [UpstreamField]
    package let body: [UInt8]
    package let head: UpstreamHead
    /// As it was transferred; nil if it was too long to keep.
    package let content: [UInt8]?
    package let trailers: [UpstreamField]
}

extension ForwardedExchange {
    package init(_ own: OwnExchange) {
        self.init(
            number: own.number, base: own.base, method: own.method, target: own.target,
            fields: own.fields.map { UpstreamField($0.name, $0.value) }, body: own.body,
            head: UpstreamHead(
                version: .http11, status: own.status,
                fields: own.responseFields.map { UpstreamField($0.name, $0.value) }),
            content: own.content, trailers: [])
    }
}

/// Keeps the exchanges that stubs have forwarded, and makes fixtures of them.
package protocol ExchangeKeeper: ForwardedRecorder {
    /// Takes an exchange whose response has come whole.
    func keep(_ exchange: ForwardedExchange)
}
