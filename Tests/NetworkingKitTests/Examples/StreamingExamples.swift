// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation
import MockapiTestSupport
import NetworkingKit
import Testing

/// The examples of `docs/networking/streaming.md`.
@Suite(.supervised) struct StreamingExamples {
    @Test func linesAreRead() async throws {
        let networker = Networker { _ in Data("one\ntwo\nthree\n".utf8) }
        let request = PlainRequest(url: try #require(URL(string: "http://host.example/x")))
        var lines: [String] = []

        for try await line in networker.lines(for: request) {
            lines.append(line)
            if lines.count == 2 { break }
        }

        #expect(lines == ["one", "two"])
    }

    @Test func eventsAreRead() async throws {
        let networker = Networker { _ in Data("event: tick\ndata: 1\n\ndata: 2\n\n".utf8) }
        let request = PlainRequest(url: try #require(URL(string: "http://host.example/x")))
        var events: [String] = []

        for try await event in networker.events(for: request) {
            events.append("\(event.event): \(event.data)")
        }

        #expect(events == ["tick: 1", "message: 2"])
    }
}
