// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// The credentials that a request must show before it is served; one of the schemes given is enough.
package struct Authentication: Equatable, Sendable {
    /// Tokens in an Authorization line (RFC 6750 §2.1).
    package struct Bearer: Equatable, Sendable {
        /// Empty: any token that is not named otherwise, if there is no issuer either.
        package var tokens: [String] = []
        /// The response is 401 and `invalid_token`.
        package var expired: [String] = []
        /// The response is 403 and `insufficient_scope`.
        package var insufficient: [String] = []
        /// The name of the stub whose `oauth2` issues further tokens.
        package var issuer: String?
        /// The scope that a token of the issuer needs, its parts separated by spaces.
        package var scope: String?
        package var realm = defaultRealm

        package init() {}
    }

    /// A name and a password as they are (RFC 7617).
    package struct Basic: Equatable, Sendable {
        package var username: String
        package var password: String
        package var realm = defaultRealm

        package init(username: String, password: String) {
            self.username = username
            self.password = password
        }
    }

    /// A name, and proof of a password (RFC 7616).
    package struct Digest: Equatable, Sendable {
        package enum Algorithm: String, CaseIterable, Sendable {
            case md5 = "MD5"
            case sha256 = "SHA-256"
        }

        package var username: String
        package var password: String
        package var realm = defaultRealm
        package var algorithm = Algorithm.sha256
        /// Requests that a nonce is good for; nil for any number.
        package var uses: Int?

        package init(username: String, password: String) {
            self.username = username
            self.password = password
        }
    }

    /// An authorization server for the grants of clients themselves and of refresh tokens (RFC 6749 §4.4 and §6).
    package struct OAuth2: Equatable, Sendable {
        /// The path of the token endpoint.
        package var tokenEndpoint: String
        package var clientID: String
        package var clientSecret: String
        /// Seconds.
        package var expiresIn = 3600
        /// Requests that a token is good for; nil for any number until it expires.
        package var uses: Int?
        /// Whether a refresh token comes with each token.
        package var refreshes = true
        /// The scope that a client may ask for, its parts separated by spaces; nil for any.
        package var scope: String?
        package var realm = defaultRealm

        package init(tokenEndpoint: String, clientID: String, clientSecret: String) {
            self.tokenEndpoint = tokenEndpoint
            self.clientID = clientID
            self.clientSecret = clientSecret
        }
    }

    package static let defaultRealm = "api"

    package var bearer: Bearer?
    package var basic: Basic?
    package var digest: Digest?
    package var oauth2: OAuth2?

    package init() {}
}
