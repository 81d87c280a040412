// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import HTTPTypes
import MockapiFixtures
import MockapiHTTPSyntax
import MockapiJSONText

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Stubs and journal entries as WireMock's JSON.
enum AdminJSON {
    /// The mapping that is left of a stub that is no longer served: its id and its name.
    private static func goneMapping(id: String, name: String?) -> JSONNode {
        let names = name.map { [JSONObject.Member(name: "name", value: .string($0))] } ?? []
        return JSONNode(
            .object(
                JSONObject(
                    [.init(name: "id", value: .string(id)), .init(name: "uuid", value: .string(id))] + names)))
    }

    /// The mapping of an unmatched request: clients ask it for its id and its name.
    private static let noMapping: JSONNode = {
        let id = JSONNode.string(StubID.made(0).text)
        return .object([
            "id": id, "uuid": id, "request": .object(["method": .string("ANY")]),
            "response": .object(["status": .integer(404), "fromConfiguredStub": .bool(false)]),
        ])
    }()

    private static let idStart = "00000000-0000-4000-8000-"

    /// A UUID that counts requests.
    static func id(of entry: JournalEntry) -> String {
        idStart + Hexadecimal.text(of: entry.sequence, width: 12)
    }

    /// The number of the request with an id; nil for an id of none.
    static func sequence(of id: String) -> UInt64? {
        id.hasPrefix(idStart) ? UInt64(id.dropFirst(idStart.count), radix: 16) : nil
    }

    /// - Parameters:
    ///   - stubs: the stubs that are served now, by their ids.
    ///   - journal: has the other known facts of the request.
    static func serveEvent(_ entry: JournalEntry, _ stubs: [String: Stub], of journal: Journal) -> JSONNode {
        var members: [JSONObject.Member] = [
            .init(name: "id", value: .string(id(of: entry))), .init(name: "request", value: loggedRequest(entry)),
        ]
        var stub: Stub?
        if case .stub(_, let name, let id) = entry.outcome {
            stub = stubs[id]
            members.append(
                .init(
                    name: "stubMapping",
                    value: stub.map { WireMockWords.mapping($0) } ?? goneMapping(id: id, name: name)
                ))
        }
        if entry.outcome == .unmatched { members.append(.init(name: "stubMapping", value: noMapping)) }
        if entry.outcome == .proxied { members.append(.init(name: "upstream", value: .bool(true))) }
        let wasMatched = entry.outcome != .unmatched && entry.outcome != .refused
        let milliseconds = self.milliseconds(entry.duration)
        let delay = self.milliseconds(entry.addedDelay)
        let sent = journal.responses.response(to: entry.sequence)
        members += [
            .init(
                name: "responseDefinition",
                value: stub.map { WireMockWords.definition($0, sent: sent, fault: entry.fault) }
                    ?? definition(of: entry, wasMatched: wasMatched)),
            .init(name: "response", value: WireMockWords.response(entry, sent: sent, fault: entry.fault)),
            .init(name: "wasMatched", value: .bool(wasMatched)),
            .init(
                name: "timing",
                value: .object([
                    "addedDelay": .integer(delay), "processTime": .integer(milliseconds),
                    "responseSendTime": .integer(0), "serveTime": .integer(milliseconds),
                    "totalTime": .integer(milliseconds + delay),
                ])),
        ]
        var events = journal.subEvents.json(of: entry.sequence)
        if entry.outcome == .unmatched, let miss = journal.misses.text(of: entry.sequence)?.text {
            events = .array((events?.array ?? []) + [mismatch(miss, after: entry.duration)])
        }
        if let events { members.append(.init(name: "subEvents", value: events)) }
        return JSONNode(.object(JSONObject(members)))
    }

    /// The event of a request that nothing matched, with its report.
    private static func mismatch(_ text: String, after duration: Duration) -> JSONNode {
        let nanoseconds = Int64((duration / .nanoseconds(1)).rounded())
        return .object([
            "type": .string("REQUEST_NOT_MATCHED"), "timeOffsetNanos": .integer(max(1, nanoseconds)),
            "data": .object(["report": .string(text)]),
        ])
    }

    /// The response definition if no stub matched, or the stub is gone.
    private static func definition(of entry: JournalEntry, wasMatched: Bool) -> JSONNode {
        var members: [JSONObject.Member] = [.init(name: "status", value: .integer(entry.statusOfStub))]
        // Without it the client takes an unmatched request for a matched one.
        if !wasMatched { members.append(.init(name: "fromConfiguredStub", value: .bool(false))) }
        if let fault = entry.fault { members.append(.init(name: "fault", value: .string(fault))) }
        return JSONNode(.object(JSONObject(members)))
    }

    private static func milliseconds(_ duration: Duration) -> Int64 {
        duration.components.attoseconds / 1_000_000_000_000_000 + duration.components.seconds * 1000
    }

    static func loggedRequest(_ entry: JournalEntry) -> JSONNode {
        let authority = entry.request.authority ?? ""
        let path = entry.request.path ?? ""
        let given = entry.target.hasPrefix("/") ? nil : entry.target.utf8.firstRange(of: "://".utf8)?.lowerBound
        let scheme = given.map { entry.target[..<$0].lowercased() } ?? entry.request.scheme ?? "http"
        let (host, port) = hostAndPort(authority, scheme)
        let peer = entry.peer.prefix(upTo: entry.peer.lastIndex(ascii: ":") ?? entry.peer.endIndex)
        let content = RequestContent.decoded(entry, limit: RequestContent.reportLimit)
        return .object([
            "url": .string(path), "absoluteUrl": .string("\(scheme)://\(authority)\(path)"),
            "method": .string(entry.request.method.rawValue),
            "clientIp": .string(peer.trimmingBrackets()), "headers": headers(entry.fields),
            "cookies": cookies(entry), "browserProxyRequest": .bool(entry.isForElsewhere),
            "loggedDate": .integer(Int(entry.receivedAt * 1000)),
            "loggedDateString": .string(DateText.utc(nanosecond: UInt64(entry.receivedAt * 1e9))),
            "bodyAsBase64": .string(Data(content).base64EncodedString()),
            "body": .string(String(decoding: content, as: UTF8.self)),
            "bodySize": .integer(entry.bodySize), "responseSize": .integer(entry.responseSize),
            "scheme": .string(scheme), "host": .string(host), "port": .integer(port),
            "protocol": .string(entry.protocolName), "queryParams": queryParameters(path),
            "formParams": formParameters(entry, content),
            "connection": .integer(entry.connection),
            "stream": entry.stream.map { .integer($0) } ?? .null,
            "tlsVersion": entry.tlsVersion.map(JSONNode.string) ?? .null,
        ])
    }

    private static func hostAndPort(_ authority: String, _ scheme: String) -> (String, Int) {
        guard let colon = authority.lastIndex(ascii: ":"), let port = Int(authority.suffix(behind: colon))
        else {
            return (authority, scheme == "https" ? 443 : 80)
        }
        return (String(authority[..<colon]), port)
    }

    /// One string a name, or an array if it is repeated.
    static func headers(_ fields: [(name: String, value: String)]) -> JSONNode {
        grouped(fields, key: { $0.lowercased() }) { _, values in
            values.count == 1 ? .string(values[0]) : .array(values.map(JSONNode.string))
        }
    }

    private static func cookies(_ entry: JournalEntry) -> JSONNode {
        let pairs = entry.fields.filter { $0.name.lowercased() == "cookie" }
            .flatMap { FieldText.cookies(of: $0.value) }
        return grouped(pairs) { _, values in .string(values[0]) }
    }

    private static func queryParameters(_ path: String) -> JSONNode {
        path.firstIndex(ascii: "?").map { parameters(String(path.suffix(behind: $0))) } ?? .object([:])
    }

    /// Those of a form, which is content that its type calls so.
    private static func formParameters(_ entry: JournalEntry, _ content: [UInt8]) -> JSONNode {
        let type = entry.fields.last { $0.name.lowercased() == "content-type" }?.value ?? ""
        guard MediaType.essence(of: type) == "application/x-www-form-urlencoded" else { return .object([:]) }
        return parameters(String(decoding: content, as: UTF8.self))
    }

    private static func parameters(_ text: String) -> JSONNode {
        grouped(QueryText.decodedPairs(of: text)) { name, values in
            .object(["key": .string(name), "values": .array(values.map(JSONNode.string))])
        }
    }

    /// An object with one member for each name, in the order of their first.
    ///
    /// - Parameter key: the key that the names of one member have in common.
    private static func grouped(
        _ pairs: [(name: String, value: String)], key: (String) -> String = { $0 },
        _ value: (String, [String]) -> JSONNode
    ) -> JSONNode {
        var groups: [(name: String, values: [String])] = []
        var places: [String: Int] = [:]
        for pair in pairs {
            let key = key(pair.name)
            if let place = places[key] {
                groups[place].values.append(pair.value)
            } else {
                places[key] = groups.count
                groups.append((pair.name, [pair.value]))
            }
        }
        return JSONNode(.object(JSONObject(groups.map { .init(name: $0.name, value: value($0.name, $0.values)) })))
    }
}

extension Substring {
    /// An IPv6 address without its brackets.
    fileprivate func trimmingBrackets() -> String {
        hasPrefix("[") ? String(dropFirst().dropLast()) : String(self)
    }
}
