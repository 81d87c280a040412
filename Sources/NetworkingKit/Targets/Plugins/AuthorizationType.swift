// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// The scheme that credentials are sent by (RFC 9110 §11.1).
public enum AuthorizationType: Hashable, Sendable {
    /// RFC 7617
    case basic
    /// RFC 6750
    case bearer
    case custom(String)

    /// The name of the scheme, as the field Authorization begins with it.
    public var value: String {
        switch self {
        case .basic: "Basic"
        case .bearer: "Bearer"
        case .custom(let name): name
        }
    }
}
