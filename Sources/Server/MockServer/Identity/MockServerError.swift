// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPServer
import MockapiSystemIO

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Why a server could not be started.
public struct MockServerError: Error, CustomStringConvertible {
    /// Why a server could not be started or changed.
    public enum Reason: Sendable, Equatable {
        /// The directory is missing, is not one, or cannot be read.
        case directoryUnusable(String)
        /// The fixtures have errors, one line each: `path:line:column: error: text (/json/pointer)`.
        case fixturesUnusable(findings: [String])
        /// Another process listens on the port.
        case portInUse(Int)
        /// A certificate, a key or an authority cannot be used.
        case tlsUnusable(String)
        /// No stub knows the scenario, or the state of it.
        case scenarioUnknown(String)
        /// No stub has a hold of the name.
        case holdUnknown(String)
        /// The system refused, in its words.
        case system(String)
    }

    /// Why it failed.
    public let reason: Reason

    private let names: SettingNames

    package init(_ reason: Reason) {
        self.reason = reason
        names = .swift
    }

    init(listening error: SystemError, host: String, port: Int, _ names: SettingNames) {
        self.names = names
        switch (error.call, error.code) {
        case ("bind", EADDRINUSE): reason = .portInUse(port)
        case ("getaddrinfo", _), ("bind", EADDRNOTAVAIL):
            reason = .system(
                "\(host) is not a name or address of this machine: \(names(.host, "127.0.0.1")) listens for this machine alone, "
                    + "\(names(.host, "0.0.0.0")) for its network")
        case ("bind", EACCES):
            reason = .system(
                "port \(port) is for root alone on this machine: choose one from 1024 on, such as "
                    + names(.port, "8080"))
        default: reason = .system("cannot listen on \(host):\(port): \(error)")
        }
    }

    public var description: String {
        switch reason {
        case .directoryUnusable(let text), .tlsUnusable(let text), .scenarioUnknown(let text), .holdUnknown(let text),
            .system(let text):
            text
        case .fixturesUnusable(let findings): findings.joined(separator: "\n")
        case .portInUse(let port):
            "port \(port) is in use: stop what listens there, or choose another with \(names(.port)) (0 lets the system choose)"
        }
    }
}
