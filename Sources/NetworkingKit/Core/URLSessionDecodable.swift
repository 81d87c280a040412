// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

public import Foundation

/// What can be made from the data of an answer.
///
///     networking.fetch(ArticleRequest()).tryMap([Article].init(from:))
public protocol URLSessionDecodable {
    init(from output: Data) throws
}
