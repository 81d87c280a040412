// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiSecrets

/// The treatment of the header fields of a request: none is written but those named here.
enum RequestHeaders {
    /// Written beside the recording, and matched where the response says by Vary that they decide; names in lower case.
    static let kept: Set<String> = [
        "accept", "accept-language", "content-type", "content-language", "prefer", "api-version", "x-api-version",
    ]

    /// Whether a field, named in lower case, is matched only where the response's Vary names it.
    static func mayVary(_ name: String) -> Bool {
        kept.contains(name) && name != "content-type"
    }

    /// Fields whose values are never written: they are matched as present.
    static let credentials = CredentialNames.headers

    /// Fields that a request is sent with and that say nothing of the response: reported as redacted, and neither
    /// written nor matched.
    static let cookies = CredentialNames.cookies
}
