// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation

/// Writes the requests of a provider and what comes of them, one text for each, as `LoggingMiddleware` does for all of a networking.
///
///     --> POST http://127.0.0.1:8080/api/contents
///     Content-Type: application/json
///
///     {"name":"A test"}
///     <-- 201 http://127.0.0.1:8080/api/contents, 310 bytes
public struct LoggerPlugin: PluginType {
    public typealias Detail = ExchangeText.Detail

    private let text: ExchangeText
    private let output: @Sendable (String) -> Void

    /// - Parameter output: takes each text, from whatever thread the request is on.
    public init(
        detail: Detail = [], secrets: ExchangeText.Secrets = ExchangeText.Secrets(),
        output: @escaping @Sendable (String) -> Void = { print($0) }
    ) {
        text = ExchangeText(detail: detail, secrets: secrets)
        self.output = output
    }

    public func willSend(_ request: any RequestType, target: any TargetType) {
        if let request = request.request { output(text.of(request)) }
    }

    public func didReceive(_ result: Result<Endpoint.Response, ProviderError>, target: any TargetType) {
        switch result {
        case .success(let response): output(text(of: response))
        case .failure(let error):
            let line = "<-- \(target.method) \(text.redacted(URL(target: target))) failed: \(error)"
            output(error.response.map { "\(line)\n\(text(of: $0))" } ?? line)
        }
    }

    private func text(of response: Endpoint.Response) -> String {
        let url = response.response?.url ?? response.request?.url
        return text.of(response.statusCode, url, response.response, response.data)
    }
}
