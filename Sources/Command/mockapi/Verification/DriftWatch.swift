// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import ArgumentParser
import MockServer
import MockapiSystemIO
import MockapiUpstream
import MockapiVerification
import Synchronization

/// Verifies again and again, and serves the last state over HTTP.
final class DriftWatch: Sendable {
    private let shared: SharedStatus
    private let server: MockServer?
    private let webhook: String?
    private let client = UpstreamClient()

    init(_ options: WatchOptions, against service: String) async throws {
        let status = SharedStatus(WatchStatus(against: service))
        shared = status
        webhook = options.webhook
        guard let place = try options.place else {
            server = nil
            return
        }
        var configuration = MockServer.Configuration()
        configuration.names = .options
        configuration.host = place.host
        configuration.port = place.port
        configuration.journalLimit = 0
        configuration.logsRequests = false
        configuration.fallback = { _, target, _ in
            switch target.prefix(while: { $0 != "?" }) {
            case "/metrics":
                FallbackResponse(200, "text/plain; version=0.0.4; charset=utf-8", Array(status.value.metrics.utf8))
            case "/status", "/": FallbackResponse(200, "application/json", status.value.json)
            default: nil
            }
        }
        do throws(MockServerError) {
            server = try await MockServer.start(configuration: configuration)
        } catch {
            Output.note("error: \(error)")
            throw Exit.impossible
        }
        if let server { Output.note("metrics on \(server.address)/metrics") }
    }

    /// Runs until a signal comes.
    ///
    /// - Parameter check: verifies once; nil means nothing new.
    func run(every pause: Duration, check: @escaping @Sendable () async throws -> DriftReport?) async throws {
        let signals = StopSignals()
        let work = Task { [self] in
            while !Task.isCancelled {
                let start = ContinuousClock.now
                var report: DriftReport?
                do {
                    report = try await check()
                } catch let code as ExitCode {
                    // A check that fails now may succeed the next time.
                    Output.note("error: not verified, \(code.rawValue)")
                } catch is CancellationError {
                    return
                } catch {
                    Output.note("error: not verified: \(Verify.message(for: error))")
                }
                if Task.isCancelled { return }
                await take(report, ContinuousClock.now - start)
                if (try? await Task.sleep(for: pause)) == nil { return }
            }
        }
        await signals.first()
        work.cancel()
        await server?.stop(grace: .seconds(1))
    }

    private func take(_ report: DriftReport?, _ duration: Duration) async {
        let (seconds, attoseconds) = duration.components
        let isNews = shared.update { status in
            status.take(report, at: Clock.seconds, duration: Double(seconds) + Double(attoseconds) / 1e18)
            return status.isNews
        }
        guard isNews, let webhook else { return }
        let request = UpstreamRequest(
            "POST", webhook, fields: [UpstreamField("Content-Type", "application/json")],
            body: .bytes(shared.value.json))
        // News that the webhook did not accept is sent again with the next run.
        do throws(UpstreamError) {
            let response = try await client.send(request)
            guard response.status < 300 else {
                Output.note("error: the webhook answered \(response.status), and gets it again")
                return
            }
            _ = shared.update { status in
                status.hasBeenTold()
                return true
            }
        } catch {
            Output.note("error: the webhook could not be reached, and is tried again: \(error.text)")
        }
    }
}

/// The state that the server reads while another is found out.
private final class SharedStatus: Sendable {
    private let state: Mutex<WatchStatus>

    init(_ status: WatchStatus) {
        state = Mutex(status)
    }

    var value: WatchStatus { state.withLock { $0 } }

    /// - Returns: the result of the change.
    func update(_ change: (inout WatchStatus) -> Bool) -> Bool { state.withLock { change(&$0) } }
}
