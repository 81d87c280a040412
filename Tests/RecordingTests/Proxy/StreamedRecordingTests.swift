// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockServer
import MockapiRecording
import MockapiTestSupport
import MockapiUpstream
import MockapiWireSupport
import Testing

/// Answers that take their time, and such that do not come whole.
@Suite(.supervised) struct StreamedRecordingTests {
    @Test(arguments: ["application/octet-stream", "text/event-stream"])
    func `the client has the first bytes before the upstream sends the last`(type: String) async throws {
        let upstream = try RawServer()
        try await ProxyBed.recording([upstream.base]) { bed in
            let text = try await blocking { [port = bed.port] in
                let client = try WireClient(port: port)
                try client.send("GET /a HTTP/1.1\r\nHost: localhost\r\n\r\n")
                let peer = try upstream.accept()
                _ = try peer.head()
                try peer.send("HTTP/1.1 200 OK\r\nContent-Type: \(type)\r\nTransfer-Encoding: chunked\r\n\r\n")
                while try !client.line().isEmpty {}
                try peer.send("6\r\nfirst\n\r\n")
                var text = try client.line()
                text += String(decoding: try client.read(8), as: UTF8.self)
                try peer.send("5\r\nlast\n\r\n0\r\n\r\n")
                #expect(try client.read(15) == Array("5\r\nlast\n\r\n0\r\n\r\n".utf8))
                return text
            }
            #expect(text == "6first\n\r\n")
            #expect(await bed.outcomes.map(\.kind) == [.new])
        }
    }

    @Test func `what ends early is broken off for the client too and not recorded`() async throws {
        let upstream = try RawServer()
        try await ProxyBed.recording([upstream.base]) { bed in
            async let head = upstream.answer(
                "HTTP/1.1 200 OK\r\nContent-Type: image/png\r\nContent-Length: 10\r\n\r\n\u{1}png")
            let failure = await #expect(throws: WireError.self) {
                _ = try await bed.request("GET", "/a?token=hunter2hunter2")
            }
            guard case .closedEarly = failure else {
                Issue.record("\(String(describing: failure))")
                return
            }
            _ = try await head
            let outcomes = await bed.outcomes
            #expect(outcomes.map(\.kind) == [.failed])
            #expect(!"\(outcomes)".contains("hunter2"))
            #expect(outcomes.first?.notes.first?.hasSuffix("the connection was lost; send the request again") == true)
            #expect(bed.into.visible().isEmpty)
        }
    }

    @Test func `an upstream that does not listen is 502 with the reason and without secrets`() async throws {
        // A port that was given back may soon be another's; nobody listens on this one.
        try await ProxyBed.recording(["http://127.0.0.1:1"]) { bed in
            let response = try await bed.request("GET", "/a?access_token=hunter2hunter2&page=1")
            #expect(response.status == 502)
            #expect(response["Content-Type"] == "text/plain; charset=utf-8")
            #expect(response.text.hasPrefix("GET http://127.0.0.1:1/a?access_token="))
            #expect(response.text.hasSuffix("check that the service runs and listens on this port\n"))
            #expect(!response.text.contains("hunter2"))
            let head = try await bed.raw("HEAD / HTTP/1.1\r\nHost: localhost\r\n\r\n", isHead: true)
            #expect(head.status == 502)
            #expect(await bed.outcomes.map(\.kind) == [.failed, .failed])
            #expect(bed.into.visible().isEmpty)
        }
    }

    @Test func `an upstream that says nothing is 504`() async throws {
        let upstream = try RawServer()
        try await ProxyBed.recording([upstream.base], { $0.upstream.timeouts.idle = .milliseconds(200) }) { bed in
            let response = try await bed.request("GET", "/a")
            #expect(response.status == 504)
            #expect(response.text.hasSuffix("allow more time without a byte (--timeout)\n"))
        }
    }

    @Test func `the transfer ends when the client goes away`() async throws {
        let upstream = try RawServer()
        try await ProxyBed.recording([upstream.base]) { bed in
            try await blocking { [port = bed.port] in
                let client = try WireClient(port: port)
                try client.send("GET /a HTTP/1.1\r\nHost: localhost\r\n\r\n")
                let peer = try upstream.accept()
                _ = try peer.head()
                try peer.send("HTTP/1.1 200 OK\r\nContent-Type: image/png\r\nContent-Length: 10\r\n\r\n\u{1}png")
                while try !client.line().isEmpty {}
                client.close()
                #expect(try peer.remainder().isEmpty)
            }
            let outcomes = await bed.outcomes
            #expect(outcomes.map(\.kind) == [.failed])
            #expect(
                outcomes.map(\.notes)
                    == [["the client went away before the response was complete; let it wait for the end"]])
            #expect(bed.into.visible().isEmpty)
        }
    }

    @Test func `a response under way when the recording is stopped is told as such`() async throws {
        let upstream = try RawServer()
        try await ProxyBed.recording([upstream.base]) { bed in
            try await blocking { [bed] in
                let client = try WireClient(port: bed.port)
                try client.send("GET /a HTTP/1.1\r\nHost: localhost\r\n\r\n")
                let peer = try upstream.accept()
                _ = try peer.head()
                try peer.send("HTTP/1.1 200 OK\r\nContent-Type: image/png\r\nContent-Length: 10\r\n\r\n\u{1}png")
                while try !client.line().isEmpty {}
                bed.session.stops()
                Task { for proxy in bed.proxies { await proxy.stop(grace: .zero) } }
                #expect(try peer.remainder().isEmpty)
            }
            let outcomes = await bed.outcomes
            #expect(outcomes.map(\.kind) == [.failed])
            #expect(outcomes.map(\.notes) == [["the recording was stopped before the response was complete"]])
        }
    }

    @Test func `nothing is recorded where responses only pass`() async throws {
        let upstream = try RawServer()
        try await ProxyBed.recording([upstream.base], records: false) { bed in
            async let head = upstream.answer("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nhi")
            #expect(try await bed.request("GET", "/a").text == "hi")
            _ = try await head
            #expect(await bed.outcomes.isEmpty)
            #expect(bed.report.passed == 2)
            #expect(bed.into.visible().isEmpty)
        }
    }
}
