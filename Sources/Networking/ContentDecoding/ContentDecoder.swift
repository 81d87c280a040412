// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

package import Foundation
import MockapiContentCodings
import NetworkingCore

/// Undoes the codings of content: gzip, deflate, br and zstd (RFC 9110 §8.4).
package final class ContentDecoder {
    private let decoder: StreamDecoder
    private let url: URL?

    /// - Parameter codings: the value of Content-Encoding.
    /// - Throws: `cannotDecodeContentData` if a coding is unknown.
    package init(_ codings: String?, _ url: URL?) throws(URLError) {
        guard let decoder = StreamDecoder(codings: codings ?? "") else {
            throw URLError(
                .cannotDecodeContentData,
                "the content is coded as \(codings ?? ""), which cannot be undone; accept gzip, deflate, br, zstd or identity",
                url: url)
        }
        self.decoder = decoder
        self.url = url
    }

    package func decode(_ bytes: [UInt8]) throws(URLError) -> [UInt8] {
        push(bytes)
        var output: [UInt8] = []
        while let more = try pull() { output += more }
        return output
    }

    /// Takes the next bytes, which `pull` makes something of.
    package func push(_ bytes: [UInt8]) { decoder.push(bytes) }

    /// The next bytes of the content, at most 64 KiB if there is a coding; nil if more must be pushed first.
    package func pull() throws(URLError) -> [UInt8]? {
        do throws(MockapiContentCodings.DecodingFailure) {
            return try decoder.pull()
        } catch {
            throw failure(error)
        }
    }

    /// The content is over.
    package func finish() throws(URLError) {
        do throws(MockapiContentCodings.DecodingFailure) {
            try decoder.finish()
        } catch {
            throw failure(error)
        }
    }

    private func failure(_ error: MockapiContentCodings.DecodingFailure) -> URLError {
        URLError(.cannotDecodeContentData, "\(error); mend the server", url: url)
    }
}
