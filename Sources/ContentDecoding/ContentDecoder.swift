// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

package import Foundation
import NetworkingKit

/// Undoes the codings of content, of which each may be gzip or deflate (RFC 9110 §8.4).
package final class ContentDecoder {
    private let inflaters: [Inflater]
    private let codings: String
    private let url: URL?

    /// - Parameter codings: the value of Content-Encoding.
    /// - Throws: `cannotDecodeContentData` where one is another.
    package init(_ codings: String?, _ url: URL?) throws(URLError) {
        self.codings = codings ?? ""
        self.url = url
        var inflaters: [Inflater] = []
        // The one that was applied last is undone first.
        for name in self.codings.split(separator: ",").reversed() {
            switch name.trimmingCharacters(in: .whitespaces).lowercased() {
            case "", "identity": continue
            case "gzip", "x-gzip": inflaters.append(Inflater(isGzip: true))
            case "deflate": inflaters.append(Inflater(isGzip: false))
            case let other:
                throw URLError(
                    .cannotDecodeContentData,
                    "the content is coded as \(other), which cannot be undone; accept gzip, deflate or identity",
                    url: url)
            }
        }
        self.inflaters = inflaters
    }

    /// Whether there is nothing to undo.
    package var isIdentity: Bool { inflaters.isEmpty }

    package func decode(_ bytes: [UInt8]) throws(URLError) -> [UInt8] {
        var bytes = bytes
        for inflater in inflaters where !bytes.isEmpty {
            do throws(InflateError) {
                bytes = try inflater.inflate(bytes)
            } catch {
                throw failure(error.text)
            }
        }
        return bytes
    }

    /// The content is over.
    package func finish() throws(URLError) {
        guard inflaters.allSatisfy(\.isAtEnd) else { throw failure("it ends early") }
    }

    private func failure(_ text: String) -> URLError {
        URLError(
            .cannotDecodeContentData, "the content is not \(codings) as it says: \(text); mend the server", url: url)
    }
}
