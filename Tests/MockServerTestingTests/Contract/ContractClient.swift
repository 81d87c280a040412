// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import FixtureNetworking
import Foundation
import MockServerTesting
import MockapiWireSupport
import NetworkingKit
import NetworkingTesting
import Testing
import UpstreamNetworking

/// A networking of this package whose verdicts stand in the documents.
enum ContractClient: String, CaseIterable, Sendable, CustomTestStringConvertible {
    case networker = "networker"
    case http1 = "upstream-h1"
    case h2c = "upstream-h2c"
    case h2 = "upstream-h2"
    case fixture = "fixture"

    var testDescription: String { name }

    /// What it is called in its table.
    var name: String {
        switch self {
        case .networker: "Networker"
        case .http1: "UpstreamNetworker by HTTP/1.1"
        case .h2c: "UpstreamNetworker by HTTP/2 without TLS"
        case .h2: "UpstreamNetworker by HTTP/2 with TLS"
        case .fixture: "FixtureNetworker"
        }
    }

    /// What it is known not to meet, and why.
    var known: [String: String] {
        switch self {
        case .networker: return Self.ofURLSession.merging(Self.ofLibcurl) { $1 }
        case .http1: return Self.ofLibcurl
        case .fixture: return [:]
        case .h2c, .h2: break
        }
        var known = [
            "cancel.ends": Self.late, "cancel.published": Self.late,
            "h2.cancel": Self.late + ", and with STREAM_CLOSED in the place of CANCEL (curl #20239)",
        ]
        if self == .h2c { known["tls.unknown"] = Self.withoutTLS }
        return known
    }

    /// A requirement with this note is met if a frame goes out by chance.
    static let late = "libcurl since 7.88 sends RST_STREAM with the connection's next frame only (curl #17611)"

    /// libcurl reads a length by `strtoll`.
    private static let ofLibcurl = [
        "fault.length.plus": "libcurl 7.88 takes a sign in front of a length",
        "fault.length.digits": "libcurl 7.88 reads a length as far as it has digits",
    ]
    /// On Linux, where URLSession has libcurl undo codings.
    private static let ofURLSession = [
        "coding.gzip.members": "URLSession's libcurl fails behind the first member",
        "fault.gzip.cut": "URLSession's libcurl takes what there is",
        "fault.gzip.end": "URLSession's libcurl asks for no end",
        "fault.length.minus": "URLSession tells it as an unknown error",
        "fault.length.two": "URLSession takes the last of two lengths",
        "redirect.letters": "URLSession knows schemes in small letters",
    ]

    private static let withoutTLS = "it is set to HTTP/2 without TLS, and refuses https by an error that says that"

    func verdicts() async throws -> ContractVerdicts {
        switch self {
        case .networker: try await NetworkingContract.verdicts(on: name, options: options) { Networker() }
        case .http1: try await NetworkingContract.verdicts(on: name, options: options) { Self.upstream(.http1) }
        case .h2c:
            try await NetworkingContract.verdicts(on: name, options: options) { Self.upstream(.h2c) }
        case .h2: try await secure()
        case .fixture:
            try await NetworkingContract.verdicts(inProcess: name) { stubs in
                let networker = try FixtureNetworker(stubs: stubs)
                return (networker, networker.journal)
            }
        }
    }

    private var options: NetworkingContract.Options {
        var options = NetworkingContract.Options()
        options.known = known
        return options
    }

    private func secure() async throws -> ContractVerdicts {
        let directory = try TemporaryDirectory()
        let authority = try DevelopmentAuthority(directory: directory.path)
        var options = options
        options.isSecure = true
        options.tls = MockServer.Configuration.TLS(authorityDirectory: directory.path)
        let verdicts = try await NetworkingContract.verdicts(on: name, options: options) {
            Self.upstream(.h2, authority.certificatePath)
        }
        withExtendedLifetime(directory) {}
        return verdicts
    }

    static func upstream(
        _ version: UpstreamNetworker.Configuration.Version, _ authority: String? = nil
    ) -> UpstreamNetworker {
        var configuration = UpstreamNetworker.Configuration()
        configuration.version = version
        configuration.caFile = authority
        return UpstreamNetworker(configuration)
    }
}
