// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation
import NetworkingKit
import Synchronization

/// A networking that answers from memory and remembers what it was asked for.
final class DoubleNetworking: Networking {
    let cache: RequestCache<Data>? = .ofData()
    private let reference = DelegateReference()
    private let answers: [String: Data]
    private let asked = Mutex<[String]>([])

    /// - Parameter answers: data by the path and query of a URL; any other is answered 404.
    init(_ answers: [String: Data]) {
        self.answers = answers
    }

    var delegate: (any NetworkingDelegate)? {
        get { reference.delegate }
        set { reference.delegate = newValue }
    }

    var targets: [String] { asked.withLock { $0 } }

    func fetch(_ request: any Request) -> AnyPublisher<Data, URLError> {
        let result: Result<Data, URLError>
        do {
            let url = try request.urlRequest().url ?? request.url
            let target = url.path + (url.query.map { "?\($0)" } ?? "")
            asked.withLock { $0.append(target) }
            if let data = answers[target] {
                result = .success(data)
            } else {
                let response = DataResponse(data: Data(), http: try HTTPURLResponse.net.plain(url, status: 404))
                result = .failure(URLError(ResponseError(method: request.method, url: url, response: response)))
            }
        } catch {
            result = .failure(URLError(.badURL))
        }
        return result.publisher.eraseToAnyPublisher()
    }
}
