// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// Watches one connection for clients that cost more than they ask for.
struct FloodGuard {
    /// A kind of excess for which a client is dropped.
    enum Offence: String {
        case resets = "too many streams are cancelled"
        case refused = "too many streams are opened beyond the number at once"
        case streamErrors = "too many streams are reset for errors"
        case control = "too many PING, SETTINGS, PRIORITY or unknown frames"
        case empty = "too many frames without content"
        case windowUpdates = "too many WINDOW_UPDATE frames for what is sent"
        case continuations = "too many CONTINUATION frames"
        case head = "a header section is far beyond the limit"
    }

    /// The frames that are counted, by their number (RFC 9113 §6).
    private enum Kind {
        static let data: UInt8 = 0
        static let headers: UInt8 = 1
        static let reset: UInt8 = 3
        static let windowUpdate: UInt8 = 8
        static let continuation: UInt8 = 9
    }

    private var resets = HTTP2Limits.resets
    private var control = HTTP2Limits.control
    private var empty = HTTP2Limits.empty
    private var windowUpdates = HTTP2Limits.windowUpdates
    private var continuations = 0
    private var sent = 0

    /// Counts a frame whose head has come; nil if it is within bounds.
    mutating func note(kind: UInt8, length: Int, endsStream: Bool, now: UInt64) -> Offence? {
        switch kind {
        case Kind.data:
            return length > 0 || endsStream || empty.take(now: now) ? nil : .empty
        case Kind.headers:
            continuations = 0
            return length > 0 || empty.take(now: now) ? nil : .empty
        case Kind.continuation:
            continuations += 1
            guard continuations <= HTTP2Limits.maxContinuations else { return .continuations }
            return length > 0 || empty.take(now: now) ? nil : .empty
        case Kind.reset:
            return nil
        case Kind.windowUpdate:
            return windowUpdates.take(now: now) ? nil : .windowUpdates
        default:
            return control.take(now: now) ? nil : .control
        }
    }

    /// Counts a stream that the client has cancelled before its response.
    mutating func noteReset(now: UInt64) -> Offence? {
        resets.take(now: now) ? nil : .resets
    }

    /// Counts a stream that was reset for an error of the client: another way to cancel it.
    mutating func noteStreamError(now: UInt64) -> Offence? {
        resets.take(now: now) ? nil : .streamErrors
    }

    /// Counts a stream that is refused since too many are open.
    mutating func noteRefused(now: UInt64) -> Offence? {
        resets.take(now: now) ? nil : .refused
    }

    mutating func noteRequest() {
        control.refill(2)
        windowUpdates.refill(4)
    }

    /// Counts a DATA frame that was sent.
    ///
    /// - Parameter isAll: whether the response had no more for it: then the client's windows are not the reason that it is small, and a client
    ///   may acknowledge it as it does any other.
    mutating func noteSent(_ bytes: Int, isAll: Bool) {
        sent += bytes
        windowUpdates.refill(sent / 1024 + (isAll ? 4 : 0))
        sent %= 1024
    }
}
