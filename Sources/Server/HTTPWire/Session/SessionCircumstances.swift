// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// The facts that a session knows of its connection.
package struct SessionCircumstances: Sendable {
    /// Whether the connection is encrypted.
    package var isSecure: Bool
    /// Whether a client may go on in HTTP/2, as it may if the connection is not encrypted.
    package var allowsUpgrade: Bool
    /// Whether the connection ends after the next response: the server stops.
    package var isDraining: Bool
    /// Whether the client has ended its side, as far as the system has reported.
    package var clientHasEnded: Bool

    /// The host and port that a tunnel was opened to, which requests without a host are for; empty for other connections.
    package var tunnel: [UInt8]

    package init(
        isSecure: Bool = false, allowsUpgrade: Bool = false, isDraining: Bool = false, clientHasEnded: Bool = false,
        tunnel: [UInt8] = []
    ) {
        self.tunnel = tunnel
        self.isSecure = isSecure
        self.allowsUpgrade = allowsUpgrade
        self.isDraining = isDraining
        self.clientHasEnded = clientHasEnded
    }
}
