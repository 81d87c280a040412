// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiDrift
import MockapiJSONText
import MockapiSecrets

/// The placeholders of recorded JSON, and the live values in their places.
enum RecordedPlaceholders {
    /// The text or number at a place, as a request has it; nil for any other value.
    static func text(_ node: JSONNode?) -> String? {
        switch node?.value {
        case .string(let text): text
        case .number(let number): number.literal
        default: nil
        }
    }

    /// The names of the placeholders of a recorded document, with the texts that stand in their places in a live one.
    static func placeholders(in recorded: JSONNode, filledBy live: JSONNode) -> [(name: String, value: String)] {
        switch (recorded.value, live.value) {
        case (.string(let text), _):
            guard Placeholders.isWhole(text), text != TemplateShape.value, let value = Self.text(live),
                let name = Placeholders.firstName(in: text)
            else { return [] }
            return [(name, value)]
        case (.array(let left), .array(let right)):
            return zip(left, right).flatMap { placeholders(in: $0, filledBy: $1) }
        case (.object(let left), .object(let right)):
            return left.members.flatMap { member in
                right[member.name].map { placeholders(in: member.value, filledBy: $0) } ?? []
            }
        default: return []
        }
    }
}

extension RecordedPlaceholders {
    /// The JSON paths of the placeholders of a recorded document, an item of a list being `[*]`.
    static func paths(in node: JSONNode, at path: String = "$") -> Set<String> {
        switch node.value {
        case .string(let text):
            return Placeholders.isWhole(text) && text != TemplateShape.value && path != "$" ? [path] : []
        case .array(let elements):
            return elements.reduce(into: []) { $0.formUnion(paths(in: $1, at: path + "[*]")) }
        case .object(let object):
            return object.members.reduce(into: []) { found, member in
                found.formUnion(paths(in: member.value, at: JSONPlace.member(path, member.name)))
            }
        default: return []
        }
    }
}

extension VerifiedFixture {
    /// The JSON paths at which secrets were replaced in the recording, so that they are replaced again.
    package var redactedPaths: Set<String> {
        samples.reduce(into: []) { paths, sample in
            guard sample.hasPlaceholder, let node = try? JSONParser.parse(sample.body) else { return }
            paths.formUnion(RecordedPlaceholders.paths(in: node))
        }
    }

    /// The names of the header lines in which secrets were replaced.
    package var redactedHeaders: Set<String> {
        Set(
            samples.flatMap(\.headers).filter {
                Placeholders.stand(in: $0.value) && $0.name.lowercased() != "set-cookie"
            }.map(\.name))
    }
}

extension ResponseSample {
    /// Whether a secret was replaced in the body.
    var hasPlaceholder: Bool { Placeholders.stand(in: body) }
}
