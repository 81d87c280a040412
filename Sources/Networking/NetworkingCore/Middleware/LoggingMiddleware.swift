// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

package import Foundation

/// Writes requests and their results, one text for each, secrets left out.
///
///     --> POST http://127.0.0.1:8080/api/contents?api_key=<redacted>
///     Authorization: <redacted>
///     Content-Type: application/json
///
///     {"name":"A test"}
///     <-- 201 http://127.0.0.1:8080/api/contents?api_key=<redacted>, 310 bytes
public struct LoggingMiddleware: Middleware {
    private let text: ExchangeText
    private let output: @Sendable (String) -> Void

    /// - Parameter output: takes each text, from whatever thread the request is on.
    public init(
        detail: ExchangeText.Detail = [], secrets: ExchangeText.Secrets = ExchangeText.Secrets(),
        output: @escaping @Sendable (String) -> Void = { print($0) }
    ) {
        text = ExchangeText(detail: detail, secrets: secrets)
        self.output = output
    }

    public func intercept(_ request: URLRequest, _ next: @escaping Next) async throws -> DataResponse {
        output(text.of(request))
        do {
            let response = try await next(request)
            output(text.of(response, to: request.url))
            return response
        } catch {
            let url = text.redacted(request.url)
            output("<-- \(request.httpMethod ?? "GET") \(url) failed: \(Self.reason(error))")
            throw error
        }
    }

    /// Why there is no response, without the URL and the body in the error.
    private static func reason(_ error: any Error) -> String {
        switch error {
        case let error as any SummarizedError: error.summary
        case let error as ResponseError: "\(error.response)"
        case let error as URLError: "URLError \(error.code.rawValue): \(error.localizedDescription)"
        default: "\(error)"
        }
    }
}

/// An error that can be reported without its possible secrets.
package protocol SummarizedError: Error {
    /// The reason for the error, with neither URL nor body.
    var summary: String { get }
}

/// The text of a request and of its response, for logs.
public struct ExchangeText: Sendable {
    /// The parts that are written beside the first line.
    public struct Detail: OptionSet, Sendable {
        /// The header fields of requests.
        public static let requestHeaders = Detail(rawValue: 1)
        /// The content of requests.
        public static let requestBody = Detail(rawValue: 2)
        /// The header fields of responses.
        public static let responseHeaders = Detail(rawValue: 4)
        /// The content of responses.
        public static let responseBody = Detail(rawValue: 8)
        /// All of these.
        public static let verbose: Detail = [.requestHeaders, .requestBody, .responseHeaders, .responseBody]

        public let rawValue: Int

        public init(rawValue: Int) {
            self.rawValue = rawValue
        }
    }

    /// Names whose values are not written; upper and lower case are one.
    public struct Secrets: Sendable {
        /// Fields of requests and responses.
        public static let headers: Set = [
            "Authorization", "Cookie", "Proxy-Authorization", "Set-Cookie", "X-Api-Key", "X-Auth-Token",
        ]
        /// Parameters of a query or a form, and members of JSON, however deep.
        public static let names: Set = [
            "access_token", "accesstoken", "api_key", "apikey", "auth", "client_secret", "clientsecret", "id_token",
            "key", "passwd", "password", "pwd", "refresh_token", "refreshtoken", "secret", "sig", "signature", "token",
        ]

        fileprivate let headers: Set<String>
        fileprivate let names: Set<String>

        /// Names the hidden parts: header fields, and names of members, parameters and fields of forms.
        public init(headers: Set<String> = Secrets.headers, names: Set<String> = Secrets.names) {
            self.headers = Set(headers.map { $0.lowercased() })
            self.names = Set(names.map { $0.lowercased() })
        }
    }

    /// How much of a content is written, in characters. 2,000.
    public static let shownText = 2_000
    /// How large JSON is looked through for secrets, in bytes; nothing of larger JSON is written. 1 MiB.
    private static let readJSON = 1024 * 1024
    private static let mark = "<redacted>"

    let detail: Detail
    let secrets: Secrets

    package init(detail: Detail, secrets: Secrets) {
        self.detail = detail
        self.secrets = secrets
    }

    package func of(_ request: URLRequest) -> String {
        var lines = ["--> \(request.httpMethod ?? "GET") \(redacted(request.url))"]
        if detail.contains(.requestHeaders) { lines += fields(request.allHTTPHeaderFields ?? [:]) }
        if detail.contains(.requestBody) {
            lines += content(request.httpBody ?? Data(), request.value(forHTTPHeaderField: "Content-Type"))
        }
        return lines.joined(separator: "\n")
    }

    /// - Parameter url: the URL of the request, if the response has none.
    package func of(_ response: DataResponse, to url: URL? = nil) -> String {
        var lines = ["<-- \(response.status) \(redacted(response.url ?? url)), \(response.data.count) bytes"]
        if detail.contains(.responseHeaders) { lines += fields(response.headers) }
        if detail.contains(.responseBody) {
            lines += content(response.data, response.response?.value(forHTTPHeaderField: "Content-Type"))
        }
        return lines.joined(separator: "\n")
    }

    /// A URL without user, password and secrets of its query.
    package func redacted(_ url: URL?) -> String {
        guard let url else { return "" }
        guard var components = URLComponents(url: url, resolvingAgainstBaseURL: true) else { return "<no URL>" }
        var text = url.absoluteString
        if components.user != nil || components.password != nil {
            components.user = nil
            components.password = nil
            text = components.string ?? ""
        }
        guard let query = components.percentEncodedQuery, let start = text.firstIndex(of: "?") else { return text }
        let fragment = components.percentEncodedFragment.map { "#\($0)" } ?? ""
        return "\(text[..<start])?\(pairs(query))\(fragment)"
    }

    /// `name=value&…` without the values of secrets.
    private func pairs(_ text: String) -> String {
        text.split(separator: "&", omittingEmptySubsequences: false).map { pair -> String in
            let name = pair.prefix { $0 != "=" }
            let plain = String(name).removingPercentEncoding ?? String(name)
            guard secrets.names.contains(plain.lowercased()), name.endIndex < pair.endIndex else { return String(pair) }
            return "\(name)=\(Self.mark)"
        }.joined(separator: "&")
    }

    /// One line a field, by name.
    private func fields(_ headers: [String: String]) -> [String] {
        headers.sorted { $0.key < $1.key }.map { name, value in
            "\(name): \(secrets.headers.contains(name.lowercased()) ? Self.mark : value)"
        }
    }

    private func content(_ data: Data, _ type: String?) -> [String] {
        guard !data.isEmpty else { return [] }
        guard let text = String(data: data, encoding: .utf8) else { return ["", "<\(data.count) bytes, no text>"] }
        let plain = plainContent(text, data, type)
        let shown = plain.prefix(Self.shownText)
        return [
            "",
            shown.endIndex == plain.endIndex ? plain : "\(shown)… <\(plain.count - Self.shownText) characters more>",
        ]
    }

    private func plainContent(_ text: String, _ data: Data, _ type: String?) -> String {
        if type?.lowercased().hasPrefix("application/x-www-form-urlencoded") == true { return pairs(text) }
        guard text.contains("{") else { return text }
        guard data.count <= Self.readJSON else { return "<\(data.count) bytes, too large to look through for secrets>" }
        guard let json = try? JSONSerialization.jsonObject(with: data), let clean = cleaned(json),
            let written = try? JSONSerialization.data(
                withJSONObject: clean, options: [.sortedKeys, .withoutEscapingSlashes])
        else { return text }
        return String(decoding: written, as: UTF8.self)
    }

    /// JSON without its secrets; nil if it has none.
    private func cleaned(_ json: Any) -> Any? {
        if let object = json as? [String: Any] {
            var clean = object
            var isChanged = false
            for (name, value) in object {
                let replacement = secrets.names.contains(name.lowercased()) ? Self.mark : cleaned(value)
                guard let replacement else { continue }
                clean[name] = replacement
                isChanged = true
            }
            return isChanged ? clean : nil
        }
        guard let array = json as? [Any] else { return nil }
        let clean = array.map { cleaned($0) }
        return clean.contains { $0 != nil } ? zip(array, clean).map { $1 ?? $0 } : nil
    }
}
