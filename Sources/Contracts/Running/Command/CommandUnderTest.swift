// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPSyntax
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A command that is run against a server, once or many times.
package struct CommandUnderTest: Sendable {
    /// Where a command finds a server.
    package struct Address: Sendable {
        /// `http://127.0.0.1:49152`.
        package var url: String
        /// Nil if the server speaks no TLS.
        package var tlsURL: String?
        /// The file of the authority that signs the server's certificate; nil if there is none.
        package var authority: String?
        /// Which of several it is, from 1, and how many there are.
        package var shard: (index: Int, count: Int)?
        /// Further variables that are set or taken away.
        var further: [String: String?] = [:]

        package init(url: String, tlsURL: String?, authority: String?, shard: (index: Int, count: Int)? = nil) {
            self.url = url
            self.tlsURL = tlsURL
            self.authority = authority
            self.shard = shard
        }

        /// The variables by which the command finds it, past a proxy that the environment names; a nil value removes the variable, lest that
        /// of another server be taken for it.
        var environment: [String: String?] {
            var variables = ProxyVariables().exceptions(for: url)
            variables.updateValue(url, forKey: "MOCKAPI_URL")
            variables.updateValue(tlsURL, forKey: "MOCKAPI_TLS_URL")
            variables.updateValue(authority, forKey: "MOCKAPI_CA")
            variables.merge(further) { _, new in new }
            guard let shard else { return variables }
            variables.updateValue("\(shard.index)", forKey: "MOCKAPI_SHARD")
            variables.updateValue("\(shard.count)", forKey: "MOCKAPI_SHARDS")
            return variables
        }
    }

    /// How a run came to its end.
    package enum End: Hashable, Sendable {
        /// 128 and the signal's number if a signal ended it.
        case exit(Int32)
        /// It took longer than it may, and was killed.
        case hung

        package var code: Int32 {
            switch self {
            case .exit(let code): code
            case .hung: 128 + SIGKILL
            }
        }
    }

    package let words: [String]
    /// Passes signals on to the command while it runs.
    let relay: SignalRelay?

    package init(_ words: [String], relay: SignalRelay?) {
        self.words = words
        self.relay = relay
    }

    /// - Parameter patience: how long it may take; nil for as long as it likes.
    package func run(
        against address: Address, streams: ChildProcess.Streams = .inherited, patience: Duration? = nil
    ) async throws(ChildProcess.Failure) -> End {
        let child = try ChildProcess(
            words(for: address), environment: address.environment, streams: streams, endsGroup: true)
        relay?.add(child)
        defer { relay?.remove(child) }
        guard let patience else { return .exit(await child.wait()) }
        let isLate = Flag()
        let watch = Task {
            try await Task.sleep(for: patience)
            isLate.value.store(true, ordering: .relaxed)
            child.send(SIGKILL)
        }
        let code = await child.wait()
        watch.cancel()
        return isLate.value.load(ordering: .relaxed) ? .hung : .exit(code)
    }

    /// The words with `{url}`, `{tls-url}` and `{ca}` replaced.
    func words(for address: Address) -> [String] {
        words.map { word in
            guard word.contains("{") else { return word }
            return word.replacing(bytesOf: "{url}", with: address.url).replacing(
                bytesOf: "{tls-url}", with: address.tlsURL ?? ""
            )
            .replacing(bytesOf: "{ca}", with: address.authority ?? "")
        }
    }

    private final class Flag: Sendable {
        let value = Atomic(false)
    }
}
