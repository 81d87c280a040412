// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation
import NetworkingKit

/// A request that is told all its parts.
struct PlainRequest: Request {
    var url: URL
    var method = HTTPMethod.get
    var headers: [String: String] = [:]
    var query: [URLQueryItem] = []
    var body: Data?
    var bodyFile: URL?
}
