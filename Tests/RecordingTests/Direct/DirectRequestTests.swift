// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockServer
import MockapiRecording
import MockapiTestSupport
import MockapiUpstream
import MockapiWireSupport
import Testing

/// Requests that are made for the recording alone.
@Suite(.supervised) struct DirectRequestTests {
    private static func stub(_ path: String, location: String) -> String {
        #"{"request": {"urlPath": "\#(path)"}, "response": {"status": 302, "headers": ["Location: \#(location)"]}}"#
    }

    private func serving(_ directory: TemporaryDirectory, _ body: (MockServer) async throws -> Void) async throws {
        let server = try await MockServer.start(fixtures: directory.path)
        do {
            try await body(server)
        } catch {
            await server.stop()
            throw error
        }
        await server.stop()
    }

    @Test func `a chain of redirects is recorded to its end, over two upstreams`() async throws {
        let images = try TemporaryDirectory(["logo.png": "\u{1}no image"])
        try await serving(images) { images in
            let files = try TemporaryDirectory([
                "a.stub.json": Self.stub("/a/b", location: "../c?x=1"),
                "c.stub.json": Self.stub("/c", location: "\(images.address)/logo.png"),
            ])
            try await serving(files) { api in
                try await ProxyBed.recording([api.address, images.address]) { bed in
                    await bed.session.send(
                        DirectRequest("GET", "/a/b", fields: [UpstreamField("Authorization", "Bearer hunter2hunter2")]),
                        fields: [UpstreamField("Accept", "*/*")])
                    let outcomes = await bed.outcomes
                    #expect(outcomes.map(\.kind) == [.new, .new, .new])
                    #expect(
                        outcomes.map(\.notes.last) == [
                            "leads to /c?x=1, asked for too", "leads to /logo.png, asked for too", nil,
                        ])
                    #expect(api.journal.entries.map(\.target) == ["/a/b", "/c?x=1"])
                    #expect(api.journal.entries.allSatisfy { $0.fields.contains { $0.name == "Authorization" } })
                    // What was meant for one host is not told another.
                    #expect(images.journal.entries.map { $0.fields.map(\.name) } == [["Host", "Accept"]])
                }
            }
        }
    }

    @Test func `a redirect to another upstream takes no line along that is meant for one`() async throws {
        let images = try RawServer()
        let files = try TemporaryDirectory(["a.stub.json": Self.stub("/a", location: "\(images.base)/back")])
        try await serving(files) { api in
            let fields = [UpstreamField("X-Api-Key", "hunter2hunter2"), UpstreamField("X-Team", "blue")]
            try await ProxyBed.recording([api.address, images.base], fields: fields) { bed in
                async let head = images.answer(
                    "HTTP/1.1 302 Found\r\nLocation: \(api.address)/b\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
                )
                let own = [UpstreamField("X-Own", "1"), UpstreamField("X-Auth-Token", "hunter2hunter2")]
                await bed.session.send(
                    DirectRequest("GET", "/a", fields: own), fields: [UpstreamField("Accept", "*/*")])
                _ = await bed.outcomes
                let names = try await head.dropFirst().map { $0.prefix { $0 != ":" } }
                #expect(names == ["Host", "X-Own", "Accept"])
                #expect(api.journal.entries.map(\.target) == ["/a", "/b"])
                #expect(
                    api.journal.entries.map { $0.fields.map(\.name) } == [
                        ["Host", "X-Own", "X-Auth-Token", "X-Api-Key", "X-Team", "Accept"],
                        ["Host", "X-Own", "Accept", "X-Api-Key", "X-Team"],
                    ])
            }
        }
    }

    @Test func `letters beyond ASCII are sent as clients send them`() async throws {
        try await serving(TemporaryDirectory(["caf\u{E9}.txt": "x"])) { api in
            try await ProxyBed.recording([api.address]) { bed in
                await bed.session.send(DirectRequest("GET", "/caf\u{E9}.txt?q=\u{2603}%20"), fields: [])
                #expect(await bed.outcomes.map(\.request) == ["GET /caf%C3%A9.txt?q=%E2%98%83%20"])
                #expect(api.journal.entries.map(\.target) == ["/caf%C3%A9.txt?q=%E2%98%83%20"])
            }
        }
    }

    @Test func `redirects that go round end where they began`() async throws {
        let files = try TemporaryDirectory([
            "a.stub.json": Self.stub("/a", location: "/b"), "b.stub.json": Self.stub("/b", location: "/a"),
        ])
        try await serving(files) { api in
            try await ProxyBed.recording([api.address]) { bed in
                await bed.session.send(DirectRequest("GET", "/a"), fields: [])
                #expect(await bed.outcomes.map(\.notes) == [["leads to /b, asked for too"], ["leads to /a"]])
                #expect(api.journal.entries.map(\.target) == ["/a", "/b"])
            }
        }
    }

    @Test func `a chain of more than ten redirects is told as failed`() async throws {
        let files = try TemporaryDirectory()
        for number in 0...11 {
            try files.write("\(number).stub.json", Self.stub("/\(number)", location: "/\(number + 1)"))
        }
        try await serving(files) { api in
            try await ProxyBed.recording([api.address]) { bed in
                await bed.session.send(DirectRequest("GET", "/0"), fields: [])
                let last = try #require(await bed.outcomes.last)
                #expect(last.kind == .failed)
                #expect(last.notes == ["reached by 10 redirects, and not requested; check whether they are circular"])
                #expect(api.journal.entries.count == 11)
            }
        }
    }

    @Test func `what will be asked for is not asked for once more where a redirect leads there`() async throws {
        let files = try TemporaryDirectory(["a.stub.json": Self.stub("/a", location: "/b"), "b.json": "{}"])
        try await serving(files) { api in
            try await ProxyBed.recording([api.address]) { bed in
                let requests = [DirectRequest("GET", "/a"), DirectRequest("GET", "/b")]
                for request in requests { try bed.session.check(request) }
                for request in requests { await bed.session.send(request, fields: []) }
                #expect(api.journal.entries.map(\.target) == ["/a", "/b"])
            }
        }
    }

    @Test func `a redirect to elsewhere is recorded and not followed`() async throws {
        let files = try TemporaryDirectory(["a.stub.json": Self.stub("/a", location: "http://elsewhere.invalid/")])
        try await serving(files) { api in
            try await ProxyBed.recording([api.address]) { bed in
                await bed.session.send(DirectRequest("GET", "/a"), fields: [])
                #expect(await bed.outcomes.map(\.kind) == [.new])
            }
        }
    }

    @Test func `a path is checked before anything is sent`() async throws {
        try await ProxyBed.recording(["http://a.example", "http://b.example"]) { bed in
            #expect(throws: Never.self) { try bed.session.check(DirectRequest("GET", "http://b.example/x")) }
            #expect(
                throws: RecordingError(
                    "x goes to no upstream: write a path that begins with /, or a URL of http://a.example, http://b.example"
                )
            ) { try bed.session.check(DirectRequest("GET", "x")) }
            #expect(throws: RecordingError("/x y has a blank or a control character; percent-encode it")) {
                try bed.session.check(DirectRequest("GET", "/x y"))
            }
        }
    }
}
