// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiContentCodings
import MockapiHTTPSyntax
import MockapiHTTPWire
import MockapiProxy
import MockapiTestSupport
import MockapiUpstream
import MockapiWireSupport
import Testing

@testable import MockapiRecording

/// Content of few bytes that stands for very many.
@Suite(.supervised) struct DecompressionBombTests {
    /// Members of gzip, each a MiB of blanks in a thousand bytes (RFC 1952 §2.2).
    private static func bomb(mebibytes: Int) throws -> [UInt8] {
        let member = try ContentCoding.gzip.encode([UInt8](repeating: 0x20, count: 1024 * 1024))
        return [UInt8]([[UInt8]](repeating: member, count: mebibytes).joined())
    }

    private static func head(_ type: String) -> UpstreamHead {
        UpstreamHead(
            version: .http11, status: 200, reason: "OK",
            fields: [UpstreamField("Content-Type", type), UpstreamField("Content-Encoding", "gzip")])
    }

    private static func limit(_ bytes: Int) -> DecodedLimit {
        var limit = DecodedLimit()
        limit.bytes = bytes
        limit.factor = 1
        return limit
    }

    private static let view = ProxyView(origins: ["https://a.example"], bases: ["http://localhost"], isSecure: false)

    @Test func `what passes is decoded piece by piece, and no further than the limit`() throws {
        var rewriter = try #require(
            ContentRewriter(ReceivedHead(Self.head("text/plain")), seenAs: Self.view, limit: Self.limit(8 << 20)))
        // 300 MiB in one push.
        rewriter.push(try Self.bomb(mebibytes: 300))
        var count = 0
        let failure = #expect(throws: DecodingFailure.self) {
            while let piece = try rewriter.pull() {
                #expect(piece.count <= 64 * 1024)
                count += piece.count
            }
        }
        #expect(count > 7 << 20 && count <= 8 << 20)
        #expect(failure?.description == "the content makes more than 8388608 bytes without its coding gzip")
    }

    @Test func `what is recorded is decoded piece by piece, and no further than text may be long`() throws {
        let directory = try TemporaryDirectory()
        let spool = ContentSpool(ReceivedHead(Self.head("text/plain")), directory: directory.path)
        spool.push(try Self.bomb(mebibytes: 300))
        var pieces = 0
        while spool.store() { pieces += 1 }
        #expect(spool.hasFailed)
        #expect(pieces <= ContentSpool.textLimit / (64 * 1024) + 1)
        #expect(
            throws: RecordingError(
                "the content is text of more than 33554432 bytes, which is too much to keep secrets out of")
        ) { try spool.finish() }
    }

    @Test func `a body beyond the largest that is recorded leaves no file`() throws {
        let directory = try TemporaryDirectory()
        let spool = ContentSpool(
            ReceivedHead(
                UpstreamHead(
                    version: .http11, status: 200, reason: "OK", fields: [UpstreamField("Content-Type", "image/png")])),
            directory: directory.path, largest: 3 << 20)
        for _ in 0..<4 {
            #expect(!spool.hasFailed)
            spool.push([UInt8](repeating: 0, count: 1 << 20))
        }
        #expect(spool.hasFailed)
        #expect(directory.snapshot().isEmpty)
        #expect(
            throws: RecordingError(
                "the content is more than 3145728 bytes, and is not recorded; raise --max-recorded-body")
        ) { try spool.finish() }
    }

    @Test func `content that is not text is kept no further than the limit, and leaves no file`() throws {
        let directory = try TemporaryDirectory()
        let spool = ContentSpool(
            ReceivedHead(Self.head("image/png")), directory: directory.path, limit: Self.limit(4 << 20))
        spool.push(try Self.bomb(mebibytes: 300))
        while spool.store() {}
        #expect(directory.snapshot().isEmpty)
        spool.push([1])
        #expect(!spool.store())
        #expect(
            throws: RecordingError(
                "the content makes more than 4194304 bytes without its coding gzip, and is not recorded")
        ) { try spool.finish() }
    }

    @Test(arguments: [true, false])
    func `the client's response is broken off at the limit, and that is told`(records: Bool) async throws {
        let upstream = try RawServer()
        let bomb = try Self.bomb(mebibytes: 3)
        try await ProxyBed.recording([upstream.base], records: records, { $0.decodedLimit = Self.limit(1 << 20) }) {
            bed in
            async let head = blocking {
                let peer = try upstream.accept()
                let head = try peer.head()
                try peer.send(
                    "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Encoding: gzip\r\nContent-Length: \(bomb.count)\r\n\r\n"
                )
                try peer.send(bomb)
                return head
            }
            await #expect(throws: WireError.self) { _ = try await bed.request("GET", "/a") }
            _ = try await head
            // Where nothing is recorded there is nothing whose end could be waited for.
            try await until({ bed.report.outcomes.map(\.kind) }, is: [.failed])
            let outcomes = await bed.outcomes
            #expect(outcomes.map(\.kind) == [.failed])
            let limit = "the content makes more than 1048576 bytes without its coding gzip"
            let broken = "the client's answer was broken off: \(limit)"
            #expect(outcomes.map(\.notes) == [[records ? "\(limit), and is not recorded; \(broken)" : broken]])
            #expect(bed.into.visible().isEmpty)
        }
    }
}
