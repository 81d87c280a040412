// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// Takes one value of a publisher to who waits for it.
struct FirstValueSubscriber<Input: Sendable, Failure: Error>: Subscriber {
    let combineIdentifier = CombineIdentifier()
    private let waiter: FirstValueWaiter<Input>

    init(_ waiter: FirstValueWaiter<Input>) {
        self.waiter = waiter
    }

    func receive(subscription: any Subscription) {
        if waiter.begin(subscription) { subscription.request(.max(1)) }
    }

    func receive(_ input: Input) -> Subscribers.Demand {
        waiter.finish(.success(input))
        return .none
    }

    func receive(completion: Subscribers.Completion<Failure>) {
        switch completion {
        case .finished: waiter.finish(nil)
        case .failure(let error): waiter.finish(.failure(error))
        }
    }
}
