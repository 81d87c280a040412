// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation
import NetworkingCore
import Synchronization

/// A delegate that makes another publisher of each fetch's, and counts how often it is asked to.
final class TransformingDelegate: NetworkingDelegate {
    typealias Transformation = @Sendable (AnyPublisher<Data, URLError>) -> AnyPublisher<Data, URLError>

    private let transformation: Transformation
    private let count = Mutex(0)

    init(_ transformation: @escaping Transformation) {
        self.transformation = transformation
    }

    var timesAsked: Int { count.withLock { $0 } }

    func networking(
        _ networking: any Networking, transformPublisher publisher: AnyPublisher<Data, URLError>
    ) -> AnyPublisher<Data, URLError> {
        count.withLock { $0 += 1 }
        return transformation(publisher)
    }
}
