// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

public import Foundation

/// A response as it comes: its head, which is there, and its content in pieces.
public struct ResponseStream: Sendable {
    /// Status and fields.
    public let http: HTTPURLResponse
    /// The content, its coding undone; to stop reading cancels the request.
    public let chunks: AsyncThrowingStream<Data, any Error>

    /// Makes a stream of a head and its chunks.
    public init(http: HTTPURLResponse, chunks: AsyncThrowingStream<Data, any Error>) {
        self.http = http
        self.chunks = chunks
    }

    /// A response that is there as a whole.
    public init(_ response: DataResponse) {
        http = response.http
        chunks = AsyncThrowingStream { continuation in
            if !response.data.isEmpty { continuation.yield(response.data) }
            continuation.finish()
        }
    }

    /// The status code.
    public var status: Int { http.statusCode }
}

/// A step of a transfer: its progress, or its response.
public enum TransferStep: Sendable {
    /// How far the transfer has come.
    case progress(TransferProgress)
    /// The whole response, at the end.
    case response(DataResponse)
}

/// The bytes of a response as they come.
public struct ResponseBytes: AsyncSequence, Sendable {
    public typealias Element = UInt8

    let open: @Sendable () async throws -> ResponseStream

    public func makeAsyncIterator() -> Iterator {
        Iterator(chunks: ResponseChunks.Iterator(open: open))
    }

    /// The same in the pieces they come in.
    public var chunks: ResponseChunks { ResponseChunks(open: open) }

    /// The same as text in UTF-8, line by line.
    public var lines: ResponseLines { ResponseLines(chunks: chunks) }

    /// Iterates over bytes.
    public struct Iterator: AsyncIteratorProtocol {
        var chunks: ResponseChunks.Iterator
        var chunk = Data()[...]

        public mutating func next() async throws -> UInt8? {
            while chunk.isEmpty {
                guard let next = try await chunks.next() else { return nil }
                chunk = next[...]
            }
            return chunk.popFirst()
        }
    }
}

/// The content of a response in the pieces it comes in, none of them empty.
public struct ResponseChunks: AsyncSequence, Sendable {
    public typealias Element = Data

    let open: @Sendable () async throws -> ResponseStream

    public func makeAsyncIterator() -> Iterator { Iterator(open: open) }

    /// Iterates over chunks as they come.
    public struct Iterator: AsyncIteratorProtocol {
        let open: @Sendable () async throws -> ResponseStream
        private var chunks: AsyncThrowingStream<Data, any Error>.Iterator?
        private var isOver = false

        init(open: @escaping @Sendable () async throws -> ResponseStream) {
            self.open = open
        }

        public mutating func next() async throws -> Data? {
            guard !isOver else { return nil }
            do {
                if chunks == nil { chunks = try await open().chunks.makeAsyncIterator() }
                while let chunk = try await chunks?.next() {
                    if !chunk.isEmpty { return chunk }
                }
                // A stream that was cancelled ends as a finished stream does.
                guard !Task.isCancelled else { throw URLError(.cancelled) }
                end()
                return nil
            } catch {
                end()
                throw error
            }
        }

        /// Releases the stream, which cancels the rest of it.
        private mutating func end() {
            isOver = true
            chunks = nil
        }
    }
}

/// The lines of a response as they come.
public struct ResponseLines: AsyncSequence, Sendable {
    public typealias Element = String

    let chunks: ResponseChunks

    public func makeAsyncIterator() -> Iterator { Iterator(chunks: chunks.makeAsyncIterator()) }

    /// Iterates over lines.
    public struct Iterator: AsyncIteratorProtocol {
        var chunks: ResponseChunks.Iterator
        var splitter = LineSplitter()
        var lines: ArraySlice<String> = []
        var isOver = false

        public mutating func next() async throws -> String? {
            while lines.isEmpty {
                guard !isOver else { return nil }
                if let chunk = try await chunks.next() {
                    lines = try splitter.lines(in: chunk)[...]
                } else {
                    isOver = true
                    lines = splitter.rest()[...]
                }
            }
            return lines.popFirst()
        }
    }
}

/// Takes lines out of bytes that come in pieces, wherever these are cut.
struct LineSplitter {
    /// In bytes; a longer one ends the reading. 1 MiB.
    static let longestLine = 1024 * 1024

    private var line: [UInt8] = []
    /// Whether an LF that comes now belongs to the CR before it.
    private var isBehindCR = false

    /// - Throws: `URLError.dataLengthExceedsMaximum` if a line is too long.
    mutating func lines(in chunk: Data) throws(URLError) -> [String] {
        var lines: [String] = []
        for byte in chunk {
            let isEndOfCRLF = isBehindCR && byte == UInt8(ascii: "\n")
            isBehindCR = byte == UInt8(ascii: "\r")
            if isEndOfCRLF { continue }
            if isBehindCR || byte == UInt8(ascii: "\n") {
                lines.append(String(decoding: line, as: UTF8.self))
                line.removeAll(keepingCapacity: true)
                continue
            }
            guard line.count < Self.longestLine else {
                throw URLError(
                    .dataLengthExceedsMaximum, "a line is longer than \(Self.longestLine) bytes; read bytes instead",
                    url: nil)
            }
            line.append(byte)
        }
        return lines
    }

    /// The line that no end has come for.
    mutating func rest() -> [String] {
        guard !line.isEmpty else { return [] }
        defer { line = [] }
        return [String(decoding: line, as: UTF8.self)]
    }
}
