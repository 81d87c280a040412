// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import FixtureNetworking
import Foundation
import HTTPTypes
import MockServer
import MockapiTestSupport
import MockapiWireSupport
import NetworkingKit
import Testing
import UpstreamNetworking

/// Answers as they come.
@Suite(.supervised) struct StreamingTests {
    enum Kind: CaseIterable {
        case session, upstream

        var networking: any Networking {
            switch self {
            case .session: Networker()
            case .upstream: UpstreamNetworker()
            }
        }
    }

    /// A hundred lines, one each 100 ms.
    private static let slow =
        [
            "slow.stub.json": #"""
            {"request": {"urlPath": "/slow"},
             "response": {"body": "\#(String(repeating: #"a\n"#, count: 100))",
                          "chunkedDribbleDelay": {"numberOfChunks": 100, "totalDuration": 10000}}}
            """#
        ] as KeyValuePairs

    private static func stub(_ body: String, _ rest: String = "") throws -> KeyValuePairs<String, String> {
        let text = String(decoding: try JSONEncoder().encode(body), as: UTF8.self)
        return ["x.stub.json": #"{"request": {"urlPath": "/x"}, "response": {"body": \#(text)\#(rest)}}"#]
    }

    private static let isAbandoned: @Sendable (Service) -> Bool = {
        $0.server.journal.entries.first?.abandonment != nil
    }

    @Test(arguments: Kind.allCases)
    func bytesAndPiecesAreThoseOfTheAnswer(_ kind: Kind) async throws {
        let service = try await Service(
            try Self.stub("é1\n2", #", "chunkedDribbleDelay": {"numberOfChunks": 5, "totalDuration": 5}"#))
        let networking = kind.networking
        let request = PlainRequest(url: service.url("/x"))
        var bytes: [UInt8] = []
        for try await byte in networking.bytes(for: request) { bytes.append(byte) }
        #expect(String(decoding: bytes, as: UTF8.self) == "é1\n2")
        var data = Data()
        for try await chunk in networking.bytes(for: request).chunks { data += chunk }
        #expect(data == Data(bytes))
        #expect(service.targets.count == 2)
        let stream = try await networking.stream(for: request)
        #expect(stream.status == 200)
        await service.stop()
    }

    @Test(arguments: Kind.allCases)
    func linesComeBeforeTheAnswerIsOverAndToLeaveCancelsIt(_ kind: Kind) async throws {
        let service = try await Service(Self.slow)
        var lines: [String] = []
        for try await line in kind.networking.lines(for: PlainRequest(url: service.url("/slow"))) {
            lines.append(line)
            if lines.count == 2 { break }
        }
        #expect(lines == ["a", "a"])
        #expect(try await until({ Self.isAbandoned(service) }, is: true))
        await service.stop()
    }

    @Test(arguments: Kind.allCases)
    func aCancelledReaderCancelsTheRequest(_ kind: Kind) async throws {
        let service = try await Service(Self.slow)
        let networking = kind.networking
        let request = PlainRequest(url: service.url("/slow"))
        let (read, continuation) = AsyncStream<Void>.makeStream()
        let task = Task {
            for try await _ in networking.lines(for: request) { continuation.finish() }
        }
        for await _ in read {}
        task.cancel()
        let error = await #expect(throws: (any Error).self) { try await task.value }
        #expect((error as? URLError)?.code == .cancelled)
        #expect(try await until({ Self.isAbandoned(service) }, is: true))
        await service.stop()
    }

    @Test(arguments: Kind.allCases)
    func anUnacceptedStatusIsAnErrorWithItsBody(_ kind: Kind) async throws {
        let service = try await Service([
            "x.stub.json": #"{"request": {"urlPath": "/x"}, "response": {"status": 404, "body": "no\nsuch"}}"#,
            "y.stub.json":
                #"{"request": {"urlPath": "/y"}, "response": {"status": 302, "headers": {"Location": "/x"}}}"#,
        ])
        for path in ["/x", "/y"] {
            let lines = kind.networking.lines(for: PlainRequest(url: service.url(path)))
            let error = await #expect(throws: ResponseError.self) { for try await _ in lines {} }
            #expect(error?.status == 404)
            #expect(error?.body == Data("no\nsuch".utf8))
        }
        await service.stop()
    }

    @Test func eventsAreReadFromTheWire() async throws {
        let text =
            ": hello\n\ndata: one\nid: 1\n\nevent: move\r\ndata:two\r\ndata: lines\r\nretry: 250\r\n\r\ndata: unended"
        let service = try await Service(try Self.stub(text, #", "headers": {"Content-Type": "text/event-stream"}"#))
        var events: [ServerSentEvent] = []
        for try await event in Networker().events(for: PlainRequest(url: service.url("/x"))) { events.append(event) }
        #expect(
            events == [
                ServerSentEvent(data: "one", id: "1"),
                ServerSentEvent(event: "move", data: "two\nlines", id: "1", retry: .milliseconds(250)),
            ])
        #expect(service.server.journal.entries.first?.request.headerFields[.accept] == "text/event-stream")
        await service.stop()
    }

    @Test(arguments: ["a\r\nb\rc\n\nd", "\u{FEFF}", "", "é\n"], 1...4)
    func linesAreTheSameHoweverTheyAreCut(_ text: String, _ size: Int) async throws {
        let bytes = Array(text.utf8)
        let chunks = stride(from: 0, to: bytes.count, by: size).map { Data(bytes[$0..<min($0 + size, bytes.count)]) }
        let whole = Networker { _ in Data(text.utf8) }
        let request = PlainRequest(url: try #require(URL(string: "http://host.example/x")))
        var lines: [String] = []
        for try await line in whole.lines(for: request) { lines.append(line) }
        let cut = CutNetworking(chunks: chunks)
        var others: [String] = []
        for try await line in cut.lines(for: request) { others.append(line) }
        #expect(lines == others)
        #expect(
            lines
                == text.split(separator: /\r\n|\r|\n/, omittingEmptySubsequences: false).map(String.init)
                .dropEmptyLast())
    }

    private struct CutNetworking: Networking {
        let chunks: [Data]
        var delegate: (any NetworkingDelegate)? {
            get { nil }
            set {}
        }

        func fetch(_ request: any Request) -> AnyPublisher<Data, URLError> {
            Fail(error: URLError(.badURL)).eraseToAnyPublisher()
        }

        func stream(for request: any Request) async throws -> ResponseStream {
            let chunks = chunks
            return ResponseStream(
                http: try HTTPURLResponse.net.plain(request.url, status: 200),
                chunks: AsyncThrowingStream { continuation in
                    for chunk in chunks { continuation.yield(chunk) }
                    continuation.finish()
                })
        }
    }

    @Test func aLineWithoutAnEndIsBounded() async throws {
        let networker = Networker { _ in Data(count: 2 * 1024 * 1024) }
        let request = PlainRequest(url: try #require(URL(string: "http://host.example/x")))
        let error = await #expect(throws: URLError.self) { for try await _ in networker.lines(for: request) {} }
        #expect(error?.code == .dataLengthExceedsMaximum)
        #expect(error?.localizedDescription == "a line is longer than 1048576 bytes; read bytes instead")
    }

    @Test func progressIsASequenceThatEndsWithTheResponse() async throws {
        let service = try await Service(try Self.stub(String(repeating: "x", count: 100_000)))
        var last: TransferProgress?
        var response: DataResponse?
        for try await step in Networker().progress(of: PlainRequest(url: service.url("/x"))) {
            switch step {
            case .progress(let progress): last = progress
            case .response(let whole): response = whole
            }
        }
        #expect(response?.data.count == 100_000)
        #expect((last?.completed ?? 0) <= 100_000)
        await service.stop()
    }

    @Test func toLeaveTheProgressCancelsTheRequest() async throws {
        let service = try await Service(Self.slow)
        for try await _ in Networker().progress(of: PlainRequest(url: service.url("/slow"))) { break }
        #expect(try await until({ Self.isAbandoned(service) }, is: true))
        await service.stop()
    }
}

extension [String] {
    /// The lines without the nothing behind the last end.
    fileprivate func dropEmptyLast() -> [String] {
        last?.isEmpty == true ? Array(dropLast()) : self
    }
}
