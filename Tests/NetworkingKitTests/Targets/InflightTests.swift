// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Dispatch
import Foundation
import MockapiTestSupport
import MockapiWireSupport
import NetworkingKit
import Testing

/// Requests that share a transfer: the request closure holds each until all have joined.
@Suite(.supervised) struct InflightTests {
    /// Holds requests until it is opened.
    private final class Gate: Sendable {
        private let held = Collected<@Sendable () -> Void>()

        var count: Int { held.count }

        @Sendable func hold(_ endpoint: Endpoint, _ done: @escaping Provider<AnyTarget>.RequestResultClosure) {
            held.append { Provider<AnyTarget>.defaultRequestMapping(for: endpoint, closure: done) }
        }

        func open() {
            for release in held.elements { release() }
        }
    }

    private struct Watcher: PluginType {
        let received: Collected<Bool>

        func didReceive(_ result: Result<Endpoint.Response, ProviderError>, target: any TargetType) {
            received.append(result.error == nil)
        }
    }

    private func provider(_ gate: Gate, plugins: [any PluginType] = []) -> Provider<AnyTarget> {
        Provider<AnyTarget>(requestClosure: gate.hold, plugins: plugins, trackInflights: true)
    }

    @Test func requestsOfOneEndpointAreSentOnce() async throws {
        let echo = try await EchoServer.start()
        let gate = Gate()
        let received = Collected<Bool>()
        let provider = provider(gate, plugins: [Watcher(received: received)])
        let results = Collected<String>()
        for path in ["one", "one", "two", "one"] {
            provider.request(AnyTarget(baseURL: echo.url, path: path), callbackQueue: .global()) {
                results.append((try? $0.get().mapString()) ?? "failed")
            }
        }
        #expect(try await until({ (provider.inflights, gate.count) }, { $0.0 == (2, 4) && $0.1 == 2 }))
        gate.open()
        #expect(try await until({ results.count }, is: 4))
        #expect(Set(results.elements) == [#"{"ok":true}"#])
        #expect(echo.messages.map(\.target).sorted() == ["/one", "/two"])
        #expect(received.elements == [true, true])
        #expect(provider.inflights == (0, 0))
        await echo.stop()
    }

    @Test func requestsThatAreJudgedDifferentlyAreSentEach() async throws {
        let echo = try await EchoServer.start()
        let gate = Gate()
        let provider = provider(gate)
        let results = Collected<Bool>()
        for validation in [ValidationType.none, .successCodes] {
            let target = AnyTarget(baseURL: echo.url, path: "teapot", validationType: validation)
            provider.request(target, callbackQueue: .global()) { results.append($0.error == nil) }
        }
        #expect(try await until({ (provider.inflights, gate.count) }, { $0.0 == (2, 2) && $0.1 == 2 }))
        gate.open()
        #expect(try await until({ results.count }, is: 2))
        #expect(Set(results.elements) == [true, false])
        await echo.stop()
    }

    @Test func downloadsAreNotShared() async throws {
        let echo = try await EchoServer.start()
        let files = try TemporaryDirectory()
        let gate = Gate()
        let provider = provider(gate)
        let results = Collected<Bool>()
        for name in ["a", "b"] {
            let place = URL(fileURLWithPath: "\(files.path)/\(name)")
            let target = AnyTarget(baseURL: echo.url, task: .downloadDestination { _, _ in (place, []) })
            provider.request(target, callbackQueue: .global()) { results.append($0.error == nil) }
        }
        #expect(try await until({ gate.count }, is: 2))
        gate.open()
        #expect(try await until({ results.count }, is: 2))
        #expect(files.text("a") == #"{"ok":true}"#)
        #expect(files.text("b") == #"{"ok":true}"#)
        await echo.stop()
    }

    @Test func whoLeavesDoesNotTakeTheOthersAlong() async throws {
        let echo = try await EchoServer.start()
        let gate = Gate()
        let provider = provider(gate)
        let results = Collected<Bool>()
        let target = AnyTarget(baseURL: echo.url)
        let first = provider.request(target, callbackQueue: .global()) { results.append($0.error == nil) }
        #expect(try await until({ provider.inflights }, { $0 == (1, 1) }))
        provider.request(target, callbackQueue: .global()) { results.append($0.error == nil) }
        #expect(try await until({ (provider.inflights, gate.count) }, { $0.0 == (1, 2) && $0.1 == 1 }))
        first.cancel()
        #expect(try await until({ results.elements }, is: [false]))
        gate.open()
        #expect(try await until({ results.elements }, is: [false, true]))
        #expect(echo.messages.count == 1)
        await echo.stop()
    }

    @Test func theLastWhoLeavesCancelsTheTransfer() async throws {
        let echo = try await EchoServer.start()
        let received = Collected<Bool>()
        let provider = Provider<AnyTarget>(plugins: [Watcher(received: received)], trackInflights: true)
        let results = Collected<Bool>()
        let target = AnyTarget(baseURL: echo.url, path: "slow")
        let calls = (0..<3).map { _ in
            provider.request(target, callbackQueue: .global()) { results.append($0.error?.isCancelled == true) }
        }
        #expect(try await until({ provider.inflights }, { $0 == (1, 3) }))
        for call in calls { call.cancel() }
        #expect(try await until({ (results.count, provider.inflights) }, { $0.0 == 3 && $0.1 == (0, 0) }))
        #expect(results.elements == [true, true, true])
        // Each is told of its own end, and nobody of the transfer's.
        #expect(received.elements == [false, false, false])
        await echo.stop()
    }

    @Test func aThousandRequestsShareTheirTransfersWhileHalfAreCancelled() async throws {
        let echo = try await EchoServer.start()
        let gate = Gate()
        let results = Collected<Bool>()
        weak var released: Provider<AnyTarget>?
        do {
            let provider = provider(gate)
            released = provider
            let calls = Collected<CancellableRequest>()
            await withTaskGroup(of: Void.self) { group in
                for index in 0..<1_000 {
                    group.addTask {
                        // Those of odd endpoints will be cancelled.
                        let target = AnyTarget(baseURL: echo.url, path: "things/\(index % 20)")
                        let call = provider.request(target, callbackQueue: .global()) { outcome in
                            results.append(outcome.error == nil)
                        }
                        if index % 2 == 1 { calls.append(call) }
                    }
                }
            }
            #expect(calls.count == 500)
            #expect(try await until({ (provider.inflights, gate.count) }, { $0.0 == (20, 1_000) && $0.1 == 20 }))
            await withTaskGroup(of: Void.self) { group in
                for call in calls.elements { group.addTask { call.cancel() } }
                group.addTask { gate.open() }
            }
            #expect(try await until({ results.count }, is: 1_000))
            #expect(provider.inflights == (0, 0))
        }
        // The even endpoints answer all of theirs; of the odd ones some may have come before they were cancelled.
        #expect(results.elements.filter { $0 }.count >= 500)
        let targets = echo.messages.map(\.target)
        #expect(Set(targets).count == targets.count)
        #expect(Set(targets).isSuperset(of: (0..<10).map { "/things/\($0 * 2)" }))
        #expect(released == nil)
        await echo.stop()
    }

    @Test func aThousandRequestsThatComeAndGoAllEndOnce() async throws {
        let echo = try await EchoServer.start()
        let provider = Provider<AnyTarget>(trackInflights: true)
        let results = await withTaskGroup(of: Bool?.self) { group in
            for index in 0..<1_000 {
                group.addTask {
                    let target = AnyTarget(baseURL: echo.url, path: "things/\(index % 50)")
                    let task = Task { try await provider.request(target).statusCode == 200 }
                    if index % 3 == 0 { task.cancel() }
                    do {
                        return try await task.value
                    } catch {
                        return (error as? ProviderError)?.isCancelled == true ? false : nil
                    }
                }
            }
            return await group.reduce(into: [Bool?]()) { $0.append($1) }
        }
        #expect(results.count == 1_000)
        #expect(!results.contains(nil))
        #expect(results.filter { $0 == true }.count >= 666)
        #expect(provider.inflights == (0, 0))
        await echo.stop()
    }
}
