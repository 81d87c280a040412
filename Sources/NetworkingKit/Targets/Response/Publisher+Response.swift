// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

public import Foundation

extension Publisher where Output == Endpoint.Response, Failure == ProviderError {
    /// Responses of these statuses; another is `ProviderError.statusCode`.
    public func filter<R: RangeExpression>(
        statusCodes: R
    ) -> AnyPublisher<Endpoint.Response, ProviderError> where R.Bound == Int {
        mapped { response throws(ProviderError) in try response.filter(statusCodes: statusCodes) }
    }

    /// Responses of this status; another is `ProviderError.statusCode`.
    public func filter(statusCode: Int) -> AnyPublisher<Endpoint.Response, ProviderError> {
        mapped { response throws(ProviderError) in try response.filter(statusCode: statusCode) }
    }

    /// Responses of the statuses 200 to 299.
    public func filterSuccessfulStatusCodes() -> AnyPublisher<Endpoint.Response, ProviderError> {
        mapped { response throws(ProviderError) in try response.filterSuccessfulStatusCodes() }
    }

    /// Responses of the statuses 200 to 399.
    public func filterSuccessfulStatusAndRedirectCodes() -> AnyPublisher<Endpoint.Response, ProviderError> {
        mapped { response throws(ProviderError) in try response.filterSuccessfulStatusAndRedirectCodes() }
    }

    /// The contents read as JSON; `Endpoint.Response.mapJSON` says more.
    public func mapJSON(failsOnEmptyData: Bool = true) -> AnyPublisher<Any, ProviderError> {
        mapped { response throws(ProviderError) in try response.mapJSON(failsOnEmptyData: failsOnEmptyData) }
    }

    /// The contents as text; `Endpoint.Response.mapString` says more.
    public func mapString(atKeyPath keyPath: String? = nil) -> AnyPublisher<String, ProviderError> {
        mapped { response throws(ProviderError) in try response.mapString(atKeyPath: keyPath) }
    }

    /// The contents decoded; `Endpoint.Response.map` says more.
    public func map<D: Decodable>(
        _ type: D.Type, atKeyPath keyPath: String? = nil, using decoder: JSONDecoder = JSONDecoder(),
        failsOnEmptyData: Bool = true
    ) -> AnyPublisher<D, ProviderError> {
        mapped { response throws(ProviderError) in
            try response.map(type, atKeyPath: keyPath, using: decoder, failsOnEmptyData: failsOnEmptyData)
        }
    }

    private func mapped<Value>(
        _ transform: @escaping (Endpoint.Response) throws(ProviderError) -> Value
    ) -> AnyPublisher<Value, ProviderError> {
        tryMap { try transform($0) }
            .mapError { $0 as? ProviderError ?? .underlying($0, nil) }
            .eraseToAnyPublisher()
    }
}
