// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation
import MockapiTestSupport
import MockapiWireSupport
import NetworkingKit
import Testing

@Suite(.supervised) struct ProviderPublisherTests {
    private struct Answer: Decodable, Equatable {
        var ok: Bool
    }

    @Test func aPublisherGivesTheResponse() async throws {
        let echo = try await EchoServer.start()
        let publisher = Provider<AnyTarget>().requestPublisher(AnyTarget(baseURL: echo.url))
        #expect(try await publisher.firstValue().statusCode == 200)
        #expect(try await publisher.firstValue().mapString() == #"{"ok":true}"#)
        // Each subscription has sent the request anew.
        #expect(echo.messages.count == 2)
        await echo.stop()
    }

    @Test func responsesAreFilteredAndMapped() async throws {
        let echo = try await EchoServer.start()
        let publisher = Provider<AnyTarget>().requestPublisher(AnyTarget(baseURL: echo.url))
        #expect(try await publisher.filterSuccessfulStatusCodes().map(Answer.self).firstValue() == Answer(ok: true))
        #expect(
            try await publisher.filterSuccessfulStatusAndRedirectCodes().mapString().firstValue() == #"{"ok":true}"#)
        #expect(try await publisher.filter(statusCode: 200).map(Bool.self, atKeyPath: "ok").firstValue())
        #expect(try await publisher.mapJSON().map { ($0 as? [String: Bool]) ?? [:] }.firstValue() == ["ok": true])
        await #expect(throws: ProviderError.self) { try await publisher.filter(statusCodes: 201...204).firstValue() }
        await #expect(throws: ProviderError.self) { try await publisher.map([Answer].self).firstValue() }
        await echo.stop()
    }

    @Test func toCancelASubscriptionCancelsItsRequest() async throws {
        let echo = try await EchoServer.start()
        let provider = Provider<AnyTarget>(trackInflights: true)
        let values = Collected<Int>()
        let subscription = provider.requestPublisher(AnyTarget(baseURL: echo.url, path: "slow")).sink(
            receiveCompletion: { _ in values.append(-1) }, receiveValue: { values.append($0.statusCode) })
        #expect(try await until({ provider.inflights }, { $0 == (1, 1) }))
        subscription.cancel()
        #expect(try await until({ provider.inflights }, { $0 == (0, 0) }))
        #expect(values.elements.isEmpty)
        await echo.stop()
    }

    @Test func aCallIsKeptAndCancelledWithASubscriptionsBag() async throws {
        let echo = try await EchoServer.start()
        let provider = Provider<AnyTarget>(trackInflights: true)
        let results = Collected<Bool>()
        do {
            let call = provider.request(AnyTarget(baseURL: echo.url, path: "slow"), callbackQueue: .global()) {
                results.append($0.error?.isCancelled == true)
            }
            var bag: Set<AnyCancellable> = []
            AnyCancellable(call).store(in: &bag)
            #expect(try await until({ provider.inflights }, { $0 == (1, 1) }))
            bag.removeAll()
        }
        #expect(try await until({ results.elements }, is: [true]))
        await echo.stop()
    }
}
