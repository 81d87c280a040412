// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import FixtureNetworking
import Foundation
import MockServerTesting
import MockapiTestSupport
import MockapiWireSupport
import NetworkingKit
import NetworkingTesting
import Testing
import UpstreamNetworking

/// The examples of `docs/contract/networking.md`.
@Suite(.supervised) struct ContractExamples {
    @Test func myClientKeepsTheContract() async throws {
        try await NetworkingContract.verify { MyNetworking() }
    }

    @Test func theTableIsAValue() async throws {
        let verdicts = try await NetworkingContract.verdicts(on: "MyNetworking") { MyNetworking() }
        #expect(verdicts.failures.isEmpty)
        print(verdicts.text)
        try verdicts.junit.write(to: report, atomically: true, encoding: .utf8)
        try FileManager.default.removeItem(at: report)
    }

    @Test func whatIsKnownLeavesTheTestAsItIs() async throws {
        var options = NetworkingContract.Options()
        options.known = ["redirect.307": "we ask again by GET: issue 12"]
        try await NetworkingContract.verify(options: options) { MyNetworking(forgetsContent: true) }
    }

    @Test func overTLS() async throws {
        let folder = try TemporaryDirectory()
        let directory = folder.path
        let authority = try DevelopmentAuthority(directory: directory)
        var options = NetworkingContract.Options()
        options.isSecure = true
        options.tls = MockServer.Configuration.TLS(authorityDirectory: directory)
        options.known = ["fault.length.plus": "libcurl takes a sign", "fault.length.digits": "libcurl takes a part"]
        try await NetworkingContract.verify(options: options) {
            var configuration = UpstreamNetworker.Configuration()
            configuration.version = .http1
            configuration.caFile = authority.certificatePath
            return UpstreamNetworker(configuration)
        }
        withExtendedLifetime(folder) {}
    }

    @Test func inTheProcess() async throws {
        let verdicts = try await NetworkingContract.verdicts(inProcess: "FixtureNetworker") { stubs in
            let networker = try FixtureNetworker(stubs: stubs)
            return (networker, networker.journal)
        }
        #expect(verdicts.failures.isEmpty)
    }

    private let report = FileManager.default.temporaryDirectory
        .appendingPathComponent("contract-\(UUID().uuidString).xml")
}

/// A networking of one's own, which sends by `Networker`, and by libcurl over HTTP/2 what URLSession gets wrong on Linux: lengths, gzip and
/// schemes.
private final class MyNetworking: WireNetworking {
    let acceptedStatuses = AcceptedStatuses.successful
    private let reference = DelegateReference()
    private let networker = Networker()
    private let other: UpstreamNetworker = {
        var configuration = UpstreamNetworker.Configuration()
        configuration.version = .h2c
        return UpstreamNetworker(configuration)
    }()
    private let forgetsContent: Bool

    init(forgetsContent: Bool = false) {
        self.forgetsContent = forgetsContent
    }

    var delegate: (any NetworkingDelegate)? {
        get { reference.delegate }
        set { reference.delegate = newValue }
    }

    func send(
        _ request: URLRequest, file: URL?, options: TransferOptions
    ) async throws(URLError) -> DataResponse {
        var request = request
        if forgetsContent, request.url?.path.hasSuffix("/redirect.307") == true { request.httpBody = nil }
        let path = request.url?.path ?? ""
        if ["coding.gzip", "fault.gzip", "fault.length", "redirect.letters"].contains(where: path.contains) {
            return try await other.send(request, file: file, options: options)
        }
        return try await networker.send(request, file: file, options: options)
    }
}
