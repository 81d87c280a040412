// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiTestSupport
import Testing

@testable import MockapiFixtures

@Suite(.supervised) struct StubIDTests {
    @Test(arguments: [
        "00000000-0000-0000-0000-000000000000", "8c5db8b0-2db4-4ad7-a99f-38c9b00da3f7",
        "ffffffff-ffff-ffff-ffff-ffffffffffff", "01234567-89ab-cdef-0123-456789abcdef",
    ])
    func `a UUID is read and written as it was, in lower case`(text: String) throws {
        #expect(try #require(StubID(text)).text == text)
        #expect(StubID(text.uppercased()) == StubID(text))
    }

    @Test(arguments: [
        "", "8c5db8b0-2db4-4ad7-a99f-38c9b00da3f", "8c5db8b0-2db4-4ad7-a99f-38c9b00da3f70",
        "8c5db8b02db4-4ad7-a99f-38c9b00da3f7-", "8c5db8b0-2db4-4ad7-a99f-38c9b00da3fg",
        "{8c5db8b0-2db4-4ad7-a99f-38c9b00da3}", "8c5db8b0-2db4-4ad7-a99f-38c9b00da3é",
    ])
    func `what is no UUID is none`(text: String) {
        #expect(StubID(text) == nil)
    }

    @Test func `an id is made of the file's path and the stub's place in it, the same at every load`() {
        let id = StubID.derived(from: "articles.stub.json", ordinal: 3)
        #expect(id.text == "c18f5733-681f-8e85-8015-c7ebb5a9d6c6")
        #expect(StubID(id.text) == id)
        #expect(id != .derived(from: "articles.stub.json", ordinal: 4))
        #expect(id != .derived(from: "article.stub.json", ordinal: 3))
    }

    @Test func `the ids of stubs that the program makes are told apart by 48 bits`() {
        #expect(StubID.made(0x6661_756C_7400).text == "00000000-0000-4000-8000-6661756c7400")
        #expect(StubID.made(.max).text == "00000000-0000-4000-8000-ffffffffffff")
    }
}
