// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPWire
import MockapiProxy
import MockapiRecording
import MockapiUpstream
import MockapiWireSupport

/// A recording session into a directory, fed with exchanges that no network has seen.
struct Session {
    let directory: TemporaryDirectory
    let recorder: Recorder

    init(
        _ directory: TemporaryDirectory, origins: [String] = ["https://api.example.com"],
        at moment: String = "2026-11-20T10:00:00Z", _ change: (inout RecorderOptions) -> Void = { _ in }
    ) throws {
        self.directory = directory
        var options = RecorderOptions()
        options.origins = origins
        change(&options)
        recorder = try Recorder(directory: directory.path, options: options, now: { moment })
    }

    /// Records a response to a request.
    @discardableResult
    func record(
        _ method: String = "GET", _ target: String, fields: [UpstreamField] = [], body: String = "",
        origin: String = "https://api.example.com", _ answer: Answer, samples: [Answer] = []
    ) async throws -> RecordingOutcome {
        func exchange(_ answer: Answer) throws -> Exchange {
            try answer.exchange(
                method, target, fields: fields, body: Array(body.utf8), origin: origin, directory: directory.path)
        }
        return await recorder.record(try exchange(answer), samples: try samples.map(exchange))
    }
}

extension TemporaryDirectory {
    /// Records one answer in a session of its own.
    @discardableResult
    func record(
        _ method: String = "GET", _ target: String, _ answer: Answer, samples: [Answer] = [],
        at moment: String = "2026-11-20T10:00:00Z"
    ) async throws -> RecordingOutcome {
        try await inSession(at: moment) { try await $0.record(method, target, answer, samples: samples) }
    }

    /// Records in a session that ends with the call.
    @discardableResult
    func inSession<Result: Sendable>(
        at moment: String = "2026-11-20T10:00:00Z", _ body: (Session) async throws -> Result
    ) async throws -> Result {
        let session = try Session(self, at: moment)
        let result = try await body(session)
        _ = await session.recorder.finish()
        return result
    }
}

/// A response as an upstream sends it.
struct Answer {
    var status = 200
    var fields: [UpstreamField] = []
    var body: [UInt8] = []
    var version = UpstreamVersion.http11
    /// nil for the usual one.
    var reason: String?
    /// Where it is not UTF-8.
    var reasonBytes: [UInt8]?
    var trailers: [UpstreamField] = []

    static func json(_ text: String, _ further: UpstreamField...) -> Answer {
        Answer(fields: [UpstreamField("Content-Type", "application/json")] + further, body: Array(text.utf8))
    }

    static func status(_ status: Int, _ fields: UpstreamField...) -> Answer {
        Answer(status: status, fields: fields)
    }

    func exchange(
        _ method: String, _ target: String, fields: [UpstreamField], body: [UInt8], origin: String, directory: String
    ) throws -> Exchange {
        var head = UpstreamHead(
            version: version, status: status, reason: reason ?? StatusReason.phrase(status), fields: self.fields)
        if let reasonBytes { head.reasonBytes = reasonBytes }
        let spool = ContentSpool(ReceivedHead(head), directory: directory)
        for bytes in self.body.prefix(8).map({ [$0] }) + [Array(self.body.dropFirst(8))] {
            spool.push(bytes)
            while spool.store() {}
        }
        return Exchange(
            origin: origin, method: method, target: target, requestFields: fields, requestBody: body, head: head,
            trailers: trailers, content: try spool.finish())
    }
}
