// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation
import MockServer
import MockapiTestSupport
import Testing
import UpstreamNetworking

@Suite("UpstreamNetworker and content codings", .serialized, .supervised) struct UpstreamCodingTests {
    private static let text = Data(String(repeating: "an article, again and again ", count: 200).utf8)
    private static let gzip =
        "H4sIAAAAAAACA+3JsQkAIRAAwVYswKYOFRHEQL5/3sgaDCbbZWKl2N8os+UUPcbZVW8xxhhjjDHGGGOMMcYYe9V+Pdq8l+AVAAA="
    private static let members =
        "H4sIAAAAAAACA0vMU0gsKslMzknVUUhMT8wEcvNS4KxRuVG5UblRuVG5UblRuVG5UblRuaEtBwDY0+GY8AoAAB+LCAAAAAAAAgNLzFNI"
        + "LCrJTM5J1VFITE/MBHLzUuCsUblRuVG5UblRuVG5UblRuVG5UbmhLQcA2NPhmPAKAAA="
    private static let zlib =
        "eNrtybEJACEQAMFWLMCmDhURxEC+f97IGgwm22VipdjfKLPlFD3G2VVvMcYYY4wxxhhjjDHGGHvVflTFk3o="
    private static let bare = "7cmxCQAhEADBVizApg4VEcRAvn/eyBoMJttlYqXY3yiz5RQ9xtlVbzHGGGOMMcYYY4wxxhh71X4="
    private static let gzipOfZlib =
        "H4sIAAAAAAACA6u49fbkRk4GRQGGg2E6B5bxiQoecdhXf++EFI/a7dSkpTfua2x+KmJ77GZovuExieQeGFF9tS7k6OQqANiH/3A+AAAA"
    private static let gzipWithoutEnd =
        "H4sIAAAAAAACA+3JsQkAIRAAwVYswKYOFRHEQL5/3sgaDCbbZWKl2N8os+UUPcbZVW8xxhhjjDHGGGOMMcY="
    private static let zlibAndMore =
        "eNrtybEJACEQAMFWLMCmDhURxEC+f97IGgwm22VipdjfKLPlFD3G2VVvMcYYY4wxxhhjjDHGGHvVflTFk3p4eA=="

    /// - Parameter pieces: whether the content comes in pieces of a byte or two.
    private static func stub(_ coding: String, _ base64: String, pieces: Bool = false) -> String {
        let delay = pieces ? #", "chunkedDribbleDelay": {"numberOfChunks": 70, "totalDuration": 70}"# : ""
        return """
            {"request": {"urlPath": "/"}, "response": {"headers": ["Content-Encoding: \(coding)"],
              "base64Body": "\(base64)"\(delay)}}
            """
    }

    @Test(arguments: [
        ("gzip", gzip), ("X-GZIP", gzip), ("gzip", members), ("deflate", zlib), ("deflate", bare),
        ("deflate, gzip", gzipOfZlib), ("identity, gzip", gzip),
    ])
    func codingsThatNobodyAskedForAreUndone(_ coding: String, _ base64: String) async throws {
        for pieces in [false, true] {
            let stub = Self.stub(coding, base64, pieces: pieces)
            try await UpstreamSetting.h2c.serving(stub: stub) { _, networker, base async throws in
                #expect(try await networker.value(for: PlainRequest(url: base)) == Self.text)
                let download = try await networker.response(
                    for: PlainRequest(url: base), TransferOptions(isDownload: true))
                let file = try #require(download.file)
                #expect(try Data(contentsOf: file) == Self.text)
                try FileManager.default.removeItem(at: file)
            }
        }
    }

    @Test func aCodingThatIsAskedForIsUndone() async throws {
        try await UpstreamSetting.h2c.serving { server, networker, base async throws in
            let url = base.appendingPathComponent("api/contents")
            let request = PlainRequest(
                url: url, headers: ["Accept-Encoding": "gzip"],
                query: [
                    URLQueryItem(name: "filter[content_types][]", value: "article"),
                    URLQueryItem(name: "page[number]", value: "2"),
                ])
            let response = try await networker.response(for: request)
            #expect(response.headers["Content-Encoding"] == "gzip")
            #expect(try [Article](from: response.data).count == 20)
            #expect(try #require(server.journal.entries.first).responseSize < response.data.count)
        }
    }

    @Test(arguments: ["br", "zstd"])
    func codingsThatURLSessionMayNotKnowAreUndone(_ coding: String) async throws {
        let text = String(decoding: Self.text, as: UTF8.self)
        let stub = """
            {"request": {"urlPath": "/"}, "response": {"body": "\(text)", "contentEncoding": "\(coding)"}}
            """
        try await UpstreamSetting.h2c.serving(stub: stub) { server, networker, base async throws in
            let request = PlainRequest(url: base, headers: ["Accept-Encoding": coding])
            let response = try await networker.response(for: request)
            #expect(response.headers["Content-Encoding"] == coding)
            #expect(response.data == Self.text)
            #expect(try #require(server.journal.entries.first).responseSize < 200)
        }
    }

    @Test func anAnswerToHeadHasNoContentToDecode() async throws {
        for coding in ["gzip", "br"] {
            try await UpstreamSetting.h2c.serving(stub: Self.stub(coding, Self.gzip)) {
                _, networker, base async throws in
                let response = try await networker.response(for: PlainRequest(url: base, method: .head))
                #expect(response.headers["Content-Encoding"] == coding)
                #expect(response.data.isEmpty)
            }
        }
    }

    @Test(arguments: [
        (
            "compress", gzip,
            "the content is coded as compress, which cannot be undone; accept gzip, deflate, br, zstd or identity"
        ),
        ("gzip", zlib, "the content is not gzip as it says: incorrect header check; mend the server"),
        ("gzip", gzipWithoutEnd, "the content is not gzip as it says: it ends early; mend the server"),
        (
            "deflate", zlibAndMore,
            "the content is not deflate as it says: something stands behind its end; mend the server"
        ),
        ("deflate", gzip, "the content is not deflate as it says: invalid block type; mend the server"),
    ])
    func whatCannotBeUndoneIsToldAsSuch(_ coding: String, _ base64: String, _ text: String) async throws {
        for isDownload in [false, true] {
            try await UpstreamSetting.h2c.serving(stub: Self.stub(coding, base64)) { _, networker, base async throws in
                let error = await #expect(throws: URLError.self) {
                    let options = TransferOptions(isDownload: isDownload)
                    _ = try await networker.response(for: PlainRequest(url: base), options)
                }
                #expect(error?.code == .cannotDecodeContentData)
                #expect(error?.localizedDescription == text)
                #expect(error?.failingURL == base)
            }
        }
    }

    @Test func theLimitCountsDecodedBytes() async throws {
        let stub = Self.stub("gzip", Self.gzip)
        try await UpstreamSetting.h2c.serving(stub: stub, { $0.maxBody = 5_599 }) { _, networker, base async throws in
            let error = await #expect(throws: URLError.self) {
                let _: Data = try await networker.data(for: PlainRequest(url: base))
            }
            #expect(error?.code == .dataLengthExceedsMaximum)
            #expect(
                error?.localizedDescription
                    == "the content is 5600 bytes or more, the limit 5599; raise maxBody or download to a file")
        }
        try await UpstreamSetting.h2c.serving(stub: stub, { $0.maxBody = 5_600 }) { _, networker, base async throws in
            #expect(try await networker.value(for: PlainRequest(url: base)) == Self.text)
        }
    }
}
