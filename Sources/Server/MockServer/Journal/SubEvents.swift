// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPServer
import MockapiHTTPWire
import MockapiJSONText
import MockapiSystemIO
import Synchronization

/// An event of a request besides its response, as WireMock reports it.
struct SubEvent: Sendable {
    /// Bytes of a content that are reported. 4 KiB.
    private static let contentLimit = 4 * 1024
    /// Lines whose values are not shown.
    private static let secrets: Set = ["authorization", "proxy-authorization", "cookie", "set-cookie"]

    let type: String
    let data: JSONNode
    /// The failure; nil if there was none.
    private(set) var failure: String?
    /// The memory that it takes, in bytes.
    let size: Int

    private init(_ type: String, _ members: KeyValuePairs<String, JSONNode>) {
        self.type = type
        data = .object(members)
        size = JSONWriter.compact(data).count + 64
    }

    static func request(_ request: OwnRequest) -> SubEvent {
        SubEvent(
            "WEBHOOK_REQUEST",
            [
                "method": .string(request.method), "absoluteUrl": .string(request.url),
                "headers": headers(request.fields), "body": content(request.body),
            ])
    }

    static func response(_ status: Int, _ fields: [WireField], _ body: [UInt8]) -> SubEvent {
        SubEvent(
            "WEBHOOK_RESPONSE", ["status": .integer(status), "headers": headers(fields), "body": content(body)])
    }

    static func scenario(_ move: ScenarioMove) -> SubEvent {
        SubEvent(
            "INFO",
            [
                "scenario": .string(move.scenario), "stateBefore": .string(move.before),
                "stateAfter": .string(move.after),
            ])
    }

    static func failure(_ text: String) -> SubEvent {
        var event = SubEvent("ERROR", ["message": .string(text)])
        event.failure = text
        return event
    }

    static func warning(_ text: String) -> SubEvent { SubEvent("WARNING", ["message": .string(text)]) }

    /// A content that is compared as JSON and is not.
    static func unreadJSON(_ reason: String) -> SubEvent {
        let error: JSONNode = .object([
            "code": .integer(10), "title": .string("Error parsing JSON"), "detail": .string(reason),
        ])
        return SubEvent("JSON_ERROR", ["errors": .array([error])])
    }

    private static func headers(_ fields: [WireField]) -> JSONNode {
        JSONNode(
            .object(
                JSONObject(
                    fields.map { field in
                        let isSecret = secrets.contains(field.name.lowercased())
                        return .init(name: field.name, value: .string(isSecret ? "***" : field.value))
                    })))
    }

    private static func content(_ bytes: [UInt8]) -> JSONNode {
        .string(String(decoding: bytes.prefix(contentLimit), as: UTF8.self))
    }
}

/// The sub-events of a journal's requests, bounded in bytes: the oldest give way.
final class SubEvents: Sendable {
    /// Bytes of all. 4 MiB.
    private static let limit = 4 * 1024 * 1024

    private struct State {
        /// With the nanoseconds since their requests had come.
        var events: [UInt64: [(event: SubEvent, offset: UInt64)]] = [:]
        /// The requests, those that have some for longest first.
        var order: [UInt64] = []
        var size = 0

        mutating func makeRoom() {
            guard size > SubEvents.limit else { return }
            let gone = order.prefix(max(1, order.count / 2))
            for sequence in gone {
                size -= (events.removeValue(forKey: sequence) ?? []).reduce(0) { $0 + $1.event.size }
            }
            order.removeFirst(gone.count)
        }
    }

    private let state = Mutex(State())
    private let tellFailure: @Sendable (_ sequence: UInt64, _ text: String) -> Void

    /// - Parameter tellFailure: called with each failure.
    init(tellFailure: @escaping @Sendable (_ sequence: UInt64, _ text: String) -> Void) {
        self.tellFailure = tellFailure
    }

    /// - Parameter since: when the request had come, by the monotonic clock.
    func add(_ event: SubEvent, to sequence: UInt64, since: UInt64) {
        if let failure = event.failure { tellFailure(sequence, failure) }
        let now = Clock.monotonic()
        state.withLock { state in
            if state.events[sequence] == nil { state.order.append(sequence) }
            state.events[sequence, default: []].append((event, now > since ? now - since : 0))
            state.size += event.size
            state.makeRoom()
        }
    }

    /// Those of a request as WireMock's JSON; nil if there are none.
    func json(of sequence: UInt64) -> JSONNode? {
        state.withLock { $0.events[sequence] }.map { events in
            .array(
                events.map {
                    .object([
                        "type": .string($0.event.type), "timeOffsetNanos": .integer($0.offset), "data": $0.event.data,
                    ])
                })
        }
    }

    func removeAll() {
        state.withLock { $0 = State() }
    }
}
