// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import JSONText

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// What a driver says of one request of a step.
///
///     {"step": "method.patch", "status": 200, "headers": {"Content-Type": "text/plain"}, "body": "ok"}
///     {"step": "fault.stall", "error": "timeout", "detail": "timed out after 1 s"}
///     {"step": "h2.streams", "skipped": "the client speaks HTTP/1.1"}
struct StepReport {
    enum Content {
        case outcome(StepOutcome)
        case skipped(String)
    }

    /// Why a report is refused.
    struct Refusal: Error {
        let text: String
    }

    private static let keys: Set = ["step", "status", "headers", "body", "bodyBase64", "error", "detail", "skipped"]

    let step: String
    let content: Content

    /// Reads one report, or a list of them.
    ///
    /// - Parameter steps: the ids of the plan.
    static func read(_ bytes: [UInt8], steps: Set<String>) throws(Refusal) -> [StepReport] {
        let node: JSONNode
        do {
            node = try JSONParser.parse(bytes)
        } catch {
            throw Refusal(text: "a report is a JSON object: \(error.message)")
        }
        return try (node.array ?? [node]).map { (node) throws(Refusal) in try StepReport(node, steps: steps) }
    }

    private init(_ node: JSONNode, steps: Set<String>) throws(Refusal) {
        guard let object = node.object else { throw Refusal(text: "a report is a JSON object") }
        if let other = object.members.first(where: { !Self.keys.contains($0.name) }) {
            throw Refusal(
                text: "unknown key \"\(other.name)\"; known are \(Self.keys.sorted().joined(separator: ", "))")
        }
        guard let step = object["step"]?.string else { throw Refusal(text: "\"step\" is missing: the id of a step") }
        guard steps.contains(step) else { throw Refusal(text: "there is no step \"\(step)\" in the plan") }
        self.step = step
        if let skipped = object["skipped"] {
            guard let why = skipped.string, !why.isEmpty else {
                throw Refusal(text: "\"skipped\" says why, in a string")
            }
            content = .skipped(why)
        } else {
            content = .outcome(try Self.outcome(object))
        }
    }

    private static func outcome(_ object: JSONObject) throws(Refusal) -> StepOutcome {
        var outcome = StepOutcome()
        if let error = object["error"] {
            // A driver that hangs reports nothing.
            let known = StepOutcome.Failure.allCases.filter { $0 != .hang }
            guard let failure = known.first(where: { $0.rawValue == error.string }) else {
                throw Refusal(text: "\"error\" is one of \(known.map(\.rawValue).joined(separator: ", "))")
            }
            outcome.failure = failure
            outcome.detail = object["detail"]?.string ?? ""
            return outcome
        }
        guard let status = object["status"]?.number?.integer else {
            throw Refusal(
                text: "one of \"status\", \"error\" and \"skipped\" has to be there; a status is a whole number")
        }
        outcome.status = status
        outcome.headers = try headers(object["headers"])
        outcome.body = try body(object)
        return outcome
    }

    private static func headers(_ node: JSONNode?) throws(Refusal) -> [(name: String, value: String)] {
        guard let node else { return [] }
        let refusal = Refusal(text: "\"headers\" is an object of strings, or a list of pairs of strings")
        if let members = node.object?.members {
            return try members.map { (member) throws(Refusal) in
                guard let value = member.value.string else { throw refusal }
                return (member.name, value)
            }
        }
        guard let pairs = node.array else { throw refusal }
        return try pairs.map { (pair) throws(Refusal) in
            guard let parts = pair.array, parts.count == 2, let name = parts[0].string, let value = parts[1].string
            else {
                throw refusal
            }
            return (name, value)
        }
    }

    private static func body(_ object: JSONObject) throws(Refusal) -> [UInt8] {
        if let coded = object["bodyBase64"] {
            guard let data = coded.string.flatMap({ Data(base64Encoded: $0) }) else {
                throw Refusal(text: "\"bodyBase64\" is no Base64")
            }
            return Array(data)
        }
        guard let text = object["body"] else { return [] }
        guard let string = text.string else {
            throw Refusal(text: "\"body\" is a string; other bytes go into \"bodyBase64\"")
        }
        return Array(string.utf8)
    }
}
