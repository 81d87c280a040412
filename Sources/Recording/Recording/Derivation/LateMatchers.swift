// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiHTTPSyntax
import MockapiJSONText
import MockapiSecrets

/// Matchers of a stub in which something turned out to be a secret after they had been written: a value that was compared with it is matched as
/// present, since no client ever sends a placeholder.
struct LateMatchers {
    let redactor: Redactor

    /// A stub's `request` without secrets.
    ///
    /// - Returns: nil if none stands in it.
    func request(_ node: JSONNode) -> JSONNode? {
        guard let members = node.object?.members else { return nil }
        var hasChanged = false
        let changed = members.map { member -> JSONObject.Member in
            switch (member.name, member.value.string) {
            case ("url", let text?), ("urlPath", let text?):
                guard let pattern = pattern(of: text, any: "[^/?&#]+") else { return member }
                hasChanged = true
                return .init(name: member.name == "url" ? "urlPattern" : "urlPathPattern", value: .string(pattern))
            case ("urlPattern", let text?), ("urlPathPattern", let text?):
                let redaction = learnt(text)
                guard redaction.isRedacted else { return member }
                hasChanged = true
                return .init(
                    name: member.name, value: .string(Self.replaced(redaction, in: redaction.value, by: "[^/?&#]+")))
            default:
                guard let value = matchers(member.value) else { return member }
                hasChanged = true
                return .init(name: member.name, value: value)
            }
        }
        return hasChanged ? JSONNode(.object(JSONObject(changed))) : nil
    }

    /// Matchers of values, at any depth; nil if no secret stands in them.
    private func matchers(_ node: JSONNode) -> JSONNode? {
        switch node.value {
        case .array(let elements):
            let changed = elements.map { matchers($0) }
            guard changed.contains(where: { $0 != nil }) else { return nil }
            return .array(zip(elements, changed).map { $1 ?? $0 })
        case .object(let object):
            if let text = object.members.first(where: { $0.name == KeyName.equalToXml.rawValue })?.value.string {
                return xml(text)
            }
            var hasChanged = false
            let members = object.members.map { member -> JSONObject.Member in
                guard let changed = matcher(member) else { return member }
                hasChanged = true
                return changed
            }
            return hasChanged ? JSONNode(.object(JSONObject(members))) : nil
        default: return nil
        }
    }

    private func matcher(_ member: JSONObject.Member) -> JSONObject.Member? {
        switch (member.name, member.value.string) {
        case ("equalTo", let text?):
            return pattern(of: text, any: ".+").map { .init(name: "matches", value: .string($0)) }
        case ("contains", let text?):
            return pattern(of: text, any: ".+").map { .init(name: "matches", value: .string(".*\($0).*")) }
        case ("matches", let text?):
            let redaction = learnt(text)
            guard redaction.isRedacted else { return nil }
            return .init(name: "matches", value: .string(Self.replaced(redaction, in: redaction.value, by: ".+")))
        case ("equalToJson", nil): return present(member.value).map { .init(name: "equalToJson", value: $0) }
        default: return matchers(member.value).map { .init(name: member.name, value: $0) }
        }
    }

    /// A matcher of XML with anything in the places of secrets; nil if there are none.
    private func xml(_ text: String) -> JSONNode? {
        XMLContent.text(text) { learnt($0).isRedacted }.map { StubWriter.matcher(XMLContent.matcher($0)) }
    }

    /// JSON with any text in the place of a text with a secret; nil if there is none.
    private func present(_ node: JSONNode) -> JSONNode? {
        switch node.value {
        case .string(let text): return learnt(text).isRedacted ? .string("${json-unit.any-string}") : nil
        case .number(let number): return learnt(number.literal).isRedacted ? .string("${json-unit.ignore}") : nil
        case .array(let elements):
            let changed = elements.map { present($0) }
            guard changed.contains(where: { $0 != nil }) else { return nil }
            return .array(zip(elements, changed).map { $1 ?? $0 })
        case .object(let object):
            let changed = object.members.map { present($0.value) }
            guard changed.contains(where: { $0 != nil }) else { return nil }
            return JSONNode(
                .object(JSONObject(zip(object.members, changed).map { .init(name: $0.name, value: $1 ?? $0.value) })))
        default: return nil
        }
    }

    /// A text with anything in the places of secrets; nil if there are none.
    private func pattern(of text: String, any: String) -> String? {
        let redaction = learnt(text)
        guard redaction.isRedacted else { return nil }
        var escaped = redaction
        escaped.placeholders = redaction.placeholders.map(PatternText.escaped)
        return Self.replaced(escaped, in: PatternText.escaped(redaction.value), by: any)
    }

    /// - Parameter redaction: whose placeholders are replaced; a longer one goes first, since a shorter one may be its beginning.
    private static func replaced(_ redaction: Redaction<String>, in text: String, by any: String) -> String {
        redaction.placeholders.sorted { $0.utf8.count > $1.utf8.count }.reduce(text) {
            $0.replacing(bytesOf: $1, with: any)
        }
    }

    private func learnt(_ text: String) -> Redaction<String> {
        let redaction = redactor.learnt(Array(text.utf8))
        return Redaction(String(decoding: redaction.value, as: UTF8.self), placeholders: redaction.placeholders)
    }
}
