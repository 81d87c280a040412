// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiHTTPWire
import MockapiJSONText

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Stubs in the words that WireMock's clients know; these throw at any other. The parts of a stub of the fixture format beyond them stand below
/// `mockapi` in its metadata.
enum WireMockWords {
    private static let stub: Set = [
        "name", "request", "response", "priority", "scenarioName", "requiredScenarioState", "newScenarioState",
        "metadata", "persistent", "postServeActions", "serveEventListeners",
    ]
    private static let request: Set = [
        "method", "url", "urlPath", "urlPattern", "urlPathPattern", "urlPathTemplate", "pathParameters", "host",
        "port", "scheme", "clientIp", "queryParameters", "headers", "cookies", "basicAuthCredentials", "basicAuth",
        "bodyPatterns", "formParameters", "multipartPatterns", "customMatcher",
    ]
    private static let response: Set = [
        "status", "statusMessage", "body", "jsonBody", "base64Body", "bodyFileName", "headers",
        "additionalProxyRequestHeaders", "removeProxyRequestHeaders", "fixedDelayMilliseconds", "delayDistribution",
        "chunkedDribbleDelay", "proxyBaseUrl", "proxyUrlPrefixToRemove", "fault", "transformers",
        "transformerParameters",
    ]
    /// Operators of matchers that WireMock does not have.
    private static let matchers: Set = [
        "graphqlQuery", "matchesIgnoringCase", "equalToNumber", "greaterThanNumber", "greaterThanEqualNumber",
        "lessThanNumber", "lessThanEqualNumber",
    ]
    private static let renamed = ["reason": "statusMessage", "bodyFile": "bodyFileName"]

    /// A stub with its id under both of WireMock's names, its method and its status.
    static func mapping(_ stub: Stub) -> JSONNode {
        let id = JSONNode.string(stub.id)
        var members = [JSONObject.Member(name: "id", value: id), .init(name: "uuid", value: id)]
        let source = stub.source
        let written = source.object?.members.filter { $0.name != "id" && $0.name != "uuid" } ?? []
        var others: [JSONObject.Member] = []
        if isOfWireMock(stub) {
            members += written.filter { $0.name != "request" && $0.name != "response" }
        } else {
            members += written.filter {
                Self.stub.contains($0.name) && $0.name != "request" && $0.name != "response" && $0.name != "metadata"
            }
            others = written.filter { !Self.stub.contains($0.name) && $0.name != "$schema" }
        }
        let request = self.request(stub, source, &others)
        let response = self.response(stub, source, &others)
        members += [.init(name: "request", value: request), .init(name: "response", value: response)]
        if !isOfWireMock(stub) { members += metadata(source["metadata"], others) }
        return object(members)
    }

    /// Whether the stub was written in WireMock's words: its responses then have WireMock's lines.
    private static func isOfWireMock(_ stub: Stub) -> Bool {
        stub.responses.first.map { !$0.stubLines.isEmpty } ?? false
    }

    private static func request(
        _ stub: Stub, _ source: JSONNode, _ others: inout [JSONObject.Member]
    ) -> JSONNode {
        let written = source["request"] ?? StubWriter.request(method: stub.request.method, url: stub.request.url).node
        var members = written.object?.members ?? []
        if !isOfWireMock(stub) {
            let (known, unknown) = split(members) { request.contains($0.name) && !isBeyond($0.value) }
            members = known
            if !unknown.isEmpty { others.append(.init(name: "request", value: object(unknown))) }
        }
        if !members.contains(where: { $0.name == "method" && !$0.value.isNull }) {
            members.removeAll { $0.name == "method" }
            members.insert(.init(name: "method", value: .string("ANY")), at: 0)
        }
        return object(members)
    }

    /// Whether a value has, at any depth, a matcher that WireMock does not have.
    private static func isBeyond(_ node: JSONNode) -> Bool {
        if let elements = node.array { return elements.contains(where: isBeyond) }
        return node.object?.members.contains { matchers.contains($0.name) || isBeyond($0.value) } ?? false
    }

    private static func response(
        _ stub: Stub, _ source: JSONNode, _ others: inout [JSONObject.Member]
    ) -> JSONNode {
        response((source["response"] ?? source["responses"]?.array?.first) ?? .null, isOfWireMock(stub), &others)
    }

    /// One response of a stub of the fixture format, without the parts that WireMock does not have.
    static func response(ofStep step: JSONNode) -> JSONNode {
        var others: [JSONObject.Member] = []
        return response(step, false, &others)
    }

    private static func response(
        _ written: JSONNode, _ isOfWireMock: Bool, _ others: inout [JSONObject.Member]
    ) -> JSONNode {
        var members = written.object?.members ?? []
        if !isOfWireMock {
            for index in members.indices {
                if let name = renamed[members[index].name] { members[index].name = name }
                if let lines = members[index].value.array,
                    members[index].name == "headers" || members[index].name == "additionalProxyRequestHeaders"
                {
                    members[index].value = headers(of: lines)
                }
            }
            let (known, unknown) = split(members) { response.contains($0.name) }
            members = known
            if !unknown.isEmpty { others.append(.init(name: "response", value: object(unknown))) }
        }
        let status = members.first { $0.name == "status" }?.value.number?.integer ?? 200
        members.removeAll { $0.name == "status" }
        return object([.init(name: "status", value: .integer(status == 0 ? 200 : status))] + members)
    }

    private static func split(
        _ members: [JSONObject.Member], _ isFirst: (JSONObject.Member) -> Bool
    ) -> (first: [JSONObject.Member], second: [JSONObject.Member]) {
        (members.filter(isFirst), members.filter { !isFirst($0) })
    }

    /// Lines such as `Name: value` as an object; a name that comes several times has a list.
    private static func headers(of lines: [JSONNode]) -> JSONNode {
        let pairs = lines.compactMap { line -> (name: String, value: String)? in
            guard let text = line.string, let colon = text.firstIndex(of: ":") else { return nil }
            let value = text[text.index(after: colon)...].drop { $0 == " " || $0 == "\t" }
            return (String(text[..<colon]), String(value))
        }
        return AdminJSON.headers(pairs)
    }

    private static func metadata(_ written: JSONNode?, _ others: [JSONObject.Member]) -> [JSONObject.Member] {
        var members = written?.object?.members ?? []
        if let written, written.object == nil, !written.isNull { members.append(.init(name: "value", value: written)) }
        if !others.isEmpty { members.append(.init(name: "mockapi", value: object(others))) }
        return members.isEmpty ? [] : [.init(name: "metadata", value: object(members))]
    }

    private static func object(_ members: [JSONObject.Member]) -> JSONNode { JSONNode(.object(JSONObject(members))) }

    // MARK: Responses

    /// The response of a stub as it was made for one request: rendered, if it has templates.
    ///
    /// - Parameter sent: the response that went out; nil if it is no longer known.
    static func definition(_ stub: Stub, sent: Response?, fault: String?) -> JSONNode {
        var members = mapping(stub)["response"]?.object?.members ?? []
        if let sent, fault == nil, isRendered(stub) {
            for index in members.indices where members[index].name == "body" {
                members[index].value = .string(String(decoding: content(of: sent) ?? [], as: UTF8.self))
            }
            let sentHeaders = AdminJSON.headers(sent.head.fields.map { ($0.name, $0.value) })
            for index in members.indices where members[index].name == "headers" {
                let names = members[index].value.object?.members.map(\.name) ?? []
                members[index].value = object(
                    names.compactMap { name in sentHeaders[name].map { .init(name: name, value: $0) } })
            }
        }
        return object(members)
    }

    private static func isRendered(_ stub: Stub) -> Bool { stub.responses.contains { $0.templates != nil } }

    /// The response that a client got, with the members that strict clients know and no others.
    static func response(_ entry: JournalEntry, sent: Response?, fault: String?) -> JSONNode {
        let bytes = sent.flatMap { content(of: $0) } ?? []
        var members: [JSONObject.Member] = [
            .init(name: "status", value: .integer(entry.status)),
            .init(
                name: "headers",
                value: AdminJSON.headers(sent?.head.fields.map { ($0.name, $0.value) } ?? [])),
            .init(name: "bodyAsBase64", value: .string(Data(bytes).base64EncodedString())),
            .init(name: "body", value: .string(String(decoding: bytes, as: UTF8.self))),
        ]
        if let fault { members.append(.init(name: "fault", value: .string(fault))) }
        return object(members)
    }

    /// The content of a response; nil if it is sent from the disk.
    static func content(of response: Response) -> [UInt8]? {
        switch response.body {
        case .none: []
        case .bytes(let bytes): bytes
        case .slice(let bytes, let range): Array(bytes[range])
        case .file, .parts: nil
        }
    }
}
