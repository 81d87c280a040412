// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation

/// Writes requests and what comes of them, one text for each.
///
///     --> POST http://127.0.0.1:8080/api/contents
///     Content-Type: application/json
///
///     {"name":"A test"}
///     <-- 201 http://127.0.0.1:8080/api/contents, 310 bytes
public struct LoggerPlugin: PluginType {
    /// What is written beside the first line.
    public struct Detail: OptionSet, Sendable {
        public static let requestHeaders = Detail(rawValue: 1)
        public static let requestBody = Detail(rawValue: 2)
        public static let responseHeaders = Detail(rawValue: 4)
        public static let responseBody = Detail(rawValue: 8)
        public static let verbose: Detail = [.requestHeaders, .requestBody, .responseHeaders, .responseBody]

        public let rawValue: Int

        public init(rawValue: Int) {
            self.rawValue = rawValue
        }
    }

    /// Fields whose values are secrets.
    public static let secretHeaders: Set = ["Authorization", "Cookie", "Proxy-Authorization", "Set-Cookie"]

    /// How much of a content is written, in characters. 2,000.
    public static let shownText = 2_000

    private let detail: Detail
    private let redacted: Set<String>
    private let output: @Sendable (String) -> Void

    /// - Parameters:
    ///   - redactedHeaders: fields in the place of whose values `<redacted>` is written. Queries and contents are written as they are.
    ///   - output: takes each text, from whatever thread the request is on.
    public init(
        detail: Detail = [], redactedHeaders: Set<String> = LoggerPlugin.secretHeaders,
        output: @escaping @Sendable (String) -> Void = { print($0) }
    ) {
        self.detail = detail
        redacted = Set(redactedHeaders.map { $0.lowercased() })
        self.output = output
    }

    public func willSend(_ request: any RequestType, target: any TargetType) {
        guard let request = request.request else { return }
        var lines = ["--> \(request.httpMethod ?? "GET") \(request.url?.absoluteString ?? "")"]
        if detail.contains(.requestHeaders) { lines += fields(request.allHTTPHeaderFields ?? [:]) }
        if detail.contains(.requestBody) { lines += Self.content(request.httpBody ?? Data()) }
        output(lines.joined(separator: "\n"))
    }

    public func didReceive(_ result: Result<Endpoint.Response, ProviderError>, target: any TargetType) {
        switch result {
        case .success(let response): output(text(of: response))
        case .failure(let error):
            let line = "<-- \(target.method) \(URL(target: target).absoluteString) failed: \(error)"
            output(error.response.map { "\(line)\n\(text(of: $0))" } ?? line)
        }
    }

    private func text(of response: Endpoint.Response) -> String {
        let url = response.response?.url ?? response.request?.url
        var lines = ["<-- \(response.statusCode) \(url?.absoluteString ?? ""), \(response.data.count) bytes"]
        if detail.contains(.responseHeaders), let http = response.response {
            lines += fields(DataResponse(data: Data(), http: http).headers)
        }
        if detail.contains(.responseBody) { lines += Self.content(response.data) }
        return lines.joined(separator: "\n")
    }

    /// One line a field, by name.
    private func fields(_ headers: [String: String]) -> [String] {
        headers.sorted { $0.key < $1.key }.map { name, value in
            "\(name): \(redacted.contains(name.lowercased()) ? "<redacted>" : value)"
        }
    }

    private static func content(_ data: Data) -> [String] {
        guard !data.isEmpty else { return [] }
        guard let text = String(data: data, encoding: .utf8) else { return ["", "<\(data.count) bytes, no text>"] }
        let shown = text.prefix(shownText)
        return ["", shown.endIndex == text.endIndex ? text : "\(shown)… <\(text.count - shownText) characters more>"]
    }
}
