// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// A target that says by which scheme its token is sent.
public protocol AccessTokenAuthorizable {
    /// Nil where no token is sent.
    var authorizationType: AuthorizationType? { get }
}
