// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation
import MockServer
import MockapiTestSupport
import MockapiWireSupport
import Synchronization
import Testing
import UpstreamNetworking

@Suite("UpstreamNetworker and files", .serialized, .supervised) struct UpstreamTransferTests {
    private static let stub = """
        {"request": {"method": "PUT", "urlPath": "/"}, "response": {"body": "kept"}}
        """

    @Test(arguments: UpstreamSetting.all)
    func aFileIsSentByteForByte(_ setting: UpstreamSetting) async throws {
        let image = URL(fileURLWithPath: Sample.fixtures).appendingPathComponent("uploads/2026/aurora.png")
        try await setting.serving(stub: Self.stub) { server, networker, base async throws in
            let told = Told()
            let response = try await networker.response(
                for: PlainRequest(url: base, method: .put, bodyFile: image), told.options())
            #expect(response.data == Data("kept".utf8))
            let content = try Data(contentsOf: image)
            let entry = try #require(server.journal.entries.first)
            #expect(entry.bodySize == content.count)
            #expect(content.starts(with: entry.body))
            told.expectSteps(upTo: content.count + 4)
            #expect(told.all.count > 16)
        }
    }

    @Test(arguments: UpstreamSetting.both)
    func dataWhoseProgressIsToldGoesInPieces(_ setting: UpstreamSetting) async throws {
        try await setting.serving(stub: Self.stub) { server, networker, base async throws in
            let content = Data((0..<200_000).map { UInt8(truncatingIfNeeded: $0 / 3) })
            let told = Told()
            _ = try await networker.response(
                for: PlainRequest(url: base, method: .put, body: content), told.options())
            #expect(try #require(server.journal.entries.first).body == Array(content))
            told.expectSteps(upTo: content.count + 4)
            #expect(told.all.count > 4)
        }
    }

    @Test(arguments: UpstreamSetting.all)
    func aDownloadGoesToAFileAsItComes(_ setting: UpstreamSetting) async throws {
        let image = URL(fileURLWithPath: Sample.fixtures).appendingPathComponent("uploads/2026/aurora.png")
        // More than may be in memory.
        try await setting.serving({ $0.maxBody = 1_000 }) { _, networker, base async throws in
            let told = Told()
            let url = base.appendingPathComponent("uploads/2026/aurora.png")
            let response = try await networker.response(for: ImageRequest(url: url), told.options(isDownload: true))
            let file = try #require(response.file)
            #expect(response.data.isEmpty)
            let content = try Data(contentsOf: image)
            #expect(try Data(contentsOf: file) == content)
            told.expectSteps(upTo: content.count)
            #expect(told.all.first?.total == Int64(content.count))
            try FileManager.default.removeItem(at: file)
        }
    }

    @Test func aFileThatCannotBeReadIsNamed() async throws {
        let files = try TemporaryDirectory()
        files.makeFolder("folder")
        try await UpstreamSetting.h2c.serving(stub: Self.stub) { server, networker, base async throws in
            for (name, code, text) in [
                ("none", URLError.Code.fileDoesNotExist, "there is no such file"),
                ("folder", .fileIsDirectory, "this is a folder"),
            ] {
                let file = URL(fileURLWithPath: "\(files.path)/\(name)")
                let error = await #expect(throws: URLError.self) {
                    let _: Data = try await networker.data(for: PlainRequest(url: base, method: .put, bodyFile: file))
                }
                #expect(error?.code == code)
                #expect(
                    error?.localizedDescription
                        == "the file \(files.path)/\(name) cannot be sent: \(text); name one that can be read")
            }
            let remote = PlainRequest(url: base, method: .put, bodyFile: base)
            let error = await #expect(throws: URLError.self) { let _: Data = try await networker.data(for: remote) }
            #expect(error?.code == .cannotOpenFile)
            #expect(server.journal.entries.isEmpty)
        }
    }

    @Test func aBodyStreamIsRefused() async throws {
        try await UpstreamSetting.h2c.serving(stub: Self.stub) { server, networker, base async throws in
            var request = URLRequest(url: base)
            request.httpMethod = "PUT"
            request.httpBodyStream = InputStream(data: Data("stream".utf8))
            let refused = request
            let error = await #expect(throws: URLError.self) {
                _ = try await networker.send(refused, file: nil, options: TransferOptions())
            }
            #expect(error?.code == .requestBodyStreamExhausted)
            #expect(
                error?.localizedDescription
                    == "a stream cannot be sent as a body; give the body as data or as a file")
            #expect(server.journal.entries.isEmpty)
        }
    }

    /// What was told of a transfer.
    private final class Told: Sendable {
        private let progress = Mutex<[TransferProgress]>([])

        var all: [TransferProgress] { progress.withLock { $0 } }

        func options(isDownload: Bool = false) -> TransferOptions {
            TransferOptions(isDownload: isDownload) { step in self.progress.withLock { $0.append(step) } }
        }

        func expectSteps(upTo count: Int, sourceLocation: SourceLocation = #_sourceLocation) {
            let steps = all.map(\.completed)
            #expect(steps == steps.sorted(), sourceLocation: sourceLocation)
            #expect(
                all.last == TransferProgress(completed: Int64(count), total: Int64(count)),
                sourceLocation: sourceLocation)
        }
    }
}
