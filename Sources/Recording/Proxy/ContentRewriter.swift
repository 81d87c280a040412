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
    init?(_ head: UpstreamHead, seenAs view: ProxyView, limit: DecodedLimit) {
        guard MediaType.isTextual(head["Content-Type"] ?? "") else { return nil }
        let codings = head.fields.filter { $0.name.lowercased() == "content-encoding" }.map(\.value)
        guard let decoder = limit.decoder(of: codings.joined(separator: ", ")) else { return nil }
        self.decoder = decoder
        origins = OriginRewriter(view)
    }

    /// Takes the next bytes as they were transferred, which `pull` makes something of.
    func push(_ bytes: [UInt8]) {
        decoder.push(bytes)
    }

    /// What the next 64 KiB of the content come to, nothing perhaps; nil where more must be pushed first.
    mutating func pull() throws(RecordingError) -> [UInt8]? {
        do throws(DecodingFailure) {
            return try decoder.pull().map { origins.rewrite($0) }
        } catch {
            throw RecordingError("\(error)")
        }
    }

    mutating func finish() throws(RecordingError) -> [UInt8] {
        do throws(DecodingFailure) {
            try decoder.finish()
        } catch {
            throw RecordingError("\(error)")
        }
        return origins.finish()
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
