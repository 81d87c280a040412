// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPWire
import MockapiSystemIO

/// The part of a response that a client gets: the whole of it, or as much as a fault lets through.
package struct FixtureResponse: Sendable {
    /// How a response ends.
    package enum Ending: Sendable, Equatable {
        case complete
        /// The connection is closed or reset, before the head or in the content.
        case connectionLost
        /// The bytes that come are not HTTP.
        case unreadable
        /// Nothing more comes.
        case silence
    }

    package let status: Int
    package let fields: [(name: String, value: String)]
    /// The content, whole: a fault that cuts it off has another ending than `complete`.
    package let content: [UInt8]
    package let ending: Ending
    /// How long the response takes to come, in nanoseconds.
    package let duration: UInt64

    init(_ response: Response) {
        status = response.head.status
        var fields = response.head.fields.map { (name: $0.name, value: $0.value) }
        if case .length(let length) = response.head.framing { fields.append(("Content-Length", "\(length)")) }
        self.fields = fields
        var content: [UInt8] = []
        let isRead = response.body.append(to: &content)
        self.content = content
        ending = isRead ? Ending(response) : .connectionLost
        duration = response.delivery?.duration(of: response.body.count) ?? 0
    }
}

extension FixtureResponse.Ending {
    init(_ response: Response) {
        guard let delivery = response.delivery else {
            self = .complete
            return
        }
        switch delivery.ending {
        case _ where !delivery.garbage.isEmpty: self = .unreadable
        case .stall: self = .silence
        case let ending where !ending.isComplete: self = .connectionLost
        default: self = response.announcesMore ? .connectionLost : .complete
        }
    }
}

extension Response {
    /// Whether the head says more bytes than the content has; a response to HEAD has none and says nothing by that.
    fileprivate var announcesMore: Bool {
        guard case .length(let length) = head.framing, body.count > 0 else { return false }
        return length > body.count
    }
}

extension Delivery {
    /// How long it takes until the last of so many bytes is sent.
    fileprivate func duration(of count: Int) -> UInt64 {
        switch pace {
        case .atOnce: delay
        case .parts(let parts, let pause): delay + UInt64(parts) * pause
        case .rate(let rate):
            // A body of a gigabyte at a byte a second takes 32 years.
            delay + UInt64(min(Double(min(count, bodyLimit ?? count)) / Double(max(rate, 1)), 1e9) * 1e9)
        }
    }
}

extension BodySource {
    /// - Returns: false if a file is shorter than it was, or cannot be read.
    fileprivate func append(to bytes: inout [UInt8]) -> Bool {
        switch self {
        case .none: return true
        case .bytes(let all): bytes += all
        case .slice(let all, let range): bytes += all[range]
        case .parts(let parts): return parts.allSatisfy { $0.append(to: &bytes) }
        case .file(let file, let range):
            var offset = range.lowerBound
            let start = bytes.count
            bytes.append(contentsOf: repeatElement(0, count: range.count))
            while offset < range.upperBound {
                let read = bytes.withUnsafeMutableBytes { all in
                    file.read(
                        into: UnsafeMutableRawBufferPointer(rebasing: all[(start + offset - range.lowerBound)...]),
                        at: offset)
                }
                guard read > 0 else { return false }
                offset += read
            }
        }
        return true
    }
}
