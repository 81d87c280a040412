// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiRecording
import MockapiTestSupport
import MockapiUpstream
import MockapiWireSupport
import Testing

@Suite(.supervised) struct RequestsFileTests {
    private func read(_ text: String) throws -> [DirectRequest] {
        let directory = try TemporaryDirectory(["requests.json": text, "x.bin": "\u{1}x"])
        do throws(RecordingError) {
            return try RequestsFile.read("\(directory.path)/requests.json")
        } catch {
            throw RecordingError(error.description.replacing(directory.path + "/", with: ""))
        }
    }

    /// What is said of a file that cannot be read as one of requests.
    private func failure(_ text: String) throws -> String {
        do {
            _ = try read(text)
            return "no failure"
        } catch let error as RecordingError {
            return error.description
        }
    }

    @Test func `a request is a path, and what else it needs`() throws {
        let requests = try read(
            #"""
            [{"path": "/a?x=1"},
             {"method": "POST", "path": "/login", "headers": ["X-A:  1 ", "X-A: 2"], "body": "hü"},
             {"method": "PUT", "path": "/b", "headers": {"X-A": ["1", "2"], "content-type": "a/b"}, "json": {"b": 1.0, "a": []}},
             {"method": "PATCH", "path": "/c", "json": null},
             {"method": "POST", "path": "/d", "bodyFile": "x.bin"}]
            """#)
        #expect(requests.map(\.method) == ["GET", "POST", "PUT", "PATCH", "POST"])
        #expect(requests.map(\.path) == ["/a?x=1", "/login", "/b", "/c", "/d"])
        let lines = requests.map { request in request.fields.map(\.description) }
        #expect(
            lines == [
                [], ["X-A: 1", "X-A: 2"], ["X-A: 1", "X-A: 2", "content-type: a/b"], ["Content-Type: application/json"],
                [],
            ])
        let bodies: [String?] = requests.map { request in request.body.map { String(decoding: $0, as: UTF8.self) } }
        #expect(bodies == [nil, "hü", #"{"b":1.0,"a":[]}"#, "null", "\u{1}x"])
    }

    @Test(arguments: [
        ("{}", "requests.json:1:1: error: expected a list of requests, found object"),
        ("[1]", "requests.json:1:2: error: expected a request, found number; write {\"path\": \"/…\"}"),
        ("[\n {}]", "requests.json:2:2: error: a request without \"path\""),
        ("[{\"path\": 1}]", "requests.json:1:11: error: expected a string for \"path\", found number"),
        (
            "[{\"path\": \"/\", \"heders\": []}]",
            "requests.json:1:16: error: unknown key \"heders\"; the nearest known key is \"headers\""
        ),
        (
            "[{\"path\": \"/\", \"body\": \"\", \"json\": 1}]",
            "requests.json:1:28: error: \"json\" beside \"body\"; leave one of them out"
        ),
        ("[{\"path\": \"/\", \"method\": \"A B\"}]", "requests.json:1:26: error: \"A B\" is not a method"),
        (
            "[{\"path\": \"/\", \"headers\": [\"secret\"]}]",
            "requests.json:1:28: error: a header line without a colon; write Name: value"
        ),
        (
            "[{\"path\": \"/\", \"headers\": {\"X Y\": \"secret\"}}]",
            "requests.json:1:35: error: \"X Y\" is not a name of a header line (RFC 9110 §5.1)"
        ),
        (
            "[{\"path\": \"/\", \"headers\": {\"X\": \"secret\\nb\"}}]",
            "requests.json:1:33: error: the value of X has a line end or NUL (RFC 9110 §5.5); leave it out"
        ),
        (
            "[{\"path\": \"/\", \"bodyFile\": \"y.bin\"}]",
            "requests.json:1:28: error: y.bin cannot be read: No such file or directory"
        ),
        (
            "[{\"path\": \"/\", \"method\": \"HEAD\", \"body\": \"\"}]",
            "requests.json:1:34: error: a HEAD request has no content; leave it out"
        ),
        ("[", "requests.json:1:2: error: the text ends, but a value should follow"),
    ])
    func `what is wrong is told with its place`(text: String, failure: String) throws {
        #expect(try self.failure(text) == failure)
    }

    @Test func `a content is taken from beside the requests or below, and from nowhere else`() throws {
        let directory = try TemporaryDirectory(["secret": "s", "a/b/x.bin": "x"])
        try directory.link("a/link", to: "../secret")
        try directory.link("a/inside", to: "b/x.bin")
        let folder = directory.path + "/a"
        for (name, isTaken) in [
            ("b/x.bin", true), ("./b/../b/x.bin", true), ("inside", true), ("../secret", false), ("link", false),
            ("\(folder)/b/x.bin", false), ("/etc/passwd", false), ("b/../../secret", false),
        ] {
            try directory.write("a/requests.json", #"[{"path": "/", "method": "PUT", "bodyFile": "\#(name)"}]"#)
            var told = ""
            do throws(RecordingError) {
                #expect(try RequestsFile.read("\(folder)/requests.json").map(\.body) == [Array("x".utf8)])
            } catch {
                told = error.description
            }
            let refusal = "\"bodyFile\" names a file outside of the directory of the requests file"
            #expect(told == (isTaken ? "" : "\(folder)/requests.json:1:45: error: \(refusal)"), "\(name)")
        }
    }

    @Test func `a file that is not there is told`() {
        #expect(throws: RecordingError("/nonexistent/x.json cannot be read: No such file or directory")) {
            try RequestsFile.read("/nonexistent/x.json")
        }
    }
}
