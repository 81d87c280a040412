// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

package import MockapiJSONText

/// The parts that a command needs of the responses that it makes use of.
package struct Needs: Sendable {
    package enum Need: Sendable {
        case needed
        case notNeeded
        /// The command fails without it and others, and not without it alone.
        case jointly
        /// There was no run left to find out.
        case undecided
    }

    /// The values that are known to be understood, if a further value is not.
    package enum ClosedSet: Sendable {
        case strings([String])
        case numbers([Int])
    }

    package struct Part: Sendable {
        /// `/data/*/id`, `status` or `header:ETag`.
        package let path: String
        package let types: [String]
        package let need: Need
        package let closedSet: ClosedSet?
        /// Whether it may be missing, and yet not be of another type.
        package let isOptional: Bool
        /// Whether null is as if it were missing.
        package let isNullable: Bool
        /// For a list: how many items it has, if none may be missing.
        package var fewestItems: Int?

        package var isField: Bool { path != "status" && !path.hasPrefix("header:") && fewestItems == nil }

        /// The node of the part in a contract; nil if the need is not decided.
        package var node: JSONNode? {
            guard need == .needed || need == .notNeeded else { return nil }
            var members: [JSONObject.Member] = [.init(name: "needed", value: .bool(need == .needed))]
            guard need == .needed || closedSet != nil else { return JSONNode(.object(JSONObject(members))) }
            let types = types.map { JSONNode.string($0) }
            members.append(.init(name: "type", value: types.count == 1 ? types[0] : .array(types)))
            if let fewestItems { members.append(.init(name: "minItems", value: .integer(fewestItems))) }
            if isOptional {
                members.append(.init(name: "optional", value: .bool(true)))
                if !isNullable { members.append(.init(name: "nullable", value: .bool(false))) }
            }
            switch closedSet {
            case .strings(let values): members.append(.init(name: "enum", value: .array(values.map { .string($0) })))
            case .numbers(let values): members.append(.init(name: "enum", value: .array(values.map { .integer($0) })))
            case nil: break
            }
            return JSONNode(.object(JSONObject(members)))
        }

        /// `/data/*/id string`.
        package var text: String {
            if let fewestItems { return "\(path) array of \(fewestItems)" }
            guard isField else { return path + (closedSet == nil ? "" : " = " + closedText) }
            return "\(path) \(types.joined(separator: "|"))"
                + (isOptional ? isNullable ? " or none" : " or missing" : "")
                + (closedSet == nil ? "" : " (\(closedText))")
        }

        private var closedText: String {
            switch closedSet {
            case .strings(let values): values.prefix(5).joined(separator: ", ") + (values.count > 5 ? ", …" : "")
            case .numbers(let values): values.map { "\($0)" }.joined(separator: ", ")
            case nil: ""
            }
        }
    }

    /// A response that the command made use of, and the parts of it that the command needs.
    package struct Response: Sendable {
        package let subject: UsedResponse
        package let parts: [Part]

        package func parts(_ need: Need) -> [Part] { parts.filter { $0.need == need } }

        /// `needs 9 of 31 fields: /data/*/id string, …   does not mind: 22`, a line or two.
        package var text: String {
            let fields = parts.filter(\.isField)
            let needed = parts.filter { $0.need == .needed || $0.closedSet != nil }
            let count = needed.count(where: \.isField)
            var text = "needs \(count) of \(fields.count) field\(fields.count == 1 ? "" : "s")"
            if !needed.isEmpty { text += ": " + needed.map(\.text).joined(separator: ", ") }
            let unneeded = fields.count { $0.need == .notNeeded && $0.closedSet == nil }
            if unneeded > 0 { text += "   does not mind: \(unneeded)" }
            for (need, word) in [(Need.jointly, "only with others"), (.undecided, "undecided")] {
                let some = parts(need)
                if !some.isEmpty { text += "   \(word): " + some.map(\.path).joined(separator: ", ") }
            }
            return text
        }

        /// The contract as JSON, of the decided parts.
        package var contract: JSONNode {
            JSONNode(
                .object(
                    JSONObject(
                        parts.compactMap { part in
                            part.node.map { JSONObject.Member(name: part.path, value: $0) }
                        })))
        }
    }

    package let responses: [Response]
    package let runs: Int
    /// Whether no limit was reached.
    package let isComplete: Bool
    package let duration: Duration
}
