// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Fixtures
import HTTPMessage
import HTTPWire
import Synchronization

/// The delays and the fault of a stub's answer, made into what the wire is to do.
///
/// Each fault has an equal in both protocols: what closes a connection of HTTP/1.1 resets a stream of HTTP/2, and the other way
/// round.
final class PreparedDelivery: Sendable {
    /// What WireMock sends where it sends no answer.
    private static let garbage = Array("lskdu018973t09sylgasjkfg1][]'./.sdlv".utf8)
    /// A gzip header and a block of the reserved type: no decoder gets further (RFC 1951 §3.2.3).
    private static let badGzip: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 0xFF, 0x07]

    private let delay: ResponseDelay
    let fault: Fault?
    private let endsConnection: Bool
    /// Tells this answer from others in what is drawn for it.
    private let salt: UInt64
    private let count = Atomic<UInt64>(0)

    /// - Returns: nil for an answer that goes out whole and at once.
    init?(_ response: StubResponse, salt: UInt64) {
        if response.delay.isNone, response.fault == nil { return nil }
        delay = response.delay
        fault = response.fault
        endsConnection = response.faultEndsConnection
        self.salt = salt
    }

    /// Has an answer go out as the stub wants it.
    func apply(to plan: inout ResponsePlan, for head: borrowing RequestHead, seed: UInt64) {
        var delivery = Delivery()
        delivery.delay = UInt64(milliseconds(seed)) * 1_000_000
        if let dribble = delay.dribble {
            let count = max(1, min(dribble.chunks, plan.body.count))
            let pause = UInt64(ResponseDelay.clamped(dribble.milliseconds)) * 1_000_000 / UInt64(count)
            delivery.pace = .parts(count: count, pause: pause)
        }
        if let fault {
            let isHTTP2 = head.version == .http2
            apply(fault, &plan, &delivery, isHTTP2: isHTTP2, endsConnection: !isHTTP2 || endsConnection)
        }
        plan.delivery = delivery
    }

    private func milliseconds(_ seed: UInt64) -> Int {
        let fixed = ResponseDelay.clamped(delay.fixedMilliseconds)
        guard let distribution = delay.distribution else { return fixed }
        let number = count.wrappingAdd(1, ordering: .relaxed).oldValue
        var draw = DelayDraw(seed: seed, salt: salt, number: number)
        return fixed + draw.milliseconds(distribution)
    }

    private func apply(
        _ fault: Fault, _ plan: inout ResponsePlan, _ delivery: inout Delivery, isHTTP2: Bool, endsConnection: Bool
    ) {
        switch fault {
        case .emptyResponse:
            delivery.sendsHead = false
            delivery.ending = endsConnection ? .close : .resetStream(code: 0)
        case .connectionResetByPeer:
            delivery.sendsHead = false
            delivery.ending = endsConnection ? .reset : .resetStream(code: HTTP2ErrorCode.internalError)
        case .malformedResponseChunk:
            plan = ResponsePlan(head: Self.bareHead)
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
            plan.head = ResponseHead(status: plan.head.status, fields: plan.head.fields, framing: .chunked)
            delivery.bodyLimit = count
            delivery.ending = isHTTP2 ? .resetStream(code: HTTP2ErrorCode.internalError) : .close
        case .slowBody(let rate): delivery.pace = .rate(rate)
        case .wrongContentLength:
            plan.head = plan.head.announcing(1)
            if !isHTTP2 { delivery.ending = .close }
        case .badGzip: spoilCoding(&plan)
        case .resetStream(let code, let count):
            delivery.sendsHead = count != nil
            delivery.bodyLimit = count
            delivery.ending = isHTTP2 ? .resetStream(code: code) : .reset
        case .refusedStream:
            delivery.sendsHead = false
            delivery.ending = isHTTP2 ? .resetStream(code: HTTP2ErrorCode.refusedStream) : .close
        case .goAway(let code, let isAnswered):
            delivery.sendsHead = isAnswered
            delivery.ending = isAnswered ? .lastOfConnection(code: code) : isHTTP2 ? .goAway(code: code) : .close
        case .stall(let count):
            delivery.sendsHead = count != nil
            delivery.bodyLimit = count
            delivery.ending = .stall
        }
    }

    /// What MALFORMED_RESPONSE_CHUNK starts with.
    private static let bareHead = ResponseHead(status: 200, fields: [], framing: .chunked)

    private func spoilCoding(_ plan: inout ResponsePlan) {
        guard plan.head.framing != .none, plan.body.count > 0 else { return }
        let fields = plan.head.fields.filter { $0.name.lowercased() != "content-encoding" }
        plan.body = .parts([.bytes(Self.badGzip), plan.body])
        plan.head = ResponseHead(
            status: plan.head.status, fields: fields + [WireField("Content-Encoding", "gzip")],
            framing: .length(plan.body.count))
        plan.trailers = []
    }
}

extension ResponseHead {
    /// The same head with a Content-Length that says some bytes more, or one less where there is no larger number.
    fileprivate func announcing(_ more: Int) -> ResponseHead {
        guard case .length(let length) = framing else { return self }
        let (sum, overflows) = length.addingReportingOverflow(more)
        let announced = overflows ? length - 1 : sum
        return ResponseHead(status: status, fields: fields, framing: .length(announced))
    }
}
