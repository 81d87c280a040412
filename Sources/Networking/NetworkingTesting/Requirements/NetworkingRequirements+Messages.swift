// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation
import MockServer
import MockapiContract
import NetworkingCore

extension NetworkingRequirements {
    static let request = [
        NetworkingRequirement(
            "query.items", "the items of a request's query arrive as they are meant", expected: items
        ) { trial in
            var request = try trial.request("?a=1")
            request.query = [
                URLQueryItem(name: "filter[content_types][]", value: "article"),
                URLQueryItem(name: "q", value: "1+1 = 2 & é%41"), URLQueryItem(name: "empty", value: ""),
            ]
            _ = try await trial.fetch(request)
            return Judging.one(trial.entries) {
                Judging.equal(TargetText.decoded(String($0.target.dropFirst(trial.path.count))), items)
            }
        },
        NetworkingRequirement(
            "body.file", "a file that is sent as the body arrives byte for byte", expected: "65536 bytes as they are"
        ) { trial in
            let bytes = (0..<65_536).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ $0 >> 8) }
            let file = FileManager.default.temporaryDirectory.appendingPathComponent("contract-\(UUID().uuidString)")
            defer { try? FileManager.default.removeItem(at: file) }
            try Data(bytes).write(to: file)
            var request = try trial.request()
            request.method = .put
            request.headers = ["Content-Type": "application/octet-stream"]
            request.bodyFile = file
            _ = try await trial.fetch(request)
            return Judging.one(trial.entries) { Judging.bytes($0.body, bytes) }
        },
    ]

    private static let items = "a=1&filter[content_types][]=article&q=1+1 = 2 & é%41&empty="

    static let response = [
        NetworkingRequirement(
            "status.published", "a status that is not accepted is published as badServerResponse with the response",
            expected: "URLError.badServerResponse, 422 and 14 bytes", stubs: refusing
        ) { trial in
            do {
                let data = try await trial.published(try trial.request(), trial.networking)
                return .fail("a response: \(data.count) bytes")
            } catch {
                let status = error as? ResponseError ?? (error as? URLError)?.statusError
                guard let status else { return .fail(StepOutcome(error).summary) }
                return Judging.equal("\(status.status) and \(status.body.count) bytes", "422 and 14 bytes")
            }
        },
        NetworkingRequirement(
            "response.status", "a response is given whatever its status", expected: "422 and 14 bytes", stubs: refusing
        ) { trial in
            let response = try await trial.networking.response(for: try trial.request())
            return Judging.equal("\(response.status) and \(response.data.count) bytes", "422 and 14 bytes")
        },
        NetworkingRequirement(
            "response.download", "a download is in a file, byte for byte", expected: "a file with ok"
        ) { trial in
            let response = try await trial.networking.response(
                for: try trial.request(), TransferOptions(isDownload: true))
            guard let file = response.file else { return .fail("no file") }
            defer { try? FileManager.default.removeItem(at: file) }
            return Judging.equal(
                "a file with \(String(decoding: try Data(contentsOf: file), as: UTF8.self))", "a file with ok")
        },
    ]

    private static func refusing(_ path: String) -> [MockStub] {
        [RequestMatch.any(path).respond(json: #"{"error":"no"}"#, status: 422)]
    }
}

extension Judging {
    /// The one request that came.
    static func one(_ entries: [JournalEntry], _ judge: (JournalEntry) -> Judgement) -> Judgement {
        guard let entry = entries.first, entries.count == 1 else { return .fail("\(entries.count) requests came") }
        return judge(entry)
    }
}
