// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiHTTPServer
import MockapiHTTPSyntax
import MockapiHTTPWire

/// The fixed part of a journal entry as it lies in the ring; the variable part follows it.
///
/// Layout of an entry: this record, the field ranges, the trailer ranges, the bytes of the head, the names of the response's
/// source, the bytes of the body kept.
struct JournalRecord: BitwiseCopyable {
    /// The source of the response.
    enum Outcome: Int32 {
        case stub
        case file
        case miss
        /// Refused by the wire before it was a request.
        case refused
        /// Proxied, with a response from elsewhere.
        case proxied
        /// A preflight of a page of another origin, with a response of the server itself.
        case preflight
    }

    /// The outcome of an entry that another has taken the place of.
    static let superseded: Int32 = -1

    /// Bytes of the whole entry, a multiple of 16.
    var size: Int32 = 0
    var fieldCount: Int32 = 0
    var trailerCount: Int32 = 0
    var headSize: Int32 = 0
    var keptBodySize: Int32 = 0
    var status: Int32 = 0
    var outcome: Int32 = 0
    /// Bytes of the names of the response's source, as `JournalNames` has them.
    var fileSize: Int32 = 0
    var idSize: Int32 = 0
    var nameSize: Int32 = 0
    var bodySize: Int64 = 0
    var sequence: UInt64 = 0
    /// Nanoseconds since 1970.
    var receivedAt: UInt64 = 0
    /// Nanoseconds from the last byte of the request to the response being ready.
    var duration: UInt64 = 0
    /// Nanoseconds that the response had to wait.
    var addedDelay: UInt64 = 0
    var connection: UInt64 = 0
    /// Negative if it is not known.
    var responseSize: Int64 = 0
    var method = ByteRange.empty
    var target = ByteRange.empty
    var path = ByteRange.empty
    var query = ByteRange.empty
    var authority = ByteRange.empty
    var hasQuery: Int32 = 0
    var version: Int32 = 0
    /// The stream's number in HTTP/2; 0 in HTTP/1.x.
    var stream: UInt32 = 0
    /// `TLSVersion`; 0 if the connection is not encrypted.
    var tls: Int32 = 0
    /// Counts the kinds of faults from 1; 0 if the response had none.
    var fault: Int32 = 0
    /// 1 if a fault kept the head of the response back.
    var sendsNoHead: Int32 = 0
    /// 1 if the client wanted another server, which it asks by this one.
    var isForElsewhere: Int32 = 0
    var peer: SocketAddress

    /// When the request had come, in seconds since 1970.
    var receivedSeconds: Double { Double(receivedAt) / 1e9 }

    var faultKind: Fault.Kind? {
        get { fault > 0 ? Fault.Kind.allCases[Int(fault) - 1] : nil }
        set { fault = Int32(newValue.flatMap(Fault.Kind.allCases.firstIndex(of:)).map { $0 + 1 } ?? 0) }
    }

    var tlsVersion: TLSVersion? { TLSVersion(rawValue: UInt8(truncatingIfNeeded: tls)) }
}
