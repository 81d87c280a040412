// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import JSONText

/// A stub written in code: which requests, and what they are answered.
///
///     RequestMatch.get("/api/food").respond(body: .json(#"[{"name": "Bread"}]"#))
///
/// Stubs in code go before those of files at equal priority, the newest first.
public struct MockStub: Sendable {
    package let text: [UInt8]
    /// Where it was written, such as `FoodTests.swift:12`.
    package let label: String
    /// What computes its answers; nil where they are written.
    let handler: StubHandler?

    /// A stub as a stub file has it; whatever the format can say.
    public init(json: String, fileID: String = #fileID, line: Int = #line) {
        text = Array(json.utf8)
        label = Self.label(fileID, line)
        handler = nil
    }

    init(_ node: JSONNode, label: String, handler: StubHandler? = nil) {
        text = JSONWriter.compact(node)
        self.label = label
        self.handler = handler
    }

    static func label(_ fileID: String, _ line: Int) -> String {
        "\(fileID.split(separator: "/").last ?? "")" + ":\(line)"
    }
}
