// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation

/// Sends a token with each target that is `AccessTokenAuthorizable` and names a scheme.
///
///     let provider = Provider<Bookmarks>(plugins: [AccessTokenPlugin { _ in token }])
public struct AccessTokenPlugin: PluginType {
    public typealias TokenClosure = @Sendable (any TargetType) -> String

    private let token: TokenClosure

    /// - Parameter tokenClosure: asked anew for each request, of a `MultiTarget` with the target inside. White space around it,
    ///   such as the line break of a file, is not sent.
    public init(tokenClosure: @escaping TokenClosure) {
        token = tokenClosure
    }

    public func prepare(_ request: URLRequest, target: any TargetType) -> URLRequest {
        let target = (target as? MultiTarget)?.target ?? target
        guard let type = (target as? any AccessTokenAuthorizable)?.authorizationType else { return request }
        var request = request
        let token = token(target).trimmingCharacters(in: .whitespacesAndNewlines)
        request.setValue("\(type.value) \(token)", forHTTPHeaderField: "Authorization")
        return request
    }
}

/// A target that says by which scheme its token is sent.
public protocol AccessTokenAuthorizable {
    /// Nil where no token is sent.
    var authorizationType: AuthorizationType? { get }
}

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
