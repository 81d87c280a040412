// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation
import NetworkingKit

/// GET of a URL, or what else is said.
struct PlainRequest: Request {
    let url: URL
    var method = HTTPMethod.get
    var headers: [String: String] = [:]
    var query: [URLQueryItem] = []
    var body: Data?
    var bodyFile: URL?
}
