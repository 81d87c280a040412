// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// A system call that failed.
package struct SystemError: Error, Hashable, Sendable, CustomStringConvertible {
    package var call: String
    package var code: Int32

    package init(call: String, code: Int32) {
        self.call = call
        self.code = code
    }

    /// The error of the call that failed last on this thread.
    package static func last(_ call: String) -> SystemError { SystemError(call: call, code: errno) }

    package var isMissing: Bool { code == ENOENT }
    package var isNotADirectory: Bool { code == ENOTDIR }

    /// The system's words for the error: `Address already in use`.
    package var words: String { strerror(code).map { String(cString: $0) } ?? "error \(code)" }

    /// The words for the error of the call that failed last on this thread.
    package static var lastWords: String { last("").words }

    /// The call and the system's words for its error: `bind: Address already in use`.
    package var description: String { "\(call): \(words)" }

    /// The result of a call, or its error if it is negative.
    package static func check(_ call: String, _ result: Int32) throws(SystemError) -> Int32 {
        if result < 0 { throw .last(call) }
        return result
    }
}
