// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// The proxies that requests go by, as the URLs of these, and the hosts that are asked without one.
package struct UpstreamProxies: Hashable, Sendable {
    /// For URLs without TLS; nil for none.
    package var plain: String?
    /// For URLs with TLS, which go through a tunnel (RFC 9110 §9.3.6); nil for none.
    package var secure: String?
    /// As `no_proxy` has them: names, which stand for those below them too, and addresses, with commas between.
    package var exceptions = ""

    package init(plain: String? = nil, secure: String? = nil, exceptions: String = "") {
        self.plain = plain
        self.secure = secure
        self.exceptions = exceptions
    }

    package func proxy(isSecure: Bool) -> String? { isSecure ? secure : plain }
}
