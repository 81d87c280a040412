// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation
import MockapiUpstream
import NetworkingKit

/// The content that a request sends after its head.
enum RequestContent: Sendable {
    /// How much of a file, or of data whose progress is reported, is handed over at once. 64 KiB.
    private static let piece = 64 * 1024

    case none
    case data(Data)
    case file(URL, count: Int)

    /// - Throws: if the file cannot be read, or the content is a stream.
    init(_ request: URLRequest, file: URL?) async throws(URLError) {
        if let file {
            self = .file(file, count: try await Self.size(file))
        } else if let body = request.httpBody {
            self = .data(body)
        } else if request.httpBodyStream != nil {
            throw URLError(
                .requestBodyStreamExhausted, "a stream cannot be sent as a body; give the body as data or as a file",
                url: request.url)
        } else {
            self = .none
        }
    }

    var count: Int {
        switch self {
        case .none: 0
        case .data(let data): data.count
        case .file(_, let count): count
        }
    }

    /// The content as it is sent.
    ///
    /// A method that is made to bring content says that there is none (RFC 9110 §8.6).
    func body(method: String, _ meter: ProgressMeter) async throws(URLError) -> UpstreamRequestBody {
        switch self {
        case .data(let data) where !data.isEmpty && meter.isRead: return Self.pieces(data, meter)
        case .data(let data) where !data.isEmpty: return .bytes(Array(data))
        case .file(let file, let count): return try await Self.pieces(file, count, meter)
        case .none, .data: return ["POST", "PUT", "PATCH"].contains(method) ? .bytes([]) : .none
        }
    }

    private static func pieces(_ data: Data, _ meter: ProgressMeter) -> UpstreamRequestBody {
        let place = Place()
        return .chunks(length: data.count) {
            let rest = data.dropFirst(place.advance(by: piece))
            let chunk = rest.prefix(piece)
            guard !chunk.isEmpty else { return nil }
            meter.sent(chunk.count)
            return Array(chunk)
        }
    }

    private static func pieces(
        _ file: URL, _ count: Int, _ meter: ProgressMeter
    ) async throws(URLError) -> UpstreamRequestBody {
        let handle: FileHandle
        do {
            handle = try await Blocking.run { try FileHandle(forReadingFrom: file) }
        } catch {
            throw URLError(UnreadableFile(code: .cannotOpenFile, reason: error.localizedDescription), file: file)
        }
        return .chunks(length: count) {
            let chunk = try await Blocking.run { try handle.read(upToCount: piece) } ?? Data()
            guard !chunk.isEmpty else { return nil }
            meter.sent(chunk.count)
            return Array(chunk)
        }
    }

    private static func size(_ file: URL) async throws(URLError) -> Int {
        let size = await Blocking.run { Result { () throws(UnreadableFile) in try file.regularFileSize() } }
        do throws(UnreadableFile) {
            return try size.get()
        } catch {
            throw URLError(error, file: file)
        }
    }
}
