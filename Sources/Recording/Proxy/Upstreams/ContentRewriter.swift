// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

package import MockapiContentCodings
import MockapiHTTPSyntax
package import MockapiHTTPWire
import MockapiUpstream

/// Points the origins of the upstreams at their proxies in text while it streams.
package struct ContentRewriter {
    /// The verdict on text that has come whole.
    enum Verdict {
        /// No origin stands in it, or it does not have the coding that it says: it passes as it came.
        case untouched
        /// The text without its coding, its URLs pointing at the proxies.
        case rewritten([UInt8])
        /// It makes too much text to be looked through at once.
        case tooLong
    }

    /// Text that is looked through at once. 1 MiB.
    static let wholeLimit = 1024 * 1024

    private let decoder: StreamDecoder
    private var origins: ContentOrigins

    /// - Returns: nil if the content passes as it is: it is not text, or has a coding that is not known.
    package init?(_ head: ReceivedHead, seenAs view: ProxyView, limit: DecodedLimit) {
        guard Self.mayRewrite(head, limit: limit), let decoder = limit.decoder(of: head.joined("content-encoding")),
            let origins = view.streamRewriter(for: Self.mediaType(head))
        else { return nil }
        self.decoder = decoder
        self.origins = origins
    }

    private static func mediaType(_ head: ReceivedHead) -> String { head.first("content-type").map(head.string) ?? "" }

    /// Whether a response's content is text, or has parts that are, and can be looked through.
    package static func mayRewrite(_ head: ReceivedHead, limit: DecodedLimit) -> Bool {
        let areIn = head.bytes.withUnsafeBufferPointer { bytes in
            ContentOrigins.areIn(UnsafeBufferPointer(rebasing: bytes[(head.first("content-type") ?? .empty).range]))
        }
        guard areIn else { return false }
        let codings = head.joined("content-encoding")
        return codings.isEmpty || limit.decoder(of: codings) != nil
    }

    /// Takes the next bytes as they were transferred, for `pull` to rewrite.
    package func push(_ bytes: [UInt8]) {
        decoder.push(bytes)
    }

    /// The next 64 KiB of the content, rewritten; perhaps empty, and nil if more must be pushed first.
    package mutating func pull() throws(DecodingFailure) -> [UInt8]? { try decoder.pull().map { origins.rewrite($0) } }

    package mutating func finish() throws(DecodingFailure) -> [UInt8] {
        try decoder.finish()
        return origins.finish()
    }

    /// Whether text does not have the coding that it says, as far as its beginning shows.
    static func isMiscoded(_ bytes: [UInt8], _ head: ReceivedHead, limit: DecodedLimit) -> Bool {
        let codings = head.joined("content-encoding")
        guard !codings.isEmpty, let decoder = limit.decoder(of: codings) else { return false }
        decoder.push(bytes)
        do throws(DecodingFailure) {
            _ = try decoder.pull()
            return false
        } catch {
            if case .tooLarge = error.reason { return false }
            return true
        }
    }

    /// Judges text that has come whole.
    static func judge(
        _ bytes: [UInt8], _ head: ReceivedHead, seenAs view: ProxyView, limit: DecodedLimit
    ) -> Verdict {
        var text = bytes
        let codings = head.joined("content-encoding")
        if !codings.isEmpty {
            guard let decoder = limit.decoder(of: codings) else { return .untouched }
            text = []
            decoder.push(bytes)
            do throws(DecodingFailure) {
                while let piece = try decoder.pull() {
                    text += piece
                    if text.count > wholeLimit { return .tooLong }
                }
                try decoder.finish()
            } catch {
                if case .tooLarge = error.reason { return .tooLong }
                return .untouched
            }
        }
        let rewritten = view.rewritten(text, mediaType: mediaType(head))
        return rewritten == text ? .untouched : .rewritten(rewritten)
    }
}
