// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiHTTPSyntax
import MockapiJSONText

/// A stub written in code: which requests, and the responses to them.
///
///     RequestMatch.get("/api/food").respond(body: .json(#"[{"name": "Bread"}]"#))
///
/// Stubs in code go before those of files at equal priority, the newest first.
public struct MockStub: Sendable {
    package let text: [UInt8]
    /// Where it was written, such as `FoodTests.swift:12`.
    package let label: String
    /// The handler that computes its responses; nil if they are written.
    let handler: StubHandler?

    /// A stub as a stub file has it; whatever the format can say.
    public init(json: String, fileID: String = #fileID, line: Int = #line) {
        text = Array(json.utf8)
        label = Self.label(fileID, line)
        handler = nil
    }

    private init(text: [UInt8], of stub: MockStub) {
        self.text = text
        label = stub.label
        handler = stub.handler
    }

    init(_ node: JSONNode, label: String, handler: StubHandler? = nil) {
        text = JSONWriter.compact(node)
        self.label = label
        self.handler = handler
    }

    static func label(_ fileID: String, _ line: Int) -> String {
        "\(fileID.split(ascii: "/").last ?? "")" + ":\(line)"
    }

    /// The same stub as a part of a scenario: a state that several stubs share, and that begins as `Started`.
    ///
    ///     RequestMatch.post("/api/cart").respond(201).scenario("cart", requires: "Started", becomes: "full")
    ///
    /// - Parameters:
    ///   - requires: the state in which the stub matches; nil for any.
    ///   - becomes: the state that a response of it leaves; nil if it stays.
    public func scenario(_ name: String, requires: String? = nil, becomes: String? = nil) -> MockStub {
        adding(StubWriter.scenario(name, required: requires, next: becomes))
    }

    /// The same stub, whose responses wait until `MockServer.release` is called with this name.
    ///
    ///     RequestMatch.get("/api/cart").respond(json: "[]").hold("cart")
    public func hold(_ name: String) -> MockStub { adding(StubWriter.hold(name)) }

    /// The same stub with further members.
    private func adding(_ part: JSONNode) -> MockStub {
        // They go behind the others, so that a finding there has the place that it was written at; a text that is not an object stays, and is
        // a finding.
        guard let written = (try? JSONParser.parse(text))?.object,
            let end = text.lastIndex(of: UInt8(ascii: "}"))
        else { return self }
        let added = JSONWriter.compact(part).dropFirst().dropLast()
        let comma = written.members.isEmpty ? [] : [UInt8(ascii: ",")]
        return MockStub(text: text[..<end] + comma + added + text[end...], of: self)
    }
}
