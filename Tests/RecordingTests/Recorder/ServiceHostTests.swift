// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiRecording
import MockapiTestSupport
import MockapiUpstream
import MockapiWireSupport
import Testing

/// What a recording does and says where a host matters: one that is signed, and one that a redirect leads to.
@Suite(.supervised) struct ServiceHostTests {
    private static let origins = ["http://svc.test", "http://www.svc.test"]

    private static func redirect(_ location: String) -> Answer {
        .status(301, UpstreamField("Location", location))
    }

    @Test(arguments: [[0, 1], [1, 0], [0, 1, 0, 1]])
    func `a redirect to the same of another service is left out for what it leads to`(order: [Int]) async throws {
        let directory = try TemporaryDirectory()
        let answers = [Self.redirect("http://www.svc.test/"), .json("\"home\"")]
        for _ in 0..<2 {
            let session = try Session(directory, origins: Self.origins)
            for number in order {
                let outcome = try await session.record("GET", "/", origin: Self.origins[number], answers[number])
                #expect(outcome.kind != .refused, "\(outcome.notes)")
            }
            _ = await session.recorder.finish()
        }
        try await Replay.of(directory) { replay in
            for _ in 0..<2 {
                let text = try await replay.text("GET", "/")
                #expect(text == "200 \"home\"")
            }
        }
    }

    @Test func `a redirect that leads away from all services is told once`() async throws {
        let directory = try TemporaryDirectory()
        let session = try Session(directory, origins: Self.origins)
        var notes: [[String]] = []
        for (path, location) in [
            ("/a", "https://svc.test/a"), ("/b", "https://svc.test/b"), ("/c", "/d"), ("/e", "http://www.svc.test/e"),
        ] {
            notes.append(
                try await session.record("GET", path, origin: Self.origins[0], Self.redirect(location)).notes)
        }
        let told =
            "leads to https://svc.test, which is none of the services: its responses are not recorded (--also https://svc.test)"
        #expect(notes == [[told], [], [], []])
    }

    @Test(arguments: [
        ("/", "Authorization", "AWS4-HMAC-SHA256 Credential=x/y, SignedHeaders=host;x-amz-date, Signature=0", true),
        ("/", "Authorization", "OAuth oauth_consumer_key=\"x\", oauth_signature=\"y\"", true),
        ("/", "Signature-Input", "s=(\"@method\" \"@authority\");keyid=\"x\"", true),
        ("/?X-Amz-SignedHeaders=host&X-Amz-Expires=60", "X-A", "1", true),
        ("/", "Authorization", "Bearer abcdefgh12345678", false),
        ("/", "Signature-Input", "s=(\"@method\");keyid=\"x\"", false),
    ])
    func `a request that is refused and signed with its host is told how to keep it, once`(
        target: String, name: String, value: String, isTold: Bool
    ) async throws {
        let directory = try TemporaryDirectory()
        let session = try Session(directory)
        let fields = [UpstreamField(name, value)]
        let first = try await session.record("GET", target, fields: fields, .status(403))
        let told =
            "warning: the request is signed with the host that the client has called, and the service has seen its own: record with --keep-host"
        #expect(first.notes.contains(told) == isTold)
        let second = try await session.record("PUT", target, fields: fields, .status(403))
        #expect(!second.notes.contains(told))
        let kept = try Session(try TemporaryDirectory()) { $0.keepsHost = true }
        let third = try await kept.record("GET", target, fields: fields, .status(403))
        #expect(!third.notes.contains(told))
    }
}
