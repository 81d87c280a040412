// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockServer
import MockapiProxy
import MockapiRecording
import MockapiSecrets
import MockapiUpstream
import MockapiWireSupport

/// Proxies of a recording into a directory of the test, one in front of each upstream.
struct ProxyBed {
    let into: TemporaryDirectory
    let session: RecordingSession
    let report: CollectedReport
    let proxies: [MockServer]

    /// The port of the first proxy.
    var port: Int { ports[0] }
    var ports: [Int] { proxies.map(Self.port) }
    /// What has been told, once all that passed is recorded.
    var outcomes: [RecordingOutcome] {
        get async {
            await session.drain()
            return report.outcomes
        }
    }

    /// Sends the text of a request to the first proxy and reads the response; on a thread of its own, since what answers is a task.
    func raw(_ text: String, isHead: Bool = false) async throws -> WireResponse {
        try await blocking { [port] in
            let client = try WireClient(port: port)
            try client.send(text)
            return try client.response(isHead: isHead)
        }
    }

    /// Sends a request to one of the proxies.
    func request(
        _ method: String, _ target: String, _ fields: [String] = [], body: String = "", to index: Int = 0
    ) async throws -> WireResponse {
        try await blocking { [port = ports[index]] in
            try WireClient(port: port).request(method, target, fields, body: body)
        }
    }

    /// Lends out proxies and stops them.
    ///
    /// - Parameters:
    ///   - upstreams: their URLs.
    ///   - fields: what the first is sent beside what the client sends.
    ///   - records: false where answers only pass.
    static func recording(
        _ upstreams: [String], fields: [UpstreamField] = [], keepsHost: Bool = false, records: Bool = true,
        _ configure: (inout SessionOptions) -> Void = { _ in },
        _ body: (ProxyBed) async throws -> Void
    ) async throws {
        let into = try TemporaryDirectory()
        let report = CollectedReport()
        var options = SessionOptions()
        configure(&options)
        var origins = try upstreams.map { try UpstreamOrigin($0) }
        origins[0].fields = fields
        for index in origins.indices { origins[index].keepsHost = keepsHost }
        var recording = RecorderOptions()
        recording.origins = origins.map(\.text)
        let recorder = records ? try Recorder(directory: into.path, options: recording) : nil
        let session = RecordingSession(
            origins, options: options, recorder: recorder, redaction: RedactionRules(), report: report)
        var proxies: [MockServer] = []
        for index in origins.indices {
            var configuration = MockServer.Configuration()
            configuration.tls = nil
            configuration.proxy = session.proxy(to: index)
            proxies.append(try await MockServer.start(configuration: configuration))
        }
        session.listens(on: proxies.map(port))
        let bed = ProxyBed(into: into, session: session, report: report, proxies: proxies)
        do {
            try await body(bed)
        } catch {
            await bed.stop()
            throw error
        }
        await bed.stop()
        _ = await recorder?.finish()
    }

    private func stop() async {
        for proxy in proxies { await proxy.stop() }
        await session.drain()
    }

    private static func port(_ server: MockServer) -> Int {
        server.address.split(separator: ":").last.flatMap { Int($0) } ?? 0
    }
}

extension TemporaryDirectory {
    /// The files that a recording has left, without those whose names begin with a dot.
    func visible() -> [String] {
        snapshot().keys.filter { !$0.hasPrefix(".") }.sorted()
    }
}
