// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation
import MockServer
import MockapiTestSupport
import Testing
import UpstreamNetworking

@Suite("UpstreamNetworker and faults", .serialized, .supervised) struct UpstreamFaultTests {
    @Test(arguments: [
        ("EMPTY_RESPONSE", URLError.Code.networkConnectionLost, URLError.Code.networkConnectionLost),
        ("CONNECTION_RESET_BY_PEER", .networkConnectionLost, .networkConnectionLost),
        ("MALFORMED_RESPONSE_CHUNK", .badServerResponse, .badServerResponse),
        ("RANDOM_DATA_THEN_CLOSE", .badServerResponse, .networkConnectionLost),
        (#"TRUNCATE_BODY", "afterBytes": 5, "x"#, .networkConnectionLost, .networkConnectionLost),
        ("WRONG_CONTENT_LENGTH", .networkConnectionLost, .badServerResponse),
        ("BAD_GZIP", .cannotDecodeContentData, .cannotDecodeContentData),
        ("RST_STREAM", .networkConnectionLost, .networkConnectionLost),
        (#"RST_STREAM", "afterBytes": 3, "x"#, .networkConnectionLost, .networkConnectionLost),
        ("REFUSED_STREAM", .networkConnectionLost, .networkConnectionLost),
        (#"GOAWAY", "afterThisStream": false, "x"#, .networkConnectionLost, .badServerResponse),
        ("STALL", .timedOut, .timedOut),
        (#"STALL", "afterBytes": 3, "x"#, .timedOut, .timedOut),
    ])
    func eachFaultIsAnErrorThatTellsIt(_ fault: String, _ http1: URLError.Code, _ http2: URLError.Code) async throws {
        let keys = fault.hasSuffix("x") ? String(fault.dropLast(4)) : "\(fault)\""
        let stub = """
            {"request": {"urlPath": "/"}, "response": {"body": "0123456789", "fault": "\(keys)}}
            """
        let idle = Duration.milliseconds(fault.hasPrefix("STALL") ? 300 : 60_000)
        for setting in UpstreamSetting.both {
            for isDownload in [false, true] {
                try await setting.serving(stub: stub, { $0.idleTimeout = idle }) {
                    _, networker, base async throws in
                    let error = await #expect(throws: URLError.self, "\(setting)") {
                        let options = TransferOptions(isDownload: isDownload)
                        _ = try await networker.response(for: PlainRequest(url: base), options)
                    }
                    #expect(error?.code == (setting.version == .http1 ? http1 : http2), "\(setting): \(error as Any)")
                    #expect(error?.failingURL == base)
                }
            }
        }
    }

    @Test(arguments: UpstreamSetting.both)
    func theErrorSaysWhatHappenedAndTheWayOut(_ setting: UpstreamSetting) async throws {
        let stub = """
            {"request": {"urlPath": "/"}, "response": {"fault": "STALL"}}
            """
        try await setting.serving(stub: stub, { $0.idleTimeout = .milliseconds(200) }) {
            _, networker, base async throws in
            let error = await #expect(throws: URLError.self) {
                let _: Data = try await networker.data(for: PlainRequest(url: base))
            }
            #expect(
                error?.localizedDescription
                    == "\(base.absoluteString): no byte was received or sent for 0.2 seconds; allow more time without a byte"
            )
        }
    }

    @Test(arguments: UpstreamSetting.both)
    func aStreamThatFailsLeavesTheOthersAlone(_ setting: UpstreamSetting) async throws {
        let stubs = """
            {"stubs": [
              {"request": {"urlPath": "/reset"}, "response": {"body": "0123456789", "fault": "RST_STREAM"}},
              {"request": {"urlPath": "/slow"}, "response": {"body": "0123456789", "fixedDelayMilliseconds": 100}}
            ]}
            """
        try await setting.serving(stub: stubs) { _, networker, base async throws in
            try await withThrowingTaskGroup(of: Bool.self) { group in
                for index in 0..<40 {
                    group.addTask {
                        let isReset = index % 4 == 0
                        let url = base.appendingPathComponent(isReset ? "reset" : "slow")
                        do {
                            let data: Data = try await networker.data(for: PlainRequest(url: url))
                            return !isReset && data.count == 10
                        } catch let error as URLError {
                            return isReset && error.code == .networkConnectionLost
                        }
                    }
                }
                for try await isAsItShouldBe in group { #expect(isAsItShouldBe) }
            }
        }
    }

    @Test(arguments: UpstreamSetting.both)
    func aGoAwayBehindTheAnswerIsNoError(_ setting: UpstreamSetting) async throws {
        let stub = """
            {"request": {"urlPath": "/"}, "response": {"body": "0123456789", "fault": "GOAWAY"}}
            """
        try await setting.serving(stub: stub) { server, networker, base async throws in
            for _ in 0..<3 { #expect(try await networker.response(for: PlainRequest(url: base)).data.count == 10) }
            #expect(Set(server.journal.entries.map(\.connection)).count == 3)
        }
    }

    @Test(arguments: ["GET", "POST"])
    func aConnectionThatIsGivenUpBeforeTheAnswerHasAnIdempotentRequestSentAgain(_ method: String) async throws {
        let stub = """
            {"request": {"urlPath": "/"}, "responses": [
              {"fault": "GOAWAY", "afterThisStream": false}, {"body": "0123456789"}
            ]}
            """
        for setting in UpstreamSetting.both where setting.version != .http1 {
            try await setting.serving(stub: stub) { server, networker, base async throws in
                let request = PlainRequest(url: base, method: HTTPMethod(rawValue: method))
                if method == "GET" {
                    #expect(try await networker.response(for: request).data.count == 10)
                } else {
                    await #expect(throws: URLError.self) { _ = try await networker.response(for: request) }
                }
                #expect(server.journal.entries.map(\.status) == (method == "GET" ? [0, 200] : [0]))
                #expect(Set(server.journal.entries.map(\.connection)).count == server.journal.entries.count)
            }
        }
    }
}
