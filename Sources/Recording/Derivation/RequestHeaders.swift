// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Secrets

/// What becomes of the header lines of a request: none is written but those named here.
enum RequestHeaders {
    /// Written beside the recording, and matched where the answer says by Vary that they decide; names in lower case.
    static let kept: Set<String> = [
        "accept", "accept-language", "content-type", "content-language", "prefer", "api-version", "x-api-version",
    ]

    /// Whether a line, named in lower case, is matched only where the answer's Vary names it.
    static func mayVary(_ name: String) -> Bool {
        kept.contains(name) && name != "content-type"
    }

    /// Whose values never are written: they are matched as present.
    static let credentials = CredentialNames.headers

    /// What a request that is recorded was sent with and says nothing of the answer: told as redacted, and neither written nor matched.
    static let cookies = CredentialNames.cookies
}
