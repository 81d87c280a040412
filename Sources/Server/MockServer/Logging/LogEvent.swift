// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiHTTPSyntax
import MockapiJSONText
import MockapiSystemIO

/// The subject of a line of the log that is not about a request: in a log of JSON such a line is an object, too.
package enum LogEvent: String, Sendable {
    /// Something that is wrong with the fixtures.
    case finding
    /// A webhook that came to nothing.
    case webhook
    /// The file of a resource that could not be written.
    case resource
    /// A template whose text differs from its purpose.
    case template
    /// Fixtures that were read again.
    case reloaded
    /// Something that failed.
    case error
    /// Anything else that is to be known.
    case note

    /// The line, without its end.
    ///
    /// - Parameter severity: put before a line of text.
    package func line(_ text: String, in format: LogFormat, severity: String? = nil) -> String {
        switch format {
        case .text: return (severity.map { "\($0): \(text)" } ?? text).printable
        case .json:
            let words = text.utf8.drop { $0 == UInt8(ascii: " ") }
            let node = JSONNode.object([
                "time": .string(DateText.utc(nanosecond: Clock.wall())), "event": .string(rawValue),
                "explanation": .string(String(decoding: words, as: UTF8.self)),
            ])
            return String(decoding: JSONWriter.compact(node), as: UTF8.self).printableJSON
        }
    }
}
