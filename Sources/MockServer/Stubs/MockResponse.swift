// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import JSONText

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// One response of a stub written in code.
public struct MockResponse: Sendable {
    /// The content of a response.
    public struct Content: Sendable, ExpressibleByStringInterpolation {
        let members: [(name: String, value: JSONNode)]

        public init(stringLiteral value: String) {
            self = .text(value)
        }

        init(_ name: String, _ value: JSONNode) {
            members = [(name, value)]
        }

        private init() {
            members = []
        }

        public static var none: Content { Content() }
        public static func text(_ text: String) -> Content { Content("body", .string(text)) }
        public static func bytes(_ bytes: some Sequence<UInt8>) -> Content {
            Content("base64Body", .string(Data(bytes).base64EncodedString()))
        }
        /// A file relative to the fixture directory.
        public static func file(_ path: String) -> Content { Content("bodyFile", .string(path)) }
    }

    let node: JSONNode

    /// - Parameters:
    ///   - headers: field lines in the order they are sent; without a Content-Type the content has that of its kind.
    ///   - delay: before the first byte, to the millisecond.
    public init(
        _ status: Int = 200, headers: KeyValuePairs<String, String> = [:], body: Content = .none,
        delay: Duration = .zero,
        fault: StubFault? = nil
    ) {
        var members: [JSONObject.Member] = [.init(name: "status", value: .integer(status))]
        if !headers.isEmpty {
            let lines = headers.map { JSONNode.string("\($0.key): \($0.value)") }
            members.append(.init(name: "headers", value: .array(lines)))
        }
        members += body.members.map { .init(name: $0.name, value: $0.value) }
        // A delay out of range becomes a finding there, not a trap here.
        let seconds = min(max(delay.components.seconds, 0), Int64(Int32.max))
        let milliseconds = seconds * 1_000 + delay.components.attoseconds / 1_000_000_000_000_000
        if milliseconds > 0 { members.append(.init(name: "fixedDelayMilliseconds", value: .integer(milliseconds))) }
        members += (fault?.members ?? []).map { .init(name: $0.name, value: $0.value) }
        node = JSONNode(.object(JSONObject(members)))
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
