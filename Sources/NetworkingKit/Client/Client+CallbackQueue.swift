// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

public import Dispatch
public import Foundation

extension Client {
    /// Where a handler is called.
    public enum CallbackQueue: Sendable {
        case main
        /// Wherever the answer comes.
        case sessionQueue
        case operationQueue(OperationQueue)
        case dispatchQueue(DispatchQueue)

        func execute(_ closure: @escaping @Sendable () -> Void) {
            switch self {
            case .main: DispatchQueue.main.async(execute: closure)
            case .sessionQueue: closure()
            case .operationQueue(let queue): queue.addOperation(closure)
            case .dispatchQueue(let queue): queue.async(execute: closure)
            }
        }
    }
}
