// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation
import MockapiContentDecoding
import MockapiUpstream
import NetworkingKit

/// Reads the response to a request to its end: into memory, or into a file.
struct ResponseReader {
    /// Content of a redirection that is read so that its connection can be used again; with more it is closed. 64 KiB.
    private static let drained = 64 * 1024

    private let stream: UpstreamStream
    private let url: URL?
    private let options: TransferOptions
    private let limit: Int
    private let meter: ProgressMeter

    /// - Parameter limit: bytes that may come to be in memory.
    init(
        _ stream: UpstreamStream, _ request: URLRequest, _ options: TransferOptions, limit: Int, _ meter: ProgressMeter
    ) {
        self.stream = stream
        url = request.url
        self.options = options
        self.limit = limit
        self.meter = meter
    }

    func read() async throws(URLError) -> DataResponse {
        guard let url else { throw URLError(.badURL) }
        let response = try stream.head.response(url)
        meter.willReceive(stream.head["Content-Length"].flatMap { Int($0) })
        var content = TransferContent(isFile: options.isDownload)
        do throws(URLError) {
            try await receive(&content)
        } catch {
            content.discard()
            throw error
        }
        meter.finish()
        return try content.response(response)
    }

    private func receive(_ content: inout TransferContent) async throws(URLError) {
        var decoder: ContentDecoder?
        while let chunk = try await next() {
            meter.received(chunk.count)
            // Only content has a coding: that of a response to HEAD is of no concern.
            if decoder == nil { decoder = try ContentDecoder(stream.head.list("Content-Encoding"), url) }
            guard let decoder else { continue }
            // Piece by piece: a few bytes may stand for more than may come to be in memory.
            decoder.push(chunk)
            while let piece = try decoder.pull() { try await keep(piece, &content) }
        }
        try decoder?.finish()
    }

    private func next() async throws(URLError) -> [UInt8]? {
        do throws(UpstreamError) {
            return try await stream.body.next()
        } catch {
            throw URLError(error, url: url)
        }
    }

    private func keep(_ bytes: [UInt8], _ content: inout TransferContent) async throws(URLError) {
        guard !bytes.isEmpty else { return }
        guard options.isDownload else {
            let count = content.count + bytes.count
            guard count <= limit else {
                throw URLError(
                    .dataLengthExceedsMaximum,
                    "the content is \(count) bytes or more, the limit \(limit); raise maxBody or download to a file",
                    url: url)
            }
            content.append(Data(bytes))
            return
        }
        content = await Blocking.run { [content] in
            var content = content
            content.append(Data(bytes))
            return content
        }
    }

    /// Reads the content of a redirection, which nobody wants.
    static func drain(_ stream: UpstreamStream) async {
        guard let length = stream.head["Content-Length"].flatMap({ Int($0) }), length <= drained else { return }
        while let chunk = try? await stream.body.next(), !chunk.isEmpty {}
    }

    /// The response as it comes: no more is read of it than is asked for, and to let go of it ends it.
    static func stream(_ stream: UpstreamStream, _ request: URLRequest) throws(URLError) -> ResponseStream {
        guard let url = request.url else { throw URLError(.badURL) }
        let reader = ChunkReader(stream, url)
        return ResponseStream(
            http: try stream.head.response(url), chunks: AsyncThrowingStream { try await reader.next() })
    }
}

/// Reads a response piece by piece, its coding undone.
private actor ChunkReader {
    private let stream: UpstreamStream
    private let url: URL
    private var decoder: ContentDecoder?

    init(_ stream: UpstreamStream, _ url: URL) {
        self.stream = stream
        self.url = url
    }

    func next() async throws(URLError) -> Data? {
        while true {
            if let piece = try pulled() { return piece }
            guard let chunk = try await chunk() else {
                if let decoder { try decoder.finish() }
                return nil
            }
            // Only content has a coding: that of a response to HEAD is of no concern.
            if decoder == nil { decoder = try ContentDecoder(stream.head.list("Content-Encoding"), url) }
            decoder?.push(chunk)
        }
    }

    private func pulled() throws(URLError) -> Data? {
        guard let decoder, let piece = try decoder.pull() else { return nil }
        return Data(piece)
    }

    private func chunk() async throws(URLError) -> [UInt8]? {
        do throws(UpstreamError) {
            return try await stream.body.next()
        } catch {
            throw URLError(error, url: url)
        }
    }
}
