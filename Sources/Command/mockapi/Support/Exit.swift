// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import ArgumentParser
import MockServer

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The exit codes of every command.
enum Exit {
    /// Findings, a broken contract, or a server that is not healthy.
    static let findings = ExitCode(1)
    /// Fixtures that cannot be served.
    static let unusableFixtures = ExitCode(3)
    /// It could not be done: the port is in use, the directory is missing.
    static let impossible = ExitCode(4)
    /// A command that took longer than it may, as `timeout` of POSIX has it.
    static let tooLate = ExitCode(124)

    /// Ends the process when all is written, without the clean-up of libraries while their threads still work: a thread that finds a lock of OpenSSL
    /// gone would end it by a signal.
    static func leave(_ code: Int32) -> Never {
        flushLog()
        fflush(nil)
        _exit(code)
    }
}
