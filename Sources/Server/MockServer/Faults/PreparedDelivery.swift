// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiHTTPSyntax
import MockapiHTTPWire
import Synchronization

/// The delays and the fault of a stub's response, made into steps on the wire.
///
/// Each fault has an equal in both protocols: a fault that closes a connection of HTTP/1.1 resets a stream of HTTP/2, and the other way
/// round.
final class PreparedDelivery: Sendable {
    /// The bytes that WireMock sends if it sends no response.
    private static let garbage = Array("lskdu018973t09sylgasjkfg1][]'./.sdlv".utf8)
    /// A gzip header and a block of the reserved type: no decoder gets further (RFC 1951 §3.2.3).
    private static let badGzip: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 0xFF, 0x07]

    private let delay: ResponseDelay
    private let fault: Fault?
    private let endsConnection: Bool
    private let faultRules: [FaultRule]
    private let delayRules: [DelayRule]
    /// Distinguishes this response from others in random draws.
    private let salt: UInt64
    private let count = Atomic<UInt64>(0)

    /// - Returns: nil for a response that goes out whole and at once.
    init?(_ response: StubResponse, salt: UInt64) {
        if response.isPrompt { return nil }
        delay = response.delay
        fault = response.fault
        endsConnection = response.faultEndsConnection
        faultRules = response.faultRules
        delayRules = response.delayRules
        self.salt = salt
    }

    /// Whether the response has a fixed delay of its own, and a random one.
    var ownDelays: (isFixed: Bool, isDrawn: Bool) { (delay.fixedMilliseconds > 0, delay.distribution != nil) }

    /// The parts that the body goes out in; nil for one.
    var dribble: ResponseDelay.Dribble? { delay.dribble }

    /// Starts counts and draws again.
    func reset() {
        count.store(0, ordering: .relaxed)
    }

    /// Makes a response go out as the stub wants it.
    ///
    /// - Returns: the fault that it has.
    @discardableResult
    func apply(
        to response: inout Response, for head: borrowing RequestHead, on occasion: DeliveryOccasion
    ) -> Fault.Kind? {
        let number = count.wrappingAdd(1, ordering: .relaxed).oldValue
        var delivery = Delivery()
        var milliseconds = self.milliseconds(delay, occasion.seed, salt, number)
        if let (index, rule) = firstRule(delayRules, head, occasion, number, draws: 0) {
            milliseconds += self.milliseconds(rule.delay, occasion.seed, salt ^ Self.ruleSalt(2, index), number)
        }
        delivery.delay = UInt64(milliseconds) * 1_000_000
        if let dribble = delay.dribble {
            let count = max(1, min(dribble.chunks, response.body.count))
            let pause = UInt64(ResponseDelay.clamped(dribble.milliseconds)) * 1_000_000 / UInt64(count)
            delivery.pace = .parts(count: count, pause: pause)
        }
        let rule = firstRule(faultRules, head, occasion, number, draws: 1)?.rule
        let fault = rule?.fault ?? fault
        if let fault {
            let isHTTP2 = head.version == .http2
            let endsConnection = rule?.endsConnection ?? endsConnection
            apply(fault, &response, &delivery, isHTTP2: isHTTP2, endsConnection: !isHTTP2 || endsConnection)
        }
        response.delivery = delivery
        return fault?.kind
    }

    private func milliseconds(_ delay: ResponseDelay, _ seed: UInt64, _ salt: UInt64, _ number: UInt64) -> Int {
        let fixed = ResponseDelay.clamped(delay.fixedMilliseconds)
        guard let distribution = delay.distribution else { return fixed }
        var draw = SeededDraw(seed: seed, salt: salt, number: number)
        return fixed + draw.milliseconds(distribution)
    }

    /// The first rule whose condition holds and whose draw is met.
    ///
    /// - Parameter draws: tells these draws from others of the same response.
    private func firstRule<Rule: DeliveryRule>(
        _ rules: [Rule], _ head: borrowing RequestHead, _ occasion: DeliveryOccasion, _ number: UInt64,
        draws: UInt64
    ) -> (index: Int, rule: Rule)? {
        for (index, rule) in rules.enumerated() where rule.condition.holds(head, on: occasion, number: number) {
            if rule.probability >= 1 { return (index, rule) }
            var draw = SeededDraw(seed: occasion.seed, salt: salt ^ Self.ruleSalt(draws, index), number: number)
            if draw.unit() < rule.probability { return (index, rule) }
        }
        return nil
    }

    /// The salt that distinguishes the draws of a rule from those of others.
    private static func ruleSalt(_ draws: UInt64, _ index: Int) -> UInt64 {
        (draws << 32 | UInt64(index) &+ 1) &* 0x9E37_79B9_7F4A_7C15
    }

    private func apply(
        _ fault: Fault, _ response: inout Response, _ delivery: inout Delivery, isHTTP2: Bool, endsConnection: Bool
    ) {
        switch fault {
        case .emptyResponse:
            delivery.sendsHead = false
            delivery.ending = endsConnection ? .close : .resetStream(code: 0)
        case .connectionResetByPeer:
            delivery.sendsHead = false
            delivery.ending = endsConnection ? .reset : .resetStream(code: HTTP2ErrorCode.internalError)
        case .malformedResponseChunk:
            response = Response(head: Self.bareHead)
            delivery.garbage = Self.garbage
            delivery.ending = endsConnection ? .close : .resetStream(code: HTTP2ErrorCode.protocolError)
        case .randomDataThenClose:
            delivery.sendsHead = false
            delivery.garbage = Self.garbage
            delivery.ending = endsConnection ? .close : .resetStream(code: HTTP2ErrorCode.protocolError)
        case .truncateBody(let count):
            delivery.bodyLimit = count
            delivery.ending = isHTTP2 ? .resetStream(code: HTTP2ErrorCode.internalError) : .close
        case .truncateChunks(let count):
            response.head = ResponseHead(status: response.head.status, fields: response.head.fields, framing: .chunked)
            delivery.bodyLimit = count
            delivery.ending = isHTTP2 ? .resetStream(code: HTTP2ErrorCode.internalError) : .close
        case .slowBody(let rate): delivery.pace = .rate(rate)
        case .wrongContentLength:
            response.head = response.head.announcing(1)
            if !isHTTP2 { delivery.ending = .close }
        case .badGzip: spoilCoding(&response)
        case .resetStream(let code, let count):
            delivery.sendsHead = count != nil
            delivery.bodyLimit = count
            delivery.ending = isHTTP2 ? .resetStream(code: code) : .reset
        case .refusedStream:
            delivery.sendsHead = false
            delivery.ending = isHTTP2 ? .resetStream(code: HTTP2ErrorCode.refusedStream) : .close
        case .goAway(let code, let afterThisStream):
            delivery.sendsHead = afterThisStream
            delivery.ending = afterThisStream ? .lastOfConnection(code: code) : isHTTP2 ? .goAway(code: code) : .close
        case .stall(let count):
            delivery.sendsHead = count != nil
            delivery.bodyLimit = count
            delivery.ending = .stall
        }
    }

    /// The head that MALFORMED_RESPONSE_CHUNK starts with.
    private static let bareHead = ResponseHead(status: 200, fields: [], framing: .chunked)

    private func spoilCoding(_ response: inout Response) {
        guard response.head.framing != .none, response.body.count > 0 else { return }
        let fields = response.head.fields.filter { $0.name.lowercased() != "content-encoding" }
        response.body = .parts([.bytes(Self.badGzip), response.body])
        response.head = ResponseHead(
            status: response.head.status, fields: fields + [WireField("Content-Encoding", "gzip")],
            framing: .length(response.body.count))
        response.trailers = []
    }
}

extension ResponseHead {
    /// The same head with a Content-Length that says some bytes more, or one less if there is no larger number.
    fileprivate func announcing(_ more: Int) -> ResponseHead {
        guard case .length(let length) = framing else { return self }
        let (sum, overflows) = length.addingReportingOverflow(more)
        let announced = overflows ? length - 1 : sum
        return ResponseHead(status: status, fields: fields, framing: .length(announced))
    }
}
