// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation
import HTTPTypes
import MockServer
import NetworkingKit
import Synchronization
import Testing
import WireSupport

/// What URLSession on Linux does otherwise than on Darwin, and `Networker` makes good.
@Suite("Networker on the wire")
struct SessionErrorTests {
    @Test(arguments: [
        (StubFault.emptyResponse, URLError.Code.networkConnectionLost, 0),
        (.truncatedBody(afterBytes: 2), .networkConnectionLost, 1), (.wrongContentLength, .networkConnectionLost, 2),
        (.malformedChunk, .cannotParseResponse, 3), (.randomData, .cannotParseResponse, 4),
        (.badGzip, .cannotDecodeContentData, 5),
    ])
    func aBrokenAnswerHasTheCodeItHasOnDarwin(_ fault: StubFault, _ code: URLError.Code, _ number: Int) async throws {
        let server = try await MockServer.start(
            stubs: [RequestMatch.get("/\(number)").respond(body: "0123456789", fault: fault)])
        let request = PlainRequest(url: server.baseURL.appendingPathComponent("\(number)"))
        let error = await #expect(throws: URLError.self) { _ = try await Networker().response(to: request) }
        #expect(error?.code == code)
        #expect(error?.localizedDescription.isEmpty == false)
        await server.stop()
    }

    @Test(arguments: [307, 308])
    func aRedirectionKeepsTheContentOfAFileToo(_ status: Int) async throws {
        let server = try await MockServer.start(stubs: [
            RequestMatch.any("/old").respond(status, headers: ["Location": "/new"], body: "moved"),
            RequestMatch.any("/new").respond(body: "there"),
        ])
        let directory = try TemporaryDirectory(["content": "from a file"])
        var request = PlainRequest(url: server.baseURL.appendingPathComponent("old"), method: .put)
        request.body = Data("from memory".utf8)
        let networker = Networker()
        #expect(try await networker.fetch(request) as Data == Data("there".utf8))
        request.bodyFile = URL(fileURLWithPath: directory.path + "/content")
        #expect(try await networker.fetch(request) as Data == Data("there".utf8))
        let bodies = server.journal.entries.map { String(decoding: $0.body, as: UTF8.self) }
        #expect(bodies == ["from memory", "from memory", "from a file", "from a file"])
        #expect(server.journal.entries.allSatisfy { $0.request.method == .put })
        await server.stop()
    }

    @Test func aDownloadThatIsRedirectedIsTheLastAnswerAlone() async throws {
        let server = try await MockServer.start(stubs: [
            RequestMatch.get("/old").respond(302, headers: ["Location": "/new"], body: "moved away"),
            RequestMatch.get("/new").respond(body: "there"),
        ])
        let last = Mutex<TransferProgress?>(nil)
        let options = TransferOptions(isDownload: true) { progress in last.withLock { $0 = progress } }
        let request = PlainRequest(url: server.baseURL.appendingPathComponent("old"))
        let response = try await Networker().response(to: request, options)
        let file = try #require(response.file)
        #expect(try Data(contentsOf: file) == Data("there".utf8))
        try FileManager.default.removeItem(at: file)
        #expect(last.withLock { $0?.completed } == 5)
        #expect(last.withLock { $0?.total } == 5)
        await server.stop()
    }
}
