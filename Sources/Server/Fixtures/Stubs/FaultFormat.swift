// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiJSONText

// How stub files write faults.

extension Fault.Kind {
    /// The keys that a fault may have beside its name.
    fileprivate var companions: [KeyName] {
        switch self {
        case .emptyResponse, .connectionResetByPeer, .malformedResponseChunk, .randomDataThenClose: [.scope]
        case .truncateBody, .stall: [.afterBytes]
        case .slowBody: [.bytesPerSecond]
        case .resetStream: [.errorCode, .afterBytes]
        case .goAway: [.errorCode, .afterThisStream]
        case .wrongContentLength, .badGzip, .refusedStream: []
        }
    }
}

extension StubFileReader {
    /// The keys that faults have beside their names.
    private static let companions = Fault.Kind.allCases.flatMap(\.companions).reduce(into: [KeyName]()) {
        if !$0.contains($1) { $0.append($1) }
    }

    /// Reads the fault of a response; nil if there is none, or if it is impossible.
    mutating func fault(of cursor: Cursor) -> Fault? {
        let kind = cursor[.fault]?.node.string.flatMap(Fault.Kind.init)
        for key in Self.companions {
            guard let written = cursor[key], kind?.companions.contains(key) != true else { continue }
            let names = Fault.Kind.allCases.filter { $0.companions.contains(key) }.map(\.rawValue)
            report(
                .error,
                "\"\(key.rawValue)\" has no meaning here; it goes with the faults \(names.joined(separator: ", "))",
                at: written)
        }
        guard let kind, let written = cursor[.fault] else { return nil }
        let afterBytes = cursor[.afterBytes]?.node.number?.integer
        switch kind {
        case .emptyResponse: return .emptyResponse
        case .connectionResetByPeer: return .connectionResetByPeer
        case .malformedResponseChunk: return .malformedResponseChunk
        case .randomDataThenClose: return .randomDataThenClose
        case .truncateBody:
            guard let afterBytes else { return missing(.afterBytes, of: kind, at: written) }
            return .truncateBody(afterBytes: afterBytes)
        case .slowBody:
            guard let rate = cursor[.bytesPerSecond]?.node.number?.integer else {
                return missing(.bytesPerSecond, of: kind, at: written)
            }
            if cursor[.chunkedDribbleDelay] != nil {
                report(.error, "SLOW_BODY and \"chunkedDribbleDelay\" both set the pace of the body", at: written)
            }
            return .slowBody(bytesPerSecond: rate)
        case .wrongContentLength: return .wrongContentLength
        case .badGzip: return .badGzip
        case .resetStream:
            return .resetStream(code: errorCode(cursor) ?? HTTP2ErrorCode.internalError, afterBytes: afterBytes)
        case .refusedStream: return .refusedStream
        case .goAway:
            return .goAway(
                code: errorCode(cursor) ?? 0, afterThisStream: cursor[.afterThisStream]?.node.bool ?? true)
        case .stall: return .stall(afterBytes: afterBytes)
        }
    }

    private mutating func missing(_ key: KeyName, of kind: Fault.Kind, at cursor: Cursor) -> Fault? {
        // A key of the wrong kind has been reported already.
        report(.error, "\(kind.rawValue) needs \"\(key.rawValue)\" beside it", at: cursor)
        return nil
    }

    private func errorCode(_ cursor: Cursor) -> UInt32? {
        guard let written = cursor[.errorCode]?.node else { return nil }
        if let name = written.string { return HTTP2ErrorCode.number(of: name) }
        return written.number?.integer.flatMap(UInt32.init(exactly:))
    }
}

extension StubWriter {
    /// Writes a fault with its keys.
    ///
    /// - Parameter unknownErrorCode: the name of its error code if that is not one of RFC 9113; nil otherwise.
    static func write(_ fault: Fault, unknownErrorCode: String?, to object: inout ObjectWriter) {
        object.add(.fault, text: fault.kind.rawValue)
        switch fault {
        case .emptyResponse, .connectionResetByPeer, .malformedResponseChunk, .randomDataThenClose,
            .wrongContentLength, .badGzip, .refusedStream:
            break
        case .truncateBody(let count), .truncateChunks(let count): object.add(.afterBytes, number: count)
        case .slowBody(let rate): object.add(.bytesPerSecond, number: rate)
        case .resetStream(let code, let count):
            object.add(.errorCode, unknownErrorCode.map { .string($0) } ?? errorCode(code))
            object.add(.afterBytes, number: count)
        case .goAway(let code, let afterThisStream):
            object.add(.errorCode, unknownErrorCode.map { .string($0) } ?? errorCode(code))
            object.add(.afterThisStream, .bool(afterThisStream))
        case .stall(let count): object.add(.afterBytes, number: count)
        }
    }

    /// A code by its name, or by its number if it has none.
    private static func errorCode(_ code: UInt32) -> JSONNode {
        let names = HTTP2ErrorCode.names
        return names.indices.contains(Int(code)) ? .string(names[Int(code)]) : .integer(code)
    }
}
