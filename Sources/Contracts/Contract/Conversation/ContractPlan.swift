// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockServer
import MockapiJSONText

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The plan of a driver's steps, as JSON.
struct ContractPlan {
    static let version = 1
    /// How long a driver waits before it gives a request up that is to be cancelled, if it does not ask when; in milliseconds.
    static let cancelAfter = 1_000

    let requirements: [Requirement]
    let servers: ContractServers
    /// The file of the authority that clients are to trust.
    let authority: String?

    var json: [UInt8] {
        var members: [JSONObject.Member] = [
            .init(name: "version", value: .integer(Self.version)),
            .init(name: "report", value: .string(servers.main.address + ContractConversation.reportPath)),
        ]
        if let authority { members.append(.init(name: "authority", value: .string(authority))) }
        members.append(
            .init(
                name: "steps",
                value: .array(requirements.map { step($0.step, $0.title, servers.base(of: $0)) })))
        return JSONWriter.pretty(JSONNode(.object(JSONObject(members)))) + [UInt8(ascii: "\n")]
    }

    private func step(_ step: Step, _ title: String, _ base: String) -> JSONNode {
        var members: [JSONObject.Member] = [
            .init(name: "id", value: .string(step.id)), .init(name: "title", value: .string(title)),
            .init(name: "method", value: .string(step.method)),
            .init(name: "url", value: .string(base + step.target)),
            .init(
                name: "headers",
                value: .array(step.headers.map { .array([.string($0.name), .string($0.value)]) })),
        ]
        if let body = step.body { members.append(Self.body(body)) }
        members += Self.parts(of: step, base)
        members.append(.init(name: "timeoutSeconds", value: .integer(step.timeout)))
        members.append(.init(name: "times", value: .integer(step.times)))
        if step.isNumbered {
            let urls = (0..<step.times).map { JSONNode.string(base + step.target($0)) }
            members.append(.init(name: "urls", value: .array(urls)))
        }
        if !step.cancelledRounds.isEmpty {
            let rounds = step.cancelledRounds.map { milliseconds in
                JSONNode(
                    .object(
                        JSONObject([
                            .init(name: "url", value: .string(base + step.cancelledPath)),
                            .init(name: "times", value: .integer(Step.roundSize)),
                            .init(name: "afterMilliseconds", value: .integer(milliseconds)),
                        ])))
            }
            members.append(.init(name: "cancelled", value: .array(rounds)))
        }
        if !step.turns.isEmpty {
            members.append(.init(name: "turns", value: .array(step.turns.map { Self.turn($0, base + step.path) })))
        }
        if let before = step.warmUp { members.append(.init(name: "before", value: .string(base + before))) }
        if step.cancellation != nil {
            let base = servers.main.address
            members.append(.init(name: "cancelWhen", value: .string(base + ContractConversation.arrivalPath + step.id)))
            members.append(.init(name: "cancelAfterMilliseconds", value: .integer(Self.cancelAfter)))
        }
        return JSONNode(.object(JSONObject(members)))
    }

    private static func turn(_ turn: Step.Turn, _ url: String) -> JSONNode {
        var members: [JSONObject.Member] = [
            .init(name: "method", value: .string(turn.method)), .init(name: "url", value: .string(url + turn.suffix)),
            .init(name: "headers", value: .array(turn.headers.map { .array([.string($0.name), .string($0.value)]) })),
            .init(name: "afterMilliseconds", value: .integer(turn.delay)),
        ]
        if let content = turn.body { members.append(body(content)) }
        return JSONNode(.object(JSONObject(members)))
    }

    /// The parts of a request that a driver may let its client put together.
    private static func parts(of step: Step, _ base: String) -> [JSONObject.Member] {
        var members: [JSONObject.Member] = []
        if !step.parts.query.isEmpty {
            members.append(.init(name: "base", value: .string(base + step.target.prefix { $0 != "?" })))
            let pairs = step.parts.query.map { JSONNode.array([.string($0.name), .string($0.value)]) }
            members.append(.init(name: "query", value: .array(pairs)))
        }
        if !step.parts.pieces.isEmpty {
            let pieces = step.parts.pieces.map { JSONNode.string(String(decoding: $0, as: UTF8.self)) }
            members.append(.init(name: "pieces", value: .array(pieces)))
        }
        if let credentials = step.parts.credentials {
            members.append(.init(name: "user", value: .string(credentials.user)))
            members.append(.init(name: "password", value: .string(credentials.password)))
        }
        return members
    }

    private static func body(_ bytes: [UInt8]) -> JSONObject.Member {
        if let text = String(validating: bytes, as: UTF8.self), !text.utf8.contains(0) {
            return .init(name: "body", value: .string(text))
        }
        return .init(name: "bodyBase64", value: .string(Data(bytes).base64EncodedString()))
    }
}
