// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// One coding of content, between the bytes that have come and those that can be made of them.
final class DecodingStage {
    /// How much is made at once. 64 KiB.
    private static let room = 64 * 1024

    private let format: any CodedFormat
    private var input: [UInt8] = []
    private var offset = 0
    private var made = 0
    /// Whether the last piece filled its room, so that more may follow without more input.
    private var isFull = false
    private var hasBegun = false

    init(_ format: any CodedFormat) {
        self.format = format
    }

    /// Whether the content may end here: at the end of a member, or before the first byte.
    var isComplete: Bool { !hasBegun || format.isAtEnd }

    func push(_ bytes: [UInt8]) {
        guard !bytes.isEmpty else { return }
        hasBegun = true
        if offset == input.count {
            input = bytes
        } else {
            input.removeSubrange(..<offset)
            input += bytes
        }
        offset = 0
    }

    /// The next bytes, at most 64 KiB; nil if more must be pushed first.
    ///
    /// - Parameter limit: the bytes it may have made in all.
    func pull(limit: Int) throws(StageError) -> [UInt8]? {
        while isFull || offset < input.count {
            let output = try piece()
            made += output.count
            guard made <= limit else { throw .limit }
            if offset == input.count {
                input = []
                offset = 0
            }
            if !output.isEmpty { return output }
        }
        return nil
    }

    private func piece() throws(StageError) -> [UInt8] {
        var read = 0
        var failure: FormatError?
        let output = [UInt8](unsafeUninitializedCapacity: Self.room) { output, written in
            input.withUnsafeBufferPointer { input in
                do throws(FormatError) {
                    (read, written) = try format.step(UnsafeBufferPointer(rebasing: input[offset...]), output)
                } catch {
                    failure = error
                }
            }
        }
        if let failure { throw .broken(failure.text) }
        offset += read
        isFull = output.count == Self.room
        // A library that neither reads nor writes would be asked for ever.
        if read == 0, output.isEmpty, offset < input.count { throw .broken("it cannot be read on") }
        return output
    }
}

/// Why a stage cannot go on.
enum StageError: Error {
    case broken(String)
    case limit
}
