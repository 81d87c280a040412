// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiJSONText

extension JSONNode {
    /// The same value to be shown: of texts that are longer, the beginning and how many bytes they have.
    func shortened(to count: Int) -> JSONNode {
        switch value {
        case .string(let text):
            guard text.utf8.count > count else { return self }
            let start = String(decoding: text.utf8.prefix(count), as: UTF8.self)
            return .string("\(start)… (\(text.utf8.count) bytes)")
        case .array(let elements):
            return .array(elements.map { $0.shortened(to: count) })
        case .object(let object):
            return JSONNode(
                .object(
                    JSONObject(object.members.map { .init(name: $0.name, value: $0.value.shortened(to: count)) })))
        case .null, .bool, .number:
            return self
        }
    }
}
