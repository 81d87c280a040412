// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiTestSupport
import Testing

@testable import MockapiDrift

@Suite(.supervised) struct PinTests {
    @Test func `a JSON path is a place as a pointer is`() {
        #expect(PlacePattern(jsonPath: "$.items[*].updated_at")?.text == "/items/*/updated_at")
        #expect(PlacePattern(jsonPath: "$[\"a b\"][0]")?.text == "/a b/0")
        #expect(PlacePattern(jsonPath: "items") == nil)
    }
}
