// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiTestSupport
import Testing

@testable import MockapiDrift

@Suite(.supervised) struct PinTests {
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
