// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

package import MockServer
package import MockapiFixtures

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Runs of one command, each against a server of its own with fixtures of its own.
package struct IsolatedRuns: Sendable {
    /// Why a run could not be.
    package enum Failure: Error, CustomStringConvertible {
        case server(MockServerError)
        case command(String, String)
        /// The command fails with fixtures that nobody has changed, with this code.
        case unsound(Int32)
        /// The command asks for nothing that could be changed, for this reason.
        case nothingToTry(String)
        /// A signal asked for the end of all runs.
        case interrupted(Int32)

        package var description: String {
            switch self {
            case .server(let error): error.description
            case .command(let name, let text): "\(name) cannot be run: \(text)"
            case .unsound(let code): "the command ends with \(code) although nothing is wrong"
            case .nothingToTry(let reason): reason
            case .interrupted(let signal): "ended by signal \(signal)"
            }
        }
    }

    /// The end of a run, and the requests that it made.
    package struct Run: Sendable {
        package let end: CommandUnderTest.End
        /// The requests that came, oldest first, the first to each fixture among them.
        package let entries: [JournalEntry]
        /// How many others came, that there was no room for.
        package let lost: Int
    }

    /// Bytes of a run's journal, at most. 64 MiB.
    private static let journalLimit = 64 * 1024 * 1024

    let command: CommandUnderTest
    let configuration: MockServer.Configuration
    let patience: Duration
    private let hasFreshHome: Bool
    private let address: @Sendable (MockServer) -> CommandUnderTest.Address

    /// - Parameters:
    ///   - configuration: that of each server; the port is a free one.
    ///   - patience: how long the command may take.
    ///   - hasFreshHome: whether each run has a home, temporary files and caches of its own, which are empty.
    ///   - address: where the command finds a server.
    package init(
        _ command: CommandUnderTest, _ configuration: MockServer.Configuration, patience: Duration,
        hasFreshHome: Bool, address: @escaping @Sendable (MockServer) -> CommandUnderTest.Address
    ) {
        self.command = command
        self.patience = patience
        self.hasFreshHome = hasFreshHome
        self.address = address
        var configuration = configuration
        configuration.port = 0
        configuration.log = nil
        configuration.judges = true
        configuration.journalLimit = min(max(configuration.journalLimit, 16 << 20), Self.journalLimit)
        self.configuration = configuration
    }

    /// `30 s`.
    var patienceText: String {
        let seconds = patience.inSeconds
        return seconds == seconds.rounded() ? "\(Int(seconds)) s" : "\(Int(seconds * 1000)) ms"
    }

    /// The same runs, which may take as long.
    package func with(patience: Duration) -> IsolatedRuns {
        IsolatedRuns(
            command, configuration, patience: patience, hasFreshHome: hasFreshHome, address: address)
    }

    private func run(
        against server: MockServer, _ streams: ChildProcess.Streams
    ) async throws(ChildProcess.Failure) -> CommandUnderTest.End {
        var address = address(server)
        guard hasFreshHome else { return try await command.run(against: address, streams: streams, patience: patience) }
        let home = try FreshHome()
        address.further = home.environment
        return try await command.run(against: address, streams: streams, patience: patience)
    }

    package func run(_ set: FixtureSet, streams: ChildProcess.Streams) async throws(Failure) -> Run {
        if let signal = command.relay?.interruption { throw .interrupted(signal) }
        let server: MockServer
        do throws(MockServerError) {
            server = try MockServer(LoadedFixtures(set), configuration)
        } catch {
            throw .server(error)
        }
        let end: CommandUnderTest.End
        do throws(ChildProcess.Failure) {
            end = try await run(against: server, streams)
        } catch {
            await server.stop()
            throw .command(command.words[0], error.text)
        }
        // Connections that the command's end has closed are noted before the server goes.
        await server.stop(grace: .milliseconds(20))
        if let signal = command.relay?.interruption { throw .interrupted(signal) }
        let (entries, lost) = server.evidence
        return Run(end: end, entries: entries, lost: lost)
    }
}

/// A file without a name that holds a command's output.
package final class CapturedOutput: Sendable {
    /// Bytes of it that are shown: the last. 64 KiB.
    private static let shown = 64 * 1024

    package let descriptor: Int32

    /// - Returns: nil if there is no room for a file.
    package init?() {
        guard let file = tmpfile() else { return nil }
        defer { fclose(file) }
        descriptor = fcntl(fileno(file), F_DUPFD_CLOEXEC, 3)
        guard descriptor >= 0 else { return nil }
    }

    /// The end of the output.
    package var text: String {
        let size = lseek(descriptor, 0, SEEK_END)
        var bytes = [UInt8](repeating: 0, count: min(Self.shown, max(0, Int(size))))
        let count = bytes.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, $0.count, size - off_t($0.count)) }
        return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    }

    deinit {
        close(descriptor)
    }
}

/// A descriptor that takes everything and keeps nothing.
package final class DiscardedOutput: Sendable {
    package let descriptor: Int32

    package init() {
        descriptor = open("/dev/null", O_WRONLY | O_CLOEXEC)
    }

    deinit {
        close(descriptor)
    }
}
