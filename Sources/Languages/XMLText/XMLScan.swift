// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiMetering

/// Looks through the bytes of a document: each is paid for before it is looked at.
struct XMLScan {
    let bytes: [UInt8]
    private(set) var index: Int
    private let meter: Meter?
    /// Where the bytes begin that are not paid for.
    private var paid: Int

    /// Bytes that are paid for at once. 4,096.
    private static let piece = 4096

    init(_ bytes: [UInt8], _ meter: Meter?) {
        self.bytes = bytes
        self.meter = meter
        index = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        paid = index
    }

    /// The byte at hand; nil at the end.
    mutating func peek() throws(XMLError) -> UInt8? {
        guard index < bytes.count else { return nil }
        if index >= paid {
            paid = min(bytes.count, index + Self.piece)
            try XMLError.require(meter?.pay(paid - index))
        }
        return bytes[index]
    }

    mutating func advance(_ count: Int = 1) { index += count }

    /// Goes to the next byte that is wanted; nil, and to the end, if there is none.
    @inline(__always)
    @discardableResult
    mutating func seek(_ isWanted: (UInt8) -> Bool) throws(XMLError) -> UInt8? {
        while let byte = try peek() {
            if isWanted(byte) { return byte }
            index += 1
        }
        return nil
    }

    /// Whether a mark stands at hand.
    func stands(_ mark: StaticString) -> Bool { stands(mark, at: index) }

    private func stands(_ mark: StaticString, at start: Int) -> Bool {
        let count = mark.utf8CodeUnitCount
        return start >= 0 && start + count <= bytes.count
            && (0..<count).allSatisfy { bytes[start + $0] == mark.utf8Start[$0] }
    }

    /// Passes over so many bytes, and over all up to a mark and the mark itself; false, and to the end, if it does not come.
    @discardableResult
    mutating func skip(_ count: Int, behind mark: StaticString) throws(XMLError) -> Bool {
        let length = mark.utf8CodeUnitCount
        let last = mark.utf8Start[length - 1]
        let first = index + count
        index = min(bytes.count, first)
        while try seek({ $0 == last }) != nil {
            index += 1
            if index - length >= first, stands(mark, at: index - length) { return true }
        }
        return false
    }

    /// An error at a place.
    func refusal(at place: Int, _ message: String) -> XMLError {
        var (line, start) = (1, 0)
        for index in 0..<place where bytes[index] == UInt8(ascii: "\n") {
            line += 1
            start = index + 1
        }
        return XMLError(line: line, column: place - start + 1, message: message)
    }
}

extension XMLError {
    /// Throws if something was not paid for.
    ///
    /// - Parameter isPaid: nil if nothing has to be.
    static func require(_ isPaid: Bool?) throws(XMLError) {
        if isPaid == false {
            throw XMLError(message: "the document takes more work than a request may cause", cause: .work)
        }
    }
}
