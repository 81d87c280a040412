// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A system call that failed.
package struct SystemError: Error, Equatable, Sendable, CustomStringConvertible {
    package var call: String
    package var code: Int32

    package init(call: String, code: Int32) {
        self.call = call
        self.code = code
    }

    /// The call and the system's words for its error: `bind: Address already in use`.
    package var description: String {
        "\(call): \(strerror(code).map { String(cString: $0) } ?? "error \(code)")"
    }

    /// The result of a call, or its error where it is negative.
    static func check(_ call: String, _ result: Int32) throws(SystemError) -> Int32 {
        if result < 0 { throw SystemError(call: call, code: errno) }
        return result
    }
}
