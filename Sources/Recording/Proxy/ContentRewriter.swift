// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import ContentCodings
import Fixtures
import HTTPMessage
import Upstream

/// Points the origins of the upstreams at their proxies in text while it streams.
struct ContentRewriter {
    private let decoder: StreamDecoder
    private var origins: OriginRewriter

    /// - Returns: nil where the content passes as it is: it is no text, or has a coding that is not known.
    init?(_ head: UpstreamHead, seenAs view: ProxyView) {
        guard MediaType.isTextual(head["Content-Type"] ?? "") else { return nil }
        let codings = head.fields.filter { $0.name.lowercased() == "content-encoding" }.map(\.value)
        guard let decoder = StreamDecoder(codings: codings.joined(separator: ", ")) else { return nil }
        self.decoder = decoder
        origins = OriginRewriter(view)
    }

    mutating func rewrite(_ bytes: [UInt8]) throws(RecordingError) -> [UInt8] {
        origins.rewrite(try decode(bytes))
    }

    mutating func finish() throws(RecordingError) -> [UInt8] {
        do throws(DecodingFailure) {
            try decoder.finish()
        } catch {
            throw RecordingError("\(error)")
        }
        return origins.finish()
    }

    private func decode(_ bytes: [UInt8]) throws(RecordingError) -> [UInt8] {
        do throws(DecodingFailure) {
            return try decoder.decode(bytes)
        } catch {
            throw RecordingError("\(error)")
        }
    }

    /// The value of a field in which URLs stand.
    static func rewrite(_ value: String, seenAs view: ProxyView) -> String {
        String(decoding: OriginRewriter(view).rewritten(Array(value.utf8)), as: UTF8.self)
    }
}

extension OriginRewriter {
    fileprivate init(_ view: ProxyView) {
        self.init(zip(view.origins, view.bases).map { (origin: $0, base: $1) })
    }
}
