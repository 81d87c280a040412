// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockServer
import MockapiHTTPServer

#if Recording
    import MockapiProxy
    import MockapiRecording
    import Synchronization
    import MockapiUpstream

    /// The forwarder to other servers on behalf of the stubs of tests.
    enum ScopeForwarder {
        static let shared: (any RequestForwarder)? = StubProxy()
    }

    /// The part of a test's server that has to do with a live service.
    final class LiveScope: Sendable {
        private let session: RecordingSession
        private let report = ScopeReport()
        /// Nil if nothing is recorded.
        private let directory: String?

        var records: Bool { directory != nil }
        var proxy: UpstreamProxy { session.proxy(to: 0) }

        init(_ url: String, recordingInto directory: String?) async throws {
            let origin = try UpstreamOrigin(url)
            do {
                _ = try UpstreamClient.libraryVersion()
            } catch {
                throw RecordingError("\(error)")
            }
            var recorder: Recorder?
            if let directory { recorder = try await RecorderPool.shared.open(directory, origin) }
            self.directory = directory
            session = RecordingSession(
                [origin], options: SessionOptions(), recorder: recorder, redaction: RecorderOptions().redaction,
                report: report)
        }

        func listens(on port: Int) { session.listens(on: [port]) }
        func stops() { session.stops() }

        /// Returns when all exchanges are recorded, with those that were not.
        func end() async -> [VerificationResult] {
            await session.drain()
            if let directory { await RecorderPool.shared.close(directory) }
            return report.failures.map { outcome in
                let text = "\(outcome.request) of \(outcome.origin): \(outcome.notes.joined(separator: "; "))"
                return VerificationResult(
                    name: "\(outcome.request) is recorded",
                    failure: VerificationFailure(kind: .recording, text: text, callSite: nil))
            }
        }
    }

    /// Keeps the exchanges that were not recorded.
    private final class ScopeReport: RecordingReport {
        /// How many outcomes are kept. 100.
        private static let limit = 100

        private let outcomes = Mutex<[RecordingOutcome]>([])

        var failures: [RecordingOutcome] { outcomes.withLock { $0 } }

        func passed(_ bytes: Int, from origin: UpstreamOrigin) {}

        func waits(for outcome: RecordingOutcome) -> Bool { false }

        func finished(_ outcome: RecordingOutcome) {
            guard outcome.kind == .failed || outcome.kind == .refused else { return }
            outcomes.withLock { if $0.count < Self.limit { $0.append(outcome) } }
        }
    }

    /// The recorders of the process: tests that run side by side and record into one directory share its one.
    actor RecorderPool {
        static let shared = RecorderPool()

        private var open: [String: (recorder: Recorder, users: Int)] = [:]
        private var closing: [String: Task<Void, Never>] = [:]

        /// The recorder of a directory, which is made if it is missing.
        func open(_ directory: String, _ origin: UpstreamOrigin) async throws -> Recorder {
            // One that is being closed has the directory's lock still.
            while let task = closing[directory] {
                await task.value
                if closing[directory] == task { closing[directory] = nil }
            }
            if let entry = open[directory] {
                open[directory]?.users += 1
                return entry.recorder
            }
            var options = RecorderOptions()
            options.origins = [origin.text]
            let recorder = try Recorder(directory: directory, options: options)
            open[directory] = (recorder, 1)
            return recorder
        }

        /// Gives a recorder back; returns when the recordings of its last user are settled.
        func close(_ directory: String) async {
            guard let entry = open[directory] else { return }
            guard entry.users == 1 else {
                open[directory]?.users -= 1
                return
            }
            open[directory] = nil
            let task = Task { _ = await entry.recorder.finish() }
            closing[directory] = task
            await task.value
            if closing[directory] == task { closing[directory] = nil }
        }
    }
#else
    /// Nothing: the package is built without the trait `Recording`.
    enum ScopeForwarder {
        static let shared: (any RequestForwarder)? = nil
    }

    /// The stand-in for a live service if the package is built without the trait `Recording`: none can be asked.
    final class LiveScope: Sendable {
        let records = false
        let proxy: (any RequestProxy)? = nil

        init(_ url: String, recordingInto directory: String?) async throws {
            throw MockServerError(
                .system("no live service can be used: the dependency on this package leaves out its trait Recording"))
        }

        func listens(on port: Int) {}
        func stops() {}
        func end() async -> [VerificationResult] { [] }
    }
#endif
