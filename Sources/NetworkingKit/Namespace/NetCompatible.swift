// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

public import Foundation

/// A type that has `net`; to conform takes no more than an empty extension.
///
///     extension URLComponents: @retroactive NetCompatible {}
public protocol NetCompatible {}

extension NetCompatible {
    /// What this library adds to the value.
    public var net: NetNamespace<Self> {
        get { NetNamespace(self) }
        set { self = newValue.base }
    }

    /// What this library adds to the type.
    public static var net: NetNamespace<Self>.Type {
        get { NetNamespace<Self>.self }
        // For the form that the prefix is published in; there is nothing to change.
        set {}
    }
}

extension Data: NetCompatible {}
extension URLRequest: NetCompatible {}
extension HTTPURLResponse: NetCompatible {}

extension Request {
    /// What this library adds to the request beside what its protocol says.
    public var net: NetNamespace<Self> { NetNamespace(self) }
}
