// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

public import Foundation

extension Array: URLSessionDecodable where Element == Article {
    public init(from output: Data) throws {
        self = try JSONDecoder().decode(Articles.self, from: output).data.map(\.article)
    }
}
