// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation

/// GET of a URL, whose response is decoded.
struct JSONRequest<Value: Decodable>: Request {
    typealias Output = Value

    let url: URL
    var method: HTTPMethod { .get }
}
