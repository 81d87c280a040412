// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation
import MockServer
import MockapiContentDecoding
import NetworkingKit

extension FixtureResponse {
    func response(_ url: URL) throws(URLError) -> DataResponse {
        var headers: [String: String] = [:]
        for (name, value) in fields {
            // As URLSession joins them.
            let present = headers.keys.first { $0.lowercased() == name.lowercased() }
            headers[present ?? name] = present.flatMap { headers[$0] }.map { "\($0), \(value)" } ?? value
        }
        let decoder = try ContentDecoder(headers.first { $0.key.lowercased() == "content-encoding" }?.value, url)
        let content = try decoder.decode(content)
        if !content.isEmpty { try decoder.finish() }
        return DataResponse(data: Data(content), http: try .plain(url, status: status, headers: headers))
    }
}
