// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation
import MockapiUpstream
import NetworkingKit

extension UpstreamHead {
    /// The values of all lines with a name, joined as one list (RFC 9110 §5.3).
    func list(_ name: String) -> String? {
        let values = fields.filter { $0.name.lowercased() == name.lowercased() }.map(\.value)
        return values.isEmpty ? nil : values.joined(separator: ", ")
    }

    /// The head as Foundation has it.
    ///
    /// Lines of one name are joined as URLSession joins them, Set-Cookie too, which `HTTPCookie` takes apart again.
    func response(_ url: URL) throws(URLError) -> HTTPURLResponse {
        var headers: [String: String] = [:]
        var names: [String: String] = [:]
        for field in fields {
            let name = names[field.name.lowercased(), default: field.name]
            names[field.name.lowercased()] = name
            headers[name] = headers[name].map { "\($0), \(field.value)" } ?? field.value
        }
        return try .plain(url, status: status, version: version.rawValue, headers: headers)
    }
}
