// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiJSONText

/// One response of a stub written in code.
public struct MockResponse: Sendable {
    /// The content of a response.
    public struct Content: Sendable, ExpressibleByStringInterpolation {
        let written: ResponseDefinition.Content

        private init(_ written: ResponseDefinition.Content) {
            self.written = written
        }

        public init(stringLiteral value: String) {
            self = .text(value)
        }

        /// No content.
        public static var none: Content { Content(.none) }
        /// A text in UTF-8.
        public static func text(_ text: String) -> Content { Content(.text(text)) }
        /// Bytes.
        public static func bytes(_ bytes: some Sequence<UInt8>) -> Content { Content(.bytes(Array(bytes))) }
        /// A file relative to the fixture directory.
        public static func file(_ path: String) -> Content { Content(.file(path)) }
    }

    private let definition: ResponseDefinition

    /// The `response` of a stub file.
    var node: JSONNode { StubWriter.response(definition) }
    /// Whether the content is in a file.
    var namesFile: Bool { if case .file = definition.content { true } else { false } }

    /// - Parameters:
    ///   - headers: field lines in the order they are sent; without a Content-Type the content has that of its kind.
    ///   - delay: before the first byte, to the millisecond.
    public init(
        _ status: Int = 200, headers: KeyValuePairs<String, String> = [:], body: Content = .none,
        delay: Duration = .zero,
        fault: StubFault? = nil
    ) {
        var definition = ResponseDefinition(
            status: status, headers: headers.map { HeaderLine($0.key, $0.value) }, content: body.written)
        // A delay out of range becomes a finding there, not a trap here.
        let seconds = min(max(delay.components.seconds, 0), Int64(Int32.max))
        let milliseconds = seconds * 1_000 + delay.components.attoseconds / 1_000_000_000_000_000
        definition.delay.fixedMilliseconds = Int(max(0, milliseconds))
        definition.fault = fault?.fault
        definition.unknownErrorCode = fault?.unknownErrorCode
        self.definition = definition
    }

    /// JSON as it is written, with the media type `application/json`.
    public static func json(
        _ text: String, status: Int = 200,
        headers: KeyValuePairs<String, String> = ["Content-Type": "application/json"],
        delay: Duration = .zero
    ) -> MockResponse {
        MockResponse(status, headers: headers, body: .text(text), delay: delay)
    }
}
