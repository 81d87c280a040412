// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiJSONText

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A driver's report on one request of a step.
///
///     {"step": "method.patch", "status": 200, "headers": {"Content-Type": "text/plain"}, "body": "ok"}
///     {"step": "fault.stall", "error": "timeout", "detail": "timed out after 2 s"}
///     {"step": "h2.streams", "skipped": "the client speaks HTTP/1.1"}
///     {"has": ["cookies"]}
struct StepReport {
    enum Content {
        case outcome(StepOutcome)
        case skipped(String)
    }

    /// Why a report is refused.
    struct Refusal: Error {
        let text: String
    }

    private static let keys: Set = [
        "step", "index", "status", "headers", "body", "bodyBase64", "error", "detail", "skipped", "used",
    ]
    /// The members of a step that a client may use or leave.
    private static let parts = ["query", "pieces", "user", "cancelled"]
    /// Characters of a client's own words that are kept. 500.
    private static let detailLimit = 500

    let step: String
    let content: Content

    /// Whether the client used a member of the step.
    func uses(_ name: String) -> Bool {
        if case .outcome(let outcome) = content { outcome.used.contains(name) } else { false }
    }

    /// Reads one report, or a list of them, and the abilities that they name.
    ///
    /// - Parameter steps: the ids of the plan.
    static func read(
        _ bytes: [UInt8], steps: Set<String>
    ) throws(Refusal) -> (reports: [StepReport], abilities: Set<Requirement.Ability>) {
        let node: JSONNode
        do {
            node = try JSONParser.parse(bytes)
        } catch {
            throw Refusal(text: "a report is a JSON object: \(error.message)")
        }
        var reports: [StepReport] = []
        var abilities: Set<Requirement.Ability> = []
        for node in node.array ?? [node] {
            if let members = node.object?.members, members.count == 1, let has = node["has"] {
                abilities.formUnion(try self.abilities(has))
            } else {
                reports.append(try StepReport(node, steps: steps))
            }
        }
        return (reports, abilities)
    }

    private static func abilities(_ node: JSONNode) throws(Refusal) -> [Requirement.Ability] {
        let known = node.array?.compactMap { $0.string.flatMap(Requirement.Ability.init(rawValue:)) } ?? []
        guard let all = node.array, known.count == all.count else {
            let names = Requirement.Ability.allCases.map(\.rawValue).joined(separator: " and ")
            throw Refusal(text: "\"has\" is a list of what the client has: \(names)")
        }
        return known
    }

    private init(_ node: JSONNode, steps: Set<String>) throws(Refusal) {
        guard let all = node.object else { throw Refusal(text: "a report is a JSON object") }
        // A member without a value is written as null by encoders that know no other way.
        let object = JSONObject(all.members.filter { !$0.value.isNull })
        guard let step = object["step"]?.string else {
            throw Refusal(text: "a report without \"step\", the id of a step, as a string")
        }
        self.step = step
        do throws(Refusal) {
            if let other = object.members.first(where: { !Self.keys.contains($0.name) }) {
                throw Refusal(
                    text: "unknown key \"\(other.name)\"; known are \(Self.keys.sorted().joined(separator: ", "))")
            }
            guard steps.contains(step) else { throw Refusal(text: "there is no such step in the plan") }
            content = try Self.content(object)
        } catch {
            throw Refusal(text: "the report of step \"\(step)\": \(error.text)")
        }
    }

    private static func content(_ object: JSONObject) throws(Refusal) -> Content {
        guard let skipped = object["skipped"] else { return .outcome(try outcome(object)) }
        guard let why = skipped.string, !why.isEmpty else { throw Refusal(text: "\"skipped\" says why, in a string") }
        return .skipped(line(why))
    }

    private static func outcome(_ object: JSONObject) throws(Refusal) -> StepOutcome {
        var outcome = StepOutcome()
        if let index = object["index"] {
            guard let number = index.number?.integer, number >= 0 else {
                throw Refusal(text: "\"index\" is the number of a URL in \"urls\", from 0")
            }
            outcome.index = number
        }
        if let used = object["used"] {
            let names = used.array?.compactMap(\.string) ?? []
            guard let all = used.array, names.count == all.count, Set(names).isSubset(of: Self.parts)
            else {
                throw Refusal(
                    text: "\"used\" is a list of the step's members that the client used: "
                        + Self.parts.joined(separator: ", "))
            }
            outcome.used = Set(names)
        }
        if let error = object["error"] {
            // A driver that hangs reports nothing.
            let known = StepOutcome.Failure.allCases.filter { $0 != .hang }
            guard let failure = known.first(where: { $0.rawValue == error.string }) else {
                throw Refusal(text: "\"error\" is one of \(known.map(\.rawValue).joined(separator: ", "))")
            }
            outcome.failure = failure
            outcome.detail = line(object["detail"]?.string ?? "")
            return outcome
        }
        // Languages in which a number is a text until it is used report one.
        guard let status = object["status"]?.number?.integer ?? object["status"]?.string.flatMap({ Int($0) }) else {
            throw Refusal(
                text: "one of \"status\", \"error\" and \"skipped\" has to be there; a status is a whole number")
        }
        outcome.status = status
        outcome.headers = try headers(object["headers"])
        outcome.body = try body(object)
        return outcome
    }

    /// Fields as clients have them: an object of values, or of lists of values, or a list of pairs; a value may be a number.
    private static func headers(_ node: JSONNode?) throws(Refusal) -> [(name: String, value: String)] {
        guard let node else { return [] }
        if let members = node.object?.members {
            var fields: [(name: String, value: String)] = []
            for member in members {
                guard let values = values(member.value) else {
                    throw Refusal(
                        text: "\"headers\" has \"\(member.name)\", which is not a string, number or list of these")
                }
                fields += values.map { (member.name, $0) }
            }
            return fields
        }
        guard let pairs = node.array else {
            throw Refusal(text: "\"headers\" is an object, or a list of pairs of a name and a value")
        }
        var fields: [(name: String, value: String)] = []
        for (index, pair) in pairs.enumerated() {
            guard let parts = pair.array, parts.count == 2, let name = parts[0].string, let value = text(parts[1])
            else {
                throw Refusal(text: "\"headers\" has an item \(index) that is not a pair of a name and a value")
            }
            fields.append((name, value))
        }
        return fields
    }

    private static func values(_ node: JSONNode) -> [String]? {
        if node.isNull { return [] }
        guard let list = node.array else { return text(node).map { [$0] } }
        let texts = list.compactMap(text)
        return texts.count == list.count ? texts : nil
    }

    private static func text(_ node: JSONNode) -> String? { node.string ?? node.number?.literal }

    private static func body(_ object: JSONObject) throws(Refusal) -> [UInt8] {
        if let coded = object["bodyBase64"] {
            guard let data = coded.string.flatMap({ Data(base64Encoded: $0) }) else {
                throw Refusal(text: "\"bodyBase64\" is not Base64")
            }
            return Array(data)
        }
        guard let text = object["body"] else { return [] }
        guard let string = text.string else {
            throw Refusal(text: "\"body\" is a string; other bytes go into \"bodyBase64\"")
        }
        return Array(string.utf8)
    }

    /// A client's words on one line.
    private static func line(_ text: String) -> String {
        let words = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        return words.count > detailLimit ? words.prefix(detailLimit) + "…" : words
    }
}
