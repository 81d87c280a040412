// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Dispatch
import Foundation
import MockapiTestSupport
import MockapiWireSupport
import NetworkingKit
import Testing

@Suite(.supervised) struct StubTests {
    private static let teapot = Endpoint.SampleResponse.networkResponse(418, Data("short and stout".utf8))

    private func provider(
        _ behavior: StubBehavior, _ sample: @escaping Endpoint.SampleResponseClosure = { teapot },
        queue: DispatchQueue? = nil
    ) -> Provider<AnyTarget> {
        Provider<AnyTarget>(
            endpointClosure: { target in
                Endpoint(
                    url: URL(target: target).absoluteString, sampleResponseClosure: sample, method: target.method,
                    task: target.task, httpHeaderFields: target.headers)
            }, stubClosure: { _ in behavior }, callbackQueue: queue)
    }

    @Test func anImmediateStubWithoutAQueueAnswersInTheCall() {
        let seen = Collected<Int?>()
        provider(.immediate).request(.unsent) { seen.append(try? $0.get().statusCode) }
        #expect(seen.elements == [418])
    }

    @Test func anImmediateStubWithAQueueAnswersOnIt() async {
        let key = DispatchSpecificKey<Bool>()
        let queue = DispatchQueue(label: "StubTests")
        queue.setSpecific(key: key, value: true)
        for isOfProvider in [true, false] {
            let isOnQueue = await withCheckedContinuation { continuation in
                provider(.immediate, queue: isOfProvider ? queue : nil)
                    .request(.unsent, callbackQueue: isOfProvider ? nil : queue) { _ in
                        continuation.resume(returning: DispatchQueue.getSpecific(key: key) == true)
                    }
            }
            #expect(isOnQueue)
        }
    }

    @Test func aDelayedStubAnswersAfterItsDelay() async throws {
        let clock = ContinuousClock()
        let start = clock.now
        let response = try await provider(.delayed(seconds: 0.05)).request(.unsent)
        #expect(response.statusCode == 418)
        #expect(clock.now - start >= .milliseconds(50))
    }

    @Test func aDelayedStubIsCancelledAtOnce() async {
        let provider = provider(.delayed(seconds: 3_600))
        let error = await withCheckedContinuation { continuation in
            let call = provider.request(.unsent, callbackQueue: .global()) { outcome in
                continuation.resume(returning: outcome.error)
            }
            call.cancel()
            #expect(call.isCancelled)
        }
        #expect(error?.isCancelled == true)
    }

    @Test func stubsThatWaitHoldNoThread() async throws {
        let announced = Collected<Bool>()
        let ended = Collected<Bool>()
        let provider = Provider<AnyTarget>(
            stubClosure: Provider.delayedStub(3_600), plugins: [Announcer(announced: announced)])
        let calls = (0..<1_000).map { _ in
            provider.request(.unsent, callbackQueue: .global()) { ended.append($0.error?.isCancelled == true) }
        }
        // If one held a thread while it waits, those that have none would not be announced.
        #expect(try await until({ announced.count }, is: 1_000))
        #expect(ended.elements.isEmpty)
        for call in calls { call.cancel() }
        #expect(try await until({ ended.count }, is: 1_000))
        #expect(!ended.elements.contains(false))
    }

    private struct Announcer: PluginType {
        let announced: Collected<Bool>

        func willSend(_ request: any RequestType, target: any TargetType) {
            announced.append(true)
        }
    }

    @Test func aStubAnswersWithWhatItsEndpointSays() async throws {
        let http = try #require(
            HTTPURLResponse(
                url: AnyTarget.unsent.baseURL, statusCode: 201, httpVersion: "HTTP/1.1", headerFields: ["X-A": "1"]))
        let full = try await provider(.immediate, { .response(http, Data("made".utf8)) }).request(.unsent)
        #expect(full.statusCode == 201)
        #expect(full.data == Data("made".utf8))
        #expect(full.response == http)
        #expect(full.request?.url == AnyTarget.unsent.baseURL)

        let plain = try await provider(.immediate).request(.unsent)
        #expect(plain == Endpoint.Response(statusCode: 418, data: Data("short and stout".utf8)))

        do {
            _ = try await provider(.immediate, { .networkError(URLError(.timedOut)) }).request(.unsent)
            Issue.record("no error")
        } catch {
            #expect((error.underlyingError as? URLError)?.code == .timedOut)
            #expect(error.response == nil)
        }
    }

    @Test func aStubIsValidated() async {
        var target = AnyTarget.unsent
        target.validationType = .successCodes
        do {
            _ = try await provider(.immediate).request(target)
            Issue.record("418 was taken")
        } catch {
            guard case .underlying(ProviderError.statusCode(let inner), let response) = error else {
                Issue.record("\(error)")
                return
            }
            #expect(inner.statusCode == 418)
            #expect(response == inner)
            #expect("\(error)" == "the status is not accepted: GET http://api.example.com: 418\nshort and stout")
        }
    }

    @Test func theSampleOfATargetIsItsStubsAnswer() async throws {
        var target = AnyTarget.unsent
        target.sample = Data("sample".utf8)
        let response = try await Provider<AnyTarget>(stubClosure: Provider.immediatelyStub).request(target)
        #expect(response.statusCode == 200)
        #expect(response.data == Data("sample".utf8))
    }

    @Test func theHelpersSayWhatTheyAreCalled() {
        #expect(Provider<AnyTarget>.neverStub(.unsent) == .never)
        #expect(Provider<AnyTarget>.immediatelyStub(.unsent) == .immediate)
        #expect(Provider<AnyTarget>.delayedStub(0.5)(.unsent) == .delayed(seconds: 0.5))
    }

    @Test func stubsOfOneTargetLeaveAnotherToTheWire() async throws {
        let echo = try await EchoServer.start()
        let provider = Provider<AnyTarget>(stubClosure: { $0.path == "stubbed" ? .immediate : .never })
        #expect(try await provider.request(AnyTarget(baseURL: echo.url, path: "stubbed")).data.isEmpty)
        #expect(try await provider.request(AnyTarget(baseURL: echo.url)).mapString() == #"{"ok":true}"#)
        #expect(echo.messages.map(\.target) == ["/things"])
        await echo.stop()
    }
}

extension Result {
    var error: Failure? {
        if case .failure(let error) = self { error } else { nil }
    }
}
