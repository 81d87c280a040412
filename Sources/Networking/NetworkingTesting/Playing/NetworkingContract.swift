// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation
public import MockServer
import MockapiContract
public import NetworkingCore
public import Testing

/// The requirements on every `Networking`, as a suite that plays them on the wire.
///
///     @Test func myClientKeepsTheContract() async throws {
///         try await NetworkingContract.verify { MyNetworking() }
///     }
///
/// Each requirement is played with a networking of its own against one server on a port of its own. Nothing waits longer than a request's
/// time-out and five seconds: a fetch that has not ended by then is a hang, which no requirement is met by.
public enum NetworkingContract {
    /// Plays every requirement against a server and gives the verdicts.
    ///
    /// - Parameters:
    ///   - client: the name of the networking in the table; nil for the name of its type.
    ///   - make: makes a networking that has sent nothing yet; called once for each requirement, and once for the name of its type, from any
    ///     thread.
    /// - Throws: the error of `make`, or `MockServerError` if the server cannot be started.
    public static func verdicts(
        on client: String? = nil, options: Options = Options(),
        _ make: @escaping @Sendable () throws -> any Networking
    ) async throws -> ContractVerdicts {
        let server = try await ServedContract(options)
        let result: Result<ContractVerdicts, any Error>
        do {
            result = .success(
                try await ContractRun(client: client, options: options, makeStage: { _ in try server.stage(make) }) {
                    try await apart($0, options, make)
                }.verdicts())
        } catch {
            result = .failure(error)
        }
        await server.stop()
        return try result.get()
    }

    /// Plays one part on a server that has its stubs alone.
    private static func apart(
        _ part: ContractPart, _ options: Options, _ make: @Sendable () throws -> any Networking
    ) async throws -> Verdict {
        let server = try await ServedContract(options, playing: part.playedApart)
        let result: Result<Verdict, any Error>
        do {
            result = .success(try await part.verdict(try server.stage(make, for: part.playedApart)))
        } catch {
            result = .failure(error)
        }
        await server.stop()
        return try result.get()
    }

    /// Plays every requirement with a networking that responds in the process, if there are no connections.
    ///
    ///     let verdicts = try await NetworkingContract.verdicts(inProcess: "FixtureNetworker") { stubs in
    ///         let networker = try FixtureNetworker(stubs: stubs)
    ///         return (networker, networker.journal)
    ///     }
    ///
    /// - Parameter make: makes a networking that responds from these stubs, and the journal of its requests.
    /// - Throws: the error of `make`.
    public static func verdicts(
        inProcess client: String? = nil, known: [String: String] = [:],
        _ make: @escaping @Sendable ([MockStub]) throws -> (any Networking, Journal)
    ) async throws -> ContractVerdicts {
        guard let base = URL(string: "http://contract.example") else { throw URLError(.badURL) }
        var options = Options()
        options.known = known
        let run = ContractRun(
            client: client, options: options,
            makeStage: { stubs in
                let (networking, journal) = try make(stubs)
                return ContractStage(networking: networking, base: base, journals: [journal], hasConnections: false)
            }, playApart: nil)
        return try await run.verdicts()
    }

    /// Fails the test that runs for each requirement that is not met, with the expected and the seen result.
    ///
    /// Failures that `options` knows of leave the test as it is; a known failure that does not occur fails it, so that the list gets
    /// shorter.
    ///
    /// - Parameter make: makes a networking that has sent nothing yet; called once for each requirement, and from any thread.
    /// - Throws: the error of `make`, or `MockServerError` if the server cannot be started.
    @discardableResult
    public static func verify(
        options: Options = Options(), sourceLocation: SourceLocation = #_sourceLocation,
        _ make: @escaping @Sendable () throws -> any Networking
    ) async throws -> ContractVerdicts {
        let verdicts = try await verdicts(options: options, make)
        for text in ContractIssues(verdicts, known: options.known).texts {
            Issue.record(Comment(rawValue: text), sourceLocation: sourceLocation)
        }
        return verdicts
    }
}
