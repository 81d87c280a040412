// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// The decoder of one coding: it keeps the state that its library needs, never the content.
protocol CodedFormat: AnyObject {
    /// Whether the last byte that was read ended a member or a frame, so that the content may end here.
    var isAtEnd: Bool { get }

    /// Reads from the input's start and writes from the output's; how many bytes of each.
    ///
    /// Less than a full output means that nothing more can be written before there is more input.
    func step(
        _ input: UnsafeBufferPointer<UInt8>, _ output: UnsafeMutableBufferPointer<UInt8>
    ) throws(FormatError) -> (read: Int, written: Int)
}

/// Why bytes cannot be decoded by their coding.
struct FormatError: Error {
    let text: String

    static let noMemory = FormatError(text: "there is too little memory to read it")
    static let trailing = FormatError(text: "something stands behind its end")
}
