// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// The members that this library adds to a type of somebody else, kept behind one name: `net`.
///
///     print(URLRequest(url: url).net.curlCommand)
///
/// A member is added by an extension for a base:
///
///     extension NetNamespace where Base == Data {
///         public var isJSON: Bool { (try? JSONSerialization.jsonObject(with: base)) != nil }
///     }
///
/// A `mutating` member changes the base: `request.net.authorize(token)`.
public struct NetNamespace<Base> {
    public var base: Base

    public init(_ base: Base) {
        self.base = base
    }
}

extension NetNamespace: Sendable where Base: Sendable {}
