// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation
import MockapiUpstream

extension UpstreamRequest {
    /// A URL request, without its content.
    ///
    /// Credentials of the URL become an Authorization field (RFC 9110 §4.2.4, RFC 7617).
    init(_ request: URLRequest, version: UpstreamProtocol) throws(URLError) {
        guard let url = request.url, var components = URLComponents(url: url, resolvingAgainstBaseURL: true),
            ["http", "https"].contains(components.scheme?.lowercased()), components.host?.isEmpty == false
        else {
            throw URLError(
                .unsupportedURL,
                "\(request.url?.absoluteString ?? "nothing") is not a URL of HTTP; give an http or https URL",
                url: request.url)
        }
        var fields = (request.allHTTPHeaderFields ?? [:]).sorted { $0.key < $1.key }
        // The content's length is known here, and how it is framed is the protocol's.
        fields.removeAll { ["content-length", "transfer-encoding"].contains($0.key.lowercased()) }
        let names = Set(fields.map { $0.key.lowercased() })
        if !names.contains("accept") { fields.append(("Accept", "*/*")) }
        if let user = components.user, !names.contains("authorization") {
            let credentials = Data("\(user):\(components.password ?? "")".utf8).base64EncodedString()
            fields.append(("Authorization", "Basic \(credentials)"))
        }
        components.user = nil
        components.password = nil
        self.init(
            request.httpMethod ?? "GET", components.url?.absoluteString ?? url.absoluteString,
            fields: fields.map { UpstreamField($0.key, $0.value) }, version: version)
    }
}
