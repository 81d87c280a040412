// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Dispatch
import Foundation
import MockapiTestSupport
import MockapiWireSupport
import NetworkingKit
import Testing

/// The slow path of the server answers after ten minutes: who comes to an end before has not waited for it.
@Suite(.supervised) struct ProviderCancellationTests {
    @Test func aCancelledRequestEndsAtOnce() async throws {
        let echo = try await EchoServer.start()
        let received = Collected<Bool>()
        let provider = Provider<AnyTarget>(plugins: [Watcher(received: received)])
        let completions = Collected<Bool>()
        let call = provider.request(AnyTarget(baseURL: echo.url, path: "slow"), callbackQueue: .global()) {
            completions.append($0.error?.isCancelled == true)
        }
        #expect(try await until({ received.count }, is: 1))
        call.cancel()
        call.cancel()
        #expect(try await until({ completions.count }, is: 1))
        #expect(completions.elements == [true])
        #expect(received.elements == [false, true])
        #expect(call.isCancelled)
        await echo.stop()
    }

    /// Tells that a request goes out as false, and what comes of it as whether it was cancelled.
    private struct Watcher: PluginType {
        let received: Collected<Bool>

        func willSend(_ request: any RequestType, target: any TargetType) {
            received.append(false)
        }

        func didReceive(_ result: Result<Endpoint.Response, ProviderError>, target: any TargetType) {
            received.append(result.error?.isCancelled == true)
        }
    }

    @Test func aCancelledTaskCancelsItsRequest() async throws {
        let echo = try await EchoServer.start()
        let received = Collected<Bool>()
        let provider = Provider<AnyTarget>(plugins: [Watcher(received: received)])
        let target = AnyTarget(baseURL: echo.url, path: "slow")
        let task = Task { () -> ProviderError? in
            do throws(ProviderError) {
                _ = try await provider.request(target)
                return nil
            } catch {
                return error
            }
        }
        #expect(try await until({ received.count }, is: 1))
        task.cancel()
        #expect(await task.value?.isCancelled == true)
        #expect(received.elements == [false, true])
        await echo.stop()
    }

    @Test func aTaskThatIsCancelledBeforeSendsNothing() async throws {
        let received = Collected<Bool>()
        let provider = Provider<AnyTarget>(plugins: [Watcher(received: received)])
        let task = Task { () -> Bool in
            // Until this task is cancelled.
            while !Task.isCancelled { await Task.yield() }
            do throws(ProviderError) {
                _ = try await provider.request(.unsent)
                return false
            } catch {
                return error.isCancelled
            }
        }
        task.cancel()
        #expect(await task.value)
        #expect(received.elements == [true])
    }

    @Test func aRequestIsCancelledWhileItsClosureThinks() async throws {
        let pending = Collected<Provider<AnyTarget>.RequestResultClosure>()
        let received = Collected<Bool>()
        let provider = Provider<AnyTarget>(
            requestClosure: { _, done in pending.append(done) }, plugins: [Watcher(received: received)])
        let completions = Collected<Bool>()
        let call = provider.request(.unsent, callbackQueue: .global()) {
            completions.append($0.error?.isCancelled == true)
        }
        #expect(try await until({ pending.count }, is: 1))
        call.cancel()
        #expect(try await until({ completions.count }, is: 1))
        pending.elements.first?(.success(URLRequest(url: AnyTarget.unsent.baseURL)))
        #expect(completions.elements == [true])
        #expect(received.elements == [true])
    }

    @Test func aStubIsCancelledWhileItsClosureThinks() {
        let pending = Collected<Provider<AnyTarget>.RequestResultClosure>()
        let received = Collected<Bool>()
        let provider = Provider<AnyTarget>(
            requestClosure: { _, done in pending.append(done) }, stubClosure: Provider.immediatelyStub,
            plugins: [Watcher(received: received)])
        let completions = Collected<Bool>()
        let call = provider.request(.unsent) { completions.append($0.error?.isCancelled == true) }
        call.cancel()
        pending.elements.first?(.success(URLRequest(url: AnyTarget.unsent.baseURL)))
        #expect(completions.elements == [true])
        #expect(received.elements == [true])
    }

    @Test func aRequestOutlivesItsProviderAndDoesNotHoldIt() async throws {
        let echo = try await EchoServer.start()
        let pending = Collected<@Sendable () -> Void>()
        let completions = Collected<Int>()
        weak var released: Provider<AnyTarget>?
        do {
            let provider = Provider<AnyTarget>(requestClosure: { endpoint, done in
                pending.append { Provider<AnyTarget>.defaultRequestMapping(for: endpoint, closure: done) }
            })
            released = provider
            provider.request(AnyTarget(baseURL: echo.url), callbackQueue: .global()) {
                completions.append((try? $0.get().statusCode) ?? 0)
            }
        }
        #expect(released == nil)
        #expect(try await until({ pending.count }, is: 1))
        pending.elements.first?()
        #expect(try await until({ completions.count }, is: 1))
        #expect(completions.elements == [200])
        await echo.stop()
    }

    @Test func completionsComeOnTheMainQueueWhereNothingElseIsSaid() async throws {
        let echo = try await EchoServer.start()
        let key = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: key, value: true)
        let isMain = await withCheckedContinuation { continuation in
            Provider<AnyTarget>().request(AnyTarget(baseURL: echo.url)) { _ in
                continuation.resume(returning: DispatchQueue.getSpecific(key: key) == true)
            }
        }
        DispatchQueue.main.setSpecific(key: key, value: nil)
        #expect(isMain)
        await echo.stop()
    }
}
