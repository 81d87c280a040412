// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import CMockapiZlib
import MockapiContentCodings
import Testing

/// Content with the codings it was brought into, in the order of Content-Encoding.
struct Coded: CustomTestStringConvertible {
    var codings: String
    var content: [UInt8]
    var bytes: [UInt8]

    var testDescription: String { "\(codings), \(content.count) bytes" }

    init(_ codings: String, _ content: [UInt8]) throws {
        self.codings = codings
        self.content = content
        bytes = content
        for name in codings.split(separator: ",").map({ $0.filter { $0 != " " }.lowercased() }) {
            switch name {
            case "", "identity": break
            case "x-gzip": bytes = try ContentCoding.gzip.encode(bytes)
            case "bare": bytes = Array(try ContentCoding.deflate.encode(bytes).dropFirst(2).dropLast(4))
            default: bytes = try #require(ContentCoding(rawValue: name)).encode(bytes)
            }
        }
        self.codings = codings.replacing("bare", with: "deflate")
    }

    init(_ codings: String, _ content: [UInt8], bytes: [UInt8]) {
        self.codings = codings
        self.content = content
        self.bytes = bytes
    }

    /// What the decoder makes of the bytes in pieces of a size.
    func decoded(by size: Int, limit: Int = .max) throws -> [UInt8] {
        let decoder = try #require(StreamDecoder(codings: codings, limit: limit))
        var output: [UInt8] = []
        for start in stride(from: 0, to: bytes.count, by: size) {
            output += try decoder.decode(Array(bytes[start..<min(start + size, bytes.count)]))
        }
        try decoder.finish()
        return output
    }

    /// How the decoder fails at the bytes in pieces of a size; nil where it does not.
    func failure(by size: Int, limit: Int = .max) -> DecodingFailure? {
        do {
            _ = try decoded(by: size, limit: limit)
            return nil
        } catch {
            return error as? DecodingFailure
        }
    }
}
