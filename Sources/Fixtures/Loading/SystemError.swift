// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// What the system said when a call failed, in its own words.
struct SystemError: Error, Hashable {
    var code: Int32

    /// The error of the call that failed last on this thread.
    static var last: SystemError { SystemError(code: errno) }

    var isMissing: Bool { code == ENOENT }
    var isNotADirectory: Bool { code == ENOTDIR }
    var words: String { String(cString: strerror(code)) }
}
