// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiJSONText
import MockapiTestSupport
import Testing

@testable import MockapiDrift

@Suite(.supervised) struct PinTests {
    @Test func `a value that a contract names decides over a change of its line`() throws {
        func told(_ asked: String, _ value: String) throws -> [String] {
            func sample(_ value: String) -> ResponseSample { ResponseSample(status: 200, headers: [("X-Mode", value)]) }
            var comparison = ResponseComparison(recorded: [sample("a")])
            comparison.pins = ContractPins(try JSONParser.parse("{\"header:X-Mode\": \(asked)}"))
            return comparison.compare([sample(value)]).findings.map { "\($0.level.rawValue) \($0.id.rawValue)" }
        }
        for asked in [#"{"enum": ["a", "b"]}"#, #"{"equals": "b"}"#, #"{"equals": "b", "enum": ["a"]}"#] {
            #expect(try told(asked, "b") == [], "\(asked)")
            #expect(try told(asked, "c") == ["breaking value-changed"], "\(asked)")
        }
        #expect(try told("{}", "b") == ["info header-changed"])
        #expect(try told(#"{"equals": "b"}"#, "a") == ["breaking value-changed"])
    }

    @Test func `a JSON path is a place as a pointer is`() {
        #expect(ResponsePlace(named: "$.items[*].updated_at")?.text == "/items/*/updated_at")
        #expect(ResponsePlace(named: "$[\"a b\"][0]")?.text == "/a b/0")
        #expect(ResponsePlace(named: "$..at")?.text == "/**/at")
        #expect(ResponsePlace(named: "$")?.text == "")
        #expect(ResponsePlace(named: "header:ETag") == .header("etag"))
        #expect(ResponsePlace(named: "status") == .status)
        #expect(ResponsePlace(named: "items") == nil)
    }
}
