// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import JSONText

extension Renderer {
    /// Helpers about XML and forms.
    mutating func document(_ invocation: Invocation) throws(TemplateFailure) -> TemplateValue {
        switch invocation.helper {
        case .formData: return try formData(invocation)
        default: return error("XML cannot be read")
        }
    }

    /// The fields of a form, by their names; under a name of their own where one is given.
    private mutating func formData(_ invocation: Invocation) throws(TemplateFailure) -> TemplateValue {
        let text = invocation.subject(or: context).single.text
        try spend(text.utf8.count / 8)
        let fields = FormFields(parsing: text, decodes: invocation.isSet("urlDecode"))
        guard let name = invocation.text(1) else { return .object(fields) }
        assign(.object(fields), to: name)
        return .null
    }
}

/// Values by names, of which each can have several.
package struct FormFields: TemplateObject {
    private var names: [String] = []
    private var values: [String: [String]] = [:]
    private let folds: Bool

    /// - Parameter ignoresCase: whether `Accept` is found by `accept` too.
    package init(_ fields: some Sequence<(name: String, value: String)>, ignoresCase: Bool = false) {
        folds = ignoresCase
        for field in fields { add(field.name, field.value) }
    }

    /// - Parameter decodes: whether the fields are in the coding of forms (WHATWG URL §5.1).
    package init(parsing text: String, decodes: Bool) {
        self.init([])
        for pair in Array(text.utf8).split(separator: UInt8(ascii: "&")) {
            let equals = pair.firstIndex(of: UInt8(ascii: "=")) ?? pair.endIndex
            let parts = [pair[..<equals], pair[equals...].dropFirst()]
            let texts = parts.map { String(decoding: decodes ? FormText.decode($0) : Array($0), as: UTF8.self) }
            add(texts[0], texts[1])
        }
    }

    private mutating func add(_ name: String, _ value: String) {
        let key = folds ? name.lowercased() : name
        if values[key] == nil { names.append(name) }
        values[key, default: []].append(value)
    }

    package func member(_ name: String) -> TemplateValue? {
        values[folds ? name.lowercased() : name].map { .several($0) }
    }

    package var members: [(name: String, value: TemplateValue)] {
        names.map { ($0, member($0) ?? .null) }
    }
}
