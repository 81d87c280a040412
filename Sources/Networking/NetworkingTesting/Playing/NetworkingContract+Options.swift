// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

public import MockServer

extension NetworkingContract {
    /// How the server of a run is reached, and which failures are known before.
    public struct Options: Sendable {
        /// Whether requests go by `https`, to `localhost`; the networking has to trust the authority of `tls` then.
        public var isSecure = false
        /// The certificates of the server; the networking trusts `DevelopmentAuthority(directory:)` of the same directory.
        public var tls = MockServer.Configuration.TLS()
        /// Failures that are known, by the requirement's id, and why; they are failures all the same.
        public var known: [String: String] = [:]
        /// The requirements that are played, by their ids or the parts of them before the dot; all if it is empty.
        public var only: Set<String> = []
        /// Those that are not played.
        public var except: Set<String> = []

        /// Makes the usual options.
        public init() {}
    }
}
