// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation
import MockServer
import MockapiTestSupport
import MockapiWireSupport
import Testing
import UpstreamNetworking

@Suite("UpstreamNetworker and cancellation", .serialized, .supervised) struct UpstreamCancellationTests {
    private static let stubs = """
        {"stubs": [
          {"request": {"urlPath": "/stall"}, "response": {"body": "0123456789", "fault": "STALL"}},
          {"request": {"urlPath": "/half"}, "response": {"body": "0123456789", "fault": "STALL", "afterBytes": 5}},
          {"request": {"urlPath": "/quick"}, "response": {"body": "quick"}}
        ]}
        """

    @Test(arguments: UpstreamSetting.all, ["stall", "half"])
    func aCancelledFetchEndsAtOnce(_ setting: UpstreamSetting, _ path: String) async throws {
        try await setting.serving(stub: Self.stubs) { server, networker, base async throws in
            let request = PlainRequest(url: base.appendingPathComponent(path))
            for isDownload in [false, true] {
                let count = server.journal.entries.count
                let task = Task {
                    try await networker.response(for: request, TransferOptions(isDownload: isDownload))
                }
                #expect(try await until({ server.journal.entries.count }, { $0 > count }))
                task.cancel()
                let error = await #expect(throws: URLError.self) { try await task.value }
                #expect(error?.code == .cancelled)
            }
        }
    }

    @Test func aTaskThatWasCancelledBeforeSendsNothing() async throws {
        try await UpstreamSetting.h2c.serving(stub: Self.stubs) { server, networker, base async throws in
            let request = PlainRequest(url: base.appendingPathComponent("quick"))
            let task = Task {
                while !Task.isCancelled { await Task.yield() }
                return try await networker.response(for: request)
            }
            task.cancel()
            let error = await #expect(throws: URLError.self) { try await task.value }
            #expect(error?.code == .cancelled)
            #expect(server.journal.entries.isEmpty)
        }
    }

    @Test(arguments: [UpstreamSetting.h2c, .h2])
    func theConnectionGoesOnWithoutTheStreamThatWasCancelled(_ setting: UpstreamSetting) async throws {
        try await setting.serving(stub: Self.stubs) { server, networker, base async throws in
            let quick = PlainRequest(url: base.appendingPathComponent("quick"))
            for path in ["stall", "half"] {
                #expect(try await networker.value(for: quick) == Data("quick".utf8))
                let count = server.journal.entries.count
                let url = base.appendingPathComponent(path)
                let task = Task { try await networker.response(for: PlainRequest(url: url)) }
                #expect(try await until({ server.journal.entries.count }, { $0 > count }))
                task.cancel()
                _ = await task.result
                #expect(try await networker.value(for: quick) == Data("quick".utf8))
            }
            #expect(Set(server.journal.entries.map(\.connection)).count == 1)
        }
    }

    @Test func aSubscriptionThatIsCancelledCancelsTheFetch() async throws {
        try await UpstreamSetting.h2c.serving(stub: Self.stubs) { server, networker, base async throws in
            let request = PlainRequest(url: base.appendingPathComponent("stall"))
            let task = Task { try await networker.fetch(request).map(\.count).firstValue() }
            #expect(try await until({ server.journal.entries }, { !$0.isEmpty }))
            task.cancel()
            let error = await #expect(throws: URLError.self) { try await task.value }
            #expect(error?.code == .cancelled)
        }
    }
}
