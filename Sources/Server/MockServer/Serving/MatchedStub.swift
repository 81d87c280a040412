// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiHTTPSyntax
import MockapiHTTPWire

/// The stub that matches a request, and the source of its response.
struct MatchedStub: Sendable {
    /// The cases with a payload are indirect: nearly every request has none, and a match is copied several times.
    indirect enum Source: Sendable {
        /// The response, which is there.
        case response
        /// The rendering of the response, to be done beside the loop because it takes long.
        case rendering(TemplatedResponse, number: UInt64)
        /// Nothing, since the response cannot be rendered.
        case unrendered(TemplatedResponse.Failure)
        /// Code.
        case computed(StubHandler)
        /// Another server.
        case proxied(ProxyTarget)
        case resource(ResourceCollection)
    }

    let ordinal: Int
    /// The response claimed from the stub.
    var response: PreparedResponse
    /// The load that the stub is of.
    let fixtures: ServedFixtures
    /// Lines that the response has besides its own.
    let fields: [WireField]
    /// The move of the stub's scenario; nil if the stub has no part in any.
    let move: ScenarioMove?
    /// The name of the hold that the response waits for; nil if it waits for nothing, or has waited.
    var hold: String?
    var source = Source.response
    /// A stub that might have come first, if its tests had been completed, in words.
    var doubt: String?

    /// The same, whose response waits for nothing.
    var released: MatchedStub {
        var other = self
        other.hold = nil
        return other
    }

    /// Takes a rendered response.
    ///
    /// - Parameter source: becomes the source if there is no response.
    mutating func take(_ rendered: PreparedResponse?, or source: Source) {
        guard let rendered else { return self.source = source }
        response = rendered
        self.source = rendered.proxy.map { .proxied($0) } ?? .response
    }

    /// The source of a response, and why it may not be the right one: each response of the stub comes by here, whenever it is made.
    ///
    /// - Parameter sent: the response; the lines of this stub are the caller's to add.
    func serving(_ sent: Response, fault: Fault.Kind? = nil, reason: String? = nil) -> ServedResponse {
        ServedResponse(
            response: sent, outcome: .stub, ordinal: ordinal, step: response.step, fault: fault,
            reason: reason ?? doubt, move: move)
    }
}
