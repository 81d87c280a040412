// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiDrift
import MockapiFixtures
import MockapiJSONText

/// The known part of a response that is rendered for each request: all but the values in the places of its templates.
enum TemplateShape {
    /// A placeholder, which stands for a value of any type.
    static let value = "redacted.template"

    static func apply(_ templates: ResponseTemplates, to sample: inout ResponseSample) {
        sample.isStatusOpen = templates.status != nil
        for header in templates.headers where sample.headers.indices.contains(header.index) {
            sample.headers[header.index].value = line(sample.headers[header.index].value)
        }
        if templates.fileName != nil {
            sample.isBodyOpen = true
        } else if templates.body != nil {
            if let shape = json(sample.body) { sample.body = shape } else { sample.isBodyOpen = true }
        }
    }

    /// A header line's value with placeholders for templates.
    private static func line(_ text: String) -> String {
        var output = ""
        var rest = text[...]
        while let open = rest.firstRange(of: "{{") {
            output += rest[..<open.lowerBound] + value
            guard let close = rest[open.upperBound...].firstRange(of: "}}") else { return output }
            rest = rest[close.upperBound...].drop { $0 == "}" }
        }
        return output + rest
    }

    /// A JSON text with placeholders for templates: a template within a string stands for any string, one by itself for any value.
    ///
    /// - Returns: nil if parts of the text depend on the request, or if it is not JSON.
    static func json(_ text: [UInt8]) -> [UInt8]? {
        var output: [UInt8] = []
        var index = 0
        var isInString = false
        while index < text.count {
            let byte = text[index]
            if byte == UInt8(ascii: "{"), index + 1 < text.count, text[index + 1] == byte {
                let start = index
                while index < text.count, text[index] == byte { index += 1 }
                let sign = text[index...].first { $0 > 0x20 && $0 != UInt8(ascii: "~") }
                let isComment = sign == UInt8(ascii: "!")
                let isBlock = sign.map { "#^/".utf8.contains($0) } ?? true
                if !isInString, isBlock || index - start > 3 { return nil }
                let close = Array(repeating: UInt8(ascii: "}"), count: index - start)
                guard let end = text[index...].firstRange(of: close) else { return nil }
                index = end.upperBound
                if isInString {
                    output += Array("~\(value) ".utf8)
                } else if !isComment {
                    output += Array("\"\(value)\"".utf8)
                }
                continue
            }
            if byte == UInt8(ascii: "\""), !isInString {
                isInString = true
            } else if isInString, byte == UInt8(ascii: "\\"), index + 1 < text.count {
                output.append(byte)
                index += 1
                output.append(text[index])
                index += 1
                continue
            } else if isInString, byte == UInt8(ascii: "\"") {
                isInString = false
            }
            output.append(byte)
            index += 1
        }
        return (try? JSONParser.check(output)) == nil ? nil : output
    }
}
