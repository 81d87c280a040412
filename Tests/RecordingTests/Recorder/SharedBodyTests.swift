// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiJSONText
import MockapiRecording
import MockapiTestSupport
import MockapiWireSupport
import Testing

/// Bodies that stubs name in another way than the recorder does.
@Suite(.supervised) struct SharedBodyTests {
    @Test func `a body that stubs of two folders name is not changed for one of them`() async throws {
        let directory = try TemporaryDirectory()
        try await directory.inSession { session in
            for target in ["/a/x", "/b/x"] { try await session.record("GET", target, .json("1")) }
        }
        try directory.write("shared/x.json", "1")
        for folder in ["a", "b"] {
            let stub = "\(folder)/x.stub.json"
            try directory.write(stub, directory.text(stub).replacing("\"x.json\"", with: "\"../shared/x.json\""))
            directory.remove("\(folder)/x.json")
        }
        try await directory.record("GET", "/a/x", .json("2"))
        #expect(directory.text("shared/x.json") == "1")
        #expect(directory.text("a/x.json") == "2")
        #expect(try JSONParser.parse(directory.bytes("a/x.stub.json"))["response"]?["bodyFile"]?.string == "x.json")
    }

    @Test func `a body that is named by a longer way is written and not removed`() async throws {
        let directory = try TemporaryDirectory()
        try await directory.record("GET", "/a/x", .json("1"))
        let stub = directory.text("a/x.stub.json")
        try directory.write("a/x.stub.json", stub.replacing("\"x.json\"", with: "\"./../a/x.json\""))
        try await directory.record("GET", "/a/x", .json("2"))
        #expect(directory.text("a/x.json") == "2")
        // It can be recorded into, and so be served.
        #expect(throws: Never.self) { _ = try Session(directory) }
    }

    @Test func `a file that is there is not taken for the content of a request`() async throws {
        let directory = try TemporaryDirectory(["a.POST.request.bin": "mine"])
        try await directory.inSession { session in
            _ = try await session.record("POST", "/a", body: "\u{0}\u{1}\u{2}", .json("1"))
        }
        #expect(directory.text("a.POST.request.bin") == "mine")
    }
}
