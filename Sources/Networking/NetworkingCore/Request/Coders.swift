// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

public import Foundation

/// The decoder and encoder of JSON, with their settings, such as for dates and names in snake case.
///
///     let decoder = JSONDecoder()
///     decoder.keyDecodingStrategy = .convertFromSnakeCase
///     let networker = Networker(coders: Coders(decoder: decoder))
///
/// They belong to a networking; a request that has a `decoder` or `encoder` of its own goes by that.
public struct Coders: Sendable {
    /// Those of the networking whose request is being made or whose response is read; the usual ones elsewhere.
    @TaskLocal public static var current = Coders()

    /// The decoder of responses.
    public let decoder: JSONDecoder
    /// The encoder of content.
    public let encoder: JSONEncoder

    /// - Parameter encoder: nil for an encoder that sorts the keys, so that one value is always sent as the same bytes.
    public init(decoder: JSONDecoder = JSONDecoder(), encoder: JSONEncoder? = nil) {
        self.decoder = decoder
        self.encoder = encoder ?? .sorted
    }

    package func use<Value>(_ work: () throws -> Value) rethrows -> Value {
        try Self.$current.withValue(self, operation: work)
    }
}

extension JSONEncoder {
    /// An encoder that sorts keys and leaves slashes as they are.
    package static var sorted: JSONEncoder {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return encoder
    }
}
